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
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\B\'(?:\\.|[^\'\\\n])*\'', re.S)
SHARED = re.compile(
    r"\b(?P<extern>extern\s+)?__shared__\s+(?P<align>(?:alignas\s*\([^)]*\)|__align__\s*\([^)]*\))\s*)?(?P<rest>[^;]*);"
)
# The launched expression before <<<: name, a::name<T>, object.name, or an expression in brackets.
KERNEL = re.compile(
    r"(?:[A-Za-z_]\w*(?:\s*(?:::|\.|->)\s*(?:template\s+)?[A-Za-z_]\w*)*\s*(?:<(?:[^;{}()]|\([^()]*\))*>\s*)?|\([^;{}()]*\)\s*)$"
)
NAME_DECLARED = re.compile(r"([A-Za-z_]\w*)(?=\s*(?:,|$))")
NEEDS_GPU = re.compile(
    r"\bcudaGraph\w*|\bcudaStreamBeginCapture\b|\bcooperative_groups\b|\bcudaLaunch\w+|\b__cluster_dims__\b|\basm\b"
)


class CannotRead(Exception):
    """The message: FILE:LINE: error: what is wrong."""


def without_words(text):
    """The code with comments and strings replaced by blanks of the same length."""
    return NO_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def closing(code, start):
    """The index of the bracket that closes the one at `start`; -1 if there is none."""
    depth = 0
    for at in range(start, len(code)):
        depth += (code[at] == "(") - (code[at] == ")")
        if depth == 0:
            return at
    return -1


def with_launches(text, complain):
    """Turns each kernel<<<shape>>>(arguments) into a call of launch()."""
    while True:
        code = without_words(text)
        at = code.find("<<<")
        if at < 0:
            return text
        begin = max(code.rfind(letter, 0, at) for letter in ";{}") + 1
        found = KERNEL.search(code[begin:at])
        end = re.compile(r">>>\s*(?=\()").search(code, at)
        last = closing(code, end.end()) if end else -1
        if not found or last < 0:
            complain(text, at, "this launch cannot be read: kernel<<<blocks, threads>>>(arguments)")
        kernel, shape = text[begin + found.start() : at], text[at + 3 : end.start()]
        gap, given = text[end.start() + 3 : end.end()], text[end.end() + 1 : last]
        name = " ".join(kernel.split()).replace("\\", "").replace('"', "")
        comma = ", " if given.strip() else ""
        text = (
            f"{text[: begin + found.start()]}::nbody::on_cpu::launch([&](auto... on_cpu_given) "
            f'{{ {kernel}(on_cpu_given...); }}, "{name}", '
            f"::nbody::on_cpu::shape({shape}){gap}{comma}{given}){text[last + 1 :]}"
        )


def with_shared(text, complain):
    """Shared arrays become references to memory that all threads of a block get (launch.hpp), by a name for their type."""
    result, done = "", 0
    for match in SHARED.finditer(without_words(text)):
        rest = text[match.start("rest") : match.end("rest")]
        names = NAME_DECLARED.findall(re.sub(r"\[[^\]]*\]|<[^<>]*>", "", rest))
        if not names:
            complain(
                text,
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
        for place in (folder / name, *(folder / name for folder in self.folders)):
            for path in (place.parent / "on_cpu" / place.name, place):
                if path.is_file():
                    return path.resolve()
        return None

    def read(self, file):
        """The file as C++; empty if it was read before."""
        file = Path(file).resolve()
        if file in self.seen:
            return ""
        self.seen.append(file)
        text = file.read_text(encoding="utf-8")

        def complain(text, at, what):
            raise CannotRead(f"{file}:{text.count(chr(10), 0, at) + 1}: error: {what}")

        found = NEEDS_GPU.search(without_words(text))
        if found:
            complain(text, found.start(), f"{found[0]} needs a GPU: not with --on-cpu")
        text = ONCE.sub("", with_shared(with_launches(text, complain), complain))
        return f'#line 1 "{file}"\n' + INCLUDE.sub(
            lambda match: self.included(match, text, file), text
        )

    def included(self, match, text, file):
        found = self.find(match["name"], file.parent)
        if found is None:
            return match[0]
        if found.suffix not in (".cuh", ".cu"):
            return f'#include "{found}"'
        next_line = text.count("\n", 0, match.end()) + 2
        return f'{self.read(found)}\n#line {next_line} "{file}"'


def main(source, result, *folders):
    unit = Source(folders)
    try:
        text = unit.read(source)
    except CannotRead as error:
        print(error, file=sys.stderr)
        return 1
    Path(result).write_text(text, encoding="utf-8")
    files = " ".join(str(path).replace(" ", "\\ ") for path in (result + ":", *unit.seen))
    Path(result + ".d").write_text(files + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
