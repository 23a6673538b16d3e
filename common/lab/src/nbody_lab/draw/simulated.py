"""Pictures of ./lab simulate: speed against ranks, and what each rank does in one iteration."""

import json
from pathlib import Path

from matplotlib.ticker import FuncFormatter

from nbody_lab.draw import theme
from nbody_lab.draw.bench_result import NoResult
from nbody_lab.draw.sheet import Sheet
from nbody_lab.draw.sweeps import plain_power


def read_simulated(path):
    try:
        told = json.loads(Path(path).read_text(encoding="utf-8"))
        if told["what"] != "simulated" or not told["rows"]:
            raise ValueError
    except OSError as fault:
        raise NoResult(f"{path} cannot be read: {fault.strerror}") from fault
    except (ValueError, KeyError, TypeError) as fault:
        raise NoResult(f"{path} was not written by ./lab simulate") from fault
    return told


def about(told):
    bodies = (
        f"{told['per_rank']} bodies for one rank, sqrt(P) times as many for P ranks"
        if told["per_rank"]
        else f"{told['rows'][0]['n']} bodies"
    )
    return f"{bodies}; a rank computes {told['rate']:g} x 10^9 interactions/s"


def scaling(told):
    rows, rate = told["rows"], told["rate"]
    sheet = Sheet(
        f"{told['name']}_{told['network']}_scaling",
        f"simulated: part4/{told['name']} on {told['network']}",
        about(told),
        "All figures are simulated by SimGrid, none is measured. Ideal: ranks that never wait.",
    )
    axes, ranks = sheet.axes, [row["ranks"] for row in rows]
    axes.plot(
        ranks,
        [rate * count for count in ranks],
        color=theme.SOFT,
        linestyle=":",
        label="ideal",
        gid="ideal",
    )
    axes.plot(
        ranks,
        [row["interactions_per_s"] / 1e9 for row in rows],
        **theme.series(1),
        label=told["name"],
        gid="line-speed",
    )
    for row in rows:
        axes.annotate(
            f"{100 * row['efficiency']:.0f} %",
            (row["ranks"], row["interactions_per_s"] / 1e9),
            textcoords="offset points",
            xytext=(6, -12),
            fontsize=9,
        )
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(ranks, ranks)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: plain_power(value)))
    axes.minorticks_off()
    axes.set_xlabel("ranks")
    axes.set_ylabel("10^9 interactions/s")
    sheet.legend_beside()
    return sheet


def timeline(told):
    """For the largest number of ranks with times: a bar where a rank computes, nothing where it sends or waits."""
    row = [row for row in told["rows"] if row["spans"]][-1]
    sheet = Sheet(
        f"{told['name']}_{told['network']}_ranks",
        f"simulated: one iteration of part4/{told['name']} on {told['network']}",
        about(told),
        "A bar: the rank computes. Between the bars it sends, receives or waits.",
        height=200 + 28 * len(row["spans"]),
    )
    axes = sheet.axes
    for rank, ends in enumerate(row["spans"]):
        bars = [(1e3 * begin, 1e3 * (end - begin)) for begin, end in zip(ends[::2], ends[1::2])]
        axes.broken_barh(
            bars,
            (rank - 0.38, 0.76),
            facecolors=[theme.SERIES[1], theme.SERIES[6]] * len(bars),
            gid=f"bars-{rank}",
        )
    axes.set_yticks(range(len(row["spans"])), [f"rank {rank}" for rank in range(len(row["spans"]))])
    axes.invert_yaxis()
    axes.set_xlim(0, 1e3 * row["seconds"])
    axes.grid(False, axis="y")
    axes.set_xlabel("ms")
    return sheet


def sheets_of(told):
    kept = [row for row in told["rows"] if row["spans"] and row["ranks"] > 1]
    return [scaling(told)] * (len(told["rows"]) > 1) + ([timeline(told)] if kept else [])
