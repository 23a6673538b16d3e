"""The third law's triangle of pairs under three schedules: each thread's share of the work."""

import heapq

from nbody_lab.draw import theme
from nbody_lab.draw.page import FULL, Page

ROWS, THREADS = 24, 4
COLOURS = [theme.SERIES[k] for k in (1, 2, 3, 4)]
CELL, WIDE = 11, 292


def pairs(i, n=ROWS):
    """The number of pairs in row i, with j = i + 1 ... n - 1."""
    return n - 1 - i


def blocks(n, threads):
    """The owner of each row, in contiguous blocks."""
    return [
        next(t for t in range(threads) if n * t // threads <= i < n * (t + 1) // threads)
        for i in range(n)
    ]


def in_turn(n, threads):
    return [i % threads for i in range(n)]


def next_free(n, threads):
    """A thread that finishes a row takes the next one; all pairs take equally long."""
    free_at, owners = [(0, t) for t in range(threads)], []
    for i in range(n):
        time, thread = heapq.heappop(free_at)
        owners.append(thread)
        heapq.heappush(free_at, (time + pairs(i, n), thread))
    return owners


WAYS = (
    ("blocks", "Blocks of rows", "schedule(static)", blocks),
    ("in-turn", "Cyclic rows", "schedule(static, 1)", in_turn),
    ("next-free", "Next free row", "schedule(dynamic, 1)", next_free),
)


def shares(owners):
    """Each thread's share of all pairs; they sum to 1."""
    n = len(owners)
    of = [
        sum(pairs(i, n) for i, owner in enumerate(owners) if owner == t)
        for t in range(max(owners) + 1)
    ]
    return [one / sum(of) for one in of]


def draw_triangle(page, way, x, y, owners):
    for i, owner in enumerate(owners[:-1]):
        page.box(
            f"{way}-row-{i}",
            x + (i + 1) * CELL,
            y + i * CELL,
            pairs(i) * CELL,
            CELL,
            COLOURS[owner],
            FULL,
            line=0.8,
        )


def draw_shares(page, way, x, y, owners):
    scale = 300  # pixels for all pairs
    for t, share in enumerate(shares(owners)):
        page.words(f"{way}-thread-{t}", x, y + 22 * t + 9, f"thread {t}", 9)
        page.box(f"{way}-share-{t}", x + 62, y + 22 * t, scale * share, 18, COLOURS[t], FULL)
        beside = x + 68 + scale * max(share, 1 / THREADS)
        page.words(f"{way}-percent-{t}", beside, y + 22 * t + 9, f"{100 * share:.0f} %", 9)
    equal = x + 62 + scale / THREADS
    page.line(
        f"{way}-equal", [equal, equal], [y - 6, y + 22 * THREADS], theme.INK, 1.3, linestyle="--"
    )
    page.words(
        f"{way}-gain",
        x,
        y + 22 * THREADS + 16,
        f"at most {1 / max(shares(owners)):.1f} x one thread",
        11,
        fontweight="bold",
    )


def draw():
    many = 5000
    limits = [f"{1 / max(shares(deal(many, THREADS))):.1f} x" for _, _, _, deal in WAYS]
    page = Page(
        "thread_schedules",
        "Third law: which thread gets which rows of the triangle j > i",
        f"{ROWS} bodies, {THREADS} threads; bars: each thread's share of the pairs; dashed: the equal share",
        f"With {many} bodies: at most {', '.join(limits)}. Next free row: drawn as if all pairs took equally long; "
        "the rows change from run to run.",
        900,
        560,
    )
    for k, (way, name, schedule, deal) in enumerate(WAYS):
        x, owners = 32 + k * WIDE, deal(ROWS, THREADS)
        page.words(f"{way}-name", x, 88, name, 12, fontweight="bold")
        page.words(f"{way}-schedule", x, 108, schedule, 10, color=theme.SOFT)
        draw_triangle(page, way, x - CELL, 126, owners)
        draw_shares(page, way, x, 402, owners)
    for k, i in enumerate((0, ROWS - 2)):
        words = f"row i = {i}: {pairs(i)} pair{'s' * (pairs(i) > 1)}"
        page.words(f"pairs-{i}", 32, 126 + (17 + 2 * k) * CELL, words, 9, color=theme.SOFT)
    return page.sheet
