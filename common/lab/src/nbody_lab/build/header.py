"""Explains what is wrong with a user's header, from the compiler's output."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from nbody_lab.build.compiler_text import CompilerError, find_errors, plain, quote

# Pattern in an error (g++, clang++, nvcc) -> how the sentence ends.
_TYPES = "(real|Simulator|Problem|Bodies|Vectors)"
_ADVICE = [
    (
        r"but does not override|only virtual member functions|marked 'override' but does not|"
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
]
_CHOICE = r"'[a-d]' was not declared in this scope|undeclared identifier '[a-d]'"

# Errors in double only: pattern in the error, pattern in the line, advice.
_INTRINSIC = r"\b_mm\d*_\w+_[ps]s\b|\b__m(128|256|512)\b|\bv\w+q?_f32\b|\bfloat[234]\b"
_FLOAT_LITERAL = r"\b(\d+\.?\d*|\.\d+)[fF]\b"
_IN_DOUBLE = [
    (r"", _INTRINSIC, "these intrinsics take only float; use xsimd::batch<real>, or --no-double"),
    (
        r"conflicting types|no instance of (overloaded )?function|no matching function",
        _FLOAT_LITERAL,
        "write real({number}) for {literal}",
    ),
    (r"", r"\bfloat\b", "write real for float"),
]

# The compiler does not know a flag.
_REFUSED_FLAG = re.compile(
    r"^(?:[^ :]*: )?(?:fatal )?error: ((?:bad value|unrecognized|unrecognised|unknown (?:argument|target CPU)|"
    r"unsupported (?:argument|option)|invalid (?:argument|value)|argument to).*)",
    re.M,
)

# The header itself has no error, yet its program does not compile: pattern, whether the error must be in the file that
# CMake wrote, message.
_WHOLE_HEADER = [
    (
        r"abstract class",
        False,
        "its class lacks a function that every simulator needs (common/simulator/contract.hpp)",
    ),
    (
        r"no matching (function for call to.*Problem|constructor for initialization)|no instance of constructor",
        False,
        "its class has no constructor that takes a Problem",
    ),
    (
        r"inaccessible base|private base class|(could not convert|no viable conversion|no suitable user-defined conversion).*unique_ptr",
        True,
        "its class cannot be used as a Simulator: derive it with public, as in class Mine : public Naive",
    ),
]
_UNKNOWN_CLASS = r"'(?:nbody::)?(\w+)' was not declared in this scope|use of undeclared identifier '(\w+)'|identifier \"(\w+)\" is undefined"
_PRIVATE_CONSTRUCTOR = (
    r"is private within this context|calling a (private|protected) constructor|\) is inaccessible"
)
_SHARED_MEMORY = r"ptxas error *: Entry function '(\w+)' uses too much shared data \((0x\w+) bytes, (0x\w+) max\)"


class Fault(Enum):
    """How far the header compiles."""

    ALWAYS = "does not compile"
    ONLY_IN_DOUBLE = "compiles for float, not for double"
    IN_DOUBLE = "does not compile for double"  # float has not been tried


class Verdict(NamedTuple):
    """Why something does not compile, and the lines of the compiler to show first."""

    sentence: str
    quoted: Sequence[str] = ()


@dataclass(frozen=True)
class FailedHeader:
    """A header whose program does not compile."""

    output: str = field(repr=False)  # of the compiler, with plain quotes
    name: str  # from the root of the lab
    root: Path
    build: Path
    class_name: str = ""  # that its program needs; empty: any

    @property
    def file(self) -> Path:
        return self.root / self.name

    @cached_property
    def text(self) -> str:
        return self.file.read_text(encoding="utf-8", errors="replace")

    @cached_property
    def errors(self) -> list[CompilerError]:
        return find_errors(self.output)

    def is_generated(self) -> bool:
        """Whether the first error is in a file that CMake wrote."""
        return bool(self.errors) and self.errors[0].file.startswith(f"{self.build}/")

    def with_first_error(self, place: str = "") -> Verdict:
        """The first error, which is elsewhere; `place`: what led to it."""
        text = plain(self.errors[0].text, self.root)
        return Verdict(
            f"{self.name} does not compile: {place}{text}", quote(self.errors, self.root)
        )


def _advise(message: str, header: str) -> str:
    if header.endswith("worksheet.hpp") and re.search(_CHOICE, message):
        return " (a choice is written with quotes: 'a')"
    return next((f" ({words})" for pattern, words in _ADVICE if re.search(pattern, message)), "")


def _advise_in_double(error: CompilerError, line: str) -> str:
    """How to make the line compile for double, too."""
    message = "\n".join([error.text, *error.quoted, *error.below])
    for pattern, code, words in _IN_DOUBLE:
        found = re.search(code, line)
        if found and re.search(pattern, message):
            number = re.sub(r"\.?[fF]$", "", found[0])
            return "; " + words.format(number=number, literal=found[0])
    return ""


def _explain_refused_flag(header: FailedHeader) -> Verdict | None:
    """The flag that the compiler does not know, and its place in flags.txt."""
    found = _REFUSED_FLAG.search(header.output)
    flags_file = header.file.with_name("flags.txt")
    if not found or not flags_file.exists():
        return None
    text = found[1].split(" (did you mean")[0]
    name = plain(str(flags_file), header.root)
    lines = flags_file.read_text(encoding="utf-8", errors="replace").splitlines()
    for number, line in enumerate(lines, 1):
        for word in line.split("#")[0].split():
            if f"'{word}'" in text or f"'{re.sub('^-[^=]*=', '', word)}'" in text:
                return Verdict(
                    f"{name}:{number}: the compiler does not know the flag {word} ({text}): correct it"
                )
    return Verdict(f"{name}: the compiler does not know a flag ({text}): correct it")


def _explain_own_error(header: FailedHeader, fault: Fault) -> Verdict | None:
    """The first error in the header itself."""
    own = [error for error in header.errors if error.file == str(header.file)]
    if not own:
        return None
    first = own[0]
    text, advice = plain(first.text, header.root), ""
    if fault is Fault.ALWAYS:
        where = f"{header.name} {fault.value}: line {first.line}"
    else:
        lines = header.text.splitlines()
        line = lines[first.line - 1] if first.line <= len(lines) else ""
        where = f"{header.name}:{first.line} {fault.value}"
        advice = _advise_in_double(first, line)
    advice = advice or _advise(text, header.name)
    return Verdict(f"{where}: {text}{advice}", quote(own, header.root))


def _explain_empty(header: FailedHeader) -> Verdict | None:
    if header.text.strip():
        return None
    return Verdict(
        f"{header.name} is empty: write a class in it; {Path(header.name).parent}/notebook has what ./lab try measured"
    )


def _explain_missing_class(header: FailedHeader) -> Verdict | None:
    # The first error may only say that a type is expected.
    texts = "\n".join(error.text for error in header.errors)
    found = re.search(_UNKNOWN_CLASS, texts) if header.is_generated() else None
    name = next(filter(None, found.groups())) if found else ""
    if not name or header.class_name not in ("", name):
        return None
    if not re.search(rf"(class|struct) +{name}\b", header.text):
        return Verdict(f"{header.name} has no class {name}")
    return Verdict(
        f"{header.name}: its class {name} cannot be found: is it inside namespace nbody?"
    )


def _explain_unusable_class(header: FailedHeader) -> Verdict | None:
    for pattern, must_be_generated, words in _WHOLE_HEADER:
        if re.search(pattern, header.output) and (header.is_generated() or not must_be_generated):
            return Verdict(f"{header.name}: {words}")
    if header.is_generated() and re.search(_PRIVATE_CONSTRUCTOR, header.errors[0].text):
        return header.with_first_error()
    return None


def _demangle_kernel(mangled: str) -> str:
    """`_ZN5nbody5tilesEPf` -> tiles"""
    name, rest = mangled, re.sub(r"^_ZN?", "", mangled)
    while length := re.match(r"(\d+)", rest):
        end = length.end() + int(length[1])
        name, rest = rest[length.end() : end], rest[end:]
    return name


def _explain_shared_memory(header: FailedHeader) -> Verdict | None:
    """ptxas's complaint in plain words."""
    found = re.search(_SHARED_MEMORY, header.output)
    if not found:
        return None
    return Verdict(
        f"{header.name} does not compile: kernel {_demangle_kernel(found[1])} asks for {int(found[2], 16)} bytes of "
        f"__shared__ memory, but a block has only {int(found[3], 16)}: smaller tiles?"
    )


def _explain_template(header: FailedHeader) -> Verdict | None:
    """An error in a template of a library, with the header's line that instantiates it: g++ names that before the error,
    clang and nvcc after it."""
    path = re.escape(str(header.file))
    found = re.search(
        rf"^{path}:(\d+):\d+: *(?:required from|note: in instantiation)|at line (\d+) of {path}",
        header.output,
        re.M,
    )
    before = header.output.split(": error: ")[0]
    in_template = (
        re.search("required from|In instantiation", before)
        or "requested here" in header.output
        or "detected during" in header.output
    )
    if not header.errors or not (found or in_template):
        return None
    return header.with_first_error(f"line {found[1] or found[2]}: " if found else "")


def _explain_neighbour(header: FailedHeader) -> Verdict | None:
    """An error in another header of the part or solution, which this header uses wrongly, for example the counting number
    in intrinsics. In common/ it usually means a missing brace in this header."""
    if not header.errors or not header.errors[0].file.startswith(f"{header.root}/"):
        return None
    other = header.errors[0].file.removeprefix(f"{header.root}/")
    if not re.match("part|solutions/", other) or other == header.name:
        return None
    return header.with_first_error(f"{other}:{header.errors[0].line}: ")


# In this order, after errors of the header itself.
_ELSEWHERE = (
    _explain_empty,
    _explain_missing_class,
    _explain_unusable_class,
    _explain_shared_memory,
    _explain_template,
    _explain_neighbour,
)


def explain_header(header: FailedHeader, fault: Fault) -> Verdict:
    """The most helpful sentence about a header that does not compile."""
    verdict = _explain_refused_flag(header) or _explain_own_error(header, fault)
    if verdict:
        return verdict
    for explain in _ELSEWHERE:
        if verdict := explain(header):
            return verdict
    return Verdict(f"{header.name}: the error is past its end: a missing brace, or stray text?")
