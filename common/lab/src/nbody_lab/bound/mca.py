"""Counts the ports of a loop by llvm-mca, for a core that OSACA does not know."""

import json
import shutil
import subprocess

from nbody_lab.bound.instruction_kinds import plain
from nbody_lab.core.messages import UserError

TIMES = 100  # simulated iterations


class CannotCount(UserError):
    """Why the ports cannot be counted, in one line."""


def find_mca():
    """The newest llvm-mca; '' if there is none."""
    names = ["llvm-mca", *(f"llvm-mca-{version}" for version in range(30, 10, -1))]
    return next((name for name in names if shutil.which(name)), "")


def ask(tool, core, lines):
    text = "".join(f"{line}\n" for line in [".L0:", *lines])
    done = subprocess.run(
        [tool, "--json", f"-mcpu={core or 'native'}", f"-iterations={TIMES}", "-"],
        input=text,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    return done.stdout, done.stderr


def is_known(answer):
    said, complaint = answer
    return bool(said.strip()) and "error:" not in complaint


def without_unknown(tool, core, lines):
    """(its output, unknown lines). It only warns about some unknown instructions, but stops at others."""
    answer = ask(tool, core, lines)
    if is_known(answer):
        return answer[0], []
    known = [line for line in lines if is_known(ask(tool, core, [line]))]
    if not known:
        said = (answer[1].strip().splitlines() or ["no message"])[0]
        raise CannotCount(
            f"{tool} does not know this core ({said}): ./lab setup --pictures installs OSACA, which knows more; "
            "or name an older core, for example --core ZEN3"
        )
    return ask(tool, core, known)[0], [line for line in lines if line not in known]


def ports_in(region, names):
    """{port: cycles per iteration}. The row after the last instruction has the sums."""
    last = len(region["Instructions"])
    rows = region["ResourcePressureView"]["ResourcePressureInfo"]
    return {
        names[row["ResourceIndex"]]: round(row["ResourceUsage"], 2)
        for row in rows
        if row["InstructionIndex"] == last
    }


def version_of(tool):
    said = subprocess.run(
        [tool, "--version"], stdout=subprocess.PIPE, text=True, check=False
    ).stdout
    return next(
        (line.split("version")[1].strip() for line in said.splitlines() if "LLVM version" in line),
        "",
    )


def analysis(core, texts):
    """The same fields as osaca_model.py gives. llvm-mca does not report the dependency chain between iterations, so the
    chain is None."""
    tool = find_mca()
    if not tool:
        raise CannotCount("llvm-mca is missing; install the package llvm")
    said, unknown = without_unknown(tool, core.mca if core else "", [plain(text) for text in texts])
    answer = json.loads(said)
    region = answer["CodeRegions"][0]
    return {
        "tool": f"llvm-mca {version_of(tool)}",
        "core": core.name if core else answer["TargetInfo"]["CPUName"],
        "ports": ports_in(region, answer["TargetInfo"]["Resources"]),
        "chain_cycles": None,
        "chain": [],
        "borrowed": {},
        "unknown": unknown,
    }
