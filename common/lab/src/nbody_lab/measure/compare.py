"""Do two speeds differ? Two results side by side."""

from collections.abc import Sequence

from nbody_lab.core.console import format_table
from nbody_lab.core.words import plural
from nbody_lab.measure.bench_file import WIDEST_SPREAD, BenchResult, BenchRow, Setup


def difference(after: BenchRow, before: BenchRow) -> str:
    """Do two speeds differ by more than repeats of one measurement do? By the wider spread of the two."""
    ratio, spread = after.speed / before.speed, max(after.spread, before.spread)
    times, percent = f"{ratio:.3g}", f"the spread of {100 * spread:.0f} %"
    if min(after.rounds, before.rounds) < 2:
        return f"{times} of a single round, which has no spread: nothing shown"
    if spread > WIDEST_SPREAD:
        return f"{times}: {percent} is too wide to tell"
    if max(ratio, 1 / ratio) - 1 <= spread:
        return f"{times} is inside {percent}: no difference shown"
    return f"{times}: {'faster' if ratio > 1 else 'slower'}, outside {percent}"


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


def _verdict(before: BenchRow | None, after: BenchRow | None) -> str:
    if not before or not after:
        return f"only in the {'first' if before else 'second'}"
    if without := next((row for row in (before, after) if not row.speed), None):
        return f"not measured: {without.verdict}"
    flags = "" if after.flags == before.flags else f"; now {after.flags}"
    return f"{difference(after, before)}{flags}"


def compare_text(before: BenchResult, after: BenchResult) -> str:
    """Two results, program by program, and what must be equal for a ratio to compare the programs."""
    setups, rows = list(dict.fromkeys([*before.setups, *after.setups])), []
    for setup in setups:
        for name in dict.fromkeys([*before.names, *after.names]):
            pair = before.find(name, setup), after.find(name, setup)
            if any(pair):
                speeds = [f"{row.speed / 1e9:.3f}" if row and row.speed else "-" for row in pair]
                rows.append((name, label_of(setup, setups), *speeds, _verdict(*pair)))
    heads = [
        f"not the same {what}: {first} and {second}"
        for what in ("part", "cpu", "device", "compiler", "scene", "step")
        for first, second in [(getattr(before.context, what), getattr(after.context, what))]
        if first != second
    ]
    columns = ("implementation", "measured at", ">first", ">second", "second / first")
    return "\n".join([*heads, "10^9 interactions/s", "", format_table(columns, rows)])
