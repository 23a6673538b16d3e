"""Array of structures against structure of arrays: the bytes that one load of eight numbers fetches."""

from nbody_lab.draw import theme
from nbody_lab.draw.page import FULL, Page

FIELDS = [
    "mass",
    "qx",
    "qy",
    "qz",
    "vx",
    "vy",
    "vz",
    "ax",
    "ay",
    "az",
]  # Body of common/simulator/array_of_bodies.hpp
FLOAT, CACHE_LINE, LOAD, BODIES = 4, 64, 32, 8
IN_LINE, IN_LOAD = CACHE_LINE // FLOAT, LOAD // FLOAT
CELL, HIGH, LEFT = 47, 27, 128


def structures():
    """The memory layout, number by number: (body, field)."""
    return [(body, field) for body in range(BODIES) for field in FIELDS]


def brought(numbers, field="qx"):
    """How many values of `field` the first load fetches."""
    return sum(name == field for _, name in numbers[:IN_LOAD])


def draw_line(page, gid, y, label, numbers):
    page.words(f"{gid}-label", LEFT - 12, y + HIGH / 2, label, 10, ha="right", color=theme.SOFT)
    for k, (body, field) in enumerate(numbers):
        wanted = field == "qx"
        page.box(
            f"{gid}-{body}-{field}",
            LEFT + k * CELL,
            y,
            CELL,
            HIGH,
            theme.FILL if wanted else theme.QUIET,
            FULL if wanted else (0.3, 0.75)[body % 2],
            f"qx {body}" if wanted else field,
            8.5,
        )


def heading(page, gid, y, name, about, gain):
    page.words(f"{gid}-name", LEFT, y, name, 12, fontweight="bold")
    page.words(f"{gid}-about", LEFT, y + 22, about, 10)
    page.words(
        f"{gid}-gain",
        LEFT + IN_LINE * CELL,
        y + 22,
        gain,
        11,
        ha="right",
        color=theme.ACCENT,
        fontweight="bold",
    )


def draw():
    page = Page(
        "memory_layout",
        "Where the qx of eight bodies lie",
        "float; a row is a cache line of 64 bytes",
        "The structure is Body of part 1. Bodies are shaded alternately; the number after qx is that of the body. "
        "Both start at a cache line.",
        900,
        520,
    )
    numbers = structures()
    lines = [numbers[k : k + IN_LINE] for k in range(0, len(numbers), IN_LINE)]
    heading(
        page,
        "structures",
        86,
        "Array of structures",
        f"a body is {len(FIELDS)} numbers, {len(FIELDS) * FLOAT} bytes",
        f"one load of {LOAD} bytes: {brought(numbers)} qx",
    )
    for k, line in enumerate(lines):
        draw_line(page, f"structures-{k}", 124 + k * (HIGH + 5), f"line {k}", line)
    page.frame("structures-load", LEFT, 124, IN_LOAD * CELL, HIGH)
    arrays = {
        field: [(body, field) for body in range(IN_LINE)] for field in ("qx", "qy", "qz", "mass")
    }
    heading(
        page,
        "arrays",
        314,
        "Structure of arrays",
        "all qx side by side, and so on",
        f"one load of {LOAD} bytes: {brought(arrays['qx'])} qx",
    )
    for k, (field, line) in enumerate(arrays.items()):
        draw_line(page, f"arrays-{field}", 352 + k * (HIGH + 5), f"array {field}", line)
    page.frame("arrays-load", LEFT, 352, IN_LOAD * CELL, HIGH)
    return page.sheet
