"""From a submission's files to its record: late answers, separate parts, a failing grader, Ctrl-C, the proof."""

import json
import os
import signal
import threading
import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import load, parse
from nbody_lab.core.run import Step
from nbody_lab.grade import measure
from nbody_lab.grade.intake import Place, Submission, Taken, part_folders
from nbody_lab.grade.models import Check, HandedIn, PartRecord, Record, Row, Speed
from nbody_lab.grade.records import measured_file
from nbody_lab.grade.sandbox import Ended, run_beside
from tests.grade import scored_for_tests as scored
from tests.grade.made_class.made_archives import write_files

P1 = scored.P1

# --- the check ---

CASE = {"group": "forces", "scene": "s", "n": 7, "error": None, "limit": 1, "detail": ""}
LATE = {**CASE, "answer": "late", "verdict": "failed"}
WRONG = {**CASE, "diagnosis": "skips a body", "verdict": "failed"}
NOT_ASKED = {**CASE, "diagnosis": "", "verdict": "not run"}
STOPPED, NO_TIME, NOTHING = "wall time", "no time left", "no file"


@pytest.mark.parametrize(
    ("answer", "verdict", "problem"),
    [
        ([], "passed", ""),
        ([WRONG, LATE], "failed", ""),
        # An honest program may wait for a core: for a person, not 0 points.
        ([LATE, NOT_ASKED], "not checked", "no answer in time"),
        (STOPPED, "not checked", "no answer in time"),
        (NO_TIME, "not checked", "not done in 120 s"),
        (NOTHING, "not checked", "what happened"),  # such as without memory for the checker
    ],
)
def test_only_what_is_wrong_is_wrong(tmp_path, monkeypatch, answer, verdict, problem):
    def check(argv, _wall_s):
        if answer in (STOPPED, NO_TIME):
            return Ended(137, "wall time", "", "")
        if answer != NOTHING:
            row = {"verdict": "failed" if answer else "passed", "as_expected": not answer}
            result = {"tolerance": "standard", "precision": "float"}
            result["implementations"] = [row | {"cases": answer}]
            argv[-1].write_text(json.dumps(result))
        return Ended(0, "", "", "check: what happened\n")

    monkeypatch.setattr(measure, "run_beside", check)
    course = SimpleNamespace(programs=Path("bin"), processes=lambda _: 1)
    job = SimpleNamespace(course=course, part="part1", folder=tmp_path, used_up="not done in 120 s")
    job.left = lambda: 1 if answer == NO_TIME else 1e9
    found = measure.check_row(job, "mine", 7)
    assert found.verdict == verdict and problem in found.problem


# --- parts, and a grader that fails ---


@pytest.fixture
def course(tmp_path, monkeypatch):
    (tmp_path / "out").mkdir()
    monkeypatch.setattr(measure, "turn", nullcontext)
    given = SimpleNamespace(tree=ROOT, parts={"part1": P1, "part2": "part2_vectorization"})
    known = SimpleNamespace(of_part=lambda *_: ["mine"], part=lambda _: None)
    return replace(
        scored.course_in(tmp_path / "out", parts=("part1", "part2")), given=given, references=known
    )


def submission_of(folder, **parts):
    write_files(folder / "class/who", {f"{parts[part]}/mine.hpp": "x" for part in parts})
    return Submission(HandedIn(name="who", source="who"), [(folder / "class/who", "")])


def fail(*_, **__):
    raise OSError(28, "only 3 MB are free on the disk: make room")


def test_the_grader_fails_in_one_part_alone(course, monkeypatch):
    row = Row(name="mine", source="mine.hpp", built=True, check=Check(verdict="passed"))
    parts = {part: PartRecord(state="measured", rows=(row,)) for part in course.parts}

    def time_rows(job, rows, _seed):
        if job.part == "part1":
            fail()
        speed = Speed(threads=1, n=1, outcome="right", verdict="right")
        rows[0] = rows[0].model_copy(update={"speed": (speed,)})

    monkeypatch.setattr(measure, "time_rows", time_rows)
    measure.finish(course, Record(submission=HandedIn(name="who"), parts=parts))
    assert "only 3 MB" in (course.out / "failures/who.txt").read_text()
    record = load(Record, measured_file(course.out, "who"))
    rows = [part.rows[0] for part in record.parts.values()]
    again = "the grader failed: measure it again"
    assert [(len(one.speed), one.not_timed) for one in rows] == [(0, again), (1, "")]
    assert [problem.stage for problem in record.problems] == ["grader"]


@pytest.mark.parametrize(
    ("what", "parts"),
    [("require_space", []), ("take_in", []), ("judge_part", ["part1", "part2"])],
)
def test_a_full_disk_costs_nothing(course, tmp_path, monkeypatch, what, parts):
    monkeypatch.setattr(measure, what, fail)
    one = submission_of(tmp_path, **course.given.parts)
    record = measure.check(course, one)
    assert list(record.parts) == parts
    assert all(part.state == "not graded here" for part in record.parts.values())
    assert len({measure.check(course, one).seed for _ in range(3)}) == 3  # nobody knows the next
    assert "not the submission's fault" in record.problems[0].text
    assert "only 3 MB are free" in record.problems[0].text


def test_what_a_file_is_missing_for_is_kept(course, monkeypatch):
    """Of two versions none was used, so that what was judged without is not the student's."""
    job = SimpleNamespace(fill=lambda _: None, tree=Path("no such folder"))
    monkeypatch.setattr(measure, "Job", lambda *_: job)
    monkeypatch.setattr(measure, "build", lambda _: ([], []))
    monkeypatch.setattr(measure, "judge_rows", lambda *_: PartRecord(state="measured"))
    monkeypatch.setattr(measure.shutil, "rmtree", lambda _: None)
    for file, part, why in (
        ("mine.hpp", "part1", "which?"),
        ("mine.hpp", "part2", ""),
        ("NOTEBOOK.md", "part1", ""),
    ):
        unclear = {Place(part_folders(ROOT)[0], file, ""): "which?"}
        record, _ = measure.judge_part(course, "who", part, Taken({}, (), unclear), 7)
        assert record.unclear == why


# --- an interrupted class ---


def test_ctrl_c_ends_the_checks_at_once_and_keeps_none_of_them(course, tmp_path, monkeypatch):
    """A program that is killed is not the student's fault: that submission is checked again."""
    monkeypatch.setattr(measure, "judge_part", lambda *_: run_beside(["sleep", 20], 20))
    monkeypatch.setattr(measure, "cores", lambda: 2)
    one = submission_of(tmp_path, part1=P1)
    class_of = [
        one._replace(who=one.who.model_copy(update={"name": name})) for name in ("ada", "bo", "cy")
    ]
    below = psutil.Process().children

    def interrupt():
        while len(below(recursive=True)) < 2:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    start = time.monotonic()
    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        measure.measure_all(course, class_of)
    assert time.monotonic() - start < 10 and not below()
    assert not list(course.out.rglob("*.json"))
    assert run_beside(["true"], 60).status == 0  # what comes after it runs as before


def test_what_is_checked_is_timed_later(course, tmp_path, monkeypatch, capsys):
    """What was checked without timing is not checked again. A log says that it waits for a busy machine."""
    course = replace(course, parts=["part1"])
    one, checked = submission_of(tmp_path, part1=P1), []

    def judge_part(course, name, part, _taken, _seed):
        checked.append(name)
        (course.out / "work" / name).mkdir(parents=True, exist_ok=True)
        return PartRecord(state="measured"), []

    monkeypatch.setattr(measure, "judge_part", judge_part)
    monkeypatch.setattr(measure, "time_rows", lambda *_: time.sleep(0.3))
    monkeypatch.setattr(measure, "_LOOK_S", 0.05)
    monkeypatch.setattr(Step, "between_s", 0.1)
    measure.measure_all(replace(course, timed=False), [one])
    assert (course.out / "work/who").exists() and not capsys.readouterr().err.count("timing")
    measure.measure_all(course, [], [one])
    assert checked == ["who"] and not (course.out / "work/who").exists()
    assert "who; the machine's load is " in capsys.readouterr().err
    assert load(Record, measured_file(course.out, "who")).timings == course.timings()


# --- before a class ---


@pytest.mark.parametrize(
    ("row", "mark", "told"),
    [
        ({}, "another", "another file was compiled"),
        ({"check": scored.FAILED}, measure.MARK, "the last body is skipped"),
        ({}, measure.MARK, ""),
    ],
)
def test_nobody_is_graded_where_the_given_code_does_not_pass(
    course, monkeypatch, capsys, row, mark, told
):
    """Else it is told how long the class takes."""
    judged = parse(PartRecord, scored.part(scored.row(**row)), "judged")
    seconds = iter((0.0, 30.0))

    def judge_part(course, name, part, taken, seed):
        assert list(taken.files) == [f"{P1}/mine.hpp"]
        write_files(course.out / "work/_given/part1/bin", {"mine": mark})
        return judged, []

    monkeypatch.setattr(measure, "judge_part", judge_part)
    monkeypatch.setattr(measure, "cores", lambda: 2)
    monkeypatch.setattr(measure, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    course = replace(course, parts=["part1"], timed=False)
    if told:
        with pytest.raises(LabError, match=f"so nothing was graded: part1/mine .*{told}"):
            measure.prove(course, 40)
    else:
        measure.prove(course, 40)
        took = "40 submissions: about 10 minutes to check (30 s each, 2 at a time)\n"
        assert capsys.readouterr().err.endswith(took)
