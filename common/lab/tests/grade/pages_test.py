"""Are the pages of a class complete, true to the results, and safe against what students typed?"""

import json
import re
import subprocess
import sys
import time
import unittest
from pathlib import Path

from nbody_lab.grade.pages.class_rows import reasons_of, same_code
from nbody_lab.grade.pages.write_pages import write_pages
from tests.grade.class_for_tests import EVIDENCE, EVIL, Graded, many, whole_class
from tests.page.page_reader import Page

SECONDS = 20  # for 200 submissions on any machine; the usual time is four
HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def page_at(file):
    return Page(file.read_text(encoding="utf-8"))


WRITE = "import sys, pathlib; from nbody_lab.grade.pages.command import write; sys.exit(write(pathlib.Path(sys.argv[1])))"


class Written(unittest.TestCase):
    """Writes the pages of a class once for all tests."""

    @classmethod
    def setUpClass(cls):
        cls.graded = Graded(evidence=EVIDENCE)
        cls.index = page_at(write_pages(cls.graded.out))
        cls.files = {file.stem: file for file in (cls.graded.out / "students").glob("*.html")}
        cls.results, cls.kept = whole_class()
        cls.names = [one["name"] for one in cls.results["submissions"]]

    @classmethod
    def tearDownClass(cls):
        cls.graded.close()

    def student(self, name):
        return page_at(self.files[name])

    def words_of(self, name, one):
        return self.student(name).by_id(one).words()


class AllPages(Written):
    def pages(self):
        yield "index", self.index, (self.graded.out / "index.html").read_text(encoding="utf-8")
        for name, file in self.files.items():
            yield name, page_at(file), file.read_text(encoding="utf-8")

    def test_they_are_nested_well(self):
        for name, page, _ in self.pages():
            self.assertEqual(page.faults, [], name)
            ids = [element.get("id") for element in page.elements() if element.get("id")]
            self.assertEqual(len(ids), len(set(ids)), name)

    def test_nothing_of_a_student_is_code(self):
        for name, page, text in self.pages():
            self.assertNotIn("<script>alert", text, name)
            self.assertNotRegex(text, HIDDEN, name)
            scripts = [element.get("type") for element in page.elements("script")]
            self.assertEqual(
                scripts, ["application/json", ""] if name == "index" else ["application/json"]
            )
        self.assertIn(EVIL, self.index.by_id("table").words())
        self.assertIn(EVIL, self.words_of("evil_eve", "part1"))

    def test_the_browser_is_told_which_script_may_run(self):
        for name, page, _ in self.pages():
            rule = next(
                element.get("content")
                for element in page.elements("meta")
                if element.get("http-equiv")
            )
            self.assertIn("default-src 'none'", rule)
            self.assertRegex(
                rule, r"script-src 'sha256-" if name == "index" else r"script-src 'none'"
            )

    def test_they_need_nothing_from_anywhere(self):
        for name, page, _ in self.pages():
            for element in page.elements():
                for key in ("href", "src", "xlink:href", "action", "data", "srcset"):
                    if element.get(key):
                        self.assertRegex(
                            element.get(key),
                            r"^(#|students/[A-Za-z0-9._-]+\.html$|taken/cheat_clara/part1_standard_opti/mine\.hpp$)",
                            name,
                        )

    def test_every_number_is_that_of_the_data(self):
        for name, page, _ in self.pages():
            figures = page.elements("span", "n")
            self.assertGreater(len(figures), 2, name)
            for one in figures:
                per = float(one.get("data-per"))
                value = page.at(one.get("data-json")) / per
                near = 0.51 if per == 0.01 else 0.006 * abs(value)  # whole per cents; three digits
                self.assertAlmostEqual(
                    float(one.text()),
                    value,
                    delta=near + 0.006,
                    msg=f"{name}: {one.get('data-json')}",
                )

    def test_links_lead_somewhere(self):
        links = [
            element.get("href")
            for element in self.index.elements("a")
            if element.get("href").startswith("students/")
        ]
        self.assertEqual({Path(link).stem for link in links}, set(self.names))
        self.assertEqual(set(self.files), set(self.names))


class ClassPage(Written):
    def test_the_best_come_first_and_those_without_points_last(self):
        rows = self.index.at("rows")
        self.assertEqual((rows[0]["name"], rows[-1]["name"]), ("fast_eva", "broken_bob"))
        self.assertIn("Eva Fast 44.5 50 44.5", self.index.by_id("table").words())

    def test_what_needs_a_person(self):
        words = self.index.by_id("look").words()
        for said in (
            "faster than this machine allows",
            "weaker isolation: no bubblewrap here",
            "lab.zip: no zip file",
            "too noisy to tell, timed twice",
            "To read: part1, why is third law not twice as fast, in 12 submissions.",
        ):
            self.assertIn(said, words)
        self.assertEqual(len(self.index.at("answers")), 1)
        self.assertEqual(
            [one["name"] for one in self.index.at("look")],
            ["loud_grete", "evil_eve", "cheat_clara", "broken_bob"],
        )

    def test_nothing_graded_is_no_zero(self):
        row = next(
            element
            for element in self.index.by_id("table").all("tr")
            if "broken_bob" in element.words()
        )
        self.assertIn("broken_bob – – – – 60", row.words())

    def test_evidence_is_no_verdict(self):
        words = self.index.by_id("evidence").words()
        self.assertIn("Evidence, never a verdict", words)
        self.assertIn("fast_eva smith_anna part1 0.830 41", words)

    def test_nearly_the_same_code_is_among_what_a_person_should_look_at(self):
        def pair(first, second, share, third=()):
            return {
                "part": "part1",
                "first": first,
                "second": second,
                "share": share,
                "both_resemble": list(third),
            }

        found = {
            "pairs": [
                pair("eva: mine.hpp", "bob: mine_a.hpp", 0.97),
                pair("eva: mine.hpp", "tom: mine.hpp", 0.89),
                pair("tom: mine.hpp", "ann: mine.hpp", 1.0, ["solutions/a.hpp"]),
            ]
        }
        self.assertEqual(
            same_code("eva", found), ["part1: mine.hpp is 97 % the same as bob: mine_a.hpp"]
        )
        self.assertEqual(
            same_code("bob", found), ["part1: mine_a.hpp is 97 % the same as eva: mine.hpp"]
        )
        self.assertEqual((same_code("tom", found), same_code("eva", None)), ([], []))
        row = {"name": "eva", "open": [], "problems": [], "flags": [], "banner": ""}
        self.assertEqual(reasons_of(row, set(), found), same_code("eva", found))

    def test_the_histogram_counts_all_that_have_points(self):
        self.assertIn("12 submissions", self.index.by_id("histogram").text())

    def test_a_banner_of_weaker_isolation(self):
        graded = Graded(
            {**self.results, "isolation": {"kind": "none", "banner": "nothing isolates here"}}, {}
        )
        self.addCleanup(graded.close)
        self.assertIn(
            "nothing isolates here",
            page_at(write_pages(graded.out)).elements("p", "banner")[0].words(),
        )


class Program(unittest.TestCase):
    def run_at(self, out):
        return subprocess.run(
            [sys.executable, "-c", WRITE, str(out)], capture_output=True, text=True, check=False
        )

    def test_two_hundred_take_seconds(self):
        graded = Graded(*many(200))
        self.addCleanup(graded.close)
        start = time.monotonic()
        done = self.run_at(graded.out)
        self.assertEqual(
            (done.returncode, done.stdout), (0, f"written: {graded.out}/index.html\n"), done.stderr
        )
        self.assertLess(time.monotonic() - start, SECONDS)
        self.assertEqual(len(list(graded.out.glob("students/*.html"))), 200)

    def test_bad_input_is_one_line(self):
        graded = Graded({"version": 7}, {})
        self.addCleanup(graded.close)
        for text in (json.dumps({"version": 7}), "{"):
            (graded.out / "results.json").write_text(text)
            done = self.run_at(graded.out)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn("results.json: no", done.stderr)
        self.assertFalse((graded.out / "index.html").exists())


class StudentPage(Written):
    def test_nothing_of_others(self):
        tell = {
            name: [name, *one["authors"]]
            for name, one in zip(self.names, self.results["submissions"])
        }
        for name, file in self.files.items():
            text = file.read_text(encoding="utf-8")
            for other, words in tell.items():
                if other != name:
                    self.assertFalse(
                        [word for word in words if word in text], f"{other} on the page of {name}"
                    )

    def test_flags_and_evidence_stay_with_the_instructor(self):
        text = self.files["loud_grete"].read_text(encoding="utf-8")
        self.assertNotIn("timed twice", text)
        self.assertNotIn("vidence", self.files["fast_eva"].read_text(encoding="utf-8"))

    def test_why_each_mark(self):
        words = self.words_of("smith_anna", "points")
        for said in (
            "31.95 of 50",
            "a person still decides on 10 points",
            "late by 1 day: 3.55 points taken off 10 % a day",
            "not graded here: needs a GPU",
            "speed, 1 thread 5 10 0.71 of the solution's speed",
        ):
            self.assertIn(said, words)

    def test_what_differed(self):
        words = self.words_of("wrong_emil", "part1")
        for said in (
            "forces equal masses 7 1.0e-02 1.0e-05",
            "expected a = (0.125, -0.25, 3.5), got (0.125, -0.25, 3.25)",
            "the last body is skipped",
            "Not timed: wrong.",
        ):
            self.assertIn(said, words)

    def test_speed_is_drawn(self):
        bars = list(self.student("fast_eva").elements("svg", "bar"))
        widths = {
            next(bar.all("rect")).get("class"): float(next(bar.all("rect")).get("width"))
            for bar in bars[:3]
        }
        self.assertEqual((widths["solution"], widths["mine"]), (100, 97))
        self.assertIn(
            "97 % of the solution (split_loop), 19 % of what this machine's arithmetic allows",
            self.words_of("fast_eva", "part1"),
        )

    def test_its_place_under_the_roof(self):
        said = self.words_of("fast_eva", "part1")
        self.assertIn(
            "Roofline: 23.3 Gflop/s, with 20.0 flops per interaction: 39 % of the roof of 60.0 Gflop/s. The roof above it is arithmetic: 2000 bodies",
            said,
        )
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
        first = {
            **self.results["submissions"][0],
            "next": ["look at the inner loop"],
            "problems": ["worksheet: two names"],
        }
        graded = Graded(
            {**self.results, "submissions": [first]}, {"smith_anna": self.kept["smith_anna"]}
        )
        self.addCleanup(graded.close)
        write_pages(graded.out)
        page = page_at(graded.out / "students/smith_anna.html")
        self.assertIn("Next, look at the inner loop.", page.by_id("points").words())
        self.assertIn("worksheet: two names", page.by_id("points").words())

    def test_what_may_be_empty(self):
        """A part without worksheet and notebook, and a row neither checked nor counted."""
        part = {**self.kept["smith_anna"]["parts"]["part1"], "worksheet": None, "notebook": None}
        part["rows"] = [{**part["rows"][0], "check": None, "counts": None, "speed": []}]
        graded = Graded(
            {
                **self.results,
                "machine": None,
                "isolation": None,
                "submissions": self.results["submissions"][:1],
            },
            {"smith_anna": {**self.kept["smith_anna"], "parts": {"part1": part}}},
        )
        self.addCleanup(graded.close)
        write_pages(graded.out)
        self.assertIn(
            "not checked", page_at(graded.out / "students/smith_anna.html").by_id("part1").words()
        )

    def test_of_what_could_not_be_read(self):
        graded = Graded(self.results, {})
        self.addCleanup(graded.close)
        write_pages(graded.out)
        self.assertIn(
            "not measured yet",
            page_at(graded.out / "students/smith_anna.html").by_id("points").words(),
        )
