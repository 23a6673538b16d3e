#!/usr/bin/env python3
"""Notebooks of older labs, which had only the table in NOTEBOOK.md: no row is lost."""

import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders  # noqa: E402, F401
import notebook  # noqa: E402
from notebook import is_right, load  # noqa: E402
from notebook_test import InAFolder, row  # noqa: E402

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
        self.assertEqual((first["idea"], first["measured"], first["interactions_per_s"], first["spread"]), ("sums | locals", 1.43, 3.8e8, 0.04))
        self.assertEqual((second["measured"], second["right"], second["verdict"]), (None, False, "wrong: the program died"))
        self.assertEqual((third["measured"], third["estimated"], third["spread"]), (0.97, "yes", 0))
        text = self.markdown.read_text()
        self.assertTrue(text.startswith("# Mine\n\n<!-- table"))
        self.assertTrue(text.endswith("\n\nmy words\n"))
        for cells in ("| 1.50 | 1.43 |  | 1.43 | 0.380 | 4 % |", "| 2.00 | - |  | - | - | - |", "| 1.00 | ~0.97 |  | 1.39 | 0.371 | 0 % |"):
            self.assertIn(cells, text)

    def test_keep_what_their_student_wrote_in_them(self):
        self.write(OLD.replace(" verdict |\n|", " verdict | why |\n|---|", 1).replace("as expected |", "as expected | registers |")
                   .replace("| 1.39 |", "| fast |").replace("| 2.00 |", "| 2 or so |"))
        book = load(self.folder)
        self.assertEqual((book.own, book.rows[0]["why"], book.rows[1]["why"]), (["why"], "registers", ""))
        self.saved(*book.rows, own=book.own)
        for words in ("| as expected | registers |", "| fast |", "| 2 or so |"):
            self.assertIn(words, self.markdown.read_text())
        self.assertFalse(is_right(load(self.folder).rows[2]))  # "fast" is not a number

    def test_take_the_conditions_from_the_first_line_of_their_sources(self):
        self.write(OLD)
        (self.folder / "notebook").mkdir()
        for name, words in (("001_mine.hpp", "2000 bodies, adaptive step, float, 1 thread, flags -O3 -fopenmp; compared with naive"),
                            ("003_mine.hpp", "100 bodies, fixed step, float, 2 threads at most, flags -O3; row 1 with 1 thread, as it "
                                             "was measured; compared with row 1, mine")):
            (self.folder / "notebook" / name).write_text(f"// Row {int(name[:3])}, 2026-11-20: {words}\nthe source")
        first, second, third = load(self.folder).rows
        wanted = ("n", "step", "threads", "flags", "against", "source", "device")
        self.assertEqual([first[name] for name in wanted], ["2000", "adaptive", "1", "-O3 -fopenmp", "naive", "notebook/001_mine.hpp", ""])
        self.assertEqual([third[name] for name in wanted], ["100", "fixed", "2", "-O3", "1", "notebook/003_mine.hpp", ""])
        self.assertEqual([second[name] for name in wanted], [""] * 7)
        self.write(OLD.replace(" verdict |\n|", " verdict | flags |\n|---|", 1).replace("as expected |", "as expected | mine |"))
        self.assertEqual([one["flags"] for one in load(self.folder).rows], ["mine", "", "-O3"])
        self.write(OLD)
        (self.folder / "notebook/001_mine.hpp").unlink()
        (self.folder / "notebook/001_mine.cuh").write_text(
            "// Row 1, 2026-11-20: 16384 bodies, fixed step, float, NVIDIA H1, flags -O3; compared with naive\n")
        self.assertEqual([load(self.folder).rows[0][name] for name in ("device", "threads", "n")], ["NVIDIA H1", "", "16384"])

    def test_are_read_again_where_the_csv_was_deleted(self):
        self.saved(row(), row("2"))
        self.csv.unlink()
        shown = [{name: one[name] for name in ("row", "idea", "measured", "against", "threads", "n")} for one in (row(), row("2"))]
        self.assertEqual([{name: one[name] for name in shown[0]} for one in load(self.folder).rows], shown)


if __name__ == "__main__":
    unittest.main()
