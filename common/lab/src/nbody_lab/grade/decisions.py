"""What people decide: manual.csv (points given by hand) and late.csv, as they save them in a spreadsheet."""

import csv
import io
import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import zip_longest
from pathlib import Path
from typing import Literal, TypeVar

from nbody_lab.core.clean_text import printable, shown
from nbody_lab.core.errors import LabError
from nbody_lab.core.words import nearest, plural
from nbody_lab.grade.models import HandedIn, Lateness, Mark, Marks
from nbody_lab.grade.rubric import Rubric, parse_moment, read_named


@dataclass(frozen=True)
class ManualRow:
    who: str
    question: str
    points: float
    comment: str = ""
    where: str = ""  # FILE:LINE


@dataclass(frozen=True)
class LateRow:
    who: str
    days: float | Literal["excused"]
    where: str = ""


Who = HandedIn | Marks  # a submission, with its name, authors and number
_Decided = TypeVar("_Decided", ManualRow, LateRow)


# --- reading: semicolons, tabs, byte order marks, old encodings, decimal commas ---


def decode(content: bytes) -> str:
    """Windows spreadsheets write UTF-16 as "Unicode text", and their own code page as plain CSV."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def parse_number(word: str) -> float | None:
    """The number in 7.5 or 7,5."""
    if not re.fullmatch(r"[-+]?(\d+([.,]\d*)?|[.,]\d+)", word):
        return None
    value = float(word.replace(",", "."))
    return value if math.isfinite(value) else None


def _require_number(word: str, of: str, such_as: str) -> float:
    value = parse_number(word)
    if value is None or value < 0:
        raise LabError(f"'{printable(word)}' is not a number of {of}: write {such_as}")
    return value


def _titles_in(cells: Sequence[str], columns: Mapping[str, bool]) -> list[str]:
    titles = [cell.lower() for cell in cells]
    while not titles[-1]:
        titles.pop()
    for title in titles:
        if title not in columns:
            raise LabError(
                f"there is no column '{printable(title)}'{nearest(title, columns)}; "
                f"the columns are {', '.join(columns)}"
            )
    missing = [name for name, needed in columns.items() if needed and name not in titles]
    if missing or len(set(titles)) < len(titles):
        what = (
            f"the column {missing[0]} is missing" if missing else "two columns have the same name"
        )
        raise LabError(f"{what}; the first line must name the columns {', '.join(columns)}")
    return titles


def _row_of(titles: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    if any(cells[len(titles) :]):
        raise LabError(
            f"it has {len(cells)} cells, but there are {len(titles)} columns: "
            "put text with commas into quotation marks"
        )
    row = dict(zip_longest(titles, cells[: len(titles)], fillvalue=""))
    if not row["who"]:
        raise LabError("the name is missing")
    return row


def _read_table(
    file: Path,
    columns: Mapping[str, bool],
    decides: str,
    row_of: Callable[[Mapping[str, str], str], _Decided],
) -> list[_Decided]:
    """The rows in which the column `decides` is filled. `columns`: which are required? Raises LabError: FILE:LINE: what is
    wrong."""
    text = decode(read_named(file))
    separator = max(",;\t", key=text.split("\n", 1)[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    titles: list[str] = []
    found: list[_Decided] = []
    line = 1
    try:
        for raw in reader:
            cells = [cell.strip() for cell in raw]
            if any(cells) and not titles:
                titles = _titles_in(cells, columns)
            elif any(cells):
                row = _row_of(titles, cells)
                found += [row_of(row, f"{shown(file)}:{line}")] if row[decides] else []
            line = reader.line_num + 1
    except csv.Error as fault:
        raise LabError(f"{shown(file)}:{line}: {fault}: correct the line") from fault
    except LabError as fault:
        raise LabError(f"{shown(file)}:{line}: {fault}") from fault
    return found


def read_manual(file: Path) -> list[ManualRow]:
    """Rows without points are not marked yet. Raises LabError."""

    def row_of(row: Mapping[str, str], where: str) -> ManualRow:
        points = _require_number(row["points"], "points", "7 or 7.5")
        if not row["question"]:
            raise LabError("the question is missing")
        return ManualRow(row["who"], row["question"], points, row.get("comment", ""), where)

    columns = {"who": True, "question": True, "points": True, "comment": False}
    return _read_table(file, columns, "points", row_of)


def read_late(file: Path) -> list[LateRow]:
    """Raises LabError."""

    def row_of(row: Mapping[str, str], where: str) -> LateRow:
        if row["days"].lower() == "excused":
            return LateRow(row["who"], "excused", where)
        return LateRow(row["who"], _require_number(row["days"], "days", "one, or excused"), where)

    return _read_table(file, {"who": True, "days": True}, "days", row_of)


# --- the submission that a row means ---


def plain(text: str) -> str:
    """The text as two people may both write it: without differences in blanks, capitals and forms of letters."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def named_twice(submissions: Sequence[Who]) -> dict[str, list[str]]:
    """{author: submissions} of authors in several: which of them counts is for a person to decide."""
    names: dict[str, str] = {}
    found = defaultdict(list)
    for one in submissions:
        for key, author in {plain(author): author for author in one.authors}.items():
            names.setdefault(key, author)
            found[key].append(one.name)
    return {names[key]: where for key, where in found.items() if len(where) > 1}


def _words_for(one: Who) -> list[str]:
    return [word for word in (one.name, one.student_id, *one.authors) if word]


def _meant_by(who: str, submissions: Sequence[Who]) -> list[str]:
    return sorted({one.name for one in submissions if plain(who) in map(plain, _words_for(one))})


def without_removed(
    rows: Sequence[_Decided], submissions: Sequence[Who], removed: Sequence[Who]
) -> tuple[list[_Decided], list[str]]:
    """Without rows about `removed`, which were in the class, and a line for each of those rows."""
    gone = [
        row for row in rows if not _meant_by(row.who, submissions) and _meant_by(row.who, removed)
    ]
    return [row for row in rows if row not in gone], [
        f"{row.where}: '{printable(row.who)}' is no longer in the class: this line is not used"
        for row in gone
    ]


def find_submission(row: ManualRow | LateRow, submissions: Sequence[Who]) -> str:
    found = _meant_by(row.who, submissions)
    who = printable(row.who)
    if not found:
        close = nearest(row.who, [word for one in submissions for word in _words_for(one)])
        raise LabError(f"{row.where}: no student is called '{who}'{printable(close or '')}")
    if len(found) > 1:
        raise LabError(f"{row.where}: '{who}' is in {' and in '.join(found)}: say which")
    return found[0]


def _value(row: ManualRow | LateRow) -> str:
    if isinstance(row, ManualRow):
        return f"{row.points:g} points"
    return "excused" if row.days == "excused" else plural(row.days, "day")


def _contradiction(what: str, row: ManualRow | LateRow, before: ManualRow | LateRow) -> str:
    return (
        f"{row.where}: {what} has {_value(row)} here and {_value(before)} in {before.where}: "
        "keep one of them"
    )


def rows_by_submission(
    rows: Sequence[_Decided], submissions: Sequence[Who]
) -> dict[str, dict[str, _Decided]]:
    """{name: {question: row}}. Equal duplicates are fine. Raises LabError for contradictions."""
    found: dict[str, dict[str, _Decided]] = {one.name: {} for one in submissions}
    for row in rows:
        name = find_submission(row, submissions)
        key = plain(row.question) if isinstance(row, ManualRow) else ""
        before = found[name].setdefault(key, row)
        if _value(before) != _value(row):
            raise LabError(_contradiction(name, row, before))
    return found


# --- points by hand ---


def _marks_called(marks: Sequence[Mark]) -> dict[str, list[Mark]]:
    """By part and item, `part1: speed, 1 thread`, and by the item alone, which several parts may have."""
    found: dict[str, list[Mark]] = defaultdict(list)
    for mark in marks:
        found[plain(f"{mark.part}: {mark.item}")].append(mark)
        found[plain(mark.item)].append(mark)
    return found


def _decide(mark: Mark, row: ManualRow) -> Mark:
    """The points wait if the part was not asked for, because the class maximum excludes it too."""
    given = f"{row.points:g} of {mark.maximum:g} by hand"
    if mark.state == "not asked for (--part)":
        return mark.model_copy(update={"why": f"{mark.why}; {given} pending"})
    comment = f": {' '.join(row.comment.split())}" if row.comment else ""
    before = f" (before: {mark.why})" if mark.state != "for a person" else ""
    decided = {"points": row.points, "state": "graded", "why": f"{given}{comment}{before}"}
    return Mark.model_validate(mark.model_dump() | decided)


def apply_manual(marks: Sequence[Mark], rows: Mapping[str, ManualRow]) -> list[Mark]:
    """The marks with points given by hand. Raises LabError for an unknown question or too many points."""
    called = _marks_called(marks)
    decided: dict[tuple[str, str], ManualRow] = {}
    for key, row in rows.items():
        question = printable(row.question)
        if key not in called:
            there = "; there are " + ", ".join(dict.fromkeys(mark.item for mark in marks))
            spelled = {plain(mark.item): mark.item for mark in marks}
            close = nearest(key, called, spelled) or there
            raise LabError(f"{row.where}: there is no question '{question}'{close}")
        if len(called[key]) > 1:
            parts = " and in ".join(mark.part for mark in called[key])
            names = " or ".join(f"'{mark.part}: {mark.item}'" for mark in called[key])
            raise LabError(f"{row.where}: '{question}' is in {parts}: write {names}")
        (mark,) = called[key]
        if row.points > mark.maximum:
            raise LabError(
                f"{row.where}: {row.points:g} points, but there are {mark.maximum:g} at most "
                f"for '{mark.item}'"
            )
        before = decided.setdefault(mark.key, row)
        if before.points != row.points:
            raise LabError(_contradiction(f"'{mark.item}'", row, before))
    return [_decide(mark, decided[mark.key]) if mark.key in decided else mark for mark in marks]


# --- days late, and the points they cost ---

UNKNOWN_TIME = "the time of submission is unknown"


def days_after(deadline: str, submitted: str) -> tuple[int, str]:
    """Days begun after the deadline, and why. A time without a zone is in the deadline's zone."""
    end, at = parse_moment(deadline), parse_moment(submitted)
    if end is None:
        return 0, ""
    if at is None:
        return 0, UNKNOWN_TIME
    if at.tzinfo is None:
        at = at.replace(tzinfo=end.tzinfo)
    days = math.ceil(max(at - end, timedelta(0)) / timedelta(days=1))
    if not days:
        return 0, ""
    return days, (
        f"handed in {at.astimezone(end.tzinfo):%Y-%m-%d %H:%M %z}, "
        f"the deadline was {end:%Y-%m-%d %H:%M %z}"
    )


def judge_lateness(points: float, submitted: str, row: LateRow | None, rubric: Rubric) -> Lateness:
    """What is taken off, and why. `row`: of late.csv, which is above the time of submission."""
    if row and row.days == "excused":
        return Lateness(why="excused")
    if row:
        days, words = float(row.days), "as late.csv says"
    else:
        days, words = days_after(rubric.deadline, submitted)
    if not days:
        return Lateness(why="" if row else words)
    free, percent = rubric.late.free_days, rubric.late.per_day_percent
    share = min(1, max(0, days - free) * percent / 100)
    without = f", {plural(free, 'day')} free" if free else ""
    return Lateness(
        days=days,
        taken_off=round(share * points, 2),
        why=f"{plural(days, 'day')} late{without}, {percent:g} % a day: {words}",
    )
