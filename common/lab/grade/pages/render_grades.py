"""Renders the class page and student pages with the style and templates of ./lab report."""

import base64
import hashlib
from pathlib import Path

from bars import bars
from environment import embedded, environment, look, machine_line
from formats import NOTHING, Figure, count, figure, located
from grade.feedback import points_text
from histogram import histogram
from markupsafe import Markup

HERE = Path(__file__).resolve().parent


def points(value):
    """'61.5', as marks are written."""
    if not isinstance(value, Figure):
        return NOTHING
    return Markup('<span class="n" data-json="{}" data-per="1">{}</span>').format(value.path, points_text(float(value)))


def error(value):
    """'1.0e-05': only the magnitude of an error matters."""
    if not isinstance(value, Figure):
        return NOTHING
    return Markup('<span class="n" data-json="{}" data-per="1">{:.1e}</span>').format(value.path, value)


def number(value):
    """A number in a table whose columns are unknown here."""
    return count(value) if float(value).is_integer() else figure(value)


def hash_of(script):
    """The hash that names the only script allowed to run in a page."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


class Templates:
    """The templates, read once for all pages."""

    def __init__(self):
        self.made = environment(HERE)
        self.made.globals.update(points=points, error=error, number=number, bars=bars)
        self.style, self.script = look(HERE / "grades.css"), HERE.joinpath("grades.js").read_text(encoding="utf-8")

    def page(self, template, data, script="", **more):
        return self.made.get_template(template).render(
            page=located(data), data=embedded(data), style=self.style, script=Markup(script),
            allowed_script=Markup(hash_of(script) if script else "'none'"), machine_line=machine_line(data["machine"]), **more)

    def student(self, data):
        return self.page("student.html.j2", data)

    def whole_class(self, data):
        return self.page("class.html.j2", data, self.script, histogram=histogram(data["rows"]))
