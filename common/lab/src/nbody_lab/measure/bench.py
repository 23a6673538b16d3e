"""Times programs with bin/bench, which gets a plan and answers line by line."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from nbody_lab import ROOT
from nbody_lab.building.lab import Lab
from nbody_lab.building.manifest import Manifest
from nbody_lab.core.console import show
from nbody_lab.core.errors import INTERRUPTED, LabError
from nbody_lab.core.run import Step, capture, converse
from nbody_lab.core.turns import turn
from nbody_lab.core.whole_file import write_text
from nbody_lab.measure.bench_file import BenchResult
from nbody_lab.measure.bench_plan import Asked, Plan, plan_of
from nbody_lab.measure.bench_result import Answers, result_of
from nbody_lab.measure.bench_text import bench_text

BUSY = "the machine was busy, so it may be faster: measure again when it is quiet"


def measure(program: Path, plan: Plan, label: str) -> tuple[int, BenchResult, str]:
    """(status, result, the text of its file). After Ctrl-C or SIGTERM with what was measured until then. Status 1: something is
    wrong. Ends the command if nothing is known."""
    answers = Answers()
    with Step(label) as step:

        def hear(line: dict[str, Any]) -> None:
            answers.hear(line)
            if "doing" in line:
                step.hear(f"... {line['done']}/{line['all']}", line["doing"])

        status = converse(step, program, plan.as_json(), hear)
    if answers.google is None:
        raise SystemExit(status or LabError.status)
    result, text = result_of(plan, answers, program)
    wrong = not all(row.as_expected for row in result.summary)
    return status or int(wrong), result, text


def run_bench(lab: Lab, asked: Asked, file: Path) -> int:
    """Measures programs that are built, shows the tables, and returns the status."""
    if shutil.which("git"):
        git = capture("git", "-C", ROOT, "describe", "--always", "--dirty")
        asked = replace(asked, revision=git.stdout.strip())
    if gpu := lab.demand_gpu():
        asked = replace(asked, device=gpu, device_peak=lab.gpus()[0].peaks.get("float") or 0)
    plan = plan_of(Manifest(lab.manifest), lab.part, asked)
    show(*(f"  {why}" for why in plan.skipped))
    lab.unlock()
    with turn(f"{lab.part} with ./lab bench"):
        status, result, text = measure(lab.build_dir / "bin/bench", plan, f"measuring {lab.part}")
    show(bench_text(result))
    write_text(file, text)
    return status


def bench_result(lab: Lab, asked: Asked, file: Path | None = None) -> BenchResult:
    """What bench measures, as a step. Wrong results do not stop it: their row says so."""
    plan = plan_of(Manifest(lab.manifest), lab.part, asked)
    with turn(lab.part):
        status, result, text = measure(lab.build_dir / "bin/bench", plan, f"timing {lab.part}")
    if status == INTERRUPTED:
        raise KeyboardInterrupt
    if file:
        write_text(file, text)
    return result
