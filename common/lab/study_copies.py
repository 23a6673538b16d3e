"""Which share of an iteration do copies and allocations have, for few bodies and for many?

    study_copies.py PART NAME BUILD_FOLDER DEVICE [--plot FOLDER]

A profile of one program at each size, and its rows added up by what they are.
"""

import datetime
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

PROFILE = Path(__file__).resolve().with_name("gpu_profile.py")
SIZES = [256, 1024, 4096, 16384, 65536, 262144]
COLUMNS = [("N", 8), ("copies", 8), ("kernels", 8), ("allocations", 12), ("host, launches", 16)]

SCRIPT = """# Draw again, in this folder: gnuplot copies.gp
do for [kind in 'svg png'] {{
  if (kind eq 'svg') {{ set terminal svg size 900,540 font 'sans,14' background rgb 'white' noenhanced
  }} else {{ set terminal pngcairo size 900,540 font 'sans,11' noenhanced }}
  set output 'copies.'.kind
  set label 1 '{device}; adaptive step; {date}' at screen 0.01, screen 0.02 font ',10' textcolor rgb '#555555'
  set title 'Where the time of an iteration goes, {part}/{name}'
  set style data histograms
  set style histogram rowstacked
  set style fill solid 1 noborder
  set boxwidth 0.7
  set key outside right top Left reverse samplen 2 invert
  set bmargin 6
  set xlabel 'bodies N'
  set ylabel 'percent of the wall clock'
  set yrange [0:100]
  plot 'copies.dat' using 2:xtic(1) lc rgb '#D55E00' title 'copies', \\
    '' using 3 lc rgb '#56B4E9' title 'kernels', \\
    '' using 4 lc rgb '#E69F00' title 'allocations', \\
    '' using 5 lc rgb '#bbbbbb' title 'host, launches'
  set output
}}
"""


class CannotStudy(Exception):
    """What is wrong, in one line; empty where it has been said."""


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
    """Rows of the table, as text: N and the shares."""
    rows = []
    for n in SIZES:
        if sys.stderr.isatty():
            print(f"\r  N = {n}   \r", end="", file=sys.stderr, flush=True)
        done = subprocess.run([sys.executable, str(PROFILE), part, name, build, "-n", str(n)],
                              stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            raise CannotStudy("")
        rows.append([str(n), *(f"{share:.2f}" for share in shares(done.stdout))])
    return rows


def folder_in(options):
    """The folder of --plot, which can be written then; empty without."""
    folder, words = "", list(options)
    while words:
        if words[0] != "--plot":
            raise CannotStudy(f"the study copies has no option '{words[0]}'; there is --plot FOLDER")
        if len(words) < 2 or not words[1]:
            raise CannotStudy("--plot wants a folder")
        folder, words = words[1], words[2:]
    if folder:
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise CannotStudy(f"{folder} cannot be written") from fault
        if not os.access(folder, os.W_OK):
            raise CannotStudy(f"{folder} cannot be written")
    return folder


def plot(folder, rows, names):
    """Data and script for gnuplot, and what it draws; its exit status."""
    lines = ["# N; percent of the wall clock: copies, kernels, allocations, host", *(" ".join(row) for row in rows)]
    Path(folder, "copies.dat").write_text("\n".join(lines) + "\n", encoding="utf-8")
    Path(folder, "copies.gp").write_text(SCRIPT.format(**names), encoding="utf-8")
    if not shutil.which("gnuplot"):
        print(f"\nno gnuplot here, so data and script only: install gnuplot-nox, then in {folder} run gnuplot on the *.gp")
        return 0
    status = subprocess.run(["gnuplot", "copies.gp"], cwd=folder, check=False).returncode
    if status == 0:
        print(f"\n{folder}/copies.svg and .png")
    return status


def study(part, name, build, device, *options):
    """Prints the table; its exit status."""
    folder = folder_in(options)
    rows = measure(part, name, build)
    names = {"part": part, "name": name, "device": device, "date": datetime.date.today().isoformat()}
    print(f"{part}/{name}, adaptive step, % of the wall clock; {device}; {names['date']}\n")
    for row in [[title for title, _ in COLUMNS], *rows]:
        print("".join(f"  {cell:>{width}}" for cell, (_, width) in zip(row, COLUMNS)), flush=True)
    return plot(folder, rows, names) if folder else 0


def main(arguments):
    if len(arguments) < 4:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        return study(*arguments)
    except CannotStudy as fault:
        if str(fault):
            print(f"lab: {fault}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
