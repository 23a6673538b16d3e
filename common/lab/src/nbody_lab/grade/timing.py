"""Times the correct rows of a submission: bin/bench interleaves them with the given naive and the solution, by its own
clock, while nothing else runs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from nbody_lab.building.manifest import Manifest
from nbody_lab.core.errors import LabError
from nbody_lab.core.words import plural
from nbody_lab.grade.building import Job, ask, write_manifest
from nbody_lab.grade.course import ON_GPU, Course, patience
from nbody_lab.grade.models import Outcome, Row, Setup, Speed
from nbody_lab.measure.bench_file import BenchRow
from nbody_lab.measure.bench_plan import QUICK, Asked, plan_of
from nbody_lab.measure.bench_result import Answers, result_of

_BENCH_S = 300
_TRIES = 3  # a noisy timing is repeated, then a person decides
_TOO_NOISY = 0.15
_MOST_DISAGREEMENT = 0.1  # between the ratio of two medians and the median of the rounds' ratios
# A step may take _REQUEST_S plus its time at a tenth of naive's interactions/s.
_REQUEST_S, _SLOWEST = 10, 1e7
_QUIET_S = 60  # to wait for free cores
_FEWEST_CORES = 0.75  # of one thread; fewer are noise
_MOST_CORES = 1.25  # per thread
_MOST_OF_SOLUTION = 1.1

Beside = Mapping[str, BenchRow]  # rows that were timed in turn, by name


def ask_clock(job: Job, names: Sequence[str], setup: Setup, seed: int) -> Beside:
    """Raises LabError: why there are no numbers."""
    timeout_s = (_REQUEST_S + setup.n**2 / _SLOWEST) * patience()
    clock = replace(QUICK, rounds=5, timeout_s=timeout_s, wait_s=_QUIET_S, seed=seed)
    asked = Asked(names, (setup.n,), threads=(setup.threads,), adaptive=setup.adaptive, clock=clock)
    plan = plan_of(Manifest(job.folder / "manifest.json"), job.part, asked)
    answers, wall_s = Answers(), min(_BENCH_S * patience(), job.left())
    ended = ask(job, "bench", plan.as_json(), wall_s, answers.hear)
    if ended.why == "wall time":
        raise LabError("the time for it was used up: is it slow, or was the machine busy?")
    if answers.google is None:
        raise LabError(ended.too_much or ended.last_words or "the timing printed nothing")
    result, _ = result_of(plan, answers, job.course.programs / "bench")
    return {row.name: row for row in result.summary}


def speed_of(name: str, setup: Setup, timed: Beside, course: Course, part: str) -> Speed:
    """Of a row beside naive and the solution."""
    processes, solution = course.processes(part), course.solution(part)
    row = timed.get(name, BenchRow(outcome="failed", verdict="no numbers"))
    told = {**setup.model_dump(), "outcome": row.outcome, "verdict": row.verdict}
    if not row.speed:
        return Speed(**told, rounds=row.rounds, noisy=row.too_busy)
    threads = processes * setup.threads
    naive, best = (timed.get(one, BenchRow()) for one in ("naive", solution))
    beside = [row, *(one for one in (naive, best) if one.speed)]
    noisy = naive.too_busy or best.too_busy
    for one in beside:
        noisy |= one.spread > _TOO_NOISY
        noisy |= threads == 1 and one.cores_used < _FEWEST_CORES
        # A page shows both speeds beside their ratio, and readers divide.
        ratio = row.shown_ratio(one)
        noisy |= not (ratio and abs(row.speed / one.speed / ratio - 1) <= _MOST_DISAGREEMENT)
    share, doubt = row.ratio(best), ""
    # Threads that were not asked for would win the points of one; nothing known is much faster than the solution.
    if threads != ON_GPU and row.cores_used > _MOST_CORES * threads:
        asked = f"{plural(threads, 'thread')} {'was' if threads == 1 else 'were'} asked for"
        doubt = f"it used {row.cores_used:.3g} cores where {asked}"
    elif share and share > _MOST_OF_SOLUTION:
        doubt = f"{share:.3g} times the solution's speed"
    return Speed(
        **told,
        rounds=row.rounds,
        noisy=noisy,
        interactions_per_s=row.speed,
        spread=max(one.spread for one in beside),
        times_naive=row.ratio(naive),
        naive_interactions_per_s=naive.speed or None,
        share_of_solution=share,
        solution=solution if best.speed else "",
        solution_interactions_per_s=best.speed or None,
        doubt=doubt,
    )


def is_timed(row: Row) -> bool:
    return row.outcome is Outcome.RIGHT and not row.not_timed


def leave_untimed(rows: list[Row], why: str) -> None:
    """Records why right rows, or the rest of their setups, were not timed."""
    for place, row in enumerate(rows):
        if is_timed(row):
            rows[place] = row.model_copy(update={"not_timed": why})


def time_rows(job: Job, rows: list[Row], seed: int, setups: Sequence[Setup]) -> list[Setup]:
    """Replaces each row by one with its speeds, or why it has none. Returns the setups that are done: neither noisy nor out
    of time. If the grader fails, what was timed before stays."""
    course, done = job.course, list[Setup]()
    job.allow(len(rows))
    write_manifest(job, rows)
    for setup in setups:
        names = [row.name for row in rows if is_timed(row)]
        beside = [one for one in ("naive", course.solution(job.part)) if one]
        speeds: dict[str, Speed] = {}
        for attempt in range(_TRIES if names else 0):
            try:
                timed = ask_clock(job, [*beside, *names], setup, seed + attempt)
            except LabError as fault:
                leave_untimed(rows, str(fault))
                return done
            speeds = {name: speed_of(name, setup, timed, course, job.part) for name in names}
            if not any(speed.noisy for speed in speeds.values()):
                break
        if not any(speed.noisy for speed in speeds.values()):
            done.append(setup)
        for place, row in enumerate(rows):
            if speed := speeds.get(row.name):
                # What was late is not asked again.
                why = "no answer in time: no more runs" if speed.outcome == "late" else ""
                update = {"speed": (*row.speed, speed), "not_timed": why}
                rows[place] = row.model_copy(update=update)
    return done
