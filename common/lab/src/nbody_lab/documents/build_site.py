"""Builds the site with MkDocs from the folder that stage.py fills. A dead link or anchor is an error."""

import html
import io
import logging
import os
import re
import shutil
from pathlib import Path

os.environ["NO_MKDOCS_2_WARNING"] = "true"  # the versions are pinned
from latex2mathml.converter import convert
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort, ConfigurationError
from pymdownx.slugs import slugify

from nbody_lab.documents.navigation import mkdocs_nav
from nbody_lab.documents.stage import stage

# Turns formulas in ```math fences into MathML, which browsers draw without a script.

# Bars keep close to what they enclose, and a dot is an operator.
BETTER = (
    ('<mo stretchy="false">&#x0007C;</mo>', '<mo stretchy="false" lspace="0" rspace="0">|</mo>'),
    ("<mi>&#x000B7;</mi>", "<mo>&#x000B7;</mo>"),
)
TAG = re.compile(r"\\tag\{([^{}]*)\}")


def formula(source, *_, **__):
    """The MathML element for a fence (called by superfences). A \\tag{...} becomes the number on the right."""
    tag = TAG.search(source)
    number = f'<span class="lab-number">({html.escape(tag[1])})</span>' if tag else ""
    made = convert(TAG.sub("", source).strip(), display="block")
    if "<mi>\\" in made:  # the converter shows unknown LaTeX commands unchanged
        raise ValueError(f"formula that cannot be shown: {source.strip()}")
    for worse, better in BETTER:
        made = made.replace(worse, better)
    return f'<div class="lab-formula">{made}{number}</div>'


HERE = Path(__file__).resolve().parent
ASSETS = {"site.css": "assets/site.css", "iframe-worker.js": "assets/iframe-worker.js"}
SCHEMES = (
    ("(prefers-color-scheme: light)", "default", "weather-night", "dark"),
    ("(prefers-color-scheme: dark)", "slate", "weather-sunny", "light"),
)
EXTENSIONS = {
    "admonition": {},
    "attr_list": {},
    "md_in_html": {},
    "tables": {},
    "toc": {
        "permalink": True,
        "slugify": slugify(case="lower"),
        "toc_depth": 3,
    },  # same anchors as the repository
    "pymdownx.highlight": {"pygments_lang_class": True},
    "pymdownx.inlinehilite": {},
    "pymdownx.superfences": {
        "custom_fences": [{"name": "math", "class": "math", "format": formula}]
    },
}


def theme():
    palette = [
        {
            "media": media,
            "scheme": scheme,
            "primary": "indigo",
            "accent": "indigo",
            "toggle": {"icon": f"material/{icon}", "name": f"switch to {other}"},
        }
        for media, scheme, icon, other in SCHEMES
    ]
    return {
        "name": "material",
        "font": False,
        "palette": palette,
        "icon": {"logo": "material/orbit"},
        "features": [
            "navigation.tabs",
            "navigation.sections",
            "navigation.top",
            "search.highlight",
            "toc.follow",
        ],
    }


def configuration(source, site, sections, students):
    """The MkDocs configuration. Fonts and scripts are files of the site: nothing is loaded from the network."""
    return load_config(
        io.StringIO("{}"),
        config_file_path=str(source.parent / "mkdocs.yml"),
        strict=True,
        site_name="N-body performance lab" + (", for students" if students else ""),
        docs_dir=str(source),
        site_dir=str(site),
        nav=mkdocs_nav(sections),
        use_directory_urls=False,
        theme=theme(),
        plugins=["search", "offline"],
        extra_css=[ASSETS["site.css"]],
        extra={"polyfills": [ASSETS["iframe-worker.js"]], "generator": False},
        markdown_extensions=[{name: options} for name, options in EXTENSIONS.items()],
        validation={
            "nav": {"omitted_files": "warn", "not_found": "warn"},
            "links": {
                "not_found": "warn",
                "anchors": "warn",
                "absolute_links": "warn",
                "unrecognized_links": "warn",
            },
        },
    )


def build_site(root, source, site, students):
    """True if the site was built into `site`; False if a link is dead, which the log names."""
    logging.getLogger("mkdocs").setLevel(logging.WARNING)
    sections = stage(root, source, students)
    (source / "assets").mkdir()
    for name, path in ASSETS.items():
        shutil.copyfile(HERE / name, source / path)
    try:
        build(configuration(source, site, sections, students))
    except (Abort, ConfigurationError) as fault:
        logging.getLogger("mkdocs").error(fault)
        return False
    return True
