"""Runs bin/check, the program that judges, and hears what it finds.

python -m nbody_lab.check.run bin/check part1 mine ...    for tests: nothing is built before
"""

import argparse
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from nbody_lab import ROOT
from nbody_lab.building.manifest import Manifest
from nbody_lab.check.plan import Asked, Plan, Subject, plan_of
from nbody_lab.check.result import Answers, CheckResult, NotInDouble
from nbody_lab.check.tables import check_text
from nbody_lab.core.console import show
from nbody_lab.core.errors import LabError, ended
from nbody_lab.core.run import SHORT_SPINS, Step, status_of, tell_fault

_HALF = 0.5  # of a limit, which honest programs must not exceed

Build = Callable[[Subject, Step], NotInDouble | None]  # of a program in double


def build_in_double(subject: Subject, step: Step) -> NotInDouble | None:
    """As a command of its own, while the check waits."""
    row = subject.row
    words: list[str | Path] = [ROOT / "lab", "build", row.part, row.name, "--double"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout
        for line in process.stdout:
            step.tell(line.decode(errors="replace").rstrip("\n"))
    with suppress(OSError):  # a verdict on two texts would be none
        if (ROOT / row.source).stat().st_mtime > subject.program.stat().st_mtime:
            return "saved meanwhile"
    return "not built" if process.returncode else None


def _show(line: dict[str, Any], plan: Plan, step: Step) -> None:
    """How far it is, and how long it has waited: a program may be slow, or never end."""
    if "waited_s" in line:
        request = f"N = {line['n']}, {line['steps']} steps"
        step.hear("", f"{request}, {line['waited_s']} s of at most {plan.asked.timeout:g} s")
    elif "case" in line:
        place, case = line["program"], line["case"]
        many = f" ({place + 1} of {len(plan.programs)})" if len(plan.programs) > 1 else ""
        doing = f"{plan.checked[place].name}{many} {case['group']} {case['scene']} N = {case['n']}"
        step.hear(f"... {line['done']}/{line['all']}" if line["all"] else "", doing)


def run(program: Path, plan: Plan, build: Build | None = None) -> CheckResult:
    """Shows how far it is. `build`: called for each program in double when it is needed; else they are there. Ends the
    command if there is no result."""
    answers = Answers(plan)
    with (
        Step(f"checking {plan.part}") as step,
        subprocess.Popen(
            [program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**SHORT_SPINS, **os.environ},
        ) as process,
    ):
        assert process.stdin and process.stdout
        stdin, stdout = process.stdin, process.stdout

        def send(text: str) -> None:
            with suppress(BrokenPipeError):
                stdin.write(text.encode())
                stdin.flush()

        def listen() -> None:
            for text in stdout:
                try:
                    line = json.loads(text)
                except ValueError:
                    step.tell(text.decode(errors="replace").rstrip("\n"))
                    continue
                if build and "builds_double" in line:
                    place = line["builds_double"]
                    why = build(plan.checked[place], step)
                    if why:
                        answers.not_in_double[place] = why
                    send("false\n" if why else "true\n")
                answers.hear(line)
                _show(line, plan, step)

        listener = threading.Thread(target=listen, daemon=True)
        listener.start()
        send(plan.as_json(builds_double=build is not None))
        status = status_of(process)
        listener.join()
        with suppress(BrokenPipeError):  # it may have ended without reading
            stdin.close()
    tell_fault("check", status, "")
    result = answers.result()
    if status or result is None:
        raise SystemExit(status or LabError.status)
    return result


def as_expected(result: CheckResult) -> bool:
    return all(one.as_expected for one in result.implementations)


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="check", argument_default=argparse.SUPPRESS)
    parser.add_argument("program", type=Path)
    parser.add_argument("part")
    parser.add_argument("names", nargs="*", default=[])
    parser.add_argument("--manifest", type=Path, required=True)
    parser.add_argument("-v", dest="verbose", action="store_true", default=False)
    half = "programs that should pass must stay below half of each limit"
    parser.add_argument("--half", action="store_true", default=False, help=half)
    for name in ("tolerance", "precision", "arch"):
        parser.add_argument(f"--{name}")
    for name in ("seed", "seeds", "largest"):
        parser.add_argument(f"--{name}", type=int)
    parser.add_argument("--timeout", type=float)
    for name in ("no-double", "thorough"):
        parser.add_argument(f"--{name}", action="store_true")
    options = vars(parser.parse_intermixed_args(words))
    program, part, names = (options.pop(key) for key in ("program", "part", "names"))
    manifest, verbose, half = (options.pop(key) for key in ("manifest", "verbose", "half"))
    result = run(program, plan_of(Manifest(manifest), part, names, Asked(**options)))
    show(*check_text(result, verbose))
    honest = [one for one in result.implementations if one.verdict == "passed"]
    near = [one for one in honest if not (one.worst_share_of_limit or 0) <= _HALF] if half else []
    show(*(f"{one.title} is above half of a limit" for one in near))
    return 0 if as_expected(result) and not near else 1


if __name__ == "__main__":
    sys.exit(ended(main, sys.argv[1:]))
