"""What pages share: templates that escape what students typed, figures and dates as people write them."""

import re
from datetime import datetime
from pathlib import Path

import jinja2
from markupsafe import Markup

NOTHING = Markup('<span class="none">–</span>')
_GOOD = ("passed", "right", "as expected", "more than expected", "fails as expected", "noted")
_BAD = ("failed", "wrong", "passed, but should fail", "does not compile")


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


def in_digits(value: float, digits: int = 3) -> str:
    """'0.00123', '1.23', '123', '1234': the significant digits, without an exponent."""
    if value == 0:
        return "0"
    rounded = float(f"{value:.{digits - 1}e}")
    power = int(f"{rounded:e}".split("e")[1])
    return f"{rounded if power < digits else value:.{max(digits - 1 - power, 0)}f}"


def in_percent(share: float) -> str:
    """'71', '0.5': whole, but below 1 the first digit."""
    hundreds = 100 * share
    return f"{hundreds:.0f}" if hundreds >= 0.95 or hundreds == 0 else in_digits(hundreds, 1)


def day(text: str) -> str:
    """'22 Nov 2026' of a date in ISO 8601, with the time if there is one."""
    try:
        # Without its zone, which is not shown: Python before 3.11 reads fewer forms of it.
        when = datetime.fromisoformat(re.sub(r"(Z|[+-]\d\d:?\d\d)$", "", text))
    except ValueError:
        return text
    return f"{when:{'%d %b %Y, %H:%M' if 'T' in text else '%d %b %Y'}}".lstrip("0")


def mark_of(verdict: str) -> str:
    """The CSS class for a verdict."""
    verdict = verdict.lower()
    return "good" if verdict in _GOOD else "bad" if verdict.startswith(_BAD) else "open"
