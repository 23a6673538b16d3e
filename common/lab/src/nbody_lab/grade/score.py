"""Measured records, a rubric and what people decided become marks: each item has points, or the reason why it has none.
Runs nothing. What could not be graded never has zero points."""

import csv
import fnmatch
import io
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Annotated, NamedTuple, TypeVar

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from nbody_lab import ROOT
from nbody_lab.core.clean_text import in_one_line, printable
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import LabModel, parse
from nbody_lab.core.words import nearest, plural
from nbody_lab.grade.course import code_of
from nbody_lab.grade.intake import person, submissions_of
from nbody_lab.grade.models import (
    HandedIn,
    Lateness,
    Mark,
    Marks,
    MarkState,
    Outcome,
    PartRecord,
    Problem,
    Record,
    Results,
    Row,
    Speed,
)
from nbody_lab.grade.rubric import PartRule, Rubric, SpeedRule
from nbody_lab.tasks.sheet import State

# --- what people decide: points (answers.csv, or any CSV with its columns) and days late; a row names its submission ---

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
    except OSError as error:
        raise LabError(f"{file}: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
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
            near = nearest(row.question, (one.title for one in marks))
            question = f"'{printable(row.question)}'{near}"
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


# --- what was measured ---


def round_points(points: float) -> float:
    return round(points + 1e-9, 2)


def quote(text: str) -> str:
    """A student's or compiler's words on one line."""
    return in_one_line(text, 400)


class Item(NamedTuple):
    """What the rubric gives points for in a part."""

    part: str
    name: str
    maximum: float

    def mark(self, got: float | MarkState, why: str) -> Mark:
        """`got`: points, or why there are none."""
        part, item, most = self
        if isinstance(got, str):
            return Mark(part=part, item=item, points=None, maximum=most, state=got, why=why)
        return Mark(part=part, item=item, points=round_points(got), maximum=most, why=why)


def _explain(name: str, part: PartRecord) -> str:
    """What was found of the best row."""
    if (best := part.best) is None:
        return "no mine*.hpp that counts was handed in"
    check = best.check
    if best.outcome is Outcome.RIGHT:
        worst = 100 * (check.worst_share_of_limit or 0)
        text = f"all {check.cases} cases pass, the worst at {worst:.0f} % of its limit"
    elif best.outcome is Outcome.WRONG:
        text = f"{check.failed} of {plural(check.cases, 'case')} wrong: {quote(check.mistake)}"
    elif best.outcome is Outcome.NOT_BUILT:
        error = best.build_problem.strip().partition("\n")[0]  # below it stands the code
        text = f"it does not compile: {quote(error)}"
    elif best.outcome is Outcome.UNTOUCHED:
        text = "the given file, unchanged, or none was handed in"
    else:
        text = ": ".join(filter(None, map(quote, (check.verdict, check.problem))))
    return f"{name}/{quote(best.name)}: {text}"


def _why_not_admitted(part: PartRecord, rule: PartRule) -> str:
    """Of what could be judged here too little is right; '' if the worksheet admits, or need not."""
    if rule.worksheet is None:
        return ""
    needed, left_out = rule.worksheet.admits_from, rule.worksheet.leave_out
    lines = [one for one in part.worksheet.lines if one.points and one.number not in left_out]
    if not lines:
        return quote(part.worksheet.problem) or "the worksheet could not be judged"
    judged = [one for one in lines if one.state not in (State.HIDDEN, State.UNCOUNTED)]
    right = sum(one.points for one in judged if one.state in (State.RIGHT, State.NOTED))
    if right >= needed * (most := sum(one.points for one in judged)):
        return ""
    share = f"{100 * right / most:.0f} % of the worksheet is right"
    return f"not admitted: {share}, {100 * needed:.0f} % are needed"


def _candidate(
    item: Item, row: Row, entry: Speed, rule: SpeedRule
) -> tuple[float, bool, float, Mark]:
    """(the points that a timing may give, whether they are certain, what was measured, its mark)"""
    where, value = f"{item.part}/{quote(row.name)}", getattr(entry, rule.measure)
    if entry.noisy and value is None:
        mark = item.mark("for a person", f"{where}: the machine was too busy to time it")
        return rule.points, False, 0, mark
    if entry.outcome != "right":
        why = f"{where}: not right while it was timed: {quote(entry.verdict)}"
        return 0, True, 0, item.mark(0, why)
    if value is None:
        return 0, False, 0, item.mark("not graded here", f"{where}: it has no {rule.measure}")
    points = rule.points_for(value)
    of = "the solution" if rule.measure == "share_of_solution" else "naive"
    text = f"{where}: {value:.3g} times the speed of {of}"
    if entry.doubt:
        why = f"{text}: {entry.doubt}: not scored, a person should look"
        return points, False, value, item.mark("for a person", why)
    if entry.noisy:
        spread = f" by {100 * entry.spread:.0f} %," if entry.spread else ""
        why = f"{text}: the repeats differ{spread} too much to score; it would give {points:g}"
        return points, False, value, item.mark("for a person", why)
    above = [f"{most:g} points from {begin:g}" for begin, most in rule.bands if value < begin]
    text += f"; {above[0] if above else 'the highest band'}"
    return points, True, value, item.mark(points, text)


def mark_speed(item: Item, part: PartRecord, rule: SpeedRule, cores: int) -> Mark:
    """The best timing of a right row. An uncertain one matters only if it may give more than a certain one. `cores`: what
    "all" threads share."""
    rows = [row for row in part.rows if row.outcome is Outcome.RIGHT]
    if not rows:
        if part.best and part.best.outcome is Outcome.NOT_CHECKED:
            why = f"counts if a person finds the row right: {_explain(item.part, part)}"
            return item.mark("for a person", why)
        return item.mark(0, "no speed points without a version that is right")
    wanted = (rule.threads_of(cores, part.processes), rule.n)
    timed = [
        _candidate(item, row, one, rule)
        for row in rows
        for one in row.speed
        if (one.threads, one.n) == wanted
    ]
    if timed:
        return max(timed, key=lambda one: one[:3])[-1]
    whys = [
        f"{quote(row.name)}: not timed: {quote(row.not_timed)}" for row in rows if row.not_timed
    ]
    if whys:
        return item.mark("for a person", f"{item.part}/{whys[0]}")
    return item.mark("not timed yet", "")


def _explain_problem(problem: Problem) -> str:
    """What failed in the grader itself is in failures/NAME.txt; its paths are nothing for a student's page."""
    text = problem.text.partition(": ")[0] if problem.stage == "grader" else problem.text
    return quote(f"{problem.stage}: {text}")


def mark_part(name: str, record: Record, rule: PartRule) -> list[Mark]:
    missing = PartRecord(state="not graded here", reason=f"{name} was not measured")
    part = record.parts.get(name, missing)
    stops = [one for one in record.problems if one.stage == "unpack" or not record.parts]
    is_lost = stops and all(one.state != "measured" for one in record.parts.values())
    unreadable = _explain_problem(stops[0]) if is_lost else ""
    speeds = {speed.item: speed for speed in rule.speed}
    asked = {one.question: one for one in rule.manual}
    marks: list[Mark] = []
    for item in (Item(name, *one) for one in rule.items()):
        if part.state == "nothing handed in" and not unreadable:
            marks.append(item.mark(0, f"nothing was handed in for {name}"))
        elif question := asked.get(item.name):
            asked_where = "aloud" if question.oral else "in NOTEBOOK.md"
            is_there = question.oral or fnmatch.filter(record.taken, f"{name}_*/NOTEBOOK.md")
            none = unreadable or "no NOTEBOOK.md that could be used was handed in"
            why = f"asked {asked_where}: to be marked by hand" if is_there else none
            mark = item.mark("for a person", why)
            marks.append(mark.model_copy(update={"asked": asked_where}))
        elif unreadable:
            marks.append(item.mark("for a person", unreadable))
        elif part.state == "not graded here":
            marks.append(item.mark("not graded here", quote(part.reason)))
        elif item.name in speeds:
            marks.append(mark_speed(item, part, speeds[item.name], record.machine.cores))
        else:
            outcome = part.best.outcome if part.best else Outcome.UNTOUCHED
            points = item.maximum if outcome is Outcome.RIGHT else 0
            is_open, why = outcome is Outcome.NOT_CHECKED, _explain(name, part)
            marks.append(item.mark("for a person" if is_open else points, why))
    if part.state == "measured" and (why := quote(part.unclear) or _why_not_admitted(part, rule)):
        for k, mark in enumerate(marks):
            if mark.points or (part.unclear and mark.points is not None):
                why_open = f"{why}; else {mark.points:g}: {mark.why}"
                update = {"points": None, "state": "for a person", "why": why_open}
                marks[k] = mark.model_copy(update=update)
    return marks


# --- what a person should look at, whatever the marks are; the strongest first ---


def _flags_of(record: Record, everybody: Sequence[Record]) -> Iterator[str]:
    who = record.submission.name
    for name, part in record.parts.items():
        if part.notebook.problem:
            yield f"{name}: the notebook could not be read: {quote(part.notebook.problem)}"
        for row in part.rows:
            doubts = [entry.doubt for entry in row.speed if entry.doubt]
            # Right where it is checked, wrong where it is timed: it may know which of the two it is.
            if row.outcome is Outcome.RIGHT and any(one.outcome == "wrong" for one in row.speed):
                doubts.insert(0, "WRONG while timed although the check passed")
            if doubts:
                yield f"{name}/{quote(row.name)}: {doubts[0]}: a person should look"
    of_authors = submissions_of(other.submission for other in everybody)
    for author in record.submission.authors:
        if others := [name for name in of_authors.get(person(author), ()) if name != who]:
            yield f"{quote(author)} is an author of {' and '.join(others)} as well"
    first = next((one for one in everybody if one.parts), record)
    if record.parts and record.machine != first.machine:
        cpu = quote(record.machine.cpu)
        yield f"measured on a different machine than the first of the class: {cpu}"


# --- exact copies: evidence for a talk, never a verdict. For more feed OUT/taken to JPlag. A classmate's answers need no
# search: they are wrong for another hypothetical machine.


def _code_in(folder: Path) -> dict[str, str]:
    return {  # capitals hide a copy, too
        file.name: code_of(file).lower()
        for file in sorted([*folder.glob("*.hpp"), *folder.glob("*.cuh")])
        if file.is_file() and not file.is_symlink() and file.name != "worksheet.hpp"
    }


def find_similar(out: Path, names: Collection[str]) -> dict[str, list[str]]:
    """Sentences for the flags of each submission: files that two handed in, if they were not given."""
    flags: dict[str, list[str]] = defaultdict(list)
    for part in sorted(file.parent for file in ROOT.glob("part*_*/questions.py")):
        given, found = set(_code_in(part).values()), defaultdict(list)
        for name in names:
            for file, code in _code_in(out / "taken" / name / part.name).items():
                if code not in given:
                    found[code].append((name, file))
        for copies in found.values():
            for name, file in copies:
                if others := sorted({other for other, _ in copies} - {name}):
                    flags[name].append(f"{part.name}/{file} is a file of {', '.join(others)}, too")
    return flags


def score(
    records: Sequence[Record],
    rubric: Rubric,
    manual: Sequence[ManualRow] = (),
    late: Sequence[LateRow] = (),
    *,
    similar: Mapping[str, Sequence[str]] | None = None,
    parts: Sequence[str] = (),
) -> Results:
    """Open items cost nothing: the points cover only what was graded. `similar`: further flags, by submission; `parts`:
    the requested ones, by default all. Raises LabError for rows that name no student or contradict each other."""
    asked = [name for name in rubric.parts if not parts or name in parts]
    maximum = round_points(sum(rubric.parts[name].points for name in asked))
    records = sorted(records, key=lambda record: record.submission.name)
    submissions = [record.submission for record in records]
    given = by_submission(manual, submissions)
    days = by_submission(late, submissions)
    everybody = []
    for record, one in zip(records, submissions):
        marks = []
        for name, rule in rubric.parts.items():
            items = [Item(name, *item) for item in rule.items()]
            left_out = [item.mark("not asked for (--part)", "") for item in items]
            marks += mark_part(name, record, rule) if name in asked else left_out
        marks = give_points(marks, given[one.name])
        points = round_points(sum(mark.points or 0 for mark in marks))
        lateness = judge_lateness(points, days[one.name], rubric)
        flags = [*_flags_of(record, records), *(similar or {}).get(one.name, ())]
        if one.late and not days[one.name]:
            flags.append("the platform marked it late: --late FILE says how many days")
        everybody.append(
            Marks(
                name=one.name,
                authors=one.authors,
                student_id=one.student_id,
                points=round_points(points - lateness.taken_off),
                maximum=maximum,
                to_decide=round_points(sum(mark.maximum for mark in marks if mark.is_open)),
                late=lateness,
                items=tuple(marks),
                flags=tuple(flags),
                problems=tuple(map(_explain_problem, record.problems)),
            )
        )
    return Results(
        title=rubric.title,
        maximum=maximum,
        date=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        machine=next((one.machine for one in records if one.parts), None),
        submissions=tuple(everybody),
    )
