"""Makes data/references.json: the speed-up of each part's solution over its naive.

The ratios come from data/results; solutions given by --solutions-from are timed here. The last row of a ladder is the
solution.
"""

import json
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from nbody_lab.build.manifest import Manifest
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.model import load
from nbody_lab.core.tree_copy import copy_tree, link_tools
from nbody_lab.handout.references import Reference, References
from nbody_lab.measure.bench_file import BenchResult

_LADDERS = {
    "part1": ("part1_ladder_1_thread", "part1_ladder_2_threads", "part1_fixed_step"),
    "part2": ("part2_ladder_1_thread", "part2_ladder_2_threads"),
    "part3": ("part3_study_ladder",),
}
_BODIES, _THREADS = 5000, "1,2"
KEPT = "references.json"  # beside solutions kept elsewhere, so that they are timed only once


def _read_ratios(file: Path) -> list[Reference]:
    """For each number of threads and bodies."""
    bench = load(BenchResult, file)
    context = bench.context
    ladders: dict[tuple[int, int], dict[str, float]] = {}
    for row in bench.summary:
        if row.precision == "float" and row.speed:
            ladder = ladders.setdefault((row.threads, row.n), {})
            ladder[row.name] = row.interactions_per_s.median
    return [
        Reference(
            x_naive=round([*ladder.values()][-1] / ladder["naive"], 3),
            threads=0 if context.device else threads,
            bodies=bodies,
            step="adaptive" if context.adaptive else "fixed",
            machine=context.device.split(" (")[0] if context.device else context.cpu,
            compiler=context.compiler,
            day=context.day,
        )
        for (threads, bodies), ladder in ladders.items()
        if "naive" in ladder
    ]


def read_ladders(folder: Path, parts: Iterable[str]) -> References:
    """References from data/results; parts without a ladder there get none."""
    found = {}
    for part in parts:
        files = [folder / f"{name}.json" for name in _LADDERS.get(part, ())]
        rows = [row for file in files if file.exists() for row in _read_ratios(file)]
        if rows:
            found[part] = rows
    return References(parts=found)


def to_json(references: References) -> str:
    return json.dumps(references.model_dump(), indent=1) + "\n"


def _time_solution(tree: Path, part: str) -> list[Reference]:
    """Times naive and the last solution of a part in a tree with solutions; [] if it has none."""
    listed = subprocess.run([tree / "lab", "list", part], stdout=subprocess.DEVNULL, check=False)
    manifest = Manifest(tree / "build/release/manifest.json")
    solutions, about = manifest.of_part(part, "solution"), manifest.part(part)
    if listed.returncode != 0 or not solutions or not about or about.device == "gpu":
        say(f"{part}: no solution can be timed here, so the handout has no reference for it")
        return []
    file = tree / "build" / f"{part}_reference.json"
    words: list[str | Path] = [tree / "lab", "bench", part, "naive", solutions[-1].name]
    words += ["-n", str(_BODIES), "--threads", _THREADS, "--json", file]
    words += ["--vdt"] if about.default_step == "adaptive" else []
    if subprocess.run(words, check=False).returncode != 0:
        raise LabError(
            f"{part}: the solution was not timed, see above; or leave out {part} by --parts"
        )
    return _read_ratios(file)


def time_solutions(
    root: Path, solutions: Path, files: Sequence[str], parts: Iterable[str]
) -> References:
    """References of solutions kept elsewhere. They are timed once and stored there, so a second handout is
    identical."""
    kept = solutions / KEPT
    if not kept.exists():
        say(f"timing the solutions of {solutions} on this machine; {kept} keeps the ratios")
        tree = root / "build/calibrated_tree"
        copy_tree([file for file in files if not file.startswith("solutions/")], tree, root)
        theirs = [file for file in sorted(solutions.rglob("*")) if file.is_file()]
        names = [str(file.relative_to(solutions)) for file in theirs]
        copy_tree(names, tree / "solutions", solutions)
        link_tools(tree, root)
        timed = {part: rows for part in parts if (rows := _time_solution(tree, part))}
        kept.write_text(to_json(References(parts=timed)), encoding="utf-8")
    return load(References, kept)
