"""Times the correct rows of a submission: bin/bench interleaves them with the given naive and the solution, by its own
clock, while nothing else runs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbody_lab.core.errors import LabError
from nbody_lab.core.model import load
from nbody_lab.core.words import plural
from nbody_lab.grade.course import ON_GPU, patience
from nbody_lab.grade.models import Outcome, Row, Setup, Speed
from nbody_lab.grade.sandbox import run_beside
from nbody_lab.measure.bench_file import BenchResult, BenchRow
from nbody_lab.tasks.evidence import Ceilings

_BENCH_S = 300
_TRIES = 3  # a noisy timing is repeated, then a person decides
_TOO_NOISY = 0.15
_MOST_DISAGREEMENT = 0.1  # between the ratio of two medians and the median of the rounds' ratios
FEWEST_FLOPS = 10  # per interaction: with the third law 25 per pair are 12.5 each, rounded down
# A step may take _REQUEST_S plus its time at a tenth of naive's interactions/s.
_REQUEST_S, _SLOWEST = 10, 1e7
_QUIET_S = 60  # to wait for free cores
_FEWEST_CORES = 0.75  # of one thread; fewer are noise
_MOST_CORES = 1.25  # per thread
_MOST_OF_SOLUTION = 1.1

Beside = Mapping[str, BenchRow]  # rows that were timed in turn, by name


class NotTimed(LabError):
    """Why there is no timing."""


def find_bound(ceilings: Ceilings, threads: int) -> float | None:
    """The highest possible interactions/s here: the highest measured rate of float operations over the fewest
    operations per interaction. None without measurements. `threads`: ON_GPU for a GPU."""
    rates = [
        row.best
        for row in ceilings.rows
        if (row.kind, row.precision) == ("flops", "float")
        and row.where.startswith("gpu") == (threads == ON_GPU)
        and row.threads <= threads
    ]
    return max(rates) / FEWEST_FLOPS if rates else None


@dataclass(frozen=True)
class Clock:
    """bin/bench for the programs of a manifest. `left`: seconds that it may still take."""

    bench: Path
    manifest: Path
    part: str
    left: Callable[[], float]

    def time(self, names: Sequence[str], setup: Setup, seed: int) -> Beside:
        """Raises NotTimed."""
        file = self.manifest.with_name("bench.json")
        file.unlink(missing_ok=True)
        timeout_s = (_REQUEST_S + setup.n**2 / _SLOWEST) * patience()
        words = [
            *(self.bench, self.part, *names, "--manifest", self.manifest, "--json", file),
            *("--seed", seed, "-n", setup.n, "--threads", setup.threads, "--scene", setup.scene),
            *(["--vdt"] if setup.adaptive else []),
            *("--quick", "--rounds", 5, "--timeout", timeout_s, "--wait", _QUIET_S),
        ]
        ended = run_beside(words, min(_BENCH_S * patience(), self.left()))
        if ended.why == "wall time":
            raise NotTimed("the time for it was used up: is it slow, or was the machine busy?")
        try:
            return {row.name: row for row in load(BenchResult, file).summary}
        except LabError as fault:
            why = ended.too_much or ended.last_words or "the timing printed nothing"
            raise NotTimed(why) from fault


def _find_doubt(row: BenchRow, threads: int, share: float | None) -> str:
    """Threads that were not asked for would win the points of one; nothing known is much faster than the solution."""
    if threads != ON_GPU and row.cores_used > _MOST_CORES * threads:
        asked = f"{plural(threads, 'thread')} {'was' if threads == 1 else 'were'} asked for"
        return f"it used {row.cores_used:.3g} cores where {asked}"
    if share and share > _MOST_OF_SOLUTION:
        return f"{share:.3g} times as fast as the solution"
    return ""


@dataclass(frozen=True)
class Scale:
    """What speeds are compared with. `processes`: of each program, with a setup's threads; ON_GPU for one of a GPU."""

    solution: str  # its name; empty if there is none
    ceilings: Ceilings
    processes: int = 1

    def speed_of(self, name: str, setup: Setup, timed: Beside) -> Speed:
        row = timed.get(name, BenchRow(outcome="failed", verdict="no numbers"))
        told = {
            **setup.model_dump(),
            "outcome": row.outcome,
            "verdict": row.verdict,
            "rounds": row.rounds,
        }
        if not row.speed:
            return Speed(**told, noisy=row.too_busy)
        threads = self.processes * setup.threads
        naive, best = (timed.get(one, BenchRow()) for one in ("naive", self.solution))
        beside = [row, *(one for one in (naive, best) if one.speed)]
        noisy = naive.too_busy or best.too_busy
        for one in beside:
            noisy |= one.spread > _TOO_NOISY
            noisy |= threads == 1 and one.cores_used < _FEWEST_CORES
            # A page shows both speeds beside their ratio, and readers divide.
            ratio = row.shown_ratio(one)
            agree = ratio and abs(row.speed / one.speed / ratio - 1) <= _MOST_DISAGREEMENT
            noisy |= not agree
        bound, share = find_bound(self.ceilings, threads), row.ratio(best)
        return Speed(
            **told,
            noisy=noisy,
            interactions_per_s=row.speed,
            spread=max(one.spread for one in beside),
            times_naive=row.ratio(naive),
            naive_interactions_per_s=naive.speed or None,
            share_of_solution=share,
            solution=self.solution if best.speed else "",
            solution_interactions_per_s=best.speed or None,
            bound_interactions_per_s=bound,
            above_bound=bool(bound and row.speed > bound),
            cores_used=row.cores_used,
            doubt=_find_doubt(row, threads, share),
        )


def _time_until_quiet(
    clock: Clock, scale: Scale, names: Sequence[str], setup: Setup, seed: int
) -> dict[str, Speed]:
    """By name; the last of at most _TRIES. Raises NotTimed if one gives no result."""
    beside = list(filter(None, ["naive", scale.solution]))
    speeds: dict[str, Speed] = {}
    for attempt in range(_TRIES):
        timed = clock.time([*beside, *names], setup, seed + attempt)
        speeds = {name: scale.speed_of(name, setup, timed) for name in names}
        if not any(speed.noisy for speed in speeds.values()):
            break
    return speeds


def time_rows(
    clock: Clock, scale: Scale, rows: list[Row], wanted: Sequence[Setup], seed: int
) -> None:
    """Replaces each row by one with its speeds, or why it has none. If the grader fails, what was timed before stays."""
    leave_untimed(rows, "")
    for setup in wanted:
        names = [row.name for row in rows if not row.not_timed]
        if not names:
            return
        try:
            speeds = _time_until_quiet(clock, scale, names, setup, seed)
        except NotTimed as why:
            leave_untimed(rows, str(why))
            return
        for place, row in enumerate(rows):
            if not row.not_timed:
                speed, not_timed = speeds[row.name], ""
                if speed.outcome == "late":  # it is not asked again
                    where = f"with {speed.threads} threads and {speed.n} bodies"
                    not_timed = f"no answer in time {where}: no more runs"
                update = {"speed": (*row.speed, speed), "not_timed": not_timed}
                rows[place] = row.model_copy(update=update)


_WHY_NOT = {
    Outcome.WRONG: "wrong",
    Outcome.NOT_BUILT: "not built",
    Outcome.UNTOUCHED: "the same as given",
}


def leave_untimed(rows: list[Row], why: str) -> None:
    """Records why rows were not timed: for correct ones, or the rest of their setups, `why`."""
    for place, row in enumerate(rows):
        own = _WHY_NOT.get(row.outcome, "")
        if row.outcome is Outcome.NOT_CHECKED:
            own = (row.check.problem if row.check else "") or "not checked"
        rows[place] = row.model_copy(update={"not_timed": row.not_timed or own or why})
