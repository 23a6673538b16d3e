"""What becomes of versions in a clean copy, with a lab that builds nothing: what is missing here is told apart from what is
wrong."""

import json

import pytest

from nbody_lab.handout import submit
from nbody_lab.handout.clean_copy import CleanCopy, Outcome
from nbody_lab.handout.submission import Submission, Version

ROW = {"part": "part1", "name": "mine", "kind": "mine"}
MANIFEST = json.dumps({"version": 2, "parts": [], "implementations": [ROW]})
# Says that it is not built here, which its manifest knows better.
LAB = f"""#!/bin/sh
mkdir -p build/release && echo '{MANIFEST}' > build/release/manifest.json
echo "building $2 ... 3/4"; echo "$2/$3: error: is not built here"
ls *_words
test "$3" = mine_right
"""


@pytest.fixture
def root(tmp_path, monkeypatch):
    (tmp_path / "lab").write_text(LAB)
    (tmp_path / "lab").chmod(0o755)
    for part in ("part1_words", "part2_words"):
        (tmp_path / part).mkdir()
        for name in ("CMakeLists.txt", "mine.hpp", "notes.txt", "mine_old.hpp"):
            (tmp_path / part / name).write_text("here")
    monkeypatch.setattr(submit, "ROOT", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("part", "name", "outcome"),
    [
        ("part1", "mine_right", Outcome.BUILDS),
        ("part1", "mine_wrong", Outcome.FAILS),
        ("part2", "mine", Outcome.FAILS),
        ("part3", "mine", Outcome.NO_COMPILER),
        ("part4", "mine", Outcome.NO_COMPILER),
    ],
)
def test_outcomes(part, name, outcome, root):
    assert CleanCopy(root, {}).build(part, name) is outcome


def test_the_copy_holds_what_is_handed_in_and_nothing_else_of_the_student(root):
    """Of a part that was not begun it holds all, since CMake needs that."""
    copy = CleanCopy(root, {"part1_words/mine.hpp": b"handed in"})
    copied = {
        str(file.relative_to(copy.tree)): file.read_text() for file in copy.tree.glob("part*/*")
    }
    theirs = {f"part2_words/{name}": "here" for name in ("mine.hpp", "mine_old.hpp")}
    of_lab = {
        f"{part}_words/{name}": "here"
        for part in ("part1", "part2")
        for name in ("CMakeLists.txt", "notes.txt")
    }
    assert copied == {**theirs, **of_lab, "part1_words/mine.hpp": "handed in"}


def test_what_cannot_be_built_here_is_handed_in_all_the_same(root, capsys):
    versions = [Version("part3", "mine", True), Version("part4", "mine", True)]
    submit._require_builds(Submission(versions=versions))
    output, error = capsys.readouterr()
    assert output == ""
    for what in (
        "part3/mine could not be test-built: a CUDA compiler was not found (./lab setup --cuda)",
        "part4/mine could not be test-built: an MPI library was not found (./lab setup --mpi)",
    ):
        assert what in error
    assert "which is kept: the first time takes longest\n" in error


def test_every_version_that_does_not_build_is_named_with_its_error(root, capsys):
    names = ("mine_one", "mine_right", "mine_two")
    versions = [Version("part1", name, False) for name in names]
    with pytest.raises(SystemExit):
        submit._require_builds(Submission(versions=versions))
    output, error = capsys.readouterr()
    assert "3 versions to build in a clean copy of the lab" in error
    assert "building part1/mine_right in a clean copy of the lab ... 0 s" in error
    for name in names:
        wrong = name != "mine_right"
        failed = f"part1/{name} does not build in a clean copy, so nothing was written" in error
        assert (failed, f"part1/{name}: error" in output) == (wrong, wrong)
