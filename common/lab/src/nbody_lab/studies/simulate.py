"""./lab simulate: an implementation of part 4 on simulated clusters, by SimGrid's SMPI. Every figure is simulated.

The same header is compiled with common/mpi/simulated_main.cpp. Its messages travel through a model of a network, its
computation is charged at a given rate. Repeated runs agree to the last digit.
"""

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from nbody_lab.core import screen
from nbody_lab.core.messages import Failure, say, stop
from nbody_lab.core.steps import run_step
from nbody_lab.core.whole_file import write_text
from nbody_lab.core.words import nearest, plain_name
from nbody_lab.draw import pictures
from nbody_lab.notebook import notebook
from nbody_lab.programs.ranks import has_ranks
from nbody_lab.workshop import ROOT

MAIN, CLUSTERS, PLACE = (
    ROOT / "common/mpi/simulated_main.cpp",
    ROOT / "common/mpi/clusters",
    ROOT / "build/simulated",
)
FLAGS = ("-O1", "-std=c++20", "-DLAB_REAL=float", "-DLAB_SIMULATED")
RUN = (
    "--cfg=smpi/simulate-computation:no",
    "--cfg=smpi/display-timing:no",
    "--log=root.thres:critical",
)
SPEED = 'speed="1Gf"'  # in a platform: replaced by the rate of a rank
USUAL_RATE, MOST_RANKS = 2.0, 256
HELP = f"""usage: ./lab simulate part4 NAME [options]

One iteration of NAME on a simulated cluster: how fast, and who waits for whom.

  --network X       gbe (Gigabit Ethernet, default), ib (InfiniBand), fat_tree, or a platform
                    FILE.xml of SimGrid whose hosts have speed="1Gf", replaced by the rate
  --ranks P,P,...   numbers of ranks, up to {MOST_RANKS} (default 1,4,16,64)
  -n N              bodies in all (strong scaling; default 65536)
  --per-rank N      bodies for one rank; sqrt(P) times as many for P ranks, so that each has as much
                    to compute
  --rate R          10^9 interactions/s per rank (default: your best of part 2, else {USUAL_RATE})
  --check           compute for real, 200 bodies, and compare with a direct sum

It writes build/simulated/NAME_NETWORK.json and, if plotting is installed, pictures beside it.
example: ./lab simulate part4 mine --network ib --ranks 1,16,256"""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        known = [word for action in self._actions for word in action.option_strings]
        stop(
            f"simulate: {message}{nearest(message.rpartition(' ')[2], known)}; see ./lab simulate -h"
        )


def parse(words):
    parser = Parser(add_help=False)
    parser.add_argument("name")
    parser.add_argument("--network", default="gbe")
    parser.add_argument("--ranks", default="1,4,16,64")
    sizes = parser.add_mutually_exclusive_group()
    sizes.add_argument("-n", dest="n", type=int, default=65536)
    sizes.add_argument("--per-rank", type=int)
    parser.add_argument("--rate", type=float)
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args(words)
    numbers = asked.ranks.split(",")
    if not all(word.isdigit() and 1 <= int(word) <= MOST_RANKS for word in numbers):
        stop(
            f"simulate: --ranks needs numbers from 1 to {MOST_RANKS}, for example 1,4,16; not '{asked.ranks}'"
        )
    asked.ranks = sorted(set(map(int, numbers)))
    for what, value in (("-n", asked.n), ("--per-rank", asked.per_rank)):
        if value is not None and not 1 <= value <= 10**7:
            stop(f"simulate: {what} needs a number of bodies from 1 to 10000000, not {value}")
    if asked.rate is not None and not 1e-3 <= asked.rate <= 1e6:
        stop(f"simulate: --rate needs 10^9 interactions/s, from 0.001 to 10^6, not {asked.rate:g}")
    return asked


def platform_of(network):
    """The text of a platform: a cluster of the lab, or the user's own file."""
    file = CLUSTERS / f"{network}.xml"
    if not re.fullmatch(r"\w+", network):
        file = Path(network)
    if not file.is_file():
        known = ", ".join(sorted(one.stem for one in CLUSTERS.glob("*.xml")))
        stop(
            f"simulate: there is no network '{network}': choose from {known}, or name a platform file of SimGrid"
        )
    text = file.read_text(encoding="utf-8", errors="replace")
    if SPEED not in text:
        stop(
            f"simulate: in {file} the hosts need {SPEED}, which is replaced by the rate of a rank (--rate)"
        )
    return text


def rate_of(asked):
    """(10^9 interactions/s, where it comes from)"""
    if asked.rate:
        return asked.rate, "as asked"
    folder = next(ROOT.glob("part2_*"), None)
    rows = notebook.right_rows(folder) if folder else []
    speeds = [
        row["interactions_per_s"] / 1e9
        for row in rows
        if row.get("threads") == 1 and row.get("interactions_per_s")
    ]
    return (
        (max(speeds), "your best of part 2")
        if speeds
        else (USUAL_RATE, "no row of part 2 in its notebook yet")
    )


def build(lab, name):
    """Compiles the program for SMPI every time: it takes a second."""
    try:
        subprocess.run(["smpicxx", "--version"], stdout=subprocess.DEVNULL, check=True)
    except (OSError, subprocess.CalledProcessError):
        stop("simulate: no SimGrid here: ./lab setup --mpi installs it")
    source, program = lab.source(name), PLACE / name
    if source.suffix == ".cuh":
        stop(
            f"simulate: {name} computes on GPUs, which SimGrid does not model; choose another implementation of part 4"
        )
    PLACE.mkdir(parents=True, exist_ok=True)
    xsimd = sorted((lab.build / "_deps").glob("xsimd*-src/include")) + sorted(
        (ROOT / "build/tools").glob("*/include")
    )
    includes = [
        f"-I{folder}" for folder in (ROOT / "common", source.parent, ROOT / "part4_mpi", *xsimd)
    ]
    machine = [flag for flag in lab.row(name)["flags"] if flag.startswith("-m")]
    words = [
        "smpicxx",
        *FLAGS,
        *machine,
        *includes,
        f'-DLAB_HEADER="{source}"',
        f"-DLAB_CLASS={lab.row(name)['class']}",
        MAIN,
        "-o",
        program,
    ]
    if run_step(
        f"building part4/{name} for SimGrid",
        [str(word) for word in words],
        PLACE / "build.log",
        ROOT,
    ):
        say(
            f"simulate: {name} does not compile for SimGrid; what the compiler said: {PLACE.relative_to(ROOT)}/build.log"
        )
        raise Failure(1)
    return program


def asked_of_smpi(program, platform, rate, ranks, *words):
    """The answer that rank 0 printed as JSON."""
    with tempfile.NamedTemporaryFile("w", suffix=".xml", encoding="utf-8") as file:
        file.write(platform.replace(SPEED, f'speed="{rate:g}Gf"'))
        file.flush()
        try:
            done = subprocess.run(
                [
                    "smpirun",
                    "-np",
                    str(ranks),
                    "-platform",
                    file.name,
                    *RUN,
                    str(program),
                    *map(str, words),
                ],
                capture_output=True,
                text=True,
                timeout=300,
                check=False,
            )
        except subprocess.TimeoutExpired:
            stop(f"simulate: {ranks} ranks gave no answer in 300 s: an endless loop?")
    line = next((line for line in done.stdout.splitlines() if line.startswith("{")), None)
    if not line and "Deadlock detected" in done.stderr + done.stdout:
        stop(f"simulate: deadlock on {ranks} ranks: each waits for a message that is never sent")
    if not line:
        told = (done.stderr + done.stdout).splitlines()
        said = next(
            (text for text in told if re.search("[Dd]eadlock|rror|fault|[Tt]runcat", text)),
            told[-1] if told else "no message",
        )
        stop(
            f"simulate: no answer on {ranks} ranks (status {done.returncode}): {said.strip()[:300]}; ./lab check may tell more"
        )
    answer = json.loads(line)
    if "seconds" in answer and not answer["spans"]:
        stop(
            "simulate: the program does not declare its work: put  if (!charged(rows * n))  around the loop, as in part4_mpi/naive.hpp"
        )
    return answer


def row_of(answer, rate):
    """The row for one number of ranks. `computing`: its share of the time, averaged over the ranks."""
    ends = iter(answer["spans"])
    spans = [[next(ends) for _ in range(count)] for count in answer["counts"]]
    busy = [sum(mine[1::2]) - sum(mine[::2]) for mine in spans]
    speed = answer["n"] ** 2 / answer["seconds"]
    return {
        "ranks": answer["ranks"],
        "n": answer["n"],
        "seconds": answer["seconds"],
        "interactions_per_s": speed,
        "efficiency": speed / (answer["ranks"] * rate * 1e9),
        "computing": sum(busy) / len(busy) / answer["seconds"],
        "spans": spans if answer["ranks"] <= 16 else [],
    }


def text_of(told):
    kind = (
        f"{told['per_rank']} bodies for one rank, sqrt(P) times as many for P ranks"
        if told["per_rank"]
        else f"{told['rows'][0]['n']} bodies"
    )
    table = screen.table(
        ("ranks", "bodies", "ms", "10^9/s", "efficiency", "computing"),
        [
            (
                str(row["ranks"]),
                str(row["n"]),
                f"{row['seconds'] * 1e3:.4g}",
                f"{row['interactions_per_s'] / 1e9:.4g}",
                f"{100 * row['efficiency']:.0f} %",
                f"{100 * row['computing']:.0f} %",
            )
            for row in told["rows"]
        ],
    )
    return (
        f"simulated: part4/{told['name']} on {told['network']}, {kind};\n"
        f"a rank computes {told['rate']:g} x 10^9 interactions/s ({told['rate_from']})\n\n{table}\n\n"
        "efficiency: relative to ranks that never wait; computing: its share of the time, the rest is sending and waiting"
    )


def simulate(lab, words):
    if not words or "-h" in words or "--help" in words:
        print(HELP)
        return 0
    asked = parse(lab.choose_part("simulate", words))
    platform = platform_of(asked.network)
    lab.begin()
    lab.demand_part()
    if not has_ranks(lab):
        stop(f"simulate: {lab.part} runs as one process; part 4 runs as several")
    name = plain_name(asked.name)
    lab.demand_name(name)
    program = build(lab, name)
    lab.unlock()
    if asked.check:
        return check(program, platform, name, asked.ranks)
    rate, rate_from = rate_of(asked)
    told = {
        "what": "simulated",
        "name": name,
        "network": Path(asked.network).stem,
        "rate": rate,
        "rate_from": rate_from,
        "per_rank": asked.per_rank,
        "rows": [],
    }
    for ranks in asked.ranks:
        n = round(asked.per_rank * math.sqrt(ranks)) if asked.per_rank else asked.n
        print(
            f"\rsimulating {ranks} ranks ...   " if sys.stderr.isatty() else "",
            end="",
            file=sys.stderr,
            flush=True,
        )
        told["rows"].append(row_of(asked_of_smpi(program, platform, rate, ranks, n), rate))
    print("\r" + " " * 40 + "\r" if sys.stderr.isatty() else "", end="", file=sys.stderr)
    print(text_of(told))
    file = PLACE / f"{name}_{told['network']}.json"
    write_text(file, json.dumps(told) + "\n")
    print(f"\n{file.relative_to(ROOT)}")
    if pictures.can_draw():
        pictures.draw("simulated", file, PLACE)
    return 0


def check(program, platform, name, numbers):
    """Computes for real on each number of ranks and compares; status 0 if all are right."""
    limit, good = 1e-5, True
    for ranks in numbers:
        error = asked_of_smpi(program, platform, 1, ranks, 200, "check")["worst_error"]
        good = good and error <= limit
        print(
            f"part4/{name} on {ranks} simulated ranks: worst error {error:.1e} of sum |a_ij|, limit {limit:.0e}: {'right' if error <= limit else 'WRONG'}"
        )
    return 0 if good else 1
