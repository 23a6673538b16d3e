"""The whole lab in one picture, from the slow program to a GPU: the rows of README's table."""

import theme
from conventions import three_digits
from sheet import Sheet


class Step:
    """A bar: `rate` in interactions/s; `given`: what a part starts from; `bound`: a ceiling, or another program."""

    def __init__(self, part, label, rate, given=False, bound=False):
        self.part, self.label, self.rate, self.given, self.bound = part, label, rate, given, bound


def journey_picture(steps, footnote):
    """The axis is logarithmic: equal gains have equal widths."""
    first = steps[0]
    sheet = Sheet("journey", "From the formulas, word for word, to the limit of a GPU",
                  "Interactions per second, float; each line is a factor of ten; dashed: ceilings, and another program",
                  footnote, height=150 + 27 * len(steps))
    axes = sheet.axes
    left = 10 ** 8
    place, places, ticks = 0.0, [], []
    part = first.part
    for step in steps:
        if step.part != part:
            place, part = place + 0.5, step.part
        colour = theme.GIVEN if step.given else theme.BAR
        axes.barh(place, step.rate - left, left=left, height=0.74, color=theme.WHITE if step.bound else colour,
                  edgecolor=theme.SOFT if step.bound else theme.QUIET, linestyle="--" if step.bound else "-", linewidth=0.9,
                  gid=f"bar-{step.part}-{step.label}")
        axes.text(step.rate * 1.08, place, three_digits(step.rate / 1e9),
                  va="center", fontsize=9)
        places.append(place)
        ticks.append(step.label)
        place += 1
    axes.set_yticks(places, ticks)
    axes.set_ylim(place - 0.4, -0.6)
    axes.set_xscale("log")
    axes.set_xlim(left, 1.2e13)
    axes.set_xticks([10.0 ** k for k in range(8, 14)], [f"10^{k}" for k in range(8, 14)])
    axes.minorticks_off()
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")
    axes.set_xlabel("interactions per second; beside the bars in 10^9")
    return sheet
