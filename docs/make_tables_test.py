"""Tests that tables in documents match the results, that stale ones are found, and that none is typed by hand."""

import contextlib
import io
import json
import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import figures
import make_ladder
import make_tables

ROOT = make_tables.ROOT
DOCUMENTS = (
    "*.md",
    "docs/*.md",
    "part*/README.md",
    "part*/hints.md",
    "solutions/**/*.md",
    "data/*.md",
)
MEASURED = re.compile(
    r"x (naive|parent|before|third_law)\b|10\^(9|12)(/s| interactions)|\bspread\b|\breached\b"
)
RATE = {"head": "rate", "is": "10^9/s"}
NAIVE = {"file": "part1_ladder_1_thread", "name": "naive"}


def table(*rows, columns=({"head": "rung", "text": "title"}, RATE)):
    return {"columns": list(columns), "rows": list(rows)}


def all_tables():
    return json.loads((ROOT / "docs/tables.json").read_text(encoding="utf-8")).items()


def with_another_digit(text):
    """The last digit of the last table, and its line."""
    end = list(make_tables.MARK.finditer(text))[-1].end(2)
    at = max(position for position in range(end) if text[position].isdigit())
    digit = str((int(text[at]) + 1) % 10)
    return text[:at] + digit + text[at + 1 :], text[:at].count("\n") + 1


class DocumentsTest(unittest.TestCase):
    def test_bodies_at_60_steps_per_second(self):
        """They stand in a sentence: N^2 x 60 interactions per second."""
        text = " ".join((ROOT / "docs/results.md").read_text(encoding="utf-8").split())
        found = dict(re.findall(r"(\d+,000)[^(,]*\(`(\w+)`\)", text[text.index("At 60 steps") :]))
        measured = {
            "openmp_third_law": "part2_ladder_2_threads",
            "third_law": "part3_study_ladder",
            "matrix_mma": "part3_study_ladder",
        }
        for bodies, name in found.items():
            rate = figures.rate({"file": measured.pop(name), "name": name})
            self.assertEqual(bodies, f"{(rate / 60) ** 0.5 / 1000:.0f},000")
        self.assertFalse(measured)

    def test_none_is_stale(self):
        self.assertEqual(make_tables.main(["--check"]), 0)

    def test_another_digit_is_found_in_each_with_its_line_and_what_it_should_be(self):
        for file, tables in all_tables():
            text = (ROOT / file).read_text(encoding="utf-8")
            changed, line = with_another_digit(text)
            new = make_tables.with_tables(changed, tables)
            self.assertEqual(new, text)
            self.assertEqual(
                make_tables.first_difference(changed, new),
                f"{line}: should be: {text.splitlines()[line - 1]}",
                file,
            )

    def test_no_measured_table_is_typed_by_hand(self):
        for file in (file for pattern in DOCUMENTS for file in ROOT.glob(pattern)):
            text = file.read_text(encoding="utf-8")
            typed = make_ladder.MARK.sub("", make_tables.MARK.sub("", text))
            heads = re.findall(r"^(\|.*\|)\n\|[ :|-]+\|$", typed, re.M)
            self.assertEqual([head for head in heads if MEASURED.search(head)], [], file)

    def test_check_names_the_file_and_writes_nothing(self):
        with (
            mock.patch.object(figures, "number", lambda value: "0"),
            contextlib.redirect_stdout(io.StringIO()) as out,
        ):
            self.assertEqual(make_tables.main(["--check"]), 1)
        self.assertRegex(out.getvalue(), r"(?m)^docs/results.md:\d+: should be: \| part1/naive")
        self.assertEqual(make_tables.main(["--check"]), 0)


class TablesTest(unittest.TestCase):
    def lines(self, *rows, **more):
        return make_tables.lines_of(table(*rows, **more)).splitlines()

    def test_figures_stand_to_the_right_and_have_three_digits(self):
        rate = figures.number(figures.rate(NAIVE) / 1e9)
        self.assertEqual(
            self.lines(NAIVE), ["| rung  |  rate |", "| ----- | ----: |", f"| naive | {rate} |"]
        )
        self.assertEqual(
            [figures.number(value) for value in (0.1748, 1.9, 23.74, 477.2, 3065.4)],
            ["0.175", "1.90", "23.7", "477", "3065"],
        )

    def test_names_carry_their_part_and_exhibits_stand_in_brackets(self):
        self.assertIn("| part1/naive |", self.lines({**NAIVE, "part": "part1"})[2])
        self.assertIn("| (race) |", self.lines({**NAIVE, "name": "race", "exhibit": True})[2])

    def test_a_row_may_show_what_it_says_itself(self):
        self.assertIn("unknown |", self.lines({**NAIVE, "10^9/s": "unknown"})[2])

    def test_a_parent_is_named_unless_it_is_the_row_above(self):
        columns = [{"head": "x parent", "is": "x_parent"}]
        rows = [{**NAIVE, "name": name} for name in ("naive", "flags_only", "algebra")]
        cells = [line.strip("| ") for line in self.lines(*rows, columns=columns)[2:]]
        self.assertEqual(cells[0], "")
        self.assertRegex(cells[1], r"^[\d.]+$")
        self.assertRegex(cells[2], r"^[\d.]+ naive$")

    def test_what_is_not_there_is_named(self):
        several_sizes = {"file": "part3_study_sizes", "name": "best"}
        for row in ({**NAIVE, "name": "nothing"}, several_sizes):
            with self.assertRaisesRegex(make_tables.BadTable, "has [0-9]+ rows"):
                self.lines(row)

    def test_what_nobody_has_measured_is_empty_where_it_may_be(self):
        with (
            tempfile.TemporaryDirectory() as folder,
            mock.patch.object(figures, "RESULTS", Path(folder)),
        ):
            row = {"name": "tiles", "file": "made_up"}
            with self.assertRaises(OSError):
                self.lines(row)
            self.assertEqual(self.lines({**row, "may_be_missing": True})[2], "| tiles |      |")
            rows = [
                {"name": "tiles", "interactions_per_s": 2e9, "start_s": 0.25},
                {"name": "loops", "interactions_per_s": 1e9, "start_s": None},
            ]
            Path(folder, "made_up.json").write_text(json.dumps({"summary": rows}), encoding="utf-8")
            columns = [
                RATE,
                {"head": "of tiles", "is": "share", "to": {"name": "tiles"}},
                {"head": "s", "is": "start_s", "digits": 1},
            ]
            both = [{**row, "may_be_missing": True}, {**row, "name": "loops"}]
            self.assertEqual(
                [line.split() for line in self.lines(*both, columns=columns)[2:]],
                [
                    ["|", "2.00", "|", "100", "%", "|", "0.2", "|"],
                    ["|", "1.00", "|", "50", "%", "|", "|"],
                ],
            )

    def test_a_table_that_is_too_wide_is_refused_unless_it_says_why(self):
        long = {**NAIVE, "title": "long " * 20}
        with self.assertRaisesRegex(make_tables.BadTable, "100 at most"):
            self.lines(long)
        lines = make_tables.lines_of({**table(long), "wide": "its title is long"})
        self.assertGreater(len(lines.splitlines()[2]), 100)


class PlacesTest(unittest.TestCase):
    def test_only_the_table_is_written(self):
        text = "before\n<!-- table t -->\nold\n<!-- end of table -->\nafter\n"
        new = make_tables.with_tables(text, {"t": table(NAIVE)})
        self.assertRegex(
            new, r"^before\n<!-- table t -->\n\| rung [^!]*\|\n<!-- end of table -->\nafter\n$"
        )
        self.assertEqual(make_tables.with_tables(new, {"t": table(NAIVE)}), new)

    def test_each_table_has_a_place_and_each_place_a_table(self):
        place = "<!-- table t -->\n<!-- end of table -->\n"
        for text in (
            "no place",
            place + place,
            place + place.replace("table t", "table u"),
            "<!-- table t -->\n",
        ):
            with self.assertRaisesRegex(make_tables.BadTable, "has places for"):
                make_tables.with_tables(text, {"t": table(NAIVE)})


class FiguresTest(unittest.TestCase):
    def test_ratios_are_those_of_the_file(self):
        for one in figures.rows("part3_study_ladder"):
            if "ratio_to_naive" in one:
                ratio = figures.ratio(
                    {"file": "part3_study_ladder", "name": one["name"]}, {"name": "naive"}
                )
                self.assertAlmostEqual(ratio, one["ratio_to_naive"])

    def test_texts_of_tools_are_read(self):
        copies = figures.columns_of_text(
            "title\n  N    copies  host, launches\n  256  23.14   7.92\n"
        )
        self.assertEqual(
            copies, [{"name": "256", "N": "256", "copies": "23.14", "host, launches": "7.92"}]
        )
        line = "    many bodies: 9 of thin disk  3e-07  1e-05  ok\n"
        cases = figures.cases_of_check("part3/best in float: passed\n" + line)
        self.assertEqual(
            cases, [{"name": "best", "case": "9 of thin disk", "error": "3e-07", "limit": "1e-05"}]
        )
