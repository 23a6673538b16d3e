"""Is the page of ./lab report complete, true to the measurements, and safe against what a student typed? (Fast: reads
its HTML; page_browser_test.py opens it in a browser.)
"""

import csv
import io
import json
import re
import subprocess
import sys
import unittest
import urllib.parse

from nbody_lab.notebook.kept_results import seal_of
from nbody_lab.page.environment import in_digits
from nbody_lab.page.render import write_page
from tests.page.tree_for_tests import EVIL, FOLDER, POINTS, Tree, bound
from tests.page.with_page import page_of
from tests.roofline.roofline_for_tests import roofline_json as roofline


def csv_columns(page, name):
    link = next(element for element in page.elements("a") if element.get("download") == name)
    return urllib.parse.unquote(link.get("href").partition(",")[2]).split("\r\n", 1)[0].split(",")


class WholePage(unittest.TestCase):
    """A lab with everything measured in part 1, and nothing in part 2."""

    @classmethod
    def setUpClass(cls):
        cls.tree = Tree().measured()
        cls.page = page_of(cls.tree)
        cls.text = (cls.tree.root / "report.html").read_text(encoding="utf-8")

    @classmethod
    def tearDownClass(cls):
        cls.tree.close()

    def words_of(self, one):
        element = self.page.by_id(one)
        self.assertIsNotNone(element, one)
        return element.words()

    def test_it_is_nested_well_and_ids_are_unique(self):
        self.assertEqual(self.page.faults, [])
        ids = [element.get("id") for element in self.page.elements() if element.get("id")]
        self.assertEqual(sorted({one for one in ids if ids.count(one) > 1}), [])

    def test_it_needs_nothing_from_anywhere(self):
        for element in self.page.elements():
            for name, value in element.attributes.items():
                if name in ("href", "src", "xlink:href", "action", "data", "srcset"):
                    self.assertRegex(value, r"^(#|data:text/csv)", f"{element.name} {name}")
        style = "".join(element.text() for element in self.page.elements("style"))
        self.assertNotRegex(self.text + style, r"url\((?!#)|@import|https?://(?!www\.w3\.org/)")

    def test_rules_for_pictures_meet_nothing_else(self):
        """They would apply to any element with such a style."""

        def inside(element):
            return element is not None and (element.name == "svg" or inside(element.parent))

        self.assertEqual(
            [
                element.name
                for element in self.page.elements()
                if element.get("style") and not inside(element)
            ],
            [],
        )

    def test_links_and_labels_lead_somewhere(self):
        ids = {element.get("id") for element in self.page.elements()}
        inside = [
            element.get("href")[1:]
            for element in self.page.elements("a")
            if element.get("href").startswith("#")
        ]
        self.assertGreater(len(inside), 8)
        self.assertLessEqual(set(inside), ids)
        self.assertLessEqual({element.get("for") for element in self.page.elements("label")}, ids)

    def test_every_section_is_there(self):
        for one in (
            "machine",
            "part1",
            "part2",
            "orbits",
            *(
                f"part1-{name}"
                for name in (
                    "implementations",
                    "roofline",
                    "ladder",
                    "bound",
                    "profile",
                    "notebook",
                    "worksheet",
                )
            ),
        ):
            self.assertIsNotNone(self.page.by_id(one), one)
        self.assertIsNone(self.page.by_id("problems"))
        self.assertGreaterEqual(len(self.page.elements("svg")), 9)

    def test_the_script_is_small(self):
        scripts = self.page.elements("script")
        self.assertEqual([element.get("type") for element in scripts], ["application/json", ""])
        self.assertLess(len(scripts[1].text()), 3000)

    def test_what_a_student_typed_is_text(self):
        self.assertEqual(self.page.at("parts.0.notebook.0.idea"), EVIL)
        self.assertIn(
            " ".join(EVIL.split()),
            " ".join(element.words() for element in self.page.elements("td")),
        )
        self.assertNotIn("<script>alert", self.text)
        self.assertIn("<script>alert", self.page.by_id("part1-notebook-picture").text())

    def test_every_number_of_a_table_is_that_of_the_data(self):
        figures = self.page.elements("span", "n")
        self.assertGreater(len(figures), 150)
        for figure in figures:
            value = self.page.at(figure.get("data-json")) / float(figure.get("data-per"))
            shown = figure.text()
            digits = len(shown.partition(".")[2])
            self.assertLessEqual(
                abs(float(shown) - value), 0.5000001 * 10**-digits, figure.get("data-json")
            )
            self.assertTrue(float(shown) or abs(value) < 0.5, figure.get("data-json"))

    def test_no_cell_holds_a_number_of_unknown_origin(self):
        for cell in self.page.elements("td"):
            if "words" not in cell.classes:
                known = [one for one in cell.all("span") if {"n", "none"} & set(one.classes)]
                self.assertTrue(known, cell.words())

    def test_the_headline(self):
        headline = self.page.elements(of_class="headline")[0].words()
        for words in (
            "3.59 × naive",
            "your best mine",
            "passed",
            "with --largest 129",
            "square root and division; 91 % of that limit reached",
        ):
            self.assertIn(words, headline)
        self.assertNotIn("Too noisy", headline)

    def test_words_between_backticks_are_code(self):
        from nbody_lab.page.render import typed

        self.assertEqual(
            typed("rows of `fused` & <b>"), "rows of <code>fused</code> &amp; &lt;b&gt;"
        )

    def test_verdicts_say_what_has_changed_since(self):
        rows = {
            row.children[0].words(): row.words()
            for row in self.page.elements("tr")
            if row.children[0].get("scope") == "row"
        }
        table = self.words_of("part1")
        self.assertIn("formulas, word for word", table)
        self.assertIn("its source has changed since", table)
        self.assertEqual(
            [one["stale"] for one in self.page.at("parts.0.verdicts")], [False, False, True]
        )
        self.assertNotIn("nobody", rows)
        self.assertIn("third_law", rows)

    def test_the_loop_stands_beside_what_was_counted(self):
        table = next(
            element
            for element in self.page.elements("table")
            if "operations per interaction" in element.words()
        )
        self.assertEqual(
            [row.words() for row in table.all("tr")],
            [
                "in the loop counted",
                "add or subtract 3.00 3.01",
                "multiply 3.00 3.00",
                "square root 1.00 1.00",
                "divide – 1.00",
                "loads – 1.00",
            ],
        )
        self.assertNotIn("port 4", self.words_of("part1"))

    def test_what_is_the_bound_is_named(self):
        """mine has two full ports, naive a chain."""
        table = next(
            element for element in self.page.elements("table") if "reached" in element.words()
        )
        self.assertEqual(
            [
                [row.children[0].words(), row.children[1].words()]
                for row in list(table.all("tr"))[1:]
            ],
            [["mine", "port 0"], ["naive", "chain of 11.0 cycles per iteration"]],
        )
        ports = next(
            element
            for element in self.page.elements("table")
            if "busy cycles per iteration" in element.words()
        )
        self.assertEqual(
            [row.words() for row in ports.all("tr") if "full" in row.classes],
            ["port 0 8.00", "port 5 8.00"],
        )

    def test_the_bound_is_as_the_command_writes_it(self):
        self.assertIn("mine: what the loop is made of", self.words_of("part1"))
        self.assertEqual(self.page.at("parts.0.bounds.0.interactions_per_iteration"), 4)
        self.assertIn("limit", csv_columns(self.page, "part1_bound.csv"))

    def test_csv_holds_the_table(self):
        link = next(
            element
            for element in self.page.elements("a")
            if element.get("download") == "part1_notebook.csv"
        )
        text = urllib.parse.unquote(link.get("href").partition(",")[2])
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        self.assertEqual(
            [(row["idea"], row["row"]) for row in rows],
            [(row["idea"], str(row["row"])) for row in self.page.at("parts.0.notebook")],
        )
        points = next(
            element
            for element in self.page.elements("a")
            if element.get("download") == "part1_roofline.csv"
        )
        first = next(
            csv.DictReader(
                io.StringIO(urllib.parse.unquote(points.get("href").partition(",")[2]), newline="")
            )
        )
        self.assertEqual(
            float(first["interactions_per_s"]),
            self.page.at("parts.0.rooflines.0.points.0.interactions_per_s"),
        )

    def test_each_switch_has_its_view(self):
        views = [set(element.classes) - {"view"} for element in self.page.elements("div", "view")]
        self.assertEqual(
            sorted(map(sorted, views)),
            [["all", "double"], ["all", "float"], ["double", "one"], ["float", "one"]],
        )
        values = {name[3:] for element in self.page.elements("input") for name in element.classes}
        self.assertEqual(values, {"float", "double", "one", "all"})
        self.assertIn("./lab roofline part1 --double --threads all", self.words_of("part1"))
        style = "".join(element.text() for element in self.page.elements("style"))
        for value in values:
            self.assertIn(f".is-{value}:checked ~ .view:not(.{value})", style)

    def test_rows_light_points_that_there_are(self):
        ids = [element.get("id") for element in self.page.elements() if element.get("id")]
        for row in self.page.elements("tr"):
            names = row.get("data-lights").split()
            if names and row.parent.parent.parent.parent.classes[:1] == ["view"]:
                self.assertTrue(
                    any(one.endswith(f"-{name}") for one in ids for name in names), names
                )

    def test_a_part_without_anything_says_what_to_do(self):
        part = self.words_of("part2")
        for command in (
            "./lab check part2",
            "./lab bench part2",
            "./lab roofline part2",
            "./lab bound part2 mine",
            "./lab profile part2 mine",
            './lab try part2 mine "an idea" --expect 1.5',
            "./lab bench part2 naive mine --threads 1,2",
        ):
            self.assertIn(command, part)
        self.assertEqual(self.page.at("parts.0.missing"), [])

    def test_ceilings(self):
        machine = self.words_of("machine")
        self.assertIn("A made-up processor, virtual", machine)
        self.assertIn("L1 48 KiB, L2 2 MiB, L3 480 MiB", machine)
        self.assertIn("? no ceiling: its repeats spread over 14 %", machine)


class Digits(unittest.TestCase):
    def test_as_many_as_tell_something(self):
        for value, shown in (
            (0, "0"),
            (0.00612, "0.00612"),
            (0.9999, "1.00"),
            (1.234, "1.23"),
            (99.96, "100"),
            (123.4, "123"),
            (3127.4, "3127"),
            (45.6, "45.6"),
            (-2.5, "-2.50"),
        ):
            self.assertEqual(in_digits(value), shown)


WRITE = (
    "import sys, pathlib; from nbody_lab.page.command import write; "
    "sys.exit(write(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]))"
)


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
        for words in (
            "build/ceilings.json: cannot be read",
            "build/bound/part1_mine.json: is not a bound file of version 1",
            "notebook.csv:1: the columns",
            "build/roofline/part1.json: lacks part, points",
        ):
            self.assertIn(words, problems)

    def test_a_roofline_of_before_is_not_taken_for_the_present_one(self):
        """./lab roofline part1 --from part1_before.json writes such a file beside the others."""
        self.tree.measured()
        slow = [(*words, speed / 10) for *words, speed in POINTS]
        self.tree.write("build/roofline/part1_before.json", roofline(slow))
        self.tree.write("build/roofline/part1_double.json", roofline(slow))
        page = page_of(self.tree)
        self.assertEqual(
            [one["setting"] for one in page.at("parts.0.rooflines")],
            [["float", "one"], ["float", "all"]],
        )
        self.assertEqual(page.at("parts.0.implementations.1.point.interactions_per_s"), 3.4e8)
        self.assertIn("91 % of that limit reached", page.elements(of_class="headline")[0].words())
        view = next(
            element
            for element in page.elements("div", "view")
            if {"float", "one"} <= set(element.classes)
        )
        self.assertIn("0.340", view.words())
        self.assertIn(
            "build/roofline/part1_double.json: its settings do not match its name",
            page.by_id("problems").words(),
        )

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
        self.assertEqual(
            page.by_id("part1").words().count("its source has changed since"), before + 5
        )

    def test_what_has_no_file_any_more_is_left_out(self):
        self.tree.measured()
        self.tree.write(
            "build/bound/part1_mine_rows.json", self.sealed(bound("mine_rows", 0.92), "mine_rows")
        )
        self.tree.write(
            "build/bound/part1_mine_rows_double.json", bound("mine_rows", 0.92)
        )  # written by an older lab
        self.assertIn("mine_rows", page_of(self.tree).by_id("part1").words())
        (self.tree.root / FOLDER / "mine_rows.hpp").unlink()
        page = page_of(self.tree)
        self.assertEqual(page.faults, [])
        self.assertNotIn("mine_rows", page.by_id("part1").words())

    def test_a_busy_machine_is_no_limiter(self):
        self.tree.measured()
        slow = roofline([(*words, speed / 10) for *words, speed in POINTS])
        self.tree.write("build/roofline/part1.json", slow)
        self.assertIn(
            "Waiting: no unit is more than 60 % busy", page_of(self.tree).by_id("part1").words()
        )
        for one in slow["points"]:
            one["busy_machine"] = True
        self.tree.write("build/roofline/part1.json", slow)
        page = page_of(self.tree)
        self.assertEqual(page.faults, [])
        view = next(
            element
            for element in page.elements("div", "view")
            if {"float", "one"} <= set(element.classes)
        )
        self.assertIn("busy machine?", view.words())
        self.assertIn("The machine was busy, so naive, mine", view.words())
        self.assertNotIn("waiting", view.words())

    def test_broken_characters_do_no_harm(self):
        self.tree.notebook()
        file = self.tree.root / FOLDER / "notebook.csv"
        file.write_bytes(file.read_bytes().replace(b"=1+1", b"\xff\x1b[2J"))
        page = page_of(self.tree)
        self.assertEqual(page.faults, [])
        self.assertEqual(page.at("parts.0.notebook.2.idea"), '??[2J, "quoted"')

    def test_the_same_lab_gives_the_same_pictures(self):
        self.tree.measured()
        pages = [
            re.sub(
                r"2\d{3}-\d\d-\d\dT[^\"]*|Written on [^<]*|what was measured, [^<]*",
                "",
                self.written(),
            )
            for _ in range(2)
        ]
        self.assertEqual(*pages)

    def written(self):
        write_page(self.tree.root, self.tree.root / "report.html", ["part1"])
        return (self.tree.root / "report.html").read_text(encoding="utf-8")

    def test_the_command(self):
        for name, status, said in (
            ("new/report.html", 0, "written: "),
            ("part2_vectorization/README.md/report.html", 2, "cannot be written"),
        ):
            done = subprocess.run(
                [sys.executable, "-c", WRITE, self.tree.root, self.tree.root / name, "part1"],
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(said, done.stdout + done.stderr)
            self.assertEqual((done.stdout + done.stderr).count("\n"), 1)
        self.assertEqual(
            [file.name for file in (self.tree.root / "new").iterdir()], ["report.html"]
        )

    def test_a_noisy_headline_says_so(self):
        self.tree.manifest()
        self.tree.benches()
        file = self.tree.root / "build/pictures/2026-11-22_170002_part1/result.json"
        result = json.loads(file.read_text(encoding="utf-8"))
        result["summary"][0]["interactions_per_s"]["upper_quartile"] *= 1.4
        file.write_text(json.dumps(result), encoding="utf-8")
        self.assertIn("Too noisy", page_of(self.tree).by_id("part1").words())
