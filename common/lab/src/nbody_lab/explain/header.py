"""Explains what is wrong with a user's header, from the compiler's output."""

import re
from pathlib import Path

from nbody_lab.explain.compiler_text import errors_in, plain, shown

# Pattern in an error (g++, clang++, nvcc) -> how the sentence ends.
ADVICE = [
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
        r"'(real|Simulator|Problem|Bodies|Vectors)' (does not name a type|was not declared)|"
        r"unknown type name '(real|Simulator|Problem|Bodies|Vectors)'|expected class name|expected class-name|"
        r"identifier \"(real|Simulator|Problem|Bodies|Vectors)\" is undefined",
        "is it inside namespace nbody?",
    ),
    (r"expected declaration before '\}'|extraneous closing brace", "one brace too many above?"),
]

# Errors in double only: pattern in the error, pattern in the line, advice.
INTRINSIC = r"\b_mm\d*_\w+_[ps]s\b|\b__m(128|256|512)\b|\bv\w+q?_f32\b|\bfloat[234]\b"
FLOAT_LITERAL = r"\b(\d+\.?\d*|\.\d+)[fF]\b"
IN_DOUBLE = [
    (r"", INTRINSIC, "these intrinsics take only float; use xsimd::batch<real>, or --no-double"),
    (
        r"conflicting types|no instance of (overloaded )?function|no matching function",
        FLOAT_LITERAL,
        "write real({0}) for {1}",
    ),
    (r"", r"\bfloat\b", "write real for float"),
]

# The compiler does not know a flag.
REFUSED_FLAG = re.compile(
    r"^(?:[^ :]*: )?(?:fatal )?error: ((?:bad value|unrecognized|unrecognised|unknown (?:argument|target CPU)|"
    r"unsupported (?:argument|option)|invalid (?:argument|value)|argument to).*)",
    re.M,
)


def advice(message, header):
    if header.endswith("worksheet.hpp") and re.search(
        r"'[a-d]' was not declared in this scope|undeclared identifier '[a-d]'", message
    ):
        return " (a choice is written with quotes: 'a')"
    return next((f" ({words})" for pattern, words in ADVICE if re.search(pattern, message)), "")


def advice_in_double(error, line):
    """Advice to make the line compile for double, too."""
    said = "\n".join([error.text, *error.quoted, *error.below])
    for pattern, code, words in IN_DOUBLE:
        found = re.search(code, line)
        if found and re.search(pattern, said):
            literal = found[0]
            return "; " + words.format(re.sub(r"\.?[fF]$", "", literal), literal)
    return ""


def refused_flag(output, flags_file, root):
    """The refused flag and its place in flags.txt; None if no flag was refused."""
    found = REFUSED_FLAG.search(output)
    if not found or not flags_file.exists():
        return None
    text = found[1].split(" (did you mean")[0]
    name = plain(str(flags_file), root)
    for number, line in enumerate(
        flags_file.read_text(encoding="utf-8", errors="replace").splitlines(), 1
    ):
        for word in line.split("#")[0].split():
            if f"'{word}'" in text or f"'{re.sub('^-[^=]*=', '', word)}'" in text:
                return f"{name}:{number}: the compiler does not know the flag {word} ({text}): correct it"
    return f"{name}: the compiler does not know a flag ({text}): correct it"


# The header itself has no error, yet its program does not compile: pattern, whether the error must be in the file that CMake
# wrote, message.
WHOLE_HEADER = [
    (
        r"abstract class",
        False,
        "{header}: its class lacks a function that every simulator needs (common/simulator/contract.hpp)",
    ),
    (
        r"no matching (function for call to.*Problem|constructor for initialization)|no instance of constructor",
        False,
        "{header}: its class has no constructor that takes a Problem",
    ),
    (
        r"inaccessible base|private base class|(could not convert|no viable conversion|no suitable user-defined conversion).*unique_ptr",
        True,
        "{header}: its class cannot be used as a Simulator: derive it with public, as in class Mine : public Naive",
    ),
]
UNKNOWN_CLASS = r"'(?:nbody::)?(\w+)' was not declared in this scope|use of undeclared identifier '(\w+)'|identifier \"(\w+)\" is undefined"
PRIVATE_CONSTRUCTOR = (
    r"is private within this context|calling a (private|protected) constructor|\) is inaccessible"
)


def kernel_name(mangled):
    """`_ZN5nbody5tilesEPf` -> tiles"""
    name, rest = mangled, re.sub(r"^_ZN?", "", mangled)
    while length := re.match(r"(\d+)", rest):
        end = length.end() + int(length[1])
        name, rest = rest[length.end() : end], rest[end:]
    return name


def too_much_shared_memory(output):
    """ptxas's complaint in plain words, or None."""
    found = re.search(
        r"ptxas error *: Entry function '(\w+)' uses too much shared data \((0x\w+) bytes, (0x\w+) max\)",
        output,
    )
    if not found:
        return None
    return (
        f"kernel {kernel_name(found[1])} asks for {int(found[2], 16)} bytes of __shared__ memory, but a block has only "
        f"{int(found[3], 16)}: smaller tiles?"
    )


def line_that_asked(output, header, root):
    """The number of the header's line that instantiates a template; g++ names it before the error, clang and nvcc after
    it."""
    path = re.escape(f"{root}/{header}")
    found = re.search(
        rf"^{path}:(\d+):\d+: *(?:required from|note: in instantiation)|at line (\d+) of {path}",
        output,
        re.M,
    )
    return found and (found[1] or found[2])


def verdict_on_whole_header(output, header, root, build, wanted):
    """(errors to show, one line)"""
    errors = errors_in(output)
    text = (root / header).read_text(encoding="utf-8", errors="replace")
    generated = bool(errors) and errors[0].file.startswith(f"{build}/")
    # The first error may only say that a type is expected.
    unknown = (
        re.search(UNKNOWN_CLASS, "\n".join(error.text for error in errors)) if generated else None
    )
    if not text.strip():
        return (
            [],
            f"{header} is empty: write a class in it, or restore what last passed its check: ./lab undo {header.split('_')[0]} {Path(header).stem}",
        )
    name = next(filter(None, unknown.groups())) if unknown else ""
    if name and wanted in ("", name):
        if not re.search(rf"(class|struct) +{name}\b", text):
            return [], f"{header} has no class {name}"
        return [], f"{header}: its class {name} cannot be found: is it inside namespace nbody?"
    for pattern, in_generated, words in WHOLE_HEADER:
        if re.search(pattern, output) and (generated or not in_generated):
            return [], words.format(header=header)
    if generated and re.search(PRIVATE_CONSTRUCTOR, errors[0].text):
        return errors, f"{header} does not compile: {plain(errors[0].text, root)}"
    shared = too_much_shared_memory(output)
    if shared:
        return [], f"{header} does not compile: {shared}"
    asked = line_that_asked(output, header, root)
    before = output.split(": error: ")[0]
    if errors and (
        asked
        or re.search("required from|In instantiation", before)
        or "requested here" in output
        or "detected during" in output
    ):
        where = f"line {asked}: " if asked else ""
        return errors, f"{header} does not compile: {where}{plain(errors[0].text, root)}"
    # An error in another header of the part or solution: this header uses it wrongly, for example the counting number in
    # intrinsics. In common/ it usually means a missing brace in this header.
    other = (
        errors[0].file[len(f"{root}/") :]
        if errors and errors[0].file.startswith(f"{root}/")
        else ""
    )
    if re.match("part|solutions/", other) and other != header:
        return (
            errors,
            f"{header} does not compile: {other}:{errors[0].line}: {plain(errors[0].text, root)}",
        )
    return [], f"{header}: the error is past its end: a missing brace, or stray text?"


def verdict_on_header(output, header, root, build, name, precision):
    """(lines to show, one line). precision: "not float" if it compiles for float, "double" if only the program for double is
    known to fail, else empty."""
    output = re.sub("[\u2018\u2019]", "'", output)
    file = root / header
    flag = refused_flag(output, file.with_name("flags.txt"), root)
    if flag:
        return [], flag
    own = [error for error in errors_in(output) if error.file == str(file)]
    if not own:
        errors, verdict = verdict_on_whole_header(output, header, root, build, name)
        return shown(errors, root), verdict
    text = plain(own[0].text, root)
    if precision:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        line = lines[own[0].line - 1] if own[0].line <= len(lines) else ""
        where = f"{header}:{own[0].line}"
        what = (
            "compiles for float, not for double"
            if precision == "not float"
            else "does not compile for double"
        )
        return shown(
            own, root
        ), f"{where} {what}: {text}{advice_in_double(own[0], line) or advice(text, header)}"
    return shown(
        own, root
    ), f"{header} does not compile: line {own[0].line}: {text}{advice(text, header)}"
