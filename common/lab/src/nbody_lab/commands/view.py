"""./lab view and record."""

import re
import shutil
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from nbody_lab.arguments import Names, PartName, option
from nbody_lab.core.command_line import passes_on
from nbody_lab.core.messages import Failure, UserError, say
from nbody_lab.core.packages import has
from nbody_lab.core.running import run_program
from nbody_lab.core.simulation_options import OPTIONS_OF_SOME, SIMULATION_OPTIONS, Given
from nbody_lab.export import command as export
from nbody_lab.export.formats import WRITERS
from nbody_lab.programs.ranks import words_to_start
from nbody_lab.viewing.ffmpeg import require_film
from nbody_lab.viewing.look import (
    ENDLESS,
    Colour,
    ColourBy,
    Switch,
    TextOn,
    Tilt,
    TrailsOn,
    WebPlace,
    Zoom,
    look_of,
)
from nbody_lab.workshop import Workshop

_ONLY_RUN = ("-v", "-w", "--json", "--log", "--nv", "--profile", "--serve", "--version")
_SIMULATION = {
    name: option
    for name, option in {**SIMULATION_OPTIONS, **OPTIONS_OF_SOME}.items()
    if name not in _ONLY_RUN
}
_VIEW = {name: option for name, option in _SIMULATION.items() if name != "--every"}
_WITH_SIZE = ("galaxy", "collision", "plummer")  # scenes that take -n
_BYTES_OF_BODY = 50  # in a state of either format, at least


def _targets(lab: Workshop, name: str, given: Given) -> list[str]:
    in_double = lab.targets(name, "double") if given.in_double() else []
    return [lab.program(name), *in_double]


def _require_one_or_two(command: str, part: str, names: list[str]) -> None:
    if len(names) not in (1, 2):
        raise UserError(
            f"{command} takes one name, or two side by side, for example: "
            f"./lab {command} {part} naive --scene galaxy -n 2000"
        )


def _completed(given: Given) -> tuple[str, ...]:
    """The options of the run: something to see, without end."""
    words = list(given.argv)
    if not given.has("-f", "-n", "--scene"):
        words += ["--scene", "galaxy"]
    if not given.has("-f", "-n") and given.values.get("--scene", "galaxy") in _WITH_SIZE:
        words += ["-n", "2000"]
    return (*words, *(() if given.has("-i") else ("-i", str(ENDLESS))))


def _programs(part: str, names: list[str], given: Given) -> list[list[str]]:
    """Builds them, and returns the command line of each."""
    lab = Workshop(part)
    lab.refuse_without_gpu()
    lab.begin()
    for name in names:
        lab.demand_name(name)
    lab.demand_gpu()
    targets = [target for name in names for target in _targets(lab, name, given)]
    lab.demand_targets(f"{part}/{' '.join(names)}", *targets)
    lab.unlock()
    return [words_to_start(lab, name, _completed(given)) for name in names]


HiddenFilm = Annotated[Path | None, typer.Option("-o", hidden=True)]


@passes_on(_VIEW)
def view(
    context: typer.Context,
    part: PartName,
    names: Names = None,
    tilt: Tilt = 52,
    zoom: Zoom = 1,
    colour: ColourBy = Colour.SPEED,
    trails: TrailsOn = None,
    text: TextOn = Switch.ON,
    web: WebPlace = None,
    film: HiddenFilm = None,
) -> None:
    """watch a simulation in a browser, or two side by side

    Prints the address of a page, and opens it where there is a browser. Without -i the run has no end: Ctrl-C ends it.

    ./lab view part1 naive --scene galaxy -n 2000
    """
    given: Given = context.obj
    if film:
        words = " ".join([part, *(names or []), "-o", str(film), *given.argv])
        raise UserError(f"view shows a page; to make a film: ./lab record {words}")
    _require_one_or_two("view", part, names or [])
    programs = _programs(part, names or [], given)
    from nbody_lab.viewing.show import HERE, show_view
    from nbody_lab.viewing.until_signal import run_until_signal

    look = look_of(tilt, zoom, colour, trails, text)
    title = f"{part}/{' and '.join(names or [])}"
    run_until_signal(show_view(programs, title, look, web or HERE))


SaveFile = Annotated[
    Path | None,
    typer.Option(
        "--save",
        metavar="FILE",
        help="no film: save the states, FILE.xyz for OVITO, FILE.pvd for ParaView",
    ),
]


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text)
    width, height = map(int, match.groups()) if match else (0, 0)
    if not (64 <= width <= 7680 and 64 <= height <= 4320):
        raise typer.BadParameter(
            f"needs WIDTHxHEIGHT, 64x64 to 7680x4320, for example 1280x720; not '{text}'"
        )
    return width, height


FilmName = Annotated[
    Path | None, option("-o", "FILE", "a film: FILE.mp4, FILE.gif or FILE.webm; a page: FILE.html")
]
Frames = Annotated[
    int,
    option(
        "--frames",
        "K",
        "pictures of the film (default 240); -i is spread over them",
        min=1,
        max=1_000_000,
    ),
]
PerSecond = Annotated[
    int, option("--fps", "F", "pictures per second of the film (default 30)", min=1, max=240)
]
Turn = Annotated[
    float,
    option(
        "--turn",
        "D",
        "degrees that the camera turns during the film (default 30)",
        min=-36000,
        max=36000,
    ),
]
Size = Annotated[Any, option("--size", "WxH", "pixels (default 1280x720)", parser=_size)]


@passes_on(_SIMULATION)
def record(
    context: typer.Context,
    part: PartName,
    names: Names = None,
    film: FilmName = None,
    frames: Frames = 240,
    per_second: PerSecond = 30,
    turn: Turn = 30,
    size: Size = "1280x720",
    tilt: Tilt = 52,
    zoom: Zoom = 1,
    colour: ColourBy = Colour.SPEED,
    trails: TrailsOn = None,
    text: TextOn = Switch.ON,
    save: SaveFile = None,
) -> None:
    """make a film of a simulation, or save its states

    ./lab record part1 naive -o galaxy.mp4 --scene galaxy -n 2000
    ./lab record part1 naive --save galaxy.xyz --scene galaxy -n 2000 -i 500
    """
    given: Given = context.obj
    if save:
        _save_states(part, names or [], save, given, film)
        return
    if not film:
        raise UserError(
            "record needs a file to write, for example: ./lab record part1 naive -o galaxy.mp4 "
            "--scene galaxy -n 2000; or for states: --save FILE.xyz"
        )
    if given.has("--every"):
        raise UserError("--every is for --save; a film spreads -i over its --frames")
    _require_one_or_two("record", part, names or [])
    if film.suffix == ".html" and len(names or []) != 1:
        raise UserError("a page holds one run: give one name, or make a film of two")
    width, height = size
    require_film(film, width, height)
    if not has("numpy", "PIL", "matplotlib"):
        raise UserError("films are drawn by numpy and Pillow: ./lab setup --films installs them")
    programs = _programs(part, names or [], given)
    from nbody_lab.viewing.film import FilmSetting, record_film
    from nbody_lab.viewing.until_signal import run_until_signal

    look = look_of(tilt, zoom, colour, trails, text)
    setting = FilmSetting(film, look, width, height, frames, per_second, turn)
    if film.suffix == ".html":
        from nbody_lab.viewing.recording import record_page

        run_until_signal(record_page(programs[0], setting))
        print(f"{film}: {frames} states, {-(-film.stat().st_size // 1000)} kB")
        return
    run_until_signal(record_film(programs, setting))
    print(
        f"{film}: {frames} pictures of {width}x{height}, {frames / per_second:.1f} s, "
        f"{-(-film.stat().st_size // 1000)} kB"
    )


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


def _save_states(part: str, names: list[str], file: Path, given: Given, film: Path | None) -> None:
    """Runs one implementation and exports its states. The body files go into a scratch folder, which is kept if the
    export fails."""
    if file.suffix not in WRITERS:
        raise UserError(f"--save writes FILE.xyz (OVITO) or FILE.pvd (ParaView), not '{file}'")
    export.demand_folder(file)
    if film:
        raise UserError("record --save writes only states: leave out -o")
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
