"""Speed over ranks for docs/reading_scaling.md: measured on the cores of one host, and simulated on a cluster beside what
LogGP predicts."""

import json

from matplotlib.ticker import FuncFormatter, LogLocator

import theme
from sheet import Sheet
from sweeps import plain_power

MESSAGE_S, BYTES_PER_S = 5e-5, 125e6  # of clusters/gbe.xml: two links of 25 us, Gigabit Ethernet


def over_ranks(sheet, lines, ideal):
    """lines: (name, {ranks: 10^9 interactions/s}, line style)"""
    axes, ranks = sheet.axes, sorted(lines[0][1])
    axes.plot(ranks, [ideal * count for count in ranks], color=theme.SOFT, linestyle=":", label="ideal", gid="ideal")
    for number, (name, speeds, style) in enumerate(lines):
        axes.plot(ranks, [speeds[count] for count in ranks], **style, label=name, gid=f"line-{number}")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(ranks, ranks)
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: plain_power(value)))
    axes.minorticks_off()
    axes.set_ylabel("10^9 interactions/s")
    sheet.legend_beside()
    return sheet


def speeds_of(path, key):
    rows = json.loads(path.read_text(encoding="utf-8"))["summary"]
    return {row[key]: (row.get("fastest_interactions_per_s") or row["interactions_per_s"]["median"]) / 1e9 for row in rows}


def measured(results, about):
    """Ranks and threads of the same loop on the cores of one host."""
    ranks, threads = speeds_of(results / "part4_cores_ranks.json", "ranks"), speeds_of(results / "part4_cores_threads.json", "threads")
    sheet = Sheet("part4_measured_scaling", "measured: ranks and threads on one host", about,
                  "Seven rounds: the fastest for one rank or thread, else the median. Ideal: P times the speed of one rank.")
    lines = [("ranks: part4/batches", ranks, theme.series(1)), ("threads: part2/openmp_direct", threads, theme.series(2))]
    over_ranks(sheet, lines, ranks[1]).axes.set_xlabel("ranks or threads")
    return sheet


def predicted(n, rate, ranks):
    """The overlapped ring by LogGP: hops that take the longer of computing and sending a block, and the last block."""
    block_s = n * n / ranks ** 2 / rate
    hop_s = max(block_s, MESSAGE_S + 16 * n / ranks / BYTES_PER_S)
    return n * n / ((ranks - 1) * hop_s + block_s)


def simulated(results):
    """Three rungs on Gigabit Ethernet, and the line that the worksheet's model gives."""
    told = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(results.glob("part4_simulated_*.json"))]
    rate, n = told[0]["rate"], told[0]["rows"][0]["n"]
    sheet = Sheet("part4_simulated_scaling", "simulated: three rungs on Gigabit Ethernet",
                  f"{n} bodies; a rank computes {rate:g} x 10^9 interactions/s",
                  "All lines are simulated by SimGrid except the dashed one: LogGP by hand, L + 2 o = 50 us, 125 MB/s.")
    lines = [(one["name"], {row["ranks"]: row["interactions_per_s"] / 1e9 for row in one["rows"]}, theme.series(number))
             for number, one in enumerate(told, 1)]
    by_hand = {ranks: predicted(n, 1e9 * rate, ranks) / 1e9 for ranks in lines[0][1]}
    lines.append(("overlapped, predicted", by_hand, {"color": theme.SOFT, "linestyle": "--"}))
    over_ranks(sheet, lines, rate).axes.set_xlabel("ranks")
    return sheet
