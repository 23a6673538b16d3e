"""Do two speeds differ? Two results side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from nbody_lab.core.console import format_table
from nbody_lab.core.words import plural
from nbody_lab.measure.bench_file import WIDEST_SPREAD, BenchResult, BenchRow, Setup


class Difference(Enum):
    """Do two rates differ by more than repeats of one measurement do?"""

    NONE = "{ratio} is inside the spread of {spread}: no difference shown"
    FASTER = "{ratio}: faster, outside the spread of {spread}"
    SLOWER = "{ratio}: slower, outside the spread of {spread}"
    UNKNOWN = "{ratio} of a single round, which has no spread: nothing shown"
    TOO_NOISY = "{ratio}: the spread of {spread} is too wide to tell"


@dataclass(frozen=True)
class Comparison:
    ratio: float
    spread: float  # the wider of the two
    difference: Difference

    def __str__(self) -> str:
        return self.difference.value.format(
            ratio=f"{self.ratio:.3g}", spread=f"{100 * self.spread:.0f} %"
        )


def compare_rows(after: BenchRow, before: BenchRow) -> Comparison:
    """Both have a speed."""
    ratio, spread = after.speed / before.speed, max(after.spread, before.spread)
    if min(after.rounds, before.rounds) < 2:
        difference = Difference.UNKNOWN
    elif spread > WIDEST_SPREAD:
        difference = Difference.TOO_NOISY
    elif max(ratio, 1 / ratio) - 1 <= spread:
        difference = Difference.NONE
    else:
        difference = Difference.FASTER if ratio > 1 else Difference.SLOWER
    return Comparison(ratio, spread, difference)


def label_of(setup: Setup, setups: Sequence[Setup]) -> str:
    """In words: the values that differ among the setups; all of them if none does."""
    words = {
        "n": f"N = {setup.n}",
        "threads": plural(setup.threads, "thread"),
        "precision": setup.precision,
    }
    differ = [field for field in words if len({getattr(other, field) for other in setups}) > 1]
    launch = {
        "block": f"blocks of {setup.block}",
        "unroll": f"unroll {setup.unroll}",
        "grid": f"grids of {setup.grid}",
        "ranks": plural(setup.ranks, "rank"),
    }
    chosen = [words[field] for field in (words if len(set(setups)) == 1 else differ)]
    return ", ".join(chosen + [launch[field] for field in launch if getattr(setup, field)])


def _ratio_and_verdict(before: BenchRow | None, after: BenchRow | None) -> tuple[str, str]:
    if not before or not after:
        return "", f"only in the {'first' if before else 'second'}"
    for row in (before, after):
        if not row.speed:
            return "", f"not measured: {row.verdict}"
    comparison = compare_rows(after, before)
    flags = "" if after.flags == before.flags else f"; now {after.flags}"
    return f"{comparison.ratio:.3g}", f"{comparison}{flags}"


def compare_text(before: BenchResult, after: BenchResult) -> str:
    """Two results, program by program, and what must be equal for a ratio to compare the programs."""
    setups, rows = list(dict.fromkeys([*before.setups, *after.setups])), []
    for setup in setups:
        for name in dict.fromkeys([*before.names, *after.names]):
            pair = before.find(name, setup), after.find(name, setup)
            if any(pair):
                speeds = [f"{row.speed / 1e9:.3f}" if row and row.speed else "-" for row in pair]
                rows.append((name, label_of(setup, setups), *speeds, *_ratio_and_verdict(*pair)))
    heads = [
        f"not the same {what}: {first} and {second}"
        for what, first, second in zip(
            ("part", "processor", "device", "compiler", "scene", "time step"),
            before.context.conditions,
            after.context.conditions,
        )
        if first != second
    ]
    columns = ("implementation", "measured at", ">first", ">second", ">ratio", "verdict")
    heads.append("10^9 interactions/s; ratio: second / first")
    return "\n".join([*heads, "", format_table(columns, rows)])
