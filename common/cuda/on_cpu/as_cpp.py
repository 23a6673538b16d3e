"""Translates a CUDA source into C++, so that its kernels run on the CPU.

    as_cpp.py SOURCE RESULT INCLUDE_FOLDER ...

It rewrites the three constructs that g++ cannot read: the launch  kernel<<<grid, block>>>(arguments)  and the two kinds
of arrays in shared memory. CUDA headers (.cuh) are inserted where they are included, with #line directives, so that
messages name the original file and line. If g++ still cannot read a header, a file of the same name in a folder on_cpu/
beside it replaces it. RESULT.d lists the files read.
"""

import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"(?P<name>[^"\n]+)"', re.M)
ONCE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+once[ \t]*$", re.M)
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
SHARED = re.compile(
    r"\b(?P<extern>extern\s+)?__shared__\s+(?P<align>(?:alignas\s*\([^)]*\)|__align__\s*\([^)]*\))\s*)?(?P<rest>[^;]*);"
)
OPENED, CLOSED = "([{", ")]}"
# Features that only a GPU has: (pattern, name in the message).
NEEDS_GPU = (
    (re.compile(r"\bcudaGraph\w*|\bcudaStream(?:Begin|End)Capture\b"), "CUDA graphs"),
    (re.compile(r"\bcudaLaunchCooperativeKernel\b|\bcooperative_groups\b"), "cooperative groups"),
    (
        re.compile(
            r"\bcudaLaunchKernelEx\w*|\b__cluster_dims__|\b(?:this_cluster|cluster_(?:group|barrier|arrive|wait|map|dim)\w*)\b"
        ),
        "thread block clusters",
    ),
    (re.compile(r"\bwmma::|\bmma\.sync\b"), "tensor cores"),
    (re.compile(r"\basm\b"), "the GPU's own instructions (asm)"),
)


class CannotRead(Exception):
    """The message: FILE:LINE: error: what is wrong."""


def without_words(text):
    """The code with comments and strings replaced by blanks of the same length."""
    return NO_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def closing(code, start):
    """The index just after the bracket that closes the one at `start`; -1 if there is none."""
    depth = 0
    for at in range(start, len(code)):
        depth += (code[at] in OPENED) - (code[at] in CLOSED)
        if depth == 0:
            return at + 1
    return -1


def opening(code, end):
    """The index of the bracket that `code[end - 1]` closes; -1 if there is none. `<` and `>` inside other brackets are
    comparisons."""
    angles = code[end - 1] == ">"
    depth = others = 0
    for at in range(end - 1, -1, -1):
        others += (code[at] in CLOSED) - (code[at] in OPENED)
        if angles:
            depth += (others == 0) * ((code[at] == ">") - (code[at] == "<"))
        if (depth if angles else others) == 0:
            return at
    return -1


def begin_of_kernel(code, end):
    """The start of the launched expression: name, a::name<T>, object.name, or an expression in brackets; -1 if unclear."""
    at = len(code[:end].rstrip())
    if at and code[at - 1] == ">":
        at = len(code[: opening(code, at)].rstrip())
    elif at and code[at - 1] == ")":
        return opening(code, at)
    found = re.search(
        r"[A-Za-z_][\w]*(?:\s*(?:::|\.|->)\s*(?:template\s+)?[A-Za-z_]\w*)*$", code[:at]
    )
    return found.start() if found else -1


def end_of_shape(code, start):
    """The index of the >>> that ends a launch's shape; -1 if there is none."""
    depth = 0
    for at in range(start, len(code)):
        depth += (code[at] in OPENED) - (code[at] in CLOSED)
        if depth == 0 and code.startswith(">>>", at):
            return at
    return -1


def with_launches(text, complain):
    """Turns each kernel<<<shape>>>(arguments) into a call of launch()."""
    while True:
        code = without_words(text)
        at = code.find("<<<")
        if at < 0:
            return text
        start, end = begin_of_kernel(code, at), end_of_shape(code, at + 3)
        arguments = len(code) - len(code[end + 3 :].lstrip()) if end > 0 else -1
        last = (
            closing(code, arguments) if 0 < arguments < len(code) and code[arguments] == "(" else -1
        )
        if start < 0 or last < 0:
            complain(at, "this launch cannot be read: kernel<<<blocks, threads>>>(arguments)")
        kernel, shape, given = text[start:at], text[at + 3 : end], text[arguments + 1 : last - 1]
        name = " ".join(kernel.split()).replace("\\", "").replace('"', "")
        comma = ", " if given.strip() else ""
        text = (
            f'{text[:start]}::nbody::on_cpu::launch([&](auto... on_cpu_given) {{ {kernel}(on_cpu_given...); }}, "{name}", '
            f"::nbody::on_cpu::shape({shape}){comma}{given}){text[last:]}"
        )


def names_declared(code):
    """The names in a declaration: `T a[2][n], b` gives a, b."""
    names, depth, begin = [], 0, 0
    for at, letter in enumerate(code + ","):
        depth += (letter in OPENED or letter == "<") - (letter in CLOSED or letter == ">")
        if letter == "," and depth == 0:
            found = re.search(r"([A-Za-z_]\w*)\s*(?:\[.*)?$", code[begin:at].strip(), re.S)
            names += [found[1]] if found else []
            begin = at + 1
    return names


def with_shared(text, complain):
    """Shared arrays become references to memory that all threads of a block get (launch.hpp), by a name for their type."""
    result, done = "", 0
    for match in SHARED.finditer(without_words(text)):
        rest = text[match.start("rest") : match.end("rest")]
        names = names_declared(rest)
        if not names:
            complain(
                match.start(),
                "this array in shared memory cannot be read: __shared__ type name[size];",
            )
        if match["extern"]:
            kind = re.sub(rf"\b{names[0]}\s*\[\s*\]\s*$", "", rest).rstrip()
            new = f"{kind}* const {names[0]} = static_cast<{kind}*>(::nbody::on_cpu::shared_of_launch());"
        else:
            name = re.compile(rf"\b({'|'.join(names)})(?=\s*(?:\[|,|$))")
            new = "typedef " + name.sub(r"on_cpu_\1", rest) + ";"
            for one in names:
                new += f" auto& {one} = ::nbody::on_cpu::shared<on_cpu_{one}>([] {{}});"
        lines = text[match.start() : match.end()].count("\n") - new.count("\n")
        result += text[done : match.start()] + new + "\n" * lines
        done = match.end()
    return result + text[done:]


class Source:
    """One translation unit with all its CUDA headers."""

    def __init__(self, folders):
        self.folders = [Path(folder) for folder in folders]
        self.seen = []

    def find(self, name, folder):
        """The header's path, or its replacement in on_cpu/; None if not found."""
        places = (place / name for place in (folder, *self.folders))
        return next(
            (
                path
                for place in places
                for path in (place.parent / "on_cpu" / place.name, place)
                if path.is_file()
            ),
            None,
        )

    def read(self, file):
        """The file as C++; empty if it was read before."""
        file = Path(file).resolve()
        if file in self.seen:
            return ""
        self.seen.append(file)
        text = file.read_text(encoding="utf-8")

        def complain(at, what):
            raise CannotRead(f"{file}:{text.count(chr(10), 0, at) + 1}: error: {what}")

        self.demand_no_gpu(file, text, complain)
        text = ONCE.sub("", with_shared(with_launches(text, complain), complain))
        return f'#line 1 "{file}"\n' + INCLUDE.sub(
            lambda match: self.included(match, text, file), text
        )

    def included(self, match, text, file):
        found = self.find(match["name"], file.parent)
        if found is None:
            return match[0]
        if found.suffix not in (".cuh", ".cu"):
            return f'#include "{found.resolve()}"'
        next_line = text.count("\n", 0, match.end()) + 2
        return f'{self.read(found)}\n#line {next_line} "{file}"'

    def demand_no_gpu(self, file, text, complain):
        """Refuses features that only a GPU has; searches strings too, since inline asm stands there."""
        code = re.sub(
            r"//[^\n]*|/\*.*?\*/", lambda match: re.sub(r"[^\n]", " ", match[0]), text, flags=re.S
        )
        for pattern, what in NEEDS_GPU:
            found = pattern.search(code)
            if found:
                complain(
                    found.start(),
                    f"{file.name} uses {what}, which only a GPU has: no --on-cpu for it, unless a file "
                    f"on_cpu/{file.name} beside it does the same in C++",
                )


def escaped(path):
    """The path with spaces escaped for a depfile."""
    return str(path).replace(" ", "\\ ")


def main(arguments):
    source, result, *folders = arguments
    unit = Source(folders)
    try:
        text = unit.read(source)
    except CannotRead as error:
        print(error, file=sys.stderr)
        return 1
    Path(result).write_text(text, encoding="utf-8")
    Path(result + ".d").write_text(
        f"{escaped(result)}: {' '.join(map(escaped, unit.seen))}\n", encoding="utf-8"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
