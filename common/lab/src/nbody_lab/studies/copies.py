"""What share of an iteration do copies and allocations take, for few bodies and for many?

Profiles one program at each size and adds up the rows by kind.
"""

import datetime
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from nbody_lab.core.running import output_of
from nbody_lab.core.steps import progress
from nbody_lab.draw import pictures
from nbody_lab.draw.pictures import Request, What
from nbody_lab.profiles import gpu

SIZES = (256, 1024, 4096, 16384, 65536, 262144)
_COLUMNS = (("N", 8), ("copies", 8), ("kernels", 8), ("allocations", 12), ("host, launches", 16))


class Shares(NamedTuple):
    """Percent of the wall clock."""

    copies: float
    kernels: float
    allocations: float
    rest: float


def _kind(what: str) -> str:
    """Which of the shares a row of a profile belongs to."""
    first = what.split()[0]
    kinds = {"copy": "copies", "the": "rest"}
    return kinds.get(first, "allocations" if first.startswith("cuda") else "kernels")


def shares_of(rows: Sequence[tuple[str, float]]) -> Shares:
    """Adds up the rows of a profile: (what, percent of the wall clock)."""
    sums = dict.fromkeys(Shares._fields, 0.0)
    for what, share in rows:
        sums[_kind(what)] += share
    return Shares(**sums)


def rows_in(profile: str) -> list[tuple[str, float]]:
    """(what, percent of the wall clock) of each row that a program prints with --profile."""
    found = re.findall(r"^ *(\S.*?)  .*?([0-9.]+) %", profile, re.M)
    return [(what, float(share)) for what, share in found if what != "wall clock"]


def _profile(part: str, name: str, build: Path, bodies: int) -> list[tuple[str, float]]:
    program = gpu.GpuProgram(part, name, Path(build), bodies)
    return rows_in(output_of(f"{part}/{name}", *gpu.make_profiling_command(program)))


def measure(part: str, name: str, build: Path) -> dict[int, Shares]:
    """The shares at each size."""
    found = {}
    with progress(f"profiling {part}/{name}") as step:
        for number, bodies in enumerate(SIZES):
            step.hear(f"[{number}/{len(SIZES)}]")
            found[bodies] = shares_of(_profile(part, name, build, bodies))
    return found


def text_of(part: str, name: str, device: str, found: dict[int, Shares]) -> str:
    """The text of the study, which is printed, kept and drawn."""
    head = f"{part}/{name}, adaptive step, % of the wall clock; {device}; {datetime.date.today()}"
    titles = [title for title, _ in _COLUMNS]
    cells = [[str(n), *(f"{share:.2f}" for share in shares)] for n, shares in found.items()]
    lines = [
        "".join(f"  {cell:>{width}}" for cell, (_, width) in zip(row, _COLUMNS))
        for row in [titles, *cells]
    ]
    return "\n".join([head, *lines]) + "\n"


def study(part: str, name: str, build: Path, device: str, plot: Path | None) -> None:
    """Prints the table; keeps and draws it in the folder `plot`."""
    text = text_of(part, name, device, measure(part, name, build))
    print(text, end="", flush=True)
    if not plot:
        return
    file = pictures.free_file(plot, "copies", "txt")
    file.write_text(text, encoding="utf-8")
    if pictures.can_draw():
        pictures.draw(What.COPIES, Request(str(file), plot))
    else:
        print(f"\nno picture: {pictures.BRING}; then: ./lab plot copies {file} {plot}")
