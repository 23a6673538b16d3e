"""Does each fault of mutations.py still have its place, and does mutate.py tell found faults from missed ones?"""

import io
import tempfile
import unittest
from contextlib import redirect_stdout
from pathlib import Path
from unittest import mock

from nbody_lab import ROOT
from tests.mutation import mutate
from tests.mutation.mutations import MUTATIONS, Mutation


class TableTest(unittest.TestCase):
    def test_each_text_stands_once_in_its_file(self):
        for row in MUTATIONS:
            with self.subTest(row.wrong):
                self.assertEqual(
                    mutate.places(row, ROOT),
                    1,
                    f"{row.file} was changed: its row in mutations.py must follow",
                )

    def test_a_row_is_a_line(self):
        self.assertEqual(len({row.wrong for row in MUTATIONS}), len(MUTATIONS))
        for row in MUTATIONS:
            self.assertLessEqual((len(row.wrong), len(row.test)), (44, 39), row)


class MutateTest(unittest.TestCase):
    def outcome(self, built, passed, old="1"):
        """The outcome for a fault in a tree of one file; asserts what the test saw there."""
        with tempfile.TemporaryDirectory() as folder:
            file, seen = Path(folder, "limit"), []
            file.write_text("limit = 1\n", encoding="utf-8")

            def passes(_test):
                seen.append(file.read_text(encoding="utf-8"))
                return passed, ""

            row = Mutation("a limit", "limit", old, "2", "some_test")
            with (
                mock.patch.multiple(
                    mutate,
                    TREE=Path(folder),
                    targets_of=list,
                    passes=passes,
                    builds=lambda _targets: (built, ""),
                ),
                redirect_stdout(io.StringIO()),
            ):
                outcome = mutate.outcome_of(row)
            self.assertEqual(
                file.read_text(encoding="utf-8"), "limit = 1\n", "the file is as before"
            )
        self.assertEqual(seen, ["limit = 2\n"] if built and old == "1" else [])
        return outcome

    def test_outcomes(self):
        self.assertEqual(self.outcome(built=True, passed=False), "found")
        self.assertEqual(self.outcome(built=True, passed=True), "NOT found")
        self.assertEqual(self.outcome(built=False, passed=True), "does not build")
        self.assertEqual(self.outcome(built=True, passed=False, old="3"), "no single place")

    def test_a_fault_that_is_not_found_is_status_1(self):
        for outcome, status in (("found", 0), ("NOT found", 1)):
            with (
                mock.patch.multiple(
                    mutate, prepare=lambda _rows: None, outcome_of=lambda _row, said=outcome: said
                ),
                redirect_stdout(io.StringIO()),
            ):
                self.assertEqual(mutate.main([]), status)
