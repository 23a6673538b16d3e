"""./lab grade as it is called: what is refused before anything is built, measuring, scoring again, listing a class."""

import json

import pytest

from nbody_lab.grade import grading
from tests import write_files
from tests.grade.scored_for_tests import QUESTION

RUBRIC = "common/lab/tests/grade/rubric_for_tests.json"


@pytest.fixture
def grade(run_lab, without_measuring):
    """A class of two, of which measuring and scoring are asked with more words."""
    folder, out = without_measuring
    return lambda *more: run_lab("grade", folder, "-o", out, "--rubric", RUBRIC, *more)


def points_of(out):
    """{name: points of the question that a person reads}"""
    found = json.loads((out / "results.json").read_text())["submissions"]
    return {one["name"]: one["items"][3]["points"] for one in found}


def test_a_class_is_measured_and_one_measured_again(grade, without_measuring, monkeypatch):
    """Whose record is not there any more, or whose archive has changed; the sandbox is proved for that alone."""
    folder, out = without_measuring
    counts = []
    monkeypatch.setattr(grading, "prove", lambda *_: counts.append(1))
    assert grade("--only", "ada", "--no-timing").status == 0 and list(points_of(out)) == ["ada"]
    said = grade()
    assert said.status == 0 and "measured again" not in said.error  # only timed
    assert list(points_of(out)) == ["ada", "bo"] and "again" not in grade("--no-timing").error
    (out / "measured/ada.json").unlink()
    assert "index.html" in grade().output.splitlines()[-1]
    write_files(folder, {"bo/mine.hpp": "// another\n"})
    assert "bo: measured again: archive" in grade().error
    (folder / "ada/mine.hpp").unlink()
    (folder / "ada").rmdir()
    grade()
    assert len(counts) == 4 and list(points_of(out)) == ["bo"]
    assert not [*out.glob("*/ada*")]


def test_scored_again(run_lab, grade, without_measuring, tmp_path):
    """With the points given by hand; every run has its own."""
    _, out = without_measuring
    grade()
    manual = tmp_path / "manual.csv"
    manual.write_text(f"who,question,points\nada,{QUESTION},4\n")
    words = ["grade", "--rescore", out, "--rubric", RUBRIC]
    assert run_lab(*words, "--manual", manual)[::2] == (0, "")
    assert points_of(out) == {"ada": 4, "bo": None}
    (out / "answers.csv").unlink(missing_ok=True)
    run_lab(*words)
    assert points_of(out) == {"ada": None, "bo": None}
    for file in ("index.html", "students/bo.html", "grades.csv"):
        assert (out / file).is_file()


@pytest.mark.parametrize(
    ("option", "text"),
    [("--manual", f"who,question,points\nada,{QUESTION},x\n"), ("--late", "who,days\nada,x\n")],
)
def test_what_people_decided_is_read_before_anything_is_measured(
    grade, tmp_path, monkeypatch, option, text
):
    monkeypatch.setattr(grading, "prove", None)
    (tmp_path / "t.csv").write_text(text)
    status, _, said = grade(option, tmp_path / "t.csv")
    assert status == 2 and said.startswith("lab: ") and "'x'" in said and said.count("\n") == 1


def test_a_part_that_was_not_measured_is_not_scored(run_lab, grade, without_measuring):
    _, out = without_measuring
    assert grade("--part", "part1").status == 0
    results = json.loads((out / "results.json").read_text())
    assert results["maximum"] == 60  # of 100 for two parts
    said = run_lab("grade", "--rescore", out, "--rubric", RUBRIC, "--part", "part2")[2]
    assert said.startswith("lab: part2: not measured in ")


@pytest.mark.parametrize(
    "files", [{"grading.json": '{"class_folder": "/another"}'}, {"grades.csv": "mine"}], ids=str
)
def test_results_replace_no_other_class_and_nobody_s_files(grade, without_measuring, files):
    _, out = without_measuring
    write_files(out, files)
    status, _, said = grade()
    assert (status, said.count("\n")) == (2, 1) and str(out) in said
    assert {file.name: file.read_text() for file in out.iterdir()} == files
