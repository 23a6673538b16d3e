#!/usr/bin/env python3
"""Does grading work without the program that writes pages, and is the program called if it exists?"""

import sys
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders  # noqa: E402, F401
from grade import run_pages  # noqa: E402


class RunPages(unittest.TestCase):
    def status(self, can_write):
        asked = []
        with mock.patch.object(run_pages, "can_write_page", lambda: can_write), \
             mock.patch.object(run_pages.subprocess, "run", lambda words, check: asked.append(words) or SimpleNamespace(returncode=0)):
            return run_pages.write_pages("OUT"), asked

    def test_without_what_writes_them(self):
        self.assertEqual(self.status(False), (None, []))
        self.assertIn("./lab setup --pictures", run_pages.WITHOUT)

    def test_with_it(self):
        status, [words] = self.status(True)
        self.assertEqual((status, words[1:]), (0, [str(run_pages.PROGRAM), "OUT"]))
        self.assertTrue((run_pages.PROGRAM / "__main__.py").exists())


if __name__ == "__main__":
    unittest.main()
