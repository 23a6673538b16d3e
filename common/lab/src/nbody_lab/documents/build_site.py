"""Builds the site with MkDocs from the folder that stage.py fills. A dead link or anchor is an error."""

import html
import io
import logging
import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

os.environ["NO_MKDOCS_2_WARNING"] = "true"  # the versions are pinned
from latex2mathml.converter import convert
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort, ConfigurationError
from pymdownx.slugs import slugify  # type: ignore[import-untyped]

from nbody_lab.documents.navigation import Section, mkdocs_nav
from nbody_lab.documents.stage import stage

_HERE = Path(__file__).resolve().parent
_ASSETS = {"site.css": "assets/site.css", "iframe-worker.js": "assets/iframe-worker.js"}

# --- formulas in ```math fences become MathML, which browsers draw without a script ---------------

_TAG = re.compile(r"\\tag\{([^{}]*)\}")
# Bars keep close to what they enclose, and a dot is an operator.
_BETTER = (
    ('<mo stretchy="false">&#x0007C;</mo>', '<mo stretchy="false" lspace="0" rspace="0">|</mo>'),
    ("<mi>&#x000B7;</mi>", "<mo>&#x000B7;</mo>"),
)


def formula(source: str, *_: Any, **__: Any) -> str:
    """The MathML element for a fence (called by superfences). A \\tag{...} becomes the number on the right."""
    tag = _TAG.search(source)
    number = f'<span class="lab-number">({html.escape(tag[1])})</span>' if tag else ""
    element = convert(_TAG.sub("", source).strip(), display="block")
    if "<mi>\\" in element:  # the converter shows unknown LaTeX commands unchanged
        raise ValueError(f"formula that cannot be shown: {source.strip()}")
    for worse, better in _BETTER:
        element = element.replace(worse, better)
    return f'<div class="lab-formula">{element}{number}</div>'


# --- the configuration of MkDocs -----------------------------------------------------------------

_EXTENSIONS: dict[str, dict[str, Any]] = {
    "admonition": {},
    "attr_list": {},
    "md_in_html": {},
    "tables": {},
    # The same anchors as in the repository.
    "toc": {"permalink": True, "slugify": slugify(case="lower"), "toc_depth": 3},
    "pymdownx.highlight": {"pygments_lang_class": True},
    "pymdownx.inlinehilite": {},
    "pymdownx.superfences": {
        "custom_fences": [{"name": "math", "class": "math", "format": formula}]
    },
}
_FEATURES = [
    "navigation.tabs",
    "navigation.sections",
    "navigation.top",
    "search.highlight",
    "toc.follow",
]
_LINKS = ("not_found", "anchors", "absolute_links", "unrecognized_links")


def _colours(prefers: str, scheme: str, icon: str, other: str) -> dict[str, Any]:
    return {
        "media": f"(prefers-color-scheme: {prefers})",
        "scheme": scheme,
        "primary": "indigo",
        "accent": "indigo",
        "toggle": {"icon": f"material/{icon}", "name": f"switch to {other}"},
    }


def _theme() -> dict[str, Any]:
    return {
        "name": "material",
        "font": False,
        "palette": [
            _colours("light", "default", "weather-night", "dark"),
            _colours("dark", "slate", "weather-sunny", "light"),
        ],
        "icon": {"logo": "material/orbit"},
        "features": _FEATURES,
    }


def _configure(source: Path, site: Path, sections: Sequence[Section], for_students: bool) -> Any:
    """Fonts and scripts are files of the site: nothing is loaded from the network."""
    return load_config(
        io.StringIO("{}"),
        config_file_path=str(source.parent / "mkdocs.yml"),
        strict=True,
        site_name="N-body performance lab" + (", for students" if for_students else ""),
        docs_dir=str(source),
        site_dir=str(site),
        nav=mkdocs_nav(sections),
        use_directory_urls=False,
        theme=_theme(),
        plugins=["search", "offline"],
        extra_css=[_ASSETS["site.css"]],
        extra={"polyfills": [_ASSETS["iframe-worker.js"]], "generator": False},
        markdown_extensions=[{name: options} for name, options in _EXTENSIONS.items()],
        validation={
            "nav": {"omitted_files": "warn", "not_found": "warn"},
            "links": dict.fromkeys(_LINKS, "warn"),
        },
    )


def build_site(root: Path, source: Path, site: Path, for_students: bool) -> bool:
    """True if the site was built into `site`; False if a link is dead, which the log names."""
    logging.getLogger("mkdocs").setLevel(logging.WARNING)
    sections = stage(root, source, for_students)
    (source / "assets").mkdir()
    for name, path in _ASSETS.items():
        shutil.copyfile(_HERE / name, source / path)
    try:
        build(_configure(source, site, sections, for_students))
    except (Abort, ConfigurationError) as error:
        logging.getLogger("mkdocs").error(error)
        return False
    return True
