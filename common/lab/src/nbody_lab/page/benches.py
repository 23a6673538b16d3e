"""The results of ./lab bench in build/pictures, and which of them a page shows."""

import contextlib

from nbody_lab.draw.bench_result import NoResult, read_result
from nbody_lab.draw.ladder import largest_setup


def newest_results(sources):
    """The readable results, newest first; other kinds of studies are skipped."""
    files = sorted(
        (sources.root / "build/pictures").glob("*/result*.json"),
        key=lambda file: -file.stat().st_mtime,
    )
    found = []
    for file in files:
        with contextlib.suppress(NoResult):
            found.append((sources.shown(file), read_result(file)))
    return found


def swept(result, axis):
    return len(result.values(axis)) > 1


def naive_in(rows, part):
    """The row of the part's naive; None if there is none."""
    return next((row for row in rows if row.name in ("naive", f"{part}/naive")), None)


def has_naive(result):
    return len(result.rows) > 1 and naive_in(result.rows, result.part) is not None


def first_of(results, wanted):
    return next(((file, result) for file, result in results if wanted(result)), None)


def results_of_part(results, part):
    """The newest result of each kind, ladder, sizes and threads: {kind: (file, result)}."""
    own = [(file, result) for file, result in results if result.part == part]
    found = {
        "ladder": first_of(own, has_naive) or first_of(own, lambda _: True),
        "sizes": first_of(own, lambda result: swept(result, "n") and not swept(result, "threads"))
        or first_of(own, lambda result: swept(result, "n")),
        "threads": first_of(own, lambda result: swept(result, "threads")),
    }
    return {kind: one for kind, one in found.items() if one}


def bench_of(file, result):
    """The result as the ladder shows it: rows of the largest N, with speed-ups over the first row and over naive, if
    present."""
    rows = largest_setup(result)
    context, naive = result.context, naive_in(rows, result.part)
    return {
        "file": file,
        "day": context.get("day", ""),
        "n": rows[0].n,
        "threads": rows[0].threads,
        "precision": rows[0].precision,
        "scene": context.get("scene", ""),
        "adaptive": bool(context.get("adaptive")),
        "rounds": rows[0].rounds,
        "compared_with": rows[0].name,
        "machine": context.get("device") or context.get("cpu", ""),
        "compiler": context.get("compiler", ""),
        "naive": naive and naive.name,
        "rows": [bench_row(row, rows[0], naive) for row in rows],
    }


def bench_row(row, first, naive):
    middle = row.rate["median"]
    return {
        "name": row.name,
        "interactions_per_s": row.judged,
        "times_first": row.judged / first.judged,
        "times_naive": row.judged / naive.judged if naive else None,
        "spread": (row.rate["upper_quartile"] - row.rate["lower_quartile"]) / middle,
        "verdict": row.verdict,
    }
