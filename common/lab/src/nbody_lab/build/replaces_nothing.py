"""Does a student's class replace any function of Naive? If not, it silently runs as naive."""

import difflib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from nbody_lab import ROOT

_SKIPPED = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)\'', re.DOTALL
)  # comments, strings
_CLASS = re.compile(r"\b(?:class|struct)\s+(\w+)[^;{}()]*?(?::([^;{}()]*))?\{")
_DERIVES = re.compile(r"^class \w+ : public (?!std::)", re.MULTILINE)
_INCLUDED = re.compile(r'^#include "(\w+/\w+\.(?:hpp|cuh))"', re.MULTILINE)
_FUNCTION = re.compile(
    r"([^;{}()]*?)(~?\b\w+)\s*\(([^()]*)\)\s*((?:const|noexcept|override|final|\s)*)(?:->[^{;]*)?[;{=]"
)


class _Function(NamedTuple):
    name: str
    types: tuple[str, ...]  # of its parameters
    is_const: bool
    says_override: bool

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.types)}){' const' if self.is_const else ''}"


class _Class(NamedTuple):
    name: str
    bases: list[str]  # words of the list of bases
    members: str  # without function bodies

    def functions(self) -> list[_Function]:
        """Without constructors."""
        found = []
        for before, name, parameters, after in _FUNCTION.findall(self.members):
            if (
                before.strip()
                and name not in (self.name, "~" + self.name, "operator")
                and not re.search(r"=|[:,]\s*$", before)
            ):
                says_override = "override" in after or "final" in after
                found.append(
                    _Function(name, _parse_types(parameters), "const" in after, says_override)
                )
        return found


def _parse_classes(text: str) -> list[_Class]:
    text, found = _SKIPPED.sub("", text), []
    for match in _CLASS.finditer(text):
        depth, members = 1, []
        for character in text[match.end() :]:
            depth -= character == "}"
            if depth == 0:
                break
            if depth == 1:
                members.append("" if character == "}" else character)
            depth += character == "{"
        body = re.sub(r"\b(public|protected|private)\s*:(?!:)", ";", "".join(members))
        bases = re.findall(r"\w+", match[2] or "")
        found.append(_Class(match[1], bases, body.replace("{", "{;")))
    return found


def _parse_types(parameters: str) -> tuple[str, ...]:
    """The types of the parameters, without names and qualifiers that do not matter for overriding."""
    types = []
    for parameter in parameters.split(","):
        text = re.sub(r"=.*", "", parameter.replace("nbody::", ""))
        words = re.findall(r"\w+(?:<[^>]*>)?|[&*]", re.sub(r"\s+(?=<)", "", text))
        has_name = len(words) > 1 and re.match(r"\w", words[-1])
        if has_name and words[-2] not in ("const", "unsigned", "long"):
            words.pop()
        if "&" not in words and "*" not in words:
            words = [word for word in words if word != "const"]
        if words:
            types.append(" ".join(words))
    return tuple(types)


def _replaces(function: _Function, virtual: _Function) -> bool:
    """Whether a function overrides the virtual one: same name, and no visible difference in the signature."""
    if function.name != virtual.name or function.says_override:
        return function.name == virtual.name
    if len(function.types) != len(virtual.types) or function.is_const != virtual.is_const:
        return False
    scalars = ("double", "int")
    pairs = zip(function.types, virtual.types)
    return not any(own in scalars and given not in scalars for own, given in pairs)


def _why_not(function: _Function, virtuals: Sequence[_Function]) -> str:
    for virtual in virtuals:
        if virtual.name == function.name:
            return f"{function} is not Naive's {virtual}: write override"
    names = [virtual.name for virtual in virtuals]
    near = difflib.get_close_matches(function.name, names, 1, 0.75)
    return f"{function.name}() is not a function of Naive" + (f" ({near[0]}()?)" if near else "")


def bases_of(header: Path, common: Path) -> list[Path]:
    """The headers of common/ that have the classes below a header's class, the nearest first."""
    files = [header]
    for file in files:  # which grows
        for name in _INCLUDED.findall(file.read_text(encoding="utf-8")):
            base = common / name
            if base not in files and base.is_file():
                files += [base] if _DERIVES.search(base.read_text(encoding="utf-8")) else []
    return files[1:]


def text_of_naive(naive: Path, common: Path) -> str:
    """The text of a part's naive.hpp, of the classes below it, and of the contract."""
    files = [naive, *bases_of(naive, common), common / "simulator/contract.hpp"]
    return "".join(file.read_text(encoding="utf-8") for file in files)


def _family(name: str, classes: Iterable[_Class]) -> set[str]:
    """A class and those that it derives from; all derive from the contract in the end."""
    bases = {base for one in classes if one.name == name for base in one.bases} - {name}
    return {name, "SimulatorOf"}.union(*(_family(base, classes) for base in bases))


def replaces_nothing(header_text: str, naive_text: str) -> str | None:
    """The reason, if the class Mine of the header has functions but none replaces one of Naive's; else None.
    `naive_text`: from text_of_naive()."""
    given = _parse_classes(naive_text)
    family = _family("Naive", given)
    virtuals = [
        function
        for one in given
        if one.name in family
        for function in one.functions()
        if not function.name.startswith("~")
    ]
    # A class not derived from Naive is its own simulator, or its base is defined elsewhere.
    known, functions = {"Naive"}, []
    for one in _parse_classes(header_text):
        if known.intersection(one.bases):
            known.add(one.name)
            functions += one.functions()
    replaced = any(_replaces(own, virtual) for own in functions for virtual in virtuals)
    if "Mine" not in known or not functions or replaced:
        return None
    why_not = _why_not(_most_telling(functions, virtuals), virtuals)
    return f"its class overrides no function of Naive, so it computes as naive does: {why_not}"


def computes_as_naive(content: bytes, folder: Path) -> bool:
    """Whether the class overrides nothing, for example because a function's name is misspelt."""
    try:
        naive = text_of_naive(next(folder.glob("naive.*")), ROOT / "common")
        return bool(replaces_nothing(content.decode("utf-8"), naive))
    except (OSError, StopIteration, UnicodeDecodeError):
        return False


def _most_telling(functions: Sequence[_Function], virtuals: Sequence[_Function]) -> _Function:
    """The function whose name is most similar to one of Naive's."""

    def likeness(function: _Function) -> float:
        names = [virtual.name for virtual in virtuals]
        ratios = [difflib.SequenceMatcher(None, function.name, name).ratio() for name in names]
        return max(ratios, default=0)

    return max(functions, key=likeness)
