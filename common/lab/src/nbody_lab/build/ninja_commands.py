"""The commands by which Ninja builds a program."""

import shlex
from pathlib import Path

from nbody_lab.core.errors import LabError
from nbody_lab.core.run import capture


class NoCommands(LabError):
    """Explains in one line why there are none."""


def commands_of(
    build: Path, program: str, name: str, suffix: str = ".cpp"
) -> tuple[list[str], list[str]]:
    """(compile, link): ninja's commands for the program of one implementation."""
    done = capture("ninja", "-C", build, "-t", "commands", program)
    commands = [shlex.split(line) for line in done.stdout.splitlines()]
    linking = commands[-1] if commands else []
    compiling = [
        words
        for words in commands
        if "-c" in words and Path(words[words.index("-c") + 1]).name == name + suffix
    ]
    if done.returncode != 0 or not compiling:
        raise NoCommands(f"ninja knows no command for {program}: build it first")
    own = compiling[0][compiling[0].index("-o") + 1]
    return compiling[0], [word for word in linking if word != own]
