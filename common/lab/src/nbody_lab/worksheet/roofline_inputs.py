"""Reads the inputs of a roofline from files: ceilings, counted work, measured speeds, results of ./lab bound."""

from pathlib import Path
from typing import Any

from nbody_lab.core.results import (
    MEASURE,
    Ceilings,
    Limit,
    NoInput,
    Work,
    read_ceilings,
    read_json,
    read_roofline,
    shown,
)
from nbody_lab.core.speeds import speed_of
from nbody_lab.worksheet.counts import polynomial_of, value_at

__all__ = [
    "MEASURE",
    "NoInput",
    "limits_of_loop",
    "pow_seconds",
    "read_ceilings",
    "read_json",
    "read_roofline",
    "shown",
    "speeds_of",
    "work_of",
]


def per_interaction(entry: dict[str, Any], n: int) -> float:
    """Operations of one class per interaction: from the polynomial if there is one, else from the nearest size
    counted."""
    polynomial = polynomial_of(entry)
    if polynomial:
        return value_at(polynomial, n) / n**2
    size = min(map(int, entry["counted"]), key=lambda counted: abs(counted - n))
    return entry["counted"][str(size)] / size**2


def work_of(file: Path | str, n: int) -> Work:
    """The operations per interaction of one iteration with a fixed step, from the output of NAME_count --json."""
    try:
        counted = read_json(file)["work"]["fixed_step"]
        classes = [key for key in Work.model_fields if key in counted]
        return Work(**{key: per_interaction(counted[key], n) for key in classes})
    except (KeyError, TypeError, ValueError) as fault:
        raise NoInput(f"{file} was not written by a count program") from fault


def speeds_of(
    result: dict[str, Any], precision: str, threads: int
) -> tuple[dict[str, float], dict[str, str]]:
    """{name: interactions/s} of right results, {name: why not} of the rest; `result`: the output of bench --json."""
    speeds, wrong = {}, {}
    for row in result["summary"]:
        if row["precision"] != precision or row["threads"] != threads:
            continue
        if row["verdict"] == "right":
            speeds[row["name"]] = speed_of(row)
        else:
            wrong[row["name"]] = (
                "wrong, as this exhibit is meant to be"
                if row["verdict"] == "wrong, as expected"
                else row["verdict"]
            )
    return speeds, wrong


def is_of(bound: dict[str, Any], program: Path) -> bool:
    """Whether a result of ./lab bound is of this program, by its path in the build folder; older files always match."""
    return not bound.get("program") or f"/{program.as_posix()}".endswith("/" + bound["program"])


def limits_of_loop(
    file: Path, precision: str, program: Path, clock_hz: float, threads: int = 1
) -> list[Limit]:
    """The limits that ./lab bound found in the machine code: each thread's longest dependency chain and, on a GPU,
    instruction issue: a quarter of a multiprocessor issues one per cycle. Empty if the file belongs to another program."""
    if not file.exists() or (program.exists() and program.stat().st_mtime > file.stat().st_mtime):
        return []
    bound = read_json(file)
    if bound.get("precision") != precision or not is_of(bound, program):
        return []
    found = []
    if bound.get("chain_cycles"):
        clock = (bound.get("clock_hz") or clock_hz) * max(threads, 1)
        speed = clock * bound["interactions_per_iteration"] / bound["chain_cycles"]
        found.append(Limit(name="latency", interactions_per_s=speed))
    if bound.get("limit") == "slots" and bound.get("bound_interactions_per_s"):
        speed = bound["bound_interactions_per_s"]
        found.append(Limit(name="issuing instructions", interactions_per_s=speed))
    return found


def pow_seconds(ceilings: Ceilings, precision: str) -> float:
    """Seconds per call of pow, by the price list; 0 without a price."""
    for price in ceilings.prices:
        if (price.operation, price.precision) == ("pow", precision) and price.one_every_cycles:
            return price.one_every_cycles.median / ceilings.clock_hz
    return 0.0
