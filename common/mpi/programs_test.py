#!/usr/bin/env python3
"""Programs of several processes: what they count, how they end, and that nothing of them is left.

programs_test.py MANIFEST
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

MANIFEST = Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/release/manifest.json")
NAIVE = MANIFEST.parent / "bin/part4/naive"
# What each way of sending sends; with the solutions.
MESSAGES = Path(__file__).resolve().parents[2] / "solutions/part4_mpi/messages.json"
WORDS = next(
    part["launcher"]
    for part in json.loads(MANIFEST.read_text(encoding="utf-8"))["parts"]
    if part["name"] == "part4"
)


def words(ranks, *options):
    return [str(ranks) if word == "RANKS" else word for word in WORDS] + [
        str(NAIVE),
        *map(str, options),
    ]


def run(ranks, *options):
    return subprocess.run(
        words(ranks, *options), capture_output=True, text=True, timeout=100, check=False
    )


def running():
    """Process ids of naive's ranks."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and os.readlink(folder / "exe") == str(NAIVE.resolve()):
                found.append(int(folder.name))
        except OSError:
            pass
    return found


def comes_true(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


class ProgramsTest(unittest.TestCase):
    def test_messages_are_those_of_the_worksheet(self):
        """Questions 2 of part 4: 3 (P - 1) messages, each of n / P numbers; three broadcasts of n."""
        for ranks, n in ((1, 100), (4, 1000), (3, 7)):
            table = run(ranks, "-n", n, "-i", 1, "--profile").stdout.partition("\nrank ")[2]
            total = list(map(int, re.search(r"^all(.*)", table, re.M)[1].split()))
            rows = n - n // ranks  # rank 0 has the smaller share
            self.assertEqual(
                total[:4],
                [3 * (ranks - 1), 3 * 4 * rows, 3 * ranks, 3 * 4 * n * (ranks - 1)],
                (ranks, n, table),
            )

    @unittest.skipUnless(MESSAGES.exists(), "no solutions here")
    def test_each_way_of_sending_is_counted(self):
        """4 ranks, 1000 bodies of 16 bytes: each must get the 12000 bytes of the others; and nothing for reading the result."""
        for name, wanted in json.loads(MESSAGES.read_text(encoding="utf-8")).items():
            command = words(4, "-n", 1000, "-i", 1, "--profile")
            command[command.index(str(NAIVE))] = str(NAIVE.with_name(name))
            table = subprocess.run(
                command, capture_output=True, text=True, timeout=100, check=True
            ).stdout
            self.assertEqual(
                list(map(int, re.search(r"^all(.*)", table, re.M)[1].split())), wanted, name
            )

    def test_another_mpiexec_is_noticed(self):
        """As Open MPI's and MPICH's tell their ranks how many there are."""
        for name in ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE"):
            ended = subprocess.run(
                [str(NAIVE), "-n", "10", "-i", "1"],
                env={**os.environ, name: "2"},
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertEqual(
                (ended.returncode, "another library's mpiexec started" in ended.stderr),
                (2, True),
                ended.stderr,
            )

    def test_answers_do_not_depend_on_the_ranks(self):
        """Each row is summed by one rank in the same order."""
        energies = {
            re.search(r"energy *(.*)", run(ranks, "-n", 300, "-i", 5).stdout)[1]
            for ranks in (1, 2, 5)
        }
        self.assertEqual(len(energies), 1, energies)

    def test_every_integrator_runs(self):
        for scheme in ("kdk", "rk4"):
            self.assertEqual(
                run(3, "-n", 50, "-i", 3, "--integrator", scheme, "--damping", "0.9").returncode, 0
            )
        refused = run(3, "-n", 50, "-i", 3, "--integrator", "hermite4")
        self.assertEqual((refused.returncode, refused.stderr.count("\n")), (2, 1), refused.stderr)

    def test_bad_input_is_one_line(self):
        for options in (
            ["--nothing"],
            ["-f", "/no/such/file", "-i", 1],
            ["-n", 10, "-i", 1, "--precision", "double"],
            ["-n", 10],
        ):
            ended = run(3, *options)
            self.assertEqual((ended.returncode, ended.stderr.count("\n")), (2, 1), ended.stderr)

    def test_a_rank_that_dies_takes_all_with_it(self):
        """A fault of its own is told in one line; a death from outside is the launcher's to tell."""
        for number, said in (
            (signal.SIGSEGV, "rank 1 of 3 died: Segmentation fault (signal 11)"),
            (signal.SIGKILL, ""),
        ):
            with subprocess.Popen(
                words(3, "-n", 3000, "-i", 100000),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            ) as process:
                self.assertTrue(comes_true(lambda: len(running()) == 3))
                time.sleep(0.5)  # they have joined, and compute
                ranks = {rank_of(number): number for number in running()}
                os.kill(ranks[1], number)
                _, error = process.communicate(timeout=60)
            self.assertNotEqual(process.returncode, 0)
            self.assertIn(said, error)
            self.assertTrue(comes_true(lambda: not running()))

    def test_a_long_run_says_how_far_it_is(self):
        with subprocess.Popen(
            words(2, "-n", 2000, "-i", 1000000),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            self.assertRegex(
                process.stderr.readline(), r"^\d+ of 1000000 iterations, about \d+ s left\n"
            )
            os.kill(process.pid, signal.SIGINT)
            process.communicate(timeout=60)
        self.assertTrue(comes_true(lambda: not running()))

    def test_ctrl_c_leaves_nothing(self):
        with subprocess.Popen(
            words(3, "-n", 3000, "-i", 100000),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            self.assertTrue(comes_true(lambda: len(running()) == 3))
            time.sleep(0.5)
            os.killpg(process.pid, signal.SIGINT)
            process.wait(timeout=60)
        self.assertTrue(comes_true(lambda: not running()))


def rank_of(process):
    """As the launcher told it."""
    environment = Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    return next(
        int(word.partition(b"=")[2])
        for word in environment
        if word.startswith((b"PMI_RANK=", b"OMPI_COMM_WORLD_RANK="))
    )


if __name__ == "__main__":
    unittest.main()
