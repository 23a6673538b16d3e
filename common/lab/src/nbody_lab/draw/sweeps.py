"""Line pictures along one axis: bodies, threads, block size, unroll factor."""

import math

from matplotlib.ticker import FuncFormatter

from nbody_lab.draw import theme
from nbody_lab.draw.bench_result import Result, lines_of, pieces, ranks, threads
from nbody_lab.draw.sheet import Sheet
from nbody_lab.draw.theme import FLOPS


def spread(row, value):
    """How far the middle half of the rounds reaches below and above, by `value` of interactions/s; never negative."""
    middle = value(row.judged)
    ends = [value(row.rate["lower_quartile"]), value(row.rate["upper_quartile"])]
    return max(middle - min(ends), 0), max(max(ends) - middle, 0)


def draw_lines(axes, result, axis, value_of):
    """`value_of`(row) -> a function from interactions/s to what is drawn."""
    values = result.values(axis)
    for k, (label, rows) in enumerate(lines_of(result, axis)):
        look = theme.series(k)
        for j, run in enumerate(pieces(rows, axis, values)):
            heights = [value_of(row)(row.judged) for row in run]
            below_above = list(zip(*(spread(row, value_of(row)) for row in run)))
            drawn = axes.errorbar(
                [getattr(row, axis) for row in run],
                heights,
                yerr=below_above,
                **look,
                elinewidth=1.4,
                label=label if j == 0 else "_more",
            )
            drawn.lines[0].set_gid(f"line-{label}-{j + 1}")


def short(n):
    """4096 -> '4096', 131072 -> '128 Ki': powers of two by their usual name."""
    return f"{n >> 10} Ki" if n >= 8192 and n % 1024 == 0 else str(n)


def along_bodies(axes, result):
    values = result.values("n")
    axes.set_xscale("log")
    axes.set_xticks(values, [short(n) for n in values], rotation=45 if len(values) > 8 else 0)
    axes.minorticks_off()
    axes.set_xlim(values[0] * 0.9, values[-1] * 1.1)
    axes.set_xlabel("bodies N")


def plain_power(value: float) -> str:
    """Short numbers as they are, longer ones as a power of ten."""
    return f"{value:g}" if 1e-3 <= value <= 1e4 else f"10^{round(math.log10(value))}"


def seconds_scale(most):
    return next(
        ((unit, name) for unit, name in ((1, "s"), (1e-3, "ms"), (1e-6, "us")) if most >= unit),
        (1e-6, "us"),
    )


def about(result, *more):
    """The conditions that all rows share."""
    words = []
    if len(result.values("n")) == 1:
        words.append(f"N = {result.rows[0].n}")
    if len(result.values("threads")) == 1 and not result.context.get("device"):
        words.append(threads(result.rows[0].threads))
    if result.rows[0].ranks and len(result.values("ranks")) == 1:
        words.append(ranks(result.rows[0].ranks))
    if len(result.values("precision")) == 1:
        words.append(result.rows[0].precision)
    return ", ".join([*words, *more])


def time_by_bodies(result):
    sheet = Sheet("time", f"{result.part}: time of one iteration", about(result), result.footnote())
    axes = sheet.axes
    _, anchor_rows = lines_of(result, "n")[0]
    anchor = anchor_rows[-1]
    unit, name = seconds_scale(anchor.n**2 / anchor.judged)
    draw_lines(axes, result, "n", lambda row: lambda rate: row.n**2 / rate / unit)
    ends = [result.values("n")[0], result.values("n")[-1]]
    floor = min(row.n**2 / row.judged for row in result.rows) / unit
    guide = [2 * anchor.n**2 / anchor.judged / unit * (n / anchor.n) ** 2 for n in ends]
    axes.plot(ends, guide, color=theme.QUIET, linestyle=":", label="as N squared", gid="guide")
    axes.set_yscale("log")
    axes.set_ylim(bottom=floor / 2)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: plain_power(value)))
    axes.set_ylabel(f"time of one iteration ({name})")
    along_bodies(axes, result)
    sheet.legend_beside()
    return sheet


def ratio_by_bodies(result):
    first = result.rows[0].name
    base = {
        (row.n, row.precision): row.judged for row in reversed(result.rows) if row.name == first
    }
    kept = Result(result.context, [row for row in result.rows if (row.n, row.precision) in base])
    sheet = Sheet(
        "ratio",
        f"{result.part}: speed in multiples of {first}, at the same number of bodies",
        about(result),
        result.footnote(),
    )
    draw_lines(sheet.axes, kept, "n", lambda row: lambda rate: rate / base[row.n, row.precision])
    log_of_plain_numbers(sheet.axes, kept, lambda row: row.judged / base[row.n, row.precision])
    sheet.axes.set_ylabel(f"x {first}")
    along_bodies(sheet.axes, kept)
    sheet.legend_beside()
    return sheet


def log_of_plain_numbers(axes, result, value):
    """A logarithmic axis whose ticks are 1, 2, 5, 10, ...; a plain one from 0 where that shows as much."""
    heights = [value(row) for row in result.rows]
    low, high = min(heights) / 1.3, max(heights) * 1.3
    if high < 8 * low:
        axes.set_ylim(0, high)
        return
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [step * 10.0**k for k in decades for step in (1, 2, 5) if low <= step * 10.0**k <= high]
    axes.set_yscale("log")
    axes.set_ylim(low, high)
    axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()


def flops_scale(most):
    return next(
        (unit, name)
        for unit, name in ((1e12, "Tflop/s"), (1e9, "Gflop/s"), (1, "flop/s"))
        if most >= unit
    )


def flops_by_bodies(result):
    """Where the peak is known, how near to it."""
    peak = result.context.get("device_peak_flops_per_s", 0)
    most = max([peak, *(FLOPS * row.rate["upper_quartile"] for row in result.rows)])
    unit, name = flops_scale(most)
    sheet = Sheet(
        "flops",
        f"{result.part}: {name} against the number of bodies",
        about(result, f"by {FLOPS} flops per interaction"),
        result.footnote(),
    )
    draw_lines(sheet.axes, result, "n", lambda row: lambda rate: FLOPS * rate / unit)
    if peak:
        sheet.axes.axhline(
            peak / unit, color=theme.QUIET, linestyle=":", label="peak of the device", gid="peak"
        )
        right = sheet.axes.secondary_yaxis(
            "right", functions=(lambda y: 100 * y * unit / peak, lambda p: p / 100 * peak / unit)
        )
        right.set_ylabel("percent of the peak")
    sheet.axes.set_ylim(0, 1.08 * most / unit)
    sheet.axes.set_ylabel(name)
    along_bodies(sheet.axes, result)
    sheet.axes.legend(loc="upper left", bbox_to_anchor=(1.12 if peak else 1.01, 1), borderaxespad=0)
    return sheet


def by_workers(result, axis):
    """What more threads or ranks gain, for the largest N: fewer bodies tell about starting threads, which `./lab bench`
    says in words."""
    n = result.values("n")[-1]
    fewest = result.values(axis)[0]
    base = {
        (row.name, row.precision): row
        for row in result.rows
        if row.n == n and getattr(row, axis) == fewest
    }
    largest = Result(
        result.context,
        [row for row in result.rows if row.n == n and (row.name, row.precision) in base],
    )
    counts = largest.values(axis)
    first_of = {id(row): base[row.name, row.precision] for row in largest.rows}
    sheet = Sheet(axis, f"{result.part}: what more {axis} gain", about(largest), result.footnote())
    axes = sheet.axes
    ideal = [count / counts[0] for count in counts]
    axes.plot(
        counts,
        ideal,
        color=theme.SOFT,
        linestyle=":",
        linewidth=2.2,
        zorder=4,
        label="ideal",
        gid="ideal",
    )
    draw_lines(axes, largest, axis, lambda row: lambda rate: rate / first_of[id(row)].judged)
    axes.set_xticks(counts)
    axes.set_xlim(
        counts[0] - 0.08 * (counts[-1] - counts[0]), counts[-1] + 0.08 * (counts[-1] - counts[0])
    )
    axes.set_ylim(
        0,
        1.12
        * max(
            ideal[-1],
            *(
                max(row.judged, row.rate["upper_quartile"]) / first_of[id(row)].judged
                for row in largest.rows
            ),
        ),
    )
    axes.set_xlabel(axis)
    words = {"threads": threads, "ranks": ranks}[axis]
    axes.set_ylabel(f"x the same with {words(counts[0])}")
    sheet.legend_beside()
    return sheet


TUNING = {
    "block": ("threads per block", "threads per block"),
    "unroll": ("unrolling", "interactions per pass of the loop"),
}


def by_tuning(result, axis):
    title, label = TUNING[axis]
    most = max(row.rate["upper_quartile"] for row in result.rows)
    values = result.values(axis)
    names = sorted({row.name for row in result.rows})
    sheet = Sheet(
        axis, f"{result.part}, {', '.join(names)}: {title}", about(result), result.footnote()
    )
    draw_lines(sheet.axes, result, axis, lambda row: lambda rate: rate / 1e9)
    sheet.axes.set_xscale("log", base=2)
    sheet.axes.set_xticks(values, values)
    sheet.axes.minorticks_off()
    sheet.axes.set_ylim(0, 1.08 * most / 1e9)
    sheet.axes.set_xlabel(label)
    sheet.axes.set_ylabel("10^9 interactions/s")
    sheet.legend_beside()
    return sheet
