"""Dependency chains: one sum waits for itself, eight keep two ports busy. Latency times throughput."""

from nbody_lab.draw import theme
from nbody_lab.draw.page import FULL, Page

LATENCY, PORTS = 4, 2  # cycles until an fma's result is ready; fma that start per cycle
CYCLES, CELL, HIGH, LEFT = 16, 36, 26, 164
SUMS = (1, LATENCY, LATENCY * PORTS)
MOST = LATENCY * PORTS  # fma that can start in LATENCY cycles


def starts(sums):
    """(cycle, port, sum) of every fma. Sums take turns; none starts before its previous fma is complete."""
    free, found = [0] * sums, []
    for cycle in range(CYCLES):
        ready = [s for s in range(sums) if free[s] <= cycle][:PORTS]
        for port, s in enumerate(ready):
            free[s] = cycle + LATENCY
            found.append((cycle, port, s))
    return found


def rate(sums):
    each = len(starts(sums)) / CYCLES
    return f"1 fma in {1 / each:.0f} cycles" if each < 1 else f"{each:.0f} fma a cycle"


def draw_panel(page, sums, y):
    done = starts(sums)
    page.words(f"{sums}-name", 20, y + HIGH, f"{sums} sum{'s' * (sums > 1)}", 13, fontweight="bold")
    for port in range(PORTS):
        top = y + port * (HIGH + 2)
        page.words(
            f"{sums}-port-{port}",
            LEFT - 12,
            top + HIGH / 2,
            f"port {port + 1}",
            9,
            ha="right",
            color=theme.SOFT,
        )
        page.box(f"{sums}-idle-{port}", LEFT, top, CYCLES * CELL, HIGH, theme.QUIET, 0.25)
    for cycle, port, s in done:
        colour, strength = (theme.FILL, FULL) if s == 0 else (theme.SERIES[6], 0.45)
        x, top = LEFT + cycle * CELL, y + port * (HIGH + 2)
        page.box(f"{sums}-{cycle}-{port}", x, top, CELL, HIGH, colour, strength, str(s + 1), 10)
    right = LEFT + CYCLES * CELL + 16
    page.words(f"{sums}-rate", right, y + HIGH - 9, rate(sums), 10, fontweight="bold")
    busy = 100 * len(done) / (CYCLES * PORTS)
    page.words(f"{sums}-busy", right, y + HIGH + 11, f"ports {busy:g} % busy", 10, color=theme.SOFT)


def draw():
    page = Page(
        "dependency_chains",
        "How many sums keep the ports busy?",
        "A loop that only adds, by fma: a column is a cycle, a number shows which sum",
        "fma of 512 bits, Intel Xeon with AVX-512: latency as published, rate measured. AMD Zen 5: both the "
        "same, measured; an addition alone takes 2 cycles there, so 4 sums are enough.",
        900,
        440,
    )
    for k, sums in enumerate(SUMS):
        draw_panel(page, sums, 112 + k * 84)
    page.span(
        "latency", LEFT, LATENCY * CELL, 96, f"latency {LATENCY} cycles", theme.FILL, below=False
    )
    page.words(
        "formula",
        LEFT,
        376,
        f"sums needed = latency x ports = {LATENCY} x {PORTS} = {MOST}",
        13,
        fontweight="bold",
    )
    return page.sheet
