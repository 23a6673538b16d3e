"""Says in plain words why a step of ./lab failed, from the log of CMake or Ninja and the compiler's messages in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile
from pathlib import Path

from nbody_lab.building.manifest import Manifest, ManifestError
from nbody_lab.core.errors import LabError

# --- what a compiler prints ---

# g++ and clang++: file:line:column: error: text; nvcc: file(line): error: text
MESSAGE = re.compile(
    r"^(?P<file>[^\s:(][^:(\n]*)(?::(?P<line>\d+):\d+|\((?P<nvcc_line>\d+)\)): "
    r"(?P<kind>(?:fatal |catastrophic )?error|warning|note)(?: #\d+-D)?: (?P<text>.*)$"
)
# Lines that do not belong to the error above them.
_ELSEWHERE = re.compile(
    r": In |: +required |^In file included|^ +detected |^\d+ errors? (generated|detected)|^$"
)
# Names as a student knows them: no folders, no aliases, no allocator, plain quotes.
_PLAIN = (
    (r"[\u2018\u2019]", "'"),
    (r"__gnu_cxx::__alloc_traits<[^ ]*, ([^ ]*)>::value_type", r"\1"),
    (r"(?:const )?(?:struct |class )?nbody::\w+(?:<\w+>)?::Body\b", "Body"),
    (r"'[^']*' [({]aka '([^']*)'[)}]", r"'\1'"),
    (r" \[with T = [a-z]+\]", ""),
    (r"nbody::", ""),
    (r"\b(Problem|Simulator)Of<\w+>", r"\1"),
    (r"'(\w+)'([^;]*); did you mean '\1'\?", r"'\1'\2"),
)
_LONGEST_LINE, _MOST_LINES = 160, 6  # of what is quoted


@dataclass(frozen=True)
class CompilerError:
    """An error: its place and text, and the lines that show it."""

    file: str
    line: int
    text: str
    quoted: Sequence[str]


def find_errors(output: str) -> list[CompilerError]:
    """The errors in a compiler's output, in order."""
    found = []
    lines = output.splitlines()
    for number, line in enumerate(lines, 1):
        error = MESSAGE.match(line)
        if error and error["kind"].endswith("error"):
            below = lines[number : number + 2]
            source = takewhile(lambda s: not MESSAGE.match(s) and not _ELSEWHERE.search(s), below)
            place = int(error["line"] or error["nvcc_line"])
            found.append(CompilerError(error["file"], place, error["text"], [line, *source]))
    return found


def plain(text: str, root: object = "") -> str:
    """The text without the compiler's own names and without the lab's folder."""
    if root:
        text = text.replace(f"{root}/", "")
    for pattern, replacement in _PLAIN:
        text = re.sub(pattern, replacement, text)
    return text


# --- advice ---

# Pattern in the first error of a student's file (g++, clang++, nvcc) -> how the sentence ends.
_TYPES = "(real|Simulator|Problem|Bodies|Vectors)"
_ADVICE = (
    (
        r"but does not override|only virtual member functions|"
        r"does not override a base class member",
        "is the name spelled right?",
    ),
    (
        r"after class definition|expected ';' after class|expected '\}'|not allowed here|"
        r"before '(protected|public|private)'|expected a \"[;}]\" *$|attribute .* does not apply here",
        "a brace may be missing above",
    ),
    (
        rf"'{_TYPES}' (does not name a type|was not declared)|unknown type name '{_TYPES}'|"
        rf"expected class name|expected class-name|identifier \"{_TYPES}\" is undefined",
        "is it inside namespace nbody?",
    ),
    (r"expected declaration before '\}'|extraneous closing brace", "one brace too many above?"),
    (
        r"'[a-d]' was not declared in this scope|undeclared identifier '[a-d]'",
        "a choice of the worksheet is written with quotes: 'a'",
    ),
)
# Pattern in the line of an error with counting numbers -> what can be counted instead.
_COUNTED = (
    (r"\b_mm\d*_|\b__m(128|256|512)\b", "intrinsics cannot be counted; use xsimd::batch<real>"),
    (r"accumulate|reduce|inner_product", "start with real(0): a sum has the type of its start"),
    (r"\b(sqrt|pow|fma|hypot|fabs|fmin|fmax)f *\(", "use the function of std:: without the f"),
    (r"atomic", "real cannot be atomic: use #pragma omp atomic, or per-thread sums"),
    (r"printf|<<", "move the output out of this function"),
    (r"\bdouble\b", "write real for double"),
)
# The same in double only -> how to make it compile for double, too.
_IN_DOUBLE = (
    (
        r"\b_mm\d*_\w+_[ps]s\b|\b__m(128|256|512)\b|\bv\w+q?_f32\b|\bfloat[234]\b",
        "these intrinsics take only float; use xsimd::batch<real>, or --no-double",
    ),
    (r"\b(?P<number>\d+(\.\d+)?|\.\d+)\.?[fF]\b", "write real({number}) for {literal}"),
    (r"\bfloat\b", "write real for float"),
)
# An error elsewhere that a header leads to, rather than its missing brace.
_LED_ELSEWHERE = (
    r"required from|In instantiation|requested here|detected during|private|inaccessible|abstract class|"
    r"no matching|no instance of constructor|no viable conversion|could not convert"
)
_NO_NETWORK = r"Failed to clone|Could not resolve|unable to access|could not find git|Build step for .* failed"
_REFUSED_FLAG = re.compile(
    r"^(?:[^ :]*: )?(?:fatal )?error: ((?:bad value|unrecognized|unrecognised|unknown (?:argument|target CPU)|"
    r"unsupported (?:argument|option)|invalid (?:argument|value)|argument to).*)$",
    re.M,
)

# --- targets that Ninja could not build ---

# "FAILED: [code=1] NAME ...", the command in one line, its output, "[n/m] ...". A compiler's output may look like it,
# so the name must lie in the build folder.
_FAILED = re.compile(
    r"^FAILED: (?:\[[^]]*\] )?(?!/|\S*\.\.)(\S+).*\n.*\n((?:(?!FAILED: |\[\d+/\d+\] |ninja: ).*\n)*)",
    re.M,
)
_COUNTING = "counting numbers"
# Programs beside the usual ones (common/cmake/variants.cmake).
_VARIANTS = ("gprof", "gprof_debug", "addresses", "races")
_WORKSHEET = re.compile(r"(\w+_worksheet_program/worksheet_answers|worksheet_flops)\.cpp$")


class Culprit(Enum):
    """What failed."""

    IMPLEMENTATIONS = "implementations only, so the others are usable"
    SURROUNDINGS = "the tree or the machine lacks something"
    LAB = "something of the lab itself"


class BuildFailed(LabError):
    """A step of CMake or Ninja failed: the lines to print, the compiler's and the lab's, and what failed."""

    def __init__(self, lines: Sequence[str], culprit: Culprit) -> None:
        super().__init__("\n".join(lines))
        self.culprit = culprit
        self.status = 2 if culprit is Culprit.SURROUNDINGS else 1

    def report(self) -> str:
        return str(self)


@dataclass(frozen=True)
class _Failure:
    """A target that Ninja could not build. Paths of targets are from the build folder."""

    target: str  # an object file, or the program itself
    output: str
    source: str  # what the student wrote: path from the root of the lab
    class_name: str  # in that header
    program: str
    real: str  # "double", "counting numbers", or "" for float
    is_implementation: bool

    @property
    def is_object(self) -> bool:
        return "/CMakeFiles/" in self.target


def _find_failures(log: str, build: Path) -> list[_Failure]:
    made: dict[str, tuple[str, str, str, str]] = {}  # by CMake's target, and by program
    for manifest, made_for in (("manifest.json", ""), ("manifest_on_cpu.json", "_on_cpu")):
        try:
            rows = Manifest(build / manifest).rows
        except ManifestError:
            continue
        for row in rows:
            if row.count:
                made[row.count.target] = row.source, row.class_name, row.count.program, _COUNTING
            for one in row.programs:
                real = "double" if one.precision == "double" else ""
                facts = row.source, row.class_name, one.program, real
                made[one.target] = made[one.program] = facts
            for variant in _VARIANTS:
                folder = f"{row.part}{made_for}"
                program = f"bin/{variant}/{folder}/{row.name}"
                facts = row.source, row.class_name, program, ""
                made[f"{variant}_{folder}_{row.name}"] = made[program] = facts
    found = []
    for target, output in _FAILED.findall(log):
        name = re.sub(r".*/CMakeFiles/|\.dir/.*", "", target)
        if name in made:
            found.append(_Failure(target, output, *made[name], True))
            continue
        source = re.sub(r"CMakeFiles/[^/]*\.dir/(.*)\.o$", r"\1", target)
        source = _WORKSHEET.sub("worksheet.hpp", source)
        of_part = re.match(r"(part|solutions/).*\.dir/|bin/part[^/]*/", target) is not None
        found.append(_Failure(target, output, source, "Worksheet", target, "", of_part))
    return found


# --- sentences ---


def _advise(error: CompilerError, real: str, header: str) -> str:
    """How the sentence about an error in a student's file ends. `header`: its text."""
    lines = header.splitlines()
    rows: tuple[tuple[str, str], ...] = _IN_DOUBLE if real else ()
    for pattern, words in (*_COUNTED, *rows) if real == _COUNTING else rows:
        if error.line <= len(lines) and (found := re.search(pattern, lines[error.line - 1])):
            return "; " + words.format(literal=found[0], number=found.groupdict().get("number"))
    text = plain(error.text)
    return next((f" ({words})" for pattern, words in _ADVICE if re.search(pattern, text)), "")


def _explain(failure: _Failure, real: str, root: Path) -> tuple[list[str], str]:
    """(what the compiler printed, the sentence about it)"""
    source, name, errors = failure.source, failure.class_name, find_errors(failure.output)
    own = [error for error in errors if error.file == f"{root}/{source}"]
    if not failure.is_object:  # a sentence of the lab's own program is whole
        quoted = [plain(line, root) for line in failure.output.splitlines()[:_MOST_LINES]]
        return quoted, f"{failure.target} could not be built"
    quoted = [line for error in own or errors for line in error.quoted]
    quoted = list(dict.fromkeys(quoted or failure.output.splitlines()))[:_MOST_LINES]
    quoted = [plain(line, root)[:_LONGEST_LINE] for line in quoted]
    if failure.is_implementation and (refused := _REFUSED_FLAG.search(failure.output)):
        flags = (root / source).with_name("flags.txt").relative_to(root)
        return [], f"{flags}: the compiler refuses a flag: {plain(refused[1])}"
    is_header = source.endswith((".hpp", ".cuh")) and (root / source).exists()
    header = (root / source).read_text(encoding="utf-8", errors="replace") if is_header else ""
    if own:
        text = plain(own[0].text, root) + _advise(own[0], real, header)
        where = f" for {real}" if real else ""
        return quoted, f"{source}:{own[0].line} does not compile{where}: {text}"
    # The line that instantiates a template: g++ names it before the error, clang and nvcc after it.
    path = re.escape(f"{root}/{source}")
    places = (
        rf"^{path}:(\d+):\d+: *(?:required from|note: in instantiation)|at line (\d+) of {path}"
    )
    place = advice = ""
    if found := re.search(places, failure.output, re.M) if is_header else None:
        line = int(found[1] or found[2])
        place = f"line {line}: "
        advice = _advise(CompilerError(source, line, "", []), real, header)
    elif is_header and re.search(
        rf"'{name}' was not declared|identifier ['\"]{name}['\"]", plain(failure.output)
    ):
        if not re.search(rf"(class|struct) +{name}\b", header):
            return [], f"{source}: has no class {name}"
        return [], f"{source}: its class {name} cannot be found: is it inside namespace nbody?"
    elif is_header and errors:
        if re.match(rf"{re.escape(str(root))}/(part|solutions/)", errors[0].file):
            place = f"{plain(errors[0].file, root)}:{errors[0].line}: "
        elif not re.search(_LED_ELSEWHERE, "\n".join(failure.output.splitlines()[:25])):
            return [], f"{source}: the error is past its end: a missing brace, or stray text?"
    text = f": {place}{plain(errors[0].text, root)}" if errors else ""
    return quoted, f"{source} does not compile{text}{advice}"


def _explain_configuration(log: str) -> str:
    """CMake's first message, which it wraps, in one line."""
    fetched = re.findall(r"^-- (.*): no package found, fetching ", log, re.M)
    if fetched and re.search(_NO_NETWORK, log):
        return f"{fetched[-1]} is not installed and cannot be fetched (no network?): ./lab setup installs it"
    after = re.split(r"^CMake Error.*\n", log, maxsplit=1, flags=re.M)[1].strip("\n") + "\n"
    text = " ".join(re.split(r"\n\s*\n|^Call Stack", after, maxsplit=1, flags=re.M)[0].split())
    return text if re.match(r"part[^/ ]*/flags\.txt", text) else f"CMake stopped: {text}"


def explain_failure(log_file: Path, root: Path, build: Path) -> BuildFailed:
    """Why a step failed, to be raised. Removes the old programs of implementations that failed, since they no longer match the header."""
    text = log_file.read_text(encoding="utf-8", errors="replace")
    log = f"log: {str(log_file).removeprefix(f'{root}/')}"
    if re.search(r"^CMake Error", text, re.M):
        why = _explain_configuration(text)
        return BuildFailed([f"lab: {why}; nothing was built; {log}"], Culprit.SURROUNDINGS)
    if library := re.search(r"^Google Benchmark is missing.*", text, re.M):  # of CMakeLists.txt
        return BuildFailed([f"lab: {library[0]}"], Culprit.SURROUNDINGS)
    failures = _find_failures(text, build)
    if not failures:
        last = text.splitlines()[-10:]
        return BuildFailed([*last, f"lab: building failed; {log}"], Culprit.LAB)
    lines: list[str] = []
    explained: set[str] = set()
    in_float = {failure.source for failure in failures if not failure.real}
    for failure in failures:
        what = failure.source if failure.is_object else failure.target
        if what not in explained:  # float and double, which have the same errors
            explained.add(what)
            real = "" if failure.source in in_float else failure.real
            quoted, sentence = _explain(failure, real, root)
            lines += [*quoted, f"lab: {sentence}; {log}"]
        if failure.is_implementation and re.fullmatch(r"bin/\w+/\w+", failure.program):
            (build / failure.program).unlink(missing_ok=True)
    all_students = all(failure.is_implementation for failure in failures)
    return BuildFailed(lines, Culprit.IMPLEMENTATIONS if all_students else Culprit.LAB)
