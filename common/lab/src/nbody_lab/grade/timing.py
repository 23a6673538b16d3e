"""Times the correct rows of a submission: bin/bench interleaves them with the given naive and the solution, by its own
clock, while nothing else runs.
"""

import json
import os

from nbody_lab.core.speeds import has_speed, ratio_of, speed_of, spread_of
from nbody_lab.grade.judging import NOT_IN_TIME, last_words

TRIES = 3  # a noisy timing is repeated, then a person decides
TOO_NOISY = 0.15
FEWEST_FLOPS = 10  # per interaction: with the third law 25 per pair are 12.5 each, rounded down
BENCH_S = 300
REQUEST_S, SLOWEST = (
    10,
    1e7,
)  # a step may take REQUEST_S plus its time at a tenth of naive's interactions/s
ON_GPU = 0  # threads, which a GPU does not have
QUIET = 0.75  # of a core, at least, for one thread
QUIET_S = 60  # to wait for free cores


def bound_of(ceilings, threads):
    """The highest possible interactions/s here: the highest measured rate of float operations over the fewest
    operations per interaction. None without measurements. `threads`: ON_GPU for a GPU."""
    rows = [
        row.best
        for row in ceilings.rows
        if row.kind == "flops"
        and row.precision == "float"
        and row.where.startswith("gpu") == (threads == ON_GPU)
        and row.threads <= threads
    ]
    return max(rows) / FEWEST_FLOPS if rows else None


def times_wanted(rubric, part):
    """[(threads, n, scene)] that the rubric asks for, without duplicates."""
    speeds = rubric.parts[part].speed if part in rubric.parts else ()
    wanted = [
        (cores() if one.threads == "all" else one.threads, one.n, one.scene) for one in speeds
    ]
    return list(dict.fromkeys(wanted))


def cores():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def timed(program, manifest, part, names, setup, seed, file, allowance, rounds=5):
    """{name: row of the summary} from bin/bench, or a sentence if there is none."""
    threads, n, scene = setup
    file.unlink(missing_ok=True)
    _, said, why = allowance.run(
        [
            program,
            part,
            *names,
            "--manifest",
            manifest,
            "-n",
            n,
            "--threads",
            threads,
            "--scene",
            scene,
            "--quick",
            "--rounds",
            rounds,
            "--timeout",
            REQUEST_S + n * n / SLOWEST,
            "--seed",
            seed,
            "--wait",
            QUIET_S,
            "--json",
            file,
        ],
        BENCH_S,
    )
    try:
        return {row["name"]: row for row in json.loads(file.read_text(encoding="utf-8"))["summary"]}
    except (OSError, ValueError, KeyError):
        return why or last_words(said) or "the timing printed nothing"


def is_noisy(row, threads):
    """By the interquartile range; one thread that had less than a core is noise, too."""
    if not has_speed(row):
        return False
    return spread_of(row) > TOO_NOISY or (threads == 1 and row.get("cores_used", 1) < QUIET)


def entry_of(row, setup, told, solution, ceilings, on_gpu=False):
    """`speed` of a row, as in the measured file."""
    threads, n, scene = setup
    judged_as = ON_GPU if on_gpu else threads
    unknown = dict.fromkeys(
        (
            "interactions_per_s",
            "spread",
            "times_naive",
            "share_of_solution",
            "naive_interactions_per_s",
            "solution_interactions_per_s",
            "bound_interactions_per_s",
        )
    )
    entry = {
        "threads": threads,
        "n": n,
        "scene": scene,
        "verdict": row.get("verdict", "no numbers"),
        "noisy": False,
        **unknown,
        "rounds": row.get("rounds", 0),
        "solution": "",
        "above_bound": False,
    }
    if not has_speed(row):
        return {**entry, "noisy": row.get("too_busy", False)}
    speed, bound = speed_of(row), bound_of(ceilings, judged_as)
    naive, best = told.get("naive", {}), told.get(solution, {})
    beside = [one for one in (row, naive, best) if has_speed(one)]
    missing = any(one.get("too_busy") for one in (naive, best)) or any(
        ratio_of(row, one) is None for one in beside
    )
    entry.update(
        interactions_per_s=speed,
        bound_interactions_per_s=bound,
        above_bound=bool(bound and speed > bound),
        noisy=missing or any(is_noisy(one, judged_as) for one in beside),
        spread=max(map(spread_of, beside)),
    )
    if has_speed(naive):
        entry.update(naive_interactions_per_s=speed_of(naive), times_naive=ratio_of(row, naive))
    if has_speed(best):
        entry.update(
            solution=solution,
            solution_interactions_per_s=speed_of(best),
            share_of_solution=ratio_of(row, best),
        )
    return entry


def why_not_timed(row):
    return (
        "the same as given"
        if row["untouched"]
        else ""
        if row["check"]["verdict"] == "passed"
        else "not built"
        if not row["built"]
        else "wrong"
        if row["check"]["verdict"] == "failed"
        else row["check"]["problem"] or "not checked"
    )


def untimed(rows, why):
    """Records why correct rows were not timed."""
    for row in rows:
        row.setdefault("speed", [])
        row["not_timed"] = row.get("not_timed") or why_not_timed(row) or why


def time_rows(clock, rows, solution, wanted, seed, ceilings, on_gpu=False):
    """Appends to `speed` of each correct row; for the others, `not_timed` says why not. `clock(names, setup, seed)`
    answers like timed(). A row that gave no answer in time is not asked again."""
    for row in rows:
        row.update(speed=[], not_timed=why_not_timed(row))
    for setup in wanted:
        timing = [row for row in rows if not row["not_timed"]]
        names = [row["name"] for row in timing]
        for attempt in range(TRIES if timing else 0):
            told = clock(
                ["naive", *([solution] if solution else []), *names], setup, seed + attempt
            )
            entries = (
                {}
                if isinstance(told, str)
                else {
                    name: entry_of(told.get(name, {}), setup, told, solution, ceilings, on_gpu)
                    for name in names
                }
            )
            if not any(entry["noisy"] for entry in entries.values()):
                break
        for row in timing:
            if not entries:
                row["not_timed"] = told
                continue
            row["speed"].append(entries[row["name"]])
            if row["speed"][-1]["verdict"].startswith(NOT_IN_TIME):
                row["not_timed"] = (
                    f"{NOT_IN_TIME} with {setup[0]} threads and {setup[1]} bodies: no more runs"
                )
