"""What ./lab worksheet prints, and its file."""

from dataclasses import replace
from typing import Any

import pytest

from nbody_lab.tasks.sheet import Line, Sheet, State, format_question, format_sheet, select_lines


def _line(number: str, state: str, **more: Any) -> Line:
    line = Line(
        number, "question", "exact", "7" if state else "", State(state), name=f"it_{number}"
    )
    return replace(line, **more)


def _sheet(*lines: Line, **more: Any) -> Sheet:
    machine = "a machine"
    return Sheet(
        **{"part": "part1", "authors": "Ada", "lines": lines, **more}, hypothetical_machine=machine
    )


_LINES = [
    _line("1", "noted", kind="recorded"),
    _line("3", "answered"),
    _line("3", "wrong", is_sum=True, words="too many"),
    _line("4", "right"),
    _line("5", "waits", words="not judged yet: it depends on question 4"),
    _line("6", ""),
]


def test_a_whole_sheet() -> None:
    """Every line, what is wrong and empty by number, the score of choices, and what to ask next."""
    assert (
        format_sheet(_sheet(*_LINES, score_of_choices="choices: 1 of 2 right"), _LINES)
        == """worksheet of part1
hypothetical machine of Ada: a machine

  no  question  kind      answer  verdict
  --  --------  --------  ------  -----------------------------------------------
   1  question  recorded       7  noted
   3  question  exact          7  answered
      question  exact          7  wrong: too many
   4  question  exact          7  right
   5  question  exact          7  waits: not judged yet: it depends on question 4
   6  question  exact             empty: it_6

4 of 5 lines answered; wrong: 3; empty: 6; waiting: 5
choices: 1 of 2 right
a count is wrong; look again, then --which tells which class
"""
    )


def test_the_lines_of_a_task() -> None:
    """The questions asked for and what is wrong elsewhere, as a letter that is no choice; the rest is one line."""
    letter = _line("8", "", kind="choice", answer="X", words="the choices are")
    shown = select_lines([*_LINES, letter], ["5", "6"])
    assert [line.number for line in shown] == ["3", "3", "5", "6", "8"]
    assert "\n2 more lines: ./lab worksheet part1 --all\n\n" in format_sheet(
        _sheet(*_LINES, letter), shown
    )


def test_an_empty_sheet() -> None:
    """It has no lists of numbers, and names the members to fill in."""
    lines = [_line("1", ""), _line("2", "", kind="choice")]
    text = format_sheet(_sheet(*lines, authors=""), lines)
    assert "hypothetical machine: write your names into worksheet.hpp first\n" in text
    assert "empty: it_1" in text and text.endswith("\n\n0 of 2 lines answered\n")


@pytest.mark.parametrize(
    ("numbers", "text"),
    [("1 2 2 4", "1, 2, 4"), ("0 3 4 5 9a 10 11 12", "0, 3 to 5, 9a, 10 to 12"), ("7", "7")],
)
def test_numbers_of_questions(numbers: str, text: str) -> None:
    """Three in a row are a range."""
    lines = [_line("0a", "right"), *(_line(number, "") for number in numbers.split())]
    assert f"; empty: {text}\n" in format_sheet(_sheet(*lines), lines)


def test_a_long_verdict_goes_on_below() -> None:
    """Between words, within 100 columns."""
    words = "twice as many: does the code visit i with j and j with i, or each pair once?"
    line = _line("13", "wrong", question="memops of mine_with_a_long_name_of_its_own", words=words)
    text = format_question([line])
    assert max(map(len, text.split("\n"))) <= 100
    assert " ".join(text.split()).count("pair once?") == 1
    assert text.endswith("\n\n1 of 1 line answered; wrong: 13\n")


def test_the_file() -> None:
    """Its keys are those of docs/fields.md."""
    assert _sheet(_LINES[0], score_of_choices="x").model_dump(mode="json") == {
        "part": "part1",
        "authors": "Ada",
        "lines": [
            {
                "number": "1",
                "question": "question",
                "kind": "recorded",
                "answer": "7",
                "state": "noted",
                "words": "",
                "points": 1.0,
                "is_sum": False,
            }
        ],
    }
