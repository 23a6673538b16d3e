"""The solution's speed in a tree without solutions: the ratios of data/references.json.

The handout contains that file (docs/file_formats.md); a tree with solutions measures them instead.
"""

import json

from screen import wrapped

FILE = "data/references.json"
NUMBERS = {1: "one thread", 2: "two threads"}


def threads_text(row):
    return f"{row['x_naive']:.3g} x naive" + (f" with {NUMBERS.get(row['threads'], str(row['threads']) + ' threads')}" if row["threads"] else "")


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
    rows = json.loads(file.read_text(encoding="utf-8"))["parts"].get(part, []) if file.exists() else []
    rows = [row for row in rows if row["threads"] in (0, threads)]  # 0: measured on a GPU
    best = min(rows, key=lambda row: row["step"] != "fixed", default=None)
    return best and (best["x_naive"], f"{FILE}, measured on {best['machine']}")


def show(root, part, status=0):
    """Prints the lines after a successful command; returns the status."""
    if status == 0:
        for line in lines(root, part):
            print(line, flush=True)
    return status
