#!/usr/bin/env python3
"""Does Ctrl-C end a program of ./lab at any moment, with one line from ./lab and no traceback?"""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
CALLER = """
import sys
sys.path.insert(0, {here!r})
from messages import ended
from running import run_python
sys.exit(ended(run_python, sys.executable, {program!r}))
"""
PROGRAM = """
import os, sys, time
sys.path.insert(0, {here!r})
if {early}:
    os.killpg(os.getpgrp(), 2)  # Ctrl-C, before this program is ready for it
time.sleep(0.1)
from messages import leave_words_to_caller
leave_words_to_caller()
try:
    open({begun!r}, "w").close()
    time.sleep(20)
finally:
    os.remove({begun!r})
"""


class InterruptedTest(unittest.TestCase):
    def interrupted(self, early):
        """(status, output, whether the unfinished file is left)"""
        with tempfile.TemporaryDirectory() as folder:
            program, begun = Path(folder, "program.py"), Path(folder, "begun")
            program.write_text(PROGRAM.format(here=str(HERE), early=early, begun=str(begun)), encoding="utf-8")
            process = subprocess.Popen([sys.executable, "-c", CALLER.format(here=str(HERE), program=str(program))],
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
            while not early and not begun.exists():
                time.sleep(0.01)
            if not early:
                os.killpg(process.pid, signal.SIGINT)
            said, _ = process.communicate(timeout=15)
            return process.returncode, said, begun.exists()

    def test_while_it_works(self):
        self.assertEqual(self.interrupted(early=False), (130, "lab: interrupted\n", False))

    def test_before_it_is_ready(self):
        self.assertEqual(self.interrupted(early=True), (130, "lab: interrupted\n", False))


if __name__ == "__main__":
    unittest.main()
