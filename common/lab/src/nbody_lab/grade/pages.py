"""The pages of a class: index.html, and students/NAME.html, which shows nothing of others. They run no scripts."""

from collections.abc import Callable, Mapping
from pathlib import Path

from markupsafe import Markup

from nbody_lab.core.clean_text import harmless
from nbody_lab.core.html import NOTHING, day, in_digits, in_percent, make_environment, mark_of
from nbody_lab.core.whole_file import write_text
from nbody_lab.grade.models import Marks, Record, Results


def points_text(value: float | None) -> str:
    """'61.5', '10'; empty if there are no points."""
    return "" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")


def points_so_far(marks: Marks) -> str:
    """'61.5', '3.6 + ?' as long as something is open, '?' if nothing is graded."""
    open_ones = "" if marks.is_final else " + ?"
    return points_text(marks.points) + open_ones if marks.has_points else "?"


def _if_known(show: Callable[[float], str]) -> Callable[[float | None], str]:
    return lambda value: NOTHING if value is None else show(value)


_HERE = Path(__file__).resolve().parent / "templates"
_ENVIRONMENT = make_environment(_HERE)
_ENVIRONMENT.globals["style"] = Markup((_HERE / "grades.css").read_text(encoding="utf-8"))
_ENVIRONMENT.filters |= {
    "points": _if_known(points_text),
    "so_far": points_so_far,
    "number": _if_known(in_digits),
    "percent": _if_known(lambda value: f"{in_percent(value)} %"),
    "day": day,
    "colour": mark_of,
    "harmless": harmless,
    "file_name": lambda path: path.rpartition("/")[2],  # where it lies concerns nobody
}


def write_pages(out: Path, results: Results, records: Mapping[str, Record]) -> None:
    """Who has flags stands first on the page of the class, then who needs a person otherwise."""
    items: dict[str, dict[str, float]] = {}  # their maximum, by part
    for marks in results.submissions:
        for mark in marks.asked_for:
            items.setdefault(mark.part, {})[mark.item] = mark.maximum
        page = _ENVIRONMENT.get_template("student.html.j2").render(
            results=results, marks=marks, record=records[marks.name]
        )
        write_text(out / "students" / f"{marks.name}.html", page)
    everybody = sorted(results.submissions, key=lambda one: (not one.flags, not one.problems))
    page = _ENVIRONMENT.get_template("class.html.j2").render(
        results=results, everybody=everybody, items=items
    )
    write_text(out / "index.html", page)
