"""Says in plain words why a step of ./lab failed, from the log of CMake or Ninja and the compiler's messages in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile
from pathlib import Path

from nbody_lab.building.manifest import Implementation, Manifest, ManifestError
from nbody_lab.core.errors import LabError

# --- what a compiler prints ---

# g++ and clang++: file:line:column: error: text; nvcc: file(line): error: text
_MESSAGE = re.compile(
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
        error = _MESSAGE.match(line)
        if error and error["kind"].endswith("error"):
            below = lines[number : number + 2]
            source = takewhile(lambda s: not _MESSAGE.match(s) and not _ELSEWHERE.search(s), below)
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
# Pattern in the line of an error in double only -> how to make it compile for double, too.
_IN_DOUBLE = (
    (
        r"\b_mm\d*_\w+_[ps]s\b|\b__m(128|256|512)\b|\bv\w+q?_f32\b|\bfloat[234]\b",
        "these intrinsics take only float; use xsimd::batch<real>, or --no-double",
    ),
    (r"\b(?P<number>\d+(\.\d+)?|\.\d+)\.?[fF]\b", "write real({number}) for {literal}"),
    (r"\bfloat\b", "write real for float"),
)
# Pattern in the output about a header without an error of its own -> what is wrong with its class.
_WHOLE_HEADER = (
    (
        r"abstract class",
        "its class lacks a function that every simulator needs (common/simulator/contract.hpp)",
    ),
    (
        r"no matching (function for call to.*Problem|constructor for initialization)|no instance of constructor",
        "its class has no constructor that takes a Problem",
    ),
    (
        r"inaccessible base|private base class|"
        r"(could not convert|no viable conversion|no suitable user-defined conversion).*unique_ptr",
        "its class cannot be used as a Simulator: derive it with public, as in class Mine : public Naive",
    ),
)
# An error elsewhere that a header leads to, rather than its missing brace.
_LED_ELSEWHERE = (
    r"required from|In instantiation|requested here|detected during|private|inaccessible"
)
_NO_NETWORK = r"Failed to clone|Could not resolve|unable to access|could not find git|Build step for .* failed"
_REFUSED_FLAG = re.compile(
    r"^(?:[^ :]*: )?(?:fatal )?error: ((?:bad value|unrecognized|unrecognised|unknown (?:argument|target CPU)|"
    r"unsupported (?:argument|option)|invalid (?:argument|value)|argument to).*)$",
    re.M,
)
_SHARED_MEMORY = re.compile(
    r"ptxas error *: Entry function '_Z(?:N5nbody)?(\d+)(\w+)' uses too much shared data "
    r"\((0x\w+) bytes, (0x\w+) max\)"
)

# --- targets that Ninja could not build ---

# "FAILED: [code=1] NAME ...", the command in one line, its output, "[n/m] ...". A compiler's output may look like it,
# so the name must lie in the build folder.
_FAILED = re.compile(
    r"^FAILED: (?:\[[^]]*\] )?(?!/|\S*\.\.)(\S+).*\n.*\n((?:(?!FAILED: |\[\d+/\d+\] |ninja: ).*\n)*)",
    re.M,
)


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
    in_double: bool
    is_implementation: bool

    @property
    def is_object(self) -> bool:
        return "/CMakeFiles/" in self.target


def _find_failures(log: str, build: Path) -> list[_Failure]:
    made: dict[str, tuple[Implementation, str, bool]] = {}  # by CMake's target, and by program
    for manifest in ("manifest.json", "manifest_on_cpu.json"):
        try:
            rows = Manifest(build / manifest).rows
        except ManifestError:
            continue
        for row in rows:
            if row.count:
                made[row.count.target] = (row, row.count.program, False)
            for one in row.programs:
                what = (row, one.program, one.precision == "double")
                made[one.target] = made[one.program] = what
    found = []
    for target, output in _FAILED.findall(log):
        name = re.sub(r".*/CMakeFiles/|\.dir/.*", "", target)
        if name in made:
            row, program, in_double = made[name]
            failure = _Failure(target, output, row.source, row.class_name, program, in_double, True)
        else:
            source = re.sub(r"CMakeFiles/[^/]*\.dir/(.*)\.o$", r"\1", target)
            worksheet = r"(\w+_worksheet_program/worksheet_answers|worksheet_flops)\.cpp$"
            source = re.sub(worksheet, "worksheet.hpp", source)
            program = target if name == target else "bin/" + name.replace("_", "/", 1)
            of_part = re.match(r"(part|solutions/).*\.dir/|bin/part[^/]*/", target) is not None
            failure = _Failure(target, output, source, "Worksheet", program, False, of_part)
        found.append(failure)
    return found


# --- sentences ---


def _explain_flag(failure: _Failure, flags: Path, root: Path) -> str:
    """The flag that the compiler does not know, and its place in flags.txt; else empty."""
    found = _REFUSED_FLAG.search(failure.output)
    if not found or not flags.exists():
        return ""
    name = flags.relative_to(root)
    text = plain(found[1])
    for number, line in enumerate(
        flags.read_text(encoding="utf-8", errors="replace").splitlines(), 1
    ):
        for word in line.split("#")[0].split():
            if f"'{word}'" in text or f"'{re.sub('^-[^=]*=', '', word)}'" in text:
                return f"{name}:{number}: the compiler does not know the flag {word} ({text}): correct it"
    return f"{name}: the compiler does not know a flag ({text}): correct it"


def _advise(error: CompilerError, in_double: bool, header: str) -> str:
    """How the sentence about an error in a student's file ends. `header`: its text."""
    lines = header.splitlines()
    for pattern, words in _IN_DOUBLE if in_double and error.line <= len(lines) else ():
        if found := re.search(pattern, lines[error.line - 1]):
            return "; " + words.format(literal=found[0], number=found.groupdict().get("number"))
    text = plain(error.text)
    return next((f" ({words})" for pattern, words in _ADVICE if re.search(pattern, text)), "")


def _explain_class(failure: _Failure, header: str) -> str:
    """What is wrong with the class of a header whose own lines have no error; else empty."""
    output = plain(failure.output)
    name = failure.class_name
    if re.search(rf"'{name}' was not declared|identifier ['\"]{name}['\"]", output):
        if not re.search(rf"(class|struct) +{name}\b", header):
            return f"has no class {name}"
        return f"its class {name} cannot be found: is it inside namespace nbody?"
    if shared := _SHARED_MEMORY.search(output):
        kernel = shared[2][: int(shared[1])]
        return (
            f"kernel {kernel} asks for {int(shared[3], 16)} bytes of __shared__ memory, "
            f"but a block has only {int(shared[4], 16)}: smaller tiles?"
        )
    return next((words for pattern, words in _WHOLE_HEADER if re.search(pattern, output)), "")


def _explain(failure: _Failure, in_double: bool, root: Path) -> tuple[list[str], str]:
    """(what the compiler printed, the sentence about it)"""
    source, errors = failure.source, find_errors(failure.output)
    own = [error for error in errors if error.file == f"{root}/{source}"]
    path = re.escape(f"{root}/{source}")
    quoted = [line for error in own or errors for line in error.quoted]
    if not failure.is_object or not errors:
        quoted = failure.output.splitlines()
    longest = (
        _LONGEST_LINE if failure.is_object else None
    )  # a sentence of the lab's own program is whole
    quoted = [plain(line, root)[:longest] for line in dict.fromkeys(quoted)][:_MOST_LINES]
    if not failure.is_object:
        return quoted, f"{failure.target} could not be built"
    if flag := _explain_flag(failure, (root / source).with_name("flags.txt"), root):
        return [], flag
    is_header = source.endswith((".hpp", ".cuh")) and (root / source).exists()
    header = (root / source).read_text(encoding="utf-8", errors="replace") if is_header else ""
    if own:
        text = plain(own[0].text, root) + _advise(own[0], in_double, header)
        where = " for double" if in_double else ""
        return quoted, f"{source}:{own[0].line} does not compile{where}: {text}"
    if not is_header:
        place = ""
    # The line that instantiates a template: g++ names it before the error, clang and nvcc after it.
    elif found := re.search(
        rf"^{path}:(\d+):\d+: *(?:required from|note: in instantiation)|at line (\d+) of {path}",
        failure.output,
        re.M,
    ):
        place = f"line {found[1] or found[2]}: "
    elif why := _explain_class(failure, header):
        return [], f"{source}: {why}"
    elif not errors:
        place = ""
    elif re.match(rf"{re.escape(str(root))}/(part|solutions/)", errors[0].file):
        place = f"{plain(errors[0].file, root)}:{errors[0].line}: "
    elif re.search(_LED_ELSEWHERE, "\n".join(failure.output.splitlines()[:25])):
        place = ""
    else:
        return [], f"{source}: the error is past its end: a missing brace, or stray text?"
    text = f": {place}{plain(errors[0].text, root)}" if errors else ""
    return quoted, f"{source} does not compile{text}"


def _explain_missing_file(log: str, root: Path) -> str:
    """The sentence if Ninja could not start because a file is missing, else empty."""
    if found := re.search(r"^ninja: error: unknown target 'bin/(part[^/']*)/([^']*)'", log, re.M):
        suffix = ".cuh" if any(root.glob(f"{found[1]}_*/*.cuh")) else ".hpp"
        file = f"{found[2]}{suffix}"
    elif found := re.search(r"^ninja: error: '([^']*)', needed by ", log, re.M):
        file = found[1].removeprefix("../../").removeprefix(f"{root}/")
    else:
        return ""
    if re.match(r"(part[^/]*/)?mine", file):
        return f"{file} is missing; what ./lab try measured is in the folder notebook beside it"
    return f"{file} is missing: bring it back, for example with git checkout {file}"


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
        if missing := _explain_missing_file(text, root):
            return BuildFailed([f"lab: {missing}"], Culprit.SURROUNDINGS)
        last = text.splitlines()[-10:]
        return BuildFailed([*last, f"lab: building failed; {log}"], Culprit.LAB)
    lines: list[str] = []
    explained: set[str] = set()
    in_float = {failure.source for failure in failures if not failure.in_double}
    for failure in failures:
        what = failure.source if failure.is_object else failure.target
        if what not in explained:  # float and double, which have the same errors
            explained.add(what)
            quoted, sentence = _explain(failure, failure.source not in in_float, root)
            lines += [*quoted, f"lab: {sentence}; {log}"]
        if failure.is_implementation and re.fullmatch(r"bin/\w+/\w+", failure.program):
            (build / failure.program).unlink(missing_ok=True)
    all_students = all(failure.is_implementation for failure in failures)
    return BuildFailed(lines, Culprit.IMPLEMENTATIONS if all_students else Culprit.LAB)
