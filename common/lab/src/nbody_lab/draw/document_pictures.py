"""Pictures that only documents show, which docs/draw_pictures.py draws: the whole lab, what lies beyond the peak of the float
units, and two GPUs beside one."""

from collections.abc import Sequence
from dataclasses import dataclass

import pydantic

from nbody_lab.core.bench_file import BenchResult, BenchRow
from nbody_lab.draw import theme
from nbody_lab.draw.bench import RATE, set_bar_axis
from nbody_lab.draw.sheet import Sheet, Ticks, set_log_ticks

_SLOWEST, _FASTEST = 10**8, 1.2e13  # ends of the axis of the journey
_NARROW = 430  # pixels: on a phone its type is still large enough to read


@dataclass(frozen=True)
class Bar:
    """A program of the journey, or a ceiling."""

    part: str
    label: str
    interactions_per_s: float
    is_given: bool = False  # what a part starts from
    is_bound: bool = False


def journey(bars: Sequence[Bar], footnote: str) -> Sheet:
    """From the slow program to a GPU; on a logarithmic axis equal gains have equal widths."""
    rates = [bar.interactions_per_s for bar in bars if not bar.is_bound]
    slowest, best = (theme.three_digits(rate / 1e9) for rate in (min(rates), max(rates)))
    sheet = Sheet(
        "journey",
        f"From {slowest} to {best} × 10⁹ interactions per second",
        "Interactions per second, float; beside the bars in 10⁹; dashed: ceilings",
        footnote,
        width=_NARROW,
        height=210 + 27 * len(bars),
    )
    axes = sheet.axes
    parts = list(dict.fromkeys(bar.part for bar in bars))
    places = [number + parts.index(bar.part) for number, bar in enumerate(bars)]
    set_bar_axis(axes, dict(zip(places, (bar.label for bar in bars))))
    axes.set_ylim(bottom=places[-1] + 0.6, top=-1.4)
    for part in parts:
        first = next(place for place, bar in zip(places, bars) if bar.part == part)
        words = part.replace("part", "part ")
        axes.text(
            1.1 * _SLOWEST, first - 0.9, words, va="center", fontweight="bold", gid=f"name-{part}"
        )
    for place, bar in zip(places, bars):
        colour = theme.GIVEN if bar.is_given else theme.BAR
        axes.barh(
            place,
            bar.interactions_per_s - _SLOWEST,
            left=_SLOWEST,
            height=0.74,
            color=theme.WHITE if bar.is_bound else colour,
            edgecolor=theme.SOFT if bar.is_bound else theme.QUIET,
            linestyle="--" if bar.is_bound else "-",
            linewidth=0.9,
            gid=f"bar-{bar.part}-{bar.label}",
        )
        words = theme.three_digits(bar.interactions_per_s / 1e9)
        axes.annotate(words, (bar.interactions_per_s, place), (4, 0), **theme.OFFSET, va="center")
    labels = [theme.power(k) if k % 2 == 0 else "" for k in range(8, 14)]  # others would touch
    set_log_ticks(axes, [10.0**k for k in range(8, 14)], labels)
    axes.set_xlim(_SLOWEST, _FASTEST)
    return sheet


class _MatrixLimit(pydantic.BaseModel):
    name: str
    interactions_per_s: float


class _About(pydantic.BaseModel):
    device: str
    day: str


class MatrixUnits(pydantic.BaseModel):
    """data/results/part3_matrix.json, as far as it is drawn."""

    about: _About
    summary: tuple[BenchRow, ...]
    limits: tuple[_MatrixLimit, ...]


def beyond_the_peak(result: MatrixUnits) -> Sheet:
    """Speed over the number of bodies, with the limits that solutions/part3_cuda/beyond_the_peak/README.md explains."""
    device = result.about.device.split(", CUDA")[0]
    best = max(result.summary, key=lambda row: row.speed)
    limits = [(limit.interactions_per_s, limit.name) for limit in result.limits]
    lowest, name_of_lowest = min(limits)
    sheet = Sheet(
        "part3_beyond_the_peak",
        f"part3: {best.name} reaches {theme.times(best.speed / lowest)} {name_of_lowest}",
        f"Plummer, float, whole steps, {device}, {result.about.day}",
        "Dotted: the limit of one kind of unit alone. The peak of the float units assumes 20 flops per interaction.",
    )
    axes = sheet.axes
    for number, name in enumerate(dict.fromkeys(row.name for row in result.summary), 1):
        points = [(row.n, row.speed / 1e9) for row in result.summary if row.name == name]
        axes.plot(*zip(*points), **theme.series(number), label=name, gid=f"line-{number}")
    bodies = sorted({row.n for row in result.summary})
    for rate, name in limits:
        look = theme.OFFSET | {"fontsize": theme.TEXT, "color": theme.SOFT, "ha": "right"}
        axes.axhline(rate / 1e9, color=theme.SOFT, linestyle=":")
        axes.annotate(name, (bodies[-1], rate / 1e9), (0, 3), **look)
    set_log_ticks(axes, bodies, base=2)
    axes.set(ylim=(0, 1.1 * max(limits)[0] / 1e9), xlabel="bodies", ylabel=RATE)
    axes.yaxis.set_major_formatter(Ticks())
    sheet.legend_beside()
    return sheet


def two_gpus(result: BenchResult) -> Sheet:
    """Speed over the number of bodies; dotted: on one GPU. The title compares the fastest of both kinds."""
    names = list(dict.fromkeys(row.name for row in result.summary))
    lines = {
        name: [(row.n, row.speed / 1e9) for row in result.summary if row.name == name]
        for name in names
    }
    largest = max(row.n for row in result.summary)
    one, two = (
        max(
            (row for row in result.summary if row.n == largest and (row.ranks > 1) == several),
            key=lambda row: row.speed,
        )
        for several in (False, True)
    )
    about = result.context
    sheet = Sheet(
        "part4_two_gpus",
        f"part4: with {largest} bodies {two.name} reaches {theme.times(two.speed / one.speed)} {one.name}",
        f"Plummer, float, whole steps, {(about.device or '').split(', driver')[0]}, {about.day}",
        "Dotted: one of the two GPUs alone.",
    )
    axes, on_several = sheet.axes, {row.name for row in result.summary if row.ranks > 1}
    for number, name in enumerate(names, 1):
        look = theme.series(number) | ({} if name in on_several else {"linestyle": ":"})
        axes.plot(*zip(*lines[name]), **look, label=name, gid=f"line-{number}")
    set_log_ticks(axes, sorted({row.n for row in result.summary}), base=2)
    axes.set(ylim=(0, 1.1e-9 * two.speed), xlabel="bodies", ylabel=RATE)
    axes.yaxis.set_major_formatter(Ticks())
    sheet.legend_beside()
    return sheet
