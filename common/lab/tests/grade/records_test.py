"""Which records of a class are still valid? Each submission has a row, whatever happened to its record."""

from types import SimpleNamespace

import pytest

from nbody_lab.grade import records
from nbody_lab.grade.intake import checksum, find_submissions
from nbody_lab.grade.models import HandedIn
from nbody_lab.grade.score import score
from tests.grade.made_class.made_archives import write_files
from tests.grade.scored_for_tests import RUBRIC, changed_rubric, course_in, measured, records_of


@pytest.fixture
def ada(graded, tmp_path):
    """A class of one, whose submission was measured."""
    write_files(tmp_path, {"class/ada/mine.hpp": "// one\n"})
    (submission,) = find_submissions(tmp_path / "class")
    record = measured("ada") | {"lab": "1", "timings": course_in(graded.out).timings()}
    record["submission"]["checksum"] = checksum(submission)
    (record,) = records_of([record])
    ada = SimpleNamespace(out=graded.out, submission=submission, record=record)
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
    ("change", "asked", "why", "is_checked"),
    [
        (keep, {}, "", False),
        (
            keep,
            {"rubric": changed_rubric(speed={"points": 5.0, "bands": ((0.1, 5.0),)})},
            "",
            False,
        ),
        (change_archive, {}, "archive", False),
        (keep, {"lab": "2"}, "lab", False),
        (lambda ada: keep_parts(ada, "part1"), {"parts": ["part1", "part2"]}, "parts", False),
        (keep, {"rubric": changed_rubric(speed={"n": 4000})}, "speeds", False),
        # Everything but speed, by --no-timing: valid until speed is asked for.
        (lambda ada: keep(ada, timings={}), {"timed": False}, "", False),
        (lambda ada: keep(ada, timings={}), {}, "speeds", False),
        (keep_untimed, {}, "speeds", True),
        (keep_untimed, {"lab": "2"}, "lab", False),
        (lambda ada: write_files(ada.out, {"measured/ada.json": "{"}), {}, "damaged", False),
    ],
)
def test_what_is_measured_again(ada, capsys, change, asked, why, is_checked):
    """Points and bands need no new measurement."""
    change(ada)
    course = course_in(ada.out, **asked)
    waiting = records.to_measure(course, [ada.submission])
    assert [one.name for one in waiting] == ([] if why == "" else ["ada"])
    assert capsys.readouterr().err == (f"lab: ada: measured again: {why}\n" if why else "")
    assert not why or records.look_at(course, ada.submission)[1] is is_checked


@pytest.mark.parametrize("broken", [None, "{", "7", '{"parts": 1}', "ada"])
def test_each_of_the_class_has_a_row_and_no_other(ada, broken):
    """Who was not measured, or whose record is broken, stops nobody."""
    keep(ada, "measured/removed.json")
    if broken == "ada":
        keep(ada, "measured/bo.json")
    elif broken:
        write_files(ada.out, {"measured/bo.json": broken})
    bo = ada.submission._replace(who=HandedIn(name="bo"))
    found = [ada.submission, bo]
    records.keep_list(ada.out, ada.out.parent / "class", found, found)
    rows = {one.name: one for one in score(records.records_in(ada.out), RUBRIC).submissions}
    assert list(rows) == ["ada", "bo"] and rows["ada"].points > 0
    bo = rows["bo"]
    assert (bo.has_points, bo.to_decide) == (False, 100)
    assert {item.state for item in bo.items} == {"for a person"}
    assert "not measured: the same command" in bo.items[0].why
    assert len({one.machine for one in records.records_in(ada.out)}) == 1
