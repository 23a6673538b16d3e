#!/usr/bin/env python3
"""Does ./lab test run its suites in order, skip, stop a hanging suite with all its children, and say so?

    suites_test.py
    suites_test.py --fakes ROOT WORD...   ./lab test WORD... with the suites below
"""

import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders  # noqa: E402, F401
import budget  # noqa: E402
import suite_steps  # noqa: E402
import suites  # noqa: E402
from folder_for_tests import InFolder  # noqa: E402
from suites import Suite  # noqa: E402

# Two children and a grandchild: in the group, in its own session, ignoring TERM.
HANGS = """import os, signal, subprocess, sys, time
first = subprocess.Popen(["sh", "-c", "sleep 1000 & echo $!; wait"], stdout=subprocess.PIPE)
own = subprocess.Popen(["sleep", "1000"], start_new_session=True)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
numbers = [first.pid, int(first.stdout.readline()), own.pid, os.getpid()]
open("pids.new", "w").write(" ".join(map(str, numbers)))
os.rename("pids.new", "pids")
time.sleep(1000)
"""


class Fakes:
    def build_passes():
        print("built")
        time.sleep(3.2)  # longer than its budget, which limits only running

    def run_passes():
        subprocess.run(["sh", "-c", "echo all is well; cat"], check=True)  # cat must find no input to wait for
        print(f"level {Fakes.setup_level}")

    def run_skips():
        raise budget.Skip("sextant is not there")

    def build_skips_early():
        subprocess.run(["sh", "-c", "echo compass is not there; exit 77"], check=True)

    def run_skips_early():
        print("must not run")

    def run_fails():
        print("a.cpp:3: error: no")
        print("\n" * 50)
        subprocess.run(["sh", "-c", "exit 3"], check=True)

    def run_dies():
        subprocess.run(["sh", "-c", "kill -9 $$"], check=True)

    def run_is_wrong():
        raise budget.Fail("the needle points south")

    def run_hangs():
        subprocess.run([sys.executable, "-c", HANGS], check=True)

    run_waits = run_hangs

    def build_only_builds():
        print("built")


FAKES = (Suite("passes", "test", 3, "passes"), Suite("skips", "test", 30, "skips"), Suite("skips-early", "--all", 30, "skips"),
         Suite("fails", "--all", 30, "fails"), Suite("dies", "--weekly", 30, "is killed"), Suite("is-wrong", "--weekly", 30, "fails"),
         Suite("hangs", "--weekly", 3, "hangs"), Suite("waits", "--weekly", 60, "hangs"), Suite("only-builds", "--weekly", None, "builds"))


def lives(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


class SuitesTest(InFolder):
    def command(self, *words):
        return [sys.executable, __file__, "--fakes", str(self.folder), *words]

    def run_fakes(self, *words):
        """(status, output)"""
        done = subprocess.run(self.command(*words), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=200, check=False)
        return done.returncode, done.stdout

    def log(self, name):
        return (self.folder / "build/test_logs" / f"{name}.log").read_text()

    def test_passes_and_skips(self):
        status, said = self.run_fakes()
        self.assertEqual(status, 0, said)
        self.assertRegex(said, r"^suite passes: building, \d+ s; running \(budget 3 s\): passed in \d+ s, \d+ of them building; \d+ s of processor time\n"
                               r"suite skips: running \(budget 30 s\): skipped: sextant is not there\n\n"
                               r"passes               passed in \d+ s, \d+ of them building; \d+ s of processor time\n"
                               r"skips                skipped: sextant is not there\n\n\d+ s in all\n1 passed, 0 failed, 1 skipped\n$")
        self.assertEqual(self.log("passes"), "built\nall is well\nlevel tests\n")

    def test_skips_before_it_runs(self):
        status, said = self.run_fakes("skips-early")
        self.assertEqual((status, self.log("skips-early")), (0, "compass is not there\n"))
        self.assertRegex(said, "skips-early: building, [0-9]+ s; skipped: compass is not there\n")

    def test_only_builds(self):
        status, said = self.run_fakes("only-builds")
        self.assertEqual(status, 0, said)
        self.assertRegex(said, "suite only-builds: building, [0-9]+ s; passed in [0-9]+ s, [0-9]+ of them building; [0-9]+ s of processor time\n")

    def test_stops_after_a_failure(self):
        status, said = self.run_fakes("fails", "is-wrong")
        self.assertEqual(status, 1, said)
        self.assertRegex(said, r"suite fails: running \(budget 30 s\): failed with status 3 after \d+ s\n  ! line 1:a.cpp:3: error: no\n  \| \n")
        self.assertIn("  | status 3: sh -c exit 3\n  the whole log: build/test_logs/fails.log\n", said)
        self.assertIn("is-wrong             not run, after a failure (--keep-going runs it)\n", said)
        self.assertIn("0 passed, 1 failed, 1 skipped", said)
        self.assertFalse((self.folder / "build/test_logs/is-wrong.log").exists())

    def test_keeps_going(self):
        status, said = self.run_fakes("--keep-going", "fails", "dies", "is-wrong", "passes")
        self.assertEqual(status, 1, said)
        for words in ("fails                failed with status 3", "dies                 failed with status 137 after",
                      "is-wrong             failed with status 1", "  | the needle points south\n", "1 passed, 3 failed, 0 skipped"):
            self.assertIn(words, said)
        self.assertIn("level tests-all", self.log("passes"))

    def test_tiers(self):
        _, said = self.run_fakes("--all")
        self.assertIn("suite fails:", said)
        self.assertNotIn("dies", said)

    def test_hangs(self):
        status, said = self.run_fakes("hangs")
        self.assertEqual(status, 1, said)
        self.assertRegex(said, r"suite hangs: running \(budget 3 s\): failed: stopped after \d+ s, over its budget\n")
        self.assert_ended()

    def test_interrupted(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            # A test started in the background may have inherited an ignored Ctrl-C.
            process = subprocess.Popen(self.command("waits"), stdout=subprocess.PIPE, text=True,
                                       preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
            until = time.monotonic() + 60
            while not (self.folder / "pids").exists() and time.monotonic() < until:
                time.sleep(0.05)
            process.send_signal(number)
            said, _ = process.communicate(timeout=60)
            self.assertEqual((process.returncode, said), (130, "suite waits: running (budget 60 s): \n"))
            self.assert_ended()

    def assert_ended(self):
        pids = (self.folder / "pids").read_text().split()
        self.assertEqual(len(pids), 4)
        self.assertEqual([pid for pid in pids if lives(pid)], [])
        (self.folder / "pids").unlink()

    def test_unknown(self):
        self.assertEqual(self.run_fakes("passes", "sails"), (2, "lab: there is no suite 'sails'; suites: "
                         "passes skips skips-early fails dies is-wrong hangs waits only-builds\n"))
        self.assertEqual(self.run_fakes("--most"), (2, "lab: test has no option '--most'; there are --all, --weekly, --keep-going and --list\n"))
        self.assertFalse((self.folder / "build").exists())

    def test_list(self):
        status, said = self.run_fakes("--list")
        self.assertEqual(status, 0)
        self.assertEqual([line.split() for line in said.splitlines()][1:4],
                         [["passes", "test", "3", "s", "passes"], ["skips", "test", "30", "s", "skips"], ["skips-early", "--all", "30", "s", "skips"]])
        self.assertIn("only-builds        --weekly           none  builds\n", said)


class TableTest(unittest.TestCase):
    """Each row has its functions, each function its row."""

    def test_rows(self):
        for suite in suites.SUITES:
            with self.subTest(suite.name):
                self.assertIn(suite.tier, suites.TIERS)
                self.assertEqual(suite.budget is not None, suites.step(suite_steps, "run", suite) is not None, "a budget is for what runs")
                self.assertTrue(suite.budget or suites.step(suite_steps, "build", suite), "it has no function")

    def test_functions(self):
        names = {suite.name.replace("-", "_") for suite in suites.SUITES}
        self.assertEqual(len(names), len(suites.SUITES))
        for function in vars(suite_steps):
            kind, _, name = function.partition("_")
            if kind in ("build", "run"):
                self.assertIn(name, names)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--fakes"]:
        budget.GRACE = 1
        sys.exit(suites.main(sys.argv[3:], FAKES, Fakes, Path(sys.argv[2])))
    unittest.main()
