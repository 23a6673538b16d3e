"""The look of all pictures: the colours of each role on paper and on a dark page, and type.

A picture is drawn in the colours of paper. Its SVG carries a style sheet that says each colour again as a variable
(--series-1, --ink, ...), with another value on a dark page; whatever shows the picture may set them, too.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

# Okabe and Ito's colours without the yellow, which is too light for a line on white: told apart by the colour-blind.
# Role: (on paper, on a dark page).
_COLOURS = {
    "paper": ("#ffffff", "#15181c"),
    "ink": ("#1b1b1b", "#e8e8e8"),
    "soft": ("#5e5e5e", "#a9adb3"),
    "grid": ("#dedede", "#363b42"),
    "quiet": ("#949494", "#6b727c"),
    "series-1": ("#000001", "#f2f2f2"),
    "series-2": ("#0072b2", "#4da3dd"),
    "series-3": ("#d55e00", "#ff8a3d"),
    "series-4": ("#009e73", "#2cc79a"),
    "series-5": ("#cc79a7", "#e39bc4"),
    "series-6": ("#e69f00", "#f2b632"),
    "series-7": ("#56b4e9", "#86cdf5"),
}
PAPER = {role: paper for role, (paper, _) in _COLOURS.items()}
DARK = {role: dark for role, (_, dark) in _COLOURS.items()}
INK, SOFT, GRID, QUIET, WHITE = (PAPER[role] for role in ("ink", "soft", "grid", "quiet", "paper"))
SERIES = [PAPER[f"series-{k}"] for k in range(1, 8)]
BAR, GIVEN, FILL, ACCENT = SERIES[6], QUIET, SERIES[1], SERIES[2]
MARKERS = "osD^vPX<>"

PIXELS_PER_INCH = 100
TITLE, TEXT, SMALL, NOTE = 13, 10, 9, 8  # points

RC = {
    "font.family": "DejaVu Sans",
    "font.size": SMALL,
    "axes.labelsize": TEXT,
    "xtick.labelsize": TEXT,
    "ytick.labelsize": TEXT,
    "axes.titlesize": SMALL,
    "axes.titlelocation": "left",
    "axes.edgecolor": SOFT,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.facecolor": WHITE,
    "figure.facecolor": WHITE,
    "savefig.facecolor": WHITE,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.grid": True,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "hatch.linewidth": 0.8,
    "legend.frameon": False,
    "legend.fontsize": SMALL,
    "legend.title_fontsize": SMALL,
    "legend.borderaxespad": 0,
    "lines.linewidth": 1.8,
    "lines.markersize": 5.5,
    "errorbar.capsize": 3,
    "axes.unicode_minus": False,
    "figure.dpi": PIXELS_PER_INCH,
    "savefig.dpi": 1.5 * PIXELS_PER_INCH,
    "text.parse_math": False,  # a $ in a name or an idea is not a formula
    "svg.fonttype": "none",  # text stays text: it can be found, read aloud and takes the page's colours
    "svg.hashsalt": "lab",  # the same picture is the same bytes
}


Look = dict[str, Any]  # options of matplotlib
OFFSET: Look = {"textcoords": "offset points"}  # of an annotation
ASIDE: Look = {"fontsize": NOTE, "color": SOFT}  # of the name of a limit


def line(colour: str = SOFT, width: float = 1.3, dashes: str = "-") -> Look:
    return {"color": colour, "linewidth": width, "linestyle": dashes}


def point(colour: str, size: float, marker: str = "o") -> Look:
    return {"color": colour, "markersize": size, "marker": marker, "linestyle": ""}


# Marker, colour and size of each kind of program: told apart without colours, too.
KINDS = {
    "naive": ("square", "s", SERIES[0], 9),  # larger: yours may lie on it
    "mine": ("diamond", "D", ACCENT, 6),
    "rung": ("circle", "o", FILL, 7),
    "exhibit": ("cross", "X", SERIES[4], 7),
    "solution": ("triangle", "^", SERIES[3], 7),
}


def kind(name: str) -> Look:
    """Of the point of a program."""
    _, marker, colour, size = KINDS.get(name, KINDS["rung"])
    return point(colour, size, marker)


def key_of_kinds(names: Iterable[str]) -> str:
    """Square: naive, circle: rung"""
    used = set(names)
    shown = ", ".join(f"{mark}: {kind}" for kind, (mark, *_) in KINDS.items() if kind in used)
    return shown.capitalize()


def series(k: int) -> Look:
    """Colour, marker and dashes of line k, distinct as long as possible."""
    dashes = ["-", "--", ":", "-."][k // len(SERIES) % 4]
    slim = max(1.0 - 0.08 * k, 0.5)  # what lies on top is thinner, so that it hides nothing
    return {
        "color": SERIES[k % len(SERIES)],
        "marker": MARKERS[k % len(MARKERS)],
        "linestyle": dashes,
        "linewidth": 2.4 * slim,
        "markersize": 7.5 * slim,
    }


def _root(colours: dict[str, str]) -> str:
    variables = " ".join(f"--{role}: {colour};" for role, colour in colours.items())
    return f":root {{ {variables} }}"


# Each colour is said again as a variable. No rule names what its element lies in: a marker, which is drawn by
# reference, lies in nothing.
_RULES = "\n".join(
    [
        "text { fill: var(--ink); }",
        "pattern rect { fill: var(--paper); }",
        *(
            f'[style*="{what}: {colour}"] {{ {what}: var(--{role}) !important; }}'
            for role, colour in PAPER.items()
            for what in ("fill", "stroke")
        ),
    ]
)


def style_sheet() -> str:
    """The style sheet inside an SVG. Readers without style sheets show the paper's colours."""
    dark = f"@media (prefers-color-scheme: dark) {{ {_root(DARK)} }}"
    return f"{_root(PAPER)}\n{dark}\n{_RULES}"


def colour_sheet() -> str:
    """The colours as variables of a page; a printed one has those of paper."""
    return f"{_root(PAPER)}\n@media screen and (prefers-color-scheme: dark) {{ {_root(DARK)} }}"


# How pictures and the tables of documents write figures.
FLOPS = 20  # per interaction, by the convention of the literature, so that kernels can be compared
SECONDS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
FLOP_RATES = ((1e12, "Tflop/s"), (1e9, "Gflop/s"), (1.0, "flop/s"))


def scale_of(most: float, units: Sequence[tuple[float, str]]) -> tuple[float, str]:
    """The first unit that is not larger, else the last."""
    return next((unit for unit in units if most >= unit[0]), units[-1])


def round_steps(low: float, high: float, heads: Sequence[int] = (1, 2, 5)) -> list[float]:
    """1, 2, 5, 10, 20, ... from low to high: the ticks of a logarithmic axis."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = [float(f"{head}e{power}") for power in powers for head in heads]
    return [step for step in steps if low <= step <= high]


def three_digits(value: float) -> str:
    """Three significant digits: a good machine's noise allows no more."""
    return f"{value:#.3g}".rstrip(".") if value < 999.5 else f"{value:.0f}"


def times(ratio: float) -> str:
    """4.61 x"""
    if ratio >= 100:
        return f"{float(f'{ratio:.3g}'):.0f} x"
    return f"{ratio:.3g} x" if ratio >= 10 else f"{ratio:.2f} x"


_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power(exponent: int) -> str:
    """10⁸"""
    return "10" + str(exponent).translate(_SUPERSCRIPTS)


def numbers(values: Sequence[float]) -> list[str]:
    """Of the ticks of one axis, in one notation: as they are, or all as powers of ten if one is too long for that."""
    if all(not value or 1e-3 <= abs(value) <= 1e4 for value in values):
        return [f"{value:g}" for value in values]
    parts = [f"{value:e}".split("e") for value in values]
    return [
        ("" if float(head) == 1 else f"{float(head):g} · ") + power(int(tail))
        if float(head)
        else "0"
        for head, tail in parts
    ]
