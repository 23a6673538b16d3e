"""Runs bin/check, the program that judges, and hears what it finds.

python -m nbody_lab.check.run bin/check part1 mine ...    for tests: nothing is built before
"""

import argparse
import dataclasses
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from nbody_lab import ROOT
from nbody_lab.building.manifest import Manifest
from nbody_lab.check.plan import Asked, Plan, Subject, plan_of
from nbody_lab.check.result import Answers, CheckResult
from nbody_lab.check.tables import check_text
from nbody_lab.core.console import show
from nbody_lab.core.errors import INTERRUPTED, LabError, ended
from nbody_lab.core.run import SHORT_SPINS, Step, converse

_HALF = 0.5  # of a limit, which honest programs must not exceed

Build = Callable[[Subject, Step], bool]  # of a program in double


def build_in_double(subject: Subject, step: Step) -> bool:
    """As a command of its own, while the check waits."""
    words: list[str | Path] = [ROOT / "lab", "build", subject.row.part, subject.row.name]
    process = subprocess.run(
        [*words, "--double"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if said := process.stdout.decode(errors="replace").strip():
        step.tell(said)
    return process.returncode == 0


def run(program: Path, plan: Plan, build: Build | None = None) -> CheckResult:
    """Shows how far it is. `build`: called for each program in double when it is needed; else they are there. Ends the
    command if there is no result."""
    answers = Answers(plan)
    with Step(f"checking {plan.part}") as step:

        def hear(line: dict[str, Any]) -> str | None:
            answers.hear(line)
            if build and "builds_double" in line:
                place = line["builds_double"]
                built = build(plan.checked[place], step)
                if not built:
                    answers.not_compiled.add(place)
                return "true\n" if built else "false\n"
            if case := line.get("case"):
                place = line["program"]
                many = f" ({place + 1} of {len(plan.checked)})" if len(plan.checked) > 1 else ""
                name = plan.checked[place].name
                doing = f"{name}{many} {case['group']} {case['scene']} N = {case['n']}"
                step.hear(f"... {line['done']}/{line['all']}" if line["all"] else "", doing)
            return None

        text = plan.as_json(builds_double=build is not None)
        environment = {**SHORT_SPINS, **os.environ}
        status = converse(step, program, text, hear, may_ask=True, env=environment)
    result = answers.result()
    if status == INTERRUPTED:
        raise KeyboardInterrupt
    if status or result is None:
        raise SystemExit(status or LabError.status)
    return result


def as_expected(result: CheckResult) -> bool:
    return all(one.as_expected for one in result.implementations)


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="check")
    parser.add_argument("program", type=Path)
    parser.add_argument("part")
    parser.add_argument("names", nargs="*", default=[])
    parser.add_argument("--manifest", type=Path, required=True)
    parser.add_argument("--half", action="store_true", help="who passes stays below half a limit")
    parser.add_argument("-v", dest="verbose", action="store_true", help="every case")
    for option in dataclasses.fields(Asked):
        how: dict[str, Any] = {"action": "store_true"}
        if option.default is not False:
            kind = str if isinstance(option.default, str) else int
            how = {"default": option.default, "type": kind}
        parser.add_argument(f"--{option.name.replace('_', '-')}", **how)
    typed = parser.parse_intermixed_args(words)
    asked = Asked(**{one.name: getattr(typed, one.name) for one in dataclasses.fields(Asked)})
    result = run(typed.program, plan_of(Manifest(typed.manifest), typed.part, typed.names, asked))
    show(*check_text(result, typed.verbose))
    honest = [one for one in result.implementations if one.verdict == "passed"]
    near = [one for one in honest if not (one.worst_share_of_limit or 0) <= _HALF]
    near = near if typed.half else []
    show(*(f"{one.title} is above half of a limit" for one in near))
    return 0 if as_expected(result) and not near else 1


if __name__ == "__main__":
    sys.exit(ended(main, sys.argv[1:]))
