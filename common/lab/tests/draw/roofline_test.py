"""The picture of a roofline: everything stands where the figures say, nothing on anything else, before and after
alike."""

import copy
import itertools
import json
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np

from nbody_lab import ROOT
from nbody_lab.draw.roofline import roofline
from nbody_lab.draw.roofline_layout import ranges, spread_out, steps_between
from nbody_lab.draw.sheet import box_around, collisions, crossings, overlap, turned
from tests import LAB
from tests.draw.runs_for_tests import strange_colours
from tests.roofline import roofline_for_tests as made


def crowd(count):
    """Points at two intensities and of similar speed, and one above the roof."""
    rows = [
        ("naive", "naive", made.NAIVE, "scalar", 1.6e8),
        ("mine", "mine", made.NAIVE, "scalar", 1.61e8),
        ("mine_with_a_name_that_is_far_too_long", "mine", made.FUSED, "scalar", 2.9e8),
    ]
    rows += [
        (
            f"rung_{k}",
            "rung",
            made.THIRD_LAW if k % 2 else made.FUSED,
            "scalar",
            3e8 * (1 + 0.03 * k),
        )
        for k in range(count)
    ]
    return made.roofline([*rows, ("above", "rung", made.FUSED, "scalar", 5e8)])


def outside():
    """Points outside the picture's range."""
    return made.roofline(
        [
            ("slow", "naive", made.FUSED, "scalar", 1e3),
            ("far", "rung", made.work(add=999, loads=1), "scalar", 1e6),
            ("near", "rung", made.work(add=1, loads=2000), "scalar", 1e6),
            ("none", "rung", made.work(fma=9), "scalar", 1e8),
        ]
    )


def all_threads():
    return made.roofline(
        [
            ("openmp", "rung", made.FUSED, "scalar", 6e8),
            ("blocked", "rung", made.BLOCKED, "avx512f", 9e9),
        ],
        threads=2,
    )


RESULTS = ROOT / "data/results"
DATA = {
    "cpu": made.roofline(),
    "gpu": made.roofline_of_gpu(),
    "no point": made.roofline([]),
    "crowd": crowd(12),
    "few": crowd(3),
    "outside": outside(),
    "threads": all_threads(),
}


def by_id(sheet):
    return {
        artist.get_gid(): artist
        for axes in sheet.all_axes
        for artist in axes.get_children()
        if artist.get_gid()
    }


class Picture(unittest.TestCase):
    def draw(self, data):
        sheet = roofline(data)
        self.addCleanup(sheet.close)
        return sheet

    def test_nothing_overlaps(self):
        for name, data in DATA.items():
            self.assertEqual(collisions(self.draw(data)), [], name)

    def test_no_label_is_struck_through(self):
        """Neither of tests nor of what was measured, where lines lie near one another; in a crowd there may be no other place."""
        from nbody_lab.core.results import read_roofline

        measured = {file.stem: read_roofline(file) for file in RESULTS.glob("part*_roofline.json")}
        for name, data in {
            **measured,
            **{name: DATA[name] for name in ("cpu", "gpu", "no point", "few", "threads")},
        }.items():
            sheet = self.draw(data)
            self.assertEqual(crossings(sheet, ("ceiling-", "reach-")), [], name)
            self.assertEqual(collisions(sheet), [], name)

    def test_a_line_through_a_label_is_seen(self):
        sheet = self.draw(DATA["cpu"])
        sheet.axes.text(1, 1.92e11, "struck", gid="struck", va="center")
        self.assertIn(("struck", "ceiling-AVX-512 + FMA"), crossings(sheet, ("ceiling-",)))

    def test_the_points_have_room(self):
        """Of the axes, by decades: what lies between naive and the best of parts 1 and 2 takes a third and more."""
        (left, right), (low, high) = ranges(DATA["cpu"])
        self.assertLess(np.log10(right / left), 3)
        self.assertGreater(np.log10(100 / 4) / np.log10(high / low), 0.33)

    def test_every_l1_says_of_which_instruction_set(self):
        words = [
            text.get_text()
            for text in self.draw(DATA["cpu"]).axes.texts
            if text.get_text().startswith("L1")
        ]
        self.assertEqual([one.split("  ")[0] for one in words], ["L1, scalar float", "L1, AVX-512"])

    def test_what_is_doubtful_is_drawn_and_marked(self):
        data = made.doubt(made.roofline(), lambda row: row.name == "AVX2 + FMA")
        drawn = by_id(self.draw(data))
        self.assertEqual(drawn["label-AVX2 + FMA"].get_text(), "AVX2 + FMA  96.0 Gflop/s?")
        self.assertEqual(drawn["label-AVX2"].get_text(), "AVX2  48.0 Gflop/s")

    def test_points_limits_and_table(self):
        data = made.roofline()
        drawn = by_id(self.draw(data))
        for one in data["points"]:
            (x,), (y,) = drawn[f"point-{one['name']}"].get_data()
            self.assertEqual((x, y), (one["intensity"], one["flops_per_s"]))
            self.assertEqual(drawn[f"number-{one['name']}"].get_text(), str(one["number"]))
            lowest = min(limit["interactions_per_s"] for limit in one["limits"])
            self.assertAlmostEqual(
                drawn[f"limit-{one['name']}"].get_ydata()[0], lowest * one["flops_per_interaction"]
            )
        words = [text.get_text() for text in self.draw(data).all_axes[1].texts]
        self.assertEqual(
            words[9:18],
            [
                "1",
                "naive",
                "0.397",
                "4820",
                "2.83",
                "47 %",
                "computing",
                "square root and division",
                "112 %",
            ],
        )

    def test_ceilings_stand_at_their_rates(self):
        data = made.roofline()
        drawn = by_id(self.draw(data))
        self.assertEqual(set(drawn["ceiling-AVX-512 + FMA"].get_ydata()), {1.92e11})
        self.assertAlmostEqual(drawn["ceiling-AVX-512 + FMA"].get_xdata()[0], 0.5)
        self.assertEqual(drawn["label-AVX-512 + FMA"].get_text(), "AVX-512 + FMA  192 Gflop/s")
        for x, y in zip(*drawn["ceiling-DRAM"].get_data()):
            self.assertAlmostEqual(y / x, 1.2e10, delta=10)
        self.assertEqual(drawn["label-DRAM"].get_text(), "DRAM  12.0 GB/s")

    def test_the_arrow_leads_from_naive_to_mine(self):
        axes = self.draw(DATA["cpu"]).axes
        arrows = [text for text in axes.texts if getattr(text, "arrow_patch", None)]
        self.assertEqual(len(arrows), 1)
        self.assertGreater(
            arrows[0].get_zorder(), max(line.get_zorder() for line in axes.lines)
        )  # its head is behind no point
        near = made.roofline(
            [
                ("naive", "naive", made.NAIVE, "scalar", 1.05e8),
                ("mine", "mine", made.NAIVE, "scalar", 1.06e8),
            ]
        )
        self.assertFalse(
            [text for text in self.draw(near).axes.texts if getattr(text, "arrow_patch", None)]
        )
        naive, fused = DATA["cpu"]["points"][:2]
        self.assertEqual(
            (arrows[0].xyann, arrows[0].xy),
            (
                (naive["intensity"], naive["flops_per_s"]),
                (fused["intensity"], fused["flops_per_s"]),
            ),
        )

    def test_before_and_after_share_their_axes(self):
        ends = set()
        for data in (made.roofline(), made.roofline([]), crowd(3), outside()):
            axes = self.draw(data).axes
            ends.add((axes.get_xlim(), axes.get_ylim()))
        self.assertEqual(len(ends), 1)
        for end in (end for pair in ends.pop() for end in pair):
            self.assertIn(f"{end:e}"[0], "125")
        one, both = ranges(made.roofline()), ranges(all_threads())
        self.assertEqual((one[0], one[1][0]), (both[0], both[1][0]))

    def test_the_range_is_that_of_the_machine(self):
        self.assertEqual(ranges(DATA["cpu"]), ((0.1, 20), (5e8, 5e11)))
        self.assertEqual(ranges(DATA["gpu"]), ((0.1, 20), (2e12, 1e14)))
        self.assertEqual(steps_between(0.05, 20), [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20])

    def test_what_lies_outside_stands_at_the_edge(self):
        drawn = by_id(self.draw(outside()))
        self.assertEqual(
            [drawn[f"point-{name}"].get_marker() for name in ("slow", "far", "near", "none")],
            ["v", ">", "<", ">"],
        )

    def test_what_is_above_is_ringed(self):
        sheet = self.draw(crowd(3))
        drawn = by_id(sheet)
        self.assertNotEqual(
            drawn["point-above"].get_markeredgecolor(), drawn["point-rung_0"].get_markeredgecolor()
        )
        self.assertIn("!150 %", [text.get_text() for text in sheet.all_axes[1].texts])

    def test_points_on_one_another_share_a_label(self):
        drawn = by_id(self.draw(crowd(12)))
        self.assertEqual(drawn["number-naive"].get_text(), "1, 2")
        shown = ", ".join(
            text.get_text() for gid, text in drawn.items() if gid.startswith("number-")
        )
        self.assertEqual(sorted(map(int, shown.split(", "))), list(range(1, 17)))

    def test_numbers_keep_their_distance(self):
        """As they lay once in a measured picture, where a 2 stood so near to a 7 that it read 27."""
        split = made.work(add=7.5, mul=6, div=0.5, sqrt=0.5, loads=7.56, stores=2.03)
        places = (
            (made.NAIVE, 4.32),
            (made.NAIVE, 3.07),
            (made.NAIVE, 3.68),
            (made.work(add=9, mul=9, div=1, sqrt=1, loads=10, stores=3), 4.95),
            (made.FUSED, 4.24),
            (made.FUSED, 5.12),
            (made.THIRD_LAW, 4.32),
            (made.FUSED, 3.83),
            (made.THIRD_LAW, 4.96),
            (split, 5.57),
        )
        sheet = self.draw(
            made.roofline(
                [
                    (f"v{k}", "rung", done, "scalar", flops * 1e9 / done["flops"])
                    for k, (done, flops) in enumerate(places)
                ]
            )
        )
        boxes = [
            text.get_window_extent()
            for gid, text in by_id(sheet).items()
            if gid.startswith("number-")
        ]
        for k, box in enumerate(boxes):
            for other in boxes[:k]:
                beside = min(box.y1, other.y1) - max(box.y0, other.y0) > 2
                self.assertTrue(not beside or max(box.x0, other.x0) - min(box.x1, other.x1) > 2.5)

    def test_colours_and_bytes(self):
        for name in ("cpu", "gpu", "few"):
            data = DATA[name]
            first, second = self.draw(data), self.draw(copy.deepcopy(data))
            self.assertEqual(strange_colours(first.bytes_of("svg")), set())
            self.assertEqual(first.bytes_of("svg"), second.bytes_of("svg"))
        self.assertEqual(first.bytes_of("png"), second.bytes_of("png"))

    def test_the_axis_says_which_byte(self):
        self.assertEqual(
            self.draw(DATA["cpu"]).axes.get_xlabel(), "flop per byte issued by the core"
        )


class Boxes(unittest.TestCase):
    def test_a_slope_takes_no_more_room_than_it_has(self):
        along = turned(box_around((50, 50), 100, 10), (50, 50), 45)
        self.assertTrue(overlap(along, box_around((60, 60), 10, 10)))
        self.assertFalse(
            overlap(along, box_around((70, 40), 10, 10))
        )  # in the upright box around it
        self.assertFalse(
            overlap(box_around((0, 0), 10, 10), box_around((9.5, 0), 10, 10))
        )  # by less than a pixel

    def test_labels_are_moved_as_little_as_may_be(self):
        self.assertEqual(spread_out([0, 100], 10), [0, 100])
        self.assertEqual(spread_out([50, 50], 10), [45, 55])
        self.assertEqual(spread_out([0, 4, 50], 10), [-3, 7, 50])
        moved = spread_out([0, 1, 2, 11, 12], 10)
        self.assertTrue(
            all(after - before >= 10 - 1e-9 for before, after in itertools.pairwise(moved))
        )


class Command(unittest.TestCase):
    def test_a_file_is_drawn_and_drawn_over(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "part1.json")
            for points in (made.roofline_json()["points"], []):
                file.write_text(json.dumps({**made.roofline_json(), "points": points}))
                done = subprocess.run(
                    [*LAB, "plot", "roofline", file, folder, "--again"],
                    capture_output=True,
                    text=True,
                    check=False,
                )
                self.assertEqual(
                    (done.stdout, done.stderr, done.returncode),
                    (f"{folder}/part1.svg and .png\n", "", 0),
                )
            self.assertEqual(
                sorted(path.name for path in Path(folder).iterdir()),
                ["part1.json", "part1.png", "part1.svg"],
            )
            file.write_text("{}")
            done = subprocess.run(
                [*LAB, "plot", "roofline", file, folder],
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertEqual(
                (done.returncode, done.stderr),
                (2, f"lab: {file} was not written by ./lab roofline PART\n"),
            )
