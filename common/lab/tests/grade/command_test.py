"""./lab grade as it is called: what is refused before anything is built, measuring, scoring again, listing a class."""

import json
import shutil

import pytest

from nbody_lab import ROOT
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


def again(name, why):
    return f"lab: {name}: measured again: {why}\n"


@pytest.mark.parametrize(
    ("first", "changed", "then", "said"),
    [
        ("", {}, "", ""),
        ("", {}, "--no-timing", ""),
        ("--no-timing", {}, "", ""),  # the programs are still there: only timed
        ("", {"class/bo/mine.hpp": "// another\n"}, "", again("bo", "archive")),
        ("", {"out/measured/bo.json": "{"}, "", again("bo", "damaged")),
        ("", {"out/measured/bo.json": {"lab": "2"}}, "", again("bo", "lab")),
        ("", {"out/measured/bo.json": {"timings": {}}}, "", again("bo", "speeds")),
        ("--part part1", {}, "", again("ada", "parts") + again("bo", "parts")),
        # Points and bands need no new measurement.
        ("", {"rubric": {"late": {"per_day_percent": 50}}}, "--rubric {}/rubric", ""),
    ],
)
def test_a_record_is_valid_while_what_it_is_of_is_unchanged(
    grade, without_measuring, monkeypatch, tmp_path, first, changed, then, said
):
    """The sandbox is proved for what is measured again, and for nothing else."""
    proved = []
    assert grade(*first.split()).status == 0
    write_files(tmp_path, {"rubric": (ROOT / RUBRIC).read_text()})
    for name, content in changed.items():
        if isinstance(content, dict):
            content = json.dumps(json.loads((tmp_path / name).read_text()) | content)
        write_files(tmp_path, {name: content})
    monkeypatch.setattr(grading, "prove", lambda *_: proved.append(1))
    ended = grade(*then.format(tmp_path).split())
    assert (ended.status, ended.error) == (0, said)
    assert len(proved) == bool(said) and list(points_of(without_measuring[1])) == ["ada", "bo"]


def test_of_who_was_taken_out_nothing_stays(grade, without_measuring):
    folder, out = without_measuring
    assert grade("--only", "ada").status == 0 and list(points_of(out)) == ["ada"]
    assert "index.html" in grade().output.splitlines()[-1]
    write_files(out, {"failures/ada.txt": "", "taken/ada/part1/mine.hpp": ""})
    shutil.rmtree(folder / "ada")
    grade()
    assert list(points_of(out)) == ["bo"] and not [*out.glob("*/ada*")]


@pytest.mark.parametrize("broken", ["", "{", "ada"])
def test_who_was_not_measured_has_a_row(run_lab, grade, without_measuring, broken):
    _, out = without_measuring
    grade()
    bo = out / "measured/bo.json"
    bo.write_text((out / "measured/ada.json").read_text() if broken == "ada" else broken)
    run_lab("grade", "--rescore", out, "--rubric", RUBRIC)
    ada, bo = json.loads((out / "results.json").read_text())["submissions"]
    assert ada["points"] > 0 and (bo["to_decide"], bo["flags"]) == (100, [])
    assert {item["state"] for item in bo["items"]} == {"for a person"}
    assert "not measured: the same command" in bo["items"][0]["why"]


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


def test_what_people_decided_is_read_before_anything_is_measured(grade, tmp_path, monkeypatch):
    monkeypatch.setattr(grading, "prove", None)
    (tmp_path / "t.csv").write_text("who,days\nada,x\n")
    status, _, said = grade("--late", tmp_path / "t.csv")
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
