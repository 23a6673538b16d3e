"""The documentation has every field of the files; texts in a record are harmless."""

import re
import typing

import pydantic
import pytest

from nbody_lab import ROOT
from nbody_lab.core.model import parse
from nbody_lab.grade.models import Record, Results
from nbody_lab.grade.rubric import Rubric
from nbody_lab.tasks.sheet import Line
from tests.grade.scored_for_tests import measured, only_part1, row, tried

DOCUMENT = (ROOT / "docs/grading_formats.md").read_text(encoding="utf-8")


def fields_of(model: typing.Any) -> set[str]:
    """The names of all fields in a model and in what it holds."""
    found = set()
    for inner in typing.get_args(model):
        found |= fields_of(inner)
    if model is Line:
        return {"number", "question", "kind", "answer", "state", "words", "points"}
    if isinstance(model, type) and issubclass(model, pydantic.BaseModel):
        for name, field in model.model_fields.items():
            found |= {name} | fields_of(field.annotation)
    return found


@pytest.mark.parametrize(
    ("title", "model"),
    [("measured/NAME.json", Record), ("results.json", Results), ("rubric.json", Rubric)],
)
def test_the_documentation_has_every_field(title, model):
    section = re.search(
        rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", DOCUMENT, re.DOTALL | re.MULTILINE
    )
    first_cells = [line.split("|")[1] for line in section[1].splitlines() if line[:2] == "| "]
    documented = {name for cell in first_cells for name in re.findall(r"`([^`]+)`", cell)}
    assert documented == fields_of(model)


def test_texts_and_numbers_of_a_record_are_harmless():
    """No path of the grader and no command of a terminal; a student may type 1e400 into notebook.csv."""
    path = "../../out/work/ada/part1/tree/part1_words/notebook.csv:1: \x1b[31mbad \u202e"
    book = {"rows": [tried(1, measured=float("inf"))], "problem": path}
    one = measured(problems=[("build", path)], parts=only_part1(row(), notebook=book))
    record = parse(Record, one, "x")
    found = record.parts["part1"].notebook
    assert record.problems[0].text == found.problem == "part1_words/notebook.csv:1: bad ?"
    assert found.rows[0].measured is None
