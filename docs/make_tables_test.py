#!/usr/bin/env python3
"""Tables of documents: what stands there is what the results say, and a stale one is found."""

import io
import sys
import unittest
from contextlib import redirect_stdout
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))
import make_tables  # noqa: E402

BEGIN, END = "<!-- table t -->\n", "<!-- end of table -->"
DEFINITION = {"columns": ["version", "what", "rate", "ratio"],
              "rows": [{"file": "part1_ladder_1_thread", "name": "naive", "part": "part 1", "what": "slow"}]}


class MakeTablesTest(unittest.TestCase):
    def test_the_documents_are_not_stale(self):
        self.assertEqual(make_tables.main(["--check"]), 0)

    def test_a_stale_table_is_named_and_status_1(self):
        stale = mock.patch.object(make_tables, "with_tables", lambda text, _tables: "another first line\n" + text)
        with stale, redirect_stdout(io.StringIO()) as said:
            self.assertEqual(make_tables.main(["--check"]), 1)
        self.assertIn("line 1 should be: another first line: run docs/make_tables.py\n", said.getvalue())

    def test_a_row_has_three_digits_and_the_ratio_to_naive(self):
        rate = make_tables.naive_rate("part1_ladder_1_thread") / 1e9
        self.assertEqual(make_tables.table(DEFINITION).splitlines()[2], f"| part 1, `naive` | slow | {make_tables.number(rate)} | 1.00 |")
        self.assertEqual([make_tables.number(value) for value in (0.1748, 1.9, 23.74, 477.2, 3065.4)], ["0.175", "1.90", "23.7", "477", "3065"])

    def test_only_the_table_is_written(self):
        text = f"before\n{BEGIN}old\n{END}\nbehind\n"
        new = make_tables.with_tables(text, {"t": DEFINITION})
        self.assertTrue(new.startswith(f"before\n{BEGIN}| version |") and new.endswith(f"|\n{END}\nbehind\n"))
        self.assertEqual(make_tables.with_tables(new, {"t": DEFINITION}), new)
        self.assertIn("line 3 should be: | version", make_tables.first_difference(text, new))

    def test_what_is_not_there_is_named(self):
        for row in ({"file": "part1_ladder_1_thread", "name": "nothing", "what": ""},
                    {"file": "part3_study_sizes", "name": "best", "what": ""}):  # several sizes
            with self.assertRaisesRegex(make_tables.BadTable, "has [0-9]+ rows"):
                make_tables.table({**DEFINITION, "rows": [row]})
        with self.assertRaises(make_tables.BadTable):
            make_tables.with_tables("no place", {"t": DEFINITION})
        with self.assertRaisesRegex(make_tables.BadTable, "no end"):
            make_tables.with_tables(BEGIN, {"t": DEFINITION})


if __name__ == "__main__":
    unittest.main()
