"""What all pages share: how numbers and dates look, and jinja2 templates that escape everything a student typed."""

import csv
import datetime
import io
import json
import urllib.parse
from pathlib import Path

import jinja2
from markupsafe import Markup

from nbody_lab.draw import theme

# How numbers, dates and tables look on a page. A number knows its path in the page's JSON, so that a test can
# compare what is shown with what was measured.
NOTHING = Markup('<span class="none">–</span>')


class Figure(float):
    """A number with its path in the data."""

    path = ""


def located(value, path=""):
    """The same data with Figures for numbers."""
    if isinstance(value, dict):
        return {key: located(one, f"{path}.{key}" if path else key) for key, one in value.items()}
    if isinstance(value, list):
        return [located(one, f"{path}.{k}" if path else str(k)) for k, one in enumerate(value)]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        figure = Figure(value)
        figure.path = path
        return figure
    return value


def in_digits(value, digits=3):
    """'0.00123', '1.23', '123', '1234': the significant digits, without an exponent."""
    if value == 0:
        return "0"
    rounded = float(f"{value:.{digits - 1}e}")
    power = int(f"{rounded:e}".split("e")[1])
    return f"{rounded if power < digits else value:.{max(digits - 1 - power, 0)}f}"


def figure(value, per=1.0, digits=3, unit=""):
    """The number in units of `per`."""
    if not isinstance(value, Figure):
        return NOTHING
    text = in_digits(value / per, digits)
    return Markup('<span class="n" data-json="{}" data-per="{:g}">{}</span>{}').format(
        value.path, per, text, Markup(f"&nbsp;{unit}") if unit else ""
    )


def count(value):
    """A whole number."""
    if not isinstance(value, Figure):
        return NOTHING
    return Markup('<span class="n" data-json="{}" data-per="1">{:.0f}</span>').format(
        value.path, value
    )


def percent(value):
    if not isinstance(value, Figure):
        return NOTHING
    return Markup('<span class="n" data-json="{}" data-per="0.01">{}</span>&nbsp;%').format(
        value.path,
        f"{100 * value:.0f}" if value >= 0.0095 or value == 0 else in_digits(100 * value, 1),
    )


def times(value):
    """'4.61 x', as in the pictures."""
    return figure(value, 1.0, 3, "×")


UNITS = ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"))


def size(value):
    """A memory size in bytes, with its unit."""
    if not isinstance(value, Figure):
        return NOTHING
    per, unit = next(((per, unit) for per, unit in UNITS if value >= per), (1, "bytes"))
    return Markup('<span class="n" data-json="{}" data-per="{}">{:.4g}</span>&nbsp;{}').format(
        value.path, per, value / per, unit
    )


def day(text):
    """'22 Nov 2026', with the time if there is one."""
    for form, shown in (("%Y-%m-%dT%H:%M:%S%z", "%d %b %Y, %H:%M"), ("%Y-%m-%d", "%d %b %Y")):
        try:
            return f"{datetime.datetime.strptime(text or '', form):{shown}}".lstrip("0")
        except ValueError:
            pass
    return text or ""


def csv_link(columns, rows):
    """A data URL with the table as CSV: the named columns of rows (dicts), as in the JSON."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([shown_in_csv(row.get(column)) for column in columns])
    return "data:text/csv;charset=utf-8," + urllib.parse.quote(out.getvalue())


def shown_in_csv(value):
    if value is None:
        return ""
    return f"{value:.10g}" if isinstance(value, float) else value


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
    words = [
        machine["cpu"],
        f"{cores:.0f} core{'' if cores == 1 else 's'}" if cores else "",
        f"{machine['clock_hz'] / 1e9:.2f} GHz" if machine.get("clock_hz") else "",
        machine.get("compiler", ""),
        machine.get("system", ""),
    ]
    return " · ".join(word for word in words if word)


def look(*files):
    """The style sheet: colours of the pictures, the common style, and these files."""
    return Markup(
        "\n".join(
            [
                theme.page_sheet(),
                *(file.read_text(encoding="utf-8") for file in (HERE / "report.css", *files)),
            ]
        )
    )


def environment(*folders):
    """The jinja2 environment. `folders`: further template folders."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader([*folders, HERE]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.ChainableUndefined,
    )
    made.globals.update(
        csv_link=csv_link,
        count=count,
        day=day,
        figure=figure,
        percent=percent,
        size=size,
        times=times,
        NOTHING=NOTHING,
        mark_of=mark_of,
    )
    return made
