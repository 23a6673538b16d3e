"""./lab bound: the words of the command, what is asked of whom, and the file that is left."""

import argparse
import datetime
import json
import subprocess
import tempfile
from pathlib import Path

from best_program import best_program
from counted_roots import roots_in
from cores import core_called, this_core
from loop_bound import bound_of
from machine_code import hot_loop
from messages import stop
from words import nearest

ROUNDS, BODIES = "3", "5000"  # of the measurement beside it: a first look
SHARES = {"1": "one root each", "0.5": "one root for two: each pair is computed once"}


class Parser(argparse.ArgumentParser):
    def error(self, message):
        stop(f"bound: {message}; for example: ./lab bound part1 mine")


def positive(word):
    number = float(word)
    if number <= 0:
        raise ValueError
    return number


def parse(words):
    parser = Parser(prog="./lab bound", allow_abbrev=False, add_help=False)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--double", action="store_true")
    parser.add_argument("--core", default="")
    parser.add_argument("--arch", default="")
    parser.add_argument("--kernel", default="")
    parser.add_argument("--interactions", type=positive)
    parser.add_argument("--no-measure", action="store_true", dest="unmeasured")
    parser.add_argument("--clock", type=positive)
    parser.add_argument("--json", default="")
    return parser.parse_intermixed_args(words)


def core_of(options):
    """The one asked for, else this processor's; None where no row knows it."""
    if not options.core:
        return this_core()
    core = core_called(options.core)
    if core is None:
        stop(f"bound knows no core '{options.core}'{nearest(options.core, names_of_cores())}; it knows: {', '.join(names_of_cores())}")
    return core


def names_of_cores():
    from cores import CORES
    return [core.osaca or core.mca for core in CORES]


def program_of(row, options):
    """(program, its instruction set) that is looked into."""
    precision = "double" if options.double else "float"
    found = best_program(row["programs"], precision, options.arch)
    if found is None:
        sets = " ".join(program["instruction_set"] for program in row["programs"] if program["precision"] == precision)
        stop(f"{row['part']}/{row['name']} has no program for {options.arch or 'this processor'} in {precision}; it has: {sets or 'none'}")
    return found


def interactions_in(loop, options, work, whose):
    """(interactions an iteration, how that is known)"""
    if options.interactions:
        return options.interactions, "as --interactions says"
    per = roots_in(work)
    if not per:
        return loop.roots, "if an interaction takes one root (it cannot be counted: --interactions K says it)"
    how = SHARES.get(f"{per:g}", f"{per:g} roots each")
    return loop.roots / per, how + (f", as {whose} has it" if whose else "")


def speeds_in(result):
    """({name: interactions/s}, the clock meanwhile) of what bench --json wrote. What has an instruction set in its name
    is known without it as well."""
    clock = result.get("context", {}).get("clock_hz")
    return {row["name"]: row["interactions_per_s"]["median"] for row in result["summary"] if row.get("interactions_per_s")}, clock


def measure(lab, names, options, instruction_set=""):
    """({name: interactions/s}, clock). Of one thread."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bench.json"
        words = [lab.build / "bin/bench", lab.part, *names, "--manifest", lab.manifest, "-n", BODIES, "--threads", "1", "--rounds", ROUNDS,
                 "--precision", "double" if options.double else "float", "--json", file, *(["--arch", instruction_set] if options.arch else [])]
        done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if not file.exists():
            stop(f"bench measured nothing: {(done.stderr.strip().splitlines() or ['it says nothing'])[-1]}")
        return speeds_in(json.loads(file.read_text(encoding="utf-8")))


def stored_clock(root):
    """Of build/ceilings.json; None where that is not measured yet."""
    try:
        return float(json.loads((root / "build/ceilings.json").read_text(encoding="utf-8"))["clock_hz"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def one_slot_less(found):
    """What the loop would gain from one instruction less for the ports that are full; None where these are not what limits it."""
    full = found["full_ports"]
    if found["front_end_cycles"] is not None:
        rest = [found["front_end_cycles"], found["chain_cycles"] or 0]
    else:
        rest = [found["chain_cycles"] or 0]
    if not full or found["limit"] not in full:
        return None
    cycles = found["cycles_per_iteration"]
    own = max(found["ports"].values())
    others = [value for port, value in found["ports"].items() if port not in full]
    slot = found["slot"] or 1 / len(full)
    less = cycles - own + max([own - slot, *others, *rest])
    words = f"port {full[0]}" if len(full) == 1 else f"ports {', '.join(full)}"
    return {"words": f"one {'division or root' if found['slot'] else 'instruction'} less for {words}", "cycles_per_iteration": round(less, 3), "speedup": cycles / less}


def with_speed(found, clock, measured, at_once=1):
    """at_once: interactions that go on beside one another, each taking its cycles: 1 for one thread of a processor."""
    found["clock_hz"] = clock
    found["bound_interactions_per_s"] = at_once * clock / found["cycles_per_interaction"] if clock else None
    found["measured_interactions_per_s"] = measured
    found["share_of_bound"] = measured / found["bound_interactions_per_s"] if measured and clock else None
    found["one_slot_less"] = one_slot_less(found)
    return found


def look_into(lab, name, options, core, work, whose, hidden):
    """The bound of one implementation, without speeds. Raises NoLoop, CannotCount."""
    row = lab.row(name)
    program = program_of(row, options)
    loop = hot_loop(lab.build / program["program"])
    interactions, why = interactions_in(loop, options, work, whose)
    return hide({**common_fields(lab, name, options, program["program"], hidden), "why_so_many": why, **bound_of(loop, core, interactions),
                 "counted": {} if hidden else work})


def hide(found):
    """What the compiler made of the given code is close to its counts, which are answers of the worksheet."""
    if found["hidden"]:
        found["loop"].update({"by_kind": {}, "operations": {}, "text": []})
        found["why_so_many"] = "by the count program"
    return found


def common_fields(lab, name, options, program, hidden):
    return {"what": "bound", "version": 1, "date": datetime.date.today().isoformat(), "part": lab.part, "name": name,
            "precision": "double" if options.double else "float", "program": program, "hidden": hidden}
