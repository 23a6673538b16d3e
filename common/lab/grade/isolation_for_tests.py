"""Test helpers: a sandbox of each kind with a program of attacks in it, and a second run of all tests without root's
rights."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from grade.attacks_for_tests import compile_all
from grade.isolation import RUN, NotStarted, choose
from grade.limits import MB
from grade.watch import is_running, tree_below

LAB = Path(__file__).resolve().parents[1]
SMALL = RUN._replace(wall_s=20, cpu_s=10, memory_bytes=128 * MB, processes=24, file_bytes=4 * MB, output_bytes=65536)
SECRET = "the reference answers"


class Sandboxed:
    """Subclasses with a `kind` test it, or skip if the host lacks it."""
    kind = ""

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="lab_isolation_test_"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.folder.chmod(0o755)
        cls.work = cls.folder / "work"
        cls.work.mkdir()
        cls.secret = cls.folder / "secret"
        cls.secret.write_text(SECRET, encoding="ascii")
        cls.program = compile_all(cls.folder)
        cls.inside = f"/w/{cls.program.name}"
        try:
            cls.isolation = choose(LAB.parents[1], cls.kind)
        except NotStarted as reason:
            raise unittest.SkipTest(f"not here: {reason}") from None
        cls.addClassCleanup(cls.isolation.close)

    def tearDown(self):
        for left in running(self.program.name):  # left by a failed test, or started by words()
            with contextlib.suppress(ProcessLookupError):
                os.kill(left, signal.SIGKILL)

    def attack(self, name, **limits):
        return self.isolation.run([self.inside, name], SMALL._replace(**limits), read_only=[(self.program, self.inside)],
                                  writable=[(self.work, "/work")], folder="/work")

    def shell(self, script, **more):
        return self.isolation.run(["/bin/sh", "-c", script], SMALL, writable=[(self.work, "/work")], folder="/work", **more)

    def words(self, *program_words, isolation=None, limits=SMALL):
        return (isolation or self.isolation).words([*program_words], limits, read_only=[(self.program, self.inside)])


def running(words, below=None):
    """Numbers of running attack processes with `words` in their command line, below process `below` or everywhere."""
    numbers = [below, *tree_below(below)] if below else [int(name) for name in os.listdir("/proc") if name.isdigit()]
    found = []
    for number in numbers:
        try:
            line = Path(f"/proc/{number}/cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if words in line and "attacks" in line and "bwrap" not in line and "launcher" not in line and is_running(number):
            found.append(number)
    return found


def comes_true(condition, wait_s=20):
    end = time.monotonic() + wait_s
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return bool(condition())


class AsNobody:
    """As root, runs the whole test again as another user (`--as-nobody`)."""

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "only root can become another user")
    def test_all_of_it_without_rights(self):
        python = next((path for path in ("/usr/bin/python3", sys.executable) if os.access(path, os.X_OK)), None)
        user = 60001 + os.getpid() % 1000  # unique: the kernel counts processes per user, and tests run in parallel
        words = ["setpriv", f"--reuid={user}", "--regid=65534", "--clear-groups", python, sys.modules["__main__"].__file__, "--as-nobody"]
        done = subprocess.run(words, capture_output=True, text=True, check=False, cwd="/", env={"PATH": os.environ["PATH"]})
        if "Permission denied" in done.stderr and "Ran" not in done.stderr:
            self.skipTest("the user nobody may not read this folder")
        self.assertIn(done.returncode, (0, 77), done.stderr)


def main():
    if not shutil.which("cc"):
        print("skipped: no cc to compile attacks with")
        sys.exit(77)
    if sys.argv[1:2] == ["--as-nobody"]:
        del sys.argv[1]
        AsNobody.test_all_of_it_without_rights = lambda self: self.skipTest("this is it")
    unittest.main()
