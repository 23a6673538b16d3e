"""Evaluating the clock's figures: noise, doubts, shares, and the upper bound on the rate."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from nbody_lab.building.manifest import Part
from nbody_lab.core.errors import LabError
from nbody_lab.grade import timing
from nbody_lab.grade.course import ON_GPU, Course
from nbody_lab.grade.models import Check, Row, Setup
from nbody_lab.grade.sandbox import Ended
from nbody_lab.measure.bench_file import BenchRow
from nbody_lab.tasks.evidence import Ceilings
from tests.grade.scored_for_tests import course_in
from tests.measure.ceilings_for_tests import complete

FLOAT = {"kind": "flops", "precision": "float"}
MEASURED = [
    FLOAT | {"threads": 1, "best": 1e11},
    FLOAT | {"threads": 2, "best": 2e11},
    FLOAT | {"threads": 2, "best": 9e11, "precision": "double"},
    FLOAT | {"threads": 0, "best": 6e13, "where": "gpu 0"},
]
CEILINGS = Ceilings(rows=map(complete, MEASURED))
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
    course = SimpleNamespace(ceilings=CEILINGS, **facts)
    return timing.speed_of("mine", setup, timed, course, "part1")


# --- one timing ---


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
        ({"mine": row(12.8e8)}, "1.6 times as fast as the solution"),
        # Nobody passes the machine: the bound is that of the threads.
        ({"mine": row(1.1e10), "best": row(1.1e10)}, "above_bound"),
        ({"mine": row(1.1e10), "best": row(1.1e10), "setup": TWO}, ""),
    ],
)
def test_noise_and_doubts(timed, told):
    found = speed(**timed)
    flags = [name for name in ("noisy", "above_bound") if getattr(found, name)]
    assert ", ".join([*flags, *filter(None, [found.doubt])]) == told
    assert found.is_sound is (told == "")


@pytest.mark.parametrize(
    ("ended", "why"),
    [
        (Ended(1, "", "bench: the disk is full\n  round 3 of 7\n", ""), "bench: the disk is full"),
        (Ended(1, "memory", "bench: no answer\n", ""), "too much memory"),
        (Ended(137, "wall time", "", ""), "the time for it was used up"),
    ],
)
@pytest.mark.parametrize("step", ["adaptive", "fixed"])
def test_without_a_result_the_last_words_are_the_reason(monkeypatch, step, ended, why):
    """But not the progress. A part is timed with the step of try."""
    asked, course = [], course_in(Path())
    part = Part.model_validate({"name": "part1", "default_step": step})
    monkeypatch.setattr(Course, "_part", lambda *_: part)
    monkeypatch.setattr(timing, "run_beside", lambda argv, _: asked.append(argv) or ended)
    job = SimpleNamespace(course=course, part="part1", folder=Path("no"), left=lambda: 9)
    with pytest.raises(LabError, match=why):
        timing.ask_clock(job, ["naive", "mine"], course.timings()["part1"][0], 1)
    assert asked[0][:4] == [Path("bench"), "part1", "naive", "mine"]
    assert ("--vdt" in asked[0]) == (step == "adaptive")


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
    judged("mine_late", "not checked", problem=USED_UP),
    judged("mine_broken", "not checked", built=False),
]


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
    rows, waiting, seeds, found = list(rows), iter(answers), [], []

    def ask_clock(_, names, setup, seed):
        seeds.append((setup, seed))
        found.append(" ".join(names[2:]))
        answer = next(waiting)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(timing, "ask_clock", ask_clock)
    monkeypatch.setattr(timing, "write_manifest", lambda *_: None)
    facts = {"solution": lambda _: "best", "processes": lambda _: 1, "ceilings": CEILINGS}
    facts["timings"] = lambda: {"part1": (ONE, TWO)}
    course = SimpleNamespace(**facts)
    timing.time_rows(SimpleNamespace(part="part1", course=course, allow=print), rows, 7)
    assert ("|".join(found), [one.not_timed for one in rows]) == (asked, whys)
    assert " ".join(speed.outcome for speed in rows[0].speed) == first
    assert len(set(seeds)) == len(seeds) and all(7 <= seed <= 9 for _, seed in seeds)
