"""Which port runs each operation of an interaction, and how interactions overlap: root and division are the
bottleneck."""

import math

from nbody_lab.draw import theme
from nbody_lab.draw.page import FULL, Page

# The start of each operation of an interaction when a core overlaps interactions as far as its ports allow.

# AMD Zen 5, measured, in cycles: until a result can be used; how long the operation keeps its port. The latency of a
# division was not measured: 10 is the least that docs/work_and_roofline.md gives.
LATENCY = {"add": 2, "mul": 3, "sqrt": 14, "div": 10}
KEEPS = {"add": 1, "mul": 1, "sqrt": 4.5, "div": 2.5}
PIPES = {"add": 2, "mul": 2, "unit": 1}
PERIOD = KEEPS["sqrt"] + KEEPS["div"]  # a new interaction: the unit has no more time

# Name: (operation, what it waits for). Part 2's naive loop; the softening's square stands in front of it.
STEPS = {
    "dx": ("add", []),
    "dy": ("add", []),
    "dz": ("add", []),
    "dx2": ("mul", ["dx"]),
    "dy2": ("mul", ["dy"]),
    "dz2": ("mul", ["dz"]),
    "xy": ("add", ["dx2", "dy2"]),
    "xyz": ("add", ["xy", "dz2"]),
    "r2": ("add", ["xyz"]),
    "r": ("sqrt", ["r2"]),
    "r3": ("mul", ["r2", "r"]),
    "pull": ("div", ["r3"]),
    "px": ("mul", ["pull", "dx"]),
    "py": ("mul", ["pull", "dy"]),
    "pz": ("mul", ["pull", "dz"]),
    "ax": ("add", ["px"]),
    "ay": ("add", ["py"]),
    "az": ("add", ["pz"]),
}


def pipe_of(operation):
    return operation if operation in PIPES else "unit"


def overlaps(start, keeps, taken):
    """True if it collides with an operation on the same port, of this interaction or of any other, PERIOD cycles apart."""
    return any(
        (start - other) % PERIOD < lasts or (other - start) % PERIOD < keeps
        for other, lasts in taken
    )


def next_try(start, pipe):
    """Additions and products start with a cycle; 4.5 and 2.5 are means, so the unit may start between."""
    return start if pipe == "unit" else math.ceil(start)


def schedule():
    """[(name, operation, (pipe, port), start)], each as early as its inputs and the ports allow."""
    taken = {(pipe, port): [] for pipe, count in PIPES.items() for port in range(count)}
    found, ready = [], {}
    for name, (operation, before) in STEPS.items():
        pipe, keeps = pipe_of(operation), KEEPS[operation]
        start = next_try(max([ready[one] for one in before], default=0), pipe)
        while True:
            free = [
                place
                for place in taken
                if place[0] == pipe and not overlaps(start, keeps, taken[place])
            ]
            if free:
                break
            start = next_try(start + 0.5, pipe)
        taken[free[0]].append((start, keeps))
        found.append((name, operation, free[0], start))
        ready[name] = start + LATENCY[operation]
    return found


def length():
    """Cycles from the first operation of an interaction to its last result."""
    return max(start + LATENCY[operation] for _, operation, _, start in schedule())


CELL, HIGH, GAP, LEFT, TOP = 14, 27, 5, 152, 142
SHOWN = 47  # cycles
LABELS = {"add": "additions", "mul": "products", "unit": "root, division"}
LANES = [(pipe, port) for pipe, count in PIPES.items() for port in range(count)]


def top_of(lane):
    return (
        TOP + lane * (HIGH + GAP) + 8 * (LANES[lane][0] != "add") + 8 * (LANES[lane][0] == "unit")
    )


def draw_operation(page, gid, lane, interaction, operation, start):
    """Cuts off what lies outside the page."""
    first, last = max(start, 0), min(start + KEEPS[operation], SHOWN)
    if last > first:
        colour, strength = {0: (theme.FILL, FULL), 1: (theme.ACCENT, FULL)}.get(
            interaction, (theme.QUIET, 0.8)
        )
        whole = last - first == KEEPS[operation]
        page.box(
            gid,
            LEFT + first * CELL,
            top_of(lane),
            (last - first) * CELL,
            HIGH,
            colour,
            strength,
            operation if whole and LANES[lane][0] == "unit" else "",
            9,
        )


def draw_lanes(page):
    for lane, (pipe, port) in enumerate(LANES):
        y = top_of(lane)
        label = LABELS[pipe] + (f", port {port + 1}" if PIPES[pipe] > 1 else "")
        page.words(f"lane-{lane}", LEFT - 12, y + HIGH / 2, label, 10, ha="right")
        page.box(f"idle-{lane}", LEFT, y, SHOWN * CELL, HIGH, theme.QUIET, 0.2)
        busy = (
            sum(KEEPS[operation] for _, operation, place, _ in schedule() if place == (pipe, port))
            / PERIOD
        )
        page.words(
            f"busy-{lane}",
            880,
            y + HIGH / 2,
            f"{100 * busy:.0f} %",
            11,
            ha="right",
            fontweight="bold" if busy == 1 else "normal",
        )
    page.words("busy", 880, TOP - 16, "busy", 10, ha="right", color=theme.SOFT)
    reach = int((length() + SHOWN) // PERIOD) + 1
    for name, operation, place, start in schedule():
        for k in range(-reach, reach + 1):
            draw_operation(
                page,
                f"interaction-{k}-{name}",
                LANES.index(place),
                k,
                operation,
                start + k * PERIOD,
            )


def draw():
    page = Page(
        "ports",
        "Root and division set the pace",
        "naive of part 2 on AMD Zen 5: 9 additions, 7 products, a root, a division; a column is a cycle",
        f"Measured, the same for one number and a batch: a root occupies its unit {KEEPS['sqrt']} cycles, "
        f"a division {KEEPS['div']}; a result can be used after {LATENCY['add']} (addition), "
        f"{LATENCY['mul']} (product) and {LATENCY['sqrt']} cycles (root), a quotient after {LATENCY['div']} "
        "(assumed). The order is ideal.",
        900,
        424,
    )
    draw_lanes(page)
    page.words("legend-0", LEFT, 92, "interaction j", 11, color=theme.FILL, fontweight="bold")
    page.words("legend-1", LEFT + 125, 92, "j + 1", 11, color=theme.ACCENT, fontweight="bold")
    page.words("legend-2", LEFT + 185, 92, "others", 11, color=theme.SOFT)
    page.span(
        "length",
        LEFT,
        length() * CELL,
        126,
        f"interaction j takes {length():g} cycles",
        theme.FILL,
        below=False,
    )
    root = next(start for name, operation, _, start in schedule() if operation == "sqrt")
    y = top_of(len(LANES) - 1) + HIGH + 14
    page.span(
        "period",
        LEFT + root * CELL,
        PERIOD * CELL,
        y,
        f"but one ends every {PERIOD:g} cycles",
        theme.INK,
    )
    return page.sheet
