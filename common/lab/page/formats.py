"""How numbers, dates and tables look on a page. A number knows its path in the page's JSON, so that a test can compare
what is shown with what was measured."""

import csv
import datetime
import io
import urllib.parse

from markupsafe import Markup

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
        value.path, per, text, Markup(f"&nbsp;{unit}") if unit else "")


def count(value):
    """A whole number."""
    if not isinstance(value, Figure):
        return NOTHING
    return Markup('<span class="n" data-json="{}" data-per="1">{:.0f}</span>').format(value.path, value)


def percent(value):
    if not isinstance(value, Figure):
        return NOTHING
    return Markup('<span class="n" data-json="{}" data-per="0.01">{}</span>&nbsp;%').format(
        value.path, f"{100 * value:.0f}" if value >= 0.0095 or value == 0 else in_digits(100 * value, 1))


def times(value):
    """'4.61 x', as in the pictures."""
    return figure(value, 1.0, 3, "×")


UNITS = ((2 ** 30, "GiB"), (2 ** 20, "MiB"), (2 ** 10, "KiB"))


def size(value):
    """A memory size in bytes, with its unit."""
    if not isinstance(value, Figure):
        return NOTHING
    per, unit = next(((per, unit) for per, unit in UNITS if value >= per), (1, "bytes"))
    return Markup('<span class="n" data-json="{}" data-per="{}">{:.4g}</span>&nbsp;{}').format(value.path, per, value / per, unit)


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
