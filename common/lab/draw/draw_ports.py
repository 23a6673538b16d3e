"""Which port runs each operation of an interaction, and how interactions overlap: root and division are the bottleneck."""

import theme
from page import FULL, Page
from ports_schedule import KEEPS, LATENCY, PERIOD, PIPES, length, schedule

CELL, HIGH, GAP, LEFT, TOP = 14, 27, 5, 152, 142
SHOWN = 47  # cycles
LABELS = {"add": "additions", "mul": "products", "unit": "root, division"}
LANES = [(pipe, port) for pipe, count in PIPES.items() for port in range(count)]


def top_of(lane):
    return TOP + lane * (HIGH + GAP) + 8 * (LANES[lane][0] != "add") + 8 * (LANES[lane][0] == "unit")


def draw_operation(page, gid, lane, interaction, operation, start):
    """Cuts off what lies outside the page."""
    first, last = max(start, 0), min(start + KEEPS[operation], SHOWN)
    if last > first:
        colour, strength = {0: (theme.FILL, FULL), 1: (theme.ACCENT, FULL)}.get(interaction, (theme.QUIET, 0.8))
        whole = last - first == KEEPS[operation]
        page.box(gid, LEFT + first * CELL, top_of(lane), (last - first) * CELL, HIGH, colour, strength,
                 operation if whole and LANES[lane][0] == "unit" else "", 9)


def draw_lanes(page):
    for lane, (pipe, port) in enumerate(LANES):
        y = top_of(lane)
        label = LABELS[pipe] + (f", port {port + 1}" if PIPES[pipe] > 1 else "")
        page.words(f"lane-{lane}", LEFT - 12, y + HIGH / 2, label, 10, ha="right")
        page.box(f"idle-{lane}", LEFT, y, SHOWN * CELL, HIGH, theme.QUIET, 0.2)
        busy = sum(KEEPS[operation] for _, operation, place, _ in schedule() if place == (pipe, port)) / PERIOD
        page.words(f"busy-{lane}", 880, y + HIGH / 2, f"{100 * busy:.0f} %", 11, ha="right",
                   fontweight="bold" if busy == 1 else "normal")
    page.words("busy", 880, TOP - 16, "busy", 10, ha="right", color=theme.SOFT)
    reach = int((length() + SHOWN) // PERIOD) + 1
    for name, operation, place, start in schedule():
        for k in range(-reach, reach + 1):
            draw_operation(page, f"interaction-{k}-{name}", LANES.index(place), k, operation, start + k * PERIOD)


def draw():
    page = Page("ports", "Root and division set the pace",
                "naive of part 2 on AMD Zen 5: 9 additions, 7 products, a root, a division; a column is a cycle",
                f"Measured, the same for one number and a batch: a root occupies its unit {KEEPS['sqrt']} cycles, "
                f"a division {KEEPS['div']}; a result can be used after {LATENCY['add']} (addition), "
                f"{LATENCY['mul']} (product) and {LATENCY['sqrt']} cycles (root), a quotient after {LATENCY['div']} "
                "(assumed). The order is ideal.", 900, 424)
    draw_lanes(page)
    page.words("legend-0", LEFT, 92, "interaction j", 11, color=theme.FILL, fontweight="bold")
    page.words("legend-1", LEFT + 125, 92, "j + 1", 11, color=theme.ACCENT, fontweight="bold")
    page.words("legend-2", LEFT + 185, 92, "others", 11, color=theme.SOFT)
    page.span("length", LEFT, length() * CELL, 126, f"interaction j takes {length():g} cycles", theme.FILL, below=False)
    root = next(start for name, operation, _, start in schedule() if operation == "sqrt")
    y = top_of(len(LANES) - 1) + HIGH + 14
    page.span("period", LEFT + root * CELL, PERIOD * CELL, y, f"but one ends every {PERIOD:g} cycles", theme.INK)
    return page.sheet
