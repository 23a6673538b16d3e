"""Does a student's class replace any function of Naive? If not, it silently runs as naive."""

import difflib
import re

SKIPPED = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)\'', re.DOTALL
)  # comments, strings
DERIVES = re.compile(r"^class \w+ : public (?!std::)", re.MULTILINE)
INCLUDED = re.compile(r'^#include "(\w+/\w+\.(?:hpp|cuh))"', re.MULTILINE)
FUNCTION = re.compile(
    r"([^;{}()]*?)(~?\b\w+)\s*\(([^()]*)\)\s*((?:const|noexcept|override|final|\s)*)(?:->[^{;]*)?[;{=]"
)


def class_bodies(text):
    """(name, bases, members without function bodies) of each class."""
    found = []
    for match in re.finditer(r"\b(?:class|struct)\s+(\w+)[^;{}()]*?(?::([^;{}()]*))?\{", text):
        depth, members = 1, []
        for character in text[match.end() :]:
            depth -= character == "}"
            if depth == 0:
                break
            if depth == 1:
                members.append("" if character == "}" else character)
            depth += character == "{"
        body = re.sub(r"\b(public|protected|private)\s*:(?!:)", ";", "".join(members))
        found.append((match[1], match[2] or "", body.replace("{", "{;")))
    return found


def types_of(parameters):
    """The types of the parameters, without names and qualifiers that do not matter for overriding."""
    types = []
    for parameter in parameters.split(","):
        words = re.sub(r"=.*", "", parameter.replace("nbody::", ""))
        words = re.findall(r"\w+(?:<[^>]*>)?|[&*]", re.sub(r"\s+(?=<)", "", words))
        if (
            words
            and len(words) > 1
            and re.match(r"\w", words[-1])
            and words[-2] not in ("const", "unsigned", "long")
        ):
            words.pop()
        if "&" not in words and "*" not in words:
            words = [word for word in words if word != "const"]
        if words:
            types.append(" ".join(words))
    return types


def functions_of(name, members):
    """[(name, parameters, is const, says override)], without constructors."""
    found = []
    for match in FUNCTION.finditer(members):
        before, function, parameters, after = match.groups()
        if (
            before.strip()
            and function not in (name, "~" + name, "operator")
            and not re.search(r"=|[:,]\s*$", before)
        ):
            found.append(
                (function, parameters, "const" in after, "override" in after or "final" in after)
            )
    return found


def replaces(function, virtual):
    """Whether a function overrides the virtual one: same name, and no visible difference in the signature."""
    name, parameters, is_const, says = function
    if name != virtual[0] or says:
        return name == virtual[0]
    mine, theirs = types_of(parameters), types_of(virtual[1])
    if len(mine) != len(theirs) or is_const != virtual[2]:
        return False
    return not any(
        a in ("double", "int") and b not in ("double", "int") for a, b in zip(mine, theirs)
    )


def why_not(function, virtuals):
    name, parameters, is_const, _ = function
    for virtual in virtuals:
        if virtual[0] == name:
            wanted = f"{name}({', '.join(types_of(virtual[1]))}){' const' if virtual[2] else ''}"
            return f"{name}({', '.join(types_of(parameters))}){' const' if is_const else ''} is not Naive's {wanted}: write override"
    near = difflib.get_close_matches(name, [virtual[0] for virtual in virtuals], 1, 0.75)
    return f"{name}() is not a function of Naive" + (f" ({near[0]}()?)" if near else "")


def bases_of(header, common):
    """The headers of common/ that have the classes below a header's class, the nearest first."""
    files = [header]
    for file in files:  # which grows
        included = [common / name for name in INCLUDED.findall(file.read_text(encoding="utf-8"))]
        files += [
            one
            for one in included
            if one not in files
            and one.is_file()
            and DERIVES.search(one.read_text(encoding="utf-8"))
        ]
    return files[1:]


def text_of_naive(naive, common):
    """The text of a part's naive.hpp, of the classes below it, and of the contract."""
    files = [naive, *bases_of(naive, common), common / "simulator/contract.hpp"]
    return "".join(file.read_text(encoding="utf-8") for file in files)


def family(name, classes):
    """A class and those that it derives from; all derive from the contract in the end."""
    bases = [word for own, text, _ in classes if own == name for word in re.findall(r"\w+", text)]
    return {name, "SimulatorOf"}.union(*(family(base, classes) for base in bases if base != name))


def has_functions(header_text):
    """Whether a class of the header has a function of its own or of another base than Naive."""
    return any(
        functions_of(name, members) or not re.search(r"\bNaive\b", bases)
        for name, bases, members in class_bodies(SKIPPED.sub("", header_text))
    )


def replaces_nothing(header_text, naive_text):
    """The reason, if the class Mine of the header has functions but none replaces one of Naive's; else None.
    `naive_text`: from text_of_naive()."""
    virtuals, given = [], class_bodies(SKIPPED.sub("", naive_text))
    of_naive = family("Naive", given)
    for name, _, members in given:
        if name in of_naive:
            virtuals += [
                function
                for function in functions_of(name, members)
                if not function[0].startswith("~")
            ]
    classes = class_bodies(SKIPPED.sub("", header_text))
    # A class not derived from Naive is its own simulator, or its base is defined elsewhere.
    known, functions = {"Naive"}, []
    for name, bases, members in classes:
        base = [word for word in re.findall(r"\w+", bases) if word in known]
        if base:
            known.add(name)
            functions += functions_of(name, members)
    if (
        "Mine" not in known
        or not functions
        or any(replaces(f, v) for f in functions for v in virtuals)
    ):
        return None
    return f"its class overrides no function of Naive, so it computes as naive does: {why_not(telling(functions, virtuals), virtuals)}"


def telling(functions, virtuals):
    """The function whose name is most similar to one of Naive's."""

    def likeness(function):
        return max(
            (
                difflib.SequenceMatcher(None, function[0], virtual[0]).ratio()
                for virtual in virtuals
            ),
            default=0,
        )

    return max(functions, key=likeness)
