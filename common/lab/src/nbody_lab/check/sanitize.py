"""./lab check PART NAME --sanitize: runs one program under the sanitizers and names the line of each mistake.

    python -m nbody_lab.check.sanitize ROOT MANIFEST PART NAME

Only the implementation itself is compiled again, with its own flags, and runs a few small cases. Addresses and
undefined behaviour are checked with its own compiler. Data races need clang++, whose OpenMP reports its synchronisation
to the sanitizer; with g++ every loop would look like a race. Kernels on the CPU (manifest_on_cpu.json) use their own
compiler for races as well: common/cuda_on_cpu reports the synchronisation.

CMake calls it with whatever Python there is, so it imports nothing beyond the standard library.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from nbody_lab.build.ninja_commands import commands_of
from nbody_lab.build.ranks import PLACEHOLDER
from nbody_lab.check.sanitizer_reports import places
from nbody_lab.core.errors import LabError, ended
from nbody_lab.core.run import Step

_SOFTENED = ["-i", "2", "--soft", "0.01"]
_STEPS: tuple[list[str], ...] = ([], ["--vdt"])
# Few bodies, a single one, sizes that fill no tile, more threads than cores.
_RUNS = [
    ["-n", n, *_SOFTENED, "--threads", threads, *step]
    for n in ("1", "2", "17", "129", "257")
    for threads, step in zip(("1", "4"), _STEPS)
]
# Kernels: many small blocks, of two warps and of a partly filled one.
_BLOCKS_ON_CPU = ("64", "16")
_RUNS_ON_CPU = [["-n", n, *_SOFTENED, *step] for n in ("1", "17", "129", "257") for step in _STEPS]
# Several processes: fewer bodies than ranks, and no multiple of them.
_RUNS_OF_RANKS = [
    (ranks, ["-n", n, *_SOFTENED, "--vdt"]) for n in ("2", "17", "257") for ranks in ("1", "2", "3")
]
Run = tuple[str, list[str]]  # how a person names it, its command line
_PATIENCE_S, _MOST_PLACES = 10, 5


class CannotSanitize(LabError):
    """Explains in one line why the program cannot be sanitized."""


@dataclass(frozen=True)
class Program:
    """What is compiled again, and where."""

    title: str  # PART/NAME
    root: Path
    build: Path
    path: Path
    compiling: list[str]
    linking: list[str]
    launcher: tuple[str, ...] = ()
    on_cpu: bool = False

    @property
    def has_ranks(self) -> bool:
        return PLACEHOLDER in self.launcher


def of_gpu(part: str, name: str) -> str:
    """What to do for a program that runs on a GPU."""
    return (
        f"{part} runs on a GPU: compute-sanitizer --tool memcheck build/release/bin/{part}/{name} -n 1000 -i 2 (or racecheck); "
        f"without one: ./lab check {part} {name} --on-cpu --sanitize"
    )


# How the program is compiled again.


@contextmanager
def _progress(label: str) -> Iterator[Callable[[str], None]]:
    """A line while it lasts."""
    with Step(label) as step:
        yield step.hear


def _run(
    words: Sequence[str],
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    seconds: float | None = None,
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, **(environment or {})},
        timeout=seconds,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


def without_files(words: Sequence[str]) -> list[str]:
    """The compiler's words without files, and without flags that are replaced."""
    kept, rest = [], iter(words)
    for word in rest:
        if word in ("-o", "-c", "-MT", "-MF", "-include"):
            next(rest, None)
        elif word not in ("-MD", "-Winvalid-pch") and not re.match(r"-O|-g$|-W", word):
            kept.append(word)
    return kept


def libraries(words: Sequence[str], openmp: str | None) -> list[str]:
    """The libraries of a link command; `openmp` replaces g++'s OpenMP library."""
    found = [
        word for word in words if re.search(r"\.(o|a|so)(\.\d+)*$", word) or word.startswith("-l")
    ]
    return [openmp if openmp and "gomp" in word else word for word in found]


def _compile(program: Program, sanitizers: str, compiler: str, openmp: str | None = None) -> Path:
    """The program that it made. Raises CannotSanitize."""
    folder = program.root / "build/sanitize"
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{program.title.replace('/', '_')}_{sanitizers.rpartition('=')[2]}"
    words = [compiler, *without_files(program.compiling[1:-1]), "-O1", "-g"]
    words += ["-fno-omit-frame-pointer", sanitizers, program.compiling[-1], "-o", str(target)]
    words += libraries(program.linking, openmp)
    with _progress(f"compiling {program.title} with {sanitizers}"):
        done = _run(words, program.build)
    if done.returncode != 0:
        lines = done.stderr.splitlines()
        first = next((one for one in lines if "error" in one or "undefined" in one), "no message")
        raise CannotSanitize(
            f"{Path(compiler).name} does not compile it with {sanitizers}: {first}"
        )
    return target


def _archer() -> tuple[str, Path] | None:
    """clang++, and the library that reports OpenMP to its thread sanitizer; None: one is missing."""
    clang = shutil.which("clang++")
    if not clang:
        return None
    folder = _run([clang, "-print-resource-dir"]).stdout.strip()
    library = Path(folder).parent.parent / "libarcher.so"
    return (clang, library) if library.exists() else None


def _at_fixed_addresses() -> list[str]:
    """A prefix that switches off address randomisation, if allowed: g++'s sanitizer fails if addresses vary widely."""
    words = ["setarch", "-R"]
    allowed = shutil.which(words[0]) and _run([*words, "true"]).returncode == 0
    return words if allowed else []


# Its small runs.


def _blocks_of(path: Path) -> list[str]:
    """Those that the program takes: others it refuses with status 2. Kernels with fixed blocks take none."""
    one_step = ["-n", "1", "-i", "1", "--nv"]
    return [
        size
        for size in _BLOCKS_ON_CPU
        if _run([str(path), "--block", size, *one_step]).returncode != 2
    ]


def _runs_of(program: Program, target: Path) -> list[Run]:
    if program.has_ranks:
        return [
            (
                f"on {ranks} ranks, {' '.join(run)}",
                [word.replace(PLACEHOLDER, ranks) for word in program.launcher]
                + [str(target), *run],
            )
            for ranks, run in _RUNS_OF_RANKS
        ]
    runs = _RUNS
    if program.on_cpu:
        blocks = [["--block", size] for size in _blocks_of(program.path)] or [[]]
        runs = [[*run, *block] for run in _RUNS_ON_CPU for block in blocks]
    return [(" ".join(run), [str(target), *run]) for run in runs]


def _run_all(
    runs: Sequence[Run], environment: Mapping[str, str], seconds: float, hear: Callable[[str], None]
) -> tuple[str, str | None]:
    """(the sanitizer's output of all runs, what else went wrong)"""
    report, end = "", time.monotonic() + seconds
    for number, (title, command) in enumerate(runs):
        hear(f"[{number}/{len(runs)}]")
        left = end - time.monotonic()
        if left <= 0:
            return report, f"stopped after {seconds:g} s, before {title}"
        try:
            done = _run(command, environment=environment, seconds=left)
        except subprocess.TimeoutExpired:
            return report, f"{title} did not end within {seconds:g} s"
        report += done.stderr
        if done.returncode != 0 and not re.search("Sanitizer|runtime error", done.stderr):
            return report, f"{title}: status {done.returncode}: {done.stderr.strip()[:200]}"
    return report, None


def _judge(
    program: Program,
    what: str,
    target: Path,
    environment: Mapping[str, str],
    patience: int = 1,
    prefix: Sequence[str] = (),
) -> bool:
    """Runs the target and prints a verdict; returns True if nothing was found."""
    runs = [(title, [*prefix, *command]) for title, command in _runs_of(program, target)]
    with _progress(f"looking for {what}") as hear:
        report, fault = _run_all(runs, environment, _PATIENCE_S * patience, hear)
    found = places(report, program.root)
    if found:
        verdict = "FOUND"
    elif fault:
        verdict = "unknown, because its runs did not finish"
    else:
        verdict = f"clean, {len(runs)} runs"
    left_out = [f"and {len(found) - _MOST_PLACES} more"] if len(found) > _MOST_PLACES else []
    lines = [*found[:_MOST_PLACES], *left_out, *filter(None, [fault])]
    print("\n  ".join([f"{what}: {verdict}", *lines]), flush=True)
    return not found and not fault


def _has_right_addresses(program: Program) -> bool:
    target = _compile(program, "-fsanitize=address,undefined", program.compiling[0])
    # MPI's library never frees some memory; and the sanitizer, not the dying rank, should report a crash.
    leaks = "detect_leaks=0:allow_user_segv_handler=0" if program.has_ranks else "detect_leaks=1"
    environment = {"ASAN_OPTIONS": leaks, "UBSAN_OPTIONS": "print_stacktrace=1"}
    patience = 3 if program.has_ranks or program.on_cpu else 1
    return _judge(program, "addresses and undefined behaviour", target, environment, patience)


def _has_no_race_on_cpu(program: Program) -> bool:
    """Uses the kernels' own compiler, whose sanitizer knows the fibres. It halts at the first race, since a loop would
    repeat it in every iteration."""
    target = _compile(program, "-fsanitize=thread", program.compiling[0])
    environment = {"TSAN_OPTIONS": "exitcode=66:report_thread_leaks=0:halt_on_error=1"}
    what = "data races between the threads of a block"
    return _judge(program, what, target, environment, 6, _at_fixed_addresses())


def _has_no_race(program: Program, clang: str, library: Path) -> bool:
    openmp = str(library.with_name("libomp.so"))
    target = _compile(program, "-fsanitize=thread", clang, openmp)
    environment = {
        "OMP_TOOL_LIBRARIES": str(library),
        "TSAN_OPTIONS": "ignore_noninstrumented_modules=1",
    }
    return _judge(program, "data races", target, environment)


def find_program(root: Path, manifest: Path, part: str, name: str) -> Program:
    """The program in float. Raises CannotSanitize."""
    content = json.loads(manifest.read_text(encoding="utf-8"))
    rows = [row for row in content["implementations"] if (row["part"], row["name"]) == (part, name)]
    if not rows:
        raise CannotSanitize(f"{part} has no implementation '{name}'")
    if "gpu" in rows[0]["needs"]:
        raise CannotSanitize(of_gpu(part, name))
    paths = [one["program"] for one in rows[0]["programs"] if one["precision"] == "float"]
    if not paths:
        raise CannotSanitize(f"{part}/{name} has no float program, which the sanitizers need")
    build = manifest.parent
    compiling, linking = commands_of(build, paths[0], name)
    launchers = [one.get("launcher") or () for one in content["parts"] if one["name"] == part]
    return Program(
        f"{part}/{name}",
        root,
        build,
        build / paths[0],
        compiling,
        linking,
        launcher=tuple(chain(*launchers)),
        on_cpu=manifest.name == "manifest_on_cpu.json",
    )


def sanitize(root: Path, manifest: Path, part: str, name: str) -> bool:
    """Prints the verdicts; returns True if nothing was found. Raises CannotSanitize."""
    program = find_program(root, manifest, part, name)
    count = len(_runs_of(program, program.path))
    print(f"{program.title} under the sanitizers, {count} small runs each", flush=True)
    good = _has_right_addresses(program)
    if program.has_ranks:
        print("data races: not checked, since MPI's library does not support it")
        return good
    if program.on_cpu and not good:
        print("data races: not checked, since a wrong index looks like one")
        return False
    if program.on_cpu:
        return _has_no_race_on_cpu(program)
    found = _archer()
    if found is None:
        print("data races: not checked: needs clang++ with OpenMP (packages clang and libomp-dev)")
        return good
    return _has_no_race(program, *found) and good


def main(root: str, manifest: str, part: str, name: str) -> int:
    return 0 if sanitize(Path(root), Path(manifest).resolve(), part, name) else 1


if __name__ == "__main__":  # for tests of kernels, which build nothing
    sys.exit(ended(main, *sys.argv[1:]))
