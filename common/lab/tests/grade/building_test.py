"""What a build reports, row by row. The suite `grader` builds for real."""

import pytest

from nbody_lab.grade import building
from nbody_lab.grade.course import Allowance
from nbody_lab.grade.sandbox import Ended, Sandbox
from nbody_lab.grade.tree import Box, Given
from tests.grade.made_class.made_archives import write_files

FAILED = "FAILED: [code=1] part1_words/CMakeFiles/part1_{}.dir/{}.cpp.o \n/usr/bin/c++ -c x\n"
FIRST = FAILED.format("mine", "mine") + "part1_words/mine.hpp:1:1: error: 'first' is missing\n"
SECOND = FAILED.format("mine_b_double", "x") + "cc1plus: out of memory allocating 64 bytes\n"
THIRD = "FAILED: bin/part1/mine_c \n: && /usr/bin/c++ -o x\nld: undefined reference to 'third'\n"
LOG = f"[1/9] Building\n{FIRST}[2/9] Building\n{SECOND}{THIRD}ninja: build stopped\n"


def box_with(folder, **files):
    """A box whose part has these headers."""
    given = Given(folder, folder / "given", {"part1": "part1_words"})
    write_files(given.build, {"build.ninja": ""})
    write_files(given.tree / "part1_words", {"naive.hpp": "", "worksheet.hpp": "given"})
    box = Box(folder / "box", given, "part1")
    box.fill({})
    headers = {f"{name}.hpp": text for name, text in files.items()}
    write_files(box.tree / box.name, headers)
    (box.build / "bin").mkdir()
    return box


@pytest.mark.parametrize(
    ("name", "block"),
    [("mine", FIRST), ("mine_b", SECOND), ("mine_c", THIRD), ("mine_d", "")],
)
def test_each_row_has_its_own_errors(name, block):
    assert building.blocks_of_row(LOG, "part1", name) == block


def test_rows_are_those_that_cmake_would_find(tmp_path):
    names = "mine mine_b mine_count mine_a.b mine-x other"
    write_files(tmp_path, {f"{name}.hpp": "" for name in names.split()})
    assert building.row_names(tmp_path) == ["mine", "mine_b"]


def test_includes_of_the_checker_are_for_a_person(tmp_path):
    box = box_with(tmp_path, mine='#include <vector>\n # include "core/reference.hpp"\n')
    (problem,) = building.find_foreign_includes(box)
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
def test_what_is_not_the_students_fault_costs_no_points(tmp_path, monkeypatch, log, why, told):
    """The grader fails instead, and a person sees it."""
    monkeypatch.setattr(Sandbox, "run", lambda *_: Ended(1 if log else 137, why, log, ""))
    if why == "full":
        monkeypatch.setattr("nbody_lab.grade.course.LEAST_FREE", 1 << 62)
    job = building.Job(None, box_with(tmp_path, mine="x", mine_b="x"), Allowance(1))
    if isinstance(told, str):
        rows, _ = building.build(job)
        assert [(row.name, row.built) for row in rows] == [("mine", False), ("mine_b", False)]
        assert told in rows[0].build_problem
    else:
        with pytest.raises(told, match="make room" if why == "full" else "too busy to build"):
            building.build(job)


def test_a_worksheet_that_does_not_compile_costs_no_code(tmp_path, monkeypatch):
    """It is part of every program: the given one takes its place."""
    box, built = box_with(tmp_path, mine="x", worksheet="broken"), []

    def run(_, argv):
        built.append((box.tree / box.name / "worksheet.hpp").read_text())
        if built[-1] == "given":
            write_files(box.build, {"bin/part1/mine": ""})
            return Ended(0, "", "", "")
        log = "/a/worksheet.hpp:23:5: warning: w\n/a/worksheet.hpp:25:27: error: expected ';'\n"
        return Ended(1, "", log, "")

    monkeypatch.setattr(Sandbox, "run", run)
    rows, problems = building.build(building.Job(None, box, Allowance(1)))
    assert built == ["broken", "given"] and rows[0].built
    why = "part1: worksheet.hpp does not compile: line 25: expected ';'"
    assert [one.text for one in problems] == [why]
