"""Pictures of studies: integrators (./lab bench PART --study energy), copies (--study copies), ranks on simulated clusters
(--simulated) and on the cores of one host."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from nbody_lab.core.messages import UserError
from nbody_lab.core.study_results import (
    EnergyRow,
    EnergySeries,
    EnergyStudy,
    Simulated,
    SimulatedRow,
)
from nbody_lab.draw import theme
from nbody_lab.draw.bench import RATE, short
from nbody_lab.draw.sheet import Sheet, Ticks, set_log_ticks

# --- integrators: error against cost and against time --------------------------------------------

_SCHEMES = (
    "euler",
    "eq45",
    "semi-implicit",
    "kdk",
    "kdk-symmetric",
    "dkd",
    "yoshida4",
    "rk4",
    "hermite4",
)


def pictures_of_energies(study: EnergyStudy) -> list[Sheet]:
    """All that the study has data for."""
    series = [row for row in study.rows if isinstance(row, EnergySeries)]
    others = [row for row in study.rows if not isinstance(row, EnergySeries)]
    costly = [row for row in others if "stars" in row.experiment]
    unsafe = [row for row in others if "not softened" in row.experiment]
    safe = [row for row in others if row not in costly and row not in unsafe]
    sheets = [
        _errors_against_cost(study, rows, cost, f"energy_{name}", title)
        for rows, cost, name, title in (
            (safe, "evaluations", "by_evaluations", "Energy error against force evaluations"),
            (costly, "seconds", "by_seconds", "Energy error against seconds"),
            (unsafe, "evaluations", "of_close_meetings", "Energy error in close encounters"),
        )
        if rows
    ]
    return [*sheets, _errors_along_time(study, series)] if series else sheets


def _least_by(title: str, panels: Sequence[Sequence[EnergyRow]]) -> str:
    """Which scheme errs least, in how many of the panels."""
    errors = [{row.largest_error: row.scheme for row in reversed(rows)} for rows in panels]
    best = [own[min(filter(None, own))] for own in errors if any(own)]
    if not best:
        return title
    scheme, count = Counter(best).most_common(1)[0]
    if count == 1:
        return f"{title}: least by {' and '.join(best)}"
    return f"{title}: least by {scheme} in {count} of {len(best)}"


def _errors_against_cost(
    study: EnergyStudy, rows: Sequence[EnergyRow], cost: str, name: str, title: str
) -> Sheet:
    """One panel per experiment and precision."""
    panels: dict[str, list[EnergyRow]] = {}
    for row in rows:
        panels.setdefault(f"{row.experiment}, {row.precision}", []).append(row)
    columns = min(2, len(panels))
    lines = math.ceil(len(panels) / columns)
    sheet = Sheet(
        name,
        _least_by(title, list(panels.values())),
        "",
        _source(study),
        width=900 if columns == 2 else 620,
        height=120 + 270 * lines + (0 if columns == 2 else 60),
        rows=lines,
        columns=columns,
    )
    for axes, (words, own) in zip(sheet.all_axes, panels.items()):
        _draw_errors(axes, own, cost)
        axes.set_title(words)
    for axes in sheet.all_axes[::columns]:
        axes.set_ylabel("largest |E - E0| / |E0|")
    sheet.legend_beside(sheet.all_axes[columns - 1])
    return sheet


def _draw_errors(axes: Axes, rows: Sequence[EnergyRow], cost: str) -> None:
    for scheme in _SCHEMES:
        own = [row for row in rows if row.scheme == scheme and row.largest_error]
        if own:
            costs, errors = zip(*((getattr(row, cost), row.largest_error) for row in own))
            axes.plot(costs, errors, gid=f"line-{scheme}", **_look(scheme))
    if cost == "evaluations":
        axes.set_xlabel("force evaluations")
        ticks = sorted({row.evaluations // 100 * 100 or row.evaluations for row in rows})[::2]
        millions = {tick: f"{tick // 10**6} million" for tick in ticks if tick % 10**6 == 0}
        set_log_ticks(axes, ticks, [millions.get(tick, str(tick)) for tick in ticks])
    else:
        axes.set_xlabel("seconds")
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.minorticks_off()
    _set_axis_of_errors(axes)


def _errors_along_time(study: EnergyStudy, rows: Sequence[EnergySeries]) -> Sheet:
    panels: dict[str, list[EnergySeries]] = {}
    for row in rows:
        panels.setdefault(row.experiment, []).append(row)
    sheet = Sheet(
        "energy_along_time",
        _least_by("Energy error of two bodies over 1000 orbits", list(panels.values())),
        "|E - E0| / |E0|, largest so far",
        _source(study),
        height=640,
        rows=len(panels),
        sharex=True,
    )
    for axes, (experiment, own) in zip(sheet.all_axes, panels.items()):
        for row in own:
            sizes = [math.inf if error is None else abs(error) for error in row.errors]
            turns = [time / (2 * math.pi) for time in row.times]
            axes.plot(turns, list(accumulate(sizes, max)), **_look(row.scheme) | {"marker": ""})
        _set_axis_of_errors(axes)
        axes.set_ylabel("largest so far")
        axes.set_title(experiment.split(", ")[-1])
        sheet.legend_beside(axes)
    sheet.all_axes[-1].set_xlabel("turns")
    return sheet


def _look(scheme: str) -> theme.Look:
    """The same in every picture."""
    return theme.series(_SCHEMES.index(scheme)) | {"label": scheme}


def _source(study: EnergyStudy) -> str:
    program = f"{study.part}/{study.name}, {study.cpu}, {study.date}"
    return f"{program}. E: kinetic and potential energy, in double."


def _set_axis_of_errors(axes: Axes) -> None:
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(numticks=8))
    axes.yaxis.set_major_formatter(Ticks())
    axes.yaxis.set_minor_locator(NullLocator())


# --- copies: where the time of an iteration on the GPU goes --------------------------------------

_SHARES = {
    "copies": theme.SERIES[2],
    "kernels": theme.SERIES[6],
    "allocations": theme.SERIES[5],
    "host, launches": theme.QUIET,
}


def read_copies(path: Path) -> tuple[str, list[list[float]]]:
    """(head, [[N, percents in the order of _SHARES]]) of the table that the study prints."""
    try:
        head, _, *lines = path.read_text(encoding="utf-8").splitlines()
        rows = [[float(word) for word in line.split()] for line in lines if line.strip()]
    except OSError as fault:
        raise UserError(f"{path} cannot be read: {fault.strerror}") from fault
    except ValueError:
        rows = []
    if not rows or any(len(row) != 1 + len(_SHARES) for row in rows):
        raise UserError(f"{path} is not a table written by ./lab bench part3 --study copies")
    return head, rows


def picture_of_copies(head: str, rows: Sequence[Sequence[float]]) -> Sheet:
    """One stacked bar per N."""
    name, _, rest = head.partition(",")
    device, _, day = rest.partition("; ")[2].rpartition("; ")
    sizes = [short(int(row[0])) for row in rows]
    first, last = (f"{rows[k][1]:.0f} % at {sizes[k]} bodies" for k in (0, -1))
    sheet = Sheet(
        "copies",
        f"{name}: copies take {first}, {last}",
        "where the time of an iteration goes; float, adaptive step",
        f"{device.split(', built with')[0]}; {day}",
    )
    axes, bottom = sheet.axes, [0.0] * len(rows)
    for k, (label, colour) in enumerate(_SHARES.items(), 1):
        shares = [row[k] for row in rows]
        look: theme.Look = {"color": colour, "label": label, "gid": f"bars-{label}"}
        axes.bar(range(len(rows)), shares, 0.7, bottom, **look)
        bottom = [low + share for low, share in zip(bottom, shares)]
    axes.set_xticks(range(len(rows)), sizes)
    axes.set(ylim=(0, 100), xlabel="bodies N", ylabel="percent of the wall-clock time")
    axes.grid(False, axis="x")
    sheet.legend_beside(reverse=True)
    return sheet


# --- ranks: speed on simulated clusters and on the cores of one host ----------------------------

Speeds = Mapping[int, float]  # by the number of ranks, in 10⁹ interactions/s
_Line = tuple[str, Speeds, theme.Look]  # with its name

# Of clusters/gbe.xml: two links of 25 us, Gigabit Ethernet
_MESSAGE_S, _BYTES_PER_S = 5e-5, 125e6


def pictures_of_simulated(result: Simulated) -> list[Sheet]:
    """Speed against ranks, and what the ranks do, for the most that have times."""
    with_times = [row for row in result.rows if row.spans and row.ranks > 1]
    sheets = [_scaling_of_one(result)] if len(result.rows) > 1 else []
    return sheets + [_timeline(result, row) for row in with_times[-1:]]


def _scaling(
    name: str, found: str, about: str, note: str, lines: Sequence[_Line], ideal: float, label: str
) -> Sheet:
    """Lines over the number of ranks, and `ideal` times that number."""
    sheet, ranks = Sheet(name, found, about, note), sorted(lines[0][1])
    axes, perfect = sheet.axes, [ideal * count for count in ranks]
    axes.plot(ranks, perfect, color=theme.SOFT, linestyle=":", label="ideal", gid="ideal")
    for number, (words, speeds, look) in enumerate(lines):
        heights = [speeds[count] for count in ranks]
        axes.plot(ranks, heights, **look, label=words, gid=f"line-{number}")
    axes.set_yscale("log")
    set_log_ticks(axes, ranks, base=2)
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(Ticks())
    axes.set(xlabel=label, ylabel=RATE)
    sheet.legend_beside()
    return sheet


def _speeds_of(result: Simulated) -> Speeds:
    return {row.ranks: row.interactions_per_s / 1e9 for row in result.rows}


def _about(result: Simulated) -> str:
    return f"{result.bodies_in_words()}; a rank computes {result.rate:g} x {RATE}"


def _scaling_of_one(result: Simulated) -> Sheet:
    program, most = f"part4/{result.name} on {result.network}", result.rows[-1]
    sheet = _scaling(
        f"{result.name}_{result.network}_scaling",
        f"simulated: {program}: {most.ranks} ranks reach {100 * most.efficiency:.0f} % of the ideal",
        _about(result),
        "All figures are simulated by SimGrid, none is measured. Ideal: ranks that never wait.",
        [(result.name, _speeds_of(result), theme.series(1))],
        result.rate,
        "ranks",
    )
    for row in result.rows:
        words, place = f"{100 * row.efficiency:.0f} %", (row.ranks, row.interactions_per_s / 1e9)
        sheet.axes.annotate(words, place, (6, -12), **theme.OFFSET)
    return sheet


def _timeline(result: Simulated, row: SimulatedRow) -> Sheet:
    """A bar where a rank computes, nothing where it sends or waits."""
    program, count = f"part4/{result.name} on {result.network}", len(row.spans)
    sheet = Sheet(
        f"{result.name}_{result.network}_ranks",
        f"simulated: {program}: {count} ranks compute {100 * row.computing:.0f} % of the time",
        f"one iteration; {_about(result)}",
        "A bar: the rank computes. Between the bars it sends, receives or waits.",
        height=200 + 28 * count,
    )
    axes = sheet.axes
    for rank, ends in enumerate(row.spans):
        bars = [(1e3 * begin, 1e3 * (end - begin)) for begin, end in zip(ends[::2], ends[1::2])]
        colours = [theme.SERIES[1], theme.SERIES[6]] * len(bars)
        axes.broken_barh(bars, (rank - 0.38, 0.76), facecolors=colours, gid=f"bars-{rank}")
    axes.set_yticks(range(count), [f"rank {rank}" for rank in range(count)])
    axes.invert_yaxis()
    axes.set(xlim=(0, 1e3 * row.seconds), xlabel="ms")
    axes.grid(False, axis="y")
    return sheet


def measured_scaling(ranks: Speeds, threads: Speeds, subtitle: str) -> Sheet:
    """Ranks and threads of the same loop on the cores of one host."""
    reached = ", ".join(
        f"{(most := max(speeds))} {what} reach {100 * speeds[most] / most / ranks[1]:.0f} %"
        for what, speeds in (("ranks", ranks), ("threads", threads))
    )
    return _scaling(
        "part4_measured_scaling",
        f"measured on one host: {reached} of the ideal",
        subtitle,
        "Seven rounds: their median, of one rank or thread the fastest. Ideal: P times the speed of one rank.",
        [
            ("ranks: part4/batches", ranks, theme.series(1)),
            ("threads: part2/openmp_direct", threads, theme.series(2)),
        ],
        ranks[1],
        "ranks or threads",
    )


def simulated_scaling(results: Sequence[Simulated]) -> Sheet:
    """Rungs on Gigabit Ethernet, and the line that the worksheet's model gives."""
    first = results[0]
    best = max((one.rows[-1].efficiency, one.name) for one in results)
    share = f"{best[1]} reaches {100 * best[0]:.0f} % of the ideal"
    lines = [(one.name, _speeds_of(one), theme.series(k)) for k, one in enumerate(results, 1)]
    by_hand = {
        row.ranks: predict_ring(row.n, 1e9 * first.rate, row.ranks) / 1e9 for row in first.rows
    }
    lines.append(("overlapped, predicted", by_hand, {"color": theme.SOFT, "linestyle": "--"}))
    return _scaling(
        "part4_simulated_scaling",
        f"simulated: with {first.rows[-1].ranks} ranks {share}, the most",
        f"Gigabit Ethernet; {_about(first)}",
        "All lines are simulated by SimGrid except the dashed one: LogGP by hand, L + 2 o = 50 us, 125 MB/s.",
        lines,
        first.rate,
        "ranks",
    )


def predict_ring(n: int, rate: float, ranks: int) -> float:
    """Interactions/s of the overlapped ring by LogGP: hops that take the longer of computing and sending a block, and
    the last block."""
    block_s = n * n / ranks**2 / rate
    hop_s = max(block_s, _MESSAGE_S + 16 * n / ranks / _BYTES_PER_S)
    return n * n / ((ranks - 1) * hop_s + block_s)
