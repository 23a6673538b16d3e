"""The matrix of all interactions in tiles: what a block of threads keeps in registers and in shared memory."""

from nbody_lab.draw import theme
from nbody_lab.draw.page import FULL, TINT, Page

TILES, P, BLOCK, TILE = (
    8,
    256,
    3,
    2,
)  # tiles per side of the matrix; threads per block; block and tile in focus
SIZE, MINI, CELLS = 34, 20, 12
MATRIX, ZOOM = (84, 150), (560, 160)
REGISTERS, SHARED = theme.SERIES[3], theme.FILL
NOW = 4  # the column that all threads work on


def state(block, tile):
    """Colour and strength of one tile."""
    if block != BLOCK:
        return theme.QUIET, TINT
    return (SHARED, FULL) if tile == TILE else (SHARED, 0.45 if tile < TILE else 0.12)


def draw_matrix(page):
    left, top = MATRIX
    page.words("matrix-name", left, 92, "All N x N interactions", 12, fontweight="bold")
    page.words("matrix-columns", left, 114, "tiles of bodies j", 10, color=theme.SOFT)
    page.words(
        "matrix-rows",
        left - 44,
        top + TILES * SIZE / 2,
        "blocks of threads i",
        10,
        color=theme.SOFT,
        rotation=90,
        ha="center",
    )
    for k in range(TILES):
        middle, weight = (k + 0.5) * SIZE, {True: "bold", False: "normal"}
        page.words(
            f"tile-{k}",
            left + middle,
            top - 14,
            str(k),
            10,
            ha="center",
            fontweight=weight[k == TILE],
        )
        page.words(
            f"block-{k}",
            left - 16,
            top + middle,
            str(k),
            10,
            ha="center",
            fontweight=weight[k == BLOCK],
        )
    for block in range(TILES):
        for tile in range(TILES):
            page.box(
                f"block-{block}-tile-{tile}",
                left + tile * SIZE,
                top + block * SIZE,
                SIZE,
                SIZE,
                *state(block, tile),
            )
    page.frame("focus", left + TILE * SIZE, top + BLOCK * SIZE, SIZE, SIZE)
    y = top + (BLOCK + 0.5) * SIZE
    page.arrow("onwards", (left + (TILE + 1.15) * SIZE, y), (left + TILES * SIZE - 6, y), theme.INK)
    page.words(
        "matrix-note",
        left,
        top + TILES * SIZE + 20,
        f"block {BLOCK}: one tile after the other;",
        10,
    )
    page.words(
        "matrix-note-below",
        left,
        top + TILES * SIZE + 38,
        "all blocks do this at the same time",
        10,
    )


def draw_zoom(page):
    left, top = ZOOM
    wide = MINI * CELLS
    page.words(
        "zoom-name", left, 92, f"One tile: {P} x {P}", 12, fontweight="bold", color=theme.ACCENT
    )
    page.words("shared-name", left, 114, "shared memory:", 10, color=SHARED, fontweight="bold")
    page.words("shared-about", left + 132, 114, "its bodies j", 10)
    page.words(
        "registers-name",
        left - 54,
        top + wide / 2 - 20,
        "registers",
        10,
        ha="right",
        color=REGISTERS,
        fontweight="bold",
    )
    page.words("registers-about", left - 54, top + wide / 2, "per thread:", 10, ha="right")
    page.words("registers-hold", left - 54, top + wide / 2 + 20, "body i, 3 sums", 10, ha="right")
    for k in range(CELLS):
        page.box(
            f"shared-{k}", left + k * MINI, top - 32, MINI, 24, SHARED, FULL if k == NOW else 0.45
        )
        page.box(f"registers-{k}", left - 40, top + k * MINI, 30, MINI, REGISTERS, FULL)
        for t in range(CELLS):
            strength = FULL if k == NOW else 0.45 if k < NOW else 0.12
            page.box(
                f"zoom-{t}-{k}",
                left + k * MINI,
                top + t * MINI,
                MINI,
                MINI,
                SHARED,
                strength,
                line=0.6,
            )
    page.frame("zoom-focus", left, top, wide, wide)
    page.arrow(
        "zoom-onwards",
        (left + (NOW + 1.3) * MINI, top + wide / 2),
        (left + wide - 4, top + wide / 2),
        theme.INK,
    )
    page.words("zoom-note", left, top + wide + 22, "all threads use the same body j,", 10)
    page.words("zoom-note-below", left, top + wide + 40, "then all the next one", 10)


def draw():
    page = Page(
        "tiles",
        "Interactions in tiles",
        f"N = {TILES * P}; a block has p = {P} threads, one per body i; a tile has p bodies j",
        f"A tile of float is {P} x 16 bytes = {P * 16 // 1024} KiB. Dark: now; pale: done; palest: to come. "
        f"Only {CELLS} of the {P} threads and bodies are drawn.",
        900,
        506,
    )
    draw_matrix(page)
    draw_zoom(page)
    return page.sheet
