"""A child program of ./lab: its status, the message if it dies, and the signals that it handles itself."""

import os
import signal
import subprocess
import sys
import time
import unittest

STARTS = "import sys; from nbody_lab.core.running import run_and_tell; from nbody_lab.core.messages import ended; "
ADVICE = "; look there"


def start(script):
    """Starts this shell script as ./lab run would start a program, in its own group as in a terminal."""
    words = ["bash", "-c", script]
    code = (
        STARTS
        + f"sys.exit(ended(run_and_tell, ['/bin/bash', *{words[1:]!r}], 'part1/mine', {ADVICE!r}))"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def outcome(script, typed=""):
    process = start(script)
    out, err = process.communicate(typed, timeout=60)
    return process.returncode, out, err


class RunAndTell(unittest.TestCase):
    def test_a_fault_is_told(self):
        for name, what in (
            ("SEGV", "segmentation fault (signal 11)"),
            ("ABRT", "aborted (signal 6)"),
        ):
            status, _, err = outcome(f"ulimit -c 0; kill -{name} $$")
            self.assertEqual(
                (status, err),
                (128 + signal.Signals[f"SIG{name}"], f"lab: part1/mine died: {what}{ADVICE}\n"),
            )

    def test_an_end_of_another_kind_is_not(self):
        for script, status in (
            ("exit 0", 0),
            ("exit 2", 2),
            ("kill -PIPE $$", 141),
            ("kill -KILL $$", 137),
        ):
            self.assertEqual(outcome(script), (status, "", ""))

    def test_what_is_typed_is_the_programs(self):
        self.assertEqual(outcome("read word; echo $word", "Earth\n"), (0, "Earth\n", ""))

    def ended_by(self, number, script, to_all):
        process = start(script)
        self.assertEqual(process.stdout.readline(), "ready\n")
        time.sleep(0.3)  # until the program waits
        (os.killpg if to_all else os.kill)(process.pid, number)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def test_ctrl_c_is_answered_by_the_program(self):
        script = "trap 'echo writes; exit 130' INT; echo ready; while :; do sleep 0.1; done"
        self.assertEqual(self.ended_by(signal.SIGINT, script, True), (130, "writes\n", ""))

    def test_ctrl_c_kills_a_program_that_does_not_answer(self):
        self.assertEqual(
            self.ended_by(signal.SIGINT, "echo ready; exec sleep 60", True), (130, "", "")
        )

    def test_a_kill_of_the_lab_reaches_the_program(self):
        script = "trap 'echo told; exit 3' TERM; echo ready; while :; do sleep 0.1; done"
        self.assertEqual(self.ended_by(signal.SIGTERM, script, False), (3, "told\n", ""))


class ClosedPipes(unittest.TestCase):
    def ended(self, code):
        """(status, messages) of a command whose output nobody reads."""
        program = f"import subprocess, sys; from nbody_lab.core.messages import ended\n{code}\nsys.exit(ended(work))"
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            [sys.executable, "-c", program],
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        os.close(writing)
        return done.returncode, done.stderr

    def test_a_reader_that_stops_early_is_no_error(self):
        self.assertEqual(self.ended("def work(): print('x' * 100000)"), (141, ""))

    def test_a_child_that_does_not_read_kills_nobody(self):
        """Its parent goes on, as when a tool of ./lab bound stops early."""
        code = (
            "def work():\n"
            "    subprocess.run(['true'], input=b'x' * 1000000, check=False)\n"
            "    print('still here', file=sys.stderr)"
        )
        self.assertEqual(self.ended(code), (0, "still here\n"))

    def test_another_pipe_is_told(self):
        status, said = self.ended(
            "import os; os.dup2(2, 1)  # this has a reader\ndef work(): raise BrokenPipeError(32, 'Broken pipe')"
        )
        self.assertEqual((status, said), (2, "lab: cannot go on: Broken pipe\n"))

    def test_a_program_that_takes_over_dies_of_it_as_usual(self):
        code = "from nbody_lab.core.running import replace_by\ndef work(): replace_by(['/bin/sh', '-c', 'echo first; echo second >&2'])"
        status, said = self.ended(code)
        self.assertNotIn("Broken pipe", said)
        self.assertIn(status, (-13, 141))
