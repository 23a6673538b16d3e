"""What all pages share: jinja2 templates that escape everything a student typed."""

import json
from pathlib import Path

import jinja2
import theme
from formats import NOTHING, count, csv_link, day, figure, percent, size, times
from markupsafe import Markup

HERE = Path(__file__).resolve().parent
GOOD = ("passed", "right", "as expected", "more than expected", "fails as expected", "noted")
BAD = ("failed", "wrong", "passed, but should fail", "flagged", "does not compile")


def mark_of(verdict):
    """The CSS class for a verdict."""
    verdict = verdict.lower()
    return "good" if verdict in GOOD else "bad" if verdict.startswith(BAD) else "open"


def embedded(data):
    """JSON that cannot end a script element, whatever it contains."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)


def machine_line(machine):
    if not machine.get("cpu"):
        return "a machine not yet measured"
    cores = machine.get("cores")
    words = [machine["cpu"], f"{cores:.0f} core{'' if cores == 1 else 's'}" if cores else "",
             f"{machine['clock_hz'] / 1e9:.2f} GHz" if machine.get("clock_hz") else "", machine.get("compiler", ""), machine.get("system", "")]
    return " · ".join(word for word in words if word)


def look(*files):
    """The style sheet: colours of the pictures, the common style, and these files."""
    return Markup("\n".join([theme.page_sheet(), *(file.read_text(encoding="utf-8") for file in (HERE / "report.css", *files))]))


def environment(*folders):
    """The jinja2 environment. `folders`: further template folders."""
    made = jinja2.Environment(loader=jinja2.FileSystemLoader([*folders, HERE]), autoescape=True, trim_blocks=True, lstrip_blocks=True,
                              undefined=jinja2.ChainableUndefined)
    made.globals.update(csv_link=csv_link, count=count, day=day, figure=figure, percent=percent, size=size, times=times, NOTHING=NOTHING,
                        mark_of=mark_of)
    return made
