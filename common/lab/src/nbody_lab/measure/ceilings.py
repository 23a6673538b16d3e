"""How fast this processor and this GPU can be: results of bin/operation_costs, bin/ceilings_* and bin/devices, judged
and kept in build/ceilings.json.

docs/fields.md describes the file. Each instruction set has its own program, since a processor may lower its clock
for a program that uses wide vectors.
"""

import json
import time
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from platform import machine

from nbody_lab import ROOT
from nbody_lab.building.cpuinfo import QUIET, busy_cores
from nbody_lab.building.lab import Lab, show_built
from nbody_lab.core.errors import say
from nbody_lab.core.model import load_if_whole
from nbody_lab.core.run import Step, output_of
from nbody_lab.core.turns import turn
from nbody_lab.core.whole_file import write_text
from nbody_lab.measure.gpu_ceilings import measure_gpu
from nbody_lab.measure.machine_facts import Level, free_memory, levels_of, this_machine
from nbody_lab.measure.results import Ceiling, Ceilings, Cycles, OperationCost, judged

FILE = ROOT / "build/ceilings.json"
Statistics = dict[str, dict[str, float]]  # {benchmark: {"median": ..., "best": ..., "spread": ...}}
# The name and the bytes of a vector. Widest first: the widest available measures all levels.
SETS = {
    "avx512f": ("AVX-512", 64),
    "avx2": ("AVX2", 32),
    "sse2": ("SSE2", 16),
    "neon": ("NEON", 16),
    "scalar": ("scalar", 4),
}
_NAMES = {
    "mul_add": "{}",
    "fma": "{} + FMA",
    "sqrt": "square root, {}",
    "div": "division, {}",
    "rsqrt": "approximate 1/sqrt, {}",
}
_NOTES = {
    "add": "",
    "mul": "",
    "fma": "a * b + c by one instruction",
    "div": "",
    "sqrt": "",
    "1/sqrt": "as the source has it: root, then division",
    "rsqrt": "approximate by {}",
    "pow": "exponent unknown to the compiler",
}
# An addition follows in the chain of these operations; its latency is subtracted.
_WITH_ADDITION = ("sqrt", "1/sqrt", "pow")
_ESTIMATES = {"float": "rsqrtss", "double": "vrsqrt14sd"} if machine() == "x86_64" else {}
LEVELS = ("L1", "L2", "L3", "DRAM")

# Measuring.


def run_benchmarks(
    program: Path, *words: str, plan: object = None, **environment: str
) -> Statistics:
    """What a program measures. Raises LabError if it fails."""
    printed = output_of(
        str(program), program, *words, input=json.dumps(plan), environment=environment
    )
    found: Statistics = {}
    for row in json.loads(printed or "{}").get("benchmarks", ()):  # none: no such instructions here
        name = row["run_name"].partition("/iterations:")[0]
        found.setdefault(name, {})[row["aggregate_name"]] = row["value"]
    return found


def _ceiling(
    name: str, values: dict[str, float], instruction_set: str, threads: int, level: Level | None
) -> Ceiling:
    operation, precision, _ = name.split("/")
    set_name, vector_bytes = SETS[instruction_set]
    kind = "bandwidth" if level else "flops" if operation in ("mul_add", "fma") else "unit"
    for_people = f"{level.name} {operation}, {{}}" if level else _NAMES[operation]
    if level and instruction_set == "scalar":
        for_people += ", 8 bytes" if precision else ", 4 bytes"
    row = {
        "where": "cpu",
        "kind": kind,
        "name": for_people.format(set_name),
        "instruction_set": instruction_set,
        "lanes": max(1, vector_bytes // (8 if precision == "double" else 4)),
        "operation": operation,
        "level": level.name if level else "",
        "precision": precision,
        "threads": threads,
        "array_bytes": level.bytes * threads if level else 0,
        "unit": {"flops": "flop/s", "unit": "operation/s", "bandwidth": "byte/s"}[kind],
        "why_not": level.why_not if level else "",
    }
    return Ceiling.model_validate(row | {one: values[one] for one in ("best", "median", "spread")})


def rows_of_set(
    build: Path,
    instruction_set: str,
    cpus: Sequence[int],
    levels: Sequence[Level],
    seconds: float,
    only: str = "",
) -> list[Ceiling]:
    """With a thread on each of these hardware threads; a single one may run anywhere. Loads and stores of an
    instruction set concern L1; further levels belong to the machine. `only`: names that this expression matches."""
    operations = ("load", "copy", "triad") if len(levels) > 1 else ("load", "copy")
    plan = {
        "seconds": seconds,
        "traffic": [
            {"operation": operation, "level": level.name, "bytes": level.bytes}
            for level in levels
            for operation in operations
        ],
    }
    environment = {"OMP_NUM_THREADS": str(len(cpus)), "OMP_PROC_BIND": "false"}
    if len(cpus) > 1:
        places = ",".join(f"{{{cpu}}}" for cpu in cpus)
        environment |= {"OMP_PROC_BIND": "true", "OMP_PLACES": places}
        environment["OMP_WAIT_POLICY"] = "active"  # a sleeping thread would start late
    words = [f"--benchmark_filter={only}"] if only else []
    measured = run_benchmarks(
        build / f"bin/ceilings_{instruction_set}", *words, plan=plan, **environment
    )
    of_name = {level.name: level for level in levels}
    return [
        _ceiling(name, values, instruction_set, len(cpus), of_name.get(name.split("/")[2]))
        for name, values in measured.items()
    ]


def operation_costs(measured: Statistics) -> Iterator[OperationCost]:
    """`measured` by bin/operation_costs."""
    for precision in ("float", "double"):
        for operation, note in _NOTES.items():
            if f"latency/{precision}/{operation}" not in measured:
                note = "no such instruction"
                yield OperationCost(
                    operation=operation, precision=precision, note=note, there=False
                )
                continue
            latency, every = (
                Cycles.model_validate({key: of_kind[key] for key in ("median", "spread")})
                for kind in ("latency", "throughput")
                for of_kind in [measured[f"{kind}/{precision}/{operation}"]]
            )
            if operation in _WITH_ADDITION:
                less = latency.median - measured[f"latency/{precision}/add"]["median"]
                latency = latency.model_copy(update={"median": less})
            yield OperationCost(
                operation=operation,
                precision=precision,
                note=note.format(_ESTIMATES.get(precision, "frsqrte")),
                there=True,
                latency_cycles=latency,
                one_every_cycles=every,
            )


def measure(build: Path, seconds: float = 0.3) -> Ceilings:
    """`seconds` per row: 0.01 is quick but unreliable."""
    here = this_machine(build)
    teams = [here.cpus[:1], *([here.cpus] if len(here.cpus) > 1 else [])]
    # Programs for other processors are not built.
    sets = [name for name in SETS if (build / f"bin/ceilings_{name}").exists()]
    rows: list[Ceiling] = []
    with turn("the processor"), Step("measuring this processor") as step:
        start, total = time.monotonic(), len(sets) * len(teams)
        costs = run_benchmarks(build / "bin/operation_costs")
        for done, (name, cpus) in enumerate(product(sets, teams)):
            step.hear(f"[{done}/{total}]")
            levels = levels_of(here, len(cpus), free_memory())
            is_widest = all(row.instruction_set == name for row in rows)
            of_set = rows_of_set(build, name, cpus, levels if is_widest else levels[:1], seconds)
            rows += of_set
    narrow_first = sorted(rows, key=lambda row: -list(SETS).index(row.instruction_set))
    return Ceilings(
        date=time.strftime("%Y-%m-%d", time.gmtime()),
        seconds=round(time.monotonic() - start, 1),
        machine=here.facts,
        clock_hz=costs["clock"]["median"],
        prices=tuple(operation_costs(costs)),
        ceilings=tuple(judged(narrow_first, LEVELS)),
    )


# The file.


def with_gpu_rows(lab: Lab, ceilings: Ceilings) -> Ceilings:
    """With those of GPU 0, if one answers and something can be built for it, which are kept. Raises LabError."""
    if rows := measure_gpu(lab):
        ceilings = ceilings.model_copy(update={"ceilings": (*ceilings.ceilings, *rows)})
        write_text(FILE, ceilings.model_dump_json(indent=1) + "\n")
    return ceilings


def measure_ceilings(lab: Lab) -> Ceilings:
    """Always measures. Call lab.begin() first and keep the lock: a build at the same time would spoil the measurement."""
    show_built(lab.build("the programs that measure", "ceilings"))
    say("measuring what this processor can do: about a minute; nothing else should run")
    with turn("the processor"):  # whose others would count as busy
        if (busy := busy_cores()) > QUIET:
            say(
                f"other programs use {busy:.1f} cores: figures that they disturb get a ?, and the worksheet does not use "
                "them; better stop this with Ctrl-C, and measure when the machine is quiet"
            )
        ceilings = measure(lab.build_dir)
    write_text(FILE, ceilings.model_dump_json(indent=1) + "\n")
    return ceilings


def known_ceilings(lab: Lab) -> Ceilings:
    """Measures only if the file is missing, damaged, or from another machine or compiler. Call lab.begin() first."""
    kept, here = load_if_whole(Ceilings, FILE), this_machine(lab.build_dir).facts
    facts = ("cpu", "cores", "compiler")
    if kept and all(getattr(kept.machine, one) == getattr(here, one) for one in facts):
        return kept
    return measure_ceilings(lab)
