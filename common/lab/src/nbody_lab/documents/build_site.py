"""Builds the site with Sphinx from the folder that stage.py fills. A dead link or anchor is an error."""

import io
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util.console import nocolor
from sphinx.util.docutils import docutils_namespace

from nbody_lab.documents.stage import AS_IS, stage
from nbody_lab.draw import theme

_HERE = Path(__file__).resolve().parent


def _colours(roles: Mapping[str, str], link: str, tint: str) -> dict[str, str]:
    """The theme's variables in the colours of the pictures."""
    chosen = {
        "foreground-primary": roles["ink"],
        "foreground-secondary": roles["soft"],
        "foreground-muted": roles["soft"],
        "foreground-border": roles["quiet"],
        "background-primary": roles["paper"],
        "background-secondary": tint,
        "background-border": roles["grid"],
        "brand-primary": roles["series-3"],
        "brand-content": link,
        "brand-visited": link,
        "code-background": tint,
        "inline-code-background": tint,
        "sidebar-link-text--top-level": roles["ink"],
        "sidebar-item-background--current": roles["paper"],
    }
    return {f"color-{name}": colour for name, colour in chosen.items()}


def _configuration(for_students: bool) -> dict[str, Any]:
    """Fonts and scripts are files of the site: nothing is loaded from the network."""
    return {
        "project": "N-body performance lab" + (", for students" if for_students else ""),
        "extensions": ["myst_parser", "sphinx_copybutton", "nbody_lab.documents.formulas"],
        "myst_fence_as_directive": ["math"],
        "myst_heading_anchors": 4,  # the same as in the repository
        "suppress_warnings": ["myst.header", "misc.highlighting_failure"],
        "html_theme": "furo",
        "html_title": "N-body performance lab",
        "html_logo": str(_HERE / "logo.svg"),
        "html_favicon": str(_HERE / "logo.svg"),
        "html_static_path": [str(_HERE / "site.css")],
        "html_css_files": ["site.css"],
        "html_theme_options": {
            "light_css_variables": _colours(theme.PAPER, "#00639c", "#f5f6f7"),
            "dark_css_variables": _colours(theme.DARK, "#6db8ee", "#1e2227"),
        },
        "html_extra_path": [AS_IS],
        "html_math_renderer": "mathml",
        "html_copy_source": False,
        "html_show_copyright": False,
        "html_show_search_summary": False,  # it would fetch pages, which a browser refuses on disk
        "pygments_style": "a11y-high-contrast-light",
        "copybutton_prompt_text": "$ ",
    }


def build_site(root: Path, source: Path, site: Path, for_students: bool) -> list[str]:
    """Builds the site into `site`, which stays as it was if something is wrong. Returns that, such as dead links: a line
    each."""
    stage(root, source, for_students)
    made = site.with_name(f"{site.name}_made")
    shutil.rmtree(made, ignore_errors=True)
    nocolor()
    said = io.StringIO()
    work = source.with_name(f"{source.name}_work")
    configuration = _configuration(for_students)
    with docutils_namespace():
        application = Sphinx(
            source, None, made, work, "html", configuration, None, warning=said, freshenv=True
        )
        application.build()
    complaints = said.getvalue().replace(f"{source}/", "").splitlines()
    if not complaints:
        shutil.rmtree(site, ignore_errors=True)
        made.rename(site)
    return complaints
