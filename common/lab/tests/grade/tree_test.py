"""The lab as handed out, and the tree of a submission over it. The suite `grader` builds for real."""

import subprocess

import pytest

from nbody_lab.grade.tree import Box, Given, copy_given
from tests.grade.made_class.made_archives import write_files


@pytest.fixture
def given(tmp_path) -> Given:
    files = {"naive.hpp": "naive", "mine.hpp": "given"}
    write_files(tmp_path / "given/part1_words", files)
    write_files(tmp_path / "given", {"common/check.hpp": "check"})
    built = ("build.ninja", "bin/part1/mine", "part1_words/part1_mine.dir/mine.o", "common/a.o")
    write_files(tmp_path / "given/build/release", dict.fromkeys(built, "x"))
    write_files(tmp_path / "given/build/release", {"common/libmany.a": "x" * 200_000})
    return Given(tmp_path / "root", tmp_path / "given", {"part1": "part1_words"})


@pytest.mark.parametrize("handout", [False, True], ids=["git", "handout"])
def test_changes_in_an_instructors_copy_do_not_count_as_given(tmp_path, handout):
    root, names = tmp_path / "root", ("mine.hpp", "naive.hpp")
    for folder in (root, root / "common/given") if handout else (root,):
        write_files(folder / "part1_words", {name: f"given {name}" for name in names})
    if not handout:
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        for argv in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "given"]):
            subprocess.run(["git", "-C", str(root), *argv], check=True)
    write_files(root / "part1_words", dict.fromkeys([*names, "mine_2.hpp"], "changed"))
    copy_given(root, tmp_path / "given")
    copied = (tmp_path / "given/part1_words").iterdir()
    assert {file.name: file.read_text() for file in copied} == {
        name: f"given {name}" for name in names
    }


def test_files_lie_over_the_given_ones_which_stay(tmp_path, given):
    """And nothing is there that was built of the given mine.hpp."""
    write_files(tmp_path, {"theirs.hpp": "theirs"})
    box = Box(tmp_path / "box", given, "part1")
    box.fill({"part1_words/mine.hpp": tmp_path / "theirs.hpp"})
    mine = box.tree / "part1_words/mine.hpp"
    assert (mine.read_text(), (box.tree / "part1_words/naive.hpp").read_text()) == (
        *("theirs", "naive"),
    )
    assert (box.tree / "common/check.hpp").read_text() == "check"
    built = {str(file.relative_to(box.build)) for file in box.build.rglob("*.*")}
    assert {"build.ninja", "common/a.o", "common/libmany.a"} <= built
    assert "part1_words/part1_mine.dir/mine.o" not in built and not [*(box.build / "bin").iterdir()]
    assert str((box.build / "common/libmany.a").readlink()).endswith("_build/common/libmany.a")
    assert [box.bring_back("mine.hpp") for _ in range(2)] == [True, False]
    assert mine.read_text() == (given.tree / "part1_words/mine.hpp").read_text() == "given"


def test_only_the_programs_are_kept(tmp_path, given):
    box = Box(tmp_path / "box", given, "part1")
    write_files(box.build, {"bin/part1/mine": "x", "a.o": "x"})
    box.keep_programs()
    assert [file for file in box.folder.rglob("*") if file.is_file()] == [box.program("mine")]
    assert box.program("mine_b") is None
