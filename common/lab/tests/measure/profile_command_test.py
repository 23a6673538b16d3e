"""Does ./lab profile show what it should? Runs in a copy of the tree, since it adds a mine_*.hpp
(session profile of noxfile.py).
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

TREE = Path(os.environ.get("LAB_TREE", ""))
pytestmark = pytest.mark.skipif("LAB_TREE" not in os.environ, reason="belongs to suite profile")
LOOP = re.compile(r"^ *for \(std::size_t i = 0", re.M)
FORCES, STEP = "nbody::{}::compute_accelerations()", "nbody::Naive::largest_time_step()"


def lab(*words):
    done = subprocess.run([TREE / "lab", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done
    return done.stdout


def make_mine_openmp(tree):
    """The given loop with a pragma: gprof would merge its body into a neighbouring function."""
    folder = tree / "part1_standard_opti"
    mine = (folder / "mine.hpp").read_text(encoding="utf-8")
    rows = LOOP.sub(lambda loop: "#pragma omp parallel for schedule(static)\n" + loop[0], mine)
    (folder / "mine_rows.hpp").write_text(rows, encoding="utf-8")


@pytest.fixture(scope="module", autouse=True)
def mine_rows():
    make_mine_openmp(TREE)
    lab("list", "part1")  # configures


@pytest.mark.parametrize(
    ("words", "shares"),
    [
        ("part1 naive", {FORCES.format("Naive"): (50, 92), STEP: (6, 45)}),
        # The body of an OpenMP loop counts for its function.
        ("part1 mine_rows -n 1000", {FORCES.format("Mine"): (50, 100)}),
        # Of several programs, that of the machine that builds.
        ("part2 blocked", {"nbody::Blocked": (20, 95)}),
        # Depends on the speed of powf (9 % has been seen).
        ("part1 naive --debug", {">::operator[](unsigned long)": (3, 90)}),
    ],
)
def test_shares(words, shares):
    part, name, *_ = words.split()
    if name == "blocked" and not [*TREE.glob(f"solutions/{part}_*/*_{name}.hpp")]:
        pytest.skip("this copy of the lab has no folder solutions/")
    out = lab("profile", *words.split())
    for function, (least, most) in shares.items():
        row = re.search(rf"^ *(\d+) % .*{re.escape(function)}", out, re.M)
        assert row and least <= int(row[1]) <= most, out
    whole = re.search(r"^The whole profile: (.*)$", out, re.M)
    assert whole and (TREE / whole[1]).read_text(encoding="utf-8").startswith("Flat profile"), out
