"""What people decide about a class: points (answers.csv, or any CSV with its columns) and days late. A row names the
submission that it is about."""

import csv
import io
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from nbody_lab.core.clean_text import in_one_line, printable
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import LabModel, parse
from nbody_lab.core.words import nearest, plural
from nbody_lab.grade.models import HandedIn, Lateness, Mark
from nbody_lab.grade.rubric import Rubric

# As people write it: 7.5 or 7,5.
Points = Annotated[
    float,
    Field(ge=0, allow_inf_nan=False),
    BeforeValidator(lambda text: str(text).replace(",", ".")),
]


class _Row(LabModel):
    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)

    who: str
    where: str = Field(default="", description="FILE, row 3")


class ManualRow(_Row):
    question: str
    points: Points
    comment: Annotated[str, AfterValidator(in_one_line)] = ""


class LateRow(_Row):
    days: int = Field(ge=0, description="begun after the deadline; 0: excused")


Decision = TypeVar("Decision", ManualRow, LateRow)


def read_table(file: Path) -> list[list[str]]:
    """The rows of a CSV file as spreadsheets save it in any country: with commas, semicolons or tabs, perhaps with a byte
    order mark. Raises LabError."""
    csv.field_size_limit(10**7)  # characters; feedback in Moodle's worksheet may be long
    try:
        text = file.read_text(encoding="utf-8-sig")
        separator = max(",;\t", key=text.partition("\n")[0].count)
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise LabError(f"{file}: {error}: give a CSV file in UTF-8") from error


def read_decisions(model: type[Decision], file: Path) -> list[Decision]:
    """The rows that decide something: a form may be half filled in. Raises LabError."""
    head, *rows = read_table(file) or [[]]
    titles = [title.strip().lower() for title in head]
    decides = "points" if model is ManualRow else "days"
    if decides not in titles:
        raise LabError(f"{file}: there is no column {decides}")
    found = []
    for number, cells in enumerate(rows, 2):
        row = {**dict(zip(titles, cells)), "where": f"{file}, row {number}"}
        if len(cells) > len(titles):
            raise LabError(f"{row['where']}: too many cells: put quotation marks around commas")
        if row.get(decides, "").strip():
            found.append(parse(model, row, row["where"]))
    return found


def plain(text: str) -> str:
    """The text as two people may both write it: without differences in blanks, capitals and forms of letters."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def by_submission(
    rows: Iterable[Decision], submissions: Sequence[HandedIn]
) -> dict[str, list[Decision]]:
    """Raises LabError for a row about nobody."""
    found: dict[str, list[Decision]] = {one.name: [] for one in submissions}
    for row in rows:
        if row.who not in found:
            who = f"'{printable(row.who)}'"
            raise LabError(f"{row.where}: no submission is called {who}{nearest(row.who, found)}")
        found[row.who].append(row)
    return found


def give_points(marks: Sequence[Mark], rows: Iterable[ManualRow]) -> list[Mark]:
    """The marks with the points given by hand; those for a part that was not asked for wait. Raises LabError."""
    called = {plain(mark.title): mark for mark in marks}
    for row in rows:
        mark = called.get(key := plain(row.question))
        if mark is None:
            question = f"'{printable(row.question)}'{nearest(key, called)}"
            raise LabError(f"{row.where}: there is no question {question}")
        points, most = f"{row.points:g}", f"{mark.maximum:g}"
        if row.points > mark.maximum:
            raise LabError(f"{row.where}: {points} points, but there are {most} at most")
        if mark.by_hand not in (None, row.points):
            raise LabError(f"{row.where}: another row gives {mark.by_hand:g} points: keep one")
        if mark.by_hand is None:
            new: dict[str, object] = {"by_hand": row.points, "comment": row.comment}
            if mark.state != "not asked for (--part)":
                why = f"{points} of {most} by hand" + (row.comment and f": {row.comment}")
                why += "" if mark.asked else f" (before: {mark.why})"
                new |= {"points": row.points, "state": "graded", "why": why}
            called[key] = mark.model_copy(update=new)
    return list(called.values())


def judge_lateness(points: float, rows: Sequence[LateRow], rubric: Rubric) -> Lateness:
    """What is taken off for each day, and why. `rows`: of --late. Raises LabError."""
    if not rows or not rows[0].days:
        return Lateness()
    days, percent = rows[0].days, rubric.late.per_day_percent
    if any(row.days != days for row in rows):
        raise LabError(f"{rows[1].where}: {rows[0].where} says something else: keep one")
    taken_off = round(min(1, days * percent / 100) * points, 2)
    why = f"{plural(days, 'day')} late, {percent:g} % a day"
    return Lateness(days=days, taken_off=taken_off, why=why)
