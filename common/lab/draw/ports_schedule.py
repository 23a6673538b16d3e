"""The start of each operation of an interaction when a core overlaps interactions as far as its ports allow."""

import math

# AMD Zen 5, measured, in cycles: until a result can be used; how long the operation keeps its port. The latency of a
# division was not measured: 10 is the least that docs/work_and_roofline.md gives.
LATENCY = {"add": 2, "mul": 3, "sqrt": 14, "div": 10}
KEEPS = {"add": 1, "mul": 1, "sqrt": 4.5, "div": 2.5}
PIPES = {"add": 2, "mul": 2, "unit": 1}
PERIOD = KEEPS["sqrt"] + KEEPS["div"]  # a new interaction: the unit has no more time

# Name: (operation, what it waits for). Part 2's naive loop; the softening's square stands in front of it.
STEPS = {
    "dx": ("add", []), "dy": ("add", []), "dz": ("add", []),
    "dx2": ("mul", ["dx"]), "dy2": ("mul", ["dy"]), "dz2": ("mul", ["dz"]),
    "xy": ("add", ["dx2", "dy2"]), "xyz": ("add", ["xy", "dz2"]), "r2": ("add", ["xyz"]),
    "r": ("sqrt", ["r2"]), "r3": ("mul", ["r2", "r"]), "pull": ("div", ["r3"]),
    "px": ("mul", ["pull", "dx"]), "py": ("mul", ["pull", "dy"]), "pz": ("mul", ["pull", "dz"]),
    "ax": ("add", ["px"]), "ay": ("add", ["py"]), "az": ("add", ["pz"]),
}


def pipe_of(operation):
    return operation if operation in PIPES else "unit"


def overlaps(start, keeps, taken):
    """True if it collides with an operation on the same port, of this interaction or of any other, PERIOD cycles apart."""
    return any((start - other) % PERIOD < lasts or (other - start) % PERIOD < keeps for other, lasts in taken)


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
            free = [place for place in taken if place[0] == pipe and not overlaps(start, keeps, taken[place])]
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
