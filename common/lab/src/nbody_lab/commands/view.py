"""./lab view and record; and the window that ./lab run opens if there is a display."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from nbody_lab.arguments import Names, PartName
from nbody_lab.core.command_line import passes_on
from nbody_lab.core.messages import Failure, UserError, say
from nbody_lab.core.running import run_program
from nbody_lab.core.simulation_options import (
    FILM_OPTIONS,
    OPTIONS_OF_SOME,
    PICTURE_OPTIONS,
    SIMULATION_OPTIONS,
    Given,
)
from nbody_lab.export import command as export
from nbody_lab.workshop import Workshop

_PROGRAM = "bin/view"
_INSTALL = "./lab setup --view installs what it needs"
_SIMULATION = {**SIMULATION_OPTIONS, **OPTIONS_OF_SOME}
_VIEW = {**_SIMULATION, **PICTURE_OPTIONS}
_RECORD = {**_VIEW, **FILM_OPTIONS}
# Options that write or time something, or run no simulation: with one of these, run opens no window.
_NO_WINDOW = ("--nv", "-w", "--json", "--log", "--profile", "--serve", "--version", "--every")
_BYTES_OF_BODY = 50  # in a state of either format, at least


def _is_configured(lab: Workshop) -> bool:
    """Whether CMake has found what the view needs."""
    query = ["ninja", "-C", str(lab.build), "-t", "query", _PROGRAM]
    return subprocess.run(query, capture_output=True, check=False).returncode == 0


def _has_display() -> bool:
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _require_view(lab: Workshop) -> None:
    if not _is_configured(lab):
        lab.step("looking for GLFW, EGL and fonts", "cmake", "--preset", lab.preset)
    if not _is_configured(lab):
        raise UserError(f"nothing here can draw: {_INSTALL}")


def _targets(lab: Workshop, name: str, given: Given) -> list[str]:
    in_double = lab.targets(name, "double") if given.in_double() else []
    return [lab.program(name), *in_double]


def _require_one_or_two(command: str, part: str, names: list[str]) -> None:
    if len(names) not in (1, 2):
        raise UserError(
            f"{command} takes one name, or two side by side, for example: "
            f"./lab {command} {part} naive --scene galaxy -n 2000"
        )


def _draw(part: str, names: list[str], given: Given) -> None:
    """Builds everything, and becomes the program that draws."""
    lab = Workshop(part)
    lab.begin()
    for name in names:
        lab.demand_name(name)
    _require_view(lab)
    targets = [target for name in names for target in _targets(lab, name, given)]
    lab.demand_targets(f"{part}/{' '.join(names)} and the view", _PROGRAM, *targets)
    lab.unlock()
    run_program([lab.build / _PROGRAM, part, *names, "--manifest", lab.manifest, *given.argv])


HiddenFilm = Annotated[Path | None, typer.Option("-o", hidden=True)]


@passes_on(_VIEW)
def view(
    context: typer.Context, part: PartName, names: Names = None, film: HiddenFilm = None
) -> None:
    """watch a simulation in a window, or two side by side

    With -i the window stops there, and stays until Esc.

    ./lab view part1 naive --scene galaxy -n 2000
    """
    given: Given = context.obj
    if film:
        words = " ".join([part, *(names or []), "-o", str(film), *given.argv])
        raise UserError(f"view opens a window; to make a film: ./lab record {words}")
    _require_one_or_two("view", part, names or [])
    if not _has_display() and not given.has("--benchmark"):
        raise UserError("no display here for a window; ./lab record makes a film without one")
    _draw(part, names or [], given)


SaveFile = Annotated[
    Path | None,
    typer.Option(
        "--save",
        metavar="FILE",
        help="no film: save the states, FILE.xyz for OVITO, FILE.pvd for ParaView",
    ),
]


@passes_on(_RECORD)
def record(
    context: typer.Context, part: PartName, names: Names = None, save: SaveFile = None
) -> None:
    """make a film of a simulation, or save its states

    ./lab record part1 naive -o galaxy.mp4 --scene galaxy -n 2000
    ./lab record part1 naive --save galaxy.xyz --scene galaxy -n 2000 -i 500
    """
    given: Given = context.obj
    if save:
        _save_states(part, names or [], save, given)
        return
    if not given.has("-o"):
        raise UserError(
            "record needs a file to write, for example: ./lab record part1 naive -o galaxy.mp4 "
            "--scene galaxy -n 2000; or for states: --save FILE.xyz"
        )
    _require_one_or_two("record", part, names or [])
    _draw(part, names or [], given)


def _require_room(file: Path, given: Given) -> None:
    """Complains before a run of hours if the disk is too small for the bodies and states that the options request."""
    states = (given.whole("-i") or 0) // (given.whole("--every") or 1) + 1
    needed = (given.whole("-n") or 0) * states * _BYTES_OF_BODY
    free = shutil.disk_usage(file.parent).free
    if needed > free:
        raise UserError(
            f"{file}: {states} states need at least {export.in_words(needed)}, but only "
            f"{export.in_words(free)} are free: choose another place, or write fewer states with --every K"
        )


def _save_states(part: str, names: list[str], file: Path, given: Given) -> None:
    """Runs one implementation and exports its states. The body files go into a scratch folder, which is kept if the
    export fails."""
    if file.suffix not in export.WRITERS:
        raise UserError(f"--save writes FILE.xyz (OVITO) or FILE.pvd (ParaView), not '{file}'")
    export.demand_folder(file)
    if given.has("-o", "-w"):
        raise UserError("record --save writes only states: leave out -o and -w")
    if len(names) != 1:
        raise UserError(
            f"record --save takes one name, for example: ./lab record {part} naive --save {file} "
            "--scene collision -n 2000 -i 500"
        )
    _require_room(file, given)
    lab = Workshop(part)
    lab.begin()
    lab.demand_name(names[0])
    lab.demand_targets(f"{part}/{names[0]}", *_targets(lab, names[0], given))
    lab.unlock()
    folder, keeps = tempfile.mkdtemp(prefix="states_", dir=lab.build), False
    base = f"{folder}/state"
    program = lab.build / lab.program(names[0])
    try:
        status = run_program([program, *given.argv, "--nv", "-w", base], become=False)
        if status:
            raise Failure(status)
        try:
            export.export(base, file)
        except (Failure, UserError):
            keeps = True
            say(f"the states are kept: ./lab export {base} FILE{file.suffix} writes them elsewhere")
            raise
    finally:
        if not keeps:
            shutil.rmtree(folder, ignore_errors=True)


def is_interactive() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def show_before_run(lab: Workshop, name: str, given: Given) -> None:
    """Opens a window first if the run is interactive and writes nothing; the run itself does not change. The lock is
    released before the window opens, so that builds need not wait for it."""
    if given.has(*_NO_WINDOW) or not is_interactive():
        return
    if not _has_display():
        say("no display here, so no window (--nv hides this line)")
    elif not _is_configured(lab):
        say(f"no window: {_INSTALL} (--nv hides this line)")
    elif lab.build_targets("the view", _PROGRAM):
        lab.unlock()
        say("a window shows it first; Esc starts the run (--nv: no window)")
        argv = [lab.build / _PROGRAM, lab.part, name, "--manifest", lab.manifest, *given.argv]
        run_program(argv, become=False)
