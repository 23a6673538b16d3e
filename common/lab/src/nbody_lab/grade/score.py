"""Measured records, a rubric and what people decided become marks: each item has points, or the reason why it has none.
Runs nothing. What could not be graded never has zero points."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timezone
from fnmatch import fnmatchcase
from typing import NamedTuple

from nbody_lab.core.clean_text import in_one_line
from nbody_lab.core.words import plural
from nbody_lab.grade import by_hand
from nbody_lab.grade.models import (
    Check,
    JudgedWorksheet,
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
    best_row,
)
from nbody_lab.grade.rubric import PartRule, Rubric, SpeedRule
from nbody_lab.tasks.sheet import Line, State


def round_points(points: float) -> float:
    return round(points + 1e-9, 2)


def quote(text: str) -> str:
    """A student's or compiler's words on one short line."""
    return in_one_line(text, 160)


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


# --- correctness, which gates the points for speed ---


def _rows_that_count(part: PartRecord, rule: PartRule) -> list[Row]:
    return [row for row in part.rows if any(fnmatchcase(row.name, one) for one in rule.rows)]


def _explain(part: str, rows: Sequence[Row]) -> str:
    """What was found of the best row; of a wrong one the diagnosis, whichever case has it, else the first case."""
    best = best_row(rows)
    if best is None:
        return "no mine*.hpp that counts was handed in"
    check = best.check or Check(verdict="not checked")
    if best.outcome is Outcome.RIGHT:
        worst = 100 * (check.worst_share_of_limit or 0)
        text = f"all {check.cases} cases pass, the worst at {worst:.0f} % of its limit"
    elif best.outcome is Outcome.WRONG and check.first_failures:
        first = check.first_failures[0]
        words = [one.diagnosis for one in check.first_failures if one.diagnosis]
        words += [f"{first.group}, {first.scene}, N = {first.n or '?'}: {first.detail}"]
        text = f"{check.failed} of {plural(check.cases, 'case')} wrong: {quote(words[0])}"
    elif best.outcome is Outcome.NOT_BUILT:
        text = f"it does not compile: {quote(best.build_error) or 'see the build log'}"
    elif best.outcome is Outcome.UNTOUCHED:
        text = "the given file, unchanged, or none was handed in"
    else:
        text = ": ".join(filter(None, map(quote, (check.verdict, check.problem))))
    return f"{part}/{quote(best.name)}: {text}"


def _mark_correctness(item: Item, part: PartRecord, rule: PartRule) -> Iterator[Mark]:
    rows = _rows_that_count(part, rule)
    best = best_row(rows)
    if best and best.outcome is Outcome.NOT_CHECKED:
        yield item.mark("for a person", _explain(item.part, rows))
    else:
        is_right = best and best.outcome is Outcome.RIGHT
        yield item.mark(item.maximum if is_right else 0, _explain(item.part, rows))


# --- the worksheet: points times the share of its lines' points that are right ---

_NOT_COUNTED = "not counted"  # what ./lab worksheet says about a line that its author cannot fix


def _is_undecided(line: Line) -> bool:
    return line.state is State.HIDDEN or (
        line.state is State.WAITING and line.words.startswith(_NOT_COUNTED)
    )


def _numbers(lines: Iterable[Line]) -> str:
    return ", ".join(dict.fromkeys(quote(line.number) for line in lines))


def _sum(lines: Iterable[Line]) -> float:
    return sum(line.points for line in lines)


def _counting_lines(sheet: JudgedWorksheet, rule: PartRule) -> list[Line]:
    left_out = rule.worksheet.leave_out if rule.worksheet else ()
    return [line for line in sheet.lines if line.points > 0 and line.number not in left_out]


def _mark_worksheet(item: Item, part: PartRecord, rule: PartRule) -> Iterator[Mark]:
    """Lines that could not be judged get a second mark, so that they cost nothing."""
    sheet = part.worksheet
    if sheet is None or not (sheet.lines or sheet.problem):
        yield item.mark(0, "no worksheet.hpp was handed in")
        return
    lines = _counting_lines(sheet, rule)
    if not lines:
        why = quote(sheet.problem) or "it has no line that counts"
        yield item.mark("for a person", f"could not be judged: {why}")
        return
    undecided = [line for line in lines if _is_undecided(line)]
    judged = [line for line in lines if not _is_undecided(line)]
    for_person = round_points(item.maximum * _sum(undecided) / _sum(lines))
    if judged:
        earned = _sum(line for line in judged if line.state in (State.RIGHT, State.NOTED))
        why = f"{earned:g} of {_sum(judged):g} points of the sheet"
        for state in (State.WRONG, State.UNANSWERED, State.WAITING):
            if some := [line for line in judged if line.state is state]:
                why += f"; {state.value or 'missing'}: {_numbers(some)}"
        most = round_points(item.maximum - for_person)
        yield item._replace(maximum=most).mark(most * earned / _sum(judged), why)
    if undecided:
        rest = item._replace(name="worksheet, lines not judged", maximum=for_person)
        yield rest.mark("for a person", f"could not be judged here: {_numbers(undecided)}")


def _why_not_admitted(part: PartRecord, rule: PartRule) -> str:
    """Of what could be judged too little is right; '' if the worksheet admits, or need not."""
    needed = rule.worksheet.admits_from if rule.worksheet else None
    if needed is None:
        return ""
    sheet = part.worksheet
    if sheet is None or not (sheet.lines or sheet.problem):
        return "not admitted: no worksheet.hpp was handed in"
    if not sheet.lines:
        return f"the worksheet could not be judged: {quote(sheet.problem)}"
    lines = [one for one in _counting_lines(sheet, rule) if not _is_undecided(one)]
    right = _sum(line for line in lines if line.state in (State.RIGHT, State.NOTED))
    if not lines or right >= needed * _sum(lines):
        return ""
    share = f"{100 * right / _sum(lines):.0f} % of the worksheet is right"
    return f"not admitted: {share}, {100 * needed:.0f} % are needed"


# --- the notebook: ideas predicted and measured; a right prediction earns nothing extra ---


def _mark_notebook(item: Item, part: PartRecord, rule: PartRule) -> Iterator[Mark]:
    """A copied row counts once."""
    assert rule.notebook
    wanted, needs_prediction = rule.notebook.rows_for_all, rule.notebook.needs_prediction
    if part.notebook and part.notebook.problem:
        yield item.mark("for a person", f"could not be read: {quote(part.notebook.problem)}")
        return
    rows = part.notebook.rows if part.notebook else ()
    tries = {
        (row.idea.strip(), row.expected, row.measured)
        for row in rows
        if row.idea.strip()
        and row.measured is not None
        and (not needs_prediction or (row.expected or 0) > 0)
    }
    what = "idea, prediction and measurement" if needs_prediction else "idea and measurement"
    why = f"rows with {what}: {len(tries)} of {len(rows)}; {wanted} give all points"
    yield item.mark(item.maximum * min(1, len(tries) / wanted), why)


# --- speed: the fastest right row counts, in the bands of the rubric ---

_TOO_BUSY = "the machine was too busy to time it"
_NEVER_ASKED = "not timed yet"
_OWN_DOING = ("wrong", "the same as given")  # why a right row has no time: its own fault


def _measured_text(value: float, entry: Speed, rule: SpeedRule) -> str:
    text, other = f"{value:.3g} times as fast as naive", entry.naive_interactions_per_s
    if rule.measure == "share_of_solution":
        text = f"{value:.3g} of the speed of {quote(entry.solution)}"
        other = entry.solution_interactions_per_s
    rates = [(rate or 0) / 1e9 for rate in (entry.interactions_per_s, other)]
    return f"{text}, the median of the rounds ({rates[0]:.3g} against {rates[1]:.3g} x 10^9 interactions/s)"


def _mark_unmeasured(
    item: Item, rows: Sequence[Row], entries: Sequence[tuple[Row, Speed]], rule: SpeedRule
) -> Mark:
    """If no right row has this measure. One that was too busy to time may be better than what was timed."""
    for row, entry in sorted(entries, key=lambda one: not one[1].noisy):
        where = f"{item.part}/{quote(row.name)}"
        if entry.noisy:
            return item.mark("for a person", f"{where}: {_TOO_BUSY}")
        if entry.outcome != "right":
            return item.mark(0, f"{where}: not right while it was timed: {quote(entry.verdict)}")
        return item.mark("not graded here", f"{where}: it has no {rule.measure}")
    for row in rows:
        if row.not_timed:
            why = f"{item.part}/{quote(row.name)}: not timed: {quote(row.not_timed)}"
            return item.mark(0 if row.not_timed in _OWN_DOING else "for a person", why)
    return item.mark("for a person", _NEVER_ASKED)


def mark_speed(item: Item, part: PartRecord, rule: SpeedRule, of: PartRule, cores: int) -> Mark:
    """`of`: which rows count, and whether they must be right; `cores`: what "all" threads share."""
    counting = _rows_that_count(part, of)
    rows = [row for row in counting if row.outcome is Outcome.RIGHT]
    best = best_row(counting)
    if not rows:
        may_count = [Outcome.NOT_CHECKED]
        if of.correctness and not of.correctness.gates:
            may_count.append(Outcome.WRONG)
        if best and best.outcome in may_count:
            why = f"counts if a person finds the row right: {_explain(item.part, counting)}"
            return item.mark("for a person", why)
        return item.mark(0, "no speed points without a right row")

    wanted = (rule.threads_of(cores, part.processes), rule.n, rule.scene)
    entries = [
        (row, one) for row in rows for one in row.speed if (one.threads, one.n, one.scene) == wanted
    ]
    timed = [
        (value, row, entry)
        for row, entry in entries
        if entry.outcome == "right" and (value := getattr(entry, rule.measure)) is not None
    ]
    if not timed:
        return _mark_unmeasured(item, rows, entries, rule)

    # A doubtful row matters only if it would give more than a sound one.
    value, row, entry = max(
        timed, key=lambda one: (rule.points_for(one[0]), one[2].is_sound, one[0])
    )
    points = rule.points_for(value)
    text = f"{item.part}/{quote(row.name)}: {_measured_text(value, entry, rule)}"
    if entry.doubt or entry.above_bound:
        why = f"{text}: {entry.doubt or TOO_FAST}: not scored, a person should look"
        return item.mark("flagged", why)
    if entry.noisy:
        spread = f" by {100 * entry.spread:.0f} %," if entry.spread else ""
        why = f"{text}: the repeats differ{spread} too much to score; it would give {points:g}"
        return item.mark("for a person", why)
    above = [f"{most:g} points from {begin:g}" for begin, most in rule.bands if value < begin]
    text += f"; {above[0] if above else 'the highest band'}"
    for other, one in entries if above else ():
        if one.noisy and getattr(one, rule.measure) is None:
            why = f"{item.part}/{quote(other.name)}: {_TOO_BUSY}; {text}"
            return item.mark("for a person", why)
    return item.mark(points, text)


# --- a part ---

_MARKED_BY = {
    "correctness": _mark_correctness,
    "worksheet": _mark_worksheet,
    "notebook": _mark_notebook,
}


def _explain_problem(problem: Problem) -> str:
    """What failed in the grader itself is in failures/NAME.txt; its paths are nothing for a student's page."""
    text = problem.text.partition(": ")[0] if problem.stage == "grader" else problem.text
    return quote(f"{problem.stage}: {text}")


def mark_part(name: str, record: Record, rule: PartRule) -> list[Mark]:
    """A part that cannot run here has no speeds, but its worksheet and notebook are judged."""
    missing = PartRecord(state="not graded here", reason=f"{name} was not measured")
    part = record.parts.get(name, missing)
    stops = [one for one in record.problems if one.stage == "unpack" or not record.parts]
    is_lost = stops and all(one.state != "measured" for one in record.parts.values())
    unreadable = _explain_problem(stops[0]) if is_lost else ""
    speeds = {speed.item: speed for speed in rule.speed}
    asked = {one.question: one for one in rule.manual}
    marks: list[Mark] = []
    for item in (Item(name, *one) for one in rule.items()):
        on_paper = item.name in ("worksheet", "notebook") and getattr(part, item.name)
        if part.state == "nothing handed in" and not unreadable:
            marks.append(item.mark(0, f"nothing was handed in for {name}"))
        elif question := asked.get(item.name):
            how = "asked aloud" if question.oral else "to be marked by hand"
            mark = item.mark("for a person", how)
            marks.append(mark.model_copy(update={"is_question": not question.oral}))
        elif unreadable:
            marks.append(item.mark("for a person", unreadable))
        elif part.state == "not graded here" and not on_paper:
            marks.append(item.mark("not graded here", quote(part.reason)))
        elif item.name in speeds:
            marks.append(mark_speed(item, part, speeds[item.name], rule, record.machine.cores))
        else:
            marks += _MARKED_BY[item.name](item, part, rule)
    if part.state == "measured" and (why := _why_not_admitted(part, rule)):
        for k, mark in enumerate(marks):
            if mark.points:
                why_open = f"{why}; else {mark.points:g}: {mark.why}"
                update = {"points": None, "state": "for a person", "why": why_open}
                marks[k] = mark.model_copy(update=update)
    return marks


# --- what a person should look at, whatever the marks are; the strongest first ---

TOO_FAST = "faster than this machine allows"


def _flags_of(record: Record, everybody: Sequence[Record]) -> Iterator[str]:
    who = record.submission.name
    for name, part in record.parts.items():
        if part.notebook and part.notebook.problem:
            yield f"{name}: the notebook could not be read: {quote(part.notebook.problem)}"
        for row in part.rows:
            doubts = [TOO_FAST for entry in row.speed if entry.above_bound]
            doubts += [entry.doubt for entry in row.speed if entry.doubt]
            # Right where it is checked, wrong where it is timed: it may know which of the two it is.
            if row.outcome is Outcome.RIGHT and any(one.outcome == "wrong" for one in row.speed):
                doubts.insert(0, "WRONG while timed although the check passed")
            if doubts:
                yield f"{name}/{quote(row.name)}: {doubts[0]}: a person should look"
    for author, names in by_hand.named_twice([other.submission for other in everybody]).items():
        if who in names:
            others = " and ".join(name for name in names if name != who)
            yield f"{quote(author)} is an author of {others} as well"
    if record.machine != everybody[0].machine:
        cpu = quote(record.machine.cpu)
        yield f"measured on a different machine than the first of the class: {cpu}"


# --- a submission, and the class ---


def score(
    records: Sequence[Record],
    rubric: Rubric,
    manual: Sequence[by_hand.ManualRow] = (),
    late: Sequence[by_hand.LateRow] = (),
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
    given = by_hand.by_submission(manual, submissions)
    days = by_hand.by_submission(late, submissions)
    everybody = []
    for record, one in zip(records, submissions):
        marks = []
        for name, rule in rubric.parts.items():
            items = [Item(name, *item) for item in rule.items()]
            left_out = [item.mark("not asked for (--part)", "") for item in items]
            marks += mark_part(name, record, rule) if name in asked else left_out
        marks = by_hand.give_points(marks, given[one.name])
        points = round_points(sum(mark.points or 0 for mark in marks))
        lateness = by_hand.judge_lateness(points, one.submitted, days[one.name], rubric)
        flags = [*_flags_of(record, records), *(similar or {}).get(one.name, ())]
        if one.late and not days[one.name] and not lateness.days:
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
        machine=records[0].machine if records else None,
        submissions=tuple(everybody),
    )
