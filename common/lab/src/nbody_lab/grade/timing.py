"""Times the correct rows of a submission: bin/bench interleaves them with the given naive and the solution, by its own
clock, while nothing else runs.
"""

import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core import cpuinfo
from nbody_lab.core.bench_file import BenchResult, BenchRow
from nbody_lab.core.console import format_table
from nbody_lab.core.messages import UserError, say
from nbody_lab.core.model import load
from nbody_lab.core.words import plural
from nbody_lab.grade.judging import NOT_IN_TIME, last_words
from nbody_lab.grade.limits import Allowance, patience
from nbody_lab.grade.models import Outcome, Row, Setup, Speed
from nbody_lab.grade.rubric import Rubric, SpeedRule
from nbody_lab.worksheet.evidence import Ceilings
from nbody_lab.workshop import Workshop

BENCH_S = 300
ON_GPU = 0  # threads, which a GPU does not have
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
Clock = Callable[[Sequence[str], Setup, int], Beside]


class NotTimed(UserError):
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


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def setups_wanted(rubric: Rubric, part: str, processes: int) -> list[Setup]:
    """Those that the rubric asks for, without duplicates."""
    speeds = rubric.parts[part].speed if part in rubric.parts else ()
    wanted = [
        Setup(threads=one.threads_of(cores(), processes), n=one.n, scene=one.scene)
        for one in speeds
    ]
    return list(dict.fromkeys(wanted))


def run_bench(
    bench: Path,
    manifest: Path,
    part: str,
    names: Sequence[str],
    setup: Setup,
    seed: int,
    file: Path,
    allowance: Allowance,
) -> Beside:
    """Raises NotTimed."""
    file.unlink(missing_ok=True)
    timeout_s = (_REQUEST_S + setup.n**2 / _SLOWEST) * patience()
    _, output, why = allowance.run(
        [
            *(bench, part, *names, "--manifest", manifest, "--json", file, "--seed", seed),
            *("-n", setup.n, "--threads", setup.threads, "--scene", setup.scene),
            *("--quick", "--rounds", 5, "--timeout", timeout_s, "--wait", _QUIET_S),
        ],
        BENCH_S,
    )
    try:
        return {row.name: row for row in load(BenchResult, file).summary}
    except UserError as fault:
        raise NotTimed(why or last_words(output) or "the timing printed nothing") from fault


def _is_noisy(row: BenchRow, threads: int) -> bool:
    """By the interquartile range; one thread that had less than a core is noise, too."""
    return row.spread > _TOO_NOISY or (threads == 1 and row.cores_used < _FEWEST_CORES)


def _ratios_agree(row: BenchRow, other: BenchRow) -> bool:
    """A page shows both speeds beside their ratio, and readers divide."""
    ratio = row.shown_ratio(other)
    return ratio is not None and abs(row.speed / other.speed / ratio - 1) <= _MOST_DISAGREEMENT


def _find_doubt(row: BenchRow, threads: int, share: float | None) -> str:
    """Threads that were not asked for would win the points of one; nothing known is much faster than the solution."""
    if threads != ON_GPU and row.cores_used > _MOST_CORES * threads:
        asked = f"{plural(threads, 'thread')} {'was' if threads == 1 else 'were'} asked for"
        return f"it used {row.cores_used:.3g} cores where {asked}"
    if share and share > _MOST_OF_SOLUTION:
        return f"{share:.3g} times as fast as the solution"
    return ""


def speed_of(
    name: str, setup: Setup, timed: Beside, solution: str, ceilings: Ceilings, processes: int = 1
) -> Speed:
    """`processes`: of each program, with the setup's threads; ON_GPU for one of a GPU."""
    row = timed.get(name, BenchRow(verdict="no numbers"))
    speed = Speed(**setup.model_dump(), verdict=row.verdict, rounds=row.rounds)
    if not row.speed:
        return speed.model_copy(update={"noisy": row.too_busy})
    threads = processes * setup.threads
    others = [timed[one] for one in ("naive", solution) if one in timed]
    naive, best = (
        timed[one] if one in timed and timed[one].speed else None for one in ("naive", solution)
    )
    beside = [row, *(one for one in others if one.speed)]
    missing = any(one.too_busy for one in others) or not all(
        _ratios_agree(row, one) for one in beside
    )
    bound, share = find_bound(ceilings, threads), row.ratio(best) if best else None
    return Speed(
        **setup.model_dump(),
        verdict=row.verdict,
        rounds=row.rounds,
        noisy=missing or any(_is_noisy(one, threads) for one in beside),
        interactions_per_s=row.speed,
        spread=max(one.spread for one in beside),
        times_naive=row.ratio(naive) if naive else None,
        naive_interactions_per_s=naive.speed if naive else None,
        share_of_solution=share,
        solution=solution if best else "",
        solution_interactions_per_s=best.speed if best else None,
        bound_interactions_per_s=bound,
        above_bound=bool(bound and row.speed > bound),
        cores_used=row.cores_used,
        doubt=_find_doubt(row, threads, share),
    )


def _why_not_timed(row: Row) -> str:
    """ "" if it is to be timed."""
    if row.outcome is Outcome.NOT_CHECKED:
        return (row.check.problem if row.check else "") or "not checked"
    return {
        Outcome.RIGHT: "",
        Outcome.WRONG: "wrong",
        Outcome.NOT_BUILT: "not built",
        Outcome.UNTOUCHED: "the same as given",
    }[row.outcome]


def _time_until_quiet(
    clock: Clock,
    beside: Sequence[str],
    names: Sequence[str],
    setup: Setup,
    seed: int,
    judge: Callable[[str, Beside], Speed],
) -> dict[str, Speed]:
    """By name; the last of at most _TRIES. Raises NotTimed if one gives no result."""
    speeds: dict[str, Speed] = {}
    for attempt in range(_TRIES):
        timed = clock([*beside, *names], setup, seed + attempt)
        speeds = {name: judge(name, timed) for name in names}
        if not any(speed.noisy for speed in speeds.values()):
            break
    return speeds


def time_rows(
    clock: Clock,
    rows: list[Row],
    solution: str,
    wanted: Sequence[Setup],
    seed: int,
    ceilings: Ceilings,
    processes: int = 1,
) -> None:
    """Replaces each row by one with its speeds, or why it has none. A row that gave no answer in time is not asked again.
    If the grader fails, what was timed before stays."""

    def judge(name: str, timed: Beside) -> Speed:
        return speed_of(name, setup, timed, solution, ceilings, processes)

    beside = ["naive", *([solution] if solution else [])]
    rows[:] = [row.model_copy(update={"not_timed": _why_not_timed(row)}) for row in rows]
    for setup in wanted:
        to_time = {place: row for place, row in enumerate(rows) if not row.not_timed}
        if not to_time:
            return
        names = [row.name for row in to_time.values()]
        try:
            speeds = _time_until_quiet(clock, beside, names, setup, seed, judge)
        except NotTimed as why:
            for place, row in to_time.items():
                rows[place] = row.model_copy(update={"not_timed": str(why)})
            return
        for place, row in to_time.items():
            speed = speeds[row.name]
            where = f"with {setup.threads} threads and {setup.n} bodies"
            late = speed.verdict.startswith(NOT_IN_TIME)
            rows[place] = row.model_copy(
                update={
                    "speed": (*row.speed, speed),
                    "not_timed": f"{NOT_IN_TIME} {where}: no more runs" if late else "",
                }
            )


def leave_untimed(rows: list[Row], why: str) -> None:
    """Records why correct rows were not timed, or not to the end."""
    rows[:] = [
        row.model_copy(update={"not_timed": row.not_timed or _why_not_timed(row) or why})
        for row in rows
    ]


# --- --calibrate: what a rubric's bands mean here, by each solution's rungs, timed several times as a submission's rows ---

_REPEATS = 3
_FILE = ROOT / "build/grading/calibration.json"


def _measure_shares(
    lab: Workshop, names: Sequence[str], solution: str, rule: SpeedRule
) -> dict[str, list[tuple[float, float]]]:
    """Of each rung and repeat: times naive, and the share of the solution."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    threads = rule.threads_of(cores(), lab.of_part("ranks") or 1)
    setup, programs = Setup(threads=threads, n=rule.n, scene=rule.scene), ["naive", *names]
    _FILE.parent.mkdir(parents=True, exist_ok=True)
    for _ in range(_REPEATS):
        seed = secrets.randbelow(10**14) + 1
        allowance = Allowance(None, BENCH_S)
        timed = run_bench(
            lab.build / "bin/bench", lab.manifest, lab.part, programs, setup, seed, _FILE, allowance
        )
        for name in names:
            row = timed.get(name, BenchRow())
            of_naive, of_solution = (row.ratio(timed[one]) for one in ("naive", solution))
            if of_naive is not None and of_solution is not None:
                found[name].append((of_naive, of_solution))
    return found


def _rows(
    rule: SpeedRule, found: dict[str, list[tuple[float, float]]]
) -> Iterator[tuple[str, str, str, str]]:
    """Each rung with its median, the variation of its repeats, and its points."""
    which = 1 if rule.measure == "share_of_solution" else 0
    for name, shares in found.items():
        values = sorted(share[which] for share in shares)
        if values:
            middle = values[len(values) // 2]
            points = sorted({rule.points_for(value) for value in values})
            yield (
                name,
                f"{middle:.2f}",
                f"{(values[-1] - values[0]) / middle:.1%}",
                " or ".join(f"{one:g}" for one in points),
            )


def bands_table(rule: SpeedRule, found: dict[str, list[tuple[float, float]]]) -> str:
    columns = ["rung", f">{rule.measure}", ">repeats differ", f">points of {rule.points:g}"]
    return format_table(columns, _rows(rule, found), indent=2)


def calibrate(lab: Workshop, rubric: Rubric, parts: Iterable[str]) -> None:
    cpu = cpuinfo.fields().get("model name", "this machine")
    print(f"on {cpu}, {cores()} cores; {_REPEATS} timings each")
    for part in parts:
        lab.part = part
        lab.begin()
        rungs = [row.name for row in lab.rows() if row.kind in ("rung", "solution")]
        solutions = lab.names("solution")
        if not solutions:
            raise UserError(
                f"{part} has no solution here to calibrate with: bands of times_naive can be set "
                "by hand"
            )
        say(f"{part}: its {plural(len(rungs), 'rung')} are built first, and timed after that")
        programs = [lab.program(name) for name in ["naive", *rungs]]
        lab.demand_targets(f"the rungs of {part}", "bin/bench", *programs)
        lab.unlock()
        for rule in rubric.parts[part].speed:
            print(f"\n{part}: {rule.item}")
            found = _measure_shares(lab, rungs, solutions[-1], rule)
            print(bands_table(rule, found), flush=True)
    print("\nkeep each band's edge farther from a rung than the rung's repeats vary")
