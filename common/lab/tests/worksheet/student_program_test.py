"""The judge with a right worksheet, and with ones that try to fool or stop it.

The program is built with common/worksheet/test_sheets/worksheet.hpp; the variable SHEET selects the sheet
"""

import contextlib
import fcntl
import io
import os
import tempfile
import time
import unittest
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.worksheet import command
from tests import BUILD

SHEETS = ROOT / "common/worksheet/test_sheets"
PROGRAM = BUILD / "tests/worksheet_test_sheet"


class Said(io.StringIO):
    """Captures what is printed, as text or bytes."""

    def __init__(self):
        super().__init__()
        self.buffer = self

    def write(self, text):
        return super().write(text.decode() if isinstance(text, bytes) else text)


def judged(program, seconds=30.0, **variables):
    """(status, standard output, standard error)"""
    desk = command.Desk(
        SHEETS / "questions.json", program, Path("/nowhere"), Path("/nowhere"), [], seconds
    )
    out, err = Said(), Said()
    os.environ.update(variables)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = command.run(desk, [])
    return status, out.getvalue(), err.getvalue()


def becomes_free(lock):
    """Waits for a lock: a killed process holds its locks until the system has cleaned up."""
    with open(lock, "r+", encoding="utf-8") as file:
        for _ in range(500):
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
            except OSError:
                time.sleep(0.01)
    return False


class HostileTest(unittest.TestCase):
    def expect_one_line(self, start, program=PROGRAM, **how):
        status, out, err = judged(program, **how)
        self.assertEqual((status, out), (2, ""))
        self.assertTrue(err.startswith(f"worksheet: worksheet.hpp: {start}"), err)
        self.assertEqual(err.count("\n"), 1, err)


@unittest.skipUnless(PROGRAM.exists(), "the program with the test sheet is not built")
class TestSheetTest(HostileTest):
    def test_it_may_print(self):
        stands_for_the_lock = os.dup2(
            0, 200
        )  # the lock of ./lab, which must not reach the student's code
        try:
            status, out, err = judged(PROGRAM, SHEET="printing")
        finally:
            os.close(stands_for_the_lock)
        self.assertEqual((status, err), (0, "here I am\nsix and one\nsix and one\n"))
        self.assertIn("paper machine of Ada Lovelace, Charles Babbage: none", out)
        self.assertIn("2 of 2 lines answered\n", out)

    def test_it_cannot_say_that_it_is_right(self):
        self.expect_one_line("exited with status 0 before it gave its answers", SHEET="fooling")

    def test_a_loop_without_end_is_stopped(self):
        """None of its children is left."""
        with tempfile.TemporaryDirectory() as folder:
            lock = Path(folder, "lock")
            lock.write_text("", encoding="utf-8")
            start = time.monotonic()
            self.expect_one_line(
                "no answers within 1 s: does it have an endless loop?",
                seconds=1.0,
                SHEET="endless",
                LOCK=str(lock),
            )
            self.assertLess(time.monotonic() - start, 20)
            self.assertTrue(becomes_free(lock))

    def test_it_may_crash(self):
        self.expect_one_line("killed by signal 6", SHEET="crashing")

    def test_it_may_throw(self):
        self.expect_one_line(
            "exited with status 1 before it gave its answers: stod", SHEET="throwing"
        )


class AnyProgramTest(HostileTest):
    """Programs that no C++ worksheet would produce on its own."""

    def program(self, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = Path(folder.name, "program")
        file.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        file.chmod(0o755)
        return file

    def test_it_is_not_there(self):
        status, _, err = judged("/nowhere")
        self.assertEqual(status, 2)
        self.assertIn("/nowhere: cannot start", err)

    def test_endless_output_is_not_kept(self):
        self.expect_one_line("no answers within 30 s", self.program("exec yes"))

    def test_endless_talk_does_not_stop_it(self):
        self.expect_one_line(
            "exited with status 3 before it gave its answers: yyy",
            self.program("yes yyy | head -c 3000000 >&2; exit 3"),
        )

    def test_a_closed_output_does_not_save_it(self):
        self.expect_one_line(
            "was stopped before it gave its answers", self.program("exec >&- 2>&-; sleep 60")
        )

    def test_a_child_that_holds_the_pipe_is_killed(self):
        lock = self.program("")
        self.expect_one_line(
            "exited with status 0", self.program(f"flock {lock} sleep 60 & sleep 1; exit 0")
        )
        self.assertTrue(becomes_free(lock))
