"""The notebook: notebook.csv and the table in NOTEBOOK.md."""

import unittest
from unittest import mock

from nbody_lab import ROOT as LAB
from nbody_lab.notebook import notebook
from nbody_lab.notebook.columns import NAMES, OLD_TITLES, number, typed
from nbody_lab.notebook.file import InputError, shown
from nbody_lab.notebook.kept import free_number, keep_program, keep_source, kept_program
from nbody_lab.notebook.notebook import (
    Notebook,
    is_right,
    load,
    next_number,
    row_against,
    row_before,
    save,
)
from tests.folder_for_tests import InFolder


def row(number_of_row="1", **other):
    known = {
        "date": "2026-11-21",
        "name": "mine",
        "idea": "an idea",
        "expected": "1.5",
        "measured": "1.43",
        "against": "naive",
        "times_naive": "2.1",
        "interactions_per_s": "3.8e+08",
        "spread": "0.04",
        "verdict": "as expected",
        "n": "2000",
        "threads": "2",
    }
    return {**dict.fromkeys(NAMES, ""), "row": number_of_row, **known, **other}


class InAFolder(InFolder):
    def setUp(self):
        super().setUp()
        self.csv, self.markdown = self.folder / "notebook.csv", self.folder / "NOTEBOOK.md"

    def write(self, text):
        self.markdown.write_text(text, encoding="utf-8")

    def saved(self, *rows, own=()):
        return save(self.folder, Notebook(list(rows), list(own)))

    def refusal(self):
        with self.assertRaises(InputError) as caught:
            load(self.folder)
        return str(caught.exception).replace(f"{shown(self.folder)}/", "")


class Rows(InAFolder):
    def test_come_back_as_written(self):
        rows = [
            row("1", idea='a "quoted", w\u00f6rd | x'),
            row("2", verdict="wrong: it is NaN", measured=""),
        ]
        self.saved(*rows)
        self.assertEqual(load(self.folder).rows, rows)
        self.assertEqual(self.csv.read_text().splitlines()[0], ",".join(NAMES))
        self.assertEqual(
            sorted(file.name for file in self.folder.iterdir()), ["NOTEBOOK.md", "notebook.csv"]
        )

    def test_of_no_notebook(self):
        self.assertEqual(load(self.folder), Notebook([], []))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_have_units_and_no_words_for_numbers(self):
        self.saved(row(estimated="yes"), row("2", measured="", verdict="wrong: it is NaN"))
        first, second = notebook.rows(self.folder)
        self.assertEqual(
            (
                first["row"],
                first["measured"],
                first["interactions_per_s"],
                first["spread"],
                first["n"],
            ),
            (1, 1.43, 3.8e8, 0.04, 2000),
        )
        self.assertEqual(
            [type(first[name]) for name in ("row", "n", "expected")], [int, int, float]
        )
        self.assertEqual((first["right"], first["against"], first["lower"]), (True, "naive", None))
        self.assertEqual((second["right"], second["measured"]), (False, None))

    def test_for_the_worksheet_are_the_right_ones(self):
        self.saved(row(), row("2", verdict="wrong: it is NaN"), row("3", n="", name="w\udcf6rds"))
        told = {
            "row": 1,
            "n": 2000,
            "expected": 1.5,
            "measured": 1.43,
            "interactions_per_s": 3.8e8,
            "name": "mine",
            "threads": 2,
        }
        found = [{name: row[name] for name in told} for row in notebook.right_rows(self.folder)]
        self.assertEqual(found, [told, {**told, "row": 3, "n": None, "name": "w\udcf6rds"}])

    def test_a_column_of_the_students_own_stays_and_is_shown(self):
        self.saved(row(why="registers"), own=["why"])
        self.assertEqual(load(self.folder), Notebook([row(why="registers")], ["why"]))
        self.assertIn("| verdict | why |\n", self.markdown.read_text())
        self.assertIn("| as expected | registers |\n", self.markdown.read_text())

    def test_a_csv_that_is_none_is_refused_with_its_line(self):
        self.saved(row())
        good = self.csv.read_text()
        for text, complaint in (
            (good.replace("row,date", "date"), "notebook.csv:1: the columns row are missing"),
            (good.replace(",", ";"), "notebook.csv:1: the columns row, date, name"),
            (
                good.replace("source", "source,why,why", 1),
                "notebook.csv:1: two columns have the same name: rename one",
            ),
            (
                good + "2,3\n",
                "notebook.csv:3: it has 2 cells, but there are 22 columns: correct it",
            ),
            (good + '"', "notebook.csv:3: unexpected end of data: correct the line"),
            (good + "1\0\n", "notebook.csv:"),
        ):
            self.csv.write_text(text)
            self.assertIn(complaint, self.refusal())
        self.csv.write_text("\ufeff" + good.replace("\n", "\r\n") + "\r\n")  # from a spreadsheet
        self.assertEqual(load(self.folder).rows, [row()])

    def test_both_files_are_written_or_neither(self):
        self.saved(row())
        before = self.csv.read_bytes(), self.markdown.read_bytes()
        write = notebook.write_text

        def full_disk(file, text):
            if file == self.markdown:
                raise InputError("no space left")
            write(file, text)

        for stored in (True, False):
            if not stored:
                self.csv.unlink()
            with (
                mock.patch.object(notebook, "write_text", full_disk),
                self.assertRaises(InputError),
            ):
                self.saved(row(), row("2"))
            self.assertEqual(self.markdown.read_bytes(), before[1])
            self.assertEqual(
                self.csv.exists() and self.csv.read_bytes(), before[0] if stored else False
            )

    def test_files_that_must_not_be_replaced_are_refused(self):
        for file in (self.markdown, self.csv):
            file.symlink_to("elsewhere")
            self.assertIn(f"{file.name}: is a symbolic link", self.refusal())
            file.unlink()
            file.mkdir()
            self.assertIn("is not a file", self.refusal())
            file.rmdir()
            file.write_text("words")
            file.chmod(0o400)
            self.assertIn("is read-only: chmod u+w", self.refusal())
            file.unlink()


class Table(InAFolder):
    def test_shows_what_the_csv_says(self):
        self.write("# Mine\n\nmy words\n")
        self.saved(
            row(),
            row("2", measured="1.9", estimated="yes"),
            row("3", measured="", times_naive="", interactions_per_s="", spread=""),
        )
        text = self.markdown.read_text()
        self.assertTrue(text.startswith("# Mine\n\nmy words\n\n<!-- table notebook.csv"))
        for line in (
            "| 1 | 2026-11-21 | mine | an idea | 1.50 | 1.43 | naive | 2.10 | 0.380 | 4 % | 2000 | 2 | as expected |",
            "| 2 | 2026-11-21 | mine | an idea | 1.50 | ~1.90 | naive |",
            "| 1.50 | - | naive | - | - | - | 2000 |",
        ):
            self.assertIn(line, text)

    def test_a_row_deleted_from_the_csv_is_gone(self):
        self.saved(row(), row("2"))
        self.csv.write_text(
            "".join(
                line + "\n"
                for line in self.csv.read_text().splitlines()
                if not line.startswith("1,")
            )
        )
        self.assertIsNone(self.saved(*load(self.folder).rows, row("3")))
        self.assertNotIn("| 1 | 2026", self.markdown.read_text())

    def test_what_was_changed_by_hand_is_kept(self):
        self.saved(row())
        changed = self.markdown.read_text().replace("an idea", "my better idea")
        self.write(changed)
        copy = self.saved(row(), row("2"))
        self.assertEqual((copy.name, copy.read_text()), ("NOTEBOOK_1.md", changed))
        self.assertNotIn("better", self.markdown.read_text())
        self.assertIsNone(self.saved(row()))
        self.write("".join(self.markdown.read_text().splitlines(True)[:-1]))
        self.assertEqual(self.saved(row()).name, "NOTEBOOK_2.md")

    def test_an_old_table_beside_a_csv_is_kept(self):
        self.saved(row())
        old = (
            "words\n\n"
            "| " + " | ".join(OLD_TITLES) + " |\n|" + "---|" * 10 + "\n| 7 | d | mine | lost? |\n"
        )
        self.write(old)
        self.assertEqual(self.saved(row()).read_text(), old)

    def test_those_of_the_parts_are_as_the_lab_writes_them(self):
        for file in sorted(LAB.glob("part*_*/NOTEBOOK.md")):
            text = file.read_text(encoding="utf-8")
            book = load(file.parent)
            self.assertFalse(notebook.would_lose_words(text, True), file)
            if not book.rows:
                self.assertEqual(notebook.markdown_text(text, book), text, file)


class WhichRow(unittest.TestCase):
    def number_before(self, rows, name):
        found = row_before(Notebook(rows, []), name)
        return found and found["row"]

    def test_the_row_before_is_the_last_right_one(self):
        wrong, unmeasured = row("2", verdict="wrong: it is NaN"), row("3", times_naive="")
        self.assertIsNone(self.number_before([], "mine"))
        self.assertEqual(self.number_before([row(), wrong, unmeasured], "mine"), "1")
        self.assertEqual(self.number_before([wrong, row("4")], "mine"), "4")
        self.assertIsNone(self.number_before([wrong], "mine"))

    def test_of_the_same_name_if_there_is_one(self):
        rows = [row(), row("2", name="mine_third")]
        self.assertEqual(
            [self.number_before(rows, name) for name in ("mine", "mine_third", "mine_new")],
            ["1", "2", "2"],
        )

    def test_any_right_row_may_be_asked_for(self):
        book = Notebook(
            [row(), row("2", name="mine_third"), row("3", verdict="wrong: it is NaN"), row("4")], []
        )
        self.assertEqual(
            [row_against(book, asked)["row"] for asked in ("1", "mine", "mine_third")],
            ["1", "4", "2"],
        )
        self.assertIsNone(row_against(book, "naive"))
        for asked in ("3", "5", "nobody", ""):
            with self.assertRaises(InputError):
                row_against(book, asked)
        for asked, meant in (("naiv", "naive"), ("mine_thrid", "mine_third")):
            with self.assertRaisesRegex(
                InputError, rf"'{asked}': the notebook has no right row .*; did you mean {meant}\?$"
            ):
                row_against(book, asked)

    def test_numbers_go_on_from_the_largest(self):
        self.assertEqual(next_number(Notebook([], [])), 1)
        self.assertEqual(next_number(Notebook([row("7"), row("3"), row("x")], [])), 8)

    def test_numbers_in_cells(self):
        self.assertEqual([number(text) for text in ("1.43", "0", "3e8")], [1.43, 0, 3e8])
        self.assertEqual(
            [number(text) for text in ("", "-", "-1", "nan", "inf", "1.5 x", "fast")], [None] * 7
        )
        self.assertEqual(typed(row(threads="2"))["threads"], "2")


class WhatIsKept(InAFolder):
    def test_no_source_is_ever_replaced(self):
        (self.folder / "notebook").mkdir()
        for name in ("notes.txt", "004_mine.hpp", "002_mine.hpp", "99999999999_x.hpp"):
            (self.folder / "notebook" / name).touch()
        self.assertEqual([free_number(self.folder, first) for first in (3, 9)], [5, 9])

    def test_a_source_says_what_was_measured(self):
        source = self.folder / "mine.cuh"
        source.write_bytes(b"// w\xf6rds\r\n")
        self.assertEqual(
            keep_source(self.folder, row("3"), source, "the conditions"), "notebook/003_mine.cuh"
        )
        self.assertEqual(
            (self.folder / "notebook/003_mine.cuh").read_bytes(),
            b"// Row 3, 2026-11-21: the conditions\n// w\xf6rds\r\n",
        )

    def test_programs_belong_to_their_rows(self):
        programs, program = self.folder / "below/part1", self.folder / "program"
        self.assertIsNone(kept_program(programs, row("3")))
        program.write_text("first")
        program.chmod(0o755)
        keep_program(programs, row("3"), program)
        program.write_text("second")
        self.assertEqual(kept_program(programs, row("3")).read_text(), "first")
        self.assertTrue(kept_program(programs, row("3")).stat().st_mode & 0o100)
        self.assertIsNone(kept_program(programs, row("4")))
        for name in ("../../program", "mine mine"):
            keep_program(programs, row("4", name=name), program)
            self.assertIsNone(kept_program(programs, row("4", name=name)))
        self.assertEqual([file.name for file in programs.iterdir()], ["3_2026-11-21_mine"])


OLD = """# Mine

| # | date | name | idea | expected | measured | x naive | 10^9 interactions/s | spread | verdict |
|---|---|---|---|---|---|---|---|---|---|
| 1 | 2026-11-20 | mine | sums \\| locals | 1.50 | 1.43 | 1.43 | 0.380 | 4 % | as expected |
| 2 | 2026-11-21 | mine_b | a crash, 100 bodies | 2.00 | - | - | - | - | wrong: the program died |
| 3 | 2026-11-21 | mine | gone | 1.00 | ~0.97 | 1.39 | 0.371 | 0 % | no difference beyond the spread |

my words
"""


class OldNotebooks(InAFolder):
    def test_lose_no_row(self):
        self.write(OLD)
        rows = load(self.folder).rows
        self.assertFalse(self.csv.exists())  # reading writes nothing
        self.assertEqual([one["row"] for one in rows], ["1", "2", "3"])
        self.assertIsNone(self.saved(*rows, row("4")))
        self.assertEqual(load(self.folder).rows, [*rows, row("4")])
        first, second, third, _ = notebook.rows(self.folder)
        self.assertEqual(
            (first["idea"], first["measured"], first["interactions_per_s"], first["spread"]),
            ("sums | locals", 1.43, 3.8e8, 0.04),
        )
        self.assertEqual(
            (second["measured"], second["right"], second["verdict"]),
            (None, False, "wrong: the program died"),
        )
        self.assertEqual((third["measured"], third["estimated"], third["spread"]), (0.97, "yes", 0))
        text = self.markdown.read_text()
        self.assertTrue(text.startswith("# Mine\n\n<!-- table"))
        self.assertTrue(text.endswith("\n\nmy words\n"))
        for cells in (
            "| 1.50 | 1.43 |  | 1.43 | 0.380 | 4 % |",
            "| 2.00 | - |  | - | - | - |",
            "| 1.00 | ~0.97 |  | 1.39 | 0.371 | 0 % |",
        ):
            self.assertIn(cells, text)

    def test_keep_what_their_student_wrote_in_them(self):
        self.write(
            OLD.replace(" verdict |\n|", " verdict | why |\n|---|", 1)
            .replace("as expected |", "as expected | registers |")
            .replace("| 1.39 |", "| fast |")
            .replace("| 2.00 |", "| 2 or so |")
        )
        book = load(self.folder)
        self.assertEqual(
            (book.own, book.rows[0]["why"], book.rows[1]["why"]), (["why"], "registers", "")
        )
        self.saved(*book.rows, own=book.own)
        for words in ("| as expected | registers |", "| fast |", "| 2 or so |"):
            self.assertIn(words, self.markdown.read_text())
        self.assertFalse(is_right(load(self.folder).rows[2]))  # "fast" is not a number

    def test_take_the_conditions_from_the_first_line_of_their_sources(self):
        self.write(OLD)
        (self.folder / "notebook").mkdir()
        for name, words in (
            (
                "001_mine.hpp",
                "2000 bodies, adaptive step, float, 1 thread, flags -O3 -fopenmp; compared with naive",
            ),
            (
                "003_mine.hpp",
                "100 bodies, fixed step, float, 2 threads at most, flags -O3; row 1 with 1 thread, as it "
                "was measured; compared with row 1, mine",
            ),
        ):
            (self.folder / "notebook" / name).write_text(
                f"// Row {int(name[:3])}, 2026-11-20: {words}\nthe source"
            )
        first, second, third = load(self.folder).rows
        wanted = ("n", "step", "threads", "flags", "against", "source", "device")
        self.assertEqual(
            [first[name] for name in wanted],
            ["2000", "adaptive", "1", "-O3 -fopenmp", "naive", "notebook/001_mine.hpp", ""],
        )
        self.assertEqual(
            [third[name] for name in wanted],
            ["100", "fixed", "2", "-O3", "1", "notebook/003_mine.hpp", ""],
        )
        self.assertEqual([second[name] for name in wanted], [""] * 7)
        self.write(
            OLD.replace(" verdict |\n|", " verdict | flags |\n|---|", 1).replace(
                "as expected |", "as expected | mine |"
            )
        )
        self.assertEqual([one["flags"] for one in load(self.folder).rows], ["mine", "", "-O3"])
        self.write(OLD)
        (self.folder / "notebook/001_mine.hpp").unlink()
        (self.folder / "notebook/001_mine.cuh").write_text(
            "// Row 1, 2026-11-20: 16384 bodies, fixed step, float, NVIDIA H1, flags -O3; compared with naive\n"
        )
        self.assertEqual(
            [load(self.folder).rows[0][name] for name in ("device", "threads", "n")],
            ["NVIDIA H1", "", "16384"],
        )

    def test_are_read_again_where_the_csv_was_deleted(self):
        self.saved(row(), row("2"))
        self.csv.unlink()
        shown = [
            {name: one[name] for name in ("row", "idea", "measured", "against", "threads", "n")}
            for one in (row(), row("2"))
        ]
        self.assertEqual(
            [{name: one[name] for name in shown[0]} for one in load(self.folder).rows], shown
        )
