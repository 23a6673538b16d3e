"""The arguments that many commands take: their types and their help.

def profile(part: PartName, name: Name = "naive", bodies: Bodies = None) -> None:
"""

from pathlib import Path
from typing import Annotated, Any

import typer

from nbody_lab.building.lab import parse_part
from nbody_lab.core.whole_file import why_not_writable
from nbody_lab.core.words import nearest, plain_name

SCENES = ("random", "galaxy", "collision", "plummer", "two-body", "lagrange", "figure-eight", "six")


def option(words: str, metavar: str | None, help_text: str, **more: Any) -> Any:
    """An option whose help says its default in its own words, or that has none."""
    return typer.Option(*words.split(), metavar=metavar, help=help_text, show_default=False, **more)


def flag(words: str, help_text: str) -> Any:
    return typer.Option(*words.split(), help=help_text)


def parse_result_file(text: str) -> Path:
    if why := why_not_writable(text):
        raise typer.BadParameter(f"{text} cannot be written: {why}")
    return Path(text)


_PART = typer.Argument(metavar="PART", help="part1, part2, ...", parser=parse_part)
_NAME = typer.Argument(
    metavar="NAME",
    help="implementations: naive, mine, ... (./lab list)",
    parser=plain_name,
)
PartName = Annotated[str, _PART]
OptionalPart = Annotated[str | None, _PART]
Name = Annotated[str, _NAME]  # `name: Name = "naive"` where it may be left out
OptionalName = Annotated[str | None, _NAME]
Names = Annotated[list[str] | None, _NAME]
Bodies = Annotated[int | None, option("-n", "N", "bodies", min=2, max=1 << 20)]
Ranks = Annotated[
    int | None, option("--ranks", "P", "part 4: number of processes", min=1, max=65536)
]
InDouble = Annotated[bool, flag("--double", "in double precision")]
_JSON = option("--json", "FILE", "write the rows to this file", parser=parse_result_file)
JsonFile = Annotated[Path | None, _JSON]
OnCpu = Annotated[bool, flag("--on-cpu", "part 3: run the kernels on the CPU; no GPU needed")]


def numbers(name: str, metavar: str, most: int, help_text: str) -> Any:
    """An option with one number or several: 1,2,4."""

    def read(text: str) -> list[int]:
        words = text.split(",")
        if not all(word.isascii() and word.isdigit() and 1 <= int(word) <= most for word in words):
            raise typer.BadParameter(
                f"needs numbers from 1 to {most}, for example 1,2,4; not '{text}'"
            )
        found = list(map(int, words))
        if len(set(found)) < len(found):
            raise typer.BadParameter(f"has a number twice: {text}")
        return found

    return option(name, metavar, help_text, parser=read)


def parse_scene(text: str) -> str:
    if text not in SCENES:
        near = nearest(text, SCENES) or f"; there are {', '.join(SCENES)}"
        raise typer.BadParameter(f"does not know '{text}'{near}")
    return text
