"""What ./lab bench prints of a result: its table, how the speeds were taken, what was checked, and what disturbed it; and of
two results, whether their speeds differ."""

from collections.abc import Iterable, Iterator, Sequence

from nbody_lab.core.console import format_table, wrapped
from nbody_lab.core.words import plural
from nbody_lab.measure.bench_file import WIDEST_SPREAD, BenchResult, BenchRow, Setup


def _head(result: BenchResult) -> Iterator[str]:
    context, row = result.context, result.summary[0]
    where = f"bodies: {context.scene}"
    if len(result.setups) == 1:
        threads = plural(row.threads, "thread")
        where = f"{row.n} bodies ({context.scene}), {row.precision}, {threads}"
    rounds = plural(max(row.rounds for row in result.summary), "round")
    yield f"{context.part}: {where}, {context.step} step, {rounds}"
    if context.device:
        yield context.device
    clock = f", core at {context.clock_hz / 1e9:.2f} GHz" if context.clock_hz else ""
    yield f"{context.cpu}, {context.compiler}{clock}"


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


def _times(ratio: float | None) -> str:
    return f"{ratio:.2f}" if ratio else ""


def _cells(result: BenchResult, row: BenchRow) -> dict[str, str]:
    """Of one row, by column."""
    cells = {"implementation": row.name}
    if len(result.setups) > 1:
        cells["measured at"] = label_of(row.setup, result.setups)
    if row.speed:
        flops, counted = row.flops_per_interaction, "" if row.flops_counted else "*"
        cells |= {
            ">10^9/s": f"{row.speed / 1e9:.3f}",
            ">spread": f"{100 * row.spread:.0f} %" if row.rounds > 1 else "-",
            ">ms/iteration": f"{row.seconds_per_iteration.median * 1e3:.4g}",
            ">Gflop/s": f"{row.speed * flops / 1e9:.2f}",
            ">flops": f"{flops:.3g}{counted}",
        }
        if len(result.names) > 1:
            cells[f">x {result.names[0]}"] = _times(result.ratio_to_first(row))
        # Where a row builds on another one than the first, with which all are compared anyway.
        if any(one.parent != result.names[0] and result.parent_of(one) for one in result.summary):
            cells[">x parent"] = _times(result.ratio_to_parent(row))
        cells[">error"] = "nan" if row.error is None else f"{row.error:.1e}"
    return cells | {"verdict": row.verdict}


def _method(result: BenchResult) -> Iterator[str]:
    """How the speed was taken, and what was checked in each answer."""
    measured = [row for row in result.summary if row.speed]
    if not measured:
        return
    yield "10^9/s: interactions per second, the median of the rounds; Gflop/s: with so many flops for each"
    if not all(row.flops_counted for row in measured):
        yield "* not counted: 20, the convention of the literature"
    if len(result.names) > 1:
        yield (
            "x: the median of the rounds' ratios, since all are timed in turn, so that it need not be the ratio of the "
            "speeds; x parent: to the version that a row builds on"
        )
    verified = all(row.step_count_verified for row in measured)
    yield (
        "verdict: only the timed requests, each with new bodies, were checked: final forces and motion of some bodies"
        f"{'' if verified else ', but not, for every row, that all steps were made'}; run ./lab check for the rest"
    )


def _warnings(result: BenchResult) -> Iterator[str]:
    """One line for each kind, whatever the number of rows."""

    def names(rows: Iterable[BenchRow]) -> str:
        return ", ".join(dict.fromkeys(row.name for row in rows))

    if result.context.stopped:
        yield "stopped before all rounds were measured"
    busy = [row for row in result.summary if row.too_busy]
    if busy:
        yield f"{names(busy)}: {busy[0].about_cores}"
    others = [row for row in result.summary if row.about_cores and not row.too_busy]
    yield from dict.fromkeys(f"{row.name}: {row.about_cores}" for row in others)
    wide = [row for row in result.summary if row.is_wide and row.speed]
    if wide:
        most = f"{100 * max(row.spread for row in wide):.0f} %"
        yield (
            f"{names(wide)}: a spread of up to {most} is too wide to compare with other runs: try again when the "
            "machine is quiet"
        )
    without = [
        row
        for row in result.summary
        for other in (result.first_beside(row), result.parent_of(row))
        if other and row.leaves_out_ratio(other)
    ]
    if without:
        yield (
            f"{names(without)}: x is left out, since its rounds differ by more than {100 * WIDEST_SPREAD:.0f} %: try "
            "again when the machine is quiet, or with more --rounds"
        )


def bench_text(result: BenchResult) -> str:
    """As wide as the terminal."""
    rows = [_cells(result, row) for row in result.summary]
    columns = max(map(list, rows), key=len)
    table = format_table(columns, ([row.get(column, "") for column in columns] for row in rows))
    lines = [line for text in _head(result) for line in wrapped(text)] + ["", table]
    for remarks in (_method(result), _warnings(result)):
        below = [line for text in remarks for line in wrapped(f"  {text}", "  ")]
        lines += ["", *below] if below else []
    return "\n".join(lines)


# --- two results ---


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
