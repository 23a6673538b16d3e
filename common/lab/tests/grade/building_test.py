"""The lab as handed out, the tree of a submission over it, and what a build reports. The suite `grader` builds for real."""

import subprocess
from dataclasses import replace

import pytest

from nbody_lab.grade import building
from nbody_lab.grade.sandbox import Ended, Sandbox
from nbody_lab.grade.tree import Given, copy_given
from tests.grade.made_class.made_archives import write_files
from tests.grade.scored_for_tests import course_in

LOG = "FAILED: x.o \n/usr/bin/c++ -c x\npart1_words/mine.hpp:1:1: error: 'first' is missing\n"


@pytest.fixture
def job(tmp_path):
    """A part over a given lab that is built."""
    given = Given(tmp_path / "root", tmp_path / "given", {"part1": "part1_words"})
    part = ("naive.hpp", "mine.hpp", "worksheet.hpp")
    write_files(given.tree / "part1_words", dict.fromkeys(part, "given"))
    write_files(given.build, {"CMakeCache.txt": ""})
    job = building.Job(replace(course_in(tmp_path / "out"), given=given), "ada", "part1")
    job.fill({})
    return job


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


def test_flags_of_another_part_which_can_stop_cmake_stay_away(tmp_path, job):
    write_files(tmp_path, {"theirs": "theirs"})
    names = ("part1_words/mine.hpp", "part1_words/flags.txt", "part2_words/flags.txt")
    job.fill(dict.fromkeys(names, tmp_path / "theirs"))
    assert [(job.tree / name).exists() for name in names] == [True, True, False]
    assert job.bring_back("mine.hpp") and not job.bring_back("mine.hpp")


def test_rows_are_those_that_cmake_would_find(tmp_path):
    names = "mine mine_b mine_count mine_a.b mine-x other"
    write_files(tmp_path, {f"{name}.hpp": "" for name in names.split()})
    assert building.row_names(tmp_path) == ["mine", "mine_b"]


def test_includes_of_the_checker_are_for_a_person(job):
    code = '#include <vector>\n # include "core/reference.hpp"\n'
    write_files(job.tree / job.place, {"mine.hpp": code})
    (problem,) = building.find_foreign_includes(job)
    assert problem.text.startswith("part1_words/mine.hpp includes core/reference.hpp, which")


@pytest.mark.parametrize(
    ("log", "why", "told"),
    [
        (LOG, "", "'first' is missing"),
        ("", "cpu time", "building was stopped: too much cpu time"),
        ("", "memory", "building was stopped: too much memory"),
        ("", "wall time", TimeoutError),  # of a machine that is too busy
        ("", "full", OSError),
    ],
)
def test_what_is_not_the_students_fault_costs_no_points(job, monkeypatch, log, why, told):
    """The grader fails instead, and a person sees it."""
    monkeypatch.setattr(Sandbox, "run", lambda *_: Ended(1 if log else 137, why, log, ""))
    if why == "full":
        monkeypatch.setattr("nbody_lab.grade.course.LEAST_FREE", 1 << 62)
    write_files(job.tree / job.place, {"mine.hpp": "x", "mine_b.hpp": "x"})
    if isinstance(told, str):
        rows, _ = building.build(job)
        assert [(row.name, row.built) for row in rows] == [("mine", False), ("mine_b", False)]
        assert told in rows[0].build_problem
        assert job.programs.is_dir() and job.program("mine") is None
    else:
        with pytest.raises(told, match="make room" if why == "full" else "too busy to build"):
            building.build(job)


@pytest.mark.parametrize("file", ["worksheet.hpp", "flags.txt"])
def test_a_worksheet_or_flags_that_are_bad_cost_nothing_else(job, monkeypatch, file):
    """The given file takes their place: a worksheet is part of every program, and bad flags stop CMake."""
    broken, built = job.tree / job.place / file, []
    write_files(job.given.tree / job.place, {file: "given"})
    write_files(broken.parent, {file: "broken", "mine.hpp": "x"})

    def run(_, argv):
        built.append((argv[-1].rpartition("_")[2], broken.read_text()))
        if built[-1][1] == "given":
            is_row = built[-1][0] != "program"
            write_files(job.build, {f"bin/part1/{'mine' if is_row else 'worksheet_answers'}": ""})
            return Ended(0, "", "", "")
        log = "/a/worksheet.hpp:23:5: warning: w\n/a/worksheet.hpp:25:27: error: expected ';'\n"
        return Ended(1, "", log if file == "worksheet.hpp" else building._NOT_CONFIGURED, "")

    monkeypatch.setattr(Sandbox, "run", run)
    (row,), problems = building.build(job)
    kinds = ("program", "double" if file == "worksheet.hpp" else "program")
    assert built == list(zip(kinds, ("broken", "given")))
    assert row.built == (file == "worksheet.hpp")
    why = "part1: worksheet.hpp does not compile: line 25: expected ';'"
    assert [one.text for one in problems] == [why] * row.built
