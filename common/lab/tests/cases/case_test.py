"""Does ./lab case list, open and judge the cases, and remember which are solved?"""

import datetime
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nbody_lab.cases import catalogue
from nbody_lab.cases.catalogue import read_cases, record_solved, solved_file
from nbody_lab.commands import case as command

FIRST, LAST = read_cases()[0], read_cases()[-1]
A_DAY = datetime.date(2026, 3, 14)


@pytest.fixture(name="root", autouse=True)
def _root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nothing_is_built: None) -> Path:
    """Another root of the lab, without a solved case; nothing is built there."""
    monkeypatch.setattr(command, "ROOT", tmp_path)
    return tmp_path


def answer(case: catalogue.NumberedCase) -> list[object]:
    return [case.number, "--cause", case.facts.cause, "--line", case.lines[0]]


def test_the_list(run_lab: Callable[..., Any], root: Path, snapshot: Any):
    """With the day of each that is solved, and the next open one."""
    record_solved(root, 1, A_DAY)
    record_solved(root, 3, A_DAY)
    ended = run_lab("case")
    assert ended.status == 0
    assert ended.output == snapshot


def test_opening(run_lab: Callable[..., Any], root: Path, snapshot: Any):
    """The symptom, the source with its lines, the causes; the source also as a file. Nothing is solved by that."""
    ended = run_lab("case", "1")
    assert ended.status == 0
    assert ended.output == snapshot
    assert (root / "build/cases/case_1.hpp").read_text(encoding="utf-8") == FIRST.source
    assert not solved_file(root).exists()


def test_a_right_answer(run_lab: Callable[..., Any], root: Path, snapshot: Any):
    """The lesson; and the case stays solved when build/ is deleted."""
    ended = run_lab("case", *answer(FIRST))
    assert ended.status == 0
    assert ended.output == snapshot
    assert "build" not in solved_file(root).relative_to(root).parts
    assert list(catalogue.read_solved(root).solved) == [1]


def test_solving_again_keeps_the_day_and_the_last_one_is_the_last(
    run_lab: Callable[..., Any], root: Path
):
    for case in read_cases()[:-1]:
        record_solved(root, case.number, A_DAY)
    assert run_lab("case", *answer(FIRST)).status == 0
    assert set(catalogue.read_solved(root).solved.values()) == {A_DAY}
    assert run_lab("case", *answer(LAST)).output.endswith("All are solved.\n")


@pytest.mark.parametrize(
    ("cause", "line", "words"),
    [
        (FIRST.facts.cause, 1, "it lies in another line"),
        (1, FIRST.lines[0], "That is the line, but"),
        (1, 1, "Not yet. Then bodies of the same mass"),
    ],
)
def test_a_nudge(run_lab: Callable[..., Any], root: Path, cause: int, line: int, words: str):
    """With status 1; it is not solved."""
    ended = run_lab("case", "1", "--cause", cause, "--line", line)
    assert ended.status == 1
    assert words in ended.output
    assert not solved_file(root).exists()


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["11"], r"\[N\] needs at most 10"),
        (["x"], r"\[N\] "),
        (["1", "--cause", "2"], "add --line L"),
        (["1", "--line", "2"], "add --cause K"),
        (["--cause", "2"], "which case"),
        (["1", "--cause", "7", "--line", "3"], "causes 1 to 6, and no 7"),
        (["1", "--cause", "2", "--line", "3000"], "and no 3000"),
        (["1", "--cause", "2", "--line", "0"], "--line needs at least 1"),
    ],
)
def test_refused(refusal_of: Callable[..., str], words: list[str], error: str):
    assert re.search(error, refusal_of("case", *words))


def test_a_damaged_state(refusal_of: Callable[..., str], root: Path):
    """Says how to begin anew."""
    solved_file(root).parent.mkdir(parents=True)
    solved_file(root).write_text('{"solved": {"one": 1}}', encoding="utf-8")
    assert re.search("solved_cases.json.*; delete the file to begin anew", refusal_of("case"))
