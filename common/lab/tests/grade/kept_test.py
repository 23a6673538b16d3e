"""Which records of a class are still valid? Each submission has a row, whatever happened to its record."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from nbody_lab.grade import kept
from nbody_lab.grade.archives import checksum
from nbody_lab.grade.models import Grading, HandedIn
from nbody_lab.grade.score import score
from nbody_lab.grade.submissions import Submission, find_submissions
from tests.grade.scored_for_tests import RUBRIC, changed_rubric, course_in, measured


class Ada:
    """A class of one, whose submission was measured."""

    def __init__(self, top: Path) -> None:
        self.out, self.code = top / "out", top / "class/ada/mine.hpp"
        self.code.parent.mkdir(parents=True)
        self.code.write_text("// one\n")
        self.submission: Submission = find_submissions(top / "class")[0]
        timings = {
            part: [one.model_dump() for one in some]
            for part, some in course_in(self.out).timings().items()
        }
        self.record = {**measured("ada"), "lab": "1", "timings": timings}
        self.record["submission"]["checksum"] = checksum(self.submission)
        self.keep(self.record)

    def keep(self, record: Any, name: str = "ada", folder: str = "measured") -> None:
        file = self.out / folder / f"{name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(record if isinstance(record, str) else json.dumps(record))

    def rows(self) -> dict[str, Any]:
        """The marks of ada and of bo."""
        kept.keep_list(self.out, submissions=[HandedIn(name="ada"), HandedIn(name="bo")])
        return {one.name: one for one in score(kept.records_in(self.out), RUBRIC).submissions}


@pytest.fixture
def ada(tmp_path: Path) -> Ada:
    return Ada(tmp_path)


def _only_part1(ada: Ada) -> None:
    ada.keep({**ada.record, "parts": {"part1": ada.record["parts"]["part1"]}})


def _with_part3(ada: Ada) -> None:
    parts = ada.record["parts"]
    ada.keep({**ada.record, "parts": {**parts, "part3": parts["part1"]}})


def _only_judged(ada: Ada) -> None:
    (ada.out / "measured/ada.json").unlink()
    ada.keep({**ada.record, "lab": "2"}, "judged", "work/ada")


@pytest.mark.parametrize(
    ("change", "asked", "why"),
    [
        (None, {}, ""),
        (_with_part3, {}, ""),
        (None, {"rubric": changed_rubric(speed={"points": 5.0, "bands": ((0.1, 5.0),)})}, ""),
        (lambda ada: ada.code.write_text("// two\n"), {}, "another archive"),
        (None, {"lab": "2"}, "another version of the lab"),
        (_only_part1, {"parts": ["part1", "part2"]}, "part2 was not requested before"),
        (None, {"rubric": changed_rubric(speed={"n": 4000})}, "the rubric times something else"),
        (_only_judged, {}, "another version"),
        (lambda ada: ada.keep("{"), {}, "its record cannot be read"),
    ],
)
def test_what_is_measured_again(
    ada: Ada,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[Ada], object] | None,
    asked: dict[str, Any],
    why: str,
) -> None:
    """Points and bands need no new measurement, and what was measured is not lost."""
    if change:
        change(ada)
    course = course_in(ada.out, **asked)
    was_measured = course.measured("ada").exists()
    kept.drop_stale(course, [ada.submission])
    told = capsys.readouterr()
    assert (f"ada: measured again: {why}" in told.out + told.err) == bool(why)
    assert course.measured("ada").exists() == (not why)
    assert len(list((ada.out / "earlier").glob("ada_*.json"))) == bool(why and was_measured)
    assert not course.judged("ada").exists()


@pytest.mark.parametrize(
    "broken", [None, "{", "7", {**measured("bo"), "parts": None}, measured("ada")]
)
def test_each_of_the_class_has_a_row_and_no_other(ada: Ada, broken: Any) -> None:
    """Who was not measured, or whose record is broken, stops nobody."""
    ada.keep(measured("removed"), "removed")
    if broken:
        ada.keep(broken, "bo")
    rows = ada.rows()
    assert list(rows) == ["ada", "bo"] and rows["ada"].points > 0
    bo = rows["bo"]
    assert (bo.has_points, bo.to_decide) == (False, 100)
    assert {item.state for item in bo.items} == {"for a person"}
    why = "cannot be read: ./lab grade measures it again (" if broken else kept.NOT_YET
    assert why in bo.items[0].why
    assert len({one.machine for one in kept.records_in(ada.out)}) == 1


def test_the_list_of_a_class(tmp_path: Path) -> None:
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
