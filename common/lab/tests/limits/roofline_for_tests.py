"""Ceilings, counted work and a bound for tests: rounded numbers like those of real machines, none of them measured."""

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

from nbody_lab.limits.roofline import Place, Program, make_point, plain_code
from nbody_lab.measure.bound_file import Bound
from nbody_lab.measure.results import Ceiling, Ceilings, Roofline, Work
from tests.measure.ceilings_for_tests import known, row

CLOCK = 3e9
SETS = {"scalar": "scalar", "sse2": "SSE2", "avx2": "AVX2", "avx512f": "AVX-512"}
LANES = {"scalar": 1, "sse2": 4, "avx2": 8, "avx512f": 16}  # of float
CYCLES = {"sqrt": 4, "div": 4, "rsqrt": 1}  # per instruction


def processor_rows(threads: int) -> list[Ceiling]:
    """Per cycle two additions, multiplications or fma, and two loads; a copy moves 10 bytes a lane."""
    rows = []
    for (kind, name), precision in product(SETS.items(), ("float", "double")):
        lanes = max(1, LANES[kind] // (2 if precision == "double" else 1))
        each = lanes * CLOCK * threads
        at: dict[str, Any] = {"instruction_set": kind, "threads": threads, "lanes": lanes}
        of: dict[str, Any] = {**at, "precision": precision}
        rows.append(row("flops", "mul_add", 2 * each, name=name, **of))
        if kind != "sse2":
            rows.append(row("flops", "fma", 4 * each, name=f"{name} FMA", **of))
        rows += [row("unit", what, each / cycles, **of) for what, cycles in CYCLES.items()]
        if precision == "float":
            for operation, bytes_of_lane in (("load", 8), ("copy", 10)):
                rows.append(row("bandwidth", operation, bytes_of_lane * each, level="L1", **at))
    for level, rate in (("L2", 1.5e11), ("L3", 4e10), ("DRAM", 1.2e10)):
        at = {"instruction_set": "avx512f", "threads": threads, "level": level, "lanes": 16}
        rows.append(row("bandwidth", "load", rate * threads, **at))
    return rows


def ceilings_of_processor() -> Ceilings:
    return known([*processor_rows(1), *processor_rows(2)], cpu="A processor of tests")


def ceilings_like_h200() -> Ceilings:
    at = {"where": "gpu 0", "threads": 0, "instruction_set": "", "device": "a GPU of tests"}
    rates = (
        ("flops", "fma", "", 6.0e13),
        ("unit", "rsqrt", "", 4.0e12),
        ("unit", "div", "", 2.0e12),
        ("unit", "sqrt", "", 2.0e12),
        ("bandwidth", "load", "shared", 1.2e14),
        ("bandwidth", "load", "L2", 6.0e12),
        ("bandwidth", "load", "device memory", 4.2e12),
    )
    return known([row(kind, what, best, level=level, **at) for kind, what, level, best in rates])


def work(**counted: float) -> Work:
    """Counts per interaction; those not given are 0."""
    plain = sum(counted.get(key, 0) for key in ("add", "mul", "div", "sqrt", "rsqrt", "pow"))
    return Work(**counted, flops=plain + 2 * counted.get("fma", 0))


def write_counts(file: Path, counted: Work) -> None:
    """What a count program writes of one iteration."""
    cells = {
        kind: {"polynomial": {"n2": amount, "n": 0, "1": 0, "over": 1}, "counted": {}}
        for kind, amount in counted.model_dump().items()
    }
    file.write_text(json.dumps({"work": {"fixed_step": cells}}))


NAIVE = work(add=9, mul=10, div=7, sqrt=1, loads=14, stores=3)
FUSED = work(add=9, mul=7, div=1, sqrt=1, loads=4)
NEWTON = work(add=9, mul=11, rsqrt=1, loads=4)
# name, kind, work, instruction set, interactions/s
ROWS: Any = (
    ("naive", "naive", NAIVE, "scalar", 1.05e8),
    ("fused", "mine", FUSED, "scalar", 3.4e8),
    ("newton", "rung", NEWTON, "avx512f", 4e9),
)


def roofline(rows: Any = ROWS, ceilings: Ceilings | None = None, **more: Any) -> Roofline:
    """Its points are those of float."""
    ceilings = ceilings or ceilings_of_processor()
    about = {"part": "part1", "date": "2026-01-01", "machine": "A processor of tests"}
    about |= {"where": "cpu", "threads": 1, "n": 5000, **more}
    place = Place(ceilings.of_place(about["where"]), "float", about["threads"])
    points = [
        make_point(k, place, Program(*row[:3], plain_code(row[3]), row[4]), about["n"])
        for k, row in enumerate(rows, 1)
    ]
    about |= {"precision": "float", "ceilings": ceilings, "points": points}
    return Roofline.model_validate(about)


def roofline_of_gpu() -> Roofline:
    tiles, several = (work(add=9, mul=9, rsqrt=1, shared_loads=each) for each in (4, 1))
    rows = (("tiles", "rung", tiles, "", 1.56e12), ("register_tiles", "rung", several, "", 2.0e12))
    return roofline(rows, ceilings_like_h200(), where="gpu 0", threads=0, n=131072)


def doubt(data: Roofline, is_doubtful: Callable[[Ceiling], bool]) -> Roofline:
    """The same, with ceilings that something disturbed."""
    rows = data.ceilings.ceilings
    judged = [row.model_copy(update={"is_ceiling": not is_doubtful(row)}) for row in rows]
    ceilings = data.ceilings.model_copy(update={"ceilings": judged})
    return data.model_copy(update={"ceilings": ceilings})


def make_bound(**fields: Any) -> Bound:
    """Of two instructions, measured."""
    about = {"tool": "llvm-mca 14.0.6", "core": "skylake-avx512", "is_this_machine": True}
    about |= {"part": "part2", "name": "newton", "precision": "float", "date": "2026-11-28"}
    about |= {"program": "bin/part2/newton", "function": "f()", "instructions": 2}
    about |= {"text": ("vdivss %xmm1,%xmm1,%xmm2", "jne .L0"), "interactions": 1}
    found = {"cycles": 3.0, "simulated_cycles": 3.3, "without": ((0.5, 1.1), (3.0, 4.2))}
    found |= {"busy": {"FPDivider": 3.0, "Port0": 1.1, "Port6": 0.5}, "limit": ("FPDivider",)}
    found |= {"units": ("FPDivider", "Port6 Port0"), "clock_hz": 3e9, "measured_cycles": 4.0}
    found |= {"bound_interactions_per_s": 1e9, "measured_interactions_per_s": 0.75e9}
    return Bound.model_validate({**about, **found, "share_of_bound": 0.75, **fields})
