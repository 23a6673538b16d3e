"""Reads the inputs of a roofline from files: ceilings, counted work, measured speeds, results of ./lab bound."""

import json
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.messages import UserError
from nbody_lab.core.speeds import speed_of
from nbody_lab.worksheet.counts import polynomial_of, value_at

CLASSES = (
    "add",
    "mul",
    "fma",
    "div",
    "sqrt",
    "rsqrt",
    "pow",
    "flops",
    "loads",
    "stores",
    "shared_loads",
    "shared_stores",
)
VERSION = 1
MEASURE = "./lab roofline --measure"
OF_ROOFLINE = ("part", "date", "machine", "where", "precision", "threads", "n")
OF_POINT = {
    "number",
    "name",
    "kind",
    "intensity",
    "compulsory_intensity",
    "flops_per_s",
    "share_of_roof",
    "bound_by",
    "above_roof",
    "limits",
    "limiter",
    "share_of_limit",
}


NUMBER, NUMBERS, TEXT = (int, float), {"median": (int, float)}, str
# The required keys of ceilings.json and their types: a dict describes the next level, [dict] each element of a list.
OF_CEILINGS = {
    "date": TEXT,
    "clock_hz": NUMBER,
    "machine": {
        "cpu": TEXT,
        "virtual_machine": bool,
        "cores": int,
        "hardware_threads": int,
        "processor_quota": NUMBER,
        "l1d_bytes": int,
        "l2_bytes": int,
        "l3_bytes": int,
        "simd": list,
        "compiler": TEXT,
        "system": TEXT,
    },
    "prices": [{"operation": TEXT, "precision": TEXT, "note": TEXT, "there": bool}],
    "ceilings": [
        {
            "where": TEXT,
            "kind": TEXT,
            "name": TEXT,
            "instruction_set": TEXT,
            "operation": TEXT,
            "level": TEXT,
            "precision": TEXT,
            "threads": int,
            "array_bytes": NUMBER,
            "unit": TEXT,
            "best": NUMBER,
            "spread": NUMBER,
            "is_ceiling": bool,
            "why_not": TEXT,
        }
    ],
}
OF_PRICE_THERE = [{"latency_cycles": NUMBERS, "one_every_cycles": NUMBERS}]


class NoInput(UserError):
    """What is wrong with a file, in one line."""


def shown(file):
    """The path relative to the lab's root, if it is inside."""
    return Path(file).relative_to(ROOT) if ROOT in Path(file).parents else file


def read_json(file):
    try:
        return json.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as fault:
        raise NoInput(f"{shown(file)} cannot be read: {fault.strerror}") from fault
    except ValueError as fault:
        raise NoInput(f"{shown(file)} is not JSON") from fault


def wrong_key(data, wanted, name=""):
    """The first key that is missing or has the wrong type, such as ceilings[3].best; '' if all are right."""
    if isinstance(wanted, dict):
        inner = (
            ((data.get(key), one, f"{name}.{key}".lstrip(".")) for key, one in wanted.items())
            if isinstance(data, dict)
            else None
        )
    elif isinstance(wanted, list):
        inner = (
            ((one, wanted[0], f"{name}[{k}]") for k, one in enumerate(data))
            if isinstance(data, list)
            else None
        )
    else:
        right = isinstance(data, wanted) and (wanted is bool or not isinstance(data, bool))
        return "" if right and (wanted is not NUMBER or data >= 0) else name
    return name if inner is None else next(filter(None, (wrong_key(*one) for one in inner)), "")


def read_whole(file, what, command):
    """The data of a JSON file, checked for its kind and version. Raises NoInput."""
    data = read_json(file)
    if not isinstance(data, dict) or data.get("what") != what:
        raise NoInput(f"{shown(file)} was not written by {command}")
    if data.get("version") != VERSION:
        raise NoInput(
            f"{shown(file)}: version {data.get('version')}, not {VERSION}: measure again ({command})"
        )
    return data


def read_ceilings(file):
    """The checked content of a ceilings file. Raises NoInput, which names a wrong key and the command to measure
    again."""
    data = read_whole(file, "ceilings", MEASURE)
    wrong = wrong_key(data, OF_CEILINGS) or wrong_key(
        [price for price in data["prices"] if price["there"]], OF_PRICE_THERE, "prices"
    )
    wrong = wrong or ("" if data["clock_hz"] > 0 else "clock_hz")
    if wrong:
        raise NoInput(f"{shown(file)}: '{wrong}' is missing or wrong: measure again ({MEASURE})")
    return data


def read_roofline(file):
    """A roofline written by ./lab roofline. Raises NoInput."""
    data = read_whole(file, "roofline", "./lab roofline PART")
    ceilings, points = data.get("ceilings"), data.get("points")
    if (
        not all(field in data for field in OF_ROOFLINE)
        or not isinstance(ceilings, dict)
        or not isinstance(ceilings.get("ceilings"), list)
        or not isinstance(points, list)
        or not all(isinstance(one, dict) and one.keys() >= OF_POINT for one in points)
    ):
        raise NoInput(f"{file} was not written by ./lab roofline PART")
    return data


def per_interaction(entry, n):
    """Operations of one class per interaction: from the polynomial if there is one, else from the nearest size
    counted."""
    polynomial = polynomial_of(entry)
    if polynomial:
        return value_at(polynomial, n) / n**2
    size = min(map(int, entry["counted"]), key=lambda counted: abs(counted - n))
    return entry["counted"][str(size)] / size**2


def work_of(file, n):
    """The operations per interaction of one iteration with a fixed step, from the output of NAME_count --json."""
    try:
        counted = read_json(file)["work"]["fixed_step"]
        return {key: per_interaction(counted[key], n) if key in counted else 0.0 for key in CLASSES}
    except (KeyError, TypeError, ValueError) as fault:
        raise NoInput(f"{file} was not written by a count program") from fault


def speeds_of(result, precision, threads):
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


def is_of(bound, program):
    """Whether a result of ./lab bound is of this program, by its path in the build folder; older files always match."""
    return not bound.get("program") or f"/{program.as_posix()}".endswith("/" + bound["program"])


def limits_of_loop(file, precision, program, clock_hz, threads=1):
    """The limits that ./lab bound found in the machine code: each thread's longest dependency chain and, on a GPU,
    instruction issue: a quarter of a multiprocessor issues one per cycle. Empty if the file belongs to another program."""
    file = Path(file)
    if not file.exists() or (program.exists() and program.stat().st_mtime > file.stat().st_mtime):
        return []
    bound = read_json(file)
    if bound.get("precision") != precision or not is_of(bound, program):
        return []
    found = []
    if bound.get("chain_cycles"):
        found.append(
            {
                "name": "latency",
                "interactions_per_s": max(threads, 1)
                * (bound.get("clock_hz") or clock_hz)
                * bound["interactions_per_iteration"]
                / bound["chain_cycles"],
            }
        )
    if bound.get("limit") == "slots" and bound.get("bound_interactions_per_s"):
        found.append(
            {
                "name": "issuing instructions",
                "interactions_per_s": bound["bound_interactions_per_s"],
            }
        )
    return found


def pow_seconds(ceilings, precision):
    """Seconds per call of pow, by the price list; 0 without a price."""
    for price in ceilings.get("prices", []):
        if price["operation"] == "pow" and price["precision"] == precision and price["there"]:
            return price["one_every_cycles"]["median"] / ceilings["clock_hz"]
    return 0.0
