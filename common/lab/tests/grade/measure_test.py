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
from nbody_lab.grade import measure
from nbody_lab.grade.intake import Submission, find_submissions, part_folders, take_in
from nbody_lab.grade.models import Check, HandedIn, PartRecord, Record, Row, Speed
from nbody_lab.grade.records import measured_file
from nbody_lab.grade.rubric import PartRule
from nbody_lab.grade.sandbox import Ended, Sandbox, run_beside
from nbody_lab.grade.score import mark_part
from nbody_lab.tasks.hypothetical_machine import HypotheticalMachine, seal_of
from nbody_lab.tasks.questions import Choice, NotebookRows, Questions
from tests.grade import scored_for_tests as scored
from tests.grade.made_class.made_archives import write_files
from tests.measure.count_file_test import printed

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


# --- counts ---


@pytest.mark.parametrize(
    ("written", "flops", "problem"),
    [
        (printed(div=5), "6 n^2 + 5", ""),
        (printed(escapes=5), "", "part1/mine cannot be counted: compute_accelerations() turns 5"),
        (printed().splitlines()[0], "", "its last words"),
        ("", "", "its last words"),
        ("[" * 100_000, "", "its last words"),
    ],
)
def test_what_is_no_count_is_no_count(tmp_path, monkeypatch, written, flops, problem):
    """Whatever the student's program wrote."""
    monkeypatch.setattr(Sandbox, "run", lambda *_: Ended(1, "", written, "x\nits last words\n"))
    job = SimpleNamespace(program=Path, left=lambda: 9, sandbox=Sandbox, folder=tmp_path)
    found = measure.count_row(job, Row(name="mine", source=""))
    assert found.flops == flops and found.problem.startswith(problem)
    assert (tmp_path / "counts/mine_count.json").exists() == bool(flops)


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
    return Submission(
        HandedIn(name="who", source="who", kind="folder"), [(folder / "class/who", "")]
    )


def fail(*_, **__):
    raise OSError(28, "only 3 MB are free on the disk: make room")


def test_the_grader_fails_in_one_part_alone(course, monkeypatch):
    row = Row(name="mine", source="mine.hpp", built=True, check=Check(verdict="passed"))
    parts = {part: PartRecord(state="measured", rows=(row,)) for part in course.parts}

    def time_rows(job, rows, _seed):
        if job.part == "part1":
            fail()
        speed = Speed(threads=1, n=1, scene="", outcome="right", verdict="right")
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
    monkeypatch.setattr(measure, "leave_to_person", lambda part, _: part)
    one = submission_of(tmp_path, **course.given.parts)
    record = measure.check(course, one)
    assert list(record.parts) == parts
    assert all(part.state == "not graded here" for part in record.parts.values())
    assert len({measure.check(course, one).seed for _ in range(3)}) == 3  # nobody knows the next
    assert "not the submission's fault" in record.problems[0].text
    assert "only 3 MB are free" in record.problems[0].text


# --- several versions of a file that differ ---

_RULE = {
    "correctness": {"points": 20},
    "worksheet": {"points": 10},
    "notebook": {"points": 10, "rows_for_all": 4},
}
_BROKEN = {"built": False, "check": None, "build_problem": "tiles.hpp: No such file"}


@pytest.mark.parametrize(
    ("file", "row", "left"),
    [
        ("mine.hpp", {"untouched": True}, {"correctness"}),
        ("mine_b.hpp", {"untouched": True}, {"correctness"}),
        ("worksheet.hpp", {}, {"worksheet"}),
        # The row was built without them: what does not compile may do so for that reason.
        ("tiles.hpp", _BROKEN, {"correctness"}),
        ("tiles.hpp", {}, set()),
        ("flags.txt", {}, {"correctness"}),
        ("flags.txt", {"untouched": True}, set()),
    ],
)
def test_a_person_chooses_among_versions(tmp_path, file, row, left):
    """No item gets its final points from the given file that was used instead."""
    files = {f"{place}/{P1}/{file}": place for place in ("lab", "backup")}
    write_files(tmp_path / "class/anna", {f"{P1}/mine_a.hpp": "x", **files})
    (one,) = find_submissions(tmp_path / "class")
    unclear = take_in(one, tmp_path / "out", ["part1"], part_folders(ROOT)).unclear
    judged = parse(PartRecord, scored.part(scored.row(**row)), "judged")
    found = measure.leave_to_person(judged, unclear)
    record = Record(submission=HandedIn(name="who"), parts={"part1": found})
    marks = mark_part("part1", record, PartRule.model_validate(_RULE))
    assert {mark.item for mark in marks if mark.state == "for a person"} == left


@pytest.mark.parametrize(
    ("text", "why", "states"),
    [
        ("", "", ["graded"] * 2),
        ("", "2 versions of notebook.csv differ", ["for a person"] * 2),
        ("no table", "", ["for a person"] * 2),
    ],
)
def test_a_notebook_that_nobody_can_read_costs_nothing(tmp_path, monkeypatch, text, why, states):
    """Neither its own points, nor those of the worksheet's line about it."""
    machine = HypotheticalMachine(lambda draw: {}, "")
    choice = Choice("1", "", "it", seal=seal_of("it", "d"), points=0.0)
    about = Questions("part1", machine, (NotebookRows("14", wanted=4), choice))
    asked = []
    monkeypatch.setattr(measure, "load_questions", lambda folder: asked.append(folder) or about)
    write_files(tmp_path / "tree/part", {"notebook.csv": text})
    answers = "".join(f"{size} text authors A\n{size} letter it {ord('d')}\n" for size in (0, 1))
    answers = f"the answers of a worksheet:\n{answers}all of them\n"
    monkeypatch.setattr(Sandbox, "run", lambda *_: Ended(0, "", answers, ""))
    monkeypatch.setattr(measure, "write_manifest", lambda *_: Path())
    references = SimpleNamespace(file=tmp_path / "manifest.json")
    course = SimpleNamespace(processes=lambda _: 1, references=references)
    job = SimpleNamespace(course=course, tree=tmp_path / "tree", folder=tmp_path, part="part1")
    job.place, job.programs, job.program = "part", tmp_path, Path
    part = measure.judge_rows(job, [], 7, why)
    assert asked == [ROOT / "part"]  # never those in the submission's own tree
    assert part.worksheet.lines[1].state == "right"  # the grader alone judges by a seal
    record = Record(submission=HandedIn(name="who"), parts={"part1": part})
    rule = {name: _RULE[name] for name in ("worksheet", "notebook")}
    marks = list(mark_part("part1", record, PartRule.model_validate(rule)))
    assert [mark.state for mark in marks] == states
    assert sum(mark.maximum for mark in marks) == 20 and not any(mark.points for mark in marks)


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


def test_what_is_checked_is_not_checked_again(course, tmp_path, monkeypatch):
    """By a run that was interrupted, or by one without timing; a record that is deleted is measured anew."""
    course = replace(course, parts=["part1"])
    one, checked = submission_of(tmp_path, part1=P1), []

    def judge_part(course, name, part, _taken, _seed):
        checked.append(name)
        (course.out / "work" / name).mkdir(parents=True, exist_ok=True)
        return PartRecord(state="measured"), []

    def measure_with(timed):
        measure.measure_all(replace(course, timed=timed), [one])
        assert measured_file(course.out, "who").exists()
        assert (course.out / "work/who").exists() != timed
        return len(checked)

    monkeypatch.setattr(measure, "judge_part", judge_part)
    monkeypatch.setattr(measure, "time_rows", lambda *_: None)
    measure.check(course, one)
    assert (measure_with(timed=False), measure_with(timed=True)) == (1, 1)
    measured_file(course.out, "who").unlink()
    assert measure_with(timed=True) == 2


# --- before a class ---


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({}, "another file was compiled"),
        ({"built": False, "build_problem": "no xsimd"}, "no xsimd"),
        ({"check": scored.FAILED}, "the last body is skipped"),
    ],
)
def test_nobody_is_graded_where_the_given_code_does_not_pass(course, monkeypatch, row, told):
    judged = parse(PartRecord, scored.part(scored.row(**row)), "judged")

    def judge_part(course, name, part, taken, seed):
        assert list(taken.files) == [f"{P1}/mine.hpp"]
        text = measure.MARK if "check" in row else "another"
        write_files(
            course.out / "work/_given/part1/bin", {"mine": text} if judged.rows[0].built else {}
        )
        return judged, []

    monkeypatch.setattr(measure, "judge_part", judge_part)
    with pytest.raises(LabError, match=f"so nothing was graded: part1/mine .*{told}"):
        measure.prove(replace(course, parts=["part1"]), 1)


def test_how_long_a_class_takes_is_told(course, monkeypatch, capsys):
    judged = parse(PartRecord, scored.part(scored.row()), "judged")
    seconds = iter((0.0, 30.0))

    def judge_part(course, *_, **__):
        write_files(course.out / "work/_given/part1/bin", {"mine": measure.MARK})
        return judged, []

    monkeypatch.setattr(measure, "judge_part", judge_part)
    monkeypatch.setattr(measure, "cores", lambda: 2)
    monkeypatch.setattr(measure, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    measure.prove(replace(course, parts=["part1"]), 40)
    assert "40 submissions: about 10 minutes to check (30 s each, 2 at a" in capsys.readouterr().err
