"""Commands that show a simulation: view, record; and the window that ./lab run opens if there is a display."""

import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from nbody_lab.core.messages import Failure, say, stop
from nbody_lab.core.running import run_program
from nbody_lab.core.words import leading_names, wants_help
from nbody_lab.export import command as export

PROGRAM = "bin/view"
BRING = "./lab setup --view installs what it needs"
# Options that write or time something, or run no simulation: with one of these, run opens no window.
NO_WINDOW = (
    "--nv",
    "-w",
    "--json",
    "--log",
    "--profile",
    "--serve",
    "--version",
    "-h",
    "--help",
    "--every",
)
OF_A_FILM = ("-o", "--frames", "--fps", "--turn")


def is_asked(words, options):
    return any(word.split("=")[0] in options for word in words)


def is_known(lab):
    """Whether CMake has found what the view needs."""
    asked = subprocess.run(
        ["ninja", "-C", lab.build, "-t", "query", PROGRAM],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return asked.returncode == 0


def has_display():
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def demand_view(lab):
    if not is_known(lab):
        lab.step("looking for GLFW, EGL and fonts", "cmake", "--preset", lab.preset)
    if not is_known(lab):
        stop(f"nothing here can draw: {BRING}")


def build_for_view(lab, command, words):
    """Builds everything and returns the command to run."""
    names, options = leading_names(lab.choose_part(command, words))
    if not names or len(names) > 2:
        stop(
            f"{command} takes one name, or two side by side, for example: ./lab {command} {lab.part} naive --scene galaxy -n 2000"
        )
    lab.begin()
    for name in names:
        lab.demand_name(name)
    demand_view(lab)
    programs = [
        target
        for name in names
        for target in (lab.program(name), *lab.double_targets(name, options))
    ]
    lab.demand_targets(f"{lab.part}/{' '.join(names)} and the view", PROGRAM, *programs)
    lab.unlock()
    return [lab.build / PROGRAM, lab.part, *names, "--manifest", lab.manifest, *options]


def view(lab, words):
    if is_asked(words, OF_A_FILM):
        stop(f"view opens a window; to make a film: ./lab record {' '.join(words)}")
    if not has_display() and not wants_help(words) and not is_asked(words, ("--benchmark",)):
        stop("no display here for a window; ./lab record makes a film without one")
    return run_program(build_for_view(lab, "view", words))


def take_save(words):
    """(the file of --save or '', the other words)"""
    for k, word in enumerate(words):
        if word == "--save":
            if len(words) == k + 1:
                stop("--save needs a file: FILE.xyz or FILE.pvd")
            return words[k + 1], words[:k] + words[k + 2 :]
    return "", words


BYTES_OF_BODY = 50  # in a state of either format, at least


def number_of(option, options):
    """The option's value; 0 if it is missing or not a number."""
    value = next((after for word, after in itertools.pairwise(options) if word == option), "")
    return int(value) if value.isdecimal() else 0


def demand_room(file, options):
    """Complains before a run of hours if the disk is too small for the bodies and states that the options request."""
    states = number_of("-i", options) // (number_of("--every", options) or 1) + 1
    needed, free = (
        number_of("-n", options) * states * BYTES_OF_BODY,
        shutil.disk_usage(Path(file).parent).free,
    )
    if needed > free:
        stop(
            f"{file}: {states} states need at least {export.in_words(needed)}, but only {export.in_words(free)} are free: choose another "
            "place, or write fewer states with --every K"
        )


def save_states(lab, file, words):
    """Runs one implementation and exports its states. The body files go into a scratch folder, which is kept if the export
    fails."""
    if Path(file).suffix not in export.WRITERS:
        stop(f"--save writes FILE.xyz (OVITO) or FILE.pvd (ParaView), not '{file}'")
    export.demand_folder(file)
    if is_asked(words, ("-o", "-w")):
        stop("record --save writes only states: leave out -o and -w")
    names, options = leading_names(lab.choose_part("record", words))
    if len(names) != 1:
        stop(
            f"record --save takes one name, for example: ./lab record {lab.part} naive --save {file} --scene collision -n 2000 -i 500"
        )
    demand_room(file, options)
    lab.begin()
    lab.demand_name(names[0])
    lab.demand_targets(
        f"{lab.part}/{names[0]}", lab.program(names[0]), *lab.double_targets(names[0], options)
    )
    lab.unlock()
    folder, keeps = tempfile.mkdtemp(prefix="states_", dir=lab.build), False
    base = f"{folder}/state"
    try:
        status = run_program(
            [lab.build / lab.program(names[0]), *options, "--nv", "-w", base], become=False
        )
        try:
            return status or export.export(lab, [base, file])
        except Failure:
            keeps = True
            say(
                f"the states are kept: ./lab export {base} FILE{Path(file).suffix} writes them elsewhere"
            )
            raise
    finally:
        if not keeps:
            shutil.rmtree(folder, ignore_errors=True)


def record(lab, words):
    file, others = take_save(words)
    if file:
        return save_states(lab, file, others)
    if not is_asked(words, ("-o",)) and not wants_help(words):
        stop(
            "record needs a file to write, for example: ./lab record part1 naive -o galaxy.mp4 --scene galaxy -n 2000; "
            "or for states: --save FILE.xyz"
        )
    return run_program(build_for_view(lab, "record", words))


def show_before_run(lab, name, options):
    """Opens a window first if the run is interactive and writes nothing; the run itself does not change. The lock is
    released before the window opens, so that builds need not wait for it."""
    if is_asked(options, NO_WINDOW) or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return
    if not has_display():
        say("no display here, so no window (--nv hides this line)")
    elif not is_known(lab):
        say(f"no window: {BRING} (--nv hides this line)")
    elif lab.build_targets("the view", PROGRAM):
        lab.unlock()
        say("a window shows it first; Esc starts the run (--nv: no window)")
        run_program(
            [lab.build / PROGRAM, lab.part, name, "--manifest", lab.manifest, *options],
            become=False,
        )
