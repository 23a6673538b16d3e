"""The distribution of a class's points, as SVG."""

import theme
from inline import inline_svg
from markupsafe import Markup
from sheet import Sheet

BINS = 10


def shares_of(rows):
    """Points as a share of what was graded for each: maxima differ if something could not be graded."""
    return [row["points"] / row["maximum"] for row in rows if row["points"] is not None and row["maximum"]]


def counts_of(shares):
    """Counts in BINS bins from 0 to 1; values outside count in the nearest bin."""
    counts = [0] * BINS
    for share in shares:
        counts[min(max(int(BINS * share + 1e-9), 0), BINS - 1)] += 1
    return counts


def histogram(rows):
    """The SVG; empty if no submission has points."""
    shares = shares_of(rows)
    if not shares:
        return ""
    counts = counts_of(shares)
    sheet = Sheet("histogram", "Points of the class", f"{len(shares)} submissions; points as a percentage of what was graded", height=280)
    axes = sheet.axes
    axes.bar([10 * k + 5 for k in range(BINS)], counts, width=9.2, color=theme.BAR)
    for k, many in enumerate(counts):
        if many:
            axes.annotate(str(many), (10 * k + 5, many), xytext=(0, 3), textcoords="offset points", ha="center", fontsize=9)
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 1.15 * max(counts))
    axes.set_xticks(range(0, 101, 10))
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.grid(False)
    axes.set_xlabel("% of the points")
    svg = Markup(inline_svg(sheet, "histogram"))
    sheet.close()
    return svg
