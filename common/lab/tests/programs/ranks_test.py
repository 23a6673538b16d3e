"""The command lines that start programs of several processes."""

import unittest
from pathlib import Path
from unittest import mock

from nbody_lab.core.messages import Failure
from nbody_lab.programs.ranks import take_ranks, words_to_start


class Lab:
    part, build = "part4", Path("/build")
    known = {"launcher": ["/bin/mpiexec", "-n", "RANKS"], "ranks": 4}

    def of_part(self, field):
        return self.known[field]

    def program(self, name):
        return f"bin/part4/{name}"

    def row(self, _):
        return {"arguments": []}

    def targets(self, name, precision):
        return [f"bin/part4/{name}_{precision}"]


class OneProcess(Lab):
    known = {"launcher": [], "ranks": 1}


def started(lab, *options):
    return [str(word) for word in words_to_start(lab, "naive", list(options))]


class RanksTest(unittest.TestCase):
    def test_the_launcher_stands_in_front(self):
        self.assertEqual(
            started(Lab(), "-n", "5"),
            ["/bin/mpiexec", "-n", "4", "/build/bin/part4/naive", "-n", "5"],
        )
        for words in (["--ranks", "7"], ["--ranks=7"]):
            self.assertEqual(
                started(Lab(), "-i", "1", *words, "-v")[2:],
                ["7", "/build/bin/part4/naive", "-i", "1", "-v"],
            )

    def test_precision_chooses_the_program(self):
        self.assertIn("/build/bin/part4/naive_double", started(Lab(), "--precision", "double"))

    def test_other_parts_are_one_process(self):
        self.assertEqual(
            started(OneProcess(), "-n", "5", "--ranks", "1"), ["/build/bin/part4/naive", "-n", "5"]
        )
        with mock.patch("sys.stderr"), self.assertRaises(Failure):
            started(OneProcess(), "--ranks", "2")

    def test_no_number_is_one_line(self):
        for words in (
            ["--ranks"],
            ["--ranks", "0"],
            ["--ranks", "-n"],
            ["--ranks=x"],
            ["--ranks", "70000"],
        ):
            with mock.patch("nbody_lab.core.messages.print") as said, self.assertRaises(Failure):
                take_ranks(words)
            self.assertIn(
                "--ranks needs a number of processes from 1 to 65536", said.call_args[0][0]
            )
