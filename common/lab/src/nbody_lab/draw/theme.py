"""What pictures and the tables of documents share: the roles of colours, and how figures are written. Needs no matplotlib.

C0, C1, ... are the colours of lab.mplstyle.
"""

from collections.abc import Mapping

SOFT, QUIET = "#5e5e5e", "#949494"  # what stands around the figures
ACCENT = "C2"

# Marker and colour of each kind of program.
KINDS: Mapping[str, tuple[str, str]] = {
    "naive": ("s", QUIET),
    "mine": ("D", ACCENT),
    "rung": ("o", "C1"),
    "exhibit": ("X", "C4"),
    "solution": ("^", "C3"),
}

RATE = "10⁹ interactions/s"
FLOPS = 20  # per interaction, by the convention of the literature, so that kernels can be compared


def times(ratio: float) -> str:
    """4.61 x"""
    if ratio >= 100:
        return f"{float(f'{ratio:.3g}'):.0f} x"
    return f"{ratio:.3g} x" if ratio >= 10 else f"{ratio:.2f} x"


def short(n: int) -> str:
    """4096 -> '4096', 131072 -> '128 Ki': powers of two by their usual name."""
    return f"{n >> 10} Ki" if n >= 8192 and n % 1024 == 0 else str(n)
