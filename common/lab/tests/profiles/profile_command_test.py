"""Does ./lab profile show what it should? Runs in a copy of the tree, since it adds a mine_*.hpp
(session profile of noxfile.py).
"""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import pytest

TREE = Path(os.environ.get("LAB_TREE", ""))
pytestmark = pytest.mark.skipif("LAB_TREE" not in os.environ, reason="belongs to suite profile")
# A row of the table or of the annotated lines; then the total time.
ROW = re.compile(r"^ *(?P<share>[0-9]+) % .*$", re.M)
ALL_SECONDS = re.compile(r"^ +all +(?P<seconds>[0-9.]+)$", re.M)
# naive's function up to its closing brace, and its first loop.
LOOP = re.compile(r"^ *for \(std::size_t i = 0", re.M)


class Said:
    """The output and status of a command."""

    def __init__(self, done):
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr

    def share_of(self, name):
        """The percentage in the first row with this name; -1 if there is none."""
        return next((int(row["share"]) for row in ROW.finditer(self.out) if name in row[0]), -1)

    def first_row(self):
        row = ROW.search(self.out)
        return row[0] if row else ""

    def __str__(self):
        return f"status {self.status}\n{self.out}{self.err}"


def lab(*words, **environment):
    return Said(
        subprocess.run(
            [TREE / "lab", *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "LC_ALL": "C", **environment},
            check=False,
        )
    )


def make_mine_openmp(tree):
    """The given loop with a pragma: gprof would merge its body into a neighbouring function."""
    folder = tree / "part1_standard_opti"
    mine = (folder / "mine.hpp").read_text(encoding="utf-8")
    rows = LOOP.sub(lambda loop: "#pragma omp parallel for schedule(static)\n" + loop[0], mine)
    (folder / "mine_rows.hpp").write_text(rows, encoding="utf-8")


def folder_without(tool, folder):
    """Links to every program here except one."""
    for path in map(Path, ("/bin", "/usr/bin", "/usr/local/bin")):
        for program in path.iterdir() if path.is_dir() else ():
            if program.name != tool and program.is_file() and not (folder / program.name).exists():
                (folder / program.name).symlink_to(program)


class ProfileTest(unittest.TestCase):
    def between(self, value, low, high, said):
        self.assertTrue(low <= value <= high, f"{value} is not from {low} to {high}:\n{said}")

    def good(self, *words):
        said = lab("profile", *words)
        self.assertEqual(said.status, 0, said)
        return said

    def refused(self, fragment, *words, **environment):
        """Checks for one line and status 2."""
        said = lab("profile", *words, **environment)
        lines = [line for line in said.err.splitlines() if line]
        self.assertEqual((said.status, len(lines)), (2, 1), said)
        self.assertIn(fragment, lines[0])

    def test_messages(self):
        for fragment, words in (
            ("profile needs a part", []),
            ("no option '--nonsense'", ["part1", "naive", "--nonsense"]),
            ("number of bodies", ["part1", "naive", "-n", "many"]),
            ("number of bodies", ["part1", "naive", "-n"]),
            ("no option '--nonsense'", ["part1", "naive", "--annotate", "--nonsense"]),
        ):
            with self.subTest(words):
                self.refused(fragment, *words)

    def test_help(self):
        for words in (["-h"], ["part1", "--help"], ["part1", "naive", "-h"]):
            with self.subTest(words):
                self.assertRegex(self.good(*words).out, "(?m)^usage: ./lab profile PART")

    def test_missing_tools(self):
        for tool in ("gprof", "perf"):
            with self.subTest(tool), tempfile.TemporaryDirectory() as folder:
                folder_without(tool, Path(folder))
                self.refused(
                    f"{tool} is missing; install", "part1", "naive", "--annotate", PATH=folder
                )

    def test_naive(self):
        said = self.good("part1", "naive")
        self.between(said.share_of("nbody::Naive::compute_accelerations()"), 50, 92, said)
        self.between(said.share_of("nbody::Naive::largest_time_step()"), 6, 45, said)
        seconds = ALL_SECONDS.search(said.out)
        self.assertIsNotNone(seconds, said)
        self.between(float(seconds["seconds"]), 1.8, 20, said)
        self.assertRegex(said.out, r"1 / \(1 - 0\.[0-9]+\) = [0-9.]+ times")
        whole = (TREE / "build/release/gprof/part1_naive.txt").read_text(encoding="utf-8")
        self.assertRegex(whole, "(?m)^Flat profile")

    def openmp(self, name, class_name):
        said = self.good("part1", name, "-n", "1000")
        self.assertIn(f"nbody::{class_name}::compute_accelerations()", said.first_row(), said)
        self.between(said.share_of("compute_accelerations()"), 50, 100, said)

    def test_openmp_of_mine(self):
        self.openmp("mine_rows", "Mine")

    def test_openmp(self):
        if not (TREE / "solutions/part1_standard_opti/openmp.hpp").exists():
            self.skipTest("this copy of the lab has no folder solutions/")
        self.openmp("openmp", "Openmp")

    def test_instruction_sets(self):
        """bin/part2/blocked only starts another program, which gprof could not know."""
        if not (TREE / "solutions/part2_vectorization/blocked.hpp").exists():
            self.skipTest("this copy of the lab has no folder solutions/")
        said = self.good("part2", "blocked")
        self.between(said.share_of("nbody::Rows"), 20, 95, said)

    def test_keeps_one_framework(self):
        """Only the implementation's own file is compiled anew, so a profile is there in seconds."""
        commands = subprocess.run(
            ["ninja", "-C", TREE / "build/release", "-t", "commands", "gprof_part1_naive"],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout
        instrumented = [
            line for line in commands.splitlines() if " -pg " in line and " -c " in line
        ]
        self.assertEqual(len(instrumented), 1, instrumented)
        self.assertRegex(instrumented[0], r"/naive\.cpp$")

    def test_debug(self):
        said = self.good("part1", "naive", "--debug")
        # Its share depends on the speed of powf (9 % has been seen); its number of calls does not: 20 per pair.
        self.between(said.share_of(">::operator[](unsigned long)"), 3, 90, said)
        self.assertRegex(said.out, r"[0-9]{7} +std::vector<.*>::operator\[\]\(unsigned long\)")
        self.between(said.share_of("compute_accelerations()"), 0, 50, said)
        self.assertIn("Without optimisation", said.out)

    def test_annotate(self):
        if not shutil.which("perf"):
            self.skipTest("perf is not there: lines are not tested")
        said = lab("profile", "part1", "naive", "--annotate")
        if said.status == 2 and "perf may not measure here" in said.err:
            self.skipTest("perf may not measure here: lines are not tested")
        self.assertEqual(said.status, 0, said)
        self.assertRegex(said.out, r"(?m)^nbody::Naive::compute_accelerations\(\)")
        self.assertRegex(said.out, r"(?m)^ +[0-9]+ % .*(div|sqrt|mul)")
        self.assertIn("bodies[i].ax += force", said.out, "lines of the source")


def setUpModule():
    make_mine_openmp(TREE)
    said = lab("list", "part1")  # configure now, so that a refusal prints only its own line
    assert said.status == 0, said
