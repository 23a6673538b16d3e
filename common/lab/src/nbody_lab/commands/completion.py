"""./lab completion: the shell completes commands, parts, names and options."""

from enum import Enum
from typing import Annotated

import typer
from typer.completion import get_completion_script


class Shell(str, Enum):
    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def completion(
    shell: Annotated[Shell, typer.Argument(metavar="SHELL", help="bash, zsh or fish")] = Shell.BASH,
) -> None:
    """how your shell completes ./lab's words

    Put this line into your ~/.bashrc, or for zsh, with "zsh" after it, into ~/.zshrc.

    eval "$(./lab completion)"
    """
    print(get_completion_script(prog_name="lab", complete_var="_LAB_COMPLETE", shell=shell.value))
