"""Ceilings and counted work for tests: rounded numbers like those of real machines, none of them measured."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nbody_lab.limits.roofline import Place, Program, make_point, plain_code
from nbody_lab.measure.results import Ceiling, Ceilings, Roofline, Work
from tests.measure import ceilings_for_tests
from tests.measure.ceilings_for_tests import known

CLOCK = 3e9
GPU = "a GPU of tests, with numbers like an H200's"

# instruction set -> (name, name with fma or '', lanes of float)
SETS = {
    "scalar": ("scalar", "scalar FMA", 1),
    "sse2": ("SSE2", "", 4),
    "avx2": ("AVX2", "AVX2 + FMA", 8),
    "avx512f": ("AVX-512", "AVX-512 + FMA", 16),
}
CYCLES = {"sqrt": 4, "div": 4, "rsqrt": 1}  # per instruction


def rows_of_set(instruction_set: str, threads: int) -> list[Ceiling]:
    """Per cycle two additions or multiplications, two loads; a copy moves 10 bytes a lane."""
    name, fused, lanes_of_float = SETS[instruction_set]
    more: dict[str, Any] = {"instruction_set": instruction_set, "threads": threads}
    rows = []
    for precision in ("float", "double"):
        lanes = max(1, lanes_of_float // (2 if precision == "double" else 1))
        each = lanes * CLOCK * threads
        more |= {"lanes": lanes, "precision": precision}
        rows.append(ceilings_for_tests.row("flops", "mul_add", 2 * each, name=name, **more))
        if fused:
            rows.append(ceilings_for_tests.row("flops", "fma", 4 * each, name=fused, **more))
        rows += [
            ceilings_for_tests.row("unit", what, each / cycles, name=f"{what}, {name}", **more)
            for what, cycles in CYCLES.items()
        ]
    moved = 4 * lanes_of_float * CLOCK * threads
    more |= {"name": f"L1, {name}", "level": "L1", "lanes": lanes_of_float, "precision": ""}
    return rows + [
        ceilings_for_tests.row("bandwidth", operation, each * moved, **more)
        for operation, each in (("load", 2), ("copy", 2.5))
    ]


def processor_rows(threads: int) -> list[Ceiling]:
    rows = [row for instruction_set in SETS for row in rows_of_set(instruction_set, threads)]
    for level, rate in (("L2", 1.5e11), ("L3", 4e10), ("DRAM", 1.2e10)):
        of_level = {"name": level, "level": level, "instruction_set": "avx512f", "lanes": 16}
        best = rate * threads
        rows.append(ceilings_for_tests.row("bandwidth", "load", best, threads=threads, **of_level))
    return rows


def ceilings_of_processor() -> Ceilings:
    return known([*processor_rows(1), *processor_rows(2)], cpu="A processor of tests")


def ceilings_like_h200() -> Ceilings:
    def row(kind: str, name: str, operation: str, best: float, **more: Any) -> Ceiling:
        place = {"where": "gpu 0", "threads": 0, "instruction_set": "", "device": GPU}
        return ceilings_for_tests.row(kind, operation, best, name=name, **place, **more)

    rows = [
        row("flops", "FP32 FMA", "fma", 6.0e13),
        row("flops", "FP64 FMA", "fma", 3.0e13, precision="double"),
        row("unit", "FP32 1/sqrt, estimate (MUFU)", "rsqrt", 4.0e12),
        row("unit", "FP32 division", "div", 2.0e12),
        row("unit", "FP32 square root", "sqrt", 2.0e12),
    ]
    for name, level, rate in (
        ("shared memory, each lane its own word", "shared", 3.0e13),
        ("shared memory, all lanes the same 16 bytes", "shared", 1.2e14),
        ("L2", "L2", 6.0e12),
        ("device memory", "device memory", 4.2e12),
    ):
        rows.append(row("bandwidth", name, "load", rate, level=level))
    copied = "host to device, pageable"
    return known([*rows, row("bandwidth", copied, "copy", 8e9, level=copied)])


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
THIRD_LAW = work(add=6, mul=6, div=0.5, sqrt=0.5, loads=4, stores=1.5)
NEWTON = work(add=9, mul=11, rsqrt=1, loads=4)
BLOCKED = work(add=9, mul=11, rsqrt=1, loads=1)

Row = tuple[str, str, Work, str, float]  # name, kind, work, instruction set, interactions/s
ROWS: tuple[Row, ...] = (
    ("naive", "naive", NAIVE, "scalar", 1.05e8),
    ("fused", "mine", FUSED, "scalar", 3.4e8),
    ("third_law", "rung", THIRD_LAW, "scalar", 4.5e8),
    ("newton", "rung", NEWTON, "avx512f", 4e9),
    ("blocked", "rung", BLOCKED, "avx512f", 4.4e9),
)


def roofline(
    rows: Any = ROWS,
    ceilings: Ceilings | None = None,
    where: str = "cpu",
    threads: int = 1,
    n: int = 5000,
    **more: Any,
) -> Roofline:
    """Its points are those of float."""
    ceilings = ceilings or ceilings_of_processor()
    place = Place(ceilings.of_place(where), "float", threads)
    content = {
        "what": "roofline",
        "version": 1,
        "part": "part1",
        "date": "2026-01-01",
        "machine": "A processor of tests",
        "where": where,
        "precision": "float",
        "threads": threads,
        "n": n,
        "ceilings": ceilings,
        "points": [
            make_point(k, place, Program(name, kind, done, plain_code(width), speed), n)
            for k, (name, kind, done, width, speed) in enumerate(rows, 1)
        ],
        "left_out": [],
        "notes": [],
        **more,
    }
    return Roofline.model_validate(content)


def roofline_of_gpu() -> Roofline:
    naive = work(add=9, mul=10, div=1, sqrt=1, loads=7)
    tiles, several = (work(add=9, mul=9, rsqrt=1, shared_loads=each) for each in (4, 1))
    rows = (
        ("naive", "naive", naive, "", 4.7e11),
        ("tiles", "rung", tiles, "", 1.56e12),
        ("register_tiles", "rung", several, "", 2.0e12),
    )
    return roofline(rows, ceilings_like_h200(), "gpu 0", 0, 131072, machine=GPU)


def roofline_json(*rows: Any, **more: Any) -> dict[str, Any]:
    """As it stands in its file."""
    return roofline(*rows, **more).model_dump()


def doubt(data: Roofline, is_doubtful: Callable[[Ceiling], bool], *more: Ceiling) -> Roofline:
    """The same, with ceilings that something disturbed, and with more of them."""
    rows = data.ceilings.ceilings
    judged = (row.model_copy(update={"is_ceiling": not is_doubtful(row)}) for row in rows)
    ceilings = data.ceilings.model_copy(update={"ceilings": (*judged, *more)})
    return data.model_copy(update={"ceilings": ceilings})
