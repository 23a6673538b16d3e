"""Does ./lab profile show what it should? Runs in a copy of the tree, since it adds a mine_*.hpp
(session profile of noxfile.py).
"""

import os
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

TREE = Path(os.environ.get("LAB_TREE", ""))
pytestmark = pytest.mark.skipif("LAB_TREE" not in os.environ, reason="belongs to suite profile")
# A row of the table; then the total time.
ROW = re.compile(r"^ *(?P<share>[0-9]+) % .*$", re.M)
ALL_SECONDS = re.compile(r"^ +all +(?P<seconds>[0-9.]+)$", re.M)
LOOP = re.compile(r"^ *for \(std::size_t i = 0", re.M)


class Profile(NamedTuple):
    """What the command printed."""

    status: int
    out: str
    err: str

    def find_share(self, name):
        """The percentage in the first row with this name; -1 if there is none."""
        return next((int(row["share"]) for row in ROW.finditer(self.out) if name in row[0]), -1)


def lab(*words):
    done = subprocess.run(
        [TREE / "lab", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, "LC_ALL": "C"},
        check=False,
    )
    return Profile(done.returncode, done.stdout, done.stderr)


def profile(*words):
    done = lab("profile", *words)
    assert done.status == 0, done
    return done


def make_mine_openmp(tree):
    """The given loop with a pragma: gprof would merge its body into a neighbouring function."""
    folder = tree / "part1_standard_opti"
    mine = (folder / "mine.hpp").read_text(encoding="utf-8")
    rows = LOOP.sub(lambda loop: "#pragma omp parallel for schedule(static)\n" + loop[0], mine)
    (folder / "mine_rows.hpp").write_text(rows, encoding="utf-8")


def need_solution(folder, name):
    """A rung, whose header has a number."""
    if not any((TREE / "solutions" / folder).glob(f"[0-9][0-9]_{name}.hpp")):
        pytest.skip("this copy of the lab has no folder solutions/")


@pytest.fixture(scope="module", autouse=True)
def extra_header():
    make_mine_openmp(TREE)
    done = lab("list", "part1")  # configures
    assert done.status == 0, done


def test_naive():
    done = profile("part1", "naive")
    assert 50 <= done.find_share("nbody::Naive::compute_accelerations()") <= 92, done
    assert 6 <= done.find_share("nbody::Naive::largest_time_step()") <= 45, done
    seconds = ALL_SECONDS.search(done.out)
    assert seconds, done
    assert 1.8 <= float(seconds["seconds"]) <= 20, done
    assert re.search(r"1 / \(1 - 0\.[0-9]+\) = [0-9.]+ times", done.out), done
    whole = (TREE / "build/release/gprof/part1_naive.txt").read_text(encoding="utf-8")
    assert re.search("^Flat profile", whole, re.M)


@pytest.mark.parametrize(("name", "class_name"), [("mine_rows", "Mine"), ("openmp", "Openmp")])
def test_the_body_of_an_openmp_loop_counts_for_its_function(name, class_name):
    if name == "openmp":
        need_solution("part1_standard_opti", "openmp")
    done = profile("part1", name, "-n", "1000")
    first = ROW.search(done.out)
    assert first and f"nbody::{class_name}::compute_accelerations()" in first[0], done
    assert int(first["share"]) >= 50, done


def test_instruction_sets():
    """Of several programs, that of the machine that builds."""
    need_solution("part2_vectorization", "blocked")
    done = profile("part2", "blocked")
    assert 20 <= done.find_share("nbody::Blocked") <= 95, done


def test_keeps_one_framework():
    """Only the implementation's own file is compiled anew, so a profile is there in seconds."""
    words = ["ninja", "-C", TREE / "build/release", "-t", "commands", "gprof_part1_naive"]
    commands = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout
    (instrumented,) = [line for line in commands.splitlines() if " -pg " in line and " -c " in line]
    assert instrumented.endswith("/naive.cpp")


def test_debug():
    """The share of operator[] depends on the speed of powf (9 % has been seen); its number of calls does not: 20 per
    pair."""
    done = profile("part1", "naive", "--debug")
    assert 3 <= done.find_share(">::operator[](unsigned long)") <= 90, done
    assert re.search(r"[0-9]{7} +std::vector<.*>::operator\[\]\(unsigned long\)", done.out), done
    assert 0 <= done.find_share("compute_accelerations()") <= 50, done
    assert "Without optimisation" in done.out
