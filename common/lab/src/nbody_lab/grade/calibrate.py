"""--calibrate: what a rubric's bands mean on this machine. Times each solution's rungs several times, as a submission's
rows are timed, and shows the points of each and how much the repeats vary.
"""

import secrets

from nbody_lab.core import cpuinfo
from nbody_lab.core.messages import stop
from nbody_lab.core.speeds import ratio_of
from nbody_lab.grade import timing
from nbody_lab.grade.limits import Allowance
from nbody_lab.grade.score_speed import points_of
from nbody_lab.workshop import ROOT

REPEATS = 3


def rungs_of(lab):
    return [row["name"] for row in lab.rows() if row["kind"] in ("rung", "solution")]


def measured_shares(lab, names, solution, setup):
    """{name: [(times naive, share of the solution), ...]}"""
    file, found = ROOT / "build/grading/calibration.json", {name: [] for name in names}
    file.parent.mkdir(parents=True, exist_ok=True)
    for _ in range(REPEATS):
        told = timing.timed(
            lab.build / "bin/bench",
            lab.manifest,
            lab.part,
            ["naive", *names],
            setup,
            secrets.randbelow(10**14) + 1,
            file,
            Allowance(None, timing.BENCH_S),
        )
        if isinstance(told, str):
            stop(f"calibrate: {told}")
        for name in names:
            shares = tuple(
                ratio_of(told.get(name, {}), told[other]) for other in ("naive", solution)
            )
            if None not in shares:
                found[name].append(shares)
    return found


def table(item, found):
    """Lines of text: each rung with its median, the variation of its repeats, and its points."""
    place = 1 if item["measure"] == "share_of_solution" else 0
    lines = [
        f"  {'rung':16} {item['measure']:>18} {'repeats differ':>15} {'points':>7} of {item['points']:g}"
    ]
    for name, pairs in found.items():
        values = sorted(pair[place] for pair in pairs)
        if values:
            middle, differ = (
                values[len(values) // 2],
                (values[-1] - values[0]) / values[len(values) // 2],
            )
            gets = sorted({points_of(value, item["bands"]) for value in values})
            lines.append(
                f"  {name:16} {middle:18.2f} {differ:14.1%} {' or '.join(f'{one:g}' for one in gets):>7}"
            )
    return lines


def calibrate(lab, rubric, options):
    print(
        f"on {cpuinfo.fields().get('model name', 'this machine')}, {timing.cores()} cores; {REPEATS} timings each"
    )
    for part in options.part or sorted(rubric["parts"]):
        lab.part = part
        lab.begin()
        names, solutions = rungs_of(lab), lab.names("solution")
        if not solutions:
            stop(
                f"{part} has no solution here to calibrate with: bands of times_naive can be set by hand"
            )
        lab.demand_targets(
            f"the rungs of {part}", "bin/bench", *(lab.program(name) for name in ["naive", *names])
        )
        lab.unlock()
        for item in rubric["parts"][part].get("speed", []):
            setup = (
                timing.cores() if item["threads"] == "all" else item["threads"],
                item["n"],
                item.get("scene", "plummer"),
            )
            print(
                f"\n{part}: {item['n']} bodies, {item['threads']} thread{'s' if item['threads'] != 1 else ''}"
            )
            print(
                "\n".join(table(item, measured_shares(lab, names, solutions[-1], setup))),
                flush=True,
            )
    print("\nkeep each band's edge farther from a rung than the rung's repeats vary")
    return 0
