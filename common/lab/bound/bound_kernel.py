"""./lab bound on a GPU: compiles for the requested architecture if the program has no code for it."""

import argparse
import shlex
import subprocess
import tempfile
from pathlib import Path

import bound_sass
from bound_command import common_fields, hide, precision_of, program_of
from counted_roots import roots_in
from messages import stop


def cubin_for(lab, row, options, folder, architecture):
    """Compiles with the same flags for an architecture that the program has no code for; the path of the cubin."""
    program = next(one["program"] for one in row["programs"] if one["precision"] == precision_of(options))
    said = subprocess.run(["ninja", "-C", str(lab.build), "-t", "commands", program], stdout=subprocess.PIPE, text=True, check=False).stdout
    commands = [shlex.split(line) for line in said.splitlines()]
    words = next((one for one in commands if "-c" in one and Path(one[one.index("-c") + 1]).name == f"{row['name']}.cu"), None)
    if words is None:
        stop(f"{row['part']}/{row['name']} has no code for {architecture}, and there is no command to compile it")
    cubin = str(Path(folder) / "one.cubin")
    words = [word for word in words if not word.startswith("--generate-code")]
    words[words.index("-c")], words[words.index("-o") + 1] = "-cubin", cubin
    done = subprocess.run([words[0], f"-arch={architecture}", *words[1:]], cwd=lab.build, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        stop(f"{row['part']}/{row['name']} does not compile for {architecture}: {(done.stderr.strip().splitlines() or [''])[-1]}")
    return cubin


def look_into_kernel(lab, name, options, architecture, work, hidden):
    """The bound of an implementation on a GPU, without speeds. Raises CannotCount."""
    row = lab.row(name)
    program = program_of(row, argparse.Namespace(double=options.double, arch=""))["program"]
    with tempfile.TemporaryDirectory() as folder:
        file = lab.build / program
        if architecture in bound_sass.UNITS and "Function" not in bound_sass.sass_of(file, architecture):
            file = cubin_for(lab, row, options, folder, architecture)
        found = bound_sass.sass_bound(file, architecture, options.kernel, bound_sass.launched_by(lab.build / program), roots_in(work))
    if options.interactions:
        found["interactions_per_iteration"] = options.interactions
        found["cycles_per_interaction"] = found["cycles_per_iteration"] / options.interactions
    pairs = found["interactions_per_iteration"] == 2 * bound_sass.roots_of(found["loop"]["text"])
    why = "given by --interactions" if options.interactions else "two per root: it computes pairs" if pairs else "one root each"
    return hide({**common_fields(lab, name, options, program, hidden), "why_so_many": why, **found, "counted": {} if hidden else work})
