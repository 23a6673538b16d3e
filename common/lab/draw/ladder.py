"""A bar of interactions/s per implementation: the gain of each rung of a ladder."""

import theme
from bench_result import threads
from sheet import Sheet

BAR_PIXELS = 31


def largest_setup(result):
    """The rows that a ladder shows: largest N, then most threads, then the first precision and launch shape."""
    rows = result.rows
    for best in (lambda row: row.n, lambda row: row.threads):
        most = max(map(best, rows))
        rows = [row for row in rows if best(row) == most]
    first = rows[0]
    return [row for row in rows if (row.precision, row.block, row.unroll) == (first.precision, first.block, first.unroll)]


def ratios(row, rows):
    """'4.61 x, 1.29 x fused': against the first bar, and against the parent if that is another bar."""
    first = rows[0]
    parent = next((other for other in rows if other.name == row.parent), None)
    text = times(row.judged / first.judged)
    if parent and parent is not first:
        text += f", {times(row.judged / parent.judged)} {parent.name}"
    return text


def times(ratio):
    return f"{ratio:.0f} x" if ratio >= 100 else f"{ratio:.3g} x" if ratio >= 10 else f"{ratio:.2f} x"


def colour_of(row, rows):
    if not row.right:
        return theme.WHITE
    return theme.GIVEN if row is rows[0] else theme.BAR


def scale_of(most):
    """(unit, its name) that suits rates of this size."""
    for unit, name in ((1e12, "10^12"), (1e9, "10^9"), (1e6, "10^6")):
        if most >= unit:
            return unit, f"{name} interactions/s"
    return 1, "interactions/s"


def ladder(result, name="ladder"):
    """Wrong results are hatched, since their speed does not count."""
    rows = largest_setup(result)
    first, gpu = rows[0], bool(result.context.get("device"))
    about = [f"N = {first.n}", first.precision] + ([] if gpu else [threads(first.threads)])
    subtitle = ", ".join(about) + f". On the bars: x {first.name}"
    if any(row.parent and row.parent != first.name for row in rows):
        subtitle += ", then x the rung it comes from"
    if any(not row.right for row in rows):
        subtitle += "; hatched: wrong results"
    sheet = Sheet(name, f"{result.part}: interactions per second", subtitle + ".", result.footnote(),
                  height=150 + BAR_PIXELS * len(rows))
    draw_bars(sheet.axes, rows)
    return sheet


def draw_bars(axes, rows):
    most = max(max(row.judged, row.rate["upper_quartile"]) for row in rows)
    unit, label = scale_of(most)
    for k, row in enumerate(rows):
        axes.barh(k, row.judged / unit, height=0.72, color=colour_of(row, rows), gid=f"bar-{row.name}",
                  edgecolor=theme.QUIET if row.right else theme.ACCENT, hatch=None if row.right else "////", linewidth=0.8)
        low, high = row.rate["lower_quartile"] / unit, row.rate["upper_quartile"] / unit
        axes.plot([low, high], [k, k], color=theme.INK, linewidth=1.6, marker="|", markersize=9, gid=f"whisker-{row.name}")
        axes.text(max(high, row.judged / unit) + 0.012 * most / unit, k, ratios(row, rows), va="center", fontsize=9,
                  gid=f"ratio-{row.name}")
    axes.set_yticks(range(len(rows)), [row.name for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    longest = max(len(ratios(row, rows)) for row in rows)
    axes.set_xlim(0, (1.03 + 0.0125 * longest) * most / unit)
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")
    axes.set_xlabel(label)
