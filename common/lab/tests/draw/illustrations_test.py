"""Are the hand-written drawings of docs/pictures readable on light and dark pages, and true?

Such a drawing is an SVG file to be edited by hand: rectangles and words, with classes for colours. These tests read it.
"""

import re
import xml.etree.ElementTree as xml
from collections import defaultdict
from functools import cached_property
from itertools import combinations, pairwise

import numpy as np
import pytest
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from nbody_lab import ROOT
from nbody_lab.draw import theme

DRAWINGS = (
    "dependency_chains",
    "house",
    "memory_layout",
    "overlap",
    "ports",
    "thread_schedules",
    "tiles",
)
SVG = "{http://www.w3.org/2000/svg}"


class Rect:
    """A rectangle of a drawing, in its pixels."""

    def __init__(self, element):
        self.gid, self.colour = element.get("id", ""), element.get("class").split()[0]
        self.x, self.y, self.wide, self.high = (
            float(element.get(key, 0)) for key in ("x", "y", "width", "height")
        )
        self.right, self.below = self.x + self.wide, self.y + self.high

    def holds(self, x, y):
        return self.x < x < self.right and self.y < y < self.below


class Drawing:
    def __init__(self, name):
        self.text = (ROOT / f"docs/pictures/{name}.svg").read_text(encoding="utf-8")
        self.root = xml.fromstring(self.text)
        self.rects = [Rect(one) for one in self.root.iter(SVG + "rect")]
        self.words = {one.get("id"): one.text for one in self.root.iter(SVG + "text")}

    def rects_of(self, pattern):
        """(the groups of the pattern, rectangle) of each rectangle whose id it matches."""
        found = [(re.fullmatch(pattern, rect.gid), rect) for rect in self.rects]
        return [(match.groups(), rect) for match, rect in found if match]

    def label(self, rect):
        """The word in a rectangle."""
        return next(words for words, low, high in self.boxes if rect.holds(*(low + high) / 2))

    @cached_property
    def boxes(self):
        """(words, (left, top), (right, bottom)) of all words that are not turned."""
        found = []
        for element in self.root.iter(SVG + "text"):
            if element.get("transform"):
                continue
            kinds, style = element.get("class").split(), element.get("style", "font-size: 14px")
            size = float(re.fullmatch(r"font-size: ([\d.]+)px", style)[1])
            font = FontProperties(family="DejaVu Sans", weight="bold" if "bold" in kinds else 400)
            ink = TextPath((0, 0), element.text, size, prop=font).get_extents()
            shift = ink.x1 * (0.5 if "middle" in kinds else 1 if "end" in kinds else 0)
            x, y = float(element.get("x")) - shift, float(element.get("y"))
            low, high = (x + ink.x0, y - ink.y1), (x + ink.x1, y - ink.y0)
            found.append((element.text, np.array(low), np.array(high)))
        return found


@pytest.mark.parametrize("name", DRAWINGS)
def test_words_are_inside_and_overlap_nothing(name):
    """Also those in a rectangle, which they do not leave."""
    drawing = Drawing(name)
    assert "font-size: 11px" in drawing.text and not re.search(
        r"font-size: ([1-9]|10)\b", drawing.text
    )
    page, *rects = drawing.rects
    for words, low, high in drawing.boxes:
        middle = (low + high) / 2
        around = [rect for rect in rects if rect.holds(*middle)]
        for rect in (page, *around):
            assert rect.x < low[0] and high[0] < rect.right, f"{words} leaves {rect.gid or 'page'}"
            assert rect.y < low[1] and high[1] < rect.below, f"{words} leaves {rect.gid or 'page'}"
    for (one, low, high), (other, other_low, other_high) in combinations(drawing.boxes, 2):
        apart = (high <= other_low + 1) | (other_high <= low + 1)
        assert apart.any(), f"{one} overlaps {other}"


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_dark_page_changes_every_colour(name):
    """They are those of all pictures, said twice: for readers that know variables, and for others."""
    drawing = Drawing(name)
    paper, dark = re.findall(r":root \{ (.*?) \}", drawing.text)
    used = {kind for kind in theme.PAPER if re.search(rf'class="{kind}\b', drawing.text)}
    for variables, colours in ((paper, theme.PAPER), (dark, theme.DARK)):
        assert dict(re.findall(r"--([\w-]+): (#\w+);", variables)) == {k: colours[k] for k in used}
    for kind in used:
        assert f".{kind} {{ color: {theme.PAPER[kind]}; color: var(--{kind}); }}" in drawing.text
    body = drawing.text.partition("</style>")[2]
    assert not re.search(r"#[0-9a-f]{3,6}\b|rgb", body)
    ids = re.findall(r'\bid="([^"]*)"', body)
    assert len(ids) == len(set(ids))


def test_house_has_every_room_in_its_layer():
    """The order is that of common/CMakeLists.txt, from below."""
    text = (ROOT / "common/CMakeLists.txt").read_text(encoding="utf-8")
    order = re.search(r"foreach\(room ([a-z_ ]+)\)", text)[1].split()
    height = {room: -rect.y for (room,), rect in Drawing("house").rects_of("room-(?!lab)(.*)")}
    assert sorted(height) == sorted(order)
    assert sorted(order, key=height.get) == order


def test_memory_layout_is_that_of_a_body():
    """Sixteen numbers a line; what lies in the frame is what a load brings."""
    source = (ROOT / "common/simulator/array_of_bodies.hpp").read_text(encoding="utf-8")
    members = re.search(r"struct Body \{(.*?)\};", source, re.DOTALL)[1]
    names = [name for line in re.findall(r"real ([^;]*);", members) for name in line.split(", ")]
    drawing = Drawing("memory_layout")
    cells = drawing.rects_of(r"structures-(\d)-(\d)-(\w+)")
    assert [cell for cell, _ in cells] == [
        (str(k // 16), str(k // len(names)), names[k % len(names)]) for k in range(8 * len(names))
    ]
    words = list(drawing.words.values())
    assert f"a body is {len(names)} numbers, {4 * len(names)} bytes" in words
    for kind, pattern in (
        ("structures", r"structures-0-\d-(\w+)"),
        ("arrays", r"arrays-qx-\d+-(.*)"),
    ):
        ((_, frame),) = drawing.rects_of(f"{kind}-load")
        loaded = [
            name for (name,), cell in drawing.rects_of(pattern) if cell.right <= frame.right + 1
        ]
        assert len(loaded) == 8
        assert f"one load of 32 bytes: {loaded.count('qx')} qx" in words


@pytest.mark.parametrize("sums", [1, 4, 8])
def test_a_sum_waits_for_its_latency(sums):
    """... of 4 cycles, and the words beside it say what 16 cycles hold."""
    drawing = Drawing("dependency_chains")
    cycles = defaultdict(list)
    cells = drawing.rects_of(rf"{sums}-(\d+)-\d")
    for (cycle,), cell in cells:
        cycles[drawing.label(cell)].append(int(cycle))
    assert sorted(cycles) == [str(k + 1) for k in range(sums)]
    assert all(later - sooner >= 4 for own in cycles.values() for sooner, later in pairwise(own))
    rate = len(cells) / 16
    expected = f"1 fma in {1 / rate:.0f} cycles" if rate < 1 else f"{rate:.0f} fma a cycle"
    assert drawing.words[f"{sums}-rate"] == expected
    assert drawing.words[f"{sums}-busy"] == f"ports {100 * rate / 2:g} % busy"


@pytest.mark.parametrize("way", ["blocks", "in-turn", "next-free"])
def test_threads_share_the_triangle(way):
    """Bars and figures are the sums of the rows in their colour; a row is as long as it has pairs."""
    drawing = Drawing("thread_schedules")
    rows = [row for _, row in drawing.rects_of(rf"{way}-row-\d+")]
    assert [row.wide / rows[-1].wide for row in rows] == list(range(23, 0, -1))
    bars = [bar for _, bar in drawing.rects_of(rf"{way}-share-\d")]
    pairs = [sum(row.wide for row in rows if row.colour == bar.colour) for bar in bars]
    shares = [own / sum(pairs) for own in pairs]
    assert [bar.wide for bar in bars] == pytest.approx([300 * share for share in shares], abs=0.1)
    assert [drawing.words[f"{way}-percent-{t}"] for t in range(4)] == [
        f"{100 * share:.0f} %" for share in shares
    ]
    assert drawing.words[f"{way}-gain"] == f"at most {1 / max(shares):.1f} x one thread"


@pytest.mark.parametrize(("way", "hop"), [("in-turn", 2), ("overlapped", 2), ("slow", 4)])
def test_a_hop_takes_its_time_and_a_block_waits_for_it(way, hop):
    """Block k + 1 begins when block k is done and hop k has brought it; `in-turn` hops wait for block k first."""
    drawing = Drawing("overlap")
    blocks = [block for _, block in drawing.rects_of(rf"{way}-block-\d")]
    hops = [one for _, one in drawing.rects_of(rf"{way}-hop-\d")]
    unit = blocks[0].wide / 3
    assert [one.wide / unit for one in (*blocks, *hops)] == [3] * 4 + [hop] * 3
    for block, one, following in zip(blocks, hops, blocks[1:], strict=False):
        assert one.x == (block.right if way == "in-turn" else block.x)
        assert following.x == max(block.right, one.right)
    time = (blocks[-1].right - blocks[0].x) / unit
    assert drawing.words[f"{way}-time"] == f"{time:.0f} units"
