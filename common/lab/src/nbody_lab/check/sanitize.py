"""./lab check PART NAME --sanitize: runs one program under the sanitizers and names the line of each mistake.

    python -m nbody_lab.check.sanitize BUILD PART NAME    for tests: kernels on the CPU

common/cmake/variants.cmake makes its programs. Data races need clang++, whose OpenMP reports its synchronisation to the
sanitizer; kernels on the CPU report theirs themselves.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from nbody_lab import ROOT
from nbody_lab.building.lab import Lab, show_built
from nbody_lab.building.ranks import PLACEHOLDER, has_ranks
from nbody_lab.core.console import show
from nbody_lab.core.errors import ended
from nbody_lab.core.run import Step, capture

_SOFTENED = ["-i", "2", "--soft", "0.01"]
_STEPS: tuple[list[str], ...] = ([], ["--vdt"])
# Few bodies, a single one, sizes that fill no tile, more threads than cores.
_RUNS = [
    ["-n", n, *_SOFTENED, "--threads", threads, *step]
    for n in ("1", "2", "17", "129", "257")
    for threads, step in zip(("1", "4"), _STEPS)
]
# Kernels: many small blocks, of two warps and of a partly filled one. Any two of up to 32 blocks run at once in one of
# five launches (common/cuda/on_cpu/block.cpp). Addresses: also one that outgrows small shared arrays.
_BLOCKS_ON_CPU, _LARGE_BLOCK = ("64", "16"), "512"
_RUNS_ON_CPU = [
    ["-n", n, "-i", "4", "--soft", "0.01", *step]
    for n in ("1", "17", "129", "257")
    for step in _STEPS
]
# Several processes: fewer bodies than ranks, and no multiple of them.
_RUNS_OF_RANKS = [
    (ranks, ["-n", n, *_SOFTENED, "--vdt"]) for n in ("2", "17", "257") for ranks in ("1", "2", "3")
]
Run = tuple[str, list[str]]  # how a person names it, its command line
_PATIENCE_S, _MOST_PLACES = 10, 5

# What the sanitizers report.

_BEYOND = "reads or writes beyond the end of an array"
# Their terms, explained.
_MEANINGS = {
    "heap-buffer-overflow": _BEYOND,
    "stack-buffer-overflow": _BEYOND,
    "heap-use-after-free": "uses memory that was freed, for example after a resize()",
    "SEGV": "uses an invalid address",
    "detected memory leaks": "memory is never freed",
    "data race": "a data race: two threads use this number at once, and one of them writes",
}
_REPORT = re.compile(
    r"^/\S+: runtime error: (?P<undefined>.*)$"
    r"|(?:ERROR|WARNING): (?:Address|Thread|Leak)Sanitizer: (?P<what>[^\n(]+)",
    re.M,
)
_PLACE = re.compile(r"(/[^\s:]+):(\d+)")


def _own_place(report: str, root: Path) -> str:
    """FILE:LINE of the first place that is own code: in the lab, but not in common/."""
    for match in _PLACE.finditer(report):
        path = Path(os.path.normpath(match[1]))
        if root in path.parents and path.relative_to(root).parts[0] != "common":
            return f"{path.relative_to(root)}:{match[2]}"
    return ""


def places(report: str, root: Path) -> list[str]:
    """One line for each mistake in the report, without duplicates."""
    found, matches = [], list(_REPORT.finditer(report))
    for match, after in zip(matches, [*matches[1:], None]):
        one = report[match.start() : after.start() if after else len(report)]
        where = _own_place(one, root)
        if match["undefined"]:
            text = re.sub(r" (address )?0x[0-9a-f]+", " an address", match["undefined"])  # varies
        else:
            what = match["what"].split(" on ")[0].split(":")[0].strip()
            text = _MEANINGS.get(what, what)
            other = _own_place(one.partition("Previous ")[2], root) if what == "data race" else ""
            if other and other != where:
                text += f"; the other one at {other}"
        found.append(f"{where}: {text}" if where else text)
    return list(dict.fromkeys(found))


# The small runs.


def find_archer() -> Path | None:
    """The library that reports OpenMP to clang++'s thread sanitizer; None: it or clang++ is missing."""
    if not shutil.which("clang++"):
        return None
    folder = Path(capture("clang++", "-print-resource-dir").stdout.strip())
    library = folder.parent.parent / "libarcher.so"
    return library if library.exists() else None


def blocks_of(program: Path) -> list[str]:
    """Those that it takes: others it refuses with status 2. Kernels with fixed blocks take none."""
    one_step = ["-n", "1", "-i", "1", "--nv"]
    return [
        size
        for size in (*_BLOCKS_ON_CPU, _LARGE_BLOCK)
        if capture(program, "--block", size, *one_step).returncode != 2
    ]


def _runs_of(lab: Lab, options: Sequence[list[str]], program: Path) -> list[Run]:
    if not has_ranks(lab):
        return [(" ".join(run), [str(program), *run]) for run in options]
    runs = []
    for ranks, run in _RUNS_OF_RANKS:
        launcher = [word.replace(PLACEHOLDER, ranks) for word in lab.of_part("launcher")]
        runs.append((f"on {ranks} ranks, {' '.join(run)}", [*launcher, str(program), *run]))
    return runs


class Found(NamedTuple):
    places: Sequence[str]
    fault: str  # why runs did not finish

    @property
    def nothing(self) -> bool:
        return not self.places and not self.fault


def _judge(what: str, runs: Sequence[Run], environment: Mapping[str, str], seconds: float) -> Found:
    """Runs them and prints a verdict."""
    report, fault, end = "", "", time.monotonic() + seconds
    with Step(f"looking for {what}") as step:
        for number, (title, argv) in enumerate(runs):
            step.hear(f"[{number}/{len(runs)}]")
            left = max(end - time.monotonic(), 0)
            try:
                done = capture(*argv, environment=environment, timeout=left)
            except subprocess.TimeoutExpired:
                fault = f"stopped after {seconds:g} s, in {title}"
                break
            report += done.stderr
            if done.returncode != 0 and not re.search("Sanitizer|runtime error", done.stderr):
                fault = f"{title}: status {done.returncode}: {done.stderr.strip()[:200]}"
                break
    found = places(report, ROOT)
    unknown = "unknown, because its runs did not finish" if fault else f"clean, {len(runs)} runs"
    show(f"{what}: {'FOUND' if found else unknown}")
    show(*(f"  {one}" for one in (*found[:_MOST_PLACES], fault) if one))
    return Found(found, fault)


def sanitize(lab: Lab, name: str) -> bool:
    """Builds the programs, prints the verdicts; returns True if nothing was found."""
    title, on_cpu, ranks = f"{lab.part}/{name}", bool(lab.made_for), has_ranks(lab)
    archer = None if on_cpu or ranks else find_archer()
    addresses, races = (
        f"bin/{kind}/{lab.part}{lab.made_for}/{name}" for kind in ("addresses", "races")
    )
    show_built(lab.build(f"{title} to look for wrong addresses", addresses))
    # clang++ may not know a flag of g++'s: addresses are looked at all the same.
    build = lab.build if on_cpu else lab.try_to_build
    has_races_program = (on_cpu or archer) and show_built(
        build(f"{title} to look for races", races)
    )
    lab.unlock()

    options = _RUNS
    if on_cpu:
        blocks = [["--block", size] for size in blocks_of(lab.build_dir / addresses)] or [[]]
        options = [[*run, *block] for run in _RUNS_ON_CPU for block in blocks]
    runs = _runs_of(lab, options, lab.build_dir / addresses)
    show(f"{title} under the sanitizers, {len(runs)} small runs")
    # MPI's library never frees some memory; and the sanitizer, not the dying rank, should report a crash.
    leaks = "detect_leaks=0:allow_user_segv_handler=0" if ranks else "detect_leaks=1"
    environment = {"ASAN_OPTIONS": leaks, "UBSAN_OPTIONS": "print_stacktrace=1"}
    patience = 3 if ranks or on_cpu else 1
    found = _judge("addresses and undefined behaviour", runs, environment, patience * _PATIENCE_S)

    options = [run for run in options if run[-1] != _LARGE_BLOCK] or options
    runs = _runs_of(lab, options, lab.build_dir / races)
    why_not, good = "", found.nothing
    if ranks:
        why_not = ", since MPI's library does not support it"
    elif on_cpu and found.places:
        why_not = ", since a wrong index looks like one"
    elif not on_cpu and archer is None:
        why_not = ": needs clang++ with OpenMP (packages clang and libomp-dev)"
    elif not has_races_program:
        why_not, good = ", since clang++ does not compile it", False
    if why_not:
        show(f"data races: not checked{why_not}")
        return good
    if on_cpu:
        # g++'s sanitizer fails if addresses vary widely.
        fixed = ["setarch", "-R"]
        if shutil.which(fixed[0]) and capture(*fixed, "true").returncode == 0:
            runs = [(title, [*fixed, *argv]) for title, argv in runs]
        # It halts at the first race, since a loop would repeat it in every iteration.
        environment = {"TSAN_OPTIONS": "exitcode=66:report_thread_leaks=0:halt_on_error=1"}
        races_found = _judge("data races of a kernel", runs, environment, 6 * _PATIENCE_S)
        return races_found.nothing and good
    environment = {
        "OMP_TOOL_LIBRARIES": str(archer),
        "TSAN_OPTIONS": "ignore_noninstrumented_modules=1",
    }
    return _judge("data races", runs, environment, _PATIENCE_S).nothing and good


def main(build: str, part: str, name: str) -> int:
    lab = Lab(part)
    lab.build_dir = Path(build).resolve()
    lab.log = lab.build_dir / "lab.log"
    lab.use_cpu()
    return 0 if sanitize(lab, name) else 1


if __name__ == "__main__":
    sys.exit(ended(main, *sys.argv[1:]))
