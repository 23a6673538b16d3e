"""Do two speeds differ? Two results side by side, and from how many bodies on one program beats another."""

from collections.abc import Callable, Iterator, Sequence
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


# Two results.


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


# One result that holds several sizes or numbers of threads.


def _beats(one: BenchRow | None, other: BenchRow | None) -> bool:
    if not (one and other and one.speed and other.speed):
        return False
    return compare_rows(one, other).difference is Difference.FASTER


def _from_which(sizes: Sequence[int], ahead: Callable[[int], bool]) -> int | None:
    """The smallest of the ascending sizes such that `ahead` holds there and above."""
    found = None
    for n in reversed(sizes):
        if not ahead(n):
            break
        found = n
    return found


def _lines(names_by_size: dict[int | None, list[str]], sizes: Sequence[int]) -> Iterator[str]:
    for n in sizes:
        if n in names_by_size:
            below = " or below" if n == sizes[0] else ""
            yield f"  from N = {n}{below}: {', '.join(names_by_size[n])}"
    if None in names_by_size:
        names = ", ".join(names_by_size[None])
        yield f"  at none of these sizes, or not at the largest: {names}"


def _ahead_from(
    names: Sequence[str],
    sizes: Sequence[int],
    pair: Callable[[str, int], tuple[BenchRow | None, BenchRow | None]],
) -> list[str]:
    """Which programs are ahead from which size on, a line for each size. Sizes at which a speed varies too much to be
    compared do not count."""
    found: dict[int | None, list[str]] = {}
    noisy: dict[int, list[str]] = {}
    for name in names:
        wide = [n for n in sizes if any(row and row.speed and row.is_wide for row in pair(name, n))]
        for n in wide:
            noisy.setdefault(n, []).append(name)
        steady = [n for n in sizes if n not in wide]
        size = _from_which(steady, lambda n: _beats(*pair(name, n)))
        found.setdefault(size, []).append(name)
    left_out = (f"  N = {n} varies too much to count: {', '.join(noisy[n])}" for n in sorted(noisy))
    return [*_lines(found, sizes), *left_out]


def crossings(result: BenchResult) -> list[str]:
    """With several numbers of bodies: from which a program beats the first one. With several numbers of threads: from
    how many bodies T threads beat one. "Beats" means faster by more than the spread, at that size and all larger ones.
    Empty if nothing was swept, or if launches were: the tables show which of these is best."""
    if any(setup != setup.untuned for setup in result.setups):
        return []
    sizes = sorted({row.n for row in result.summary if row.speed})  # some may not be reached
    threads = sorted({setup.threads for setup in result.setups})
    first, *others = result.names
    lines: list[str] = []

    def add(title: str, names: Sequence[str], mine: Setup, theirs: Setup, other: str = "") -> None:
        def pair(name: str, n: int) -> tuple[BenchRow | None, BenchRow | None]:
            beside = result.find(other or name, theirs._replace(n=n))
            return result.find(name, mine._replace(n=n)), beside

        if names:
            lines.extend(["", title, *_ahead_from(names, sizes, pair)])

    for precision in sorted({setup.precision for setup in result.setups}):
        for count in threads if len(sizes) > 1 else ():
            here = Setup(0, count, precision)
            title = f"faster than {first} ({label_of(here, [here]).removeprefix('N = 0, ')})"
            add(title, others, here, here, first)
        for count in threads[1:] if threads[0] == 1 else ():
            title = f"{count} threads faster than one ({precision})"
            add(title, result.names, Setup(0, count, precision), Setup(0, 1, precision))
    return lines
