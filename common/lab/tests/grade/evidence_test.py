"""What the evidence of a class reports, and that it calls itself evidence."""

import csv
import json
import re
import shutil
import unittest
from unittest import mock

from nbody_lab import ROOT
from nbody_lab.grade.evidence import HEAD, csv_of, evidence
from nbody_lab.grade.part_folders import part_folders
from nbody_lab.grade.personal_numbers import asked
from nbody_lab.grade.similarity import MISSING, compare
from nbody_lab.notebook.columns import NAMES
from nbody_lab.worksheet.questions import load_questions
from tests.folder_for_tests import InFolder

P1 = "part1_standard_opti"
RUNGS = ROOT / "solutions" / P1
QUESTIONS = load_questions(ROOT / P1 / "questions.json")


def lines_for(authors, **changed):
    """A worksheet with the right answers for these authors' paper machine."""
    paper = QUESTIONS.paper_machine.constants_of(authors)
    answers = {"intensity": 0.25, "intensity_in_registers": 2.0}
    answers["attainable_on_paper"] = min(paper["peak"], 0.25 * paper["bandwidth"])
    answers["attainable_on_paper_in_registers"] = min(paper["peak"], 2.0 * paper["bandwidth"])
    answers.update(changed)
    return [
        {
            "number": one.number,
            "question": one.text,
            "answer": f"{answers[one.answer]:.4g}",
            "state": "wrong",
        }
        for one in QUESTIONS.questions
        if getattr(one, "answer", None) in answers
    ]


class OfAClass(InFolder):
    def add(self, name, authors="", lines=(), **files):
        """`files`: {name, with __ for a dot or a slash: text}."""
        parts = {"part1": {"worksheet": {"authors": authors, "lines": list(lines)}}}
        record = {"version": 1, "submission": {"name": name}, "parts": parts}
        self.put(f"measured/{name}.json", json.dumps(record))
        for file, text in files.items():
            self.put(
                f"taken/{name}/{P1}/"
                + file.replace("__", "/", file.count("__") - 1).replace("__", "."),
                text,
            )

    def found(self, **how):
        return evidence(self.folder / "measured", root=ROOT, **how)


class Files(OfAClass):
    def test_both_say_what_they_are(self):
        self.add("anna", mine__hpp="int a;")
        found = self.found()
        self.assertEqual(found["what"], HEAD)
        self.assertEqual(json.loads((self.folder / "evidence.json").read_text()), found)
        self.assertEqual((self.folder / "evidence.csv").read_text().splitlines()[0], f"# {HEAD}")
        self.assertIn("never a verdict", HEAD)

    def test_nothing_measured_and_no_json(self):
        self.put("measured/half.json", "{")
        self.assertEqual((self.found()["pairs"], self.found()["notebooks"]), ([], []))

    def test_names_open_no_formula(self):
        run = {"tokens": 3, "first_lines": [1, 2], "second_lines": [3, 4]}
        pair = {
            "part": "part1",
            "first": "=cmd()",
            "second": "@x\x1b[2J",
            "share": 1.0,
            "tokens": 3,
            "longest_run": 3,
            "runs": [run],
            "both_resemble": ["-a"],
        }
        row = list(csv.reader(csv_of([pair]).splitlines()))[2]
        self.assertEqual(
            row, ["part1", "'=cmd()", "'@x", "1", "3", "3", "lines 1-2", "lines 3-4", "'-a"]
        )


@unittest.skipUnless(shutil.which("sim_c++"), "sim_c++ is missing: Debian's similarity-tester")
class Sources(OfAClass):
    def test_neighbours_and_untouched_files(self):
        text = (RUNGS / "private_blocks.hpp").read_text()
        shipped = (ROOT / P1 / "mine.hpp").read_text()
        self.add("anna", mine__hpp=text, mine_fast__hpp=text)
        self.add("ben", mine__hpp=re.sub("thread", "worker", text))
        self.add("cleo", mine__hpp=shipped)
        self.add("dora", mine__hpp=shipped)
        self.add("emil", mine__hpp=(ROOT / P1 / "naive.hpp").read_text())
        pairs = self.found()["pairs"]
        self.assertEqual(
            sorted((one["first"], one["second"]) for one in pairs),
            [("anna: mine.hpp", "ben: mine.hpp"), ("anna: mine_fast.hpp", "ben: mine.hpp")],
        )
        self.assertGreater(pairs[0]["share"], 0.9)
        self.assertEqual(pairs[0]["runs"][0]["tokens"], pairs[0]["longest_run"])
        self.assertEqual(len((self.folder / "evidence.csv").read_text().splitlines()), 4)

    def test_a_public_solution_explains_two(self):
        text = (RUNGS / "private_blocks.hpp").read_text()
        self.add("anna", mine__hpp=text)
        self.add("ben", mine__hpp=text)
        pairs = {
            (one["first"], one["second"]): one
            for one in self.found(others=[ROOT / "solutions"])["pairs"]
        }
        solution = f"solutions/{P1}/private_blocks.hpp"
        self.assertIn(("anna: mine.hpp", solution), pairs)
        self.assertIn(solution, pairs["anna: mine.hpp", "ben: mine.hpp"]["both_resemble"])


class Notebooks(OfAClass):
    def history(self, **files):
        self.add("anna", **files)
        return self.found()["notebooks"][0]

    def rows(self, *dates):
        return (
            "\n".join(
                [
                    ",".join(NAMES),
                    *(f"{k},{date},mine" + "," * (len(NAMES) - 3) for k, date in enumerate(dates)),
                ]
            )
            + "\n"
        )

    def test_rows_dates_and_the_last_source(self):
        told = self.history(
            notebook__csv=self.rows("2026-11-01", "2026-11-01", "2026-11-09"),
            mine__hpp="int a;\n",
            notebook__002_mine__hpp="// Row 2\nint b;\n",
            notebook__010_mine__hpp="// Row 10\nint a;\n",
        )
        self.assertEqual(
            told,
            {
                "submission": "anna",
                "part": "part1",
                "rows": 3,
                "first": "2026-11-01",
                "last": "2026-11-09",
                "dates": 2,
                "kept": 2,
                "last_kept_is_handed_in": True,
                "problem": "",
            },
        )

    def test_another_source_than_the_last(self):
        told = self.history(mine__hpp="int a;\n", notebook__002_mine__hpp="// Row 2\nint b;\n")
        self.assertIs(told["last_kept_is_handed_in"], False)
        self.assertIs(
            self.history(mine__hpp="int a;\n", notebook__003_mine_x__hpp="// Row 2\nint b;\n")[
                "last_kept_is_handed_in"
            ],
            None,
        )

    def test_what_is_no_notebook(self):
        for text in (
            "row;date\n1;2",
            self.rows("x") + '"',
            "\0\0",
            "a" * 200_000 + "\n" + "b" * 200_000,
            "\x1b[2J,row\n",
        ):
            told = self.history(notebook__csv=text, mine__hpp="")
            self.assertEqual((told["rows"], bool(told["problem"])), (0, True), text[:20])
            self.assertNotIn("\x1b", told["problem"])


class PaperMachines(OfAClass):
    def signs(self):
        return self.found()["paper_machines"]

    def test_every_part_has_personal_questions(self):
        for part in part_folders(ROOT):
            self.assertGreaterEqual(
                len(asked(load_questions(ROOT / part.folder / "questions.json"))), 2, part.name
            )

    def test_a_copied_worksheet(self):
        self.add("anna", "Anna Smith", lines_for("Anna Smith"))
        self.add("ben", "Ben Kim", lines_for("Anna Smith"))
        self.assertEqual(
            self.signs(),
            [
                {
                    "part": "part1",
                    "submission": "ben",
                    "fits": "anna",
                    "numbers": 2,
                    "wrong": 2,
                    "machines": 1,
                }
            ],
        )

    def test_own_answers_right_or_wrong_are_no_sign(self):
        self.add("anna", "Anna Smith", lines_for("Anna Smith"))
        self.add("ben", "Ben Kim", lines_for("Ben Kim"))
        self.add(
            "cleo",
            "Cleo",
            lines_for("Cleo", attainable_on_paper=1e9, attainable_on_paper_in_registers=3e9),
        )
        self.add("dora", "Dora", lines_for("Anna Smith", attainable_on_paper=float("nan")))
        self.add("emil", "", lines_for("Anna Smith"))
        self.add("finn", "Finn", [{**line, "state": "right"} for line in lines_for("Anna Smith")])
        self.assertEqual(self.signs(), [])

    def test_strange_lines(self):
        self.add("anna", "Anna Smith", [{"number": 7, "answer": None}, {"answer": "x" * 999}])
        self.add("ben", "---", [{**line, "answer": "1e999"} for line in lines_for("Anna Smith")])
        self.add(
            "cleo", "\ud800", [{**line, "answer": "0x1p" + "9" * 999} for line in lines_for("Cleo")]
        )
        self.assertEqual(self.signs(), [])


GIVEN = [ROOT / "part1_standard_opti/naive.hpp", ROOT / "part1_standard_opti/mine.hpp"]
RUNG_FILES = ROOT / "solutions/part1_standard_opti"
OWN = "double f{0}(double x) {{\n  int k = 0;\n  while (x > {0}) {{ x = x / 2 + k; ++k; }}\n  return k % 2 ? -x : x * k;\n}}\n"


class WithoutTheProgram(unittest.TestCase):
    def test_it_is_a_sentence(self):
        with mock.patch("shutil.which", return_value=None):
            self.assertEqual(compare({"a": GIVEN[0]}, {}, []), ([], [MISSING]))


@unittest.skipUnless(shutil.which("sim_c++"), "sim_c++ is missing: Debian's similarity-tester")
class Similarity(InFolder):
    def pairs(self, new, old=None, given=()):
        found = compare(new, old or {}, given)
        self.assertEqual(found.problems, [])
        return found.pairs

    def test_other_names_and_comments_hide_nothing(self):
        lines = (RUNG_FILES / "third_law.hpp").read_text()
        other = "// my own work\n\n" + lines.replace("dx", "distance").replace(
            "bodies", "stars"
        ).replace("// ", "//// ")
        (pair,) = self.pairs({"anna": self.put("a", lines), "ben": self.put("b", other)})
        self.assertEqual((pair.first, pair.second), ("anna", "ben"))
        self.assertGreater(pair.share, 0.95)
        self.assertEqual(pair.runs[0].first_lines[0] + 2, pair.runs[0].second_lines[0])
        self.assertEqual(pair.tokens, sum(run.tokens for run in pair.runs))

    def test_different_work_is_not_alike(self):
        files = {
            name: self.put(name, text)
            for name, text in (
                ("anna", OWN.format(1)),
                ("ben", "struct S { int a[3]; bool b; };\n" * 9),
            )
        }
        self.assertEqual(self.pairs(files), [])

    def test_given_code_counts_for_nothing(self):
        files = {name: self.put(name, GIVEN[0].read_bytes()) for name in ("anna", "ben")}
        self.assertEqual(self.pairs(files)[0].share, 1)
        self.assertEqual(self.pairs(files, given=GIVEN), [])
        mixed = {
            name: self.put(name, GIVEN[0].read_bytes() + OWN.format(1).encode() * 3)
            for name in ("anna", "ben")
        }
        (pair,) = self.pairs(mixed, given=GIVEN)
        self.assertGreater(pair.runs[0].first_lines[0], len(GIVEN[0].read_text().splitlines()) - 2)

    def test_a_public_solution_is_found(self):
        rungs = {
            file.name: file for file in RUNG_FILES.glob("*.hpp") if file.name != "worksheet.hpp"
        }
        copied = (RUNG_FILES / "third_law.hpp").read_text().replace("ThirdLaw", "Mine")
        pairs = self.pairs({"anna": self.put("a", copied)}, rungs, GIVEN)
        self.assertIn(
            ("anna", "third_law.hpp"),
            [(pair.first, pair.second) for pair in pairs if pair.share > 0.95],
        )

    def test_earlier_years_are_not_compared_with_each_other(self):
        text = "".join(OWN.format(k) for k in range(6))
        old = {name: self.put(name, text) for name in ("year1", "year2")}
        self.assertEqual(self.pairs({"anna": self.put("a", "int x;\n")}, old), [])
        self.assertEqual(len(self.pairs({"anna": self.put("a", text)}, old)), 2)

    def test_odd_files(self):
        odd = {
            "empty": b"",
            "zeros": b"\0" * 5000,
            "binary": bytes(range(256)) * 300,
            "endless": b"a + b; " * 40000,
            "open": b'"' + b"/*" * 999,
            "line": b"x " * 99999,
            "ends": b"\r\n\x0c\x1a",
            "name": "void ü() {}".encode(),
            "deep": b"({[" * 20000,
        }
        new = {name: self.put(name, content) for name, content in odd.items()}
        found = compare(new, {"zero": new["zeros"]}, GIVEN)
        self.assertEqual(
            [one.split(":")[0] for one in found.problems], ["binary", "endless", "line", "deep"]
        )
        self.assertEqual(self.pairs({}), [])

    def test_too_long_is_a_sentence(self):
        found = compare(dict.fromkeys("abcdef", GIVEN[0]), {}, [], seconds=1e-5)
        self.assertEqual(found.pairs, [])
        self.assertIn("took longer", found.problems[0])
