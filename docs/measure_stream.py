"""Bodies that no force moves: what a step costs the memory alone. Measures data/results/stream.json; draw_pictures.py
draws it.

    measure_stream.py [--quick] [FILE.json]     two minutes on a quiet machine; --quick: one round

Builds docs/stream.cpp, the drift of both parts with one thread and with all. Rounds are interleaved. With large pages the C
library asks for pages of 2 MB (GLIBC_TUNABLES), so that few entries of the TLB reach all bodies. The ceilings are those of
data/results/ceilings_xeon.json, if it is of this processor: two loads and a store, as here.
"""

import datetime
import json
import os
import statistics
import sys
from itertools import product
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.building.cpuinfo import QUIET, busy_cores, fields
from nbody_lab.core.run import Step, output_of

RESULT = ROOT / "data/results/stream.json"
CEILINGS = ROOT / "data/results/ceilings_xeon.json"
SIZES = [digit * 10**k for k in (3, 4, 5, 6) for digit in (1, 2, 5)] + [10**7]
# Read and written of a body: a structure of ten floats whole; nine floats of arrays.
BYTES = {"structure": 80, "arrays": 36}
PAGES = {"pages of 4 kB": {}, "large pages": {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}}
ROUNDS = 5
BUILD = "c++ -std=c++20 -O3 -fopenmp -I common docs/stream.cpp -o build/stream"


def speeds(layout, pages, n):
    """Bodies per second: {threads: speed}."""
    settings = [f"{name}={value}" for name, value in PAGES[pages].items()]
    said = output_of("stream", "env", *settings, ROOT / "build/stream", layout, str(n))
    return dict(zip((1, os.cpu_count()), map(float, said.split())))


def measure(rounds):
    found = {}
    runs = list(product(range(rounds), SIZES, BYTES, PAGES))
    with Step("measuring streams") as step:
        for number, (_, n, layout, pages) in enumerate(runs):
            step.hear(f"[{number}/{len(runs)}]")
            for threads, speed in speeds(layout, pages, n).items():
                found.setdefault((n, layout, pages, threads), []).append(speed)
    return [
        {
            "name": f"{layout}, {pages}",
            "n": n,
            "threads": threads,
            "bodies_per_s": statistics.median(of_rounds),
            "rounds": of_rounds,
            "bytes_per_s": statistics.median(of_rounds) * BYTES[layout],
        }
        for (n, layout, pages, threads), of_rounds in found.items()
    ]


def ceilings():
    """Of each level of this processor that has one, with one thread and with all."""
    known = json.loads(CEILINGS.read_text(encoding="utf-8"))
    if known["machine"]["cpu"] != fields()["model name"]:
        return []
    return [
        {key: one[key] for key in ("level", "threads", "name")} | {"bytes_per_s": one["best"]}
        for one in known["ceilings"]
        if one["operation"] == "triad" and one["lanes"] == 16 and one["is_ceiling"]
    ]


def sheet(study):
    """Bytes per second against the number of bodies, beside the ceilings; a panel for each number of threads."""
    from nbody_lab.draw.sheet import Sheet, set_log_ticks, set_round_ticks
    from nbody_lab.draw.theme import SOFT

    rows = study["summary"]
    most = max(row["n"] for row in rows)
    last = {row["name"]: row for row in rows if (row["n"], row["threads"]) == (most, 1)}
    gain = {
        layout: last[f"{layout}, large pages"]["bodies_per_s"]
        / last[f"{layout}, pages of 4 kB"]["bodies_per_s"]
        for layout in BYTES
    }
    of_arrays = (
        last["arrays, large pages"]["bodies_per_s"] / last["structure, large pages"]["bodies_per_s"]
    )
    counts = sorted({row["threads"] for row in rows})
    found = Sheet(
        "stream",
        f"{most / 1e6:g} million bodies, one thread: arrays {of_arrays:.1f} x a structure; large pages gain: "
        f"arrays {gain['arrays']:.1f} x, a structure {gain['structure']:.1f} x",
        "",
        f"q += v dt; {study['machine']}; medians of {len(rows[0]['rounds'])} rounds. GB/s: 80 bytes per body of a structure, "
        "read and written back whole; 36 of arrays. Dotted: ceilings, AVX-512, two loads and a store.",
        columns=len(counts),
        width=900 if len(counts) == 1 else 1100,
        sharey=True,
    )
    for axes, threads in zip(found.all_axes, counts):
        axes.set_title("one thread" if threads == 1 else f"{threads} threads")
        for name in last:
            own = [row for row in rows if (row["name"], row["threads"]) == (name, threads)]
            speeds_gb = [row["bytes_per_s"] / 1e9 for row in own]
            axes.plot([row["n"] for row in own], speeds_gb, "o-", label=name)
        for one in study["ceilings"]:
            if one["threads"] == threads:
                gb_per_s = one["bytes_per_s"] / 1e9
                axes.axhline(gb_per_s, color=SOFT, linestyle=":")
                look = {"xycoords": ("axes fraction", "data"), "fontsize": 10, "color": SOFT}
                axes.annotate(one["level"], (1.01, gb_per_s), va="center", **look)
        ticks = {
            10**3: "1000",
            10**4: "10 000",
            10**5: "100 000",
            10**6: "1 million",
            10**7: "10 million",
        }
        set_log_ticks(axes, [n for n in ticks if n <= most], [ticks[n] for n in ticks if n <= most])
        axes.set_yscale("log")
        axes.set_xlabel("bodies")
        set_round_ticks(axes.yaxis)
    found.axes.set_ylabel("GB/s")
    found.axes.legend(
        loc="lower left", frameon=True, facecolor="white", edgecolor="none", framealpha=1
    )
    return found


def main(arguments):
    rounds = 1 if "--quick" in arguments else ROUNDS
    files = [Path(word) for word in arguments if word != "--quick"]
    compiler = output_of("c++", "c++", "--version").splitlines()[0]
    output_of("build of stream", "sh", "-c", f"cd '{ROOT}' && {BUILD}")
    busy = ", busy" if busy_cores() > QUIET else ""
    study = {
        "what": "a step without forces, docs/stream.cpp: an array of structures (part 1) and arrays (part 2)",
        "build": BUILD,
        "machine": f"{fields()['model name']}{busy}, {compiler}, {datetime.date.today()}",
        "summary": measure(rounds),
        "ceilings": ceilings(),
    }
    (files or [RESULT])[0].write_text(json.dumps(study, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
