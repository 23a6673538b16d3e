"""The student's best on a page: its speed-up over what, and what limits it in the setting of the measurement."""

import unittest

from nbody_lab.draw.bench_result import Result, Row
from nbody_lab.page.benches import bench_of
from nbody_lab.page.implementations import headline_of, implementations_of
from tests.page.tree_for_tests import FOLDER, POINTS, Tree
from tests.page.with_page import page_of
from tests.roofline.roofline_for_tests import roofline_json as roofline
from tests.roofline.roofline_for_tests import roofline_of_gpu_json as roofline_of_gpu


def row(name, rate, threads=1, precision="float", verdict="right"):
    return Row(
        name,
        5000,
        threads,
        precision,
        0,
        0,
        {"median": rate, "lower_quartile": rate, "upper_quartile": rate},
        {},
        0.0,
        "",
        verdict,
        5,
    )


def bench(*rows, part="part1"):
    return bench_of("result.json", Result({"part": part}, list(rows)))


def attempt(name, times_naive, **more):
    return {
        "name": name,
        "times_naive": times_naive,
        "right": True,
        "verdict": "as expected",
        "date": "2026-11-22",
        "n": 5000,
        "threads": "1",
        "precision": "float",
        "interactions_per_s": times_naive * 1e8,
        **more,
    }


def headline(measured, rooflines=(), notebook=()):
    part = {
        "name": "part1",
        "verdicts": [],
        "bench": measured,
        "notebook": list(notebook),
        "bounds": [],
        "rooflines": list(rooflines),
    }
    part["implementations"] = implementations_of(
        part, [{"name": "mine", "kind": "mine"}, {"name": "mine_rows", "kind": "mine"}]
    )
    return headline_of(part)


class TimesNaive(unittest.TestCase):
    def test_naive_need_not_come_first(self):
        self.assertEqual(headline(bench(row("mine", 4e8), row("naive", 1e8)))["times_naive"], 4)
        self.assertEqual(
            headline(bench(row("fused", 2e8), row("naive", 1e8), row("mine", 4e8)))["times_naive"],
            4,
        )

    def test_it_is_naive_of_the_same_setting(self):
        self.assertEqual(
            headline(
                bench(
                    row("naive", 1e8), row("mine", 4e8), row("naive", 2e8, 2), row("mine", 6e8, 2)
                )
            )["times_naive"],
            3,
        )

    def test_there_is_none_without_naive(self):
        best = headline(bench(row("mine", 3e8), row("mine_rows", 4e8)))
        self.assertEqual(
            (best["name"], best["times_naive"], best["interactions_per_s"]),
            ("mine_rows", None, 4e8),
        )
        self.assertIsNone(headline(bench(row("fused", 3e8))))

    def test_without_naive_no_row_stands_for_it(self):
        self.assertIsNone(bench(row("mine", 3e8), row("mine_rows", 4e8))["naive"])
        self.assertEqual(bench(row("mine", 3e8), row("naive", 1e8))["naive"], "naive")

    def test_what_is_wrong_has_no_speed(self):
        best = headline(
            bench(row("naive", 1e8), row("mine", 9e8, verdict="WRONG"), row("mine_rows", 2e8))
        )
        self.assertEqual((best["name"], best["times_naive"]), ("mine_rows", 2))

    def test_of_several_points_float_on_one_thread_counts(self):
        both = [
            roofline(POINTS, threads=2, precision="double"),
            roofline(POINTS, threads=2),
            roofline(POINTS),
        ]
        for one in both:
            for point in one["points"]:
                point.update(precision=one["precision"], threads=one["threads"])
        best = headline(None, both)
        self.assertEqual((best["precision"], best["threads"]), ("float", 1))

    def test_then_the_notebook_may_know(self):
        best = headline(
            bench(row("mine", 3e8), row("mine_rows", 4e8)), notebook=[attempt("mine", 2.5)]
        )
        self.assertEqual(
            (best["name"], best["times_naive"], best["from"]), ("mine", 2.5, "notebook")
        )

    def test_or_the_roofline(self):
        best = headline(None, [roofline(POINTS)])
        self.assertEqual(
            (best["name"], best["from"], best["interactions_per_s"], best["n"], best["threads"]),
            ("mine", "roofline", 3.4e8, 5000, 1),
        )
        self.assertAlmostEqual(best["times_naive"], 3.4e8 / 1.05e8)
        self.assertIsNone(headline(None, [roofline(POINTS[1:])])["times_naive"])
        self.assertEqual(
            headline(bench(row("mine", 3e8), row("naive", 1e8)), [roofline(POINTS)])["from"],
            "bench",
        )

    def test_what_makes_a_missing_limiter_has_the_setting_of_the_speed(self):
        self.assertEqual(
            headline(None, notebook=[attempt("mine", 2.5, threads="2")])["limiter_by"],
            "./lab roofline part1 --threads all",
        )
        self.assertEqual(
            headline(bench(row("naive", 1e8), row("mine", 4e8)))["limiter_by"],
            "./lab roofline part1",
        )

    def test_why_there_is_no_limiter(self):
        one, both = roofline(POINTS), roofline(POINTS, threads=2)

        def why(rooflines, threads, **more):
            return headline(
                None, rooflines, notebook=[attempt("mine", 2.5, threads=threads, **more)]
            )["limiter_why"]

        self.assertEqual(why([one], "2"), "only one thread was measured so far")
        self.assertEqual(why([both], "1"), "only 2 threads were measured so far")
        self.assertEqual(why([one], "1", precision="double"), "only float was measured so far")
        self.assertEqual(
            (why([], "2"), why([roofline(POINTS[:1])], "2"), why([one], "1")), ("", "", "")
        )

    def test_of_several_parts_it_is_this_parts(self):
        rows = [row("part1/naive", 1e8), row("part3/naive", 5e8), row("part3/mine", 1e9)]
        self.assertEqual(
            [one["times_naive"] for one in bench(*rows, part="part3")["rows"]], [0.2, 1, 2]
        )


class Limiter(unittest.TestCase):
    def test_on_a_busy_machine_it_is_not_known(self):
        """As ./lab roofline reports it for the same file."""
        slow = [(*words, 1e7) for *words, _ in POINTS]
        quiet, busy = roofline(slow), roofline(slow)
        for one in busy["points"]:
            one["busy_machine"] = True
        measured = bench(row("naive", 1e6), row("mine", 1e7))
        self.assertRegex(headline(measured, [quiet])["limiter"], "^waiting")
        self.assertEqual(headline(measured, [quiet])["busy"], "")
        self.assertEqual(headline(measured, [busy])["limiter"], "busy machine?")
        self.assertIn(
            "the machine was busy, so mine may be faster", headline(measured, [busy])["busy"]
        )

    one, both = roofline(POINTS), roofline(POINTS, threads=2)
    double = roofline(POINTS, precision="double")

    def share(self, measured, *rooflines, notebook=()):
        return headline(measured, rooflines, notebook)["share_of_limit"]

    def share_in(self, data):
        return next(point["share_of_limit"] for point in data["points"] if point["name"] == "mine")

    def test_it_is_of_the_same_setting(self):
        self.assertNotEqual(self.share_in(self.one), self.share_in(self.both))
        for threads, data in ((1, self.one), (2, self.both)):
            measured = bench(row("naive", 1e8, threads), row("mine", 3e8, threads))
            self.assertEqual(
                self.share(measured, self.double, self.one, self.both), self.share_in(data)
            )

    def test_there_is_none_where_only_others_are_known(self):
        measured = bench(row("naive", 1e8, 4), row("mine", 3e8, 4))
        self.assertIsNone(self.share(measured, self.one, self.both))
        measured = bench(row("naive", 1e8, 1, "double"), row("mine", 3e8, 1, "double"))
        self.assertIsNone(self.share(measured, self.one, self.both))
        self.assertIsNotNone(self.share(measured, self.one, self.double))

    def test_so_it_is_of_a_row_of_the_notebook(self):
        self.assertEqual(
            self.share(None, self.one, self.both, notebook=[attempt("mine", 2.5, threads="2")]),
            self.share_in(self.both),
        )
        self.assertIsNone(
            self.share(
                None, self.one, self.both, notebook=[attempt("mine", 2.5, precision="double")]
            )
        )

    def test_a_gpu_has_no_threads(self):
        gpu = roofline_of_gpu()
        gpu["points"][1]["name"] = "mine"
        self.assertEqual(
            self.share(bench(row("naive", 1e11), row("mine", 1e12)), gpu), self.share_in(gpu)
        )


class WithoutBench(unittest.TestCase):
    def speeds(self, measured, *found):
        part = {
            "name": "part1",
            "verdicts": [],
            "bench": measured,
            "bounds": [],
            "rooflines": [roofline(POINTS)],
            "notebook": list(found),
        }
        rows = implementations_of(
            part,
            [
                {"name": name, "kind": kind}
                for name, kind in (("mine", "mine"), ("mine_rows", "mine"), ("third_law", "rung"))
            ],
        )
        return {
            row["name"]: (row["elsewhere"]["from"], row["elsewhere"]["interactions_per_s"])
            for row in rows
            if row["elsewhere"]
        }

    def test_the_newest_speed_is_shown(self):
        self.assertEqual(
            self.speeds(None, attempt("mine", 2.5, date="2026-01-02"))["mine"], ("notebook", 2.5e8)
        )
        self.assertEqual(
            self.speeds(None, attempt("mine", 2.5, date="2025-12-31"))["mine"], ("roofline", 3.4e8)
        )
        self.assertEqual(
            self.speeds(None, attempt("mine_rows", 2.5))["mine_rows"], ("notebook", 2.5e8)
        )
        self.assertNotIn("mine_rows", self.speeds(None, attempt("mine_rows", 2.5, right=False)))

    def test_a_bench_has_its_own(self):
        self.assertEqual(
            self.speeds(bench(row("mine", 3e8), row("naive", 1e8))).keys(), {"third_law"}
        )


class OnThePage(unittest.TestCase):
    def setUp(self):
        self.tree = Tree()
        self.addCleanup(self.tree.close)

    def test_speeds_without_a_bench(self):
        self.tree.manifest()
        self.tree.write("build/roofline/part1.json", roofline(POINTS))
        page = page_of(self.tree)
        self.assertEqual(page.faults, [])
        words = page.by_id("part1").words()
        self.assertIn("mine – 0.340 roofline", words)
        self.assertIn("interactions/s: roofline of 1 Jan 2026, N = 5000, 1 thread.", words)

    def test_a_verdict_of_try_names_the_check_in_double(self):
        self.tree.manifest()
        self.tree.record(
            "build/verdicts/part1_mine.json",
            "verdict",
            f"{FOLDER}/mine.hpp",
            part="part1",
            name="mine",
            verdict="passed",
            options=["--no-double"],
        )
        words = page_of(self.tree).by_id("part1").words()
        self.assertIn("float only; for double too: ./lab check part1 mine", words)
        self.assertNotIn("--no-double", words)

    def test_what_is_missing_is_said(self):
        tree = self.tree
        tree.manifest()
        tree.benches(without="naive")
        words = page_of(tree).elements(of_class="headline")[0].words()
        self.assertIn("– naive", words)
        self.assertIn("Compared with naive: ./lab bench part1 naive mine", words)
