"""./lab bound: parses the command line and assembles the bound of one implementation."""

import argparse
import datetime

from best_program import best_program
from counted_roots import roots_in
from cores import core_called, core_in
from loop_bound import bound_of
from machine_code import hot_loop
from messages import stop
from one_slot_less import one_slot_less
from worksheet.roofline_inputs import read_ceilings
from words import nearest

SHARES = {"1": "one root each", "0.5": "one root for every two: each pair is computed once"}


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
    """The core named in the options, else this processor's; None if no row knows it."""
    if not options.core:
        return core_in()
    core = core_called(options.core)
    if core is None:
        stop(f"bound knows no core '{options.core}'{nearest(options.core, names_of_cores())}; it knows: {', '.join(names_of_cores())}")
    return core


def names_of_cores():
    from cores import CORES
    return list(dict.fromkeys(core.osaca or core.mca for core in CORES))


def precision_of(options):
    return "double" if options.double else "float"


def program_of(row, options):
    """The program to examine and its instruction set."""
    precision = precision_of(options)
    found = best_program(row["programs"], precision, options.arch)
    if found is None:
        sets = [program["instruction_set"] for program in row["programs"] if program["precision"] == precision]
        there = "it has none in this precision" if not sets else f"it has: {' '.join(sets)}" if all(sets) else "it has only one: leave out --arch"
        stop(f"{row['part']}/{row['name']} has no program for {options.arch or 'this processor'} in {precision}; {there}")
    return found


def interactions_in(loop, options, work, whose):
    """(interactions per iteration, how that is known)"""
    if options.interactions:
        return options.interactions, "given by --interactions"
    per = roots_in(work)
    if not per:
        return loop.roots, "if an interaction takes one root (it cannot be counted: set it with --interactions K)"
    how = SHARES.get(f"{per:g}", f"{per:g} roots each")
    return loop.roots / per, how + (f", as in {whose}" if whose else "")


def stored_clock(root):
    """The clock in build/ceilings.json; None if not measured yet. Raises NoInput."""
    file = root / "build/ceilings.json"
    return read_ceilings(file)["clock_hz"] if file.exists() else None


def with_speed(found, clock, measured, at_once=1, machine="", why_not=""):
    """Adds clock, speed and share of the bound. at_once: interactions computed at the same time (1 for one thread of a
    processor). machine: the machine they belong to, '' if this one. why_not: why there is no speed."""
    found["machine"], found["clock_hz"], found["why_not_measured"] = machine, clock, why_not
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
    """Removes what would reveal the counts of the given code, which are answers of the worksheet."""
    if found["hidden"]:
        found["loop"].update({"by_kind": {}, "operations": {}, "text": []})
        found["why_so_many"] = "from the count program"
    return found


def common_fields(lab, name, options, program, hidden):
    return {"what": "bound", "version": 1, "date": datetime.date.today().isoformat(), "part": lab.part, "name": name,
            "precision": precision_of(options), "program": program, "hidden": hidden}
