"""The program of a worksheet: a right one, and ones that try to fool or stop the judge.

One is built with common/worksheet/test_sheets/worksheet.hpp; the variable SHEET selects the sheet
"""

import fcntl
import math
import time
from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.tasks.counting import load_worksheet
from nbody_lab.tasks.judge import judge_sheet, reason_to_hide_counts
from nbody_lab.tasks.program import NoAnswers, ask, parse_answers
from tests import BUILD

_SHEETS = ROOT / "common/worksheet/test_sheets"
_PROGRAM = BUILD / "tests/worksheet_test_sheet"
_NEEDS_PROGRAM = pytest.mark.skipif(
    not _PROGRAM.exists(), reason="the program with the test sheet is not built"
)
_BEGIN, _END = "the answers of a worksheet:\n", "all of them\n"
_HIDDEN = (
    "count by hand first: the numbers appear once question 1 of worksheet.hpp is right "
    "(./lab worksheet part0)"
)


def _script(folder: Path, text: str) -> Path:
    file = folder / "program"
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def _becomes_free(lock: Path) -> bool:
    """Waits for a lock: a killed process holds its locks until the system has cleaned up."""
    with open(lock, "r+", encoding="utf-8") as file:
        for _ in range(500):
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
            except OSError:
                time.sleep(0.01)
    return False


def _refused(program: Path, seconds: float = 30.0) -> str:
    with pytest.raises(LabError) as error:
        ask(program, seconds)
    assert "\n" not in str(error.value)
    return str(error.value).removeprefix("worksheet.hpp: ")


def test_answers_of_the_program() -> None:
    """Whatever else it prints around them."""
    first, second = parse_answers(
        f"said before\n{_BEGIN}0 number third 0.33333333333333331\n0 number none nan\n"
        f"0 number many inf\n1 letter it 32\n1 text words two words \n0 text empty \n{_END}and after".encode()
    )
    assert first.number("third") == 1 / 3 and first.text("empty") == ""
    assert math.isnan(first.number("none")) and math.isinf(first.number("many"))
    assert (second.letter("it"), second.text("words")) == (" ", "two words ")


@pytest.mark.parametrize("line", ["2 number a 1", "0 number a x", "0 list a 1", "0 letter a", "x"])
def test_no_answers(line: str) -> None:
    """What the program did not write, or did not finish, is refused."""
    for text in (f"{_BEGIN}{line}\n{_END}", _BEGIN + _END[:-2]):
        with pytest.raises(NoAnswers):
            parse_answers(text.encode())


@pytest.mark.parametrize(("seven", "state"), [("7", "right"), ("8", "wrong"), ("nan", "")])
def test_a_sheet_is_judged(
    seven: str, state: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the student's code printed is passed on; counts stay hidden until the question is right."""
    answers = "".join(f"{k} text authors Ada\n{k} number seven {seven}\n" for k in (0, 1))
    text = f"cat <<'END'\n{_BEGIN}{answers}{_END}END\necho said >&2"
    _script(tmp_path, text).rename(tmp_path / "worksheet_answers")
    part, evidence = load_worksheet(_SHEETS, tmp_path, tmp_path / "ceilings.json")
    assert [line.state for line in judge_sheet(part, evidence).lines] == ["noted", state]
    assert capsys.readouterr().err == "said\n"
    hidden = {name: reason_to_hide_counts(name, part, evidence) for name in ("naive", "mine")}
    same = f"mine still does the same work as naive; {_HIDDEN}"  # neither was counted
    assert hidden == dict.fromkeys(hidden) if seven == "7" else {"naive": _HIDDEN, "mine": same}


@_NEEDS_PROGRAM
@pytest.mark.parametrize(
    ("sheet", "words"),
    [
        ("fooling", "exited with status 0 before it gave its answers"),
        ("crashing", "killed by signal 6"),
        ("throwing", "exited with status 1 before it gave its answers: stod"),
        ("endless", "no answers within 1 s: does it have an endless loop?"),
    ],
)
def test_hostile_sheets(
    sheet: str, words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No child is left of the one without an end, which holds a lock."""
    lock = tmp_path / "lock"
    lock.touch()
    monkeypatch.setenv("SHEET", sheet)
    monkeypatch.setenv("LOCK", str(lock))
    assert _refused(_PROGRAM, 1.0 if sheet == "endless" else 30.0).startswith(words)
    assert _becomes_free(lock)


@_NEEDS_PROGRAM
def test_it_may_print(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHEET", "printing")
    answers, printed = ask(_PROGRAM)
    assert printed == "here I am\nsix and one\nsix and one\n"
    assert answers[0].number("seven") == 7


_ENDED = "exited with status"
NO_WORKSHEETS = {
    "exec yes": "killed by signal 25",  # its output is as large as may be
    "yes yyy | head -c 3000000 >&2; exit 3": f"{_ENDED} 3 before it gave its answers: y",
    "exec >&- 2>&-; sleep 60": "no answers within 2 s",
}


@pytest.mark.parametrize(("text", "words"), NO_WORKSHEETS.items())
def test_programs_that_are_no_worksheet(text: str, words: str, tmp_path: Path) -> None:
    assert _refused(_script(tmp_path, text), 2.0).startswith(words)


def test_a_child_that_outlives_it_is_killed(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    lock.touch()
    program = _script(tmp_path, f"flock {lock} sleep 60 & sleep 0.5; exit 0")
    assert _refused(program).startswith("exited with status 0")
    assert _becomes_free(lock)
