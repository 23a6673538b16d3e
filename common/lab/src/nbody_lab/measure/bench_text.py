"""What ./lab bench prints of a result: its tables, how the speeds were taken, what was checked, and what disturbed it."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from nbody_lab.core.console import format_table, width, wrapped
from nbody_lab.measure.bench_file import TUNED, BenchResult, BenchRow, Setup, ratio_left_out
from nbody_lab.measure.compare import label_of

NOT_COUNTED = "* not counted: 20, the convention of the literature"


def _plural(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _head(result: BenchResult) -> Iterator[str]:
    context, row = result.context, result.summary[0]
    where = f"bodies: {context.scene}"
    if len(result.setups) == 1:
        threads = _plural(row.threads, "thread")
        where = f"{row.n} bodies ({context.scene}), {row.precision}, {threads}"
    step = "adaptive" if context.adaptive else "fixed"
    rounds = _plural(max(row.rounds for row in result.summary), "round")
    yield f"{context.part}: {where}, {step} step, {rounds}"
    if context.device:
        yield context.device
    clock = f", core at {context.clock_hz / 1e9:.2f} GHz" if context.clock_hz else ""
    load = f", load {context.load_before:.1f} before" if context.load_before else ""
    yield f"{context.cpu}, {context.compiler}{clock}{load}"


def _spread(row: BenchRow) -> str:
    return f"{100 * row.spread:.0f} %" if row.rounds > 1 else "-"


def _times(ratio: float | None) -> str:
    return f"{ratio:.2f}" if ratio else ""


def _shows_parents(result: BenchResult) -> bool:
    """Whether a row builds on another one than the first, with which all are compared anyway."""
    return any(row.parent != result.names[0] and result.parent_of(row) for row in result.summary)


def _compares(result: BenchResult) -> bool:
    """Whether there is another program than the first."""
    return len(result.names) > 1


def _speeds(result: BenchResult) -> str:
    compares, parents = _compares(result), _shows_parents(result)
    columns: list[str] = [
        "implementation",
        ">10^9 interactions/s",
        ">spread",
        ">ms/iteration",
        *([f">x {result.names[0]}"] if compares else []),
        *([">x parent"] if parents else []),
        ">error",
        "verdict",
    ]
    rows = [
        (
            row.name,
            f"{row.speed / 1e9:.3f}",
            _spread(row),
            f"{row.seconds_per_iteration.median * 1e3:.2f}",
            *([_times(result.ratio_to_first(row))] if compares else []),
            *([_times(result.ratio_to_parent(row))] if parents else []),
            "nan" if row.error is None else f"{row.error:.1e}",
            row.verdict,
        )
        if row.speed
        else (row.name, *[""] * (len(columns) - 2), row.verdict)
        for row in result.summary
    ]
    return format_table(columns, rows)


def _work(result: BenchResult, measured: Sequence[BenchRow]) -> str:
    columns = (
        "implementation",
        ">flops/interaction",
        ">Gflop/s",
        ">interactions/cycle, core",
        ">N at 60 steps/s",
    )
    rows = []
    for row in measured:
        flops, cycle = row.flops_per_interaction, result.interactions_per_cycle(row)
        rows.append(
            (
                row.name,
                f"{flops:.1f}{'' if row.flops_counted else '*'}",
                f"{row.speed * flops / 1e9:.2f}",
                f"{cycle:.3f}" if cycle else "",
                row.bodies_at_60_per_s,
            )
        )
    return format_table(columns, rows)


def _tables_of_one_setup(result: BenchResult) -> Iterator[str]:
    yield _speeds(result)
    measured = [row for row in result.summary if row.speed]
    if measured:
        yield f"\n{_work(result, measured)}"
    if not all(row.flops_counted for row in measured):
        yield f"\n  {NOT_COUNTED}"


def _launch(name: str, setup: Setup) -> str:
    """A program, and how it is launched if that was asked for."""
    launch = {word: getattr(setup, word) for word in (*TUNED, "ranks")}
    return ", ".join([name, *(f"{word} {value}" for word, value in launch.items() if value)])


def _table_by_setup(result: BenchResult, text: Callable[[BenchRow], str]) -> str:
    """Programs, each way to launch them, against setups: the more numerous of the two are rows."""
    setups = list(dict.fromkeys(setup.untuned for setup in result.setups))
    launches = {
        _launch(name, row.setup): (name, row.setup)
        for name in result.names
        for row in result.summary
        if row.name == name
    }

    def cell(label: str, setup: Setup) -> str:
        name, launch = launches[label]
        here = launch._replace(n=setup.n, threads=setup.threads, precision=setup.precision)
        row = result.find(name, here)
        return (text(row) if row and row.speed else "") or "-"

    cells = {(label, setup): cell(label, setup) for label in launches for setup in setups}
    of_setups = {setup: label_of(setup, setups) for setup in setups}
    if len(setups) > len(launches):
        titles = ["measured at", *(f">{label}" for label in launches)]
        rows = [
            [of_setups[setup], *(cells[label, setup] for label in launches)] for setup in setups
        ]
    else:
        titles = ["implementation", *(f">{label}" for label in of_setups.values())]
        rows = [[label, *(cells[label, setup] for setup in setups)] for label in launches]
    return format_table(titles, rows)


def _verdicts(result: BenchResult) -> Iterator[str]:
    """What is wrong, and at which setup first."""
    faults: dict[str, str] = {}
    for row in result.summary:
        if not row.is_right:
            where = label_of(row.setup, result.setups)
            faults.setdefault(row.name, f"{row.name}, {where}: {row.verdict}")
    yield from faults.values()
    if not faults:
        yield "verdict: all are right"


def _tables_of_setups(result: BenchResult) -> Iterator[str]:
    yield "10^9 interactions/s (spread)"
    yield _table_by_setup(result, lambda row: f"{row.speed / 1e9:.3f} ({_spread(row)})")
    yield from ("", *_verdicts(result))
    if not any(row.speed for row in result.summary):
        return
    yield "\nms per iteration"
    yield _table_by_setup(result, lambda row: f"{row.seconds_per_iteration.median * 1e3:.4g}")
    if _compares(result):
        yield f"\nx {result.names[0]}"
        yield _table_by_setup(result, lambda row: _times(result.ratio_to_first(row)))


def _method(result: BenchResult) -> Iterator[str]:
    """How the speed was taken, and what was checked in each answer."""
    measured = [row for row in result.summary if row.speed]
    if not measured:
        return
    spent = result.context.seconds_spent
    if spent.all:
        timed, warming, judging = (
            f"{100 * seconds / spent.all:.0f} %"
            for seconds in (spent.timed, spent.warming_up, spent.judging)
        )
        yield (
            f"time: {spent.all:.0f} s; timed requests {timed}, warming up {warming}, asking again {judging}, the rest "
            "new bodies and comparing forces"
        )
    ratios = (
        "; x: the median of the rounds' ratios, since all are timed in turn, so that it need not be the ratio of the "
        "speeds"
    )
    yield f"speed: the median of the rounds{ratios if _compares(result) else ''}"
    if len(result.setups) == 1 and _shows_parents(result):
        yield "x parent: the same ratio, to the version that a row builds on"
    if len(result.setups) == 1:
        yield (
            "N at 60 steps/s: with so many bodies an iteration, N^2 interactions, takes a 60th of a second at this "
            "speed, as smooth motion on a screen needs"
        )
    steps = (
        "and in some answers of each row that all steps were made"
        if all(row.step_count_verified for row in measured)
        else "but not, for every row, that all steps were made"
    )
    yield (
        "verdict: only the timed requests, each with new bodies, were checked: final forces and motion of some bodies, "
        f"{steps}; run ./lab check for the rest"
    )


def _unique_names(rows: Iterable[BenchRow]) -> str:
    return ", ".join(dict.fromkeys(row.name for row in rows))


def _warnings(result: BenchResult) -> Iterator[str]:
    """One line for each kind, whatever the number of rows."""
    if result.context.stopped:
        yield "stopped before all rounds were measured"
    busy = [row for row in result.summary if row.too_busy]
    if busy:
        names = _unique_names(busy)
        example = f" too few free cores; for example {busy[0].name}:" if "," in names else ""
        yield f"{names}:{example} {busy[0].about_cores}"
    others = [row for row in result.summary if row.about_cores and not row.too_busy]
    yield from dict.fromkeys(f"{row.name}: {row.about_cores}" for row in others)
    wide = [row for row in result.summary if row.is_wide and row.speed]
    if wide:
        most = f"{100 * max(row.spread for row in wide):.0f} %"
        spread = f"spreads of up to {most} are" if len(wide) > 1 else f"a spread of {most} is"
        yield f"{_unique_names(wide)}: {spread} too wide to compare with other runs: try again when the machine is quiet"
    without = [row for row in result.summary if result.leaves_out_ratio(row)]
    if without:
        yield f"{ratio_left_out(_unique_names(without))}, or with more --rounds"


def bench_text(result: BenchResult) -> str:
    """As wide as the terminal."""
    columns = width()
    lines = [line for text in _head(result) for line in wrapped(text, "", columns)]
    one_setup = len(result.setups) == 1
    lines += ["", *(_tables_of_one_setup(result) if one_setup else _tables_of_setups(result))]
    for remarks in (_method(result), _warnings(result)):
        below = [line for text in remarks for line in wrapped(f"  {text}", "  ", columns)]
        lines += ["", *below] if below else []
    return "\n".join(lines)
