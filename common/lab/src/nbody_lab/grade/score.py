"""The marks of a class, and what to try next, from measurements and people's decisions; runs nothing (docs/grading_formats.md)."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timezone

from nbody_lab.grade.decisions import (
    UNKNOWN_TIME,
    LateRow,
    ManualRow,
    apply_manual,
    judge_lateness,
    named_twice,
    rows_by_submission,
)
from nbody_lab.grade.intake import REQUEST
from nbody_lab.grade.models import (
    Lateness,
    Mark,
    Marks,
    Outcome,
    PartRecord,
    Problem,
    Record,
    Results,
    Row,
    best_row,
)
from nbody_lab.grade.rubric import PartRule, Rubric
from nbody_lab.grade.score_items import (
    NO_ROWS,
    Item,
    mark_correctness,
    mark_notebook,
    mark_speed,
    mark_worksheet,
    quote,
    round_points,
    rows_that_count,
)

# --- a part ---

_MARKED_BY: dict[str, Callable[[Item, PartRecord, PartRule], list[Mark]]] = {
    "correctness": mark_correctness,
    "worksheet": mark_worksheet,
    "notebook": mark_notebook,
}


def _mark_not_asked(name: str, rule: PartRule, asked: Sequence[str]) -> list[Mark]:
    why = f"{' and '.join(asked)} alone {'was' if len(asked) == 1 else 'were'} asked for"
    return [Item(name, *item).ungraded("not asked for (--part)", why) for item in rule.items()]


def _why_unreadable(record: Record) -> str | None:
    """Why nothing in any part can be graded: an unreadable submission does not get zero."""
    problems = [one for one in record.problems if one.stage == "unpack" or not record.parts]
    if not problems or any(part.state == "measured" for part in record.parts.values()):
        return None
    first = problems[0]
    if first.stage == "grader":
        return _explain_problem(first)
    why = quote(first.text)
    return why if first.stage == "measure" else f"the submission could not be read: {why}"


def _mark_automatic(name: str, record: Record, rule: PartRule) -> list[Mark]:
    """A part that cannot run here has no speeds, but its worksheet and notebook are judged."""
    part, unreadable = record.parts.get(name), _why_unreadable(record)
    items = [Item(name, *item) for item in rule.automatic()]
    if unreadable:
        return [item.ungraded("for a person", unreadable) for item in items]
    if part is None:
        return [item.ungraded("not graded here", f"{name} was not measured") for item in items]
    gates = rule.correctness is None or rule.correctness.gates
    speeds = {speed.item: speed for speed in rule.speed}
    not_here = part.state == "not graded here"
    marks = []
    for item in items:
        if not_here and not (item.name in ("worksheet", "notebook") and getattr(part, item.name)):
            why = f"not graded here: {quote(part.reason) or 'no reason given'}"
            marks.append(item.ungraded("not graded here", why))
        elif item.name in speeds:
            marks.append(mark_speed(item, part, speeds[item.name], gates, record.machine.cores))
        else:
            marks += _MARKED_BY[item.name](item, part, rule)
    return marks


def mark_part(name: str, record: Record, rule: PartRule) -> list[Mark]:
    part = record.parts.get(name)
    if part and part.state == "nothing handed in" and not _why_unreadable(record):
        why = f"nothing was handed in for {name}"
        return [Item(name, *item).graded(0, why) for item in rule.items()]
    by_hand = [
        Item(name, *item).ungraded("for a person", "to be marked by hand")
        for item in rule.by_hand()
    ]
    return _mark_automatic(name, record, rule) + by_hand


# --- what a person should look at, whatever the marks are; the strongest first ---

WRONG_WHILE_TIMED = "WRONG while timed although the check passed"
TOO_FAST = "faster than this machine allows"
NO_AUTHOR = "no author is named"
# They concern many and say nothing about what was done: pages list the names together.
SOFT_FLAGS = (NO_AUTHOR, UNKNOWN_TIME, NO_ROWS)


def _rows_wrong_while_timed(record: Record) -> Iterator[str]:
    """Right where it is checked, wrong where it is timed: it may know which of the two it is."""
    for name, part in record.parts.items():
        for row in part.rows:
            is_wrong = any(one.outcome == "wrong" for one in row.speed)
            if is_wrong and row.outcome is Outcome.RIGHT:
                yield f"{name}/{quote(row.name)}: {WRONG_WHILE_TIMED}: a person should read it"


def _rows_too_good(record: Record) -> Iterator[str]:
    """One sentence per row, however many of its times are too good to be true."""
    for name, part in record.parts.items():
        for row in part.rows:
            if any(speed.above_bound for speed in row.speed):
                yield f"{name}/{quote(row.name)}: {TOO_FAST}: a person should look"
            elif doubts := [speed.doubt for speed in row.speed if speed.doubt]:
                yield f"{name}/{quote(row.name)}: {doubts[0]}: a person should look"


def _differences_of_machine(record: Record, rubric: Rubric, first: Record) -> Iterator[str]:
    here, there = (one.machine.model_copy(update={"no_bound": ""}) for one in (record, first))
    cpu = quote(here.cpu)
    if here != there:
        yield f"measured on a different machine than the first of the class: {cpu}"
    if rubric.calibrated_on and rubric.calibrated_on != here.cpu:
        yield f"the bands were calibrated on {rubric.calibrated_on}, this was measured on {cpu}"


def _flags_of(
    record: Record,
    rubric: Rubric,
    everybody: Sequence[Record],
    late: Lateness,
    asked: Sequence[str],
) -> Iterator[str]:
    one = record.submission
    yield from _rows_wrong_while_timed(record)
    yield from _rows_too_good(record)
    for author, where in named_twice([other.submission for other in everybody]).items():
        for other in where if one.name in where else ():
            if other != one.name:
                yield f"{quote(author)} is an author of {other} as well"
    for ignored in record.ignored:
        if REQUEST.fullmatch(ignored.file):
            yield f"asks for a new look: {quote(ignored.file)}"
    yield from _differences_of_machine(record, rubric, everybody[0])
    if one.late and not late.days and late.why != "excused":
        yield (
            "the platform marked it late, but no points were taken off: in late.csv (--late), "
            f"'{one.name},1' means one day, '{one.name},excused' none"
        )
    elif late.why == UNKNOWN_TIME:
        yield UNKNOWN_TIME
    parts = [record.parts.get(name) for name in asked if rubric.parts[name].notebook]
    if any(part and part.state == "measured" and part.has_no_rows for part in parts):
        yield NO_ROWS
    if not one.authors:
        yield NO_AUTHOR


# --- a submission, and the class ---


def _mark_submission(
    record: Record,
    rubric: Rubric,
    everybody: Sequence[Record],
    manual: Mapping[str, ManualRow],
    late_row: LateRow | None,
    asked: Sequence[str],
) -> Marks:
    """Points cover only what was graded: open items cost nothing."""
    marks = [
        mark
        for name, rule in rubric.parts.items()
        for mark in (
            mark_part(name, record, rule) if name in asked else _mark_not_asked(name, rule, asked)
        )
    ]
    marks = apply_manual(marks, manual)
    points = round_points(sum(mark.points or 0 for mark in marks))
    one = record.submission
    late = judge_lateness(points, one.submitted, late_row, rubric)
    return Marks(
        name=one.name,
        authors=one.authors,
        student_id=one.student_id,
        points=round_points(points - late.taken_off),
        maximum=_maximum(rubric, asked),
        to_decide=round_points(sum(mark.maximum for mark in marks if mark.is_open)),
        late=late,
        items=tuple(marks),
        flags=tuple(_flags_of(record, rubric, everybody, late, asked)),
        next=tuple(next_ideas(record, rubric)),
        problems=tuple(map(_explain_problem, record.problems)),
        measured=f"measured/{one.name}.json",
    )


def _explain_problem(problem: Problem) -> str:
    """What failed in the grader itself is in failures/NAME.txt; its paths are nothing for a student's page."""
    text = problem.text.partition(": ")[0] if problem.stage == "grader" else problem.text
    return quote(f"{problem.stage}: {text}")


def _maximum(rubric: Rubric, asked: Sequence[str]) -> float:
    return round_points(sum(rubric.parts[name].points for name in asked))


def score(
    records: Sequence[Record],
    rubric: Rubric,
    manual: Sequence[ManualRow] = (),
    late: Sequence[LateRow] = (),
    date: str | None = None,
    parts: Sequence[str] = (),
) -> Results:
    """`parts`: the requested ones, by default all. Raises LabError for rows that name no student or contradict
    each other."""
    asked = [name for name in rubric.parts if not parts or name in parts]
    records = sorted(records, key=lambda record: record.submission.name)
    submissions = [record.submission for record in records]
    by_hand = rows_by_submission(manual, submissions)
    lateness = rows_by_submission(late, submissions)
    return Results(
        title=rubric.title,
        maximum=_maximum(rubric, asked),
        date=date or datetime.now(timezone.utc).isoformat(timespec="seconds"),
        rubric_checksum=rubric.checksum,
        machine=records[0].machine if records else None,
        isolation=records[0].isolation if records else None,
        submissions=tuple(
            _mark_submission(
                record,
                rubric,
                records,
                by_hand[one.name],
                lateness[one.name].get(""),
                asked,
            )
            for record, one in zip(records, submissions)
        ),
    )


# --- what a student could try next, from counts and speeds: one sentence for each part ---

_ENOUGH_FLOPS = 22  # the usual count is 20 per interaction; a few more cost little


def flops_per_interaction(row: Row) -> float | None:
    found = re.search(r"(\d+(?:\.\d+)?) ?\*? ?n\^2", row.counts.flops if row.counts else "")
    return float(found[1]) if found else None


def _reached_with(row: Row) -> tuple[float, float, int]:
    """With most bodies: the share of the solution's speed with one thread, in %; the speed-up of most threads over one, and
    their number. 0: not measured."""
    right = [
        one
        for one in row.speed
        if one.outcome == "right" and one.interactions_per_s and not one.above_bound
    ]
    most = max((one.n for one in right), default=0)
    rates = {one.threads: one.interactions_per_s or 0 for one in right if one.n == most}
    shares = [one.share_of_solution or 0 for one in right if (one.n, one.threads) == (most, 1)]
    threads = max(rates, default=0)
    gain = rates[threads] / rates[1] if threads > 1 and 1 in rates else 0
    return 100 * sum(shares[-1:]), gain, threads


_FIRST = {
    Outcome.UNTOUCHED: "it is unchanged: ./lab profile {part} names the function that costs most; begin there",
    Outcome.NOT_BUILT: "./lab check {part} {row} explains the compiler's first error",
    Outcome.WRONG: "first right, then fast: ./lab check {part} {row} shows the first case that fails",
}


def _advise(part: str, record: PartRecord, rule: PartRule) -> str | None:
    rows = rows_that_count(record, rule.rows)
    best = best_row(rows)
    if best and best.outcome in _FIRST:
        return _FIRST[best.outcome].format(part=part, row=quote(best.name))
    right = [row for row in rows if row.outcome is Outcome.RIGHT]
    fastest = max(right, key=lambda row: _reached_with(row)[0], default=None)
    if fastest is None:
        return None
    row, flops = quote(fastest.name), flops_per_interaction(fastest) or 0
    reached = _reached_with(fastest)[0]
    gain, threads = max(_reached_with(one)[1:] for one in right)
    gains_little = 0 < gain < 0.75 * threads
    if not reached and not gains_little:
        return None
    share = reached or 100  # if no solution was timed beside it, only its threads are spoken of
    reaches = f"with one thread {row} reaches {share:.0f} % of the reference"
    if share < 90 and flops > _ENOUGH_FLOPS:
        return (
            f"{reaches} and computes {flops:g} flops per interaction, where about 20 are enough: "
            "look for what is computed twice, divided twice, or done by pow"
        )
    if share < 60 and flops:
        return (
            f"{reaches} with no extra flops ({flops:g} per interaction): is one of them a pow, which costs dozens? Else "
            f"look at what the inner loop loads and stores, and whether it is vectorised (./lab profile {part} {row} --vectors)"
        )
    if share < 60:
        return f"{reaches}: ./lab roofline {part} shows what limits it"
    if gains_little:
        return (
            f"{threads} threads make {row} {gain:.2g} times as fast: look at how rows are distributed, and whether threads "
            "write to the same cache lines"
        )
    if share < 90:
        return f"{reaches}: ./lab bound {part} {row} names the unit that limits it"
    return f"{row} is as fast as the reference: ./lab bound {part} {row} shows how much more the machine allows"


def next_ideas(record: Record, rubric: Rubric) -> Iterator[str]:
    for name, rule in rubric.parts.items():
        part = record.parts.get(name)
        if part and part.state == "measured":
            idea = _advise(name, part, rule)
            if idea:
                yield f"{name}: {idea}"
