"""The marks of a submission in words, and as cells of tables."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from nbody_lab.core.clean_text import in_one_line, without_formula
from nbody_lab.core.words import plural
from nbody_lab.grade.models import Mark, Marks


def points_text(value: float | None) -> str:
    """'61.5', '10'; empty if there are no points."""
    return "" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")


def points_so_far(marks: Marks) -> str:
    """'61.5', '3.6 + ?' as long as something is open, '?' if nothing is graded."""
    if not marks.has_points:
        return "?"
    return points_text(marks.points) + ("" if marks.is_final else " + ?")


def item_title(mark: Mark) -> str:
    return f"{mark.part}, {in_one_line(mark.item, 120)}"


def _item_line(mark: Mark) -> str:
    """'part1, speed, 1 thread: 5 of 10. Why.'"""
    points: str = mark.state
    if mark.points is not None:
        points = f"{points_text(mark.points)} of {points_text(mark.maximum)}"
    why = in_one_line(mark.why)
    if not set("./") & set(why.split(" ")[0]):  # it does not begin with a name
        why = f"{why[:1].upper()}{why[1:]}"
    return f"{item_title(mark)}: {points}. {why}"


def total_line(marks: Marks) -> str:
    total = f"{points_so_far(marks)} of {points_text(marks.maximum)} points."
    if marks.to_decide:
        total += f" A person still decides on {points_text(marks.to_decide)}."
    return total


def late_line(marks: Marks) -> str | None:
    late = marks.late
    if not late.days:
        return None
    taken = f"Late by {plural(late.days, 'day')}: {points_text(late.taken_off)}"
    return in_one_line(f"{taken} points taken off. {late.why}")


def feedback_lines(marks: Marks) -> Iterator[str]:
    """All lines for the student; flags are for the instructor only."""
    yield total_line(marks)
    if late := late_line(marks):
        yield late
    yield from map(_item_line, marks.asked_for)


# --- CSV tables that are harmless in a spreadsheet ---

BOM = "\ufeff"  # tells Excel that the file is UTF-8


def neutralise(text: str) -> str:
    """The text on one line, with no formula in it."""
    return without_formula(in_one_line(text))


def csv_text(rows: Iterable[Sequence[str | float | None]], bom: bool = False) -> str:
    """RFC 4180. Numbers stay numbers, with as many digits as points have."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerows(
        [neutralise(cell) if isinstance(cell, str) else points_text(cell) for cell in row]
        for row in rows
    )
    return (BOM if bom else "") + out.getvalue()
