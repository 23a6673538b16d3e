"""A mistake in questions.json is one line that says where; a new question needs only the row in CONTRIBUTING.md."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.worksheet import student_source
from nbody_lab.worksheet.evidence import Evidence
from nbody_lab.worksheet.judge import judge
from nbody_lab.worksheet.program import Answers
from nbody_lab.worksheet.questions import load_questions
from nbody_lab.worksheet.sheet import Detail
from tests.house.contributing_example import add_question, question_in

GOOD: dict[str, Any] = {
    "version": 1,
    "part": "part0",
    "names": ["mine"],
    "formulas": {"twice": "2 * peak"},
    "tolerances": {"by_hand": {"value": 0.02, "why": "three digits"}},
    "hypothetical_machine": {
        "constants": {"lanes": "4 * pick(draw(2), 1, 2)"},
        "text": "{lanes} lanes",
    },
    "hidden_counts": {"until_right": ["2"]},
    "questions": [
        {"number": "0", "kind": "text", "text": "authors", "answer": "authors"},
        {"number": "1", "kind": "exact", "text": "peak", "answer": "peak"}
        | {"truth": "3 * paper.lanes", "tolerance": "by_hand"},
        {"number": "2", "kind": "count", "text": "flops of {mine}", "answer": "flops", "points": 2}
        | {"truth": "counted('flops', of=mine)", "tolerance": 0.005, "unit": "operations"},
    ],
}
ALL = sorted(
    [*ROOT.glob("part*_*/questions.json"), *ROOT.glob("common/worksheet/*/questions.json")]
)


def _changed(row: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """None removes a column."""
    return {key: value for key, value in {**row, **changes}.items() if value is not None}


def _refused(text: str, folder: Path) -> str:
    file = folder / "questions.json"
    file.write_text(text)
    with pytest.raises(LabError) as error:
        load_questions(file)
    assert "\n" not in str(error.value)
    return str(error.value).partition("questions.json: ")[2]


@pytest.mark.parametrize("file", ALL, ids=lambda file: file.parent.name)
def test_the_source_has_the_answers_of_the_questions(file: Path) -> None:
    """CMake's system Python, which has no packages, finds the same names as the models."""
    found = student_source.answer_names(json.loads(file.read_text(encoding="utf-8")))
    assert sorted(found) == sorted(load_questions(file).answer_names())


def test_a_good_file(tmp_path: Path) -> None:
    file, source = tmp_path / "questions.json", tmp_path / "made.cpp"
    file.write_text(json.dumps(GOOD))
    part = load_questions(file)
    assert part.answer_names() == ["mine", "authors", "peak", "flops"]
    assert [one.points for one in part.questions] == [1, 1, 2]
    assert student_source.main(str(file), "x.hpp", str(source)) == 0
    adding = '  if constexpr (requires { sheet.peak; }) answers.add("peak", sheet.peak);\n'
    assert adding in source.read_text()


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"questions": [{"answer": "2nd"}]}', ""])
def test_no_source(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """CMake shows one line."""
    file = tmp_path / "questions.json"
    file.write_text(text)
    assert student_source.main(str(file), "x.hpp", str(tmp_path / "made.cpp")) == 2
    assert capsys.readouterr().err.count("\n") == 1


_CHOICE = {"kind": "choice", "tolerance": None}
_MISTAKES_IN_A_QUESTION = [
    *({"truth": truth} for truth in (None, "3 *", "peek", "paper.ports", "open('x')", "[1]", 3)),
    *({"truth": truth} for truth in ("counted()", "'a' + 1", "pick(9, 1, 2)", "mine")),
    *({"truth": truth} for truth in ("ceiling(colour='red')", "1 if 1 else ().__class__")),
    *({"tolerance": tolerance} for tolerance in ("bi_hand", True, None)),
    *({"answer": answer} for answer in ("authors", "2nd", None)),
    *({"kind": kind} for kind in ("exactly", "follows", "notebook", None)),
    *({**_CHOICE, **more} for more in ({}, {"seal": "q"}, {"waits_for": "it", "truth": "1"})),
    *({"unit": "miles"}, {"seal": "0x1"}, {"kind": "count", "most_told": "all"}, {"points": "1"}),
]
_MISTAKES_ELSEWHERE = [
    *({"version": 2}, {"questions": None}, {"question": []}, {"formulas": {"x": "2 * peek"}}),
    *({"tolerances": {"by_hand": 0.02}}, {"hidden_counts": {"until_right": ["7"]}}),
    {"hypothetical_machine": {"constants": {}, "text": "{lanes}"}},
    *({"questions": ["1"], "formulas": {}}, {"questions": [{}], "formulas": {}}),
]


@pytest.mark.parametrize("changes", _MISTAKES_IN_A_QUESTION, ids=str)
def test_mistakes_in_a_question(
    changes: dict[str, Any], tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """One line with the question's number."""
    data = copy.deepcopy(GOOD)
    data["questions"][1] = _changed(data["questions"][1], changes)
    refused = _refused(json.dumps(data), tmp_path)
    assert refused.startswith("question 1: ")
    assert refused == snapshot


@pytest.mark.parametrize("changes", _MISTAKES_ELSEWHERE, ids=str)
def test_mistakes_elsewhere(
    changes: dict[str, Any], tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """One line with the place."""
    assert _refused(json.dumps(_changed(GOOD, changes)), tmp_path) == snapshot


def test_no_file_of_questions(tmp_path: Path) -> None:
    assert _refused("[]", tmp_path).startswith("should be an object")
    with pytest.raises(LabError, match=r"nowhere/questions.json: No such file or directory$"):
        load_questions(Path("/nowhere/questions.json"))


@pytest.mark.skipif(not (ROOT / "CONTRIBUTING.md").exists(), reason="there is no CONTRIBUTING.md")
def test_the_row_of_contributing_is_all_that_a_question_needs(tmp_path: Path) -> None:
    """Adds it to a copy; the suite contributing builds and judges it."""
    name = json.loads(question_in(ROOT / "CONTRIBUTING.md"))["answer"]
    part = tmp_path / "part1_standard_opti"
    part.mkdir()
    for file in ("questions.json", "worksheet.hpp"):
        (part / file).write_text((ROOT / part.name / file).read_text(encoding="utf-8"))
    (tmp_path / "CONTRIBUTING.md").write_text((ROOT / "CONTRIBUTING.md").read_text())
    add_question(tmp_path)
    questions = load_questions(part / "questions.json")
    assert f"double {name} = unanswered;" in (part / "worksheet.hpp").read_text()
    for number, state in ((40.0, "right"), (10.0, "wrong")):
        answers = Answers({name: number})
        evidence = Evidence((answers, answers))
        line = judge(questions.questions[-1], questions, evidence, Detail.TOTAL)[0]
        assert (line.number, line.state, line.points) == ("21", state, 2)
