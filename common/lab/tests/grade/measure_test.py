"""From a submission's files to its record: building, late answers, a failing grader, Ctrl-C, the proof; the clock's figures: noise, doubts, shares."""

import json
import os
import signal
import subprocess
import threading
import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from nbody_lab import ROOT
from nbody_lab.building.manifest import Implementation, Program, manifest_text
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import load, parse
from nbody_lab.grade import building, measure, timing
from nbody_lab.grade.course import ON_GPU, Given, copy_given, measured_file
from nbody_lab.grade.intake import Submission
from nbody_lab.grade.models import Check, HandedIn, PartRecord, Record, Row, Setup, Speed
from nbody_lab.grade.sandbox import Ended, Sandbox, run_beside
from nbody_lab.measure.bench_file import BenchRow
from tests import write_files
from tests.grade import scored_for_tests as scored
from tests.grade.scored_for_tests import P1, course_in

CASE = {"group": "forces", "scene": "s", "n": 7, "error": None, "limit": 1, "detail": ""}
MADE = {"programs": (Program(precision="float", program="mine"),)}
RIGHT_CASE = {**CASE, "error": 0, "verdict": "passed"}
LATE_CASE = {**CASE, "answer": "late", "verdict": "failed"}
WRONG_CASE = {**CASE, "diagnosis": "skips a body", "verdict": "failed"}
NOT_KNOWN = {**CASE, "diagnosis": "", "verdict": "failed"}
STOPPED, NO_TIME, NOTHING = "wall time", "no time left", "no file"


@pytest.mark.parametrize(
    ("answer", "verdict", "problem"),
    [
        ([], "passed", ""),
        ([NOT_KNOWN, LATE_CASE, WRONG_CASE], "failed", ""),
        # An honest program may wait for a core: for a person, not 0 points.
        ([RIGHT_CASE, LATE_CASE], "not checked", "no answer in time"),
        (STOPPED, "not checked", "no answer in time"),
        (NO_TIME, "not checked", "not done in 120 s"),
        (NOTHING, "not checked", "what happened"),  # such as without memory for the checker
    ],
)
def test_only_what_is_wrong_is_wrong(tmp_path, monkeypatch, answer, verdict, problem):
    file = tmp_path / "manifest.json"
    file.write_text(manifest_text([Implementation(part="part1", name="mine", kind="mine", **MADE)]))

    def check(argv, _wall_s):
        if answer in (STOPPED, NO_TIME):
            return Ended(137, "wall time", "", "")
        if answer != NOTHING:
            line = {"program": 0, "cases": answer or [RIGHT_CASE], "left_out": [], "expect": ""}
            line |= {"tolerance": "standard", "force_limit": 1e-5, "most_informative_case": None}
            argv[-1].write_text('{"done": 1}\n' + json.dumps(line) + '\n{"cut')
        return Ended(0, "", "", "check: what happened\n")

    monkeypatch.setattr(building, "run_beside", check)
    course = SimpleNamespace(programs=Path("bin"), processes=lambda _: 1)
    job = SimpleNamespace(course=course, part="part1", folder=tmp_path, used_up="not done in 120 s")
    job.left = lambda: 1 if answer == NO_TIME else 1e9
    found = measure.check_row(job, "mine", 7)
    assert found.verdict == verdict and problem in found.problem
    assert verdict != "failed" or found.mistake == "skips a body"


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

    def time_rows(job, rows, _seed, setups):
        if job.part == "part1":
            fail()
        speed = Speed(threads=1, n=1, outcome="right", verdict="right")
        rows[0] = rows[0].model_copy(update={"speed": (speed,)})
        return setups

    monkeypatch.setattr(measure, "time_rows", time_rows)
    write_files(course.out, {"work/who/part2/bin/mine": ""})
    measure.finish(course, Record(submission=HandedIn(name="who"), parts=parts))
    assert not (course.out / "work/who").exists()  # so that the next run measures all of it
    assert "only 3 MB" in (course.out / "failures/who.txt").read_text()
    record = load(Record, measured_file(course.out, "who"))
    rows = [part.rows[0] for part in record.parts.values()]
    again = "the grader failed: measure it again"
    assert [(len(one.speed), one.not_timed) for one in rows] == [(0, again), (1, "")]
    assert [problem.stage for problem in record.problems] == ["grader"]
    assert [record.timings[part] for part in parts] == [(), course.timings()["part2"]]


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


@pytest.mark.parametrize(
    ("row", "mark", "told"),
    [
        ({}, "another", "another file was compiled"),
        ({"check": scored.FAILED}, measure.MARK, "the last body is skipped"),
        ({}, measure.MARK, ""),
    ],
)
def test_nobody_is_graded_where_the_given_code_does_not_pass(course, monkeypatch, row, mark, told):
    judged = parse(PartRecord, scored.part(scored.row(**row)), "judged")

    def judge_part(course, name, part, taken, seed):
        assert list(taken.files) == [f"{P1}/{file}" for file in ("worksheet.hpp", "mine.hpp")]
        write_files(course.out / "work/_given/part1/bin", {"mine": mark})
        return judged, []

    monkeypatch.setattr(measure, "judge_part", judge_part)
    course = replace(course, parts=["part1"], timed=False)
    if told:
        with pytest.raises(LabError, match=f"so nothing was graded: part1/mine .*{told}"):
            measure.prove(course)
    else:
        measure.prove(course)


LOG = "FAILED: x.o \n/usr/bin/c++ -c x\npart1_words/mine.hpp:1:1: error: 'first' is missing\n"


@pytest.fixture
def job(tmp_path):
    """A part over a given lab that is built."""
    given = Given(tmp_path / "root", tmp_path / "given", {"part1": "part1_words"})
    part = ("naive.hpp", "mine.hpp", "worksheet.hpp")
    write_files(given.tree / "part1_words", dict.fromkeys(part, "given"))
    write_files(given.build, {"CMakeCache.txt": ""})
    job = building.Job(replace(course_in(tmp_path / "out"), given=given), "ada", "part1")
    job.fill({})
    return job


@pytest.mark.parametrize("handout", [False, True], ids=["git", "handout"])
def test_changes_in_an_instructors_copy_do_not_count_as_given(tmp_path, handout):
    root, names = tmp_path / "root", ("mine.hpp", "naive.hpp")
    for folder in (root, root / "common/given") if handout else (root,):
        write_files(folder / "part1_words", {name: f"given {name}" for name in names})
    if not handout:
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        for argv in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "given"]):
            subprocess.run(["git", "-C", str(root), *argv], check=True)
    write_files(root / "part1_words", dict.fromkeys([*names, "mine_2.hpp"], "changed"))
    copy_given(root, tmp_path / "given")
    copied = (tmp_path / "given/part1_words").iterdir()
    assert {file.name: file.read_text() for file in copied} == {
        name: f"given {name}" for name in names
    }


def test_flags_of_another_part_which_can_stop_cmake_stay_away(tmp_path, job):
    write_files(tmp_path, {"theirs": "theirs"})
    names = ("part1_words/mine.hpp", "part1_words/flags.txt", "part2_words/flags.txt")
    job.fill(dict.fromkeys(names, tmp_path / "theirs"))
    assert [(job.tree / name).exists() for name in names] == [True, True, False]
    assert job.bring_back("mine.hpp") and not job.bring_back("mine.hpp")


def test_includes_of_the_checker_are_for_a_person(job):
    # Of a long file: a student's blank lines cost the grader no time.
    code = "\n" * 190_000 + '#include <vector>\n # include "core/reference.hpp"\n'
    write_files(job.tree / job.place, {"mine.hpp": code})
    begin = time.process_time()
    (problem,) = building.find_foreign_includes(job)
    assert time.process_time() - begin < 5  # quadratic it took 34
    assert problem.text.startswith("part1_words/mine.hpp includes core/reference.hpp, which")


@pytest.mark.parametrize(
    ("log", "why", "told"),
    [
        (LOG, "", "'first' is missing"),
        ("", "cpu time", "building was stopped: too much cpu time"),
        ("", "memory", "building was stopped: too much memory"),
        ("", "wall time", TimeoutError),  # of a machine that is too busy
        ("", "full", OSError),
    ],
)
def test_what_is_not_the_students_fault_costs_no_points(job, monkeypatch, log, why, told):
    """The grader fails instead, and a person sees it."""
    monkeypatch.setattr(Sandbox, "run", lambda *_: Ended(1 if log else 137, why, log, ""))
    if why == "full":
        monkeypatch.setattr("nbody_lab.grade.course.LEAST_FREE", 1 << 62)
    write_files(job.tree / job.place, {"mine.hpp": "x", "mine_b.hpp": "x"})
    if isinstance(told, str):
        rows, _ = building.build(job)
        assert [(row.name, row.built) for row in rows] == [("mine", False), ("mine_b", False)]
        assert told in rows[0].build_problem
        assert job.programs.is_dir() and job.program("mine") is None
    else:
        with pytest.raises(told, match="make room" if why == "full" else "too busy to build"):
            building.build(job)


NINJA = f"ninja: error: {building._NOT_CONFIGURED}: subcommand failed"


@pytest.mark.parametrize("said", [(NINJA, ""), ("", NINJA)], ids=["before 1.11", "later"])
def test_bad_flags_cost_nothing_else(job, monkeypatch, said):
    """They stop CMake: the given ones take their place, so that the worksheet is judged."""
    flags, built = job.tree / job.place / "flags.txt", []
    write_files(job.given.tree / job.place, {"flags.txt": "given"})
    write_files(flags.parent, {"flags.txt": "broken", "mine.hpp": "x"})

    def run(_, argv):
        built.append((argv[-1], flags.read_text()))
        return Ended(1, "", *said)

    given = Implementation(part="part1", name="mine", kind="mine", flags=("-O3",))
    (job.build / "manifest.json").write_text(manifest_text([given]))
    monkeypatch.setattr(Sandbox, "run", run)
    (row,), _ = building.build(job)
    assert built == [("part1_worksheet_program", text) for text in ("broken", "given")]
    assert (row.built, row.flags) == (False, "")  # the given ones are not the student's


ONE, TWO = (Setup(threads=threads, n=2000) for threads in (1, 2))
TOO_BUSY = BenchRow(outcome="busy", verdict="too busy to measure")


def row(median, spread=0.02, **more):
    """`spread`: the interquartile range relative to the median."""
    half = median * spread / 2
    rates = {"median": median, "lower_quartile": median - half, "upper_quartile": median + half}
    data = {"interactions_per_s": rates, "rounds": 5, "cores_used": 1.0, **more}
    return BenchRow.model_validate(data)


def speed(mine, setup=ONE, processes=1, **beside):
    timed = {"naive": row(1e8), "best": row(8e8), **beside, "mine": mine}
    facts = {"solution": lambda _: "best", "processes": lambda _: processes}
    course = SimpleNamespace(**facts)
    return timing.speed_of("mine", setup, timed, course, "part1")


def test_shares_are_of_the_same_minutes():
    found = speed(row(4e8))
    assert (found.times_naive, found.share_of_solution, found.solution) == (4, 0.5, "best")
    for mine in (BenchRow(), BenchRow(outcome="wrong", verdict="WRONG"), row(0.0)):
        assert (speed(mine).times_naive, speed(mine).noisy) == (None, False)


def of_rounds(median, seconds):
    beside = [0] * len(seconds)
    return row(median, seconds_of_rounds=seconds, cores_of_others_in_rounds=beside)


def rounds_beside(*best):
    """Of mine, four times as fast as naive, beside these of the solution."""
    mine, naive = of_rounds(4e8, [0.2] * 3), of_rounds(1e8, [0.8] * 3)
    return {"mine": mine, "naive": naive, "best": of_rounds(8e8, best)}


WAITS, TWO_CORES = row(4e8, cores_used=0.1), row(4e8, cores_used=1.9)


@pytest.mark.parametrize(
    ("timed", "told"),
    [
        ({"mine": row(4e8, 0.1)}, ""),
        ({"mine": row(4e8, 0.2)}, "noisy"),
        ({"mine": row(4e8, 0.01), "setup": TWO, "best": row(8e8, 0.4)}, "noisy"),
        ({"mine": TOO_BUSY}, "noisy"),
        ({"mine": row(4e8), "naive": TOO_BUSY}, "noisy"),
        # A processor that waits for a GPU is no noise.
        ({"mine": WAITS}, "noisy"),
        ({"mine": WAITS, "processes": ON_GPU}, ""),
        # Rounds and medians must say the same; the median of all requests says 0.5.
        (rounds_beside(0.1, 0.1, 0.1), ""),
        (rounds_beside(0.12, 0.12, 0.12), "noisy"),
        (rounds_beside(0.06, 0.1, 0.14), "noisy"),  # each round another ratio
        # What is too good is left to a person: threads that were not asked for, force evaluations that were left out.
        ({"mine": row(4e8, cores_used=1.2)}, ""),
        ({"mine": TWO_CORES}, "it used 1.9 cores where 1 thread was asked for"),
        ({"mine": TWO_CORES, "setup": TWO}, ""),
        ({"mine": row(8.6e8)}, ""),
        ({"mine": row(12.8e8)}, "1.6 times the solution's speed"),
    ],
)
def test_noise_and_doubts(timed, told):
    found = speed(**timed)
    assert ("noisy" if found.noisy else found.doubt) == told


RESULT = {"naive": row(1e8), "best": row(8e8), "mine": row(4e8), "mine_b": row(4e8)}
LATE = BenchRow(outcome="late", verdict="no answer in time: ...")
USED_UP = "it was not done in 120 s"


def judged(name="mine", verdict="passed", problem="", **more):
    check = Check(verdict=verdict, problem=problem)
    data = {"name": name, "source": f"{name}.hpp", "built": True, "check": check, **more}
    return Row.model_validate(data)


OTHERS = [
    judged("mine_wrong", "failed"),
    judged("mine_given", untouched=True),
    judged("mine_late", "not checked", problem=USED_UP),
    judged("mine_broken", "not checked", built=False),
]


def replace_clock(monkeypatch, answers):
    """By one that gives these answers, or raises them. Returns what it is asked: names, setup and seed."""
    waiting, heard = iter(answers), []

    def ask_clock(_, names, setup, seed):
        heard.append((names, setup, seed))
        answer = next(waiting)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(timing, "ask_clock", ask_clock)
    monkeypatch.setattr(timing, "write_manifest", lambda *_: None)
    return heard


@pytest.mark.parametrize(
    ("rows", "answers", "asked", "whys", "first"),
    [  # only right rows of one's own are timed
        ([judged(), *OTHERS], [RESULT, RESULT], "mine|mine", [""] * 5, "right right"),
        # Noise is timed again, with other questions.
        ([judged()], [RESULT | {"mine": TOO_BUSY}] * 6, "mine|" * 5 + "mine", [""], "busy busy"),
        ([judged()], [LabError(USED_UP)], "mine", [USED_UP], ""),
        # A row that gave no answer in time is not asked again.
        (
            [judged(), judged("mine_b")],
            [RESULT | {"mine": LATE}, RESULT],
            "mine mine_b|mine_b",
            ["no answer in time: no more runs", ""],
            "late",
        ),
    ],
)
def test_the_rows_of_a_submission(monkeypatch, rows, answers, asked, whys, first):
    rows, heard = list(rows), replace_clock(monkeypatch, answers)
    facts = {"solution": lambda _: "best", "processes": lambda _: 1}
    job = SimpleNamespace(part="part1", course=SimpleNamespace(**facts), allow=print)
    timing.time_rows(job, rows, 7, (ONE, TWO))
    found, seeds = [" ".join(names[2:]) for names, _, _ in heard], [one[1:] for one in heard]
    assert ("|".join(found), [one.not_timed for one in rows]) == (asked, whys)
    assert " ".join(speed.outcome for speed in rows[0].speed) == first
    assert len(set(seeds)) == len(seeds) and all(7 <= seed <= 9 for _, seed in seeds)


@pytest.mark.parametrize(
    "first",
    [
        [RESULT | {"mine": TOO_BUSY}] * 3,
        [RESULT | {"mine": row(4e8, 0.2)}] * 3,
        [LabError(USED_UP)],
    ],
    ids=["busy", "noisy", "out of time"],
)
def test_what_stayed_open_is_timed_again(course, monkeypatch, first):
    """By the next run, with the programs of this one; what is done is not."""
    heard = replace_clock(monkeypatch, [RESULT, *first, RESULT | {"mine": row(2e8)}])
    monkeypatch.setattr("nbody_lab.grade.course.cores", lambda: 2)
    best = SimpleNamespace(part=lambda _: None, of_part=lambda *_: [SimpleNamespace(name="best")])
    course, work = replace(course, parts=["part1"], references=best), course.out / "work/who"
    write_files(work, {"part1/bin/mine": ""})
    record = Record(
        submission=HandedIn(name="who"),
        parts={"part1": PartRecord(state="measured", rows=(judged(),))},
    )
    for run, is_open in enumerate([True, False]):
        measure.finish(course, record)
        record = load(Record, measured_file(course.out, "who"))
        assert (len(record.timings["part1"]), work.is_dir()) == (2 - is_open, is_open), run
    assert [setup.threads for _, setup, _ in heard] == [1, *[2] * len(first), 2]
    (mine,) = record.parts["part1"].rows
    assert [one.interactions_per_s for one in mine.speed] == [4e8, 2e8] and not mine.not_timed


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({f"{P1}/worksheet.hpp": "x"}, ""),
        ({}, "no worksheet was handed in"),
        ({f"{P1}/worksheet.hpp": "x", f"old/{P1}/worksheet.hpp": "y"}, "2 versions of"),
    ],
)
def test_the_given_worksheet_is_nobodys(course, tmp_path, monkeypatch, files, problem):
    given = parse(PartRecord, scored.part(scored.row()), "judged")
    monkeypatch.setattr(building.Job, "fill", lambda job, _: job.tree.mkdir(parents=True))
    monkeypatch.setattr(measure, "build", lambda _: ([], []))
    monkeypatch.setattr(measure, "judge_rows", lambda *_: given)
    write_files(tmp_path / "class/who", {f"{P1}/mine.hpp": "x"} | files)
    one = Submission(HandedIn(name="who", source="who"), [(tmp_path / "class/who", "")])
    record = measure.check(replace(course, parts=["part1"]), one)
    sheet = record.parts["part1"].worksheet
    assert sheet.problem.startswith(problem) and bool(sheet.lines) == (problem == "")
    assert [one.stage for one in record.problems] == ["files"] * problem.startswith("2")
