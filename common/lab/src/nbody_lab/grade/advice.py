"""What a student could try next, from counts and speeds: one sentence for each part."""

import re
from collections.abc import Iterator

from nbody_lab.grade.models import Outcome, PartRecord, Record, Row, Speed, best_row
from nbody_lab.grade.rubric import PartRule, Rubric
from nbody_lab.grade.score_items import quote, rows_that_count

_ENOUGH_FLOPS = 22  # the usual count is 20 per interaction; a few more cost little


def flops_per_interaction(row: Row) -> float | None:
    found = re.search(r"(\d+(?:\.\d+)?) ?\*? ?n\^2", row.counts.flops if row.counts else "")
    return float(found[1]) if found else None


def _with_most_bodies(row: Row) -> dict[int, Speed]:
    """{threads: timing}"""
    right = [
        one
        for one in row.speed
        if one.verdict == "right" and one.interactions_per_s and not one.above_bound
    ]
    most = max((one.n for one in right), default=0)
    return {one.threads: one for one in right if one.n == most}


def _share_with_one_thread(row: Row) -> float:
    """Of the solution's speed, in %."""
    timed = _with_most_bodies(row)
    return 100 * (timed[1].share_of_solution or 0) if 1 in timed else 0


def _gain_of_threads(row: Row) -> tuple[float, int]:
    """The speed-up of most threads over one, and their number; 0 if it was not measured."""
    timed = _with_most_bodies(row)
    most = max(timed, default=0)
    if 1 not in timed or most < 2:
        return 0, most
    return (timed[most].interactions_per_s or 0) / (timed[1].interactions_per_s or 1), most


def _advise_right(
    part: str, row: str, share: float, flops: float, gain: float, threads: int
) -> str:
    reaches = f"{part}: with one thread {row} reaches {share:.0f} % of the reference"
    if share < 90 and flops > _ENOUGH_FLOPS:
        return (
            f"{reaches} and computes {flops:g} flops per interaction, where about 20 are enough: "
            "look for what is computed twice, divided twice, or done by pow"
        )
    if share < 60 and flops:
        return (
            f"{reaches} with no extra flops ({flops:g} per interaction): is one of them a pow, which costs dozens? Else "
            f"look at what the inner loop loads and stores, and whether it is vectorised (./lab vec-report {part} {row})"
        )
    if share < 60:
        return f"{reaches}: ./lab roofline {part} shows what limits it"
    if gain and gain < 0.75 * threads:
        return (
            f"{part}: {threads} threads make {row} {gain:.2g} times as fast: look at how rows are "
            "distributed, and whether threads write to the same cache lines"
        )
    if share < 90:
        return f"{reaches}: ./lab bound {part} {row} names the unit that limits it"
    return (
        f"{part}: {row} is as fast as the reference: ./lab bound {part} {row} shows how much more "
        "the machine allows"
    )


def _advise(part: str, record: PartRecord, rule: PartRule) -> str | None:
    rows = rows_that_count(record, rule.rows)
    best = best_row(rows)
    if best is None:
        return None
    right = [row for row in rows if row.outcome is Outcome.RIGHT]
    fastest = max(right, key=_share_with_one_thread, default=best)
    row, found = quote(fastest.name), fastest.outcome
    if found is Outcome.UNTOUCHED:
        return (
            f"{part}: it is unchanged: ./lab profile {part} names the function that costs most; "
            "begin there"
        )
    if found is Outcome.NOT_BUILT:
        return f"{part}: ./lab check {part} {row} explains the compiler's first error"
    if found is Outcome.WRONG:
        return f"{part}: first right, then fast: ./lab check {part} {row} shows the first case that fails"
    share, flops = _share_with_one_thread(fastest), flops_per_interaction(fastest) or 0
    gain, threads = max((_gain_of_threads(one) for one in right), default=(0.0, 0))
    if found is not Outcome.RIGHT or not (share or gain):
        return None
    if not share:  # no solution was timed beside it
        share = 100
        if not gain < 0.75 * threads:
            return None
    return _advise_right(part, row, share, flops, gain, threads)


def next_ideas(record: Record, rubric: Rubric) -> Iterator[str]:
    for name, rule in rubric.parts.items():
        part = record.parts.get(name)
        if part and part.state == "measured":
            idea = _advise(name, part, rule)
            if idea:
                yield idea
