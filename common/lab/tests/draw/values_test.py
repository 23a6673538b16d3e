"""Is every bar as long, every point as high and every whisker as wide as the figures say?"""

import unittest

from nbody_lab.draw import grids, sweeps, theme
from nbody_lab.draw.bench_result import NoResult, Result, row_of
from nbody_lab.draw.ladder import (
    colour_of_try,
    conditions_of,
    label_of,
    ladder,
    own_ladder,
    predicted,
)
from nbody_lab.draw.shares import copies_picture
from nbody_lab.draw.sheet import collisions

H200 = "NVIDIA H200 (132 SM, at most 1980 MHz)"


def row(name, rate, n=1000, threads=1, **more):
    """The interquartile range is 0.8 to 1.3 of the median."""
    spread = {
        "median": rate,
        "lower_quartile": 0.8 * rate,
        "upper_quartile": 1.3 * rate,
        "minimum": rate,
        "maximum": rate,
    }
    return row_of(
        {
            "name": name,
            "n": n,
            "threads": threads,
            "precision": "float",
            "interactions_per_s": spread,
            "seconds_per_iteration": spread,
            "verdict": "right",
            "rounds": 3,
            **more,
        }
    )


def result(*rows, **context):
    return Result({"part": "part1", **context}, list(rows))


def by_id(sheet, axes=None):
    return {
        artist.get_gid(): artist
        for artist in (axes or sheet.axes).get_children()
        if artist.get_gid()
    }


class ValuesTest(unittest.TestCase):
    def near(self, got, wanted):
        self.assertEqual(len(got), len(wanted))
        for one, other in zip(got, wanted):
            self.assertAlmostEqual(float(one), float(other), places=6)

    def expect_line(self, sheet, name, places, heights):
        """... and its error bars, which reach from 0.8 to 1.3 of each height, or, of a time, the other way round."""
        line = by_id(sheet)[name]
        self.near(line.get_xdata(), places)
        self.near(line.get_ydata(), heights)
        wanted = {(round(0.8 * h, 6), round(1.3 * h, 6)) for h in heights} | {
            (round(h / 1.3, 6), round(h / 0.8, 6)) for h in heights
        }
        ends = {
            (round(float(segment[0][1]), 6), round(float(segment[1][1]), 6))
            for bars in sheet.axes.collections
            for segment in bars.get_segments()
        }
        self.assertEqual(len(ends & wanted), len(heights), (ends, wanted))
        sheet.close()

    def test_ladder(self):
        sheet = ladder(
            result(row("naive", 1e9), row("mine", 2e9, fastest_interactions_per_s=2.4e9))
        )
        drawn = by_id(sheet)
        self.near([drawn["bar-naive"].get_width(), drawn["bar-mine"].get_width()], [1, 2.4])
        self.near(drawn["whisker-mine"].get_xdata(), [1.6, 2.6])
        self.assertEqual(drawn["ratio-mine"].get_text(), "2.40 x")
        sheet.close()

    def test_by_bodies(self):
        made = result(
            row("naive", 1e9, n=1000),
            row("naive", 2e9, n=2000),
            row("mine", 4e9, n=1000),
            row("mine", 6e9, n=2000),
        )
        self.expect_line(sweeps.time_by_bodies(made), "line-naive-1", [1000, 2000], [1, 2])  # ms
        self.expect_line(
            sweeps.flops_by_bodies(made), "line-mine-1", [1000, 2000], [80, 120]
        )  # Gflop/s
        self.expect_line(sweeps.ratio_by_bodies(made), "line-mine-1", [1000, 2000], [4, 3])

    def test_the_peak(self):
        sheet = sweeps.flops_by_bodies(
            result(
                row("best", 1e12),
                row("best", 2e12, n=2000),
                device=H200,
                device_peak_flops_per_s=6e13,
            )
        )
        self.near(by_id(sheet)["peak"].get_ydata(), [60, 60])
        sheet.close()

    def test_threads(self):
        made = result(
            *(
                row("openmp", rate, threads=count)
                for count, rate in ((1, 1e9), (2, 1.8e9), (4, 3e9))
            )
        )
        sheet = sweeps.by_workers(made, "threads")
        self.near(by_id(sheet)["ideal"].get_ydata(), [1, 2, 4])
        self.expect_line(sheet, "line-openmp-1", [1, 2, 4], [1, 1.8, 3])

    def test_what_was_not_run_on_the_fewest_threads_has_no_line(self):
        sheet = sweeps.by_workers(
            result(
                row("a", 1e9),
                row("a", 2e9, threads=2),
                row("b", 1e9, threads=2),
                row("b", 1e9, threads=4),
            ),
            "threads",
        )
        self.assertFalse([gid for gid in by_id(sheet) if gid.startswith("line-b")])
        sheet.close()

    def test_tuning(self):
        made = result(row("tiles", 1e12, block=32), row("tiles", 1.5e12, block=64), device=H200)
        self.expect_line(sweeps.by_tuning(made, "block"), "line-tiles-1", [32, 64], [1000, 1500])

    def test_grids(self):
        rows = [
            row("tiles", rate, n=n, block=p)
            for n, p, rate in (
                (4096, 16, 1e11),
                (4096, 64, 2e11),
                (65536, 16, 8e11),
                (65536, 64, 7e11),
            )
        ]
        sheet = grids.blocks_of_grid(
            result(*rows, row("float4", 9e12, n=4096, block=16), device=H200), "tiles"
        )
        self.assertEqual(
            [text.get_text() for text in sheet.axes.texts],
            ["256\n100", "64\n200", "4096\n800", "1024\n700"],
        )
        self.assertEqual(
            [text.get_fontweight() for text in sheet.axes.texts],
            ["normal", "bold", "bold", "normal"],
        )
        dark = [by_id(sheet)[f"cell-{p}-{n}"].get_alpha() for n in (4096, 65536) for p in (16, 64)]
        self.assertEqual([alpha > 0.3 for alpha in dark], [True, False, True, True])  # 132 SM
        sheet.close()
        both = [
            row("openmp", rate, n=n, threads=t)
            for n, t, rate in ((500, 1, 1e9), (500, 2, 5e8), (8000, 1, 1e9), (8000, 2, 2e9))
        ]
        sheet = grids.threads_by_bodies(result(*both), "openmp")
        self.assertEqual(
            [(text.get_text(), text.get_fontweight()) for text in sheet.axes.texts],
            [("1", "bold"), ("1", "normal"), ("0.5", "normal"), ("2", "bold")],
        )
        drawn = by_id(sheet)
        self.assertGreater(drawn["cell-8000-2"].get_alpha(), drawn["cell-8000-1"].get_alpha())
        sheet.close()

    def test_shares(self):
        sheet = copies_picture(
            "part3/naive, adaptive step; A GPU; 2026-01-01",
            [[256, 20, 30, 40, 10], [1024, 5, 80, 10, 5]],
        )
        heights = [[bar.get_height() for bar in bars] for bars in sheet.axes.containers]
        self.assertEqual(heights, [[20, 5], [30, 80], [40, 10], [10, 5]])
        self.assertEqual([bar.get_y() for bar in sheet.axes.containers[3]], [90, 95])
        sheet.close()

    def test_own_rows(self):
        own = {
            "row": 1.0,
            "name": "mine",
            "idea": "from $5 to $6 and \\frac \udcff",
            "times_naive": 2.0,
            "expected": 3.0,
            "measured": 1.5,
            "against": "naive",
            "verdict": "less than expected",
            "right": True,
            "n": 5000.0,
            "threads": "1",
            "precision": "float",
            "step": "fixed",
            "scene": "plummer",
        }
        sheet = own_ladder("part1", [own, {**own, "row": None}])
        drawn = by_id(sheet)
        self.assertEqual(drawn["bar-1"].get_width(), 2.0)
        self.near(drawn["predicted-1"].get_xdata(), [4.0, 4.0])
        self.assertIn("from $5 to $6 and \\frac ?", sheet.bytes_of("svg").decode())
        sheet.close()


def try_row(number, times_naive, expected=1.5, against="naive", verdict="as expected", **more):
    return {
        "row": float(number),
        "name": "mine",
        "idea": "an idea",
        "times_naive": times_naive,
        "expected": expected,
        "measured": 1.4,
        "against": against,
        "verdict": verdict,
        "right": not verdict.startswith("wrong"),
        "n": 5000.0,
        "threads": "1",
        "precision": "float",
        "step": "adaptive",
        "scene": "plummer",
        **more,
    }


def svg_of(rows):
    sheet = own_ladder("part1", rows)
    svg = sheet.bytes_of("svg").decode()
    sheet.close()
    return svg


class OwnRowsTest(unittest.TestCase):
    def test_a_prediction_stands_where_the_bar_would_end(self):
        rows = [
            try_row(1, 2.0, expected=3.0, measured=4.0),
            try_row(2, 3.0, expected=2.0, measured=2.0),
            try_row(3, 2.0, expected=None),
            try_row(4, 2.0, measured=None),
        ]
        self.assertEqual([predicted(one) for one in rows], [1.5, 3.0, None, None])

    def test_what_rows_do_not_share_stands_in_their_labels(self):
        rows = [try_row(1, 2.0), try_row(2, 2.5, n=2000.0)]
        self.assertEqual(
            [label_of(one, rows) for one in rows],
            ["1  mine, N = 5000\nan idea", "2  mine, N = 2000\nan idea"],
        )

    def test_what_has_no_speed_has_no_bar(self):
        svg = svg_of(
            [try_row(1, 2.0), try_row(2, None, verdict="wrong: not antisymmetric"), try_row(3, 2.5)]
        )
        self.assertEqual([f'id="bar-{k}"' in svg for k in (1, 2, 3)], [True, False, True])
        with self.assertRaises(NoResult) as fault:
            own_ladder("part1", [try_row(1, None)])
        self.assertIn("./lab try part1", str(fault.exception))

    def test_verdicts_have_colours_and_wrong_rows_are_hatched(self):
        rows = [
            try_row(k, 2.0, verdict=verdict)
            for k, verdict in enumerate(
                [
                    "as expected",
                    "more than expected",
                    "less than expected",
                    "too noisy to tell",
                    "wrong: zeros",
                ]
            )
        ]
        self.assertEqual(len({colour_of_try(one) for one in rows}), 5)
        self.assertEqual(colour_of_try(rows[4]), theme.WHITE)
        self.assertNotIn("<pattern", svg_of(rows[:4]))
        self.assertIn("<pattern", svg_of(rows))

    def test_long_ideas_and_many_rows_do_not_overlap(self):
        rows = [
            try_row(
                k,
                1 + k / 3,
                idea="a very long idea that goes on and on " * 4,
                against=str(k - 1),
                name="mine_" + "x" * 20,
            )
            for k in range(1, 25)
        ]
        sheet = own_ladder("part1", rows)
        self.assertEqual(collisions(sheet), [])
        sheet.close()

    def test_only_what_all_rows_share_is_a_footnote(self):
        self.assertEqual(
            conditions_of([try_row(1, 2.0), try_row(2, 2.5)]),
            "N = 5000, threads: 1, float, adaptive step, plummer scene",
        )
        self.assertNotIn("threads", conditions_of([try_row(1, 2.0), try_row(2, 2.5, threads="2")]))
