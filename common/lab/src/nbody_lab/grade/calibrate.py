"""--calibrate: what a rubric's bands mean on this machine. Times each solution's rungs several times, as a submission's
rows are timed, and shows the points of each and how much the repeats vary.
"""

import secrets
from collections.abc import Iterable, Iterator, Sequence

from nbody_lab import ROOT
from nbody_lab.core import cpuinfo
from nbody_lab.core.bench_file import BenchRow
from nbody_lab.core.console import format_table
from nbody_lab.core.messages import UserError, say
from nbody_lab.core.words import plural
from nbody_lab.grade import timing
from nbody_lab.grade.limits import Allowance
from nbody_lab.grade.models import Setup
from nbody_lab.grade.rubric import Rubric, SpeedRule
from nbody_lab.workshop import Workshop

_REPEATS = 3
_FILE = ROOT / "build/grading/calibration.json"


def _measure_shares(
    lab: Workshop, names: Sequence[str], solution: str, rule: SpeedRule
) -> dict[str, list[tuple[float, float]]]:
    """Of each rung and repeat: times naive, and the share of the solution."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    threads = rule.threads_of(timing.cores(), lab.of_part("ranks") or 1)
    setup, programs = Setup(threads=threads, n=rule.n, scene=rule.scene), ["naive", *names]
    _FILE.parent.mkdir(parents=True, exist_ok=True)
    for _ in range(_REPEATS):
        seed = secrets.randbelow(10**14) + 1
        allowance = Allowance(None, timing.BENCH_S)
        timed = timing.run_bench(
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
    print(f"on {cpu}, {timing.cores()} cores; {_REPEATS} timings each")
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
