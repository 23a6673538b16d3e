"""Shows each compiler warning in a student's own files once, with a word of help; also names files that compute the same as
naive because they override none of its functions.

    explain_warnings.py LOG ROOT      reads ninja's output; prints nothing if there are no warnings
    explain_warnings.py --again BUILD ROOT SOURCE...
                                      what it printed for these files, if they have not changed
"""

import hashlib
import json
import re
import sys
from pathlib import Path

from nbody_lab.core.manifest import Manifest, ManifestError
from nbody_lab.explain.compiler_text import plain
from nbody_lab.tasks.replaces_nothing import replaces_nothing, text_of_naive

# What each warning option means for a student.
MEANINGS = {
    "-Wdouble-promotion": "computed in double, which is slower: write real(0.2) for 0.2, std::pow(x, real(2)) for std::pow(x, 2)",
    "-Wfloat-conversion": "computed in double, then rounded to float: write real(0.2) for 0.2, or real(...) around it if that is intended",
    "-Wuninitialized": "it has no value yet: write real sum = 0",
    "-Wmaybe-uninitialized": "on some path it has no value yet: write real sum = 0",
    "-Wunknown-pragmas": "the compiler ignores it: flags.txt needs -fopenmp, or -fopenmp-simd",
    "-Wsign-compare": "compares a signed with an unsigned number: use std::size_t for both",
    "-Wunused-variable": "unused: is it meant to be used?",
    "-Wunused-but-set-variable": "its value is never read: is the result stored?",
    "-Woverloaded-virtual": "it hides a function of Naive instead of replacing it: use the same arguments, and override",
    "-Wreturn-type": "a path through the function returns nothing",
}

# g++ and clang++: file:line:column: warning: text [-Woption]; nvcc: file(line): warning #177-D: text
GNU = re.compile(
    r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):\d+: warning: (?P<text>.*?)(?: \[(?P<option>-W[\w+=-]+)\])?$",
    re.M,
)
NVCC = re.compile(
    r"^(?P<file>[^\s(][^(\n]*)\((?P<line>\d+)\): warning #(?P<option>\d+-D): (?P<text>.*)$", re.M
)
MOST = 5


def warnings_in(log, root):
    """[(file from the root, line, text, option)] of students' files, in order, without duplicates."""
    found, seen = [], set()
    for match in sorted([*GNU.finditer(log), *NVCC.finditer(log)], key=lambda m: m.start()):
        path = Path(match["file"])
        try:
            name = str(
                (path if path.is_absolute() else Path(root, path))
                .resolve()
                .relative_to(Path(root).resolve())
            )
        except ValueError:
            continue
        key = (name, match["line"], match["option"])
        if re.fullmatch(r"part\w+/mine\w*\.(hpp|cuh)", name) and key not in seen:
            seen.add(key)
            found.append((name, int(match["line"]), plain(match["text"]), match["option"] or ""))
    return found


def explained(warning, root):
    name, line, text, option = warning
    lines = [f"{name}:{line}: warning: {text}"]
    try:
        source = Path(root, name).read_text(encoding="utf-8").splitlines()[line - 1].strip()
        lines.append(f"    {source}")
    except (OSError, IndexError, UnicodeDecodeError):
        pass
    if option in MEANINGS:
        lines.append(f"  {MEANINGS[option]}")
    return lines


def compiled_headers(log, manifest):
    """The students' headers compiled by this step, each once, from the root of the lab."""
    steps = set(
        re.findall(r"^\[\d+/\d+\] Building \w+ object \S*/CMakeFiles/([^/]+)\.dir/", log, re.M)
    )
    steps -= set(re.findall(r"^FAILED: .*?/CMakeFiles/([^/]+)\.dir/", log, re.M))
    return [
        row["source"]
        for row in manifest.rows
        if row["kind"] == "mine" and steps & {program["target"] for program in row["programs"]}
    ]


def as_naive(log, root, manifest_file):
    """One line for each compiled header that computes the same as naive."""
    lines = []
    try:
        for source in compiled_headers(log, Manifest(manifest_file)):
            header = Path(root, source)
            naive = text_of_naive(header.with_name("naive" + header.suffix), Path(root, "common"))
            found = replaces_nothing(header.read_text(encoding="utf-8"), naive)
            if found:
                lines.append(f"{source}: {found}")
    except (ManifestError, OSError, UnicodeDecodeError):
        pass  # it is only a hint
    return lines


def digest(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def stored(build):
    """{source: {"digest", "lines"}}"""
    try:
        return json.loads((build / "warnings.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def store(build, root, compiled, lines_of):
    """Stores the warnings of each compiled source, and keeps those from its other program."""
    known = stored(build)
    for source in compiled:
        try:
            now = digest(Path(root, source))
        except OSError:
            continue
        before = known.get(source, {})
        kept = before.get("lines", []) if before.get("digest") == now else []
        known[source] = {
            "digest": now,
            "lines": kept + [line for line in lines_of.get(source, []) if line not in kept],
        }
    (build / "warnings.json").write_text(json.dumps(known, indent=1), encoding="utf-8")


def again(build, root, sources):
    known = stored(build)
    for source in sources:
        try:
            row = known.get(source, {})
            lines = row.get("lines", []) if row.get("digest") == digest(Path(root, source)) else []
        except OSError:
            continue
        if lines:
            print("\n".join(lines), file=sys.stderr)


def tell(log_file, root):
    """Prints what the compiler warned of in students' files, and keeps it for again()."""
    root = str(root)
    log = log_file.read_text(encoding="utf-8", errors="replace")
    found = warnings_in(log, root)
    lines = [line for warning in found[:MOST] for line in explained(warning, root)]
    if len(found) > MOST:
        lines.append(f"and {len(found) - MOST} more warnings")
    naive = as_naive(log, root, log_file.with_name("manifest.json"))
    lines += naive
    if lines:
        print("\n".join(lines), file=sys.stderr)
    try:
        compiled = compiled_headers(log, Manifest(log_file.with_name("manifest.json")))
    except ManifestError:
        return
    of = {
        source: [
            line
            for warning in found[:MOST]
            if warning[0] == source
            for line in explained(warning, root)
        ]
        + [line for line in naive if line.startswith(f"{source}:")]
        for source in compiled
    }
    store(log_file.parent, root, compiled, of)
