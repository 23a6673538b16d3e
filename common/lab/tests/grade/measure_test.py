"""From a submission's files to its figures: late answers, separate parts, secrets, a failing grader."""

import json
import zipfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from nbody_lab import ROOT
from nbody_lab.building.manifest import Manifest, Part
from nbody_lab.core.model import parse
from nbody_lab.core.whole_file import write_text
from nbody_lab.grade import building, judging, measure, set_up
from nbody_lab.grade.contained import Ended
from nbody_lab.grade.intake import Submission, find_submissions, part_folders, take_in
from nbody_lab.grade.models import Check, HandedIn, PartRecord, Record, Row, Speed
from nbody_lab.grade.rubric import PartRule
from nbody_lab.grade.score import mark_part, next_ideas
from nbody_lab.tasks.evidence import Ceilings
from nbody_lab.tasks.questions import HypotheticalMachine, NotebookRows, Questions
from tests.grade import scored_for_tests as scored
from tests.grade.made_class.made_archives import write_files, zip_of
from tests.measure.ceilings_for_tests import complete

P1, P2 = "part1_standard_opti", "part2_vectorization"

# --- late answers ---

CASE = {"group": "forces", "scene": "s", "n": 7, "error": None, "limit": 1, "detail": ""}
LATE = {**CASE, "answer": "late", "verdict": "failed"}
WRONG = {**CASE, "diagnosis": "skips a body", "verdict": "failed"}
NOT_ASKED = {**CASE, "diagnosis": "", "verdict": "not run"}
USED_UP = "it was not done in 120 s of wall time: is it slow, or was the machine busy?"
STOPPED = "it was stopped after 40 s"


class Checker:
    """An allowance that writes a checker's results, one of `answers` per call."""

    used_up = USED_UP

    def __init__(self, *answers: list | str) -> None:
        self.answers, self.count = list(answers), 0

    def run(self, argv, _):
        self.count += 1
        answer = self.answers.pop(0)
        if isinstance(answer, str):
            return None, "", answer
        verdict = "failed" if answer else "passed"
        row = {"verdict": verdict, "as_expected": not answer, "cases": answer}
        result = {"tolerance": "standard", "precision": "float", "implementations": [row]}
        Path(argv[-1]).write_text(json.dumps(result))
        return 0, "", ""


@pytest.mark.parametrize(
    ("busy", "answers", "verdicts"),
    [
        (False, ([LATE, NOT_ASKED], []), "failed passed"),
        (False, ([LATE], [LATE]), "failed failed"),
        (False, (STOPPED, []), "failed passed"),
        (False, (STOPPED, STOPPED), "failed failed"),
        (False, ([LATE], USED_UP), "failed not checked"),
        (False, ([WRONG, LATE],), "failed failed"),
        (False, ([],), "passed passed"),
        (False, (USED_UP,), "not checked not checked"),
        # An honest program may wait for a core: for a person, not 0 points.
        (True, ([LATE], [LATE]), "failed not checked"),
        (True, (STOPPED, STOPPED), "failed not checked"),
        (True, (STOPPED, []), "failed passed"),
        (True, ([WRONG],), "failed failed"),
    ],
)
def test_what_came_late_is_asked_again_alone(tmp_path, monkeypatch, busy, answers, verdicts):
    monkeypatch.setattr(judging.Neighbours, "keep_busy", lambda _: busy)
    manifest, checker = tmp_path / "manifest.json", Checker(*answers)
    course = SimpleNamespace(programs=Path("bin"), processes=lambda _: 1)
    job = building.Job(course, None, None, checker, "part1")
    first = judging.check_row(job, manifest, "mine", 7)
    rows = [Row(name="mine", source="", check=first)]
    judging.check_alone(job, manifest, rows, 7)
    assert f"{first.verdict} {rows[0].check.verdict}" == verdicts
    assert checker.count == len(answers)


def test_the_checker_says_it_so():
    subject = (ROOT / "common/check/subject.cpp").read_text()
    assert f'"{judging.NOT_IN_TIME}' in subject


# --- parts ---


def test_flags_of_another_part_stay_away():
    folders = ("part1_words", "part2_words")
    names = [f"{folder}/{name}" for folder in folders for name in ("mine.hpp", "flags.txt")]
    files = {name: Path(name) for name in names}
    kept = measure.files_of_part(files, "part2_words")
    assert set(files) - set(kept) == {"part1_words/flags.txt"}


@pytest.fixture
def course(tmp_path):
    return scored.course_in(tmp_path, parts=("part1", "part2"))


def test_the_grader_fails_in_one_part_alone(course, monkeypatch):
    row = Row(name="mine", source="mine.hpp", built=True, check=Check(verdict="passed"))
    parts = {part: PartRecord(state="measured", rows=(row,)) for part in course.parts}
    judged = Record(submission=HandedIn(name="who"), parts=parts)
    write_text(course.judged("who"), judged.model_dump_json())

    def time_part(_work, _isolation, part, rows):
        if part == "part1":
            raise OSError("no space left")
        speed = Speed(threads=1, n=1, scene="", outcome="right", verdict="right")
        rows[0] = rows[0].model_copy(update={"speed": (speed,)})

    monkeypatch.setattr(measure, "time_part", time_part)
    record = measure.time_submission(course, "who")
    assert "no space left" in (course.out / "failures/who.txt").read_text()
    rows = [part.rows[0] for part in record.parts.values()]
    assert [(len(one.speed), one.not_timed) for one in rows] == [
        (0, "the grader failed: measure it again"),
        (1, ""),
    ]
    assert [problem.stage for problem in record.problems] == ["grader"]


def test_a_full_disk_grades_nothing(course, monkeypatch):
    def is_full(_):
        raise OSError(28, "only 3 MB are free on the disk: make room")

    monkeypatch.setattr(measure, "require_space", is_full)
    judged = measure.judge(course, Submission(HandedIn(name="who")))
    assert judged.parts == {}
    assert "the grader failed here, not the submission's fault" in judged.problems[0].text
    assert "only 3 MB are free" in judged.problems[0].text


# --- several versions of a file that differ ---

_RULE = {
    "correctness": {"points": 20},
    "worksheet": {"points": 10},
    "notebook": {"points": 10, "rows_for_all": 4},
}


def unclear_of(folder, files):
    write_files(folder / "class/anna", files)
    (one,) = find_submissions(folder / "class")
    return take_in(one, folder / "out", ["part1"], part_folders(ROOT)).unclear


_BROKEN = {"built": False, "check": None, "build_problem": "tiles.hpp: No such file"}


@pytest.mark.parametrize(
    ("file", "row", "left"),
    [
        ("mine.hpp", {"untouched": True}, {"correctness"}),
        # There is no given one: without it only the unchanged mine.hpp is there.
        ("mine_b.hpp", {"untouched": True}, {"correctness"}),
        ("worksheet.hpp", {}, {"worksheet"}),
        ("worksheet.hpp", _BROKEN, {"worksheet"}),
        ("NOTEBOOK.md", {}, set()),
        # The row was built without them: what does not compile may do so for that reason.
        ("tiles.hpp", _BROKEN, {"correctness"}),
        ("tiles.hpp", {}, set()),
        ("flags.txt", {}, {"correctness"}),
        ("flags.txt", {"untouched": True}, set()),
    ],
)
def test_a_person_chooses_among_versions(tmp_path, file, row, left):
    """No item gets its final points from the given file that was used instead."""
    folder = "part1_standard_opti"
    files = {f"{place}/{folder}/{file}": place for place in ("lab", "backup")}
    late = {"verdict": "passed", "is_late": True}
    unclear = unclear_of(tmp_path, {f"{folder}/mine_a.hpp": "x", **files})
    judged = parse(PartRecord, scored.part(scored.row(**{"check": late} | row)), "judged")
    found = measure.leave_to_person(judged, unclear)
    # What is late is judged once more, alone: not what nobody has chosen yet.
    left_open = [one for one in found.rows if one.check and "2 versions" in one.check.problem]
    assert not any(one.check.is_late for one in left_open)
    record = Record(submission=HandedIn(name="who"), parts={"part1": found})
    marks = mark_part("part1", record, PartRule.model_validate(_RULE))
    assert {mark.item for mark in marks if mark.state == "for a person"} == left
    assert all("2 versions of" in mark.why for mark in marks if mark.item in left)


def test_a_wrong_file_name_is_not_the_given_code(tmp_path):
    """What is judged without the file is not the student's: neither wrong, nor unchanged."""
    unclear = unclear_of(tmp_path, {f"{P1}/my_solution.hpp": "x", f"{P1}/worksheet.hpp": "x"})
    judged = parse(PartRecord, scored.part(scored.untouched()), "judged")
    found = measure.leave_to_person(judged, unclear)
    record = Record(submission=HandedIn(name="who"), parts={"part1": found})
    marks = mark_part("part1", record, scored.RUBRIC.parts["part1"])
    why = f"was it meant to be {P1}/my_solution.hpp?"
    asked = [mark.item for mark in marks if mark.state == "for a person" and why in mark.why]
    assert asked == ["correctness", *(one.item for one in scored.RUBRIC.parts["part1"].speed)]
    assert found.rows[0].counts is None and not [*next_ideas(record, scored.RUBRIC)]


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
    about = Questions("part1", machine, (NotebookRows("14", wanted=4),))
    asked = []
    monkeypatch.setattr(judging, "load_questions", lambda folder: asked.append(folder) or about)
    files = {"notebook.csv": text, "worksheet_answers": ""}
    write_files(tmp_path / "part", files)
    box = SimpleNamespace(
        tree=tmp_path,
        counts=tmp_path / "counts",
        pristine=SimpleNamespace(parts={"part1": "part"}),
        program=lambda *_: tmp_path / "part/worksheet_answers",
        to_run=tuple,
    )
    answers = "".join(f"{size} text authors A\n" for size in (0, 1))
    answers = f"the answers of a worksheet:\n{answers}all of them\n"
    ended = Ended(0, "", answers.encode(), b"")
    references = SimpleNamespace(file=tmp_path / "manifest.json")
    course = SimpleNamespace(processes=lambda _: 1, references=references)
    job = building.Job(course, box, SimpleNamespace(run=lambda *_: ended), None, "part1")
    monkeypatch.setattr(judging, "write_manifest", lambda *_: Path())
    part = judging.judge_part(job, [], 7, why)
    assert asked == [ROOT / "part"]  # never those in the submission's own tree
    record = Record(submission=HandedIn(name="who"), parts={"part1": part})
    rule = {name: _RULE[name] for name in ("worksheet", "notebook")}
    marks = mark_part("part1", record, PartRule.model_validate(rule))
    assert [mark.state for mark in marks] == states
    assert sum(mark.maximum for mark in marks) == 20 and not any(mark.points for mark in marks)


# --- uploads that went wrong: for a person ---

NO_FILE = "the upload is empty: there is no file in it"
NOT_ONE = "no file in it is one that is handed in"
UPLOADS = {
    "an empty archive": ("anna.zip", zip_of(), NO_FILE),
    "a folder with notes alone": ("anna/notes.docx", b"x", NOT_ONE),
    "a file of another part": (f"anna/{P2}/mine.hpp", b"x", ""),
}


@pytest.mark.parametrize(("file", "content", "why"), UPLOADS.values(), ids=UPLOADS)
def test_an_upload_without_anything_to_grade(course, tmp_path, file, content, why):
    """It is likelier an accident than all that somebody did."""
    tree = SimpleNamespace(tree=ROOT, parts={"part1": P1})
    course = replace(course, pristine=tree, parts=["part1"])
    write_files(tmp_path / "class", {file: content})
    (one,) = find_submissions(tmp_path / "class")
    record = measure.judge(course, one)
    assert [problem.text for problem in record.problems] == ([why] if why else [])
    marks = mark_part("part1", record, scored.RUBRIC.parts["part1"])
    points, state = (None, "for a person") if why else (0, "graded")
    assert {(mark.points, mark.state) for mark in marks} == {(points, state)}
    assert all(why in mark.why or mark.why == "to be marked by hand" for mark in marks)


def test_a_damaged_worksheet_costs_nothing(course, tmp_path, monkeypatch):
    """Damaged in its archive: nobody knows its answers."""
    tree = SimpleNamespace(tree=ROOT, parts={"part1": P1})
    known = SimpleNamespace(of_part=lambda *_: ["mine"], part=lambda _: None)
    course = replace(course, pristine=tree, references=known, parts=["part1"])
    members = [(f"{P1}/mine.hpp", b"x"), (f"{P1}/worksheet.hpp", b"0123456789")]
    archive = zip_of(*members, compression=zipfile.ZIP_STORED)
    write_files(tmp_path / "class", {"anna.zip": archive.replace(b"0123456789", b"01234X6789")})
    (one,) = find_submissions(tmp_path / "class")
    judged = parse(PartRecord, scored.part(scored.row()), "judged")

    def judge_part(work, _isolation, _part):
        return measure.leave_to_person(judged, work.taken.unclear)

    monkeypatch.setattr(measure, "judge_part", judge_part)
    record = measure.judge(course, one)
    why = f"{P1}/worksheet.hpp: cannot be read: Bad CRC"
    assert [problem.text.startswith(why) for problem in record.problems] == [True]
    marks = {mark.item: mark for mark in mark_part("part1", record, scored.RUBRIC.parts["part1"])}
    assert marks["worksheet"].state == "for a person" and why in marks["worksheet"].why
    assert (marks["correctness"].points, marks["notebook"].points) == (10, 10)


# --- before a class ---


def test_nobody_knows_the_seed_of_another_try(course):
    submission = Submission(HandedIn(name="who"))
    seeds = {measure.start_record(course, submission).seed for _ in range(9)}
    assert len(seeds) == 9


def test_what_is_proved_is_said_before_it_takes_its_time(course, capsys):
    set_up.prove(replace(course, parts=(), pristine=SimpleNamespace(parts={})))
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("lab: the given code is built and checked in the sandbox first")
    assert second.startswith("lab: the given code passes in the sandbox (none; ")


CPU_ROW = {"kind": "flops", "precision": "float", "threads": 1, "best": 1e11, "where": "cpu"}
GPU_ROW = {**CPU_ROW, "where": "gpu 0", "threads": 0}


@pytest.mark.parametrize(
    ("rows", "gpu", "parts", "unseen"),
    [
        ([CPU_ROW], "a GPU", ["part1", "part3"], ["part3"]),
        ([CPU_ROW, GPU_ROW], "a GPU", ["part1", "part3"], []),
        ([], "a GPU", ["part1", "part3"], ["part1", "part3"]),
        ([CPU_ROW], "", ["part1", "part3"], []),
    ],
)
def test_parts_whose_impossible_rates_go_unseen(rows, gpu, parts, unseen):
    references = Manifest.__new__(Manifest)
    references.parts = (Part(name="part1", device="cpu"), Part(name="part3", device="gpu"))
    ceilings = Ceilings(rows=tuple(map(complete, rows)))
    assert set_up._parts_without_bound(references, parts, ceilings, gpu) == unseen


def test_unseen_rates_are_told(capsys):
    machine = set_up._describe_machine("a GPU", ["part3"])
    assert machine.no_bound == "part3"
    assert "impossible rates of part3 go unseen until you measure" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("count", "jobs", "about"),
    [
        (100, 2, "100 submissions: about 18 minutes (6 s each to build and check, 2 at a time"),
        (3, 2, "3 submissions: about a minute"),
        (2, 2, "2 submissions: about seconds"),
    ],
)
def test_how_long_a_class_takes(count, jobs, about):
    assert set_up.describe_duration(count, jobs, 6, 8).startswith(about)
