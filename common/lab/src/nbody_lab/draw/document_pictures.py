"""Pictures of documents, by docs/draw_pictures.py. First the whole lab, from the slow program to a GPU: the rows of
README's table."""

import json

from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from nbody_lab.core.speeds import speed_of
from nbody_lab.draw import theme
from nbody_lab.draw.sheet import Sheet
from nbody_lab.draw.sweeps import plain_power
from nbody_lab.draw.theme import three_digits


class Step:
    """A bar: `rate` in interactions/s; `given`: what a part starts from; `bound`: a ceiling, or another program."""

    def __init__(self, part, label, rate, given=False, bound=False):
        self.part, self.label, self.rate, self.given, self.bound = part, label, rate, given, bound


def journey_picture(steps, footnote):
    """The axis is logarithmic: equal gains have equal widths."""
    first = steps[0]
    sheet = Sheet(
        "journey",
        "From the formulas, word for word, to the limit of a GPU",
        "Interactions per second, float; each line is a factor of ten; dashed: ceilings, and another program",
        footnote,
        height=150 + 27 * len(steps),
    )
    axes = sheet.axes
    left = 10**8
    place, places, ticks = 0.0, [], []
    part = first.part
    for step in steps:
        if step.part != part:
            place, part = place + 0.5, step.part
        colour = theme.GIVEN if step.given else theme.BAR
        axes.barh(
            place,
            step.rate - left,
            left=left,
            height=0.74,
            color=theme.WHITE if step.bound else colour,
            edgecolor=theme.SOFT if step.bound else theme.QUIET,
            linestyle="--" if step.bound else "-",
            linewidth=0.9,
            gid=f"bar-{step.part}-{step.label}",
        )
        axes.text(step.rate * 1.08, place, three_digits(step.rate / 1e9), va="center", fontsize=9)
        places.append(place)
        ticks.append(step.label)
        place += 1
    axes.set_yticks(places, ticks)
    axes.set_ylim(place - 0.4, -0.6)
    axes.set_xscale("log")
    axes.set_xlim(left, 1.2e13)
    axes.set_xticks([10.0**k for k in range(8, 14)], [f"10^{k}" for k in range(8, 14)])
    axes.minorticks_off()
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")
    axes.set_xlabel("interactions per second; beside the bars in 10^9")
    return sheet


# Speed over the number of bodies for solutions/part3_cuda/beyond_the_peak.md, with the limits that it explains.


def beyond_the_peak(file, about):
    told = json.loads(file.read_text(encoding="utf-8"))
    sheet = Sheet(
        "part3_beyond_the_peak",
        "faster than the peak: forces by matrix units",
        about,
        "Dotted: the limit of one kind of unit alone. The peak of the float units assumes 20 flops per interaction.",
    )
    axes = sheet.axes
    for number, name in enumerate(dict.fromkeys(row["name"] for row in told["summary"]), 1):
        rows = [row for row in told["summary"] if row["name"] == name]
        axes.plot(
            [row["n"] for row in rows],
            [row["interactions_per_s"]["median"] / 1e9 for row in rows],
            **theme.series(number),
            label=name,
            gid=f"line-{number}",
        )
    bodies = sorted({row["n"] for row in told["summary"]})
    for limit in told["limits"]:
        height = limit["interactions_per_s"] / 1e9
        axes.axhline(height, color=theme.SOFT, linestyle=":")
        axes.annotate(
            limit["name"],
            (bodies[-1], height),
            (0, 3),
            textcoords="offset points",
            color=theme.SOFT,
            ha="right",
        )
    axes.set_xscale("log", base=2)
    axes.set_xticks(bodies, bodies)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_ylim(0, 1.1 * max(limit["interactions_per_s"] for limit in told["limits"]) / 1e9)
    axes.yaxis.set_major_formatter(
        FuncFormatter(lambda value, _: plain_power(value) if value else "0")
    )
    axes.set_xlabel("bodies")
    axes.set_ylabel("10^9 interactions/s")
    sheet.legend_beside()
    return sheet


# Speed over ranks for docs/reading_scaling.md: measured on the cores of one host, and simulated on a cluster beside
# what LogGP predicts.
MESSAGE_S, BYTES_PER_S = 5e-5, 125e6  # of clusters/gbe.xml: two links of 25 us, Gigabit Ethernet


def over_ranks(sheet, lines, ideal):
    """lines: (name, {ranks: 10^9 interactions/s}, line style)"""
    axes, ranks = sheet.axes, sorted(lines[0][1])
    axes.plot(
        ranks,
        [ideal * count for count in ranks],
        color=theme.SOFT,
        linestyle=":",
        label="ideal",
        gid="ideal",
    )
    for number, (name, speeds, style) in enumerate(lines):
        axes.plot(
            ranks, [speeds[count] for count in ranks], **style, label=name, gid=f"line-{number}"
        )
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
    return {row[key]: speed_of(row) / 1e9 for row in rows}


def measured(results, about):
    """Ranks and threads of the same loop on the cores of one host."""
    ranks, threads = (
        speeds_of(results / "part4_cores_ranks.json", "ranks"),
        speeds_of(results / "part4_cores_threads.json", "threads"),
    )
    sheet = Sheet(
        "part4_measured_scaling",
        "measured: ranks and threads on one host",
        about,
        "Seven rounds: their median, of one rank or thread the fastest. Ideal: P times the speed of one rank.",
    )
    lines = [
        ("ranks: part4/batches", ranks, theme.series(1)),
        ("threads: part2/openmp_direct", threads, theme.series(2)),
    ]
    over_ranks(sheet, lines, ranks[1]).axes.set_xlabel("ranks or threads")
    return sheet


def predicted(n, rate, ranks):
    """The overlapped ring by LogGP: hops that take the longer of computing and sending a block, and the last block."""
    block_s = n * n / ranks**2 / rate
    hop_s = max(block_s, MESSAGE_S + 16 * n / ranks / BYTES_PER_S)
    return n * n / ((ranks - 1) * hop_s + block_s)


def simulated(results):
    """Three rungs on Gigabit Ethernet, and the line that the worksheet's model gives."""
    told = [
        json.loads(file.read_text(encoding="utf-8"))
        for file in sorted(results.glob("part4_simulated_*.json"))
    ]
    rate, n = told[0]["rate"], told[0]["rows"][0]["n"]
    sheet = Sheet(
        "part4_simulated_scaling",
        "simulated: three rungs on Gigabit Ethernet",
        f"{n} bodies; a rank computes {rate:g} x 10^9 interactions/s",
        "All lines are simulated by SimGrid except the dashed one: LogGP by hand, L + 2 o = 50 us, 125 MB/s.",
    )
    lines = [
        (
            one["name"],
            {row["ranks"]: row["interactions_per_s"] / 1e9 for row in one["rows"]},
            theme.series(number),
        )
        for number, one in enumerate(told, 1)
    ]
    by_hand = {ranks: predicted(n, 1e9 * rate, ranks) / 1e9 for ranks in lines[0][1]}
    lines.append(("overlapped, predicted", by_hand, {"color": theme.SOFT, "linestyle": "--"}))
    over_ranks(sheet, lines, rate).axes.set_xlabel("ranks")
    return sheet
