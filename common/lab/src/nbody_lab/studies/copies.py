"""What share of an iteration do copies and allocations take, for few bodies and for many?

Profiles one program at each size and adds up the rows by kind.
"""

import datetime
import re
import subprocess
import sys

from nbody_lab.core.messages import Failure, stop
from nbody_lab.draw import pictures
from nbody_lab.profiles import gpu

SIZES = [256, 1024, 4096, 16384, 65536, 262144]
COLUMNS = [("N", 8), ("copies", 8), ("kernels", 8), ("allocations", 12), ("host, launches", 16)]


def shares(profile):
    """[copies, kernels, allocations, the rest] of a profile, in percent of the wall clock."""
    copies = kernels = allocations = rest = 0.0
    for line in profile.splitlines():
        found = re.search(r"([0-9.]+) %", line)
        if not found or line.split()[0] == "wall":
            continue
        what, share = line.split()[0], float(found[1])
        if what == "copy":
            copies += share
        elif what.startswith("cuda"):
            allocations += share
        elif what == "the":
            rest += share
        else:
            kernels += share
    return [copies, kernels, allocations, rest]


def measure(part, name, build):
    """The rows of the table as text: N and the shares."""
    rows = []
    for n in SIZES:
        if sys.stderr.isatty():
            print(f"\r  N = {n}   \r", end="", file=sys.stderr, flush=True)
        done = subprocess.run(
            gpu.profiling_command(gpu.parse([part, name, build, "-n", str(n)])),
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise Failure(2)
        rows.append([str(n), *(f"{share:.2f}" for share in shares(done.stdout))])
    return rows


def table(part, name, device, rows):
    """The text of the study, which is printed, kept and drawn."""
    head = f"{part}/{name}, adaptive step, % of the wall clock; {device}; {datetime.date.today().isoformat()}"
    lines = [
        "".join(f"  {cell:>{width}}" for cell, (_, width) in zip(row, COLUMNS))
        for row in [[title for title, _ in COLUMNS], *rows]
    ]
    return "\n".join([head, *lines]) + "\n"


def study(part, name, build, device, *options):
    """Prints the table and draws it if --plot is given; returns the status."""
    folder, others = pictures.take_folder(options)
    if others:
        stop(f"the study copies has no option '{others[0]}'; its only option is --plot FOLDER")
    if folder:
        pictures.demand_folder(folder)
    text = table(part, name, device, measure(part, name, build))
    print(text, end="", flush=True)
    if not folder:
        return 0
    file = pictures.free_file(folder, "copies", "txt")
    file.write_text(text, encoding="utf-8")
    if not pictures.can_draw():
        print(f"\nno picture: {pictures.BRING}; then: ./lab plot copies {file} {folder}")
        return 0
    return pictures.draw("copies", file, folder)
