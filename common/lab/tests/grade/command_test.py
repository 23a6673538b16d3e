"""./lab grade as it is called: what is refused before anything is built, scoring again, listing a class."""

import json
from pathlib import Path

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.grade import grading
from nbody_lab.grade.decisions import UNKNOWN_TIME
from nbody_lab.grade.kept import keep_list, read_list
from nbody_lab.grade.models import HandedIn
from nbody_lab.grade.set_up import claim, require_own_folder
from tests.grade.conftest import interrupt
from tests.grade.made_class.made_archives import write_files
from tests.grade.scored_for_tests import (
    QUESTION,
    measured,
    part,
    row,
)

P2 = "part2_vectorization"
RUBRIC = "common/lab/tests/grade/rubric_for_tests.json"


@pytest.fixture
def out(graded):
    """A class of three, of whom two were measured, at unknown times."""
    for name, number in (("ada", "7"), ("bo", "8")):
        parts = {"part1": part(row())}
        graded.add(measured(name, [name.title()], student_id=number, submitted="", parts=parts))
    keep_list(graded.out, submissions=tuple(HandedIn(name=name) for name in ("ada", "bo", "cy")))
    return graded.out


REFUSED = {
    "": "which class? ./lab grade CLASS -o FOLDER; more: ./lab grade -h",
    "class --rescore build/x": "grade: CLASS and --rescore are two different commands: give one",
    "no_such_folder -o build/x": "no_such_folder: no such folder; ./lab grade needs one with",
    "class": "where should the grades go? Add -o FOLDER",
    "class --dry-run --rubric no.json": "no.json: cannot be read",
    "class --part part9": "there is no part 'part9'",
    "class --jobs 0": "grade: --jobs needs at least 1",
    "class --rubrik x": "grade: there is no option --rubrik; did you mean --rubric?",
}


@pytest.mark.parametrize("line", REFUSED)
def test_refused_before_anything_is_built(refusal_of, line):
    assert refusal_of("grade", *line.split()).startswith(REFUSED[line])


def test_scored_again(run_lab, graded, out, tmp_path):
    """Everybody of the class has a row, and later runs remember the points given by hand until "none" drops them."""
    manual = tmp_path / "manual.csv"
    manual.write_text(f"who,question,points\nada,{QUESTION},4\n")

    def points():
        ada, *others = graded.submissions()
        assert [ada["name"], *(one["name"] for one in others)] == ["ada", "bo", "cy"]
        return next(item["points"] for item in ada["items"] if item["item"] == QUESTION)

    words = ["grade", "--rescore", out, "--rubric", RUBRIC]
    status, printed, said = run_lab(*words, "--manual", manual)
    assert (status, said, points()) == (0, "", 4)
    assert "ada" in printed and "index.html" in printed.splitlines()[-1]
    _, _, said = run_lab(*words[:3])
    assert "--manual" in said and "as before (--manual none: without)" in said and points() == 4
    run_lab(*words, "--manual", "none")
    assert points() is None
    for file in ("index.html", "students/cy.html", "questions/part1_1.html", "grades.csv"):
        assert (out / file).is_file()


WORKSHEET = (
    "Identifier,Full name,Status,Grade,Maximum Grade,Last modified (submission),Feedback comments\n"
    'Participant 7,Ada,,,10,"Saturday, 21 November 2026, 10:15 AM",\n'
)


@pytest.mark.parametrize("place", ["in the list of the class", "in --moodle", "by name"])
def test_a_time_that_is_known_later_counts(place, run_lab, graded, out, tmp_path):
    """For everybody alike; who has none is not late, which is said. In Moodle's list it is in the row of the grade."""
    if place == "by name":
        parts = {"part1": part(row())}
        graded.add(measured("ada", ["Ada"], student_id="", submitted="", parts=parts))
    rubric = json.loads(Path(RUBRIC).read_text())
    rubric |= {"deadline": "2026-11-20T23:59+01:00", "late": {"per_day_percent": 10}}
    write_files(tmp_path, {"rubric.json": json.dumps(rubric), "list.csv": WORKSHEET})
    words = ["grade", "--rescore", out, "--rubric", tmp_path / "rubric.json"]
    printed = run_lab(*words).output
    assert "the rubric has a deadline, but 3 times of submission are unknown: --moodle" in printed
    assert [one["late"]["days"] for one in graded.submissions()] == [0, 0, 0]
    assert all(UNKNOWN_TIME in one["flags"] for one in graded.submissions())
    if place != "in the list of the class":
        words += ["--moodle", tmp_path / "list.csv"]
    else:
        at = HandedIn(name="ada", submitted="2026-11-21T10:15:00+01:00")
        keep_list(out, submissions=(at, *read_list(out).submissions[1:]))
    printed = run_lab(*words).output
    assert "but 2 times of submission are unknown" in printed
    assert [one["late"]["days"] for one in graded.submissions()] == [1, 0, 0]
    flagged = [one["name"] for one in graded.submissions() if UNKNOWN_TIME in one["flags"]]
    assert flagged == ["bo", "cy"]


def test_what_was_not_measured_is_not_scored(run_lab, out, tmp_path):
    status, _, said = run_lab("grade", "--rescore", out, "--part", "part2")
    assert (status, (out / "results.json").exists()) == (2, False)
    assert said == f"lab: part2 was not measured in {out}, only part1\n"
    said = run_lab("grade", "--rescore", tmp_path)[2]
    assert "has no measured/*.json: nothing was graded there yet" in said


def test_a_class_is_measured_scored_and_one_measured_again(run_lab, without_measuring):
    """Without its record, and only that one."""
    folder, out = without_measuring
    words = ["grade", folder, "-o", out, "--rubric", RUBRIC]
    status, _, said = run_lab(*words, "--only", "ada")
    assert (status, said) == (0, "") and [file.stem for file in out.glob("measured/*")] == ["ada"]
    assert run_lab(*words).status == 0
    names = [one["name"] for one in json.loads((out / "results.json").read_text())["submissions"]]
    assert names == ["ada", "bo"]
    records = [out / f"measured/{name}.json" for name in names]
    (of_ada, of_bo), times = records, [file.stat().st_mtime_ns for file in records]
    of_ada.unlink()
    assert "index.html" in run_lab(*words).output.splitlines()[-1]
    assert of_ada.stat().st_mtime_ns > times[0] and of_bo.stat().st_mtime_ns == times[1]
    assert [one.name for one in read_list(out).submissions] == names


def test_a_folder_of_grades_belongs_to_one_class(out):
    claim(out, out / "class")
    claim(out, out / "class")
    with pytest.raises(LabError, match=r"holds the grades of another class, .*/class: choose"):
        claim(out, out / "other")
    assert len(read_list(out).submissions) == 3


def test_results_replace_nothing_else(tmp_path):
    """Neither the class nor somebody's table."""
    (tmp_path / "class").mkdir()
    with pytest.raises(LabError, match="is the class itself: choose another folder"):
        require_own_folder(tmp_path / "class", tmp_path / "class")
    require_own_folder(tmp_path, tmp_path / "class")
    (tmp_path / "grades.csv").write_text("mine")
    with pytest.raises(LabError, match=r"grades\.csv is a file, not a folder for the results"):
        require_own_folder(tmp_path / "grades.csv", tmp_path / "class")
    with pytest.raises(LabError, match=r"grades\.csv was not written by"):
        require_own_folder(tmp_path, tmp_path / "class")
    keep_list(tmp_path, class_folder=str(tmp_path / "class"))
    require_own_folder(tmp_path, tmp_path / "class")


def test_ctrl_c_keeps_what_was_measured(run_lab, without_measuring, monkeypatch):
    monkeypatch.setattr(grading, "prove", interrupt)
    folder, out = without_measuring
    status, _, said = run_lab("grade", folder, "-o", out)
    kept = f"measurements are kept in {out}; the same command continues there"
    assert (status, said) == (130, f"lab: interrupted; {kept}\n")
