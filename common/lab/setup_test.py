#!/usr/bin/env python3
"""Does setup.sh take the compilers that the lab supports and refuse older ones, in one line?"""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SETUP = Path(__file__).resolve().parents[1] / "setup/setup.sh"


def setup(*words, **environment):
    done = subprocess.run(["bash", SETUP, *words], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                          env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


class SetupTest(unittest.TestCase):
    def judge(self, says):
        """A compiler that, asked for its version, says this."""
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
            self.assertIn("is no C++ compiler that will do (g++ 11, clang 14 or newer)", said)

    def test_unknown_option(self):
        status, _, said = setup("--tests-most")
        self.assertEqual((status, said.count("\n")), (2, 1), said)
        self.assertIn("unknown option '--tests-most'", said)


if __name__ == "__main__":
    unittest.main()
