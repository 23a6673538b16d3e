#!/usr/bin/env python3
"""The source and the program kept for each row."""

import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders  # noqa: E402, F401
from notebook_kept import free_number, keep_program, keep_source, kept_program  # noqa: E402
from notebook_test import InAFolder, row  # noqa: E402


class WhatIsKept(InAFolder):
    def test_no_source_is_ever_replaced(self):
        (self.folder / "notebook").mkdir()
        for name in ("notes.txt", "004_mine.hpp", "002_mine.hpp", "99999999999_x.hpp"):
            (self.folder / "notebook" / name).touch()
        self.assertEqual([free_number(self.folder, first) for first in (3, 9)], [5, 9])

    def test_a_source_says_what_was_measured(self):
        source = self.folder / "mine.cuh"
        source.write_bytes(b"// w\xf6rds\r\n")
        self.assertEqual(keep_source(self.folder, row("3"), source, "the conditions"), "notebook/003_mine.cuh")
        self.assertEqual((self.folder / "notebook/003_mine.cuh").read_bytes(), b"// Row 3, 2026-11-21: the conditions\n// w\xf6rds\r\n")

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


if __name__ == "__main__":
    unittest.main()
