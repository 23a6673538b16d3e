"""Ctrl-C while a class is measured, and going on after it."""

import os
import signal
import threading
import time

import pytest

from nbody_lab.core.whole_file import write_text
from nbody_lab.grade import measure
from nbody_lab.grade.intake import Submission
from nbody_lab.grade.limits import Allowance
from nbody_lab.grade.models import HandedIn, Record
from nbody_lab.grade.watch import tree_below
from tests.grade.scored_for_tests import RUBRIC, course_in

CLASS = [Submission(HandedIn(name=name)) for name in ("ada", "bo", "cy")]
LONG_S = 20


def test_ctrl_c_ends_the_checks_at_once_and_keeps_none_of_them(tmp_path, monkeypatch):
    """A program that is killed is not the student's fault: that submission is checked again."""
    course, began = course_in(tmp_path / "out"), []

    def run_long(work, _):
        began.append(work.record.submission.name)
        Allowance(None, LONG_S).run(["sleep", LONG_S], LONG_S)

    def interrupt():
        while len(began) < 2 or len(tree_below(os.getpid())) < 2:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(measure, "_collect", run_long)
    start = time.monotonic()
    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        measure.measure_all(course, CLASS, 2)
    assert time.monotonic() - start < LONG_S / 2
    assert len(began) == 2 and not list(tmp_path.rglob("*.json"))
    # What comes after it runs as before.
    assert Allowance(None, 60).run(["true"], 60)[0] == 0


@pytest.mark.parametrize(
    ("measured", "judged", "said"),
    [
        ("", "", None),
        ("", "ada bo", "2 of 3 checked already, 0 finished"),
        ("ada", "bo", "2 of 3 checked already, 1 finished"),
        ("ada bo cy", "", "3 of 3 checked already, 3 finished"),
    ],
)
def test_what_is_already_done_is_said(tmp_path, monkeypatch, capsys, measured, judged, said):
    course = course_in(tmp_path)
    for name in measured.split():
        write_text(course.measured(name), "{}")
    for name in judged.split():
        write_text(course.judged(name), "{}")
    monkeypatch.setattr(measure, "judge", lambda _, one: Record(submission=one.who))
    done = lambda _, name: Record(submission=HandedIn(name=name))  # noqa: E731
    monkeypatch.setattr(measure, "time_submission", done)
    measure.measure_all(course, CLASS, 1)
    told = [line for line in capsys.readouterr().err.splitlines() if line.startswith("lab: ")]
    assert told == ([f"lab: {said}"] if said else [])


@pytest.mark.parametrize(
    ("rubric", "label"),
    [(RUBRIC, "timing"), (RUBRIC.model_copy(update={"parts": {}}), "finishing")],
)
def test_nothing_is_called_timing_where_nothing_is_timed(tmp_path, monkeypatch, rubric, label):
    labels = []
    monkeypatch.setattr(measure, "_tell", lambda doing, *_: labels.append(doing))
    measure.measure_all(course_in(tmp_path, rubric), CLASS, 1)
    assert labels == ["checking", label]
