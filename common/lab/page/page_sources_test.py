#!/usr/bin/env python3
"""The page of a lab with missing, broken or noisy files, and the program that writes it."""

import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from with_page import go_over_to_page, page_of  # noqa: E402

go_over_to_page()
from kept_results import seal_of  # noqa: E402
from roofline_for_tests import roofline  # noqa: E402
from tree_for_tests import FOLDER, POINTS, Tree, bound  # noqa: E402
from write_page import write_page  # noqa: E402


class PageSourcesTest(unittest.TestCase):
    def setUp(self):
        self.tree = Tree()
        self.addCleanup(self.tree.close)

    def test_of_a_new_clone(self):
        page = page_of(self.tree)
        self.assertEqual(page.faults, [])
        self.assertIn("./lab roofline --measure", page.by_id("machine").words())
        self.assertIn("./lab worksheet part1", page.by_id("part1").words())
        self.assertIn("-w data/out/year", page.by_id("orbits").words())
        self.assertEqual(page.elements("svg"), [])

    def test_what_cannot_be_read_is_named(self):
        self.tree.write("build/ceilings.json", "{")
        self.tree.write("build/bound/part1_mine.json", {"what": "bound", "version": 7})
        self.tree.write(f"{FOLDER}/notebook.csv", "row\n1\n")
        self.tree.write("build/roofline/part1.json", {"what": "roofline", "version": 1})
        page = page_of(self.tree)
        self.assertEqual(page.faults, [])
        problems = page.by_id("problems").words()
        for words in ("build/ceilings.json: cannot be read", "build/bound/part1_mine.json: is not a bound file of version 1", "notebook.csv:1: the columns",
                      "build/roofline/part1.json: lacks part, points"):
            self.assertIn(words, problems)

    def test_a_roofline_of_before_is_not_taken_for_the_present_one(self):
        """./lab roofline part1 --from part1_before.json writes such a file beside the others."""
        self.tree.measured()
        slow = [(*words, speed / 10) for *words, speed in POINTS]
        self.tree.write("build/roofline/part1_before.json", roofline(slow))
        self.tree.write("build/roofline/part1_double.json", roofline(slow))
        page = page_of(self.tree)
        self.assertEqual([one["setting"] for one in page.at("parts.0.rooflines")], [["float", "one"], ["float", "all"]])
        self.assertEqual(page.at("parts.0.implementations.1.point.interactions_per_s"), 3.4e8)
        self.assertIn("91 % of that limit reached", page.elements(of_class="headline")[0].words())
        view = next(element for element in page.elements("div", "view") if {"float", "one"} <= set(element.classes))
        self.assertIn("0.340", view.words())
        self.assertIn("build/roofline/part1_double.json: its settings do not match its name", page.by_id("problems").words())

    def sealed(self, record, name="mine"):
        source = f"{FOLDER}/{name}.hpp"
        return {**record, "source": source, "source_sha256": seal_of(self.tree.root / source)}

    def test_bounds_and_points_of_an_older_source_say_so(self):
        self.tree.measured()
        drawn = roofline(POINTS)
        drawn["points"][1] = self.sealed(drawn["points"][1])
        self.tree.write("build/roofline/part1.json", drawn)
        self.tree.write("build/bound/part1_mine.json", self.sealed(bound("mine", 0.92)))
        before = page_of(self.tree).by_id("part1").words().count("its source has changed since")
        self.tree.write(f"{FOLDER}/mine.hpp", "another")
        page = page_of(self.tree)
        self.assertEqual(page.faults, [])
        self.assertTrue(page.at("parts.0.bounds.0.stale"))
        self.assertFalse(page.at("parts.0.bounds.1.stale"))  # unknown without a seal
        # twice in the headline and once in each of three tables
        self.assertEqual(page.by_id("part1").words().count("its source has changed since"), before + 5)

    def test_what_has_no_file_any_more_is_left_out(self):
        self.tree.measured()
        self.tree.write("build/bound/part1_mine_rows.json", self.sealed(bound("mine_rows", 0.92), "mine_rows"))
        self.tree.write("build/bound/part1_mine_rows_double.json", bound("mine_rows", 0.92))  # written by an older lab
        self.assertIn("mine_rows", page_of(self.tree).by_id("part1").words())
        (self.tree.root / FOLDER / "mine_rows.hpp").unlink()
        page = page_of(self.tree)
        self.assertEqual(page.faults, [])
        self.assertNotIn("mine_rows", page.by_id("part1").words())

    def test_a_busy_machine_is_no_limiter(self):
        self.tree.measured()
        slow = roofline([(*words, speed / 10) for *words, speed in POINTS])
        self.tree.write("build/roofline/part1.json", slow)
        self.assertIn("Waiting: no unit is more than 60 % busy", page_of(self.tree).by_id("part1").words())
        for one in slow["points"]:
            one["busy_machine"] = True
        self.tree.write("build/roofline/part1.json", slow)
        page = page_of(self.tree)
        self.assertEqual(page.faults, [])
        view = next(element for element in page.elements("div", "view") if {"float", "one"} <= set(element.classes))
        self.assertIn("busy machine?", view.words())
        self.assertIn("The machine was busy, so naive, mine", view.words())
        self.assertNotIn("waiting", view.words())

    def test_broken_characters_do_no_harm(self):
        self.tree.notebook()
        file = self.tree.root / FOLDER / "notebook.csv"
        file.write_bytes(file.read_bytes().replace(b"=1+1", b"\xff\x1b[2J"))
        page = page_of(self.tree)
        self.assertEqual(page.faults, [])
        self.assertEqual(page.at("parts.0.notebook.2.idea"), "??[2J, \"quoted\"")

    def test_the_same_lab_gives_the_same_pictures(self):
        self.tree.measured()
        pages = [re.sub(r"2\d{3}-\d\d-\d\dT[^\"]*|Written on [^<]*|what was measured, [^<]*", "", self.written()) for _ in range(2)]
        self.assertEqual(*pages)

    def written(self):
        write_page(self.tree.root, self.tree.root / "report.html", ["part1"])
        return (self.tree.root / "report.html").read_text(encoding="utf-8")


    def test_the_command(self):
        for name, status, said in (("new/report.html", 0, "written: "), ("part2_vectorization/README.md/report.html", 2, "cannot be written")):
            done = subprocess.run([sys.executable, HERE, self.tree.root, self.tree.root / name, "part1"], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(said, done.stdout + done.stderr)
            self.assertEqual((done.stdout + done.stderr).count("\n"), 1)
        self.assertEqual([file.name for file in (self.tree.root / "new").iterdir()], ["report.html"])

    def test_a_noisy_headline_says_so(self):
        self.tree.manifest()
        self.tree.benches()
        file = self.tree.root / "build/pictures/2026-11-22_170002_part1/result.json"
        result = json.loads(file.read_text(encoding="utf-8"))
        result["summary"][0]["interactions_per_s"]["upper_quartile"] *= 1.4
        file.write_text(json.dumps(result), encoding="utf-8")
        self.assertIn("Too noisy", page_of(self.tree).by_id("part1").words())


if __name__ == "__main__":
    unittest.main()
