"""The reference line: computed from measured figures, shown only without solutions."""

import json
import unittest

from nbody_lab import ROOT
from nbody_lab.handout.references import FILE, document, lines, of_results, ratios
from tests.folder_for_tests import InFolder

RESULTS = ROOT / "data/results"


def result(threads, rates, device=None):
    context = {
        "cpu": "A processor",
        "compiler": "g++ 12",
        "day": "2026-11-21",
        "adaptive": False,
        **({"device": device} if device else {}),
    }
    return {
        "context": context,
        "summary": [
            {
                "name": name,
                "threads": threads,
                "n": 5000,
                "precision": "float",
                "interactions_per_s": {"median": rate},
            }
            for name, rate in rates
        ],
    }


class ReferencesTest(InFolder):
    def setUp(self):
        super().setUp()
        (self.folder / "data").mkdir()

    def keep(self, *results):
        rows = [row for one in results for row in ratios(one)]
        (self.folder / FILE).write_text(json.dumps(document({"part1": rows})))

    def test_the_line(self):
        self.keep(
            result(1, [("naive", 1e8), ("trick", 2e8), ("best", 5.2e8)]),
            result(2, [("naive", 1e8), ("best", 9.1e8)]),
        )
        self.assertEqual(
            " ".join(line.strip() for line in lines(self.folder, "part1")),
            "reference: the solution reaches 5.2 x naive with one thread, 9.1 x naive with two threads "
            "(5000 bodies, fixed step; measured on A processor, 2026-11-21)",
        )
        self.assertTrue(all(len(line) <= 100 for line in lines(self.folder, "part1")))
        self.assertEqual(lines(self.folder, "part2"), [])

    def test_of_a_gpu_without_threads(self):
        self.keep(result(1, [("naive", 1e11), ("best", 6e11)], "NVIDIA H200 (132 SM)"))
        self.assertEqual(
            lines(self.folder, "part1")[0][:52],
            "reference: the solution reaches 6 x naive (5000 bodi",
        )

    def test_silent_where_the_solution_itself_is(self):
        self.keep(result(1, [("naive", 1e8), ("best", 5e8)]))
        (self.folder / "solutions").mkdir()
        self.assertEqual(lines(self.folder, "part1"), [])

    def test_silent_without_a_file(self):
        self.assertEqual(lines(self.folder, "part1"), [])

    @unittest.skipUnless(
        (RESULTS / "part1_ladder_1_thread.json").exists(), "no measured ladders here"
    )
    def test_of_what_is_kept(self):
        parts = of_results(RESULTS, ["part1", "part2", "part3"])["parts"]
        self.assertEqual(
            {part: [row["threads"] for row in rows] for part, rows in parts.items()},
            {"part1": [1, 2, 1], "part2": [1, 2], "part3": [0]},
        )
        self.assertTrue(all(1 < row["x_naive"] < 100 for rows in parts.values() for row in rows))
