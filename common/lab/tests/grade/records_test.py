"""Which records of a class are still valid? Each submission has a row, whatever happened; and texts are harmless."""

from types import SimpleNamespace

import pytest

from nbody_lab.core.model import parse
from nbody_lab.grade import grading
from nbody_lab.grade.intake import checksum, find_submissions
from nbody_lab.grade.models import HandedIn, Record
from nbody_lab.grade.score import score
from tests import write_files
from tests.grade.scored_for_tests import (
    RUBRIC,
    changed_rubric,
    course_in,
    measured,
    only_part1,
    records_of,
    row,
    tried,
)


@pytest.fixture
def ada(tmp_path):
    """A class of one, whose submission was measured."""
    write_files(tmp_path, {"class/ada/mine.hpp": "// one\n"})
    (submission,) = find_submissions(tmp_path / "class")
    record = measured("ada") | {"lab": "1", "timings": course_in(tmp_path / "grades").timings()}
    record["submission"]["checksum"] = checksum(submission)
    (record,) = records_of([record])
    ada = SimpleNamespace(out=tmp_path / "grades", submission=submission, record=record)
    keep(ada)
    return ada


def keep(ada, file="measured/ada.json", **changed):
    write_files(ada.out, {file: ada.record.model_copy(update=changed).model_dump_json()})


def keep_parts(ada, *names):
    keep(ada, parts=dict.fromkeys(names, ada.record.parts["part1"]))


def keep_untimed(ada):
    """As an interrupted run does, or one without timing."""
    write_files(ada.out, {"work/ada/part1/bin/mine": ""})
    keep(ada, timings={})


def change_archive(ada):
    write_files(ada.out.parent, {"class/ada/mine.hpp": "// two\n"})


@pytest.mark.parametrize(
    ("change", "asked", "why"),
    [
        (keep, {}, ""),
        (keep, {"rubric": changed_rubric("speed", points=5.0, bands=((0.1, 5.0),))}, ""),
        (change_archive, {}, "archive"),
        (keep, {"lab": "2"}, "lab"),
        (lambda ada: keep_parts(ada, "part1"), {"parts": ["part1", "part2"]}, "parts"),
        (keep, {"rubric": changed_rubric("speed", n=4000)}, "speeds"),
        # Everything but speed, by --no-timing: valid until speed is asked for.
        (lambda ada: keep(ada, timings={}), {"timed": False}, ""),
        (lambda ada: keep(ada, timings={}), {}, "speeds"),
        (keep_untimed, {}, "only timing"),
        (lambda ada: write_files(ada.out, {"measured/ada.json": "{"}), {}, "damaged"),
    ],
)
def test_what_is_measured_again(ada, capsys, change, asked, why):
    """Points and bands need no new measurement."""
    change(ada)
    unchecked, untimed = grading.to_measure(course_in(ada.out, **asked), [ada.submission])
    is_timed_only = why == "only timing"
    assert (len(unchecked), len(untimed)) == (bool(why) and not is_timed_only, is_timed_only)
    said = f"lab: ada: measured again: {why}\n" if unchecked else ""
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("broken", [None, "{", "ada"])
def test_each_of_the_class_has_a_row_and_no_other(ada, broken):
    """Who was not measured, or whose record is broken, stops nobody; of who was taken out nothing stays."""
    files = ("measured/cy.json", "students/cy.html", "failures/cy.txt", "taken/cy/mine.hpp")
    write_files(ada.out, dict.fromkeys(files, "x"))
    if broken == "ada":
        keep(ada, "measured/bo.json")
    elif broken:
        write_files(ada.out, {"measured/bo.json": broken})
    bo, cy = (ada.submission._replace(who=HandedIn(name=name)) for name in ("bo", "cy"))
    for found in ([ada.submission, bo, cy], [ada.submission, bo]):
        grading.keep_list(ada.out, ada.out.parent / "class", found, found)
    assert not [*ada.out.glob("*/cy*")]
    rows = {one.name: one for one in score(grading.records_in(ada.out), RUBRIC).submissions}
    assert list(rows) == ["ada", "bo"] and rows["ada"].points > 0
    bo = rows["bo"]
    assert (bo.has_points, bo.to_decide, bo.flags) == (False, 100, ())
    assert {item.state for item in bo.items} == {"for a person"}
    assert "not measured: the same command" in bo.items[0].why


def test_texts_and_numbers_of_a_record_are_harmless():
    """No path of the grader and no command of a terminal; a student may type 1e400 into notebook.csv."""
    path = "../../out/work/ada/part1/tree/part1_words/notebook.csv:1: \x1b[31mbad \u202e"
    book = {"rows": [tried(1, measured=float("inf"))], "problem": path}
    one = measured(problems=[("build", path)], parts=only_part1(row(), notebook=book))
    record = Record.model_validate_json(parse(Record, one, "x").model_dump_json())
    found = record.parts["part1"].notebook
    assert record.problems[0].text == found.problem == "part1_words/notebook.csv:1: bad ?"
    assert found.rows[0].measured is None
