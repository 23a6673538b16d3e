"""The solution's speed in a tree without solutions: the ratios of data/references.json, read and made.

The handout contains that file (docs/file_formats.md); a tree with solutions measures them instead.
"""

import json
import subprocess

from nbody_lab.core.manifest import Manifest
from nbody_lab.core.messages import say, stop
from nbody_lab.core.screen import wrapped
from nbody_lab.core.speeds import speed_of
from nbody_lab.core.tree_copy import copy_tree, link_tools

FILE = "data/references.json"
NUMBERS = {1: "one thread", 2: "two threads"}


def threads_text(row):
    return f"{row['x_naive']:.3g} x naive" + (
        f" with {NUMBERS.get(row['threads'], str(row['threads']) + ' threads')}"
        if row["threads"]
        else ""
    )


def same_run(row):
    return row["bodies"], row["step"], row["machine"], row["day"]


def sentences(rows):
    """One sentence for each machine, day and kind of run."""
    for run in dict.fromkeys(map(same_run, rows)):
        bodies, step, machine, day = run
        ratios = ", ".join(threads_text(row) for row in rows if same_run(row) == run)
        yield f"reference: the solution reaches {ratios} ({bodies} bodies, {step} step; measured on {machine}, {day})"


def lines(root, part):
    """The lines to print; none if there are solutions to measure, or no file."""
    file = root / FILE
    if (root / "solutions").is_dir() or not file.exists():
        return []
    rows = json.loads(file.read_text(encoding="utf-8"))["parts"].get(part, [])
    return [line for sentence in sentences(rows) for line in wrapped(sentence, "  ")]


def ratio(root, part, threads):
    """(the solution's speed-up over naive, where it was measured) with this number of threads, or None. Prefers a fixed
    step, which the grader times too."""
    file = root / FILE
    rows = (
        json.loads(file.read_text(encoding="utf-8"))["parts"].get(part, []) if file.exists() else []
    )
    rows = [row for row in rows if row["threads"] in (0, threads)]  # 0: measured on a GPU
    best = min(rows, key=lambda row: row["step"] != "fixed", default=None)
    return best and (best["x_naive"], f"{FILE}, measured on {best['machine']}")


def show(root, part, status=0):
    """Prints the lines after a successful command; returns the status."""
    if status == 0:
        for line in lines(root, part):
            print(line, flush=True)
    return status


# Makes data/references.json: the speed-up of each part's solution over its naive.
#
# The ratios come from data/results; solutions given by --solutions-from are timed here. The last row of a ladder is
# the solution; the file does not name it.
LADDERS = {
    "part1": ("part1_ladder_1_thread", "part1_ladder_2_threads", "part1_fixed_step"),
    "part2": ("part2_ladder_1_thread", "part2_ladder_2_threads"),
    "part3": ("part3_study_ladder",),
}
BODIES, THREADS = 5000, "1,2"
CALIBRATED = "references.json"  # beside solutions kept elsewhere, so that they are timed only once


def machine_of(context):
    return (
        context.get("device", context["cpu"]).split(" (")[0]
        if "device" in context
        else context["cpu"]
    )


def ratios(result):
    """The rows of one result of bench: the solution's speed-up over naive for each number of threads."""
    context, found = result["context"], []
    right = [
        row
        for row in result["summary"]
        if row["precision"] == "float" and row.get("interactions_per_s")
    ]
    for threads, n in dict.fromkeys((row["threads"], row["n"]) for row in right):
        rows = [row for row in right if (row["threads"], row["n"]) == (threads, n)]
        naive = next(row for row in rows if row["name"] == "naive")
        found.append(
            {
                "x_naive": round(speed_of(rows[-1]) / speed_of(naive), 3),
                "threads": 0 if "device" in context else threads,
                "bodies": n,
                "step": "adaptive" if context["adaptive"] else "fixed",
                "machine": machine_of(context),
                "compiler": context["compiler"],
                "day": context["day"],
            }
        )
    return found


def document(parts):
    return {"what": "how fast the solution is against naive", "version": 1, "parts": parts}


def of_results(folder, parts):
    """References from data/results; parts without a ladder there get none."""
    found = {}
    for part in parts:
        files = [folder / f"{name}.json" for name in LADDERS.get(part, ())]
        rows = [
            row
            for file in files
            if file.exists()
            for row in ratios(json.loads(file.read_text(encoding="utf-8")))
        ]
        if rows:
            found[part] = rows
    return document(found)


def timed(tree, part):
    """Times naive and the last solution of a part in a tree with solutions; [] if it has none."""
    listed = subprocess.run([tree / "lab", "list", part], stdout=subprocess.DEVNULL, check=False)
    manifest = Manifest(tree / "build/release/manifest.json")
    solutions = [row["name"] for row in manifest.of_part(part, "solution")]
    if (
        listed.returncode != 0
        or not solutions
        or (manifest.part(part) or {}).get("device") == "gpu"
    ):
        say(f"{part}: no solution can be timed here, so the handout has no reference for it")
        return []
    adaptive = ["--vdt"] if manifest.part(part).get("default_step") == "adaptive" else []
    file = tree / "build" / f"{part}_reference.json"
    words = [
        tree / "lab",
        "bench",
        part,
        "naive",
        solutions[-1],
        "-n",
        str(BODIES),
        "--threads",
        THREADS,
        *adaptive,
        "--json",
        file,
    ]
    if subprocess.run(words, check=False).returncode != 0:
        stop(f"{part}: the solution was not timed, see above; or leave out {part} by --parts")
    return ratios(json.loads(file.read_text(encoding="utf-8")))


def calibrated(root, solutions, files, parts):
    """References of solutions kept elsewhere. They are timed once and stored there, so a second handout is
    identical."""
    kept = solutions / CALIBRATED
    if not kept.exists():
        say(f"timing the solutions of {solutions} on this machine; {kept} keeps the ratios")
        tree = root / "build/calibrated_tree"
        own = [file for file in files if not file.startswith("solutions/")]
        copy_tree(own, tree, root)
        copy_tree(
            [
                str(file.relative_to(solutions))
                for file in sorted(solutions.rglob("*"))
                if file.is_file()
            ],
            tree / "solutions",
            solutions,
        )
        link_tools(tree, root)
        found = {part: rows for part in parts if (rows := timed(tree, part))}
        kept.write_text(json.dumps(document(found), indent=1) + "\n", encoding="utf-8")
    return json.loads(kept.read_text(encoding="utf-8"))
