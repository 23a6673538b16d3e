"""Speed over the number of bodies for solutions/part3_cuda/beyond_the_peak.md, with the limits that it explains."""

import json

from matplotlib.ticker import FuncFormatter, NullLocator

import theme
from sheet import Sheet
from sweeps import plain_power


def beyond_the_peak(file, about):
    told = json.loads(file.read_text(encoding="utf-8"))
    sheet = Sheet("part3_beyond_the_peak", "faster than the peak: forces by matrix units", about,
                  "Dotted: the limit of one kind of unit alone. The peak of the float units assumes 20 flops per interaction.")
    axes = sheet.axes
    for number, name in enumerate(dict.fromkeys(row["name"] for row in told["summary"]), 1):
        rows = [row for row in told["summary"] if row["name"] == name]
        axes.plot([row["n"] for row in rows], [row["interactions_per_s"]["median"] / 1e9 for row in rows], **theme.series(number),
                  label=name, gid=f"line-{number}")
    bodies = sorted({row["n"] for row in told["summary"]})
    for limit in told["limits"]:
        height = limit["interactions_per_s"] / 1e9
        axes.axhline(height, color=theme.SOFT, linestyle=":")
        axes.annotate(limit["name"], (bodies[-1], height), (0, 3), textcoords="offset points", color=theme.SOFT, ha="right")
    axes.set_xscale("log", base=2)
    axes.set_xticks(bodies, bodies)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_ylim(0, 1.1 * max(limit["interactions_per_s"] for limit in told["limits"]) / 1e9)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: plain_power(value) if value else "0"))
    axes.set_xlabel("bodies")
    axes.set_ylabel("10^9 interactions/s")
    sheet.legend_beside()
    return sheet
