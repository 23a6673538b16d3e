"""What ./lab worksheet prints, and its file: what is wrong or empty, and nothing about a single choice."""

from dataclasses import replace
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from nbody_lab.tasks.sheet import (
    Detail,
    Line,
    Sheet,
    State,
    any_wrong,
    format_question,
    format_sheet,
    hide_choices,
    lines_of_question,
    numbers_changed,
    select_lines,
)


def _line(number: str, kind: str, state: str, **more: Any) -> Line:
    line = Line(number, "question", kind, "7" if state else "", State(state), name=f"it_{number}")
    return replace(line, **more)


def _sheet(*lines: Line, authors: str = "Ada Lovelace") -> Sheet:
    return Sheet(part="part1", authors=authors, lines=lines, hypothetical_machine="a machine")


_LINES = [
    _line("1", "recorded", "noted"),
    _line("3", "exact", "answered", is_count=True),
    _line("3", "exact", "wrong", is_sum=True, is_count=True, words="too many"),
    _line("4", "exact", "right"),
    _line("5", "exact", "waits", words="not judged yet: it depends on question 4"),
    _line("6", "exact", ""),
    _line("8", "choice", "right"),
    _line("8", "choice", "wrong"),
]
_LONG = "twice as many: does the code visit i with j and j with i, or each pair once?"


@pytest.mark.parametrize("detail", list(Detail))
def test_a_whole_sheet(detail: Detail, snapshot: SnapshotAssertion) -> None:
    """Every line, what is wrong and empty by number, how many choices are right, and what to ask next."""
    assert format_sheet(_sheet(*_LINES), detail) == snapshot


def test_the_lines_of_a_task(snapshot: SnapshotAssertion) -> None:
    """The questions asked for and what is wrong elsewhere; the rest is one line. A wrong choice draws no line."""
    shown = select_lines(_LINES, ["5", "6"])
    assert [line.number for line in shown] == ["3", "3", "5", "6"]
    assert format_sheet(_sheet(*_LINES), Detail.TOTAL, shown) == snapshot


def test_what_was_just_answered_is_named() -> None:
    """Another answer or a new one counts; the same, none, or a sheet that is not known do not."""
    before = _sheet(
        *(Line(n, "how many", answer=a) for n, a in (("1", "5"), ("2", "5"), ("3", "")))
    )
    answers = (("1", "5"), ("2", "6"), ("3", "7"), ("4", ""), ("5", "8"))
    now = _sheet(*(Line(n, "how many", answer=a) for n, a in answers))
    assert numbers_changed(before, now) == {"2", "3", "5"}
    assert numbers_changed(None, now) == set()


def test_an_empty_sheet(snapshot: SnapshotAssertion) -> None:
    """It has no lists of numbers, and names the members to fill in."""
    sheet = _sheet(_line("1", "exact", ""), _line("2", "choice", ""), authors="")
    assert format_sheet(sheet, Detail.TOTAL) == snapshot


@pytest.mark.parametrize(
    ("numbers", "text"),
    [("1 2 2 4", "1, 2, 4"), ("0 3 4 5 9a 10 11 12", "0, 3 to 5, 9a, 10 to 12"), ("7", "7")],
)
def test_numbers_of_questions(numbers: str, text: str) -> None:
    """Three in a row are a range."""
    sheet = _sheet(_line("0a", "exact", "right"), *(_line(n, "exact", "") for n in numbers.split()))
    assert f"; empty: {text}\n" in format_sheet(sheet, Detail.TOTAL)


def test_the_score_of_choices_appears_once_all_are_given() -> None:
    """A single letter could be found by trial."""
    lines = [_line("8", "choice", "right"), _line("10", "choice", "wrong")]
    text = format_sheet(_sheet(*lines, _line("11", "choice", "")), Detail.TOTAL)
    assert "choices: 2 of 3 given;" in text and "wrong" not in text
    assert not any_wrong(lines)
    text = format_sheet(_sheet(*lines, _line("11", "choice", "wrong")), Detail.TOTAL)
    assert "choices: 1 of 3 right;" in text and "wrong" not in text
    assert "wrong" not in hide_choices(_sheet(*lines)).model_dump_json()
    assert "wrong" in _sheet(*lines).model_dump_json()


def test_a_question_alone() -> None:
    """It says nothing of choices, since the number of right ones would reveal the answer."""
    text = format_question(lines_of_question(_sheet(*_LINES), "8"), Detail.TOTAL)
    assert "right" not in text and "wrong" not in text
    assert text.endswith("\n\n2 of 2 lines answered\n")


def test_a_long_verdict_goes_on_below() -> None:
    """Between words, within 100 columns."""
    name = "memops of mine_with_a_long_name_of_its_own, all"
    line = _line("13", "exact", "wrong", question=name, words=_LONG)
    rows = format_question([line], Detail.TOTAL).split("\n")
    assert max(map(len, rows)) <= 100
    assert " ".join(" ".join(rows).split()).count("pair once?") == 1


def test_the_file(snapshot: SnapshotAssertion) -> None:
    """Its keys are those of docs/file_formats.md, and it is UTF-8 whatever the names hold."""
    sheet = _sheet(*_LINES[:2], authors="Zo\udceb")
    assert hide_choices(sheet).model_dump_json(indent=2) == snapshot
