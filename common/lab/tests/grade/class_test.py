"""The data of the grader's own class: its contents, and that it is the same each time. Grades nothing."""

import os
import shutil
import stat
import subprocess
import sys

import pytest

from nbody_lab import ROOT
from tests.grade.class_suite import CHECKS, ROW, digest
from tests.grade.made_class.made_submissions import MADE
from tests.grade.made_class.make_class import make_class, rows_of_class, stored_names

ROWS = rows_of_class()
QUICK = [row for row in ROWS if row["quick"]]
STORED = [row for row in ROWS if row["name"] in stored_names()]
LARGEST_STORED = 16 << 10  # bytes per submission


def by_name(row):
    return row["name"]


def test_the_rows_of_the_class():
    """Each is stored or made, under a name of its own; a third, of both kinds, stands for all."""
    assert sorted(map(by_name, ROWS)) == sorted([*stored_names(), *MADE])
    for key in ("name", "entry"):
        assert len({row[key].casefold() for row in ROWS}) == len(ROWS)
    kinds, quick = ([row["kind"] for row in some] for some in (ROWS, QUICK))
    assert kinds.count("hostile") >= 30 and kinds.count("honest") >= 12
    assert set(kinds) == set(quick) == {"honest", "hostile"}
    assert 0.25 <= len(quick) / len(kinds) <= 0.4


@pytest.mark.parametrize("row", ROWS, ids=by_name)
def test_every_row_expects_something_that_is_known(row):
    assert row["expected"]
    assert set(row["expected"]) <= {*CHECKS, *ROW}
    assert row["expected"].get("check") in (None, "passed", "failed")
    assert row["tries"].startswith("Honest: ") == (row["kind"] == "honest")


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stored")
    make_class(folder, STORED)
    return folder


@pytest.fixture(scope="module")
def solutions():
    found = {path.read_bytes() for path in ROOT.glob("solutions/part1_standard_opti/*.hpp")}
    assert found
    return found


@pytest.mark.parametrize("row", STORED, ids=by_name)
def test_what_is_stored_is_small_and_plain_and_says_what_it_tries(stored, solutions, row):
    """None is a copy of a public solution."""
    files = [path for path in (stored / row["entry"]).rglob("*") if not path.is_dir()]
    assert all(stat.S_ISREG(path.lstat().st_mode) for path in files)
    code = [path for path in files if path.name != "worksheet.hpp"]
    assert sum(path.stat().st_size for path in code) < LARGEST_STORED
    assert not solutions & {path.read_bytes() for path in files}
    assert any(f"// {row['tries']}\n" in path.read_text(encoding="utf-8") for path in files)


def test_it_is_made_the_same_way_twice(tmp_path):
    out, digests = tmp_path / "class", set()
    for _ in range(2):
        make_class(out, ROWS)
        assert sorted(os.listdir(out)) == sorted(row["entry"] for row in ROWS)
        digests.add(digest(out.rglob("*")))
        shutil.rmtree(out)
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (["new", "--only", "locals", "folder_pipe"], 0, "2 submissions in new\n"),
        (["full"], 2, "error: full: not empty; name a new folder\n"),
        (["new", "--only", "nobody"], 2, "error: there is no nobody in expected.json\n"),
    ],
)
def test_the_command(tmp_path, words, status, told):
    (tmp_path / "full").mkdir()
    (tmp_path / "full/x").touch()
    argv = [sys.executable, "-m", "tests.grade.made_class.make_class", *words]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout + done.stderr) == (status, told)
    made = tmp_path / "new/folder_pipe/part1_standard_opti/mine.hpp"
    assert made.exists() == (status == 0)
