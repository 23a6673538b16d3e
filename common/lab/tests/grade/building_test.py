"""What a build reports in plain words, and the folder of a submission. The suite `grader` builds for real."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from nbody_lab.check.result import Case
from nbody_lab.grade import building
from nbody_lab.grade.contained import Ended
from nbody_lab.grade.judging import format_flops, striking
from nbody_lab.grade.limits import Allowance
from nbody_lab.grade.pristine import (
    INSIDE,
    Box,
    Pristine,
    copy_given,
    read_written,
    row_names,
)
from nbody_lab.measure.count_file import Polynomial
from tests.grade.made_class.made_archives import write_files

Put = Callable[..., Path]


@pytest.fixture
def put(tmp_path) -> Put:
    def put(name: str, content: str = "") -> Path:
        write_files(tmp_path, {name: content})
        return tmp_path / name

    return put


@pytest.fixture
def pristine(put, tmp_path) -> Pristine:
    put("pristine/part1_words/naive.hpp", "naive")
    put("pristine/part1_words/mine.hpp", "given")
    put("pristine/common/check.hpp", "check")
    return Pristine(tmp_path / "root", tmp_path / "pristine", {"part1": "part1_words"})


@pytest.fixture
def filled(tmp_path, pristine, put) -> Callable[..., Box]:
    """A box whose mine.hpp has this text."""

    def filled(mine: str | None = None) -> Box:
        box = Box(tmp_path / "box", pristine)
        files = {"part1_words/mine.hpp": put("theirs.hpp", mine)} if mine else {}
        box.fill(files)
        return box

    return filled


@pytest.mark.parametrize("handout", [False, True], ids=["git", "handout"])
def test_changes_in_an_instructors_copy_do_not_count_as_given(put, tmp_path, handout):
    root, names = tmp_path / "root", ("mine.hpp", "naive.hpp")
    for folder in ("root", "root/common/given") if handout else ("root",):
        for name in names:
            put(f"{folder}/part1_words/{name}", f"given {name}")
    if not handout:
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        for argv in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "given"]):
            subprocess.run(["git", "-C", str(root), *argv], check=True)
    for name in (*names, "mine_2.hpp"):
        put(f"root/part1_words/{name}", "changed")
    copy_given(root, tmp_path / "pristine")
    copied = (tmp_path / "pristine/part1_words").iterdir()
    assert {file.name: file.read_text() for file in copied} == {
        name: f"given {name}" for name in names
    }


# --- the box ---


def test_files_lie_over_the_given_ones_which_stay(filled, pristine):
    """And a file is brought back once."""
    box = filled("theirs")
    mine, naive = (box.tree / "part1_words" / name for name in ("mine.hpp", "naive.hpp"))
    assert (mine.read_text(), naive.read_text()) == ("theirs", "naive")
    assert (pristine.tree / "part1_words/mine.hpp").read_text() == "given"
    assert [box.bring_back("part1", "mine.hpp") for _ in range(2)] == [True, False]
    assert mine.read_text() == "given"


def test_the_build_is_copied_without_what_was_built_of_mine(put, filled):
    built_of_mine = "part1_words/CMakeFiles/part1_mine.dir/mine.cpp.o"
    for name in ("build.ninja", "bin/part1/mine", built_of_mine, "common/a.o"):
        put(f"pristine/build/release/{name}", "x")
    put("pristine/build/release/common/libmany.a", "x" * 200_000)
    box = filled()
    assert (box.build / "build.ninja").is_file()
    assert str((box.build / "common/libmany.a").readlink()) == f"{INSIDE}/common/libmany.a"
    assert list((box.build / "bin").iterdir()) == []
    assert not (box.build / built_of_mine).exists()


def test_only_the_programs_are_kept(tmp_path, pristine):
    box = Box(tmp_path / "box", pristine)
    program = box.program("part1", "mine")
    for file in (program, box.build / "a.o", box.build / "common/b.o", box.tree / "part1/mine.hpp"):
        write_files(file.parent, {file.name: "x"})
    (box.build / "link").symlink_to(tmp_path)
    box.keep_programs()
    assert [file for file in box.folder.rglob("*") if not file.is_dir()] == [program]
    assert pristine.tree.is_dir()


def test_rows_are_those_that_cmake_would_find(put, tmp_path):
    names = "mine mine_b mine_count mine_a.b mine-x other"
    for name in names.split():
        put(f"part/{name}.hpp")
    assert row_names(tmp_path / "part") == (["mine", "mine_b"], [])


def test_includes_of_the_checker_are_for_a_person(filled):
    box = filled('#include <vector>\n # include "core/reference.hpp"\n#include "naive.hpp"\n')
    (problem,) = building.find_foreign_includes(box, "part1")
    assert problem.text == (
        "part1_words/mine.hpp includes core/reference.hpp, which belongs to the checker: a person should look"
    )


def test_only_a_plain_file_of_a_program_is_read(put, tmp_path):
    (tmp_path / "link").symlink_to(put("plain", "text"))
    found = [read_written(tmp_path / name) for name in ("plain", "link", "none", ".")]
    assert found == ["text", None, None, None]


# --- Ninja's log ---

FAILED = "FAILED: [code=1] part1_words/CMakeFiles/part1_{}.dir/{}.cpp.o \n/usr/bin/c++ -c x\n"
FIRST = (
    FAILED.format("mine", "mine") + "part1_words/mine.hpp:1:1: error: 'first' was not declared\n"
)
SECOND = FAILED.format("mine_b_double", "x") + "cc1plus: out of memory allocating 64 bytes\n"
THIRD = "FAILED: bin/part1/mine_c \n: && /usr/bin/c++ -o x\nld: undefined reference to 'third'\n"
LOG = f"[1/9] Building\n{FIRST}[2/9] Building\n{SECOND}{THIRD}ninja: build stopped\n"


@pytest.mark.parametrize(
    ("name", "block"),
    [("mine", FIRST), ("mine_b", SECOND), ("mine_c", THIRD), ("mine_d", "")],
)
def test_each_row_has_its_own_errors(name, block):
    assert building.blocks_of_row(LOG, "part1", name) == block


MEMORY = "building was stopped: too much memory"
FULL = "the disk is full"
# line of a log: what it says, or None if it is an error of the code
LINES = {
    "cc1plus: out of memory allocating 65536 bytes": MEMORY,
    "c++: fatal error: Killed signal terminated program cc1plus": MEMORY,
    "virtual memory exhausted: Cannot allocate memory": MEMORY,
    "/tmp/x.s: Assembler messages:\n/tmp/x.s:9: Error: file not found: /etc/shadow": (
        "the assembler refuses it: file not found: /etc/shadow"
    ),
    "{standard input}: Assembler messages:\n{standard input}:3: Error: no such instruction: `jmpq'": (
        "the assembler refuses it: no such instruction: `jmpq'"
    ),
    "/usr/bin/ld: final link failed: No space left on device": FULL,
    "mine.cpp:1: fatal error: error writing to mine.d: No space left on device": FULL,
    "x.s: Fatal error: can't close x.o: 'No space left on device'": FULL,
    "fatal error: error writing to /tmp/ccX.s: No space left on device": None,
    "mine.hpp:3:2: error: #error Killed while out of memory": None,
    "    3 | #error out of memory": None,
    "mine.hpp:3:2: error: #error No space left on device": None,
    "    3 | #error No space left on device": None,
    "mine.hpp:3:2: error: expected ';'": None,
}


@pytest.mark.parametrize("line", LINES)
def test_what_stopped_a_tool_is_told_from_code_that_speaks_of_it(line):
    log = f"{FAILED}In file included from x:\n{line}\nninja: stopped\n"
    stopped = FULL if building.says_disk_is_full(log) else building.why_stopped(log)
    assert stopped == LINES[line]


class _Sandbox:
    """Ends each build like this."""

    def __init__(self, log: str, why: str = "") -> None:
        self.ended = Ended(1, why, log.encode(), b"")

    def run(self, *_: object, **__: object) -> Ended:
        return self.ended


@pytest.mark.parametrize(
    ("log", "why", "fault"),
    [
        ("ld: final link failed: No space left on device", "", "disk was full"),
        ("", "wall time", "too busy to build"),
        ("", "cpu time", None),
        ("mine.hpp:1:1: error: x", "", None),
    ],
)
def test_what_is_not_the_students_fault_costs_no_points(filled, log, why, fault):
    """The grader fails instead, and a person sees it."""
    job = building.Job(None, filled("x"), _Sandbox(log, why), Allowance(None, 100), "part1")
    if fault:
        with pytest.raises(OSError, match=fault):
            building.build(job)
    else:
        rows, _ = building.build(job)
        assert [(row.name, row.built) for row in rows] == [("mine", False)]
        assert rows[0].build_problem


def test_the_first_error_of_a_worksheet():
    log = (
        "[1/2] x\n/a/worksheet.hpp:23:5: warning: w\n/a/worksheet.hpp:25:27: error: expected ';'\n"
    )
    assert building._first_worksheet_error(log) == "line 25: expected ';'"
    assert building._first_worksheet_error("killed") is None


# --- the check and the counts ---


def test_each_kind_of_failure_once_the_first_of_it():
    kinds = (
        ("forces", 3, "lost_pair"),
        ("forces", 7, "lost_pair"),
        ("forces", 8, "order"),
        ("steps", 9, "order"),
    )
    cases = [
        Case(group=group, n=n, verdict="failed", mistake=mistake, diagnosis=f"of {n} bodies")
        for group, n, mistake in kinds
    ]
    assert [case.n for case in striking(cases)] == [3, 8, 9]


@pytest.mark.parametrize(
    ("counted", "text"),
    [
        ({"n2": 54, "n": -54, "1": 0, "over": 2}, "27 n^2 - 27 n"),
        ({"n2": 0, "n": 0, "1": 0, "over": 1}, "0"),
        ({}, ""),
    ],
)
def test_flops_as_one_writes_them(counted, text):
    assert format_flops(counted and {"flops": Polynomial(**counted)}) == text
