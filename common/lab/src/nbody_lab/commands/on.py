"""./lab on: a command of the lab on another machine."""

import shlex
import shutil
from pathlib import Path
from typing import Annotated

import typer

from nbody_lab import ROOT
from nbody_lab.arguments import option
from nbody_lab.core.clean_text import file_name
from nbody_lab.core.console import show
from nbody_lab.core.messages import UserError, say
from nbody_lab.core.words import plural
from nbody_lab.programs.elsewhere import Elsewhere

_SLURM = "slurm:"


def _slurm_words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UserError(f"on: --slurm needs words for srun: {error}") from error


def on(
    host: Annotated[
        str,
        typer.Argument(
            metavar="HOST", help="as for ssh; or slurm:PARTITION: by srun from this machine"
        ),
    ],
    command: Annotated[
        list[str], typer.Argument(metavar="COMMAND", help="a command of ./lab with its words")
    ],
    slurm: Annotated[
        str | None,
        option("--slurm", "WORDS", 'run it by srun with these words: "-p gpu --gres gpu:1"'),
    ] = None,
    folder: Annotated[
        str | None,
        option("--folder", "FOLDER", "the lab's place there (default ~/nbody_lab_on/ and a name)"),
    ] = None,
) -> int:
    """run a command on another machine, and bring the result back

    Copies the lab there, the second time only what changed, and calls ./lab COMMAND in the copy.
    What the command wrote comes back into build/on/HOST. Options of on itself stand before HOST.
    Your key must be known there: no password is typed.

    ./lab on cluster bench part1 mine --json speeds.json
    ./lab on --slurm "-p gpu --gres gpu:1" cluster check part3 mine
    """
    words = None if slurm is None else _slurm_words(slurm)
    by_slurm = host.startswith(_SLURM)
    if by_slurm:
        words = ["-p", host.removeprefix(_SLURM), *(words or [])]
    tool = "srun" if by_slurm else "ssh"
    if not shutil.which(tool):
        raise UserError(f"on needs {tool}, which is not installed here")
    # Nodes of two partitions need not have the same processor: each has its own build.
    name = "_".join([ROOT.name, *([file_name(" ".join(words))] if words else [])])
    there = Elsewhere("" if by_slurm else host, words)
    sent = there.send(ROOT, folder or f"~/nbody_lab_on/{name}")
    say(f"{there.name}: {there.folder}: {plural(sent, 'file')} sent")
    status = there.run(command)
    place = ROOT / "build/on" / file_name(host)
    for file in there.bring_back(place):
        inside = Path.cwd() in file.parents
        show(f"brought back: {file.relative_to(Path.cwd()) if inside else file}")
    return status


vars(on)["context_settings"] = {"allow_interspersed_args": False}
