"""The documentation has every field of the files; texts in a record are harmless; a bad record is one line."""

import re
import typing

import pydantic
import pytest

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import parse
from nbody_lab.grade.models import Record, Results
from nbody_lab.grade.rubric import Rubric
from nbody_lab.tasks.sheet import Line
from tests.grade.scored_for_tests import measured, notebook, only_part1, part, row

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


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": 2}, "version should be 1"),
        ({"builds": 1}, "builds is not known here"),
        ({"parts": {"part1": part(row(built="maybe"))}}, "parts.part1.rows[0].built should be a"),
    ],
)
def test_a_bad_record_is_one_line_with_its_place(change, words):
    with pytest.raises(LabError) as fault:
        parse(Record, {**measured(), **change}, "x.json")
    assert str(fault.value).startswith(f"x.json: {words}") and "\n" not in str(fault.value)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "../../out/work/ada/part1/tree/part1_words/notebook.csv:1: bad",
            "part1_words/notebook.csv:1: bad",
        ),
        ("/srv/out/taken/ada/part1_words/mine.hpp", "part1_words/mine.hpp"),
    ],
)
def test_no_path_of_the_grader_and_no_command_of_a_terminal_gets_into_a_record(text, shown):
    parts = only_part1(row(), notebook=notebook(problem=text))
    record = parse(Record, measured(problems=[("build", text)], parts=parts), "x")
    assert record.problems[0].text == record.parts["part1"].notebook.problem == shown


def test_a_number_that_is_none_is_unknown():
    """A student may type 1e400 into notebook.csv."""
    one = measured()
    one["parts"]["part1"]["notebook"]["rows"][0]["measured"] = float("inf")
    assert parse(Record, one, "x").parts["part1"].notebook.rows[0].measured is None
