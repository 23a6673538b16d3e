"""Colours, type and figures of all pictures, on paper and on a dark page.

A picture is drawn in the colours of paper. Its SVG carries a style sheet that says each colour again as a variable
(--series-1, --ink, ...), with another value on a dark page; whatever shows the picture may set them, too.
"""

from typing import Any

# Okabe and Ito's colours without the yellow, which is too light for a line on white: told apart by the colour-blind.
PAPER = {
    "paper": "#ffffff",
    "ink": "#1b1b1b",
    "soft": "#5e5e5e",
    "grid": "#dedede",
    "quiet": "#bcbcbd",
    "series-1": "#000001",
    "series-2": "#0072b2",
    "series-3": "#d55e00",
    "series-4": "#009e73",
    "series-5": "#cc79a7",
    "series-6": "#e69f00",
    "series-7": "#56b4e9",
}
DARK = {
    "paper": "#15181c",
    "ink": "#e8e8e8",
    "soft": "#a9adb3",
    "grid": "#363b42",
    "quiet": "#5c626b",
    "series-1": "#f2f2f2",
    "series-2": "#4da3dd",
    "series-3": "#ff8a3d",
    "series-4": "#2cc79a",
    "series-5": "#e39bc4",
    "series-6": "#f2b632",
    "series-7": "#86cdf5",
}
INK, SOFT, GRID, QUIET, WHITE = (PAPER[name] for name in ("ink", "soft", "grid", "quiet", "paper"))
SERIES = [PAPER[f"series-{k}"] for k in range(1, 8)]
BAR, GIVEN, FILL, ACCENT = SERIES[6], QUIET, SERIES[1], SERIES[2]
MARKERS = "osD^vPX<>"

PIXELS_PER_INCH = 100

RC = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.titlesize": 13,
    "axes.titleweight": "bold",
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
    "legend.fontsize": 9,
    "lines.linewidth": 1.8,
    "lines.markersize": 5.5,
    "errorbar.capsize": 3,
    "axes.unicode_minus": False,
    "figure.dpi": PIXELS_PER_INCH,
    "savefig.dpi": 1.5 * PIXELS_PER_INCH,
    "figure.constrained_layout.use": True,
    "text.parse_math": False,  # a $ in a name or an idea is not a formula
    "svg.fonttype": "none",  # text stays text: it can be found, read aloud and takes the page's colours
    "svg.hashsalt": "lab",  # the same picture is the same bytes
}


def series(k: int) -> dict[str, Any]:
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


def _variables(colours: dict[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())


def _rules() -> list[str]:
    """Each colour is said again as a variable. No rule names what its element lies in: a marker, which is drawn by
    reference, lies in nothing."""
    each = [
        f'[style*="{what}: {colour}"] {{ {what}: var(--{name}) !important; }}'
        for name, colour in PAPER.items()
        for what in ("fill", "stroke")
    ]
    return ["text { fill: var(--ink); }", "pattern rect { fill: var(--paper); }", *each]


def style_sheet() -> str:
    """The style sheet inside an SVG. Readers without style sheets show the paper's colours."""
    return "\n".join(
        [
            f":root {{ {_variables(PAPER)} }}",
            f"@media (prefers-color-scheme: dark) {{ :root {{ {_variables(DARK)} }} }}",
            *_rules(),
        ]
    )


def colour_sheet() -> str:
    """The colours as variables of a page; a printed one has those of paper."""
    return (
        f":root {{ {_variables(PAPER)} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {_variables(DARK)} }} }}"
    )


def page_sheet() -> str:
    """The style sheet of a page for all pictures inside it (sheet.py)."""
    return "\n".join(
        [
            colour_sheet(),
            ".picture * { stroke-linejoin: round; stroke-linecap: butt; }",
            *_rules(),
        ]
    )


# How pictures and the tables of documents write figures.
FLOPS = 20  # per interaction, by the convention of the literature, so that kernels can be compared


def three_digits(value: float) -> str:
    """Three significant digits: a good machine's noise allows no more."""
    return f"{value:#.3g}".rstrip(".") if value < 999.5 else f"{value:.0f}"
