"""What the compiler made of the innermost loops of an implementation, in plain words.

    vec_report.py PART NAME BUILD_FOLDER [--double]     with the flags that it has there
    vec_report.py --header HEADER COMPILER FLAG...      of its class Loop

g++ says most in its dump of the pass, clang++ in remarks; both name only the first obstacles that they meet. Unknown
messages are shown as the compiler wrote them.
"""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.manifest import Manifest, ManifestError
from nbody_lab.core.messages import UserError
from nbody_lab.core.ninja_commands import NoCommands, commands_of
from nbody_lab.explain.vec_loops import Header
from nbody_lab.explain.vec_words import Explainer, Said

COMMON = ROOT / "common"
REMARKS = [
    "-Rpass=loop-vectorize",
    "-Rpass-missed=loop-vectorize",
    "-Rpass-analysis=loop-vectorize",
]


class CannotReport(UserError):
    """What is wrong with the command, in one line."""


class DoesNotCompile(UserError):
    """The compiler's whole output."""


class Program:
    """A source to compile, its compiler and flags."""

    def __init__(self, compiler, flags, source, header):
        self.compiler, self.flags, self.source = compiler, flags, source
        self.header = Header(
            Path(header).name, Path(header).read_text(encoding="utf-8", errors="replace")
        )


def without_files(words):
    """The compiler's words without its input and output files."""
    kept, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in ("-o", "-c", "-MT", "-MF"):
            skip = True
        elif word != "-MD":
            kept.append(word)
    return kept


def without_warnings(flags):
    """The flags without warnings: a compiler does not know every warning of another, and -Werror makes that an error.
    -Wa, -Wl and -Wp with a comma stay: they are for assembler, linker and preprocessor."""
    return [flag for flag in flags if not re.match(r"-W(?![alp],)", flag)]


def command_of(part, name, build, precision):
    """The compile command, for the best instruction set that it is built for."""
    try:
        programs = Manifest(build / "manifest.json").row(part, name)["programs"]
    except ManifestError:
        programs = []
    for program in reversed(programs):
        if program["precision"] == precision:
            try:
                return commands_of(build, program["program"], name)[0]
            except NoCommands:
                continue
    raise CannotReport(f"{part}/{name} is not compiled from a header")


def program_of(part, name, build, option="", *_):
    """The program of an implementation; prints its flags."""
    if option not in ("", "--double"):
        raise CannotReport(f"vec-report has no option '{option}'; its only option is --double")
    precision = "double" if option else "float"
    words = command_of(part, name, Path(build), precision)
    source, flags = words[-1], without_files(words[1:])
    included = re.search(r'^#include "(/.*)"$', Path(source).read_text(encoding="utf-8"), re.M)
    if not included:
        raise CannotReport(f"{part}/{name} is not compiled from a header")
    shown = dict.fromkeys(flag for flag in flags if re.match(r"-[Ofm]", flag))
    print(" ".join([f"{part}/{name}, {precision},", *shown]), flush=True)
    return Program(words[0], flags, source, included[1])


def program_for(header, compiler, flags, folder):
    """A program for one header. The functions of its class Loop are virtual, so an object makes the compiler emit
    them."""
    header, source = Path(header).resolve(), folder / "one.cpp"
    source.write_text(f'#include "{header}"\nnbody::Loop loop;\n', encoding="utf-8")
    return Program(compiler, [*flags, f"-I{COMMON}"], source, header)


def run(words):
    """Runs a command with messages in English: (did it succeed, its output)."""
    done = subprocess.run(
        [str(word) for word in words],
        env={**os.environ, "LC_ALL": "C"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    return done.returncode == 0, done.stdout


def ask_gcc(compiler, program, folder):
    """The dump of g++'s vectorisation pass. Raises DoesNotCompile."""
    log = folder / "log"
    good, said = run(
        [
            compiler,
            *without_warnings(program.flags),
            "-c",
            program.source,
            "-o",
            folder / "one.o",
            f"-fdump-tree-vect-details={log}",
        ]
    )
    if not good:
        raise DoesNotCompile(said)
    return log.read_text(encoding="utf-8", errors="replace")


def ask_clang(compiler, program, folder):
    """The remarks of clang++. Raises DoesNotCompile."""
    good, said = run(
        [
            compiler,
            *without_warnings(program.flags),
            "-c",
            program.source,
            "-o",
            folder / "one.o",
            *REMARKS,
        ]
    )
    if not good:
        raise DoesNotCompile(said)
    return said


def lines_on(program, log, clang):
    """A section of the report: what one compiler made of every loop."""
    explainer = Explainer(
        program.header, program.flags, 8 if "-DLAB_REAL=double" in program.flags else 4
    )
    said = Said(log, program.header.name)
    lines = ["clang++" if clang else "g++"]
    for loop in program.header.loops:
        lines.append(f"  {program.header.name}:{loop.first} in {loop.function}()")
        lines += [f"    {line}" for line in explainer.explain(loop, said, clang)]
    return lines


def second_opinion(program, folder):
    """What clang++, if installed, would make of it; it may not know all flags of g++."""
    if not shutil.which("clang++"):
        return []
    try:
        return lines_on(program, ask_clang("clang++", program, folder), True)
    except DoesNotCompile as said:
        error = re.search(r".*error: (.*)", str(said))
        return [f"clang++ cannot compile it with these flags: {error[1] if error else ''}"]


def report(program, folder):
    """Prints the report."""
    if not program.header.loops:
        print(f"  {program.header.name} has no loop of its own: try the version it derives from")
        return
    clang = "clang" in run([program.compiler, "--version"])[1].lower()
    ask = ask_clang if clang else ask_gcc
    print("\n".join(lines_on(program, ask(program.compiler, program, folder), clang)), flush=True)
    if not clang:
        print("".join(f"{line}\n" for line in second_opinion(program, folder)), end="")


def explain(arguments):
    try:
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            if arguments[0] == "--header":
                program = program_for(arguments[1], arguments[2], arguments[3:], folder)
            else:
                program = program_of(*arguments)
            report(program, folder)
    except DoesNotCompile as said:
        print(said, end="")
        return 1
