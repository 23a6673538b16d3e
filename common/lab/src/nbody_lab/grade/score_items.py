"""The marks for correctness, worksheet, notebook and speed of a part."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from nbody_lab.core.clean_text import in_one_line
from nbody_lab.core.words import plural
from nbody_lab.grade.models import (
    Check,
    Failure,
    Mark,
    MarkState,
    Outcome,
    PartRecord,
    Row,
    Speed,
    best_row,
)
from nbody_lab.grade.rubric import PartRule, SpeedRule
from nbody_lab.tasks.sheet import Line, State

_LONGEST_QUOTE = 160


def round_points(points: float) -> float:
    return round(points + 1e-9, 2)


def quote(text: str) -> str:
    """A student's or compiler's words on one short line."""
    line = in_one_line(text)
    return line if len(line) <= _LONGEST_QUOTE else f"{line[:_LONGEST_QUOTE].rstrip()} ..."


class Item(NamedTuple):
    """What the rubric gives points for in a part."""

    part: str
    name: str
    maximum: float

    def graded(self, points: float, why: str) -> Mark:
        return self._mark(round_points(points), "graded", why)

    def ungraded(self, state: MarkState, why: str) -> Mark:
        """A mark for what could not be graded: never zero points."""
        return self._mark(None, state, why)

    def _mark(self, points: float | None, state: MarkState, why: str) -> Mark:
        part, item, maximum = self
        return Mark(part=part, item=item, points=points, maximum=maximum, state=state, why=why)


# --- correctness, which gates the points for speed ---


def rows_that_count(part: PartRecord, patterns: Iterable[str]) -> list[Row]:
    return [row for row in part.rows if any(fnmatchcase(row.name, pattern) for pattern in patterns)]


def _failure_text(failure: Failure) -> str:
    """forces, equal masses, 7 bodies: error 0.01, limit 1e-05; without these, what was told instead"""
    bodies = plural(failure.n, "body", "bodies") if failure.n else ""
    where = ", ".join(filter(None, [failure.group, failure.scene, bodies]))
    size = ""
    if failure.error is not None and failure.limit is not None:
        size = f"error {failure.error:.2g}, limit {failure.limit:.2g}"
    told = size or ("" if failure.diagnosis else failure.detail)
    return quote(": ".join(filter(None, [where, told])))


def _wrong_text(check: Check) -> str:
    if not check.first_failures:
        return quote(check.problem) or "the check fails"
    fails = "fails" if check.failed == 1 else "fail"
    of = f"{check.failed} of {plural(check.cases, 'case')} {fails}"
    first = f"{of}; the first: {_failure_text(check.first_failures[0])}"
    diagnosis = next((one.diagnosis for one in check.first_failures if one.diagnosis), "")
    return f"{quote(diagnosis)} ({first})" if diagnosis else first


def explain_row(part: str, row: Row) -> str:
    check = row.check or Check(verdict="not checked")
    found = row.outcome
    if found is Outcome.RIGHT:
        worst = 100 * (check.worst_share_of_limit or 0)
        text = f"all {check.cases} cases pass, the worst at {worst:.0f} % of its limit"
    elif found is Outcome.WRONG:
        text = _wrong_text(check)
    elif found is Outcome.NOT_BUILT:
        text = f"it does not compile: {quote(row.build_error) or 'see the build log'}"
    else:
        text = ": ".join(filter(None, map(quote, (check.verdict, check.problem))))
    return f"{part}/{quote(row.name)}: {text}"


def why_none_is_right(name: str, rows: Sequence[Row]) -> str:
    best = best_row(rows)
    if best is None:
        return "no mine*.hpp that counts was handed in"
    if best.outcome is Outcome.UNTOUCHED and not any(row.handed_in for row in rows):
        return f"no mine*{Path(best.source).suffix} was handed in"
    if best.outcome is Outcome.UNTOUCHED:
        return f"{quote(rows[0].source.rpartition('/')[2]) or 'mine.hpp'} is unchanged"
    return explain_row(name, best)


def mark_correctness(item: Item, part: PartRecord, rule: PartRule) -> list[Mark]:
    rows = rows_that_count(part, rule.rows)
    best = best_row(rows)
    if best and best.outcome is Outcome.RIGHT:
        return [item.graded(item.maximum, explain_row(item.part, best))]
    if best and best.outcome is Outcome.NOT_CHECKED:
        return [item.ungraded("for a person", explain_row(item.part, best))]
    return [item.graded(0, why_none_is_right(item.part, rows))]


# --- the worksheet: points times the share of its lines' points that are right ---

_EARNED = (State.RIGHT, State.NOTED)
_NOT_COUNTED = "not counted"  # what ./lab worksheet says about a line that its author cannot fix


def is_undecided(line: Line) -> bool:
    return line.state is State.HIDDEN or (
        line.state is State.WAITING and line.words.startswith(_NOT_COUNTED)
    )


def _numbers(lines: Iterable[Line]) -> str:
    return ", ".join(dict.fromkeys(quote(line.number) for line in lines))


def _sum(lines: Iterable[Line]) -> float:
    return sum(line.points for line in lines)


def _sheet_text(lines: Sequence[Line]) -> str:
    """26 of 31 points of the sheet; wrong: 3, 13; missing: 19"""
    text = f"{_sum(one for one in lines if one.state in _EARNED):g} of {_sum(lines):g} points of the sheet"
    for words, state in (
        ("wrong", State.WRONG),
        ("missing", State.UNANSWERED),
        ("waits for another answer", State.WAITING),
    ):
        some = [line for line in lines if line.state is state]
        text += f"; {words}: {_numbers(some)}" if some else ""
    return text


def mark_worksheet(item: Item, part: PartRecord, rule: PartRule) -> list[Mark]:
    """Lines that could not be judged get a second mark, so that they cost nothing."""
    assert rule.worksheet
    sheet, points = part.worksheet, item.maximum
    if sheet is None or not (sheet.lines or sheet.problem):
        return [item.graded(0, "no worksheet.hpp was handed in")]
    if not sheet.lines:
        why = f"worksheet.hpp could not be judged: {quote(sheet.problem)}"
        return [item.ungraded("for a person", why)]
    left_out = rule.worksheet.leave_out
    lines = [line for line in sheet.lines if line.points > 0 and line.number not in left_out]
    open_lines = [line for line in lines if is_undecided(line)]
    judged = [line for line in lines if not is_undecided(line)]
    open_points = round_points(points * _sum(open_lines) / _sum(lines)) if lines else points
    marks = []
    if judged:
        most = round_points(points - open_points)
        share = _sum(line for line in judged if line.state in _EARNED) / _sum(judged)
        marks.append(item._replace(maximum=most).graded(share * most, _sheet_text(judged)))
    if open_points:
        why = "the sheet has no line that counts"
        if open_lines:
            why = f"could not be judged here: {_numbers(open_lines)}"
        rest = item._replace(name="worksheet, lines not judged", maximum=open_points)
        marks.append(rest.ungraded("for a person", why))
    return marks


# --- the notebook: ideas predicted and measured; a right prediction earns nothing extra ---


def count_tries(part: PartRecord, needs_prediction: bool) -> int:
    """A copied row counts once."""
    rows = part.notebook.rows if part.notebook else ()
    return len(
        {
            (row.idea.strip(), row.expected, row.measured)
            for row in rows
            if row.idea.strip()
            and row.measured is not None
            and (not needs_prediction or (row.expected or 0) > 0)
        }
    )


NO_ROWS = "the notebook has no rows"


def mark_notebook(item: Item, part: PartRecord, rule: PartRule) -> list[Mark]:
    assert rule.notebook
    wanted = rule.notebook.rows_for_all
    if part.notebook and part.notebook.problem:
        why = f"the notebook could not be read: {quote(part.notebook.problem)}"
        return [item.ungraded("for a person", why)]
    if not part.notebook or part.has_no_rows:
        return [item.graded(0, NO_ROWS)]
    needs = rule.notebook.needs_prediction
    found = count_tries(part, needs)
    what = "idea, prediction and measurement" if needs else "idea and measurement"
    why = (
        f"{found} of its {plural(len(part.notebook.rows), 'row')} {'has' if found == 1 else 'have'} "
        f"{what}; {plural(wanted, 'row')} give all points"
    )
    return [item.graded(item.maximum * min(1, found / wanted), why)]


# --- speed: the fastest correct row counts, in the bands of the rubric ---

_TOO_BUSY = "the machine was too busy to time it"
NEVER_ASKED = "nothing was timed with these threads and bodies"
_OWN_DOING = ("wrong", "the same as given")  # why a correct row has no time: its own fault
_NO_MEASURE = {
    "share_of_solution": "no solution was timed beside it",
    "times_naive": "naive was not timed beside it",
    "interactions_per_s": "it has no timing",
}


def _place(item: Item, row: Row) -> str:
    return f"{item.part}/{quote(row.name)}"


def _rate(interactions_per_s: float | None) -> str:
    return f"{(interactions_per_s or 0) / 1e9:.3g}"


def _value(entry: Speed, rule: SpeedRule) -> float | None:
    value: float | None = getattr(entry, rule.measure)
    return value


def _measured_text(entry: Speed, rule: SpeedRule) -> str:
    value, own = _value(entry, rule) or 0, _rate(entry.interactions_per_s)
    if rule.measure == "share_of_solution":
        return (
            f"{value:.3g} of the solution's speed ({own} against "
            f"{_rate(entry.solution_interactions_per_s)} x 10^9 interactions/s, {quote(entry.solution)})"
        )
    if rule.measure == "times_naive":
        naive = _rate(entry.naive_interactions_per_s)
        return f"{value:.3g} times as fast as naive ({own} against {naive} x 10^9 interactions/s)"
    return f"{own} x 10^9 interactions/s"


def _band_text(value: float, rule: SpeedRule) -> str:
    """The band reached and what the next one needs."""

    def edge(begin: float) -> str:
        return f"{_rate(begin)} x 10^9" if rule.measure == "interactions_per_s" else f"{begin:g}"

    reached = [band for band in rule.bands if value >= band[0]]
    above = [band for band in rule.bands if value < band[0]]
    if not reached:
        return f"below the first band, which gives {above[0][1]:g} from {edge(above[0][0])}"
    here = f"the band from {edge(reached[-1][0])} gives {reached[-1][1]:g}"
    return here + (f"; {above[0][1]:g} from {edge(above[0][0])}" if above else ", the maximum")


def _entry_of(row: Row, rule: SpeedRule, threads: int) -> Speed | None:
    """The timing of a row that the rubric asks for."""
    wanted = (threads, rule.n, rule.scene)
    return next((one for one in row.speed if (one.threads, one.n, one.scene) == wanted), None)


def _mark_untimed(
    item: Item, rows: Sequence[Row], entries: Sequence[tuple[Row, Speed]], rule: SpeedRule
) -> Mark:
    """If no correct row has this measure."""
    if entries:
        # One that was too busy to time may be better than what was timed.
        row, entry = min(entries, key=lambda one: not one[1].noisy)
        where = _place(item, row)
        if entry.noisy:
            return item.ungraded("for a person", f"{where}: {_TOO_BUSY}")
        if entry.outcome != "right":
            why = f"{where}: the timed result was not right: {quote(entry.verdict)}"
            return item.graded(0, why)
        return item.ungraded("not graded here", f"{where}: {_NO_MEASURE[rule.measure]}")
    untimed = next((row for row in rows if row.not_timed), None)
    if not untimed:
        return item.ungraded("not graded here", NEVER_ASKED)
    why = f"{_place(item, untimed)}: not timed: {quote(untimed.not_timed)}"
    if untimed.not_timed in _OWN_DOING:
        return item.graded(0, why)
    return item.ungraded("for a person", why)


def _mark_without_right_row(item: Item, part: PartRecord, rule: SpeedRule, gates: bool) -> Mark:
    rows = rows_that_count(part, rule.rows or ())
    best = best_row(rows)
    found = best.outcome if best else None
    if best and (found is Outcome.NOT_CHECKED or (found is Outcome.WRONG and not gates)):
        why = f"counts if a person finds the row right: {explain_row(item.part, best)}"
        return item.ungraded("for a person", why)
    told = why_none_is_right(item.part, rows)
    if best and found in (Outcome.WRONG, Outcome.NOT_BUILT):  # correctness says more
        told = f"{_place(item, best)}: {found.value}"
    why = f"no speed points without a right row: {told}"
    return item.graded(0, why)


def _mark_doubtful(item: Item, row: Row, entry: Speed, rule: SpeedRule) -> Mark:
    """If a person must look at the fastest row."""
    where, text = _place(item, row), _measured_text(entry, rule)
    doubt = entry.doubt
    if entry.above_bound and not doubt:
        bound = entry.bound_interactions_per_s
        limit = f", {_rate(bound)} x 10^9 interactions/s" if bound else ""
        doubt = f"faster than this machine allows{limit}"
    if doubt:
        why = f"{where}: {text}: {doubt}: not scored, a person should look"
        return item.ungraded("flagged", why)
    spread = f" by {100 * entry.spread:.0f} %," if entry.spread else ""
    would = rule.points_for(_value(entry, rule) or 0)
    why = f"{where}: the repeats differ{spread} too much to score; {text} would give {would:g}"
    return item.ungraded("for a person", why)


def mark_speed(item: Item, part: PartRecord, rule: SpeedRule, gates: bool, cores: int) -> Mark:
    """`cores`: what "all" threads share."""
    rows = [row for row in rows_that_count(part, rule.rows or ()) if row.outcome is Outcome.RIGHT]
    if not rows:
        return _mark_without_right_row(item, part, rule, gates)
    threads = rule.threads_of(cores, part.processes)
    entries = [(row, entry) for row in rows if (entry := _entry_of(row, rule, threads))]
    timed = [
        (value, row, entry)
        for row, entry in entries
        if entry.outcome == "right" and (value := _value(entry, rule)) is not None
    ]
    if not timed:
        return _mark_untimed(item, rows, entries, rule)

    # A doubtful row matters only if it would give more than a sound one.
    def rank(one: tuple[float, Row, Speed]) -> tuple[float, bool, float]:
        value, _, entry = one
        return rule.points_for(value), entry.is_sound, value

    value, row, entry = max(timed, key=rank)
    if not entry.is_sound:
        return _mark_doubtful(item, row, entry, rule)
    why = f"{_place(item, row)}: {_measured_text(entry, rule)}: {_band_text(value, rule)}"
    unknown = [other for other, one in entries if one.noisy and _value(one, rule) is None]
    if unknown and rule.points_for(value) < rule.points:
        return item.ungraded("for a person", f"{_place(item, unknown[0])}: {_TOO_BUSY}; {why}")
    return item.graded(rule.points_for(value), why)
