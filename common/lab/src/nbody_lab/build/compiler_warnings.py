"""Shows each compiler warning in a student's own files once, with a word of help; also names files that compute the same
as naive because they override none of its functions.
"""

import contextlib
import hashlib
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pydantic

from nbody_lab.build.compiler_text import find_errors, plain
from nbody_lab.build.manifest import Manifest, ManifestError
from nbody_lab.build.replaces_nothing import replaces_nothing, text_of_naive
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import LabModel, load

# What each warning option means for a student.
_MEANINGS = {
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
_GNU = re.compile(
    r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):\d+: warning: (?P<text>.*?)(?: \[(?P<option>-W[\w+=-]+)\])?$",
    re.M,
)
_NVCC = re.compile(
    r"^(?P<file>[^\s(][^(\n]*)\((?P<line>\d+)\): warning #(?P<option>\d+-D): (?P<text>.*)$", re.M
)
_COMPILED = re.compile(r"^\[\d+/\d+\] Building \w+ object \S*/CMakeFiles/([^/]+)\.dir/", re.M)
_FAILED = re.compile(r"^FAILED: .*?/CMakeFiles/([^/]+)\.dir/", re.M)
_MOST = 5


class Warned(NamedTuple):
    """A warning in a student's file."""

    file: str  # from the root of the lab
    line: int
    text: str
    option: str


class _Kept(LabModel):
    """The warnings about a text."""

    digest: str = pydantic.Field(description="SHA-256 of the text")
    lines: tuple[str, ...] = ()


class _KeptFile(pydantic.RootModel[dict[str, _Kept]]):
    """warnings.json: those of each source, by its path from the root of the lab."""


def _path_from(root: Path, file: str) -> str:
    """The path from the root; empty if the file is elsewhere."""
    try:
        return str((root / file).resolve().relative_to(root.resolve()))
    except ValueError:
        return ""


def find_warnings(log: str, root: Path) -> list[Warned]:
    """Those in students' files, in order, each once. Not those in a file with an error: they may only follow from it."""
    broken = {_path_from(root, error.file) for error in find_errors(log)}
    found: dict[tuple[str, str, str], Warned] = {}
    for match in sorted([*_GNU.finditer(log), *_NVCC.finditer(log)], key=lambda m: m.start()):
        file, option = _path_from(root, match["file"]), match["option"] or ""
        if re.fullmatch(r"part\w+/mine\w*\.(hpp|cuh)", file) and file not in broken:
            warned = Warned(file, int(match["line"]), plain(match["text"]), option)
            found.setdefault((file, match["line"], option), warned)
    return list(found.values())


def _explain(warned: Warned, root: Path) -> list[str]:
    lines = [f"{warned.file}:{warned.line}: warning: {warned.text}"]
    with contextlib.suppress(OSError, IndexError, UnicodeDecodeError):
        source = (root / warned.file).read_text(encoding="utf-8").splitlines()[warned.line - 1]
        lines.append(f"    {source.strip()}")
    if warned.option in _MEANINGS:
        lines.append(f"  {_MEANINGS[warned.option]}")
    return lines


def _list_compiled(log: str, manifest: Path) -> list[str]:
    """The students' headers compiled by this step, each once, from the root of the lab."""
    targets = set(_COMPILED.findall(log)) - set(_FAILED.findall(log))
    try:
        rows = Manifest(manifest).rows
    except ManifestError:
        return []
    return [
        row.source
        for row in rows
        if row.kind == "mine" and any(program.target in targets for program in row.programs)
    ]


def _explain_as_naive(source: str, root: Path) -> list[str]:
    """One line if the header computes the same as naive."""
    header = root / source
    with contextlib.suppress(OSError, UnicodeDecodeError):  # it is only a hint
        naive = text_of_naive(header.with_name("naive" + header.suffix), root / "common")
        found = replaces_nothing(header.read_text(encoding="utf-8"), naive)
        return [f"{source}: {found}"] if found else []
    return []


def _find_digest(file: Path) -> str | None:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return None


def load_warnings(file: Path) -> dict[str, _Kept]:
    """By source; empty without a readable file, since they are only a help."""
    try:
        return dict(load(_KeptFile, file).root)
    except LabError:
        return {}


def _keep(build: Path, root: Path, lines_by_source: dict[str, list[str]]) -> None:
    """Stores the warnings of each compiled source, and keeps those from its other program."""
    kept = load_warnings(build / "warnings.json")
    for source, lines in lines_by_source.items():
        digest = _find_digest(root / source)
        if digest is None:
            continue
        before = kept.get(source)
        known = before.lines if before and before.digest == digest else ()
        new = (line for line in lines if line not in known)
        kept[source] = _Kept(digest=digest, lines=(*known, *new))
    text = _KeptFile(kept).model_dump_json(indent=1)
    (build / "warnings.json").write_text(text, encoding="utf-8")


def _print(lines: Iterable[str]) -> None:
    if text := "\n".join(lines):
        print(text, file=sys.stderr)


def show_warnings(log_file: Path, root: Path) -> None:
    """Prints what the compiler warned of in students' files, and keeps it for show_warnings_again()."""
    log = log_file.read_text(encoding="utf-8", errors="replace")
    found = find_warnings(log, root)
    shown = [(warned.file, _explain(warned, root)) for warned in found[:_MOST]]
    compiled = _list_compiled(log, log_file.with_name("manifest.json"))
    as_naive = {source: _explain_as_naive(source, root) for source in compiled}
    _print(line for _, lines in shown for line in lines)
    if len(found) > _MOST:
        _print([f"and {len(found) - _MOST} more warnings"])
    _print(line for lines in as_naive.values() for line in lines)
    if compiled:
        lines_of = {
            source: [line for file, lines in shown if file == source for line in lines]
            + as_naive[source]
            for source in compiled
        }
        _keep(log_file.parent, root, lines_of)


def show_warnings_again(build: Path, root: Path, sources: Iterable[str]) -> None:
    """Prints what was printed for these files, if they have not changed."""
    kept = load_warnings(build / "warnings.json")
    for source in sources:
        known = kept.get(source)
        if known and known.digest == _find_digest(root / source):
            _print(known.lines)
