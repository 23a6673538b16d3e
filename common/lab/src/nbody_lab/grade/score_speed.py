"""Points for speed: the fastest correct row counts, in the bands of the rubric."""

from collections.abc import Sequence

from nbody_lab.grade.models import Mark, Outcome, PartRecord, Row, Speed, best_row
from nbody_lab.grade.rubric import SpeedRule
from nbody_lab.grade.score_items import (
    Item,
    explain_row,
    quote,
    rows_that_count,
    why_none_is_right,
)

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
        if entry.verdict != "right":
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
    why = f"no speed points without a right row: {why_none_is_right(item.part, rows)}"
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


def mark_speed(name: str, part: PartRecord, rule: SpeedRule, gates: bool, cores: int) -> Mark:
    """`cores`: what "all" threads share."""
    item = Item(name, rule.item, rule.points)
    rows = [row for row in rows_that_count(part, rule.rows or ()) if row.outcome is Outcome.RIGHT]
    if not rows:
        return _mark_without_right_row(item, part, rule, gates)
    threads = rule.threads_of(cores, part.processes)
    entries = [(row, entry) for row in rows if (entry := _entry_of(row, rule, threads))]
    timed = [
        (value, row, entry)
        for row, entry in entries
        if entry.verdict == "right" and (value := _value(entry, rule)) is not None
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
