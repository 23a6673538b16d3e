"""What bin/bench answers (common/bench/measure.hpp), and the file that is made of it: Google Benchmark's JSON, with facts
about the machine in `context`, and in `summary` a row for each program and setup."""

import json
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Literal

from nbody_lab.building.cpuinfo import fields
from nbody_lab.core.model import LabModel, parse
from nbody_lab.core.words import plural
from nbody_lab.measure.bench_file import TUNED, BenchResult, BenchRow, Outcome, Rates, middle_half
from nbody_lab.measure.bench_plan import Plan, PlannedRow

_ADVICE = "try again when the machine is quiet, or with --wait 120"
_WIDE_SPREAD, _FEW_CORES = 0.25, 0.75  # of one thread: it was timed beside other programs


class Timing(LabModel):
    """Of one row."""

    rounds: tuple[float, ...]  # seconds of a step; 0: the round does not count
    neighbours: tuple[float, ...]  # cores that other programs used in each
    cycles: tuple[float, ...]  # seconds of one cycle of a core
    error: float | None  # None: NaN
    limit: float
    wrong: str
    step_count_verified: bool
    cores: float
    others: float
    workers: int
    starved: bool
    fault: str
    outcome: Literal["wrong", "late", "busy", "failed"]  # of the fault
    writes: bool

    def judged(self, is_exhibit: bool) -> tuple[Outcome, str]:
        """The timed answers must be right; an exhibit is expected to be wrong."""
        if self.fault:
            wrong = self.outcome == "wrong"
            return self.outcome, f"WRONG: {self.wrong}" if wrong else self.fault
        if not self.wrong and self.error is not None and self.error <= self.limit:
            return "right", "right"
        if is_exhibit:
            return "wrong as expected", "wrong, as expected"
        return "wrong", f"WRONG: {self.wrong}" if self.wrong else "WRONG"

    def about_cores(self, row: PlannedRow) -> str:
        """Why it has no speed, or fewer cores than threads."""
        workers = plural(self.workers, "rank" if row.has_ranks else "thread")
        if self.fault and self.outcome == "busy":
            if not self.starved:
                return f"t(K) was never linear in K; {_ADVICE}"
            had = f"{workers} had {self.cores:.1f} cores, other programs {self.others:.1f}"
            return f"{had}: this says nothing about its code; {_ADVICE}"
        if self.workers > len(os.sched_getaffinity(0)):
            return f"{workers} shared the machine, and had {self.cores:.1f} cores"
        return ""


@dataclass
class Answers:
    """The lines of the program, as they come."""

    timings: dict[int, Timing] = field(default_factory=dict)  # by the number of the row
    google: dict[str, Any] | None = None  # None: not yet at its end
    stopped: bool = False

    def hear(self, line: dict[str, Any]) -> None:
        if "timing" in line:
            self.timings[line["row"]] = parse(Timing, line["timing"], "bench")
        elif "google" in line:
            self.google, self.stopped = line["google"], line["stopped"]


def rates_of(values: Iterable[float]) -> Rates:
    """At least one value."""
    known = sorted(values)
    lower, upper = middle_half(known) if len(known) > 1 else (known[0], known[0])
    quartiles = {"lower_quartile": lower, "upper_quartile": upper}
    return Rates(median=median(known), minimum=known[0], maximum=known[-1], **quartiles)


def row_of(row: PlannedRow, timing: Timing, rounds: int) -> BenchRow:
    """A program that computes something else has no speed; an exhibit shows what its mistake gains."""
    made, setup = row.row, row.setup
    outcome, verdict = timing.judged(is_exhibit=bool(made.expect))
    seconds = [second for second in timing.rounds if second > 0]
    found = BenchRow(
        name=row.name,
        kind=made.kind,
        flags=" ".join(made.flags),
        **setup._asdict(),
        parent=made.parent,
        rounds=rounds if timing.fault else len(seconds),
        flops_per_interaction=row.flops or BenchRow().flops_per_interaction,
        flops_counted=row.flops is not None,
        cores_used=timing.cores,
        about_cores=timing.about_cores(row),
        **timing.model_dump(include={"writes", "step_count_verified", "error", "limit"}),
        outcome=outcome,
        verdict=verdict,
    )
    if not found.as_expected:
        return found
    rates = rates_of(setup.n**2 / second for second in seconds)
    spread = (rates.upper_quartile - rates.lower_quartile) / rates.median
    alone = setup.threads * max(1, setup.ranks) == 1
    return found.model_copy(
        update={
            "interactions_per_s": rates,
            "seconds_per_iteration": rates_of(seconds),
            "seconds_of_rounds": timing.rounds,
            "cores_of_others_in_rounds": timing.neighbours,
            "busy_machine": spread > _WIDE_SPREAD or (alone and 0 < timing.cores < _FEW_CORES),
        }
    )


def result_of(plan: Plan, answers: Answers, program: Path) -> tuple[BenchResult, str]:
    """The result, and the text of its file. `program`: in the build folder, which knows its compiler."""
    asked, known = plan.asked, sorted(answers.timings)
    rows = tuple(row_of(plan.rows[k], answers.timings[k], asked.clock.rounds) for k in known)
    google = answers.google or {"context": {}}
    compiler = program.parent.parent / "compiler.txt"
    cycles = [cycle for timing in answers.timings.values() for cycle in timing.cycles]
    context = {key: value for key, value in google["context"].items() if key != "host_name"}
    context |= {
        "what": "interactions per second of whole programs, timed from outside",
        "part": plan.part,
        "scene": asked.scene,
        "adaptive": asked.adaptive,
        "cpu": fields().get("model name") or "unknown CPU",
        **({"device": asked.device} if asked.device else {}),
        **({"device_peak_flops_per_s": asked.device_peak} if asked.device_peak else {}),
        "compiler": compiler.read_text(encoding="utf-8").strip() if compiler.exists() else "",
        "day": time.strftime("%Y-%m-%d", time.gmtime()),
        "revision": asked.revision,
        "schedule": os.environ.get("OMP_SCHEDULE", "as each source says"),
        "clock_hz": 1 / median(cycles) if cycles else 0,
        "stopped": answers.stopped,
        "flags": {row.name: row.flags for row in rows},
    }
    result = BenchResult.model_validate({"context": context, "summary": rows})
    unset = [
        {name for name in (*TUNED, "ranks", "parent") if not getattr(row, name)} for row in rows
    ]
    summary = [row.model_dump(exclude=names) for row, names in zip(rows, unset)]
    return result, json.dumps({**google, "context": context, "summary": summary}, indent=2) + "\n"
