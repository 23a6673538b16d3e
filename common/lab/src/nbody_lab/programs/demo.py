"""The whole lab at a glance: every implementation of part 1 simulates a year of the solar system, is checked, and is
timed."""

from __future__ import annotations

import math
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from nbody_lab.core.messages import stop
from nbody_lab.core.running import SHORT_SPINS, result_of
from nbody_lab.core.screen import table, wrapped
from nbody_lab.core.speeds import has_speed, ratio_of, speed_of, spread_of
from nbody_lab.export.body_text import BadFile, numbers_in

BODIES = 2000
LARGEST_CHECKED = 1100  # a first look
EARTH = 3  # of data/in/solar_system.dat: Sun, Mercury, Venus, Earth, ...
HOURS = 8766  # of a year: its steps
TRUTH = "bin/part1/naive_double"

NEXT = """
What to do first:
  1. ./lab run part1 naive -f data/in/8bodies.dat -i 20 -v   watch it work
  2. read part1_standard_opti/README.md                      the exercise
  3. edit part1_standard_opti/mine.hpp                       your version
  4. ./lab check part1 mine                                  is it still right?"""


@dataclass
class Row:
    name: str
    missing: str = ""  # why it is neither checked nor timed
    earth_error: float = math.inf  # relative to its way; infinity without an answer
    checked: dict | None = None
    timed: dict | None = None


def earth_in(file):
    """(its position, m, and its velocity, m/s) in a body file."""
    words = numbers_in(Path(file).read_bytes())
    if words is None or len(words) < 8 * (EARTH + 1):
        raise BadFile(
            f"{file}: no body file with the Earth as its body {EARTH + 1}: leave out --data, or name a folder with that file"
        )
    numbers = [float(word) for word in words[8 * EARTH : 8 * (EARTH + 1)]]
    return numbers[2:5], numbers[5:8]


def earth_after_a_year(program, solar_system, folder):
    """Where the program's Earth is after a year in steps of an hour; None: it gives no answer."""
    base = Path(folder) / program.name
    words = [program, "-f", solar_system, "-i", HOURS, "-w", base, "--every", HOURS, "--nv"]
    try:
        subprocess.run(
            [str(word) for word in words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=60,
            check=True,
        )
        return earth_in(f"{base}.{HOURS}.dat")[0]
    except (subprocess.SubprocessError, OSError, BadFile):
        return None


def way_of_earth(solar_system):
    """How far it goes in a year, m: at its speed at the start."""
    return math.hypot(*earth_in(solar_system)[1]) * HOURS * 3600


def rows_of(lab):
    """Those of part 1; others still run if a student's header did not compile."""
    rows = [
        Row(row["name"], "" if (lab.build / row["program"]).exists() else "not built")
        for row in lab.rows(part="part1")
    ]
    if not rows or rows[0].name != "naive" or rows[0].missing:
        stop("the naive simulator of part 1 is not built: run ./lab build part1")
    return rows


def measure(lab, rows, solar_system, json_file):
    """Fills in the rows. Returns bench's context."""
    built = [row for row in rows if not row.missing]
    names = [row.name for row in built]
    with tempfile.TemporaryDirectory() as folder:
        truth, way = (
            earth_after_a_year(lab.build / TRUTH, solar_system, folder),
            way_of_earth(solar_system),
        )
        for row in built:
            earth = earth_after_a_year(lab.build / "bin/part1" / row.name, solar_system, folder)
            row.earth_error = math.dist(earth, truth) / way if earth and truth else math.inf
        checked = result_of(
            [
                lab.build / "bin/check",
                "part1",
                *names,
                "--no-double",
                "--largest",
                LARGEST_CHECKED,
                "--manifest",
                lab.manifest,
            ],
            Path(folder) / "check.json",
            **SHORT_SPINS,
        )
        timed = result_of(
            [
                lab.build / "bin/bench",
                "part1",
                *names,
                "-n",
                BODIES,
                "--threads",
                len(os.sched_getaffinity(0)),
                "--manifest",
                lab.manifest,
            ],
            json_file or Path(folder) / "bench.json",
        )
    by_name = {found["name"]: found for found in checked["implementations"]}
    times = {found["name"]: found for found in timed["summary"]}
    for row in built:
        row.checked, row.timed = by_name[row.name], times.get(row.name)
        if not row.checked["cases"]:
            row.missing = row.checked["verdict"]
    return timed["context"]


def cells_of(row, naive):
    if row.missing:
        return [row.name, *[""] * 6, f"skipped: {row.missing}"]
    verdict = row.checked["verdict"]
    if not row.timed or not has_speed(row.timed):
        return [row.name, *[""] * 6, f"{verdict}; not timed"]
    if row.checked["as_expected"] and row.timed["verdict"] not in ("right", "wrong, as expected"):
        verdict = "FAILED while timed"
    ratio = ratio_of(row.timed, naive.timed)
    return [
        row.name,
        f"{speed_of(row.timed) / 1e9:.3f}",
        f"{100 * spread_of(row.timed):.0f} %",
        f"{ratio:.2f}" if ratio else "",
        f"{row.timed['error']:.1e}",
        f"{row.timed['limit']:.0e}",
        f"{row.earth_error:.1e}",
        verdict,
    ]


def note_lines(rows):
    for row in rows:
        if row.timed and not has_speed(row.timed):
            yield from wrapped(f"  {row.name} not timed: {row.timed['verdict']}", indent="    ")
    if any(row.timed and row.timed["busy_machine"] for row in rows):
        yield "  the machine is busy: ratios mean little now; run again when it is quiet"
    for row in rows:
        if row.checked and row.checked["sentence"]:
            yield ""
            yield from wrapped(f"  {row.name}: {row.checked['sentence']}", indent="    ")


def lines_of(rows, context):
    titles = [
        "implementation",
        ">10^9/s",
        ">spread",
        ">x naive",
        ">worst error",
        ">limit",
        ">Earth off by",
        "verdict",
    ]
    yield "All-pairs gravity, part 1\n"
    yield table(titles, [cells_of(row, rows[0]) for row in rows], indent="  ")
    yield from note_lines(rows)
    yield f"""
  Median and middle half of interleaved repeats at N = {BODIES} (Plummer sphere, float), on
  {context["cpu"]}.
  10^9/s        interactions per second
  worst error   |a - a_ref| / sum |a_ij| at the end of timed requests, beside its limit
  Earth off by  after a year of the Sun, eight planets and the Moon in steps of an hour:
                distance to where naive's Earth is in double, as part of the way it went
  verdict       of {len(rows[0].checked["cases"])} cases: forces, exact cases, steps, adaptive step, energy, threads"""
    yield NEXT


def show(lab, data, json_file):
    """The demo's status: 1 if something is wrong that should be right."""
    rows = rows_of(lab)
    context = measure(lab, rows, Path(data) / "solar_system.dat", json_file)
    print("\n".join(lines_of(rows, context)), flush=True)
    return 0 if all(row.missing or row.checked["as_expected"] for row in rows) else 1
