"""./lab check PART NAME --sanitize: runs one program under the sanitizers and shows the line of each mistake.

    sanitize.py ROOT MANIFEST PART NAME

Only the implementation itself is compiled again, with its own flags, and runs a few small cases. Addresses and
undefined behaviour are checked with its own compiler. Data races need clang++, whose OpenMP reports its synchronisation
to the sanitizer; with g++ every loop would look like a race. Kernels on the CPU (manifest_on_cpu.json) use their own
compiler for races as well: common/cuda_on_cpu reports the synchronisation.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from nbody_lab.core.manifest import Manifest
from nbody_lab.core.messages import UserError, ended
from nbody_lab.core.ninja_commands import commands_of
from nbody_lab.programs.ranks import PLACEHOLDER

# Few bodies, a single one, sizes that fill no tile, more threads than cores.
RUNS = [
    ["-n", n, "-i", "2", "--soft", "0.01", "--threads", threads, *step]
    for n in ("1", "2", "17", "129", "257")
    for threads, step in (("1", []), ("4", ["--vdt"]))
]
# Kernels: many small blocks, of two warps and of a partly filled one.
BLOCKS_ON_CPU = ("64", "16")
RUNS_ON_CPU = [
    ["-n", n, "-i", "2", "--soft", "0.01", *step]
    for n in ("1", "17", "129", "257")
    for step in ([], ["--vdt"])
]
RUN_SECONDS, MOST_PLACES = 10, 5
# Several processes: fewer bodies than ranks, and no multiple of them.
RUNS_OF_RANKS = [
    (ranks, ["-n", n, "-i", "2", "--soft", "0.01", "--vdt"])
    for n in ("2", "17", "257")
    for ranks in (1, 2, 3)
]
# The sanitizers' terms, explained.
MEANINGS = {
    "heap-buffer-overflow": "reads or writes beyond the end of an array",
    "stack-buffer-overflow": "reads or writes beyond the end of an array",
    "heap-use-after-free": "uses memory that was freed, for example after a resize()",
    "SEGV": "uses an invalid address",
    "detected memory leaks": "memory is never freed",
    "data race": "a data race: two threads use this number at once, and one of them writes",
}
PLACE = re.compile(r"^.*?#\d+ .*? (?P<file>/[^\s:]+):(?P<line>\d+)", re.M)
UNDEFINED = re.compile(r"^(?P<file>/\S+):(?P<line>\d+):\d+: runtime error: (?P<text>.*)$", re.M)
REPORT = re.compile(r"(?:ERROR|WARNING): (?:Address|Thread|Leak)Sanitizer: (?P<text>[^\n(]+)")


class CannotSanitize(UserError):
    """Explains in one line why the program cannot be sanitized."""


def of_gpu(part, name):
    """What to do for a program that runs on a GPU."""
    return (
        f"{part} runs on a GPU: compute-sanitizer --tool memcheck build/release/bin/{part}/{name} -n 1000 -i 2 (or racecheck); "
        f"without one: ./lab check {part} {name} --on-cpu --sanitize"
    )


def without_files(words):
    """The compiler's words without files, and without flags that are replaced."""
    kept, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in ("-o", "-c", "-MT", "-MF", "-include"):
            skip = True
        elif word not in ("-MD", "-Winvalid-pch") and not re.match(r"-O|-g$|-W", word):
            kept.append(word)
    return kept


def libraries(words, openmp):
    """The libraries of a link command; `openmp`: replaces g++'s OpenMP library."""
    found = [
        word for word in words if re.search(r"\.(o|a|so)(\.\d+)*$", word) or word.startswith("-l")
    ]
    return [openmp if openmp and "gomp" in word else word for word in found]


def compile_with(compiler, sanitizers, compiling, linking, build, program, openmp=""):
    source = compiling[-1]
    words = [
        compiler,
        *without_files(compiling[1:-1]),
        "-O1",
        "-g",
        "-fno-omit-frame-pointer",
        sanitizers,
        source,
        "-o",
        str(program),
        *libraries(linking, openmp),
    ]
    done = subprocess.run(
        words, cwd=build, capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode != 0:
        lines = done.stderr.splitlines()
        first = next(
            (line for line in lines if "error" in line or "undefined" in line), "no message"
        )
        raise CannotSanitize(
            f"{Path(compiler).name} does not compile it with {sanitizers}: {first}"
        )


def own_place(text, root):
    """FILE:LINE of the first place in a report that lies in the lab but outside common/; '' if there is none."""
    for match in PLACE.finditer(text):
        path = Path(os.path.normpath(match["file"]))
        if root in path.parents and "common" not in path.relative_to(root).parts[:1]:
            return f"{path.relative_to(root)}:{match['line']}"
    return ""


def places(report, root):
    """One line for each mistake in the report, without duplicates."""
    found = []
    for match in UNDEFINED.finditer(report):
        path = Path(os.path.normpath(match["file"]))
        where = path.relative_to(root) if root in path.parents else path
        text = re.sub(
            r" (address )?0x[0-9a-f]+", " an address", match["text"]
        )  # differs in each run
        found.append(f"{where}:{match['line']}: {text}")
    parts = REPORT.split(report)
    for text, rest in zip(parts[1::2], parts[2::2]):
        where = own_place(rest, root)
        what = text.split(" on ")[0].split(":")[0].strip()
        other = own_place(rest.partition("Previous ")[2], root) if what == "data race" else ""
        what = MEANINGS.get(what, what) + (
            f"; the other one at {other}" if other not in ("", where) else ""
        )
        found.append(f"{where}: {what}" if where else what)
    return list(dict.fromkeys(found))


def has_blocks(program):
    """Whether the program takes --block. Kernels with fixed blocks do not."""
    said = subprocess.run(
        [str(program), "--help"], capture_output=True, text=True, errors="replace", check=False
    ).stdout
    return "--block" in said


def runs_on_cpu(program):
    blocks = [["--block", block] for block in BLOCKS_ON_CPU] if has_blocks(program) else [[]]
    return [[*run, *block] for run in RUNS_ON_CPU for block in blocks]


def commands(program, launcher, small_runs=RUNS):
    """The command lines of the small runs; with the launcher if the part runs as several processes."""
    if PLACEHOLDER not in launcher:
        return [[str(program), *run] for run in small_runs]
    return [
        [*(str(ranks) if word == PLACEHOLDER else word for word in launcher), str(program), *run]
        for ranks, run in RUNS_OF_RANKS
    ]


def run_all(runs, program, environment, seconds):
    """(the sanitizer's output of all runs, what else went wrong)"""
    said, end = "", time.monotonic() + seconds
    for run in runs:
        left = end - time.monotonic()
        if left <= 0:
            return said, f"stopped after {seconds} s, before {words(run, program)}"
        try:
            done = subprocess.run(
                run,
                env={**os.environ, **environment},
                capture_output=True,
                text=True,
                errors="replace",
                timeout=left,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return said, f"{words(run, program)} did not end within {seconds} s"
        said += done.stderr
        if (
            done.returncode != 0
            and "Sanitizer" not in done.stderr
            and "runtime error" not in done.stderr
        ):
            return (
                said,
                f"{words(run, program)}: status {done.returncode}: {done.stderr.strip()[:200]}",
            )
    return said, ""


def words(run, program):
    """The run as text for a person."""
    at = run.index(str(program))
    ranks = f"on {run[at - 1]} ranks, " if at else ""
    return ranks + " ".join(run[at + 1 :])


def archer():
    """clang++ and the library that reports OpenMP to its thread sanitizer; empty strings if one is missing."""
    clang = shutil.which("clang++")
    if not clang:
        return "", ""
    said = subprocess.run(
        [clang, "-print-resource-dir"],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    ).stdout.strip()
    library = Path(said).parents[1] / "libarcher.so"
    return (clang, str(library)) if library.exists() else ("", "")


def judge(what, runs, program, environment, root, patience=1):
    """Prints a verdict; returns True if nothing was found."""
    said, fault = run_all(runs, program, environment, RUN_SECONDS * patience)
    found = places(said, root)
    verdict = (
        "FOUND"
        if found
        else "unknown, because its runs did not finish"
        if fault
        else f"clean, {len(runs)} runs"
    )
    print(f"{what}: {verdict}")
    for line in found[:MOST_PLACES]:
        print(f"  {line}")
    if len(found) > MOST_PLACES:
        print(f"  and {len(found) - MOST_PLACES} more")
    if fault:
        print(f"  {fault}")
    return not found and not fault


def at_fixed_addresses():
    """A prefix that switches off address randomisation, if allowed: g++'s sanitizer fails if addresses vary widely."""
    command = ["setarch", "-R"]
    allowed = (
        shutil.which(command[0])
        and subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0
    )
    return command if allowed else []


def races_by_threads_of_kernels(compiling, linking, build, target, runs, root):
    """Uses the kernels' own compiler, whose sanitizer knows the fibres. It halts at the first race, since a loop would
    repeat it in every iteration."""
    compile_with(compiling[0], "-fsanitize=thread", compiling, linking, build, target)
    return judge(
        "data races between the threads of a block",
        [[*at_fixed_addresses(), *run] for run in commands(target, [], runs)],
        target,
        {"TSAN_OPTIONS": "exitcode=66:report_thread_leaks=0:halt_on_error=1"},
        root,
        patience=6,
    )


def sanitize(root, manifest, part, name):
    """Prints the verdicts; returns True if nothing was found. Raises CannotSanitize."""
    build, by_cpu = manifest.parent, manifest.name == "manifest_on_cpu.json"
    row = Manifest(manifest).row(part, name)
    if "gpu" in row["needs"]:
        raise CannotSanitize(of_gpu(part, name))
    program = next((p["program"] for p in row["programs"] if p["precision"] == "float"), None)
    if program is None:
        raise CannotSanitize(f"{part}/{name} has no float program, which the sanitizers need")
    compiling, linking = commands_of(build, program, name)
    folder = root / "build" / "sanitize"
    folder.mkdir(parents=True, exist_ok=True)
    launcher = Manifest(manifest).part(part).get("launcher") or []
    runs = runs_on_cpu(build / program) if by_cpu else RUNS
    print(
        f"{part}/{name} under the sanitizers, {len(commands(program, launcher, runs))} small runs each",
        flush=True,
    )
    target = folder / f"{part}_{name}_address"
    compile_with(compiling[0], "-fsanitize=address,undefined", compiling, linking, build, target)
    several = PLACEHOLDER in launcher
    # MPI's library never frees some memory; and the sanitizer, not the dying rank, should report a crash.
    options = "detect_leaks=0:allow_user_segv_handler=0" if several else "detect_leaks=1"
    good = judge(
        "addresses and undefined behaviour",
        commands(target, launcher, runs),
        target,
        {"ASAN_OPTIONS": options, "UBSAN_OPTIONS": "print_stacktrace=0"},
        root,
        patience=3 if several or by_cpu else 1,
    )
    if several:
        print("data races: not checked, since MPI's library does not support it")
        return good
    sys.stdout.flush()
    if by_cpu and not good:
        print("data races: not checked, since a wrong index looks like one")
        return False
    if by_cpu:
        return (
            races_by_threads_of_kernels(
                compiling, linking, build, folder / f"{part}_{name}_thread", runs, root
            )
            and good
        )
    clang, library = archer()
    if not clang:
        print("data races: not checked: needs clang++ with OpenMP (packages clang and libomp-dev)")
        return good
    target = folder / f"{part}_{name}_thread"
    compile_with(
        clang,
        "-fsanitize=thread",
        compiling,
        linking,
        build,
        target,
        openmp=str(Path(library).with_name("libomp.so")),
    )
    return (
        judge(
            "data races",
            commands(target, launcher),
            target,
            {"OMP_TOOL_LIBRARIES": library, "TSAN_OPTIONS": "ignore_noninstrumented_modules=1"},
            root,
        )
        and good
    )


def main(root, manifest, part, name):
    return 0 if sanitize(Path(root), Path(manifest).resolve(), part, name) else 1


if __name__ == "__main__":  # for tests of kernels, which build nothing
    sys.exit(ended(main, *sys.argv[1:]))
