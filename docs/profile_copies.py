"""What share of an iteration do copies and allocations take, for few bodies and for many? Measures
data/results/part3_study_copies.txt; draw_pictures.py draws it.

    ./lab build part3 naive
    profile_copies.py [FILE.txt]     on a machine with a GPU

Profiles part3/naive at each size and adds up the rows by kind, in percent of the wall clock.
"""

import datetime
import re
import sys
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.building.gpus import read_gpus
from nbody_lab.core.errors import LabError
from nbody_lab.core.run import Step, output_of
from nbody_lab.measure.gpu_profile import profiling_command

RESULT, BUILD = ROOT / "data/results/part3_study_copies.txt", ROOT / "build/release"
SIZES = (256, 1024, 4096, 16384, 65536, 262144)
COLUMNS = {"N": 8, "copies": 8, "kernels": 8, "allocations": 12, "host, launches": 16}


def kind(what):
    """Which of the shares a row of a profile belongs to."""
    first = what.split()[0]
    kinds = {"copy": "copies", "the": "host, launches"}
    return kinds.get(first, "allocations" if first.startswith("cuda") else "kernels")


def shares_of(profile):
    """Adds up the rows of what a program prints with --profile, in the order of COLUMNS."""
    sums = dict.fromkeys(list(COLUMNS)[1:], 0.0)
    for what, share in re.findall(r"^ *(\S.*?)  .*?([0-9.]+) %", profile, re.M):
        if what != "wall clock":
            sums[kind(what)] += float(share)
    return list(sums.values())


def measure():
    """(N, shares) of each size."""
    with Step("profiling part3/naive") as step:
        for number, bodies in enumerate(SIZES):
            step.hear(f"[{number}/{len(SIZES)}]")
            words = profiling_command(BUILD / "bin/part3/naive", bodies)
            yield bodies, shares_of(output_of("part3/naive", *words))


def text_of(device, rows):
    head = f"part3/naive, adaptive step, % of the wall clock; {device}; {datetime.date.today()}"
    cells = [[str(n), *(f"{share:.2f}" for share in shares)] for n, shares in rows]
    lines = [
        "".join(f"  {cell:>{width}}" for cell, width in zip(line, COLUMNS.values()))
        for line in [list(COLUMNS), *cells]
    ]
    return "\n".join([head, *lines]) + "\n"


def sheet(text):
    """A stacked bar for each N."""
    from nbody_lab.draw.sheet import Sheet
    from nbody_lab.draw.theme import QUIET, short

    head, _, *lines = text.splitlines()
    rows = [[float(word) for word in line.split()] for line in lines]
    name, _, rest = head.partition(",")
    device, _, day = rest.partition("; ")[2].rpartition("; ")
    sizes = [short(int(row[0])) for row in rows]
    first, last = (f"{rows[k][1]:.0f} % at {sizes[k]} bodies" for k in (0, -1))
    picture = Sheet(
        "part3_copies",
        f"{name}: copies take {first}, {last}",
        "where the time of an iteration goes; float, adaptive step",
        f"{device.split(', built with')[0]}; {day}",
    )
    axes, bottom = picture.axes, [0.0] * len(rows)
    colours = "C2", "C6", "C5", QUIET
    for k, (label, colour) in enumerate(zip(list(COLUMNS)[1:], colours), 1):
        shares = [row[k] for row in rows]
        look = {"color": colour, "label": label}
        axes.bar(range(len(rows)), shares, 0.7, bottom, **look)
        bottom = [low + share for low, share in zip(bottom, shares)]
    axes.set_xticks(range(len(rows)), sizes)
    axes.set(ylim=(0, 100), xlabel="bodies N", ylabel="percent of the wall-clock time")
    axes.grid(False, axis="x")
    picture.legend_beside(reverse=True)
    return picture


def main(arguments):
    if len(arguments) > 1 or arguments[:1] in (["-h"], ["--help"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    file = Path(arguments[0]) if arguments else RESULT
    try:
        text = text_of(read_gpus(BUILD)[0].description, measure())
    except (OSError, LabError) as fault:
        print(f"profile_copies: {fault}", file=sys.stderr)
        return 2
    file.write_text(text, encoding="utf-8")
    print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
