"""Does setup.sh accept the supported compilers and refuse older ones, in one line?"""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from nbody_lab import ROOT

TOOLS = [
    "bash",
    "c++",
    "g++",
    "cmake",
    "ninja",
    "python3",
    "git",
    "grep",
    "sed",
    "head",
    "tr",
    "uname",
    "dirname",
    "cat",
    "id",
]
SETUP = ROOT / "common/setup/setup.sh"


def setup(*words, **environment):
    done = subprocess.run(
        ["bash", SETUP, *words],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )
    return done.returncode, done.stdout, done.stderr


class SetupTest(unittest.TestCase):
    def judge(self, says):
        """The verdict on a compiler that reports this version."""
        with tempfile.TemporaryDirectory() as folder:
            compiler = Path(folder, "own++")
            compiler.write_text(f"#!/bin/sh\ncat >/dev/null\necho 'lab {says}'\n", encoding="utf-8")
            compiler.chmod(0o755)
            return setup("--compiler", CXX=str(compiler))

    def test_supported_compilers(self):
        for says in ("__clang_major__ 11", "__clang_major__ 12", "14 4", "19 4"):
            self.assertEqual(self.judge(says), (0, "", ""), says)

    def test_older_ones(self):
        for says in ("__clang_major__ 10", "13 4"):
            status, _, said = self.judge(says)
            self.assertEqual((status, said.count("\n")), (2, 1), said)
            self.assertIn("is not a suitable C++ compiler (g++ 11, clang 14 or newer)", said)

    def test_unknown_option(self):
        status, _, said = setup("--tests-most")
        self.assertEqual((status, said.count("\n")), (2, 1), said)
        self.assertIn("unknown option '--tests-most'", said)
        for option in re.findall(r"^    (--[a-z-]+)\)", SETUP.read_text(encoding="utf-8"), re.M):
            if option != "--compiler":  # only ./lab uses that one
                self.assertIn(option, said)

    def test_what_grading_needs_is_named_where_it_is_missing(self):
        """Without root a missing tool is reported, but only with --grading."""
        with tempfile.TemporaryDirectory() as tools:
            for tool in TOOLS:
                found = shutil.which(tool)
                if found:
                    Path(tools, tool).symlink_to(found)
            _, grading, _ = setup("--no-root", "--grading", PATH=tools)
            _, plain, _ = setup("--no-root", PATH=tools)
        self.assertIn("setup: skipped: bubblewrap is not available here", grading)
        self.assertNotIn("bubblewrap", plain)
