"""Bodies that no force moves: what a step costs the memory alone. Measures data/results/stream.json; draw_pictures.py
draws it.

    ./lab build part1 naive && ./lab build part2 naive
    measure_stream.py [FILE.json]     three minutes on a quiet machine

Each run is `PROGRAM --integrator drift -n N -i STEPS`; rounds are interleaved. With large pages the C library asks for pages
of 2 MB (GLIBC_TUNABLES), so that few entries of the TLB reach all bodies.
"""

import datetime
import json
import re
import statistics
import sys
from itertools import product
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.building.cpuinfo import fields
from nbody_lab.core.run import Step, output_of

RESULT = ROOT / "data/results/stream.json"
SIZES = (1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000, 2000000, 4000000)
LAYOUTS = {"part1": "structure", "part2": "arrays"}
# Read and written of a body: a structure of ten floats whole; nine floats of arrays.
BYTES = {"structure": 80, "arrays": 36}
PAGES = {"pages of 4 kB": {}, "large pages": {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}}
MOVES, ROUNDS = 200_000_000, 5


def speed(part, pages, n):
    """Bodies per second."""
    program = ROOT / f"build/release/bin/{part}/naive"
    words = f"--integrator drift -n {n} -i {MOVES // n}".split()
    settings = [f"{name}={value}" for name, value in PAGES[pages].items()]
    said = output_of(f"{part}/naive", "env", *settings, program, *words)
    return 1e9 * float(re.search(r"speed +([\d.]+) x 10\^9 bodies/s", said)[1])


def measure():
    rounds = {}
    runs = list(product(range(ROUNDS), SIZES, LAYOUTS, PAGES))
    with Step("measuring streams") as step:
        for number, (_, n, part, pages) in enumerate(runs):
            step.hear(f"[{number}/{len(runs)}]")
            rounds.setdefault((n, part, pages), []).append(speed(part, pages, n))
    return [
        {
            "name": f"{LAYOUTS[part]}, {pages}",
            "n": n,
            "bodies_per_s": statistics.median(speeds),
            "rounds": speeds,
            "bytes_per_s": statistics.median(speeds) * BYTES[LAYOUTS[part]],
        }
        for (n, part, pages), speeds in rounds.items()
    ]


def sheet(study):
    """Bytes per second against the number of bodies."""
    from nbody_lab.draw.sheet import Sheet, set_log_ticks, set_round_ticks

    rows = study["summary"]
    most = max(row["n"] for row in rows)
    last = {row["name"]: row for row in rows if row["n"] == most}
    gain = {
        layout: last[f"{layout}, large pages"]["bodies_per_s"]
        / last[f"{layout}, pages of 4 kB"]["bodies_per_s"]
        for layout in BYTES
    }
    of_arrays = (
        last["arrays, large pages"]["bodies_per_s"] / last["structure, large pages"]["bodies_per_s"]
    )
    found = Sheet(
        "stream",
        f"{most / 1e6:g} million bodies: arrays {of_arrays:.1f} x a structure, large pages {gain['structure']:.1f} x",
        f"q += v dt, one thread; {study['machine']}",
        "GB/s: 80 bytes per body of a structure, read and written back whole; 36 of arrays. Medians of five rounds.",
    )
    for name in last:
        own = [row for row in rows if row["name"] == name]
        found.axes.plot(
            [row["n"] for row in own], [row["bytes_per_s"] / 1e9 for row in own], "o-", label=name
        )
    set_log_ticks(
        found.axes, (1000, 10000, 100000, 1000000), ("1000", "10 000", "100 000", "1 million")
    )
    found.axes.set_yscale("log")
    found.axes.set_xlabel("bodies")
    found.axes.set_ylabel("GB/s")
    set_round_ticks(found.axes.yaxis)
    found.name_lines()
    return found


def main(arguments):
    file = Path(arguments[0]) if arguments else RESULT
    compiler = output_of("c++", "c++", "--version").splitlines()[0]
    study = {
        "what": "a step without forces, part1/naive and part2/naive",
        "machine": f"{fields()['model name']}, {compiler}, {datetime.date.today()}",
        "summary": measure(),
    }
    file.write_text(json.dumps(study, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
