"""A made-up lab for tests in which everything has been measured; the figures belong to no real machine."""

import json
import math
import os
import shutil
import tempfile
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.bound.machine_code import HotLoop
from nbody_lab.bound.machine_loops import Instruction
from nbody_lab.bound.speed import Speed, with_speed
from nbody_lab.bound.work import Work
from nbody_lab.notebook.columns import NAMES
from nbody_lab.notebook.kept_results import seal_of
from tests.bound.bounds_for_tests import make_bound
from tests.draw.runs_for_tests import circle
from tests.roofline.roofline_for_tests import (
    FUSED,
    NAIVE,
    NEWTON,
    THIRD_LAW,
    ceilings_of_processor,
)
from tests.roofline.roofline_for_tests import roofline_json as roofline

LAB = ROOT

FOLDER = "part1_standard_opti"
EVIL = "<script>alert(\"idea\")</script> & 'quotes' </script> <!-- ]]>"
DATE = "2026-11-22T17:05:12+0100"


def ceilings():
    """Includes a row that is not a ceiling."""
    made = ceilings_of_processor().as_json()
    made["ceilings"][-1].update(
        is_ceiling=False, why_not="its repeats spread over 14 %", spread=0.14
    )
    prices = [
        {
            "operation": name,
            "precision": precision,
            "note": "",
            "there": True,
            "latency_cycles": {"median": latency, "spread": 0.01},
            "one_every_cycles": {"median": every, "spread": 0.01},
        }
        for precision in ("float", "double")
        for name, latency, every in (
            ("add", 4.0, 0.5),
            ("divide", 11.2, 3.0),
            ("square root", 12.1, 3.02),
        )
    ]
    return {
        **made,
        "prices": prices,
        "machine": {
            "cpu": "A made-up processor",
            "virtual_machine": True,
            "cores": 2,
            "hardware_threads": 2,
            "processor_quota": 0,
            "l1d_bytes": 49152,
            "l2_bytes": 2097152,
            "l3_bytes": 503316480,
            "simd": "SSE2, AVX2, AVX-512",
            "compiler": "g++ 12.2.0",
            "system": "Linux, made up",
        },
    }


POINTS = (
    ("naive", "naive", NAIVE, "scalar", 1.05e8),
    ("mine", "mine", FUSED, "scalar", 3.4e8),
    ("third_law", "rung", THIRD_LAW, "scalar", 4.5e8),
    ("newton", "rung", NEWTON, "avx512f", 4e10),
)


LOOP = HotLoop(
    "compute_accelerations",
    [
        Instruction(0x1000 + 4 * k, text)
        for k, text in enumerate(
            (
                "movups (%rax,%rdx,4),%xmm0",
                "subps %xmm1,%xmm0",
                "movaps %xmm0,%xmm2",
                "mulps %xmm0,%xmm0",
                "addps %xmm3,%xmm0",
                "sqrtps %xmm0,%xmm4",
                "mulps %xmm2,%xmm4",
                "mulps %xmm5,%xmm4",
                "addps %xmm4,%xmm6",
                "add $0x4,%rdx",
                "cmp %rdx,%rcx",
                "jne 1000 <compute_accelerations>",
            )
        )
    ],
    "sse2",
    4,
    4,
    [],
    [],
)
WORK = {
    "add or subtract": 3.01,
    "multiply": 3.0,
    "multiply and add": 0.0,
    "divide": 1.002,
    "square root": 1.0,
    "estimate of 1/sqrt": 0.0,
    "loads": 1.0,
    "stores": 0.0,
}


def bound(name, share):
    """As ./lab bound writes it, for a loop of four interactions per iteration; without a share its chain is too long."""
    made = make_bound(
        name,
        LOOP,
        interactions=4,
        work=Work(WORK),
        part="part1",
        ports={"0": 8.0, "1": 6.5, "4": 0.0, "5": 8.0},
        chain_cycles=4.0 if share else 11.0,
        chain=["addps %xmm4,%xmm6"],
    )
    clock = 2.9e9
    measured = share * clock / made.cycles_per_interaction if share else None
    return json.loads(with_speed(made, Speed(clock, measured)).to_json())


class Tree:
    """A temporary lab in the folder `root`, until close()."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        shutil.copytree(
            LAB / FOLDER,
            self.root / FOLDER,
            ignore=shutil.ignore_patterns("notebook*", "NOTEBOOK*"),
        )
        (self.root / "part2_vectorization").mkdir()
        (self.root / "part2_vectorization/README.md").write_text("# Part 2: vectorisation\n")

    def close(self):
        self.folder.cleanup()

    def write(self, name, data):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")

    def record(self, file, what, source, **found):
        seal = seal_of(self.root / source)
        self.write(
            file,
            {
                "what": what,
                "version": 1,
                "date": DATE,
                "source": source,
                "source_sha256": seal,
                **found,
            },
        )

    def measured(self):
        """Writes all possible measurements."""
        self.manifest()
        self.write("build/ceilings.json", ceilings())
        self.write("build/roofline/part1.json", roofline(POINTS))
        self.write("build/roofline/part1_all_threads.json", roofline(POINTS[:2], threads=2))
        self.write("build/roofline/part1_double.json", roofline(POINTS[:1], precision="double"))
        self.write("build/bound/part1_mine.json", bound("mine", 0.92))
        self.write("build/bound/part1_naive.json", bound("naive", 0))
        self.benches()
        self.verdicts()
        self.notebook()
        self.worksheet()
        self.run_with_orbits()
        return self

    def manifest(self):
        def row(name, kind, summary, flags):
            (self.root / FOLDER / f"{name}.hpp").touch()
            return {
                "part": "part1",
                "name": name,
                "kind": kind,
                "summary": summary,
                "flags": flags.split(),
                "source": f"{FOLDER}/{name}.hpp",
            }

        self.write(
            "build/release/manifest.json",
            {
                "version": 2,
                "parts": [{"name": "part1", "device": "cpu"}],
                "implementations": [
                    row("naive", "naive", "formulas, word for word", "-O3"),
                    row("mine", "mine", EVIL, "-O3 -fopenmp"),
                    row("mine_rows", "mine", "rows in parallel", "-O3 -fopenmp"),
                    row("third_law", "rung", "each pair once", "-O3"),
                    row("nobody", "rung", "of which nothing is known", "-O3"),
                ],
            },
        )

    def benches(self, without="mine"):
        """Writes the benches of the documents; in the ladder a rung plays the student, without a row of the student's
        own."""
        for k, name in enumerate(("part1_sizes", "part1_threads", "part1_ladder_1_thread")):
            result = json.loads((LAB / f"data/results/{name}.json").read_text(encoding="utf-8"))
            result["summary"] = [
                row for row in result["summary"] if row["name"] not in ("mine", without)
            ]
            for row in result["summary"]:
                row["name"] = "mine" if row["name"] == "private_cyclic" else row["name"]
                row["parent"] = (
                    "mine" if row.get("parent") == "private_cyclic" else row.get("parent", "")
                )
            file = f"build/pictures/2026-11-22_17000{k}_part1/result.json"
            self.write(file, result)
            os.utime(self.root / file, (1e9 + k, 1e9 + k))

    def verdicts(self):
        case = {
            "group": "forces",
            "scene": "giant",
            "n": 7,
            "seed": 2,
            "error": 1e-3,
            "limit": 1e-5,
            "detail": "body 3",
            "diagnosis": EVIL,
        }
        for name, verdict, options in (
            ("naive", "passed", []),
            ("mine", "passed", ["--largest", "129"]),
            ("mine_rows", "FAILED", []),
        ):
            bad = verdict == "FAILED"
            self.record(
                f"build/verdicts/part1_{name}.json",
                "verdict",
                f"{FOLDER}/{name}.hpp",
                part="part1",
                name=name,
                verdict=verdict,
                as_expected=not bad,
                worst_share_of_limit=0.27,
                tolerance="standard",
                precision="float",
                options=options,
                cases=123,
                failed=4 if bad else 0,
                examples=[case] if bad else [],
            )
        with open(self.root / FOLDER / "naive.hpp", "a", encoding="utf-8") as stream:
            stream.write("// changed since\n")
        self.record(
            "build/profile_lines/part1_naive.json",
            "profile",
            f"{FOLDER}/naive.hpp",
            part="part1",
            name="naive",
            bodies=1500,
            iterations=25,
            rows=[
                {
                    "function": "nbody::Naive::compute_accelerations()",
                    "share": 0.81,
                    "seconds": 2.4,
                    "calls_per_iteration": 1.0,
                },
                {
                    "function": "std::vector<Body>::operator[]",
                    "share": 0.19,
                    "seconds": 0.57,
                    "calls_per_iteration": 0,
                },
                {
                    "function": "hardly any",
                    "share": 0.0,
                    "seconds": 0.0,
                    "calls_per_iteration": 2.0,
                },
            ],
        )

    def notebook(self):
        rows = [dict.fromkeys(NAMES, "") for _ in range(3)]
        texts = (
            (1, EVIL, 1.5, 1.41, "naive", 1.41, "as expected"),
            (
                2,
                "sums in locals, and a rather long idea: " + "words " * 12,
                3.0,
                1.2,
                "1",
                1.72,
                "less than expected",
            ),
            (3, '=1+1, "quoted"', 2.0, "", "2", "", "wrong: a body is missing"),
        )
        for row, (number, idea, expected, measured, against, times, verdict) in zip(rows, texts):
            row.update(
                row=number,
                date="2026-11-22",
                name="mine",
                idea=idea,
                expected=expected,
                measured=measured,
                against=against,
                times_naive=times,
                interactions_per_s=times and 1.74e8 * times,
                spread=0.04,
                n=5000,
                threads="2",
                verdict=verdict,
                step="adaptive",
                scene="plummer",
                precision="float",
                flags="-O3",
                source=f"notebook/00{number}_mine.hpp",
            )
        quoted = "\n".join(
            ",".join('"' + str(row[name]).replace('"', '""') + '"' for name in NAMES)
            for row in rows
        )
        self.write(f"{FOLDER}/notebook.csv", ",".join(NAMES) + "\n" + quoted + "\n")

    def worksheet(self):
        lines = [
            {
                "number": "1",
                "question": "Who are you? " + EVIL,
                "kind": "text",
                "answer": EVIL,
                "state": "noted",
                "words": "",
                "points": 1,
            },
            {
                "number": "2",
                "question": "Additions and subtractions per interaction",
                "kind": "exact",
                "answer": "11",
                "state": "wrong",
                "words": "too many",
                "points": 1,
            },
            {
                "number": "3",
                "question": "Which loop takes longest?",
                "kind": "choice",
                "answer": "b",
                "state": "answered",
                "words": "",
                "points": 1,
            },
            {
                "number": "4",
                "question": "Loads per interaction",
                "kind": "exact",
                "answer": "",
                "state": "unanswered",
                "words": "",
                "points": 1,
            },
        ]
        self.record(
            "build/worksheets/part1.json",
            "worksheet",
            f"{FOLDER}/worksheet.hpp",
            part="part1",
            authors="nobody",
            lines=lines,
        )

    def run_with_orbits(self):
        for k in range(0, 60, 2):
            bodies = [
                circle(0.05, 0.1 * k + math.pi, 10.0),
                circle(1.0, 0.1 * k),
                circle(1.6, 0.05 * k),
            ]
            rows = "\n".join(" ".join(repr(float(number)) for number in body) for body in bodies)
            self.write(
                f"data/out/three.{k}.dat",
                f"# nbody-lab: G=1 soft=0 dt=0.5 mdt=0 time={0.5 * k!r}\n3\n{rows}\n",
            )
