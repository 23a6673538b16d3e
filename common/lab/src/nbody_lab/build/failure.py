"""Explains why a step of ./lab failed, from the step's log."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from nbody_lab.build.compiler_text import find_errors, plain, quote, shorten
from nbody_lab.build.header import FailedHeader, Fault, Verdict, explain_header
from nbody_lab.build.manifest import Implementation, Manifest, ManifestError

_MOST_VERDICTS = 5
# "FAILED: [code=1] NAME ...", the command in one line, its output, "[n/m] ...".
_FAILED = re.compile(
    r"^FAILED: (?:\[[^]]*\] )?(\S+).*\n.*\n((?:(?!FAILED: |\[\d+/\d+\] |ninja: ).*\n)*)", re.M
)


_NO_NETWORK = re.compile(
    r"Failed to clone|Could not resolve|unable to access|could not find git|Build step for .* failed"
)


class Culprit(Enum):
    """What failed."""

    IMPLEMENTATIONS = "implementations only, so the others are usable"
    SURROUNDINGS = "the tree or the machine lacks something"
    LAB = "something of the lab itself"


@dataclass(frozen=True)
class Explanation:
    """What to print, and what failed."""

    lines: list[str]
    culprit: Culprit


@dataclass(frozen=True)
class _Made:
    """What a target makes: a program of an implementation."""

    row: Implementation
    precision: str  # float, double; count: the program that counts
    program: str


_ByTarget = Mapping[str, _Made]


@dataclass(frozen=True)
class _FailedTarget:
    """A target that ninja could not build: an object file or a program."""

    name: str  # path from the build folder
    output: str
    made: _Made | None

    @property
    def links(self) -> bool:
        return "/CMakeFiles/" not in self.name

    def find_source(self) -> str:
        """The source file that the user wrote, from the root of the lab."""
        if self.made:
            return self.made.row.source
        path = re.sub(r"CMakeFiles/[^/]*\.dir/(.*)\.o$", r"\1", self.name)
        return re.sub(
            r"(\w+_worksheet_program/worksheet_answers|worksheet_flops)\.cpp$",
            "worksheet.hpp",
            path,
        )

    def is_implementation(self) -> bool:
        of_part = re.match(r"(part|solutions/).*\.dir/|bin/part[^/]*/", self.name)
        return self.made is not None or of_part is not None

    def find_program(self) -> str:
        """Its path from the build folder."""
        if self.made:
            return self.made.program
        return self.name if self.links else "bin/" + _find_target(self.name).replace("_", "/", 1)


def _find_target(name: str) -> str:
    """CMake's target of an object file; empty for a program."""
    return re.sub(r".*/CMakeFiles/", "", name).split(".dir/")[0] if ".dir/" in name else ""


def _map_targets(build: Path) -> _ByTarget:
    """What each target and each program of the manifests is."""
    found = {}
    for manifest in ("manifest.json", "manifest_on_cpu.json"):
        try:
            rows = Manifest(build / manifest).rows
        except ManifestError:
            continue
        for row in rows:
            made = [(one.target, one.program, str(one.precision)) for one in row.programs]
            if row.count:
                made.append((row.count.target, row.count.program, "count"))
            for target, program, precision in made:
                found[target] = found[program] = _Made(row, precision, program)
    return found


def _find_failures(log: str, by_target: _ByTarget) -> list[_FailedTarget]:
    """Those of Ninja's log."""
    return [
        _FailedTarget(name, output, by_target.get(_find_target(name)) or by_target.get(name))
        for name, output in _FAILED.findall(log)
        if ".." not in name.split("/")
        and not name.startswith("/")  # a compiler's output may look like it
    ]


def _is_newer(path: Path, than: Path) -> bool:
    try:
        return path.stat().st_mtime >= than.stat().st_mtime
    except OSError:
        return False


def _compiles_for_float(failed: _FailedTarget, made: _Made, build: Path, root: Path) -> bool:
    """Whether the program for float was compiled after the header last changed."""
    wanted = next(one for one in made.row.programs if one.program == made.program)
    for one in made.row.programs:
        if one.precision == "float" and one.instruction_set == wanted.instruction_set:
            target = _find_target(failed.name)
            compiled = failed.name.replace(f"/{target}.dir/", f"/{one.target}.dir/")
            return _is_newer(build / compiled, root / made.row.source)
    return False


def _find_fault(
    failed: _FailedTarget, beside: Sequence[_FailedTarget], build: Path, root: Path
) -> Fault:
    made = failed.made
    if made is None or made.precision != "double":
        return Fault.ALWAYS
    siblings = [other.made for other in beside if other.made and other.made.row is made.row]
    if any(other.precision != "double" for other in siblings):
        return Fault.ALWAYS
    known = _compiles_for_float(failed, made, build, root)
    return Fault.ONLY_IN_DOUBLE if known else Fault.IN_DOUBLE


def _judge(
    failed: _FailedTarget, beside: Sequence[_FailedTarget], root: Path, build: Path
) -> Verdict:
    """Why this target failed; `beside`: all failed targets."""
    if failed.links:
        lines = failed.output.splitlines()
        if "/on_cpu/" in failed.name and lines:  # common/cuda_on_cpu/as_cpp.py printed the reason
            return Verdict(plain(lines[0].replace(" error:", ""), root))
        return Verdict(f"{failed.name} does not link", shorten(lines[:6], root))
    source = failed.find_source()
    if Path(source).suffix in (".hpp", ".cuh") and (root / source).exists():
        class_name = failed.made.row.class_name if failed.made else ""
        output = re.sub("[\u2018\u2019]", "'", failed.output)
        header = FailedHeader(output, source, root, build, class_name)
        return explain_header(header, _find_fault(failed, beside, build, root))
    errors = find_errors(failed.output)
    own = [error for error in errors if error.file == f"{root}/{source}"]
    text = f": line {own[0].line}: {plain(own[0].text, root)}" if own else ""
    return Verdict(f"{source} does not compile{text}", quote(own or errors, root))


def _explain_failures(
    failures: Sequence[_FailedTarget], root: Path, build: Path, log: str
) -> list[str]:
    """A verdict per source, so that float and double do not repeat each other."""
    once: dict[str, _FailedTarget] = {}
    for failed in failures:
        once.setdefault(failed.name if failed.links else failed.find_source(), failed)
    lines: list[str] = []
    for failed in list(once.values())[:_MOST_VERDICTS]:
        verdict = _judge(failed, failures, root, build)
        where = "" if verdict.sentence.endswith("rewrites it") else f"; log: {log}"
        lines += [*verdict.quoted, f"lab: {verdict.sentence}{where}"]
    more = len(once) - _MOST_VERDICTS
    return [*lines, f"lab: and {more} more"] if more > 0 else lines


def _explain_missing_file(log: str, root: Path, by_target: _ByTarget) -> str:
    """The sentence if ninja could not start because a file is missing, else empty."""
    missing = "is missing; what ./lab try measured is in the folder notebook beside it"
    found = re.search(r"^ninja: error: unknown target 'bin/(part[^/']*)/([^']*)'", log, re.M)
    if found:
        naive = by_target.get(f"bin/{found[1]}/naive")
        suffix = Path(naive.row.source).suffix if naive else ".hpp"
        return f"{found[2]}{suffix} {missing}"
    found = re.search(r"^ninja: error: '([^']*)', needed by ", log, re.M)
    if not found:
        return ""
    file = re.sub(rf"^(\.\./\.\./)?({re.escape(str(root))}/)?", "", found[1])
    if re.fullmatch(r"part[^/]*/mine[^/]*\.(hpp|cuh)", file):
        return f"{Path(file).name} {missing}"
    return f"{file} is missing: bring it back, for example with git checkout {file}"


def _find_package(library: str, root: Path) -> str:
    """The package of packages.txt that contains the library."""
    try:
        text = (root / "common/setup/packages.txt").read_text(encoding="utf-8")
    except OSError:
        return ""
    found = re.search(rf"^(\S+) .*# {re.escape(library)}:", text, re.M)
    return found[1] if found else ""


def _find_first_message(text: str) -> str:
    """CMake's first message as one line, since CMake wraps it."""
    after = re.split(r"^CMake Error.*\n", text, maxsplit=1, flags=re.M)[-1]
    paragraph = re.split(r"\n\s*\n|^Call Stack", after.strip("\n") + "\n", maxsplit=1, flags=re.M)[
        0
    ]
    return " ".join(paragraph.split())


def _explain_configuration(text: str, root: Path, log: str) -> list[str]:
    """`text`: what CMake printed, with an error; `log`: the file that holds it."""
    fetched = re.findall(r"^-- (.*): no package found, fetching ", text, re.M)
    if fetched and _NO_NETWORK.search(text):
        library = fetched[-1]
        return [
            f"cannot fetch {library} (no network?): install the package {_find_package(library, root)} (by ./lab setup) "
            f"or configure by hand with -DFETCHCONTENT_SOURCE_DIR_{library.upper()}=FOLDER; log: {log}"
        ]
    message = _find_first_message(text)
    # Errors in a student's own file do not mention CMake.
    is_students = re.match(r"part[^/ ]*/flags\.txt", message)
    return [
        message if is_students else f"CMake stopped: {message}",
        f"nothing was built; log: {log}",
    ]


def explain_failure(log_file: Path, root: Path, build: Path) -> Explanation:
    """Why a step failed. Removes the old programs of implementations that failed, since they no longer match the header."""
    text = log_file.read_text(encoding="utf-8", errors="replace")
    log = str(log_file).replace(f"{root}/", "")
    if re.search(r"^CMake Error", text, re.M):
        lines = [f"lab: {line}" for line in _explain_configuration(text, root, log)]
        return Explanation(lines, Culprit.SURROUNDINGS)
    by_target = _map_targets(build)
    failures = _find_failures(text, by_target)
    if not failures:
        missing = _explain_missing_file(text, root, by_target)
        if missing:
            return Explanation([f"lab: {missing}"], Culprit.SURROUNDINGS)
        last = text.splitlines()[-10:]
        return Explanation([*last, f"lab: building failed; log: {log}"], Culprit.LAB)
    lines = _explain_failures(failures, root, build, log)
    for failed in failures:
        program = failed.find_program()
        if failed.is_implementation() and re.fullmatch(r"bin/\w+/\w+", program):
            (build / program).unlink(missing_ok=True)
    if all(failed.is_implementation() for failed in failures):
        return Explanation(lines, Culprit.IMPLEMENTATIONS)
    return Explanation(lines, Culprit.LAB)
