"""What holds of the questions of every part; a new question needs only the row in CONTRIBUTING.md."""

from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.handout.left_out import handed_out_text
from nbody_lab.tasks import student_source
from nbody_lab.tasks.evidence import Evidence
from nbody_lab.tasks.judge import judge
from nbody_lab.tasks.program import Answers
from nbody_lab.tasks.questions import Choice, Exact, Recorded, Worksheet, load_questions
from nbody_lab.tasks.sheet import State
from nbody_lab.tasks.slips import SLIPS

SHEETS = ROOT / "common/worksheet/test_sheets"
FOLDERS = sorted(file.parent for file in ROOT.glob("part*_*/questions.py"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_names_and_units(folder: Path) -> None:
    """No answer twice, units with known slips, and hidden counts that wait for questions that there are."""
    part = load_questions(folder)
    names = part.answer_names()
    assert len(set(names)) == len(names)
    units = {one.unit for one in part.questions if isinstance(one, Exact | Recorded)}
    assert units <= SLIPS.keys()
    numbers = {one.number for one in part.questions}
    assert numbers >= set(part.hidden_counts.until_right)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_students_get_no_seal(folder: Path, tmp_path: Path) -> None:
    """Their questions load all the same; a letter counts as answered, and only a tree with seals can grade it."""
    given, name = load_questions(folder), f"{folder.name}/questions.py"
    text = handed_out_text(name, (ROOT / name).read_text(encoding="utf-8"))
    assert "seal" not in text
    (tmp_path / "questions.py").write_text(text, encoding="utf-8")
    part = load_questions(tmp_path)
    assert part.answer_names() == given.answer_names()
    choices = [one for one in part.questions if isinstance(one, Choice) and not one.truth]
    answers = Answers(letters={one.answer: "a" for one in choices})
    sheet = Worksheet(part, Evidence((answers, answers)))
    for one in choices:
        line = judge(one, sheet)[0]
        assert (line.state, line.words) == (State.NOTED, "judged when it is graded")
        with pytest.raises(LabError, match=f"{one.answer} has no seal: grade in a tree that"):
            judge(one, sheet, graded=True)


@pytest.mark.parametrize("folder", [*FOLDERS, SHEETS], ids=lambda folder: folder.name)
def test_the_source_adds_every_answer(folder: Path, tmp_path: Path) -> None:
    """CMake's system Python, which has no packages, finds the same names in the text."""
    questions, source = folder / "questions.py", tmp_path / "made.cpp"
    found = student_source.answer_names(questions.read_text(encoding="utf-8"))
    assert found == load_questions(folder).answer_names()
    student_source.main(str(questions), "x.hpp", str(source))
    adding = f'  if constexpr (requires {{ sheet.{found[0]}; }}) answers.add("{found[0]}", '
    assert adding in source.read_text()


def test_a_hypothetical_machine_is_of_letters_only() -> None:
    machine = load_questions(FOLDERS[0]).machine.constants_of
    assert machine("Ada Lovelace, Charles Babbage") == machine("ada lovelace,charles  babbage")
    assert machine("Ada Lovelace") != machine("Grace Hopper")
    with pytest.raises(LabError, match=r"^question 0 of the worksheet: the authors' names have no"):
        machine(" ,")
