"""The architecture: layers of common/, the parts beside them, and the pipe between judges and programs."""

from nbody_lab.draw import theme
from nbody_lab.draw.page import FULL, Page
from nbody_lab.draw.rooms import LAYERS

LEFT, WIDE, HIGH, GAP, TOP = 24, 680, 56, 10, 116
BAND = HIGH + 50
PARTS_LEFT, PARTS_WIDE = LEFT + WIDE + 40, 132


def draw_layer(page, number, title, rooms):
    y = TOP + (number + 1) * BAND
    page.words(f"layer-{number}", LEFT, y - 14, title, 10, color=theme.SOFT)
    wide = (WIDE - (len(rooms) - 1) * GAP) / len(rooms)
    for k, (room, what) in enumerate(rooms):
        x = LEFT + k * (wide + GAP)
        page.box(f"room-{room}", x, y, wide, HIGH, theme.QUIET, 0.35)
        page.words(f"name-{room}", x + wide / 2, y + 20, room, 10, ha="center", fontweight="bold")
        page.words(f"what-{room}", x + wide / 2, y + 41, what, 8, ha="center", color=theme.SOFT)


def draw():
    page = Page(
        "house",
        "The house",
        "A room includes only rooms of its own layer and of those below",
        "Judges know a program by its row in the manifest and talk to it through a socket, so it may be written in any language. "
        "The order of rooms stands in common/CMakeLists.txt; rooms_test.py follows every arrow.",
        900,
        560,
    )
    page.words("layer-lab", LEFT, TOP - 14, "what people touch, in Python", 10, color=theme.SOFT)
    page.box(
        "room-lab",
        LEFT,
        TOP,
        WIDE,
        HIGH,
        theme.FILL,
        FULL,
        "lab: commands, notebook, hints, pictures, page, grading",
        11,
    )
    for number, (title, rooms) in enumerate(LAYERS):
        draw_layer(page, number, title, rooms)
    judges, plugs = TOP + BAND, TOP + 2 * BAND
    page.words("layer-parts", PARTS_LEFT, plugs - 14, "programs", 10, color=theme.SOFT)
    half = HIGH / 2
    page.box(
        "parts", PARTS_LEFT, plugs, PARTS_WIDE, half - 2, theme.ACCENT, 0.4, "parts 1 to 4", 10
    )
    page.box(
        "solutions",
        PARTS_LEFT,
        plugs + half + 2,
        PARTS_WIDE,
        half - 2,
        theme.ACCENT,
        0.4,
        "solutions",
        10,
    )
    page.arrow("include", (PARTS_LEFT, plugs + half), (LEFT + WIDE, plugs + half))
    middle = PARTS_LEFT + PARTS_WIDE / 2
    page.line(
        "pipe",
        [LEFT + WIDE, middle, middle],
        [judges + half, judges + half, plugs - 26],
        theme.FILL,
        2.0,
    )
    page.words(
        "pipe-words",
        middle,
        judges + half - 14,
        "requests, a socket",
        10,
        ha="center",
        color=theme.FILL,
    )
    return page.sheet
