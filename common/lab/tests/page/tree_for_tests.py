"""A made-up lab in which everything of part 1 has been measured, and nothing of part 2; no figure belongs to a real
machine."""

import json
import math
import os
import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from nbody_lab import ROOT
from nbody_lab.bound.speed import Speed, with_speed
from nbody_lab.bound.work import Work
from nbody_lab.core.bound_file import Bound
from nbody_lab.core.model import LabModel
from nbody_lab.core.results import Ceilings, Price
from nbody_lab.notebook.columns import Row
from nbody_lab.notebook.kept_results import FunctionShare, Profile, Record, Verdict, seal_of
from nbody_lab.notebook.notebook import Notebook, save
from nbody_lab.notebook.results import Case
from nbody_lab.page.render import write_page
from nbody_lab.worksheet.sheet import KeptSheet, Line, State
from tests.bound.bounds_for_tests import make_bound, make_loop
from tests.draw.runs_for_tests import RunFolder, circle
from tests.page.page_reader import Page
from tests.roofline.roofline_for_tests import (
    FUSED,
    NAIVE,
    NEWTON,
    THIRD_LAW,
    ceilings_of_processor,
    roofline_json,
)

FOLDER = "part1_standard_opti"
EVIL = "<script>alert(\"idea\")</script> & 'quotes' </script> <!-- ]]>"
POINTS = (
    ("naive", "naive", NAIVE, "scalar", 1.05e8),
    ("mine", "mine", FUSED, "scalar", 3.4e8),
    ("third_law", "rung", THIRD_LAW, "scalar", 4.5e8),
    ("newton", "rung", NEWTON, "avx512f", 4e10),
)
_LOOP = ("mulps %xmm0,%xmm0", "addps %xmm3,%xmm0", "sqrtps %xmm0,%xmm4", "jne 1000 <f>")
_WORK = {
    "add or subtract": 3.01,
    "multiply": 3.0,
    "divide": 1.002,
    "square root": 1.0,
    "loads": 1.0,
}
_MANIFEST = (
    ("naive", "naive", "formulas, word for word", "-O3"),
    ("mine", "mine", EVIL, "-O3 -fopenmp"),
    ("mine_rows", "mine", "rows of `fused` in parallel", "-O3 -fopenmp"),
    ("third_law", "rung", "each pair once", "-O3"),
    ("nobody", "rung", "of which nothing is known", "-O3"),
)


def make_ceilings() -> Ceilings:
    """Includes a row that is no ceiling."""
    made = ceilings_of_processor()
    doubtful = {"is_ceiling": False, "why_not": "its repeats spread over 14 %", "spread": 0.14}
    *rows, last = made.ceilings
    prices = [
        Price.model_validate(
            {
                "operation": name,
                "precision": "float",
                "note": "",
                "there": True,
                "latency_cycles": {"median": latency},
                "one_every_cycles": {"median": every},
            }
        )
        for name, latency, every in (("add", 4.0, 0.5), ("divide", 11.2, 3.0))
    ]
    facts = {"l2_bytes": 2 << 20, "l3_bytes": 480 << 20, "hardware_threads": 2}
    return made.model_copy(
        update={
            "ceilings": (*rows, last.model_copy(update=doubtful)),
            "prices": tuple(prices),
            "machine": made.machine.model_copy(update=facts),
        }
    )


def make_part_bound(name: str, share: float) -> Bound:
    """Of a loop of four interactions per iteration; without a share, its chain takes longer than its ports."""
    made = make_bound(
        name,
        replace(make_loop(*_LOOP), instruction_set="sse2", lanes=4, roots=4),
        interactions=4,
        work=Work(_WORK),
        part="part1",
        ports={"0": 8.0, "1": 6.5, "4": 0.0, "5": 8.0},
        chain_cycles=4.0 if share else 11.0,
    )
    clock_hz = 2.9e9
    measured = share * clock_hz / made.cycles_per_interaction if share else None
    return with_speed(made, Speed(clock_hz, measured))


def make_attempts() -> Iterable[Row]:
    texts: tuple[tuple[Any, ...], ...] = (
        (EVIL, 1.5, 1.41, "naive", 1.41, "as expected"),
        ("sums in locals, and a long idea: " + "words " * 12, 3.0, 1.2, "1", 1.72, "no difference"),
        ('=1+1, "quoted"', 2.0, None, "2", None, "wrong: a body is missing"),
    )
    for number, (idea, expected, measured, against, times, verdict) in enumerate(texts, 1):
        yield Row(
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
            threads=2,
            verdict=verdict,
            precision="float",
        )


_LINES = (
    Line("1", "Who are you? " + EVIL, "text", EVIL, State.NOTED),
    Line("2", "Additions per interaction", "exact", "11", State.WRONG, "too many"),
    Line("2", "Operations, all", "exact", "19", State.WRONG, "too many", is_sum=True),
    Line("3", "Which loop takes longest?", "choice", "b", State.HIDDEN),
    Line("4", "Loads per interaction", "exact"),
)


class Tree:
    """A lab in the folder `root`, at first as after a clone."""

    def __init__(self, root: Path) -> None:
        self.root = root
        ignore = shutil.ignore_patterns("notebook*", "NOTEBOOK*")
        shutil.copytree(ROOT / FOLDER, root / FOLDER, ignore=ignore)
        self.write("part2_vectorization/README.md", "# Part 2: `vectorisation`\n")

    def write(self, name: str, content: str | LabModel | dict[str, Any]) -> None:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, LabModel):
            content = content.model_dump(mode="json")
        file.write_text(content if isinstance(content, str) else json.dumps(content))

    def page(self, *parts: str) -> Page:
        file = self.root / "report.html"
        write_page(self.root, file, parts or ("part1", "part2"))
        page = Page(file.read_text(encoding="utf-8"))
        assert page.faults == []
        return page

    def sealed(self, name: str = "mine") -> dict[str, str]:
        source = f"{FOLDER}/{name}.hpp"
        return {"source": source, "source_sha256": seal_of(self.root / source)}

    def keep(self, kind: type[Record], file: str, source: str = "mine", **found: Any) -> None:
        date = "2026-11-22T17:05:12+0100"
        record = kind(**self.sealed(source), date=date, part="part1", **found)
        self.write(f"build/{file}.json", record)

    def keep_verdict(self, name: str, verdict: str = "passed", **more: Any) -> None:
        found = {
            "verdict": verdict,
            "as_expected": verdict == "passed",
            "worst_share_of_limit": 0.27,
            "tolerance": "standard",
            "precision": "float",
            "options": [],
            "cases": 123,
            "failed": 0,
            "examples": [],
        }
        self.keep(Verdict, f"verdicts/part1_{name}", name, name=name, **{**found, **more})

    def write_manifest(self) -> None:
        rows = []
        for name, kind, summary, flags in _MANIFEST:
            source = f"{FOLDER}/{name}.hpp"
            (self.root / source).touch()
            row = {"part": "part1", "name": name, "kind": kind, "summary": summary}
            rows.append({**row, "flags": flags.split(), "source": source})
        parts = [{"name": "part1", "device": "cpu"}]
        content = {"version": 2, "parts": parts, "implementations": rows}
        self.write("build/release/manifest.json", content)

    def write_benches(self, without: str = "mine") -> None:
        """Those of the documents; in the ladder a rung plays the student."""
        for k, name in enumerate(("part1_sizes", "part1_threads", "part1_ladder_1_thread")):
            text = (ROOT / f"data/results/{name}.json").read_text(encoding="utf-8")
            result = json.loads(text)
            rows = [row for row in result["summary"] if row["name"] not in ("mine", without)]
            result["summary"] = rows
            file = f"build/pictures/2026-11-22_17000{k}_part1/result.json"
            self.write(file, json.dumps(result).replace('"private_cyclic"', '"mine"'))
            os.utime(self.root / file, (1e9 + k, 1e9 + k))

    def write_run(self) -> None:
        """Three bodies that circle."""
        files = RunFolder(self.root / "data/out", "three")
        files.folder.mkdir(parents=True)
        for k in range(0, 60, 2):
            sun = circle(0.05, 0.1 * k + math.pi, 10.0)
            files.write(k, [sun, circle(1.0, 0.1 * k), circle(1.6, 0.05 * k)])

    def measure(self) -> "Tree":
        """Writes every kind of result; the source of naive changes after its check."""
        self.write_manifest()
        self.write("build/ceilings.json", make_ceilings().as_json())
        self.write("build/roofline/part1.json", roofline_json(POINTS))
        both = roofline_json(POINTS[:2], threads=2)
        self.write("build/roofline/part1_all_threads.json", both)
        double = roofline_json(POINTS[:1], precision="double")
        self.write("build/roofline/part1_double.json", double)
        self.write("build/bound/part1_mine.json", make_part_bound("mine", 0.92).to_json())
        self.write("build/bound/part1_naive.json", make_part_bound("naive", 0).to_json())
        self.write_benches()
        case = Case(group="forces", scene="giant", n=7, verdict="failed", diagnosis=EVIL)
        self.keep_verdict("naive")
        self.keep_verdict("mine", options=["--largest", "129"])
        self.keep_verdict("mine_rows", "FAILED", failed=4, examples=[case])
        times = (("Naive::compute_accelerations()", 0.81, 2.4, 1), ("hardly any", 0, 0, 2))
        shares = [
            FunctionShare(function=name, share=share, seconds=seconds, calls_per_iteration=calls)
            for name, share, seconds, calls in times
        ]
        about = {"name": "naive", "bodies": 1500, "iterations": 25, "rows": shares}
        self.keep(Profile, "profile_lines/part1_naive", "naive", **about)
        with (self.root / FOLDER / "naive.hpp").open("a") as stream:
            stream.write("// changed since\n")
        book = Notebook()
        for row in make_attempts():
            book = book.with_row(row)
        save(self.root / FOLDER, book)
        self.keep(KeptSheet, "worksheets/part1", "worksheet", authors="nobody", lines=_LINES)
        self.write_run()
        return self
