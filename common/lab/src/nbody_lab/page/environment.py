"""How numbers, dates and tables look on the page, and its jinja2 templates, which escape everything a student typed.

A number knows its path in the page's JSON, so that a test can compare what is shown with what was measured.
"""

import csv
import io
import json
import re
import urllib.parse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from nbody_lab.core.clean_text import without_formula
from nbody_lab.core.html import (
    NOTHING,
    day,
    in_digits,
    in_percent,
    make_environment,
    mark_of,
    style_of,
)
from nbody_lab.draw import theme

_HERE = Path(__file__).resolve().parent
_UNITS = ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"), (1, "bytes"))


class Figure(float):
    """A number with its path in the data."""

    path = ""


def located(value: Any, path: str = "") -> Any:
    """The same data with Figures for numbers."""
    if isinstance(value, dict):
        return {key: located(one, f"{path}.{key}".lstrip(".")) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [located(one, f"{path}.{k}".lstrip(".")) for k, one in enumerate(value)]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        figure = Figure(value)
        figure.path = path
        return figure
    return value


def marked(value: Any, text: str, per: float = 1.0, unit: str = "") -> Markup:
    """The text of a number, with its place in the data and the unit `per` in which it is shown."""
    if not isinstance(value, Figure):
        return NOTHING
    number = Markup('<span class="n" data-json="{}" data-per="{:.12g}">{}</span>')
    return number.format(value.path, per, text) + (Markup(f"&nbsp;{unit}") if unit else "")


def figure(value: Any, per: float = 1.0, digits: int = 3, unit: str = "") -> Markup:
    """The number in units of `per`."""
    return marked(value, in_digits((value or 0) / per, digits), per, unit)


def count(value: Any) -> Markup:
    """A whole number."""
    return marked(value, f"{value or 0:.0f}")


def percent(value: Any) -> Markup:
    return marked(value, in_percent(value or 0), 0.01, "%")


def times(value: Any) -> Markup:
    """'4.61 x', as in the pictures."""
    return figure(value, unit="×")


def size(value: Any) -> Markup:
    """A memory size in bytes, with its unit."""
    per, unit = next(one for one in _UNITS if (value or 0) >= one[0] or one[0] == 1)
    return marked(value, f"{(value or 0) / per:.4g}", per, unit)


def typed(text: str) -> Markup:
    """Text of a source or document, with `code` in a code font."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def _csv_cell(value: Any) -> Any:
    if isinstance(value, float):
        return f"{value:.10g}"
    return without_formula(value) if isinstance(value, str) else value


def csv_link(rows: Sequence[Mapping[str, Any]]) -> str:
    """A data URL with the table as CSV: what is text or a number in all rows, as in the JSON."""
    names = [
        name
        for name in rows[0]
        if not any(isinstance(row[name], (dict, list, tuple)) for row in rows)
    ]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(names)
    writer.writerows([_csv_cell(row[name]) for name in names] for row in rows)
    return "data:text/csv;charset=utf-8," + urllib.parse.quote(out.getvalue())


def embedded(data: Any) -> Markup:
    """JSON that cannot end a script element, whatever it contains."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)


def machine_line(machine: Mapping[str, Any]) -> str:
    if not machine.get("cpu"):
        return "a machine not yet measured"
    cores = machine.get("cores")
    words = [
        machine["cpu"],
        f"{cores:.0f} core{'' if cores == 1 else 's'}" if cores else "",
        f"{machine['clock_hz'] / 1e9:.2f} GHz" if machine.get("clock_hz") else "",
        machine.get("compiler", ""),
        machine.get("system", ""),
    ]
    return " · ".join(word for word in words if word)


def look() -> Markup:
    """The style sheet, with the colours of the pictures."""
    return style_of(theme.page_sheet(), _HERE / "report.css")


def environment() -> jinja2.Environment:
    """The templates of the page, with what they call."""
    made = make_environment(_HERE)
    shared = (csv_link, count, day, figure, mark_of, percent, size, times, typed)
    made.globals.update({function.__name__: function for function in shared})
    return made
