#!/usr/bin/env python3
"""Does ./lab site refuse bad words in one line, and say what to install if it cannot build?"""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))
import folders  # noqa: E402, F401
import pictures  # noqa: E402
import site_command  # noqa: E402
from messages import ended  # noqa: E402

PACKAGES = ("matplotlib", "mkdocs", "material", "latex2mathml")


class SiteCommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def set_up(self, *packages):
        """Makes an environment with these packages, and its stamp."""
        for package in packages:
            (self.folder / "lib/python3.9/site-packages" / package).mkdir(parents=True)
        (self.folder / "bin").mkdir()
        for file in ("bin/python", "ready"):
            (self.folder / file).write_text("")

    def site(self, *words):
        """(status, messages, the command that would have run)"""
        run, said = [], io.StringIO()
        with mock.patch.object(pictures, "PYTHON", self.folder / "bin/python"), contextlib.redirect_stderr(said), \
             mock.patch.object(site_command, "run_python", lambda *words: run.append(words[1:])):
            status = ended(site_command.site, None, list(words))
        return status, said.getvalue(), run

    def test_without_what_builds_it(self):
        wanted = (2, "lab: the site needs ./lab setup --pictures once (400 MB); then run ./lab site again\n", [])
        self.assertEqual(self.site(), wanted)
        self.set_up("matplotlib", "jinja2")  # as an older lab did
        self.assertEqual(self.site("--students"), wanted)

    def test_both_editions(self):
        self.set_up(*PACKAGES)
        self.assertEqual(self.site(), (0, "", [(site_command.DOCUMENTS, site_command.ROOT)]))
        self.assertEqual(self.site("--students")[2], [(site_command.DOCUMENTS, site_command.ROOT, "--students")])

    def test_bad_words(self):
        self.assertEqual(self.site("--student"), (2, "lab: site has no option '--student'; its only option is --students\n", []))


if __name__ == "__main__":
    unittest.main()
