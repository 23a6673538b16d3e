"""The one command of the lab: a thin layer over CMake presets and the programs they build.

By hand: cmake --preset release; cmake --build --preset release; build/release/bin/...
"""

import importlib
import inspect
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError, ended

if TYPE_CHECKING:
    import typer


class Command(NamedTuple):
    """A row of ./lab help, from commands.json. The first line of the function's docstring is the summary; a test compares
    the two."""

    group: str
    function: str  # MODULE:FUNCTION in nbody_lab, imported only when the command is called
    summary: str
    example: str = ""  # for error messages


# In the order of the help.
COMMANDS = {
    name: Command(group, *row)
    for group, rows in json.loads(Path(__file__).with_name("commands.json").read_bytes()).items()
    for name, row in rows.items()
}


BEGIN = """A lab for learning to make a program fast: gravity between all pairs of bodies.

  ./lab demo               begin here: install what is missing, build, see the lab at work
  ./lab run part1 naive    the slow program that you will make fast
  ./lab next               where you are, and what the next task asks for
  ./lab help               every command

Then read part1_standard_opti/README.md and write your own version in mine.hpp beside it."""

DAILY = """A lab for learning to make a program fast: gravity between all pairs of bodies.

  ./lab next               where you are, and what the next task asks for

While you work on a part:
  ./lab check part1 mine   is it right?
  ./lab check part1 mine --watch
                           the same at each save, beside your editor
  ./lab try part1 mine "sums in locals" --expect 1.5
                           predict, check, measure: a row in your notebook
  ./lab bench part1        how fast is it?
  ./lab worksheet part1    are your numbers right?
  ./lab hint part1 2       the next hint for a task
  ./lab submit             pack what you hand in

  ./lab help               every command;  ./lab COMMAND -h explains one"""


def help_text() -> str:
    """Every command in one line, in groups."""
    lines, group = ["usage: ./lab COMMAND"], ""
    for name, command in COMMANDS.items():
        if command.group != group:
            group = command.group
            lines += ["", f"{group}:"]
        lines.append(f"  {name:<12}{command.summary}")
    return "\n".join([*lines, "", "./lab COMMAND -h explains one, for example: ./lab check -h"])


def find_function(command: Command) -> Callable[..., Any]:
    module, _, function = command.function.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(f"nbody_lab.{module}"), function)
    return found


def build_app(name: str) -> "typer.Typer":
    """A typer application of this command alone: no other is imported."""
    import typer

    from nbody_lab.core.command_line import LabCommand

    app = typer.Typer(add_completion=False, callback=lambda: None, rich_markup_mode=None)
    settings = {"help_option_names": ["-h", "--help"]}
    function = find_function(COMMANDS[name])
    # Examples, which are commands, keep their lines.
    words = (inspect.getdoc(function) or "").replace("\n\n./lab", "\n\n\b\n./lab")
    app.command(name, cls=LabCommand, context_settings=settings, help=words)(function)
    return app


def run(words: list[str]) -> Any:
    first = words[0] if words else ""
    if not words or first in ("help", "-h", "--help"):
        from nbody_lab.core.console import show

    if not words:
        show(DAILY if (ROOT / "build/release/build.ninja").exists() else BEGIN)
        return 0
    if first in ("help", "-h", "--help"):
        if len(words) == 1:
            show(help_text())
            return 0
        words = [words[1], "-h"]
    name = words[0]
    if name not in COMMANDS:
        from nbody_lab.core.words import nearest

        near = nearest(name, COMMANDS) or "; ./lab help lists them"
        raise LabError(f"unknown command '{name}'{near}")
    import typer

    from nbody_lab.core.command_line import explain

    try:
        return build_app(name)(words, prog_name="./lab", standalone_mode=False)
    except typer.TyperException as error:
        raise LabError(explain(error, name, COMMANDS[name].example)) from error


def main(words: list[str]) -> int:
    return ended(run, words)


def run_lab() -> None:
    """For `lab`, where the package is installed."""
    sys.exit(main(sys.argv[1:]))
