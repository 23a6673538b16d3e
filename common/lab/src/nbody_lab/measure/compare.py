"""Do two speeds differ? Two results side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from nbody_lab.core.console import format_table
from nbody_lab.measure.bench_file import WIDEST_SPREAD, BenchContext, BenchResult, BenchRow, Setup


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
    ratio = after.speed_beside(before) / before.speed_beside(after)
    spread = max(after.spread, before.spread)
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
    all_words = {
        "n": f"N = {setup.n}",
        "threads": f"{setup.threads} thread{'' if setup.threads == 1 else 's'}",
        "precision": setup.precision,
    }
    words = [
        word
        for field, word in all_words.items()
        if len(set(setups)) == 1 or len({getattr(other, field) for other in setups}) > 1
    ]
    words += [f"blocks of {setup.block}"] if setup.block else []
    words += [f"unroll {setup.unroll}"] if setup.unroll else []
    words += [f"grids of {setup.grid}"] if setup.grid else []
    words += [f"{setup.ranks} rank{'' if setup.ranks == 1 else 's'}"] if setup.ranks else []
    return ", ".join(words)


def _differences(before: BenchContext, after: BenchContext) -> Iterator[str]:
    """What must be equal for a ratio to compare the programs."""

    def step(context: BenchContext) -> str:
        return "adaptive" if context.adaptive else "fixed"

    for what, first, second in (
        ("part", before.part, after.part),
        ("processor", before.cpu, after.cpu),
        ("device", before.device, after.device),
        ("compiler", before.compiler, after.compiler),
        ("scene", before.scene, after.scene),
        ("time step", step(before), step(after)),
    ):
        if first != second:
            yield f"not the same {what}: {first} and {second}"


def _rate(row: BenchRow | None, beside: BenchRow | None) -> str:
    if not row or not row.speed:
        return "-"
    return f"{(row.speed_beside(beside) if beside else row.speed) / 1e9:.3f}"


def _ratio_and_verdict(before: BenchRow | None, after: BenchRow | None) -> tuple[str, str]:
    if not before:
        return "", "only in the second"
    if not after:
        return "", "only in the first"
    for row in (before, after):
        if not row.speed:
            return "", f"not measured: {row.verdict}"
    comparison = compare_rows(after, before)
    flags = "" if after.flags == before.flags else f"; now {after.flags}"
    return f"{comparison.ratio:.3g}", f"{comparison}{flags}"


def compare_text(before: BenchResult, after: BenchResult) -> str:
    """Two results, program by program."""
    setups = list(dict.fromkeys([*before.setups, *after.setups]))
    rows = []
    for setup in setups:
        for name in dict.fromkeys([*before.names, *after.names]):
            first, second = before.find(name, setup), after.find(name, setup)
            if first or second:
                cells = (name, label_of(setup, setups), _rate(first, second), _rate(second, first))
                rows.append((*cells, *_ratio_and_verdict(first, second)))
    columns = ("implementation", "measured at", ">first", ">second", ">ratio", "verdict")
    heads = [
        *_differences(before.context, after.context),
        "10^9 interactions/s; ratio: second / first",
    ]
    return "\n".join([*heads, "", format_table(columns, rows)])
