"""What people decide about a class: points (answers.csv, or any CSV with its columns) and days late. A row names the
submission that it is about."""

import csv
import io
import math
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from nbody_lab.core.clean_text import in_one_line, printable
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import LabModel, parse
from nbody_lab.core.words import nearest, plural
from nbody_lab.grade.models import HandedIn, Lateness, Mark, Marks
from nbody_lab.grade.rubric import Rubric

Number = Annotated[float, Field(ge=0, allow_inf_nan=False)]
# As people write it: 7.5, 7,5 or excused.
Typed = BeforeValidator(lambda text: None if text == "excused" else str(text).replace(",", "."))


class _Row(LabModel):
    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)

    who: str
    where: str = Field(default="", description="FILE, row 3")


class ManualRow(_Row):
    question: str
    points: Annotated[Number, Typed]
    comment: Annotated[str, AfterValidator(in_one_line)] = ""


class LateRow(_Row):
    days: Annotated[Number | None, Typed] = Field(description="None: excused")


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
        row, where = dict(zip(titles, cells)), f"{file}, row {number}"
        if len(cells) > len(titles):
            raise LabError(f"{where}: too many cells: put text with commas into quotation marks")
        if row.get(decides, "").strip():
            row[decides] = row[decides].strip().lower()
            found.append(parse(model, {**row, "where": where}, where))
    return found


def plain(text: str) -> str:
    """The text as two people may both write it: without differences in blanks, capitals and forms of letters."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def named_twice(submissions: Sequence[HandedIn | Marks]) -> dict[str, list[str]]:
    """{author: submissions} of authors in several: which of them counts is for a person to decide."""
    found: dict[str, dict[str, str]] = defaultdict(
        dict
    )  # plain author: {submission: as written there}
    for one in submissions:
        for author in one.authors:
            found[plain(author)].setdefault(one.name, author)
    return {next(iter(names.values())): list(names) for names in found.values() if len(names) > 1}


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
    """The marks with the points given by hand. Raises LabError."""
    called = {plain(mark.title): mark for mark in marks}
    decided: dict[str, ManualRow] = {}
    for row in rows:
        key = plain(row.question)
        if key not in called:
            question = f"'{printable(row.question)}'{nearest(key, called)}"
            raise LabError(f"{row.where}: there is no question {question}")
        if row.points > (most := called[key].maximum):
            raise LabError(f"{row.where}: {row.points:g} points, but there are {most:g} at most")
        before = decided.setdefault(key, row)
        if before.points != row.points:
            raise LabError(f"{row.where}: {before.where} gives {before.points:g} points: keep one")
    return [_decide(mark, decided[key]) if key in decided else mark for key, mark in called.items()]


def _decide(mark: Mark, row: ManualRow) -> Mark:
    """Points for a part that was not asked for wait: the maximum of the class is without it."""
    new: dict[str, Any] = {"by_hand": row.points, "comment": row.comment}
    if mark.state != "not asked for (--part)":
        why = f"{row.points:g} of {mark.maximum:g} by hand" + (row.comment and f": {row.comment}")
        why += "" if mark.is_question else f" (before: {mark.why})"
        new |= {"points": row.points, "state": "graded", "why": why}
    return Mark.model_validate(mark.model_dump() | new)


def judge_lateness(
    points: float, submitted: str, rows: Sequence[LateRow], rubric: Rubric
) -> Lateness:
    """What is taken off for each day begun after the deadline, and why. `submitted`: a time without a zone is in the
    deadline's zone; `rows`: of --late, which are above that time. Raises LabError."""
    end = rubric.deadline
    if rows:
        if len({row.days for row in rows}) > 1:
            raise LabError(f"{rows[1].where}: {rows[0].where} says something else: keep one")
        if rows[0].days is None:
            return Lateness(why="excused")
        days, words = rows[0].days, "as --late says"
    elif end is None:
        return Lateness()
    else:
        try:
            at = datetime.fromisoformat(submitted)
        except ValueError:
            return Lateness(is_known=False, why="the time of submission is unknown")
        late = (at if at.tzinfo else at.replace(tzinfo=end.tzinfo)) - end
        days = math.ceil(max(late, timedelta(0)) / timedelta(days=1))
        words = f"handed in {submitted}, the deadline was {end.isoformat()}"
    if not days:
        return Lateness()
    free, percent = rubric.late.free_days, rubric.late.per_day_percent
    share = min(1, max(0, days - free) * percent / 100)
    without = f", {plural(free, 'day')} free" if free else ""
    why = f"{plural(days, 'day')} late{without}, {percent:g} % a day: {words}"
    return Lateness(days=days, taken_off=round(share * points, 2), why=why)
