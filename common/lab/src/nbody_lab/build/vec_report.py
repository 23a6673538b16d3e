"""What the compiler made of the innermost loops of an implementation, in plain words: ./lab profile --vectors.

g++ says most in its dump of the pass, clang++ in remarks; both name only the first obstacles that they meet. Unknown
messages are shown as the compiler wrote them.
"""

import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nbody_lab.build.manifest import Implementation
from nbody_lab.build.ninja_commands import NoCommands, commands_of
from nbody_lab.build.vec_loops import Header, read_header
from nbody_lab.build.vec_words import CompilerLog, explain_loop
from nbody_lab.core.errors import LabError
from nbody_lab.core.run import capture

_REMARKS = [f"-Rpass{kind}=loop-vectorize" for kind in ("", "-missed", "-analysis")]


class DoesNotCompile(LabError):
    """The compiler's whole output."""


@dataclass(frozen=True)
class Compilation:
    """How the program of a header is compiled."""

    compiler: str
    flags: list[str]
    source: Path
    header: Header

    def list_code_flags(self) -> list[str]:
        """The flags that decide what the compiler makes of a loop."""
        return list(dict.fromkeys(flag for flag in self.flags if re.match(r"-[Ofm]", flag)))


def select_flags(words: Iterable[str]) -> list[str]:
    """The flags of a compile command: without input and output files, and without warnings: a compiler does not know every
    warning of another, and -Werror makes that an error. -Wa, -Wl and -Wp with a comma stay: they are for assembler, linker
    and preprocessor."""
    flags: list[str] = []
    words = iter(words)
    for word in words:
        if word in ("-o", "-c", "-MT", "-MF"):
            next(words)
        elif word != "-MD" and not re.match(r"-W(?![alp],)", word):
            flags.append(word)
    return flags


def find_compilation(implementation: Implementation, build: Path, precision: str) -> Compilation:
    """That for the best instruction set. Raises LabError."""
    for program in reversed(implementation.programs):
        if program.precision != precision:
            continue
        try:
            compiler, *words = commands_of(build, program.program, implementation.name)[0]
        except NoCommands:
            continue
        source = Path(words[-1])
        text = source.read_text(encoding="utf-8")
        if included := re.search(r'^#include "(/.*)"$', text, re.M):
            return Compilation(
                compiler, select_flags(words), source, read_header(Path(included[1]))
            )
    raise LabError(
        f"{implementation.part}/{implementation.name} is not compiled from a header in {precision}"
    )


def _run_compiler(*words: object) -> str:
    """Its output, in English. Raises DoesNotCompile."""
    done = capture(*words)
    output = done.stdout + done.stderr
    if done.returncode != 0:
        raise DoesNotCompile(output)
    return output


def _ask(compiler: str, compilation: Compilation, folder: Path, clang: bool) -> str:
    """What the compiler tells of its vectoriser: remarks of clang++, the dump of g++. Raises DoesNotCompile."""
    dump = folder / "dump"
    questions = _REMARKS if clang else [f"-fdump-tree-vect-details={dump}"]
    words = [compiler, *compilation.flags, *questions, "-c", compilation.source, "-o"]
    output = _run_compiler(*words, folder / "one.o")
    return output if clang else dump.read_text(encoding="utf-8", errors="replace")


def explain_log(compilation: Compilation, log: str, clang: bool) -> list[str]:
    """A section of the report: what one compiler made of every loop."""
    header = compilation.header
    searched = CompilerLog(log, header.name)
    lines = ["clang++" if clang else "g++"]
    for loop in header.loops:
        lines.append(f"  {header.name}:{loop.first} in {loop.function}()")
        explained = explain_loop(loop, header, compilation.flags, searched, clang)
        lines += [f"    {line}" for line in explained]
    return lines


def report_loops(compilation: Compilation, folder: Path) -> list[str]:
    """What the compiler made of every loop, then what clang++, if installed, would; it may not know all flags of g++.
    Raises DoesNotCompile."""
    if not compilation.header.loops:
        name = compilation.header.name
        return [f"  {name} has no loop of its own: try the version it derives from"]
    compiler = compilation.compiler
    clang = "clang" in _run_compiler(compiler, "--version").lower()
    lines = explain_log(compilation, _ask(compiler, compilation, folder, clang), clang)
    if clang or not shutil.which("clang++"):
        return lines
    try:
        log = _ask("clang++", compilation, folder, True)
    except DoesNotCompile as failed:
        error = re.search(r".*error: (.*)", str(failed))
        reason = error[1] if error else ""
        return [*lines, f"clang++ cannot compile it with these flags: {reason}"]
    return [*lines, *explain_log(compilation, log, True)]
