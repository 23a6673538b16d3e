"""Starts the bench program: shows what it measures and writes its result to a file, or measures a few programs as a step."""

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.building.lab import Lab
from nbody_lab.core.console import show
from nbody_lab.core.model import load
from nbody_lab.core.run import capture, run_program
from nbody_lab.core.turns import turn
from nbody_lab.core.whole_file import write_bytes
from nbody_lab.measure.bench_file import BenchResult, read_result
from nbody_lab.measure.bench_text import bench_text


def run_bench(
    lab: Lab, names: Sequence[str], options: Sequence[str], hidden: Sequence[str], file: Path
) -> int:
    """Measures programs that are built; returns the status of bench. The counts of those in `hidden`
    are not shown. After Ctrl-C or SIGTERM, with which a batch system ends a job, shows and writes
    what was measured until then."""
    git = ("git", "-C", ROOT, "describe", "--always", "--dirty")
    revision = capture(*git).stdout.strip() if shutil.which("git") else ""
    words: list[object] = [*names, "--manifest", lab.manifest, "--revision", revision]
    if gpu := lab.demand_gpu():
        peak = lab.gpus()[0].peaks.get("float")
        words += ["--device", gpu, *(["--device-peak", f"{peak:.6g}"] if peak else [])]
    if hidden:
        words += ["--hide-counts", ",".join(hidden)]
    lab.unlock()
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "result.json"
        argv = [lab.build_dir / "bin/bench", lab.part, *words, *options, "--progress"]
        with turn(f"{lab.part} with ./lab bench"):
            status = run_program([*argv, "--json", written], "bench", "", f"measuring {lab.part}")
        if written.exists():
            show(bench_text(read_result(written)))
            write_bytes(file, written.read_bytes())
    return status


def bench_result(lab: Lab, names: Sequence[str], *options: object) -> BenchResult:
    """What bench measures. Wrong results do not stop it: their row says so. Raises BuildFailed."""
    label = f"measuring {len(names)} program{'s' if len(names) > 1 else ''} of {lab.part}"
    words = [
        lab.build_dir / "bin/bench",
        lab.part,
        *names,
        "--progress",
        "--manifest",
        lab.manifest,
    ]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bench.json"
        with turn(lab.part):
            measured = lab.works(label, *words, *options, "--json", file)
        if not measured and not file.exists():
            raise lab.failure()
        return load(BenchResult, file)


def busy_words(names: Sequence[str]) -> str:
    """A sentence about what was timed on a busy machine; empty without names."""
    if not names:
        return ""
    return (
        f"the machine was busy, so {', '.join(names)} may be faster: measure again when it is quiet"
    )
