"""What pages share: templates that escape what students typed, and dates as people write them."""

import re
from datetime import datetime
from pathlib import Path

import jinja2
from markupsafe import Markup

NOTHING = Markup('<span class="none">–</span>')


def make_environment(templates: Path) -> jinja2.Environment:
    """A misspelt field is an error."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    made.globals["NOTHING"] = NOTHING
    return made


def day(text: str) -> str:
    """'22 Nov 2026' of a date in ISO 8601, with the time if there is one."""
    try:
        # Without its zone, which is not shown: Python before 3.11 reads fewer forms of it.
        when = datetime.fromisoformat(re.sub(r"(Z|[+-]\d\d:?\d\d)$", "", text))
    except ValueError:
        return text
    return f"{when:{'%d %b %Y, %H:%M' if 'T' in text else '%d %b %Y'}}".lstrip("0")
