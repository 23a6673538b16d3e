"""Which records of a class are still valid? Each submission has a row, whatever happened to its record."""

from types import SimpleNamespace

import pytest

from nbody_lab.grade import kept
from nbody_lab.grade.intake import checksum, find_submissions
from nbody_lab.grade.models import Grading, HandedIn
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


def keep_judged_alone(ada):
    (ada.out / "measured/ada.json").unlink()
    keep(ada, "work/ada/judged.json", lab="2")


@pytest.mark.parametrize(
    ("change", "asked", "why"),
    [
        (keep, {}, ""),
        (lambda ada: keep_parts(ada, "part1", "part2", "part3"), {}, ""),
        (keep, {"rubric": changed_rubric(speed={"points": 5.0, "bands": ((0.1, 5.0),)})}, ""),
        (
            lambda ada: write_files(ada.out.parent, {"class/ada/mine.hpp": "// two\n"}),
            *({}, "another archive"),
        ),
        (keep, {"lab": "2"}, "another version of the lab"),
        (
            lambda ada: keep_parts(ada, "part1"),
            *({"parts": ["part1", "part2"]}, "part2 was not requested before"),
        ),
        (keep, {"rubric": changed_rubric(speed={"n": 4000})}, "the rubric times something else"),
        (keep_judged_alone, {}, "another version"),
        (
            lambda ada: write_files(ada.out, {"measured/ada.json": "{"}),
            *({}, "its record cannot be read"),
        ),
    ],
)
def test_what_is_measured_again(ada, capsys, change, asked, why):
    """Points and bands need no new measurement."""
    change(ada)
    course = course_in(ada.out, **asked)
    kept.drop_stale(course, [ada.submission])
    told = capsys.readouterr()
    assert (f"ada: measured again: {why}" in told.out + told.err) == bool(why)
    assert course.measured("ada").exists() == (not why)
    assert not course.judged("ada").exists()


@pytest.mark.parametrize("broken", [None, "{", "7", '{"parts": 1}', "ada"])
def test_each_of_the_class_has_a_row_and_no_other(ada, broken):
    """Who was not measured, or whose record is broken, stops nobody."""
    keep(ada, "measured/removed.json")
    if broken == "ada":
        keep(ada, "measured/bo.json")
    elif broken:
        write_files(ada.out, {"measured/bo.json": broken})
    kept.keep_list(ada.out, submissions=[HandedIn(name="ada"), HandedIn(name="bo")])
    rows = {one.name: one for one in score(kept.records_in(ada.out), RUBRIC).submissions}
    assert list(rows) == ["ada", "bo"] and rows["ada"].points > 0
    bo = rows["bo"]
    assert (bo.has_points, bo.to_decide) == (False, 100)
    assert {item.state for item in bo.items} == {"for a person"}
    why = "cannot be read: ./lab grade measures it again (" if broken else kept.NOT_YET
    assert why in bo.items[0].why
    assert len({one.machine for one in kept.records_in(ada.out)}) == 1


def test_the_list_of_a_class(tmp_path):
    """Those of earlier runs stay in it; it keeps the secret."""
    ada, bo, cy = (SimpleNamespace(name=name) for name in ("ada", "bo", "cy"))
    (tmp_path / "grading.json").write_text('{"class": "/a class"}')
    assert kept.submissions_to_keep(tmp_path, [ada, bo, cy], [bo]) == [bo]
    gone = (HandedIn(name="ada"), HandedIn(name="gone"))
    kept.keep_list(tmp_path, submissions=gone)
    assert kept.submissions_to_keep(tmp_path, [ada, bo, cy], [bo]) == [ada, bo]
    assert kept.submissions_to_keep(tmp_path, [ada, bo], [ada, bo]) == [ada, bo]
    assert kept.read_list(tmp_path) == Grading(class_folder="/a class", submissions=gone)
    assert (tmp_path / "grading.json").stat().st_mode & 0o777 == 0o600
