"""Files are written as a whole or not at all."""

import os
from unittest import mock

from nbody_lab.core.whole_file import write_text
from tests.folder_for_tests import InFolder


class WholeFile(InFolder):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "new folder/a.txt"

    def test_it_is_there_with_its_folder_and_nothing_else(self):
        write_text(self.file, "w\udcf6rds\n")
        self.assertEqual(self.file.read_bytes(), b"w\xf6rds\n")
        self.assertEqual(os.listdir(self.file.parent), ["a.txt"])

    def test_what_fails_leaves_the_old_one_and_nothing_else(self):
        write_text(self.file, "old")
        with (
            mock.patch("os.replace", side_effect=OSError(28, "No space left on device")),
            self.assertRaises(OSError),
        ):
            write_text(self.file, "new")
        self.assertEqual(self.file.read_text(), "old")
        self.assertEqual(os.listdir(self.file.parent), ["a.txt"])

    def test_a_pipe_stays_a_pipe(self):
        self.file.parent.mkdir()
        os.mkfifo(self.file)
        reader = os.open(self.file, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        write_text(self.file, "new")
        self.assertTrue(self.file.is_fifo())
        self.assertEqual(os.read(reader, 10), b"new")
