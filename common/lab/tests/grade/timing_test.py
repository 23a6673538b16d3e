"""Evaluating the clock's figures: noise, doubts, shares, and the upper bound on the rate."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from nbody_lab.grade import course, limits, timing
from nbody_lab.grade.course import ON_GPU, Course, cores
from nbody_lab.grade.limits import Allowance, budget_of
from nbody_lab.grade.models import Check, PartRecord, Row, Setup
from nbody_lab.grade.rubric import Rubric
from nbody_lab.grade.score import Item, mark_speed
from nbody_lab.grade.watch import OwnUse, kill_tree
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


def test_rounds_that_are_not_compared_have_no_ratio():
    found = speed(**ALIKE, best=of_rounds(8e8, IN_ROUNDS, cores_of_others=1))
    assert (found.times_naive, found.share_of_solution) == (1, None)


def test_the_bound_is_that_of_the_threads_or_of_the_gpu():
    assert timing.find_bound(CEILINGS, ON_GPU) == 6e12
    assert timing.find_bound(Ceilings(), 2) is None


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
    """One limit holds for all ranks together: an honest program stays below it, and gets its points."""
    rule = {"threads": "all", "n": 2000, "points": 10, "measure": "times_naive", "bands": [[2, 10]]}
    rubric = rubric_with("part4", speed=[rule])
    monkeypatch.setattr(course, "cores", lambda: cores)
    monkeypatch.setattr(Course, "processes", lambda *_: processes)
    (setup,) = course_in(Path("out"), rubric, ("part4",)).setups("part4")
    assert setup.threads == threads
    used = threads * max(1, processes)
    assert used + OF_LIBRARIES <= limits.room_for(cores)
    timed = speed(row(4e8, cores_used=min(used, cores)), setup, processes, best=row(8e8))
    part = PartRecord(state="measured", processes=processes, rows=(judged(speed=(timed,)),))
    rules = rubric.parts["part4"]
    mark = mark_speed(Item("part4", "speed", 10), part, rules.speed[0], rules, cores)
    assert (mark.points, mark.state) == (10, "graded")


@pytest.mark.parametrize(
    ("output", "why"),
    [
        ("bench: the disk is full\n  round 3 of 7\n", "bench: the disk is full"),
        ("  round 3 of 7\n", "the timing printed nothing"),
    ],
)
def test_without_a_result_the_last_words_are_the_reason_but_not_the_progress(output, why):
    allowance = SimpleNamespace(run=lambda *_: (1, output, ""))
    file = Path("no/such/file")
    clock = timing.Clock(Path("bench"), file, "part1", file, allowance)
    with pytest.raises(timing.NotTimed, match=why):
        clock.time(["mine"], ONE, 1)


# --- the rows of a submission: what was asked, why it has no time, and its marks for both speeds ---

USED_UP = Allowance(None, budget_of(1)).used_up
RESULT = {"naive": row(1e8), "best": row(8e8), "mine": row(4e8), "mine_b": row(4e8)}
LATE = BenchRow(outcome="late", verdict="no answer in time: ...")
PERSON = (None, "for a person")


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


def marks(one):
    """For one and for two threads, as scoring gives them."""
    rule = {"n": 2000, "measure": "times_naive", "points": 5, "bands": [[2, 5]]}
    speeds = [rule | {"threads": threads} for threads in (1, 2)]
    part = PartRecord(state="measured", rows=(one,))
    rules = rubric_with("part1", speed=speeds).parts["part1"]
    found = [mark_speed(Item("part1", "speed", 5), part, one, rules, 2) for one in rules.speed]
    return [(mark.points, mark.state) for mark in found]


@pytest.mark.parametrize(
    ("rows", "answers", "asked", "whys", "first"),
    [
        # Only right rows of one's own are timed.
        (
            [judged(), *OTHERS],
            [RESULT, RESULT],
            ["mine", "mine"],
            ["", *WHYS],
            [(5, "graded")] * 2,
        ),
        # Noise is timed again, with other questions.
        ([judged()], [RESULT | {"mine": TOO_BUSY}] * 6, ["mine"] * 6, [""], [PERSON] * 2),
        ([judged()], [timing.NotTimed(USED_UP)], ["mine"], [USED_UP], [PERSON] * 2),
        # A row that gave no answer in time is not asked again.
        (
            [judged(), judged("mine_b")],
            [RESULT | {"mine": LATE}, RESULT],
            ["mine mine_b", "mine_b"],
            ["no answer in time with 1 threads and 2000 bodies: no more runs", ""],
            [(0, "graded"), PERSON],
        ),
        ([judged(verdict="not checked", problem=USED_UP)], [], [], [USED_UP], [PERSON] * 2),
        # Two cores in the timing of one.
        (
            [judged()],
            [RESULT | {"mine": row(4e8, cores_used=1.9)}] * 2,
            ["mine"] * 2,
            [""],
            [(None, "flagged"), (5, "graded")],
        ),
        # A grader that fails in the middle takes nothing.
        (
            [judged(), *OTHERS],
            [RESULT, OSError("no space left")],
            ["mine"] * 2,
            ["the grader failed", *WHYS],
            [(5, "graded"), PERSON],
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
    assert (found, [one.not_timed for one in rows]) == (asked, whys)
    assert marks(rows[0]) == first
    assert len(set(seeds)) == len(seeds) and all(7 <= seed <= 9 for _, seed in seeds)


# --- how long it may take ---


def test_further_rows_have_more_time():
    assert [budget_of(rows) for rows in (0, 1, 3)] == [120, 120, 150]
    assert Allowance(None, 100, 100).left() == 0


@pytest.mark.parametrize(("load", "factor"), [(0.1, 1), (1, 1), (3, 3), (99, 10)])
def test_a_busy_machine_makes_limits_longer(monkeypatch, load, factor):
    """An honest program waits for its core there."""
    monkeypatch.setattr(limits.os, "getloadavg", lambda: (load * 2.0, 0, 0))
    monkeypatch.setattr(limits.os, "cpu_count", lambda: 2)
    assert Allowance(None, 100).left() == pytest.approx(100 * factor, rel=0.01)
    assert limits.is_busy() is (factor > 1)


@pytest.mark.parametrize(
    ("others", "own", "busy"),
    [
        (0.9, 0.3, False),
        (1.1, 0.3, True),
        # An endless loop waits for no core, and its own time is not that of others.
        (1.1, 0.9, False),
        (0.1, 1.9, False),
    ],
)
def test_half_of_the_machine_is_a_busy_one(monkeypatch, others, own, busy):
    """Of 2 cores, `others` are used by programs of other people, and `own` by the one that is late."""
    clock, used = iter([0.0, 10.0]), iter([100.0, 100.0 + 10 * (others + own)])
    use = SimpleNamespace(seconds=lambda: 10 * own)
    monkeypatch.setattr(limits.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(limits.Neighbours, "_used_by_all", staticmethod(lambda: next(used)))
    monkeypatch.setattr(limits.os, "cpu_count", lambda: 2)
    assert limits.Neighbours(use).keep_busy() is busy


BURNS = (
    "import time\nwhile time.process_time() < 0.6: pass\nprint('done', flush=True)\ntime.sleep(600)"
)
PARENT = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BURNS!r}])"


def test_the_time_of_a_killed_program_is_its_own():
    """Nobody waits for it: the sandbox around it is killed, too."""
    with OwnUse() as use:
        process = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE)
        assert process.stdout.readline() == b"done\n"
        used = use.seconds()
        kill_tree(process.pid)
        process.communicate()
        assert 0.5 < used <= use.seconds()


@pytest.mark.parametrize("free", [0, limits.LEAST_FREE - 1, limits.LEAST_FREE])
def test_a_full_disk_is_the_graders_fault(monkeypatch, tmp_path, free):
    monkeypatch.setattr(limits.shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    if free >= limits.LEAST_FREE:
        limits.require_space(tmp_path)
        return
    with pytest.raises(OSError, match="MB are free on the disk: make room"):
        limits.require_space(tmp_path)
