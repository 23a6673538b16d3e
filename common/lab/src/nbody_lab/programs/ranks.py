"""Programs of several processes: the number of ranks, and their command line (manifest: "launcher", "ranks")."""

import os

from nbody_lab.core.messages import say, stop
from nbody_lab.core.running import run_program
from nbody_lab.core.words import asks_for_double

PLACEHOLDER = "RANKS"
MOST = 65536  # limit of the protocol
CROWD = 8  # ranks per core


def take_ranks(options):
    """(number of ranks or None, the other words)"""
    options, number = list(options), None
    for k, word in enumerate(options):
        name, has_value, value = word.partition("=")
        if name == "--ranks":
            value = value if has_value else (options[k + 1] if k + 1 < len(options) else "")
            if not value.isdigit() or not 1 <= int(value) <= MOST:
                stop(f"--ranks needs a number of processes from 1 to {MOST}, not '{value}'")
            number = int(value)
            del options[k : k + (1 if has_value else 2)]
            break
    return number, options


def has_ranks(lab):
    return PLACEHOLDER in (lab.of_part("launcher") or [])


def demand_one_process(lab, command):
    """For commands that can only examine one process."""
    if has_ranks(lab):
        stop(
            f"{command} works on one process, but {lab.part} runs as several: ./lab count {lab.part} NAME shows their messages, "
            f"./lab simulate {lab.part} NAME shows who waits"
        )


def count_messages(lab, name, options):
    """Runs ./lab count of such a part: one iteration, messages and bytes of each rank."""
    lab.demand_targets(f"{lab.part}/{name}", lab.program(name))
    words = words_to_start(lab, name, ["-n", "1000", *options, "-i", "1", "--profile"])
    lab.unlock()
    return run_program(words)


def words_to_start(lab, name, options):
    """The command line of PART/NAME with these options, which may include --ranks."""
    number, options = take_ranks(options)
    program = [lab.build / lab.program(name), *lab.row(name)["arguments"], *options]
    if not has_ranks(lab):
        if number not in (None, 1):
            stop(f"--ranks: {lab.part} runs as one process; part 4 runs as several")
        return program
    if asks_for_double(
        options
    ):  # each precision is a program of its own; a started rank cannot switch
        program[0] = lab.build / lab.targets(name, "double")[0]
    number = number or lab.of_part("ranks")
    if number > CROWD * (os.cpu_count() or 1):
        say(
            f"{number} ranks take turns on {os.cpu_count()} cores: that may take minutes; ./lab simulate runs up to 256 in seconds"
        )
    return [
        str(number) if word == PLACEHOLDER else word for word in lab.of_part("launcher")
    ] + program
