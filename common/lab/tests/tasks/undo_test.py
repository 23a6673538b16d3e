"""Does undo restore what passed, lose nothing, and say so?"""

import tempfile
import unittest
from pathlib import Path

from nbody_lab.tasks import undo


class UndoTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file, self.kept = Path(folder.name, "mine.hpp"), Path(folder.name, "kept/part1")
        self.file.write_text("passed")

    def checked(self):
        undo.checked(self.file, self.kept)

    def passes(self):
        self.checked()
        undo.passed(self.file, self.kept)

    def undo(self):
        return undo.back(self.file, self.kept)

    def test_nothing_has_passed(self):
        with self.assertRaisesRegex(
            undo.CannotUndo,
            "^no version of mine.hpp has passed ./lab check yet, so there is none to restore$",
        ):
            self.undo()
        self.assertEqual(self.file.read_text(), "passed")

    def test_back_and_forth(self):
        self.passes()
        self.file.chmod(0o600)
        self.file.write_text("broken")
        self.assertRegex(
            self.undo(),
            r"^mine.hpp: restored as it passed on \d\d \w+, \d\d:\d\d; ./lab undo again reverses that$",
        )
        self.assertEqual(self.file.read_text(), "passed")
        self.assertEqual(self.file.stat().st_mode & 0o777, 0o600)
        self.assertEqual(self.undo(), "mine.hpp: restored to the text before undo")
        self.assertEqual(self.file.read_text(), "broken")

    def test_it_is_that_text(self):
        self.passes()
        self.assertEqual(self.undo(), "mine.hpp is already the version that last passed")

    def test_a_file_that_was_deleted(self):
        self.passes()
        self.file.unlink()
        self.undo()
        self.assertEqual(self.file.read_text(), "passed")

    def test_the_last_that_passed(self):
        self.passes()
        self.file.write_text("passed, too")
        self.passes()
        self.file.write_text("broken")
        self.undo()
        self.assertEqual(self.file.read_text(), "passed, too")
        self.assertEqual(
            sorted(path.name for path in self.kept.iterdir()), ["mine.hpp", "mine.hpp.replaced"]
        )

    def test_no_such_file(self):
        self.file.unlink()
        with self.assertRaises(undo.CannotUndo):
            self.checked()

    def test_what_was_saved_during_the_check_has_not_passed(self):
        self.file.write_text("judged")
        self.checked()
        self.file.write_text("saved meanwhile")
        undo.passed(self.file, self.kept)
        self.undo()
        self.assertEqual(self.file.read_text(), "judged")

    def test_a_file_that_is_gone_is_said(self):
        self.file.unlink()
        with self.assertRaisesRegex(
            undo.CannotUndo,
            "^mine.hpp is missing; ./lab undo PART mine restores the version that last passed its check$",
        ):
            self.checked()

    def test_a_check_that_fails_keeps_nothing(self):
        self.file.write_text("right")
        self.passes()
        self.file.write_text("wrong")
        self.checked()
        self.undo()
        self.assertEqual(self.file.read_text(), "right")
