"""From data to the pages of a class and of a student: the look of ./lab report, and its templates."""

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
    """'1.0e-05': of errors only their size tells."""
    if not isinstance(value, Figure):
        return NOTHING
    return Markup('<span class="n" data-json="{}" data-per="1">{:.1e}</span>').format(value.path, value)


def number(value):
    """A number of a table whose columns are not known here."""
    return count(value) if float(value).is_integer() else figure(value)


def hash_of(script):
    """By which a page names the only script that may run in it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


class Templates:
    """Read once for all pages."""

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
