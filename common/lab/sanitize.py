"""./lab check PART NAME --sanitize: one program under the sanitizers, with the line of each mistake.

    sanitize.py ROOT BUILD PART NAME

Only the implementation itself is compiled anew, with the flags it has, and runs a few small cases:
address and undefined behaviour by its own compiler, data races by clang++, whose OpenMP tells its
sanitizer who waits for whom (g++'s does not, and every loop would look like a race).
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from manifest import Manifest  # noqa: E402
from messages import LabError, ended  # noqa: E402

# Few bodies, one alone, sizes that fill no tile, more threads than cores.
RUNS = [["-n", n, "-i", "2", "--soft", "0.01", "--threads", threads, *step]
        for n in ("1", "2", "17", "129", "257") for threads, step in (("1", []), ("4", ["--vdt"]))]
RUN_SECONDS, MOST_PLACES = 10, 5
# What the sanitizers call it, and what it is.
MEANINGS = {
    "heap-buffer-overflow": "reads or writes beyond the end of an array",
    "stack-buffer-overflow": "reads or writes beyond the end of an array",
    "heap-use-after-free": "uses memory that was given back, for example after a resize()",
    "SEGV": "uses an address that is none",
    "detected memory leaks": "memory is never given back",
    "data race": "a data race: two threads use this number at once, and one of them writes",
}
PLACE = re.compile(r"^.*?#\d+ .*? (?P<file>/[^\s:]+):(?P<line>\d+)", re.M)
UNDEFINED = re.compile(r"^(?P<file>/\S+):(?P<line>\d+):\d+: runtime error: (?P<text>.*)$", re.M)
REPORT = re.compile(r"(?:ERROR|WARNING): (?:Address|Thread|Leak)Sanitizer: (?P<text>[^\n(]+)")


class CannotSanitize(LabError):
    """One line that says why."""


def commands_of(build, program, name):
    """(compile, link) of the program of one implementation, as ninja would run them."""
    done = subprocess.run(["ninja", "-C", str(build), "-t", "commands", program], capture_output=True, text=True, errors="replace", check=False)
    commands = [shlex.split(line) for line in done.stdout.splitlines()]
    linking = commands[-1] if commands else []
    compiling = [words for words in commands if "-c" in words and Path(words[-1]).name == name + ".cpp"]
    if done.returncode != 0 or not compiling:
        raise CannotSanitize(f"ninja knows no command for {program}: build it first")
    own = compiling[0][compiling[0].index("-o") + 1]
    return compiling[0], [word for word in linking if word != own]


def without_files(words):
    """A compiler's words without what it reads and writes."""
    kept, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in ("-o", "-c", "-MT", "-MF", "-include"):
            skip = True
        elif word not in ("-MD", "-Winvalid-pch") and not re.match(r"-O|-g$|-W", word):
            kept.append(word)
    return kept


def libraries(words, gnu):
    """What a program is linked with; clang++ brings an OpenMP of its own."""
    found = [word for word in words if re.search(r"\.(o|a|so)(\.\d+)*$", word) or word.startswith("-l")]
    return found if gnu else [word for word in found if "gomp" not in word]


def compile_with(compiler, sanitizers, compiling, linking, build, program):
    source = compiling[-1]
    words = [compiler, *without_files(compiling[1:-1]), "-O1", "-g", "-fno-omit-frame-pointer", sanitizers, source, "-o", str(program), *libraries(linking, "clang" not in Path(compiler).name)]
    done = subprocess.run(words, cwd=build, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        lines = done.stderr.splitlines()
        first = next((line for line in lines if "error" in line or "undefined" in line), "no word")
        raise CannotSanitize(f"{Path(compiler).name} does not compile it with {sanitizers}: {first}")


def own_place(text, root):
    """The first place in a report that lies in the lab: FILE:LINE from the root."""
    for match in PLACE.finditer(text):
        path = Path(os.path.normpath(match["file"]))
        if root in path.parents and "common" not in path.relative_to(root).parts[:1]:
            return f"{path.relative_to(root)}:{match['line']}"
    return ""


def places(report, root):
    """One line for each mistake that a sanitizer told, none twice."""
    found = []
    for match in UNDEFINED.finditer(report):
        path = Path(os.path.normpath(match["file"]))
        where = path.relative_to(root) if root in path.parents else path
        found.append(f"{where}:{match['line']}: {match['text']}")
    parts = REPORT.split(report)
    for text, rest in zip(parts[1::2], parts[2::2]):
        where = own_place(rest, root)
        what = text.split(" on ")[0].split(":")[0].strip()
        what = MEANINGS.get(what, what)
        found.append(f"{where}: {what}" if where else what)
    return list(dict.fromkeys(found))


def run_all(program, environment, seconds):
    """What the sanitizer said over all runs, and what went wrong besides."""
    said, end = "", time.monotonic() + seconds
    for run in RUNS:
        left = end - time.monotonic()
        if left <= 0:
            return said, f"stopped after {seconds} s, before {' '.join(run)}"
        try:
            done = subprocess.run([str(program), *run], env={**os.environ, **environment}, capture_output=True, text=True, errors="replace", timeout=left, check=False)
        except subprocess.TimeoutExpired:
            return said, f"{' '.join(run)} did not end within {seconds} s"
        said += done.stderr
        if done.returncode != 0 and "Sanitizer" not in done.stderr and "runtime error" not in done.stderr:
            return said, f"{' '.join(run)}: status {done.returncode}: {done.stderr.strip()[:200]}"
    return said, ""


def archer():
    """clang++ and the library that tells its thread sanitizer of OpenMP; empty where one is missing."""
    clang = shutil.which("clang++")
    if not clang:
        return "", ""
    said = subprocess.run([clang, "-print-resource-dir"], capture_output=True, text=True, errors="replace", check=False).stdout.strip()
    library = Path(said).parents[1] / "libarcher.so"
    return (clang, str(library)) if library.exists() else ("", "")


def judge(what, program, environment, root):
    """Prints a verdict; True if nothing was found."""
    said, fault = run_all(program, environment, RUN_SECONDS)
    found = places(said, root)
    verdict = "FOUND" if found else "not known, for its runs did not come to their end" if fault else f"clean, {len(RUNS)} runs"
    print(f"{what}: {verdict}")
    for line in found[:MOST_PLACES]:
        print(f"  {line}")
    if len(found) > MOST_PLACES:
        print(f"  and {len(found) - MOST_PLACES} more places")
    if fault:
        print(f"  {fault}")
    return not found and not fault


def sanitize(root, build, part, name):
    row = Manifest(build / "manifest.json").row(part, name)
    if "gpu" in row["needs"]:
        raise CannotSanitize(f"{part} runs on a GPU: compute-sanitizer --tool memcheck build/release/{row['program']} -n 1000 -i 2 (or racecheck)")
    program = next((p["program"] for p in row["programs"] if p["precision"] == "float"), None)
    if program is None:
        raise CannotSanitize(f"{part}/{name} has no program for float")
    compiling, linking = commands_of(build, program, name)
    folder = root / "build" / "sanitize"
    folder.mkdir(parents=True, exist_ok=True)
    print(f"{part}/{name} under the sanitizers, {len(RUNS)} small runs each", flush=True)
    target = folder / f"{part}_{name}_address"
    compile_with(compiling[0], "-fsanitize=address,undefined", compiling, linking, build, target)
    good = judge("addresses and undefined behaviour", target, {"ASAN_OPTIONS": "detect_leaks=1", "UBSAN_OPTIONS": "print_stacktrace=0"}, root)
    sys.stdout.flush()
    clang, library = archer()
    if not clang:
        print("data races: not looked for: that needs clang++ with its OpenMP (packages clang and libomp-dev)")
        return good
    target = folder / f"{part}_{name}_thread"
    compile_with(clang, "-fsanitize=thread", compiling, linking, build, target)
    return judge("data races", target, {"OMP_TOOL_LIBRARIES": library, "TSAN_OPTIONS": "ignore_noninstrumented_modules=1"}, root) and good


def main(arguments):
    root, build = Path(arguments[0]).resolve(), Path(arguments[1]).resolve()
    return 0 if sanitize(root, build, *arguments[2:]) else 1


if __name__ == "__main__":
    sys.exit(ended(main, sys.argv[1:]))
