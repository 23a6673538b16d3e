"""Evaluating the clock's figures: noise, doubts, shares, and the upper bound on the rate."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from nbody_lab.building.manifest import Part
from nbody_lab.grade import course, timing
from nbody_lab.grade.course import ON_GPU, Allowance, Course, cores, require_space
from nbody_lab.grade.models import Check, Row, Setup
from nbody_lab.grade.rubric import Rubric
from nbody_lab.grade.sandbox import Ended, room_for
from nbody_lab.measure.bench_file import BenchRow
from nbody_lab.tasks.evidence import Ceilings
from tests.grade.scored_for_tests import course_in
from tests.measure.ceilings_for_tests import complete

CEILINGS = Ceilings(
    rows=map(
        complete,
        [
            {"kind": "flops", "precision": "float", "threads": 1, "best": 1e11},
            {"kind": "flops", "precision": "float", "threads": 2, "best": 2e11},
            {"kind": "flops", "precision": "double", "threads": 2, "best": 9e11},
            {"kind": "bandwidth", "threads": 2, "best": 9e12},
            {"kind": "flops", "precision": "float", "threads": 0, "best": 6e13, "where": "gpu 0"},
        ],
    )
)
ONE, TWO = (Setup(threads=threads, n=2000, scene="plummer") for threads in (1, 2))
OF_LIBRARIES = 32  # processes and threads: mpiexec, and some of each of four ranks
TOO_BUSY = BenchRow(outcome="busy", verdict="too busy to measure")


def row(median, spread=0.02, **more):
    """`spread`: the interquartile range relative to the median."""
    half = median * spread / 2
    rates = {"median": median, "lower_quartile": median - half, "upper_quartile": median + half}
    data = {"interactions_per_s": rates, "rounds": 5, "cores_used": 1.0, **more}
    return BenchRow.model_validate(data)


def speed(mine, setup=ONE, processes=1, **beside):
    timed = {"naive": row(1e8), "best": row(8e8), **beside, "mine": mine}
    return timing.Scale("best", CEILINGS, processes).speed_of("mine", setup, timed)


# --- one timing ---


def test_shares_are_of_the_same_minutes():
    """And the largest spread is kept."""
    found = speed(row(4e8))
    assert (found.times_naive, found.share_of_solution, found.solution) == (4, 0.5, "best")
    assert found.is_sound
    assert speed(row(4e8, 0.01), TWO, best=row(8e8, 0.4)).spread == pytest.approx(0.4)


def of_rounds(median, seconds, cores_of_others=0):
    beside = [cores_of_others] * len(seconds)
    return row(median, seconds_of_rounds=seconds, cores_of_others_in_rounds=beside)


def rounds_beside(*best):
    """Of mine, four times as fast as naive, beside these of the solution."""
    mine, naive = of_rounds(4e8, [0.2] * 3), of_rounds(1e8, [0.8] * 3)
    return {"mine": mine, "naive": naive, "best": of_rounds(8e8, best)}


WAITS, TWO_CORES, IN_ROUNDS = row(4e8, cores_used=0.1), row(4e8, cores_used=1.9), [0.2, 0.2]
ALIKE = {"mine": of_rounds(4e8, IN_ROUNDS), "naive": of_rounds(4e8, IN_ROUNDS)}


@pytest.mark.parametrize(
    ("timed", "told"),
    [
        ({"mine": row(4e8, cores_used=0.5)}, "noisy"),
        ({"mine": row(4e8, 0.1)}, ""),
        ({"mine": row(4e8, 0.2)}, "noisy"),
        ({"mine": row(4e8, 0.1), "setup": TWO}, ""),
        ({"mine": row(4e8, 0.2), "setup": TWO}, "noisy"),
        ({"mine": row(4e8, 0.01), "setup": TWO, "best": row(8e8, 0.4)}, "noisy"),
        ({"mine": TOO_BUSY}, "noisy"),
        ({"mine": row(4e8), "naive": TOO_BUSY}, "noisy"),
        # A processor that waits for a GPU is no noise.
        ({"mine": WAITS}, "noisy"),
        ({"mine": WAITS, "processes": ON_GPU}, ""),
        # Rounds beside other neighbours are not compared.
        ({**ALIKE, "best": of_rounds(8e8, IN_ROUNDS, cores_of_others=1)}, "noisy"),
        # Rounds and medians must say the same; the median of all requests says 0.5.
        (rounds_beside(0.1, 0.1, 0.1), ""),
        (rounds_beside(0.12, 0.12, 0.12), "noisy"),
        (rounds_beside(0.06, 0.1, 0.14), "noisy"),  # each round another ratio
        # What is too good is left to a person: threads that were not asked for, force evaluations that were left out.
        ({"mine": row(4e8, cores_used=1.2)}, ""),
        ({"mine": TWO_CORES}, "it used 1.9 cores where 1 thread was asked for"),
        ({"mine": TWO_CORES, "setup": TWO}, ""),
        ({"mine": TWO_CORES, "processes": 2}, ""),
        ({"mine": TWO_CORES, "processes": ON_GPU}, ""),
        ({"mine": row(8.6e8)}, ""),
        ({"mine": row(12.8e8)}, "1.6 times as fast as the solution"),
        # Nobody passes the machine: the bound is that of the threads.
        ({"mine": row(0.9e10), "best": row(0.9e10)}, ""),
        ({"mine": row(1.1e10), "best": row(1.1e10)}, "above_bound"),
        ({"mine": row(1.1e10), "best": row(1.1e10), "setup": TWO}, ""),
    ],
)
def test_noise_and_doubts(timed, told):
    found = speed(**timed)
    flags = [name for name in ("noisy", "above_bound") if getattr(found, name)]
    assert ", ".join([*flags, *filter(None, [found.doubt])]) == told
    assert found.is_sound is (told == "")


@pytest.mark.parametrize("mine", [BenchRow(), BenchRow(outcome="wrong", verdict="WRONG"), row(0.0)])
def test_no_numbers_are_no_speed(mine):
    found = speed(mine)
    assert (found.interactions_per_s, found.times_naive, found.noisy) == (None, None, False)


def rubric_with(part, **rules):
    data = {"version": 1, "title": "", "maximum": 10, "parts": {part: rules}}
    return Rubric.model_validate_json(json.dumps(data))


def test_each_setup_is_timed_once():
    rule = {"points": 1, "bands": [[2, 1]]}
    speeds = [
        {"threads": 1, "n": 2000, "measure": "times_naive"} | rule,
        {"threads": 1, "n": 2000, "scene": "plummer", "measure": "share_of_solution"} | rule,
        {"threads": "all", "n": 500, "scene": "galaxy", "measure": "times_naive"} | rule,
    ]
    rubric = rubric_with("part1", speed=speeds, correctness={"points": 7})
    everything = Setup(threads=cores(), n=500, scene="galaxy")
    asked = course_in(Path("out"), rubric, ("part1", "part2")).timings()
    assert asked == {"part1": (ONE, everything), "part2": ()}


@pytest.mark.parametrize(
    ("cores", "processes", "threads"),
    [(2, 1, 2), (32, 4, 8), (2, 4, 1), (6, 4, 1), (256, 1, 256), (8, ON_GPU, 8)],
)
def test_all_threads_of_ranks_share_the_cores(monkeypatch, cores, processes, threads):
    """One limit holds for all ranks together: an honest program stays below it, and nobody doubts it."""
    rule = {"threads": "all", "n": 2000, "points": 10, "measure": "times_naive", "bands": [[2, 10]]}
    rubric = rubric_with("part4", speed=[rule])
    monkeypatch.setattr(course, "cores", lambda: cores)
    monkeypatch.setattr(Course, "processes", lambda *_: processes)
    (setup,) = course_in(Path("out"), rubric, ("part4",)).setups("part4")
    assert setup.threads == threads
    used = threads * max(1, processes)
    assert used + OF_LIBRARIES <= room_for(cores)
    timed = speed(row(4e8, cores_used=min(used, cores)), setup, processes, best=row(8e8))
    assert timed.is_sound


@pytest.mark.parametrize(
    ("ended", "why"),
    [
        (Ended(1, "", "bench: the disk is full\n  round 3 of 7\n", ""), "bench: the disk is full"),
        (Ended(1, "", "  round 3 of 7\n", ""), "the timing printed nothing"),
        (Ended(1, "memory", "bench: no answer\n", ""), "too much memory"),
        (Ended(137, "wall time", "", ""), "the time for it was used up"),
    ],
)
def test_without_a_result_the_last_words_are_the_reason_but_not_the_progress(
    monkeypatch, ended, why
):
    asked = []
    monkeypatch.setattr(timing, "run_beside", lambda argv, _: asked.append(argv) or ended)
    clock = timing.Clock(Path("bench"), Path("no/such/file"), "part1", lambda: 100)
    with pytest.raises(timing.NotTimed, match=why):
        clock.time(["naive", "mine"], ONE, 1)
    assert asked[0][:4] == [Path("bench"), "part1", "naive", "mine"]


@pytest.mark.parametrize("adaptive", [False, True])
def test_a_part_is_timed_with_the_step_of_try(monkeypatch, adaptive):
    of_part = Part.model_validate(
        {"name": "part1", "default_step": ["fixed", "adaptive"][adaptive]}
    )
    monkeypatch.setattr(Course, "_part", lambda *_: of_part)
    rule = {"threads": 1, "n": 2000, "points": 10, "measure": "times_naive", "bands": [[2, 10]]}
    (setup,) = course_in(Path("out"), rubric_with("part1", speed=[rule]), ("part1",)).setups(
        "part1"
    )
    asked = []
    monkeypatch.setattr(
        timing, "run_beside", lambda argv, _: asked.append(argv) or Ended(1, "", "", "")
    )
    clock = timing.Clock(Path("bench"), Path("no/such/file"), "part1", lambda: 100)
    with pytest.raises(timing.NotTimed):
        clock.time(["mine"], setup, 1)
    assert ("--vdt" in asked[0]) == adaptive


# --- the rows of a submission: what was asked, and what each has then ---

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
    judged("mine_broken", "not checked", built=False),
]
WHYS = ["wrong", "the same as given", "not built"]


@pytest.mark.parametrize(
    ("rows", "answers", "asked", "whys", "first"),
    [
        # Only right rows of one's own are timed.
        ([judged(), *OTHERS], [RESULT, RESULT], "mine|mine", ["", *WHYS], "right right"),
        # Noise is timed again, with other questions.
        ([judged()], [RESULT | {"mine": TOO_BUSY}] * 6, "mine|" * 5 + "mine", [""], "busy busy"),
        ([judged()], [timing.NotTimed(USED_UP)], "mine", [USED_UP], ""),
        # A row that gave no answer in time is not asked again.
        (
            [judged(), judged("mine_b")],
            [RESULT | {"mine": LATE}, RESULT],
            "mine mine_b|mine_b",
            ["no answer in time with 1 threads and 2000 bodies: no more runs", ""],
            "late",
        ),
        ([judged(verdict="not checked", problem=USED_UP)], [], "", [USED_UP], ""),
        # A grader that fails in the middle takes nothing.
        (
            [judged(), *OTHERS],
            [RESULT, OSError("no space left")],
            "mine|mine",
            ["the grader failed", *WHYS],
            "right",
        ),
    ],
)
def test_the_rows_of_a_submission(rows, answers, asked, whys, first):
    rows, waiting, seeds, found = list(rows), iter(answers), [], []

    def time(names, setup, seed):
        seeds.append((setup, seed))
        found.append(" ".join(names[2:]))
        answer = next(waiting)
        if isinstance(answer, Exception):
            raise answer
        return answer

    try:
        clock = SimpleNamespace(time=time)
        timing.time_rows(clock, timing.Scale("best", CEILINGS), rows, (ONE, TWO), 7)
    except OSError:
        timing.leave_untimed(rows, "the grader failed")
    assert ("|".join(found), [one.not_timed for one in rows]) == (asked, whys)
    assert " ".join(speed.outcome for speed in rows[0].speed) == first
    assert len(set(seeds)) == len(seeds) and all(7 <= seed <= 9 for _, seed in seeds)


# --- time and disk ---


@pytest.mark.parametrize(
    ("rows", "load", "seconds"),
    [(0, 0.1, 120), (1, 1, 120), (3, 1, 150), (1, 3, 360), (1, 99, 1200)],
)
def test_more_rows_or_a_busy_machine_make_limits_longer(monkeypatch, rows, load, seconds):
    """An honest program waits for its core there."""
    monkeypatch.setattr(course.os, "getloadavg", lambda: (load * 2.0, 0, 0))
    monkeypatch.setattr(course.os, "cpu_count", lambda: 2)
    assert Allowance(rows).left() == pytest.approx(seconds, rel=0.01)


def test_a_full_disk_is_the_graders_fault(monkeypatch, tmp_path):
    require_space(tmp_path)
    monkeypatch.setattr(course, "LEAST_FREE", 1 << 62)
    with pytest.raises(OSError, match="MB are free on the disk: make room"):
        require_space(tmp_path)
