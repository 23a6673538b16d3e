"""What ./lab worksheet prints."""

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from nbody_lab import ROOT
from nbody_lab.building.lab import Lab
from nbody_lab.commands import worksheet
from nbody_lab.tasks.evidence import Counts, Evidence
from nbody_lab.tasks.program import Answers
from nbody_lab.tasks.questions import load_questions
from nbody_lab.tasks.sheet import Line, Sheet, State, format_sheet, select_lines


def _line(number: str, state: str, **more: Any) -> Line:
    told = {"kind": "exact", "answer": "7" if state else "", "name": f"it_{number}", **more}
    return Line(number, "question", state=State(state), **told)


LINES = (
    _line("1", "noted", kind="recorded"),
    _line("3", "answered"),
    _line("3", "wrong", is_sum=True, words="too many"),
    _line("4", "right"),
    _line("5", "waits", words="not judged yet: it depends on question 4"),
    _line("6", ""),
    _line("8", "", kind="choice", answer="X", words="the choices are"),
)


def test_the_lines_of_a_task() -> None:
    """The questions asked for and what is wrong elsewhere, as a letter that is no choice; what is wrong and empty by
    number, and what to ask next."""
    sheet = Sheet(
        part="part1",
        authors="Ada",
        lines=LINES,
        hypothetical_machine="a machine",
    )
    assert (
        format_sheet(sheet, select_lines(LINES, ["5", "6"]))
        == """worksheet of part1
hypothetical machine of Ada: a machine

  no  question  kind    answer  verdict
  --  --------  ------  ------  -----------------------------------------------
   3  question  exact        7  answered
      question  exact        7  wrong: too many
   5  question  exact        7  waits: not judged yet: it depends on question 4
   6  question  exact           empty: it_6
   8  question  choice       X  the choices are
2 more lines: ./lab worksheet part1 --all

4 of 6 lines answered; wrong: 3; empty: 6, 8; waiting: 5
a count is wrong; look again, then --which tells which class
"""
    )


def test_an_empty_sheet() -> None:
    """It has no lists of numbers, and names the members to fill in."""
    lines = (_line("1", ""), _line("2", "", kind="choice"))
    text = format_sheet(Sheet(part="part1", authors="", lines=lines), lines)
    assert "hypothetical machine: write your names into worksheet.hpp first\n" in text
    assert "empty: it_1" in text and text.endswith("\n\n0 of 2 lines answered\n")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mine_fuse", "worksheet.hpp: part1 has no version 'mine_fuse'; did you mean mine_fused?"),
        ("mine_fused", ""),
        ("", ""),
    ],
)
def test_a_version_that_is_not_there(
    name: str, said: str, monkeypatch: pytest.MonkeyPatch, run_lab: Callable[..., Any]
) -> None:
    """An answer may name one that is misspelt, or none yet."""
    part = load_questions(ROOT / "part1_standard_opti")
    names, texts = part.answer_names(), dict.fromkeys(["authors", *part.names], "")
    answers = Answers(dict.fromkeys(names, math.nan), dict.fromkeys(names, " "), texts)
    answers.texts["before_third_law"] = name
    evidence = Evidence((answers, answers), Counts(ROOT / "nowhere"))
    monkeypatch.setattr(Lab, "begin", lambda _: None)
    monkeypatch.setattr(Lab, "known", lambda _: SimpleNamespace(gpu_only=()))
    monkeypatch.setattr(Lab, "names", lambda *_: ["naive", "mine_fused"])
    monkeypatch.setattr(worksheet, "build_worksheet", lambda _: (part, evidence))
    monkeypatch.setattr(worksheet, "count_to_file", lambda *_: "")
    assert run_lab("worksheet", "part1").error == (f"lab: {said}\n" if said else "")
