#!/usr/bin/env python3
"""Does a student's page explain what differed and each mark, and reveal nothing about others?"""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders  # noqa: E402, F401
from pages_for_tests import Written, page_at, write_pages  # noqa: E402
from grade.class_for_tests import Graded  # noqa: E402


class StudentPage(Written):
    def test_nothing_of_others(self):
        tell = {name: [name, *one["authors"]] for name, one in zip(self.names, self.results["submissions"])}
        for name, file in self.files.items():
            text = file.read_text(encoding="utf-8")
            for other, words in tell.items():
                if other != name:
                    self.assertFalse([word for word in words if word in text], f"{other} on the page of {name}")

    def test_flags_and_evidence_stay_with_the_instructor(self):
        text = self.files["loud_grete"].read_text(encoding="utf-8")
        self.assertNotIn("timed twice", text)
        self.assertNotIn("vidence", self.files["fast_eva"].read_text(encoding="utf-8"))

    def test_why_each_mark(self):
        words = self.words_of("smith_anna", "points")
        for said in ("31.95 of 50", "a person still decides on 10 points", "late by 1 day: 3.55 points taken off 10 % a day",
                     "not graded here: needs a GPU",
                     "speed, 1 thread 5 10 0.71 of the solution's speed"):
            self.assertIn(said, words)

    def test_what_differed(self):
        words = self.words_of("wrong_emil", "part1")
        for said in ("forces equal masses 7 1.0e-02 1.0e-05", "expected a = (0.125, -0.25, 3.5), got (0.125, -0.25, 3.25)",
                     "the last body is skipped", "Not timed: wrong."):
            self.assertIn(said, words)

    def test_speed_is_drawn(self):
        bars = [element for element in self.student("fast_eva").elements("svg", "bar")]
        widths = {next(bar.all("rect")).get("class"): float(next(bar.all("rect")).get("width")) for bar in bars[:3]}
        self.assertEqual((widths["solution"], widths["mine"]), (100, 97))
        self.assertIn("97 % of the solution (split_loop), 19 % of what this machine's arithmetic allows", self.words_of("fast_eva", "part1"))

    def test_its_place_under_the_roof(self):
        said = self.words_of("fast_eva", "part1")
        self.assertIn("Roofline: 23.3 Gflop/s, with 20.0 flops per interaction: 39 % of the roof of 60.0 Gflop/s. The roof above it is arithmetic: 2000 bodies", said)
        self.assertNotIn("Roofline", self.words_of("wrong_emil", "part1"))

    def test_a_long_log_is_cut(self):
        page = self.student("flood_fritz")
        log = page.elements("pre", "log")[0].text()
        self.assertLess(len(log), 20000)
        self.assertTrue(log.startswith("mine.hpp:12:5: error: 'sqroot'"))
        self.assertTrue("characters left out here" in log)
        self.assertTrue(log.rstrip().endswith("the end of the log"))
        self.assertIn("And 2800 more files.", page.by_id("files").words())

    def test_what_scoring_says_comes_first(self):
        first = {**self.results["submissions"][0], "next": ["look at the inner loop"], "problems": ["worksheet: two names"]}
        graded = Graded({**self.results, "submissions": [first]}, {"smith_anna": self.kept["smith_anna"]})
        self.addCleanup(graded.close)
        write_pages(graded.out)
        page = page_at(graded.out / "students/smith_anna.html")
        self.assertIn("Next, look at the inner loop.", page.by_id("points").words())
        self.assertIn("worksheet: two names", page.by_id("points").words())

    def test_what_may_be_empty(self):
        """A part without worksheet and notebook, and a row neither checked nor counted."""
        part = {**self.kept["smith_anna"]["parts"]["part1"], "worksheet": None, "notebook": None}
        part["rows"] = [{**part["rows"][0], "check": None, "counts": None, "speed": []}]
        graded = Graded({**self.results, "machine": None, "isolation": None, "submissions": self.results["submissions"][:1]},
                        {"smith_anna": {**self.kept["smith_anna"], "parts": {"part1": part}}})
        self.addCleanup(graded.close)
        write_pages(graded.out)
        self.assertIn("not checked", page_at(graded.out / "students/smith_anna.html").by_id("part1").words())

    def test_of_what_could_not_be_read(self):
        graded = Graded(self.results, {})
        self.addCleanup(graded.close)
        write_pages(graded.out)
        self.assertIn("not measured yet", page_at(graded.out / "students/smith_anna.html").by_id("points").words())


if __name__ == "__main__":
    unittest.main()
