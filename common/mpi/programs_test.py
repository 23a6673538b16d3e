#!/usr/bin/env python3
"""Programs of several processes: what they count, how they end, and that nothing of them is left.

programs_test.py MANIFEST
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

MANIFEST = Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/release/manifest.json")
BIN = MANIFEST.parent / "bin"
NAIVE = BIN / "part4/naive"
# What each way of sending sends; with the solutions.
MESSAGES = Path(__file__).resolve().parents[2] / "solutions/part4_mpi/messages.json"
LAUNCHER = next(
    part["launcher"]
    for part in json.loads(MANIFEST.read_text(encoding="utf-8"))["parts"]
    if part["name"] == "part4"
)


def words(ranks, *options, program=NAIVE):
    return [str(ranks) if word == "RANKS" else word for word in LAUNCHER] + [
        str(program),
        *map(str, options),
    ]


def start(ranks, *options, **how):
    pipe = subprocess.PIPE
    return subprocess.Popen(words(ranks, *options), stdout=pipe, stderr=pipe, text=True, **how)


def run(ranks, *options, program=NAIVE):
    """Status, output, errors."""
    command = words(ranks, *options, program=program)
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return ended.returncode, ended.stdout, ended.stderr


def counted(ranks, n, program=NAIVE):
    """The sums over all ranks."""
    table = run(ranks, "-n", n, "-i", 1, "--profile", program=program)[1]
    return list(map(int, re.search(r"^all(.*)", table, re.M)[1].split()))


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


def rank_of(process):
    """As the launcher told it."""
    environment = Path(f"/proc/{process}/environ").read_text(encoding="utf-8")
    return int(re.search(r"(?:PMI_RANK|OMPI_COMM_WORLD_RANK)=(\d+)", environment)[1])


def processor_s(process):
    user, system = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").split()[13:15]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


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
            rows = n - n // ranks  # rank 0 has the smaller share
            wanted = [3 * (ranks - 1), 3 * 4 * rows, 3 * ranks, 3 * 4 * n * (ranks - 1), 0, 0]
            self.assertEqual(counted(ranks, n), wanted, (ranks, n))

    @unittest.skipUnless(MESSAGES.exists(), "no solutions here")
    def test_each_way_of_sending_is_counted(self):
        """4 ranks, 1000 bodies of 16 bytes: each must get the 12000 bytes of the others; and nothing for reading the result."""
        for name, wanted in json.loads(MESSAGES.read_text(encoding="utf-8")).items():
            self.assertEqual(counted(4, 1000, NAIVE.with_name(name)), wanted, name)

    def test_answers_do_not_depend_on_the_ranks(self):
        """Each row is summed by one rank in the same order, and the stages of rk4 start from rank 0's state."""
        options = ("-n", 300, "-i", 5, "--damping", 0.9, "--integrator")
        for name, scheme in (
            ("naive", "kdk"),
            ("naive", "rk4"),
            ("naive", "hermite4"),
            ("allgather", "rk4"),
        ):
            program = NAIVE.with_name(name)
            if not program.exists():
                continue  # of the solutions
            said = [run(ranks, *options, scheme, program=program)[1] for ranks in (1, 2, 5)]
            energies = {re.search(r"energy *(.*)", one)[1] for one in said}
            self.assertEqual(len(energies), 1, (name, scheme, energies))

    def test_a_run_names_the_library_and_whose_count_it_takes(self):
        said = run(2, "-n", 100, "-i", 2)[1]
        self.assertRegex(said, r"\n  ranks +2 ranks, [^\t:]+\n")
        self.assertIn("flops per interaction, by the worksheet\n", said)

    def test_a_refusal_is_one_line(self):
        for options in (
            ["--nothing"],
            ["-f", "/no/such/file", "-i", 1],
            ["-n", 10, "-i", 1, "--precision", "double"],
            ["-n", 10],
            ["-n", 10, "-i", 1, "-w", "/dev/null/no/such/folder"],
        ):
            status, _, err = run(3, *options)
            self.assertEqual((status, err.count("\n")), (2, 1), (options, err))

    @unittest.skipUnless(MESSAGES.exists(), "no solutions here")
    def test_a_full_disk_ends_all_ranks(self):
        """Simulators whose destructors wait for each other."""
        options = ["-n", 50, "-i", 3, "--log", "/dev/full"]
        status, _, err = run(3, *options, program=NAIVE.with_name("one_sided"))
        self.assertEqual((status, err.count("\n")), (2, 1), err)

    def test_a_rank_that_dies_takes_all_with_it(self):
        """A fault of its own is told in one line; a death from outside is the launcher's to tell, and Ctrl-C the user's."""
        for number, of, said in (
            (signal.SIGSEGV, "rank 1", "rank 1 of 3 died: Segmentation fault (signal 11)"),
            (signal.SIGKILL, "rank 1", ""),
            (signal.SIGINT, "all", ""),
        ):
            with start(3, "-n", 3000, "-i", 100000, "-v", start_new_session=True) as process:
                process.stdout.readline()  # they compute
                if of == "all":
                    os.killpg(process.pid, number)
                else:
                    os.kill(next(one for one in running() if rank_of(one) == 1), number)
                out, err = process.communicate(timeout=60)
            if of != "all":  # after Ctrl-C the status is the launcher's, now and then 0
                self.assertNotEqual(process.returncode, 0)
            elif "MPICH" in out:  # Open MPI's launcher kills all ranks
                self.assertIn("interrupted after", out)
            self.assertIn(said, err)
            self.assertTrue(comes_true(lambda: not running()))

    def test_ranks_that_wait_sleep(self):
        """Between requests, so that they take no time from the checker and the clock."""
        with socket.socket(socket.AF_UNIX) as asker, tempfile.TemporaryDirectory() as folder:
            asker.bind(f"{folder}/socket")
            asker.listen()
            environment = {**os.environ, "LAB_SOCKET": f"{folder}/socket"}
            with start(3, "--serve", env=environment) as process:
                with asker.accept()[0] as connection:
                    connection.recv(1000)  # its hello
                    before = sum(map(processor_s, running()))
                    time.sleep(2)
                    self.assertLess(sum(map(processor_s, running())) - before, 0.25)
                process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0)

    @unittest.skipUnless(
        (BIN / "wrong_on_ranks/one_rank_throws").exists(), "no wrong programs here"
    )
    def test_a_rank_that_stops_is_named(self):
        for name, n, said in (
            ("one_rank_throws", 1001, "rank 0 of 3 stopped: too many bodies for me"),
            ("one_rank_throws", 2000, "rank 1 of 3 stopped: too many bodies for me"),
            ("early_exit", 2, "rank 0 of 3 stopped: it called exit() before the end"),
        ):
            status, _, err = run(3, "-n", n, "-i", 1, program=BIN / "wrong_on_ranks" / name)
            self.assertNotEqual(status, 0)
            self.assertIn(said, err)


if __name__ == "__main__":
    unittest.main()
