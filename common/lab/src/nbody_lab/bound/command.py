"""./lab bound: parses the command line and assembles the bound of one implementation, on a processor or a GPU. Square
roots per interaction, as the count program counted them, tell how many interactions one loop iteration computes."""

import argparse
import datetime
import json
import shlex
import subprocess
import tempfile
from pathlib import Path

from nbody_lab.bound import sass as bound_sass
from nbody_lab.bound.loop_bound import bound_of, one_slot_less
from nbody_lab.bound.machine_code import hot_loop
from nbody_lab.core.cpuinfo import best_program
from nbody_lab.core.messages import stop
from nbody_lab.core.words import nearest
from nbody_lab.hardware.cores import core_called, core_in
from nbody_lab.worksheet.counts import polynomial_of
from nbody_lab.worksheet.roofline_inputs import read_ceilings

OPERATIONS = (
    ("add or subtract", "add"),
    ("multiply", "mul"),
    ("multiply and add", "fma"),
    ("divide", "div"),
    ("square root", "sqrt"),
    ("estimate of 1/sqrt", "rsqrt"),
    ("pow", "pow"),
    ("loads", "loads"),
    ("stores", "stores"),
)


def of_n2(cell):
    """Operations per interaction: the count divided by n^2, from its polynomial, else from the largest counted n."""
    polynomial, counted = polynomial_of(cell), cell.get("counted") or {}
    if polynomial:
        return polynomial[0] / polynomial[-1]
    n = max(map(int, counted), default=0)
    return counted[str(n)] / n**2 if n else 0.0


def counted_work(file):
    """{kind: operations per interaction} of compute_accelerations(); {} if nothing was counted."""
    try:
        work = json.loads(Path(file).read_text(encoding="utf-8"))["work"]["compute_accelerations"]
        return {kind: of_n2(work[key]) for kind, key in OPERATIONS if key in work}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def roots_in(work):
    """Square roots per interaction: 1, or 0.5 if each pair is computed once. Ignores the remainders of tiles."""
    roots = work.get("square root", 0) + work.get("estimate of 1/sqrt", 0)
    halves = round(2 * roots) / 2
    return halves if halves and abs(roots - halves) < 0.1 * halves else roots


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
        stop(
            f"bound knows no core '{options.core}'{nearest(options.core, names_of_cores())}; it knows: {', '.join(names_of_cores())}"
        )
    return core


def names_of_cores():
    from nbody_lab.hardware.cores import CORES

    return list(dict.fromkeys(core.osaca or core.mca for core in CORES))


def precision_of(options):
    return "double" if options.double else "float"


def program_of(row, options):
    """The program to examine and its instruction set."""
    precision = precision_of(options)
    found = best_program(row["programs"], precision, options.arch)
    if found is None:
        sets = [
            program["instruction_set"]
            for program in row["programs"]
            if program["precision"] == precision
        ]
        there = (
            "it has none in this precision"
            if not sets
            else f"it has: {' '.join(sets)}"
            if all(sets)
            else "it has only one: leave out --arch"
        )
        stop(
            f"{row['part']}/{row['name']} has no program for {options.arch or 'this processor'} in {precision}; {there}"
        )
    return found


def interactions_in(loop, options, work, whose):
    """(interactions per iteration, how that is known)"""
    if options.interactions:
        return options.interactions, "given by --interactions"
    per = roots_in(work)
    if not per:
        return (
            loop.roots,
            "if an interaction takes one root (it cannot be counted: set it with --interactions K)",
        )
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
    found["bound_interactions_per_s"] = (
        at_once * clock / found["cycles_per_interaction"] if clock else None
    )
    found["measured_interactions_per_s"] = measured
    found["share_of_bound"] = (
        measured / found["bound_interactions_per_s"] if measured and clock else None
    )
    found["one_slot_less"] = one_slot_less(found)
    return found


def look_into(lab, name, options, core, work, whose, hidden):
    """The bound of one implementation, without speeds. Raises NoLoop, CannotCount."""
    row = lab.row(name)
    program = program_of(row, options)
    loop = hot_loop(lab.build / program["program"])
    interactions, why = interactions_in(loop, options, work, whose)
    return hide(
        {
            **common_fields(lab, name, options, program["program"], hidden),
            "why_so_many": why,
            **bound_of(loop, core, interactions),
            "counted": {} if hidden else work,
        }
    )


def hide(found):
    """Removes what would reveal the counts of the given code, which are answers of the worksheet."""
    if found["hidden"]:
        found["loop"].update({"by_kind": {}, "operations": {}, "text": []})
        found["why_so_many"] = "from the count program"
    return found


def common_fields(lab, name, options, program, hidden):
    return {
        "what": "bound",
        "version": 1,
        "date": datetime.date.today().isoformat(),
        "part": lab.part,
        "name": name,
        "precision": precision_of(options),
        "program": program,
        "hidden": hidden,
    }


def cubin_for(lab, row, options, folder, architecture):
    """Compiles with the same flags for an architecture that the program has no code for; the path of the cubin."""
    program = next(
        one["program"] for one in row["programs"] if one["precision"] == precision_of(options)
    )
    said = subprocess.run(
        ["ninja", "-C", str(lab.build), "-t", "commands", program],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    ).stdout
    commands = [shlex.split(line) for line in said.splitlines()]
    words = next(
        (
            one
            for one in commands
            if "-c" in one and Path(one[one.index("-c") + 1]).name == f"{row['name']}.cu"
        ),
        None,
    )
    if words is None:
        stop(
            f"{row['part']}/{row['name']} has no code for {architecture}, and there is no command to compile it"
        )
    cubin = str(Path(folder) / "one.cubin")
    words = [word for word in words if not word.startswith("--generate-code")]
    words[words.index("-c")], words[words.index("-o") + 1] = "-cubin", cubin
    done = subprocess.run(
        [words[0], f"-arch={architecture}", *words[1:]],
        cwd=lab.build,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        stop(
            f"{row['part']}/{row['name']} does not compile for {architecture}: {(done.stderr.strip().splitlines() or [''])[-1]}"
        )
    return cubin


def look_into_kernel(lab, name, options, architecture, work, hidden):
    """The bound of an implementation on a GPU, without speeds. Raises CannotCount."""
    row = lab.row(name)
    program = program_of(row, argparse.Namespace(double=options.double, arch=""))["program"]
    with tempfile.TemporaryDirectory() as folder:
        file = lab.build / program
        if architecture in bound_sass.UNITS and "Function" not in bound_sass.sass_of(
            file, architecture
        ):
            file = cubin_for(lab, row, options, folder, architecture)
        found = bound_sass.sass_bound(
            file,
            architecture,
            options.kernel,
            bound_sass.launched_by(lab.build / program),
            roots_in(work),
        )
    if options.interactions:
        found["interactions_per_iteration"] = options.interactions
        found["cycles_per_interaction"] = found["cycles_per_iteration"] / options.interactions
    pairs = found["interactions_per_iteration"] == 2 * bound_sass.roots_of(found["loop"]["text"])
    why = (
        "given by --interactions"
        if options.interactions
        else "two per root: it computes pairs"
        if pairs
        else "one root each"
    )
    return hide(
        {
            **common_fields(lab, name, options, program, hidden),
            "why_so_many": why,
            **found,
            "counted": {} if hidden else work,
        }
    )
