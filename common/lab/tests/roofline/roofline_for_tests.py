"""Ceilings and counted work for tests: rounded numbers like those of real machines, none of them measured."""

from nbody_lab.roofline.model import plain_code, point
from tests.hardware.ceilings_for_tests import known

CLOCK = 3e9


def row(
    kind,
    name,
    operation,
    best,
    unit,
    where="cpu",
    instruction_set="",
    lanes=1,
    level="",
    precision="",
    threads=1,
    **more,
):
    return {
        "where": where,
        "kind": kind,
        "name": name,
        "instruction_set": instruction_set,
        "lanes": lanes,
        "operation": operation,
        "level": level,
        "precision": precision,
        "threads": threads,
        "array_bytes": 0,
        "unit": unit,
        "best": best,
        "median": 0.99 * best,
        "spread": 0.01,
        "is_ceiling": True,
        "why_not": "",
        **more,
    }


# instruction set -> (name, name with fma or '', lanes of float)
SETS = {
    "scalar": ("scalar", "scalar FMA", 1),
    "sse2": ("SSE2", "", 4),
    "avx2": ("AVX2", "AVX2 + FMA", 8),
    "avx512f": ("AVX-512", "AVX-512 + FMA", 16),
}
CYCLES = {"sqrt": 4, "div": 4, "rsqrt": 1}  # per instruction


def processor_rows(threads):
    rows = []
    for instruction_set, (name, fused, lanes_of_float) in SETS.items():
        for precision in ("float", "double"):
            lanes = max(1, lanes_of_float // (2 if precision == "double" else 1))
            of_set = {
                "instruction_set": instruction_set,
                "lanes": lanes,
                "precision": precision,
                "threads": threads,
            }
            adding = 2 * lanes * CLOCK * threads
            rows.append(row("flops", name, "mul_add", adding, "flop/s", **of_set))
            if fused:
                rows.append(row("flops", fused, "fma", 2 * adding, "flop/s", **of_set))
            rows += [
                row(
                    "unit",
                    f"{operation}, {name}",
                    operation,
                    lanes * CLOCK / cycles * threads,
                    "operation/s",
                    **of_set,
                )
                for operation, cycles in CYCLES.items()
            ]
        for operation, per_cycle in (("load", 2), ("copy", 2.5)):
            rows.append(
                row(
                    "bandwidth",
                    f"L1, {name}",
                    operation,
                    per_cycle * 4 * lanes_of_float * CLOCK * threads,
                    "byte/s",
                    level="L1",
                    instruction_set=instruction_set,
                    lanes=lanes_of_float,
                    threads=threads,
                )
            )
    rows += [
        row(
            "bandwidth",
            level,
            "load",
            rate * threads,
            "byte/s",
            level=level,
            instruction_set="avx512f",
            lanes=16,
            threads=threads,
        )
        for level, rate in (("L2", 1.5e11), ("L3", 4e10), ("DRAM", 1.2e10))
    ]
    return rows


def ceilings_of_processor():
    price = {
        "operation": "pow",
        "precision": "float",
        "note": "",
        "there": True,
        "latency_cycles": {"median": 60.0},
        "one_every_cycles": {"median": 30.0},
    }
    return {
        **known([*processor_rows(1), *processor_rows(2)], cpu="A processor of tests"),
        "date": "2026-01-01",
        "clock_hz": CLOCK,
        "prices": [price],
    }


def ceilings_like_h200():
    def gpu(kind, name, operation, best, unit, **more):
        return row(
            kind,
            name,
            operation,
            best,
            unit,
            where="gpu 0",
            threads=0,
            device="a GPU of tests, with numbers like an H200's",
            **more,
        )

    rows = [
        gpu("flops", "FP32 FMA", "fma", 6.0e13, "flop/s", precision="float"),
        gpu("flops", "FP64 FMA", "fma", 3.0e13, "flop/s", precision="double"),
        gpu(
            "unit",
            "FP32 1/sqrt, estimate (MUFU)",
            "rsqrt",
            4.0e12,
            "operation/s",
            precision="float",
        ),
        gpu("unit", "FP32 division", "div", 2.0e12, "operation/s", precision="float"),
        gpu("unit", "FP32 square root", "sqrt", 2.0e12, "operation/s", precision="float"),
    ]
    rows += [
        gpu("bandwidth", name, "load", rate, "byte/s", level=level)
        for name, level, rate in (
            ("shared memory, each lane its own word", "shared", 3.0e13),
            ("shared memory, all lanes the same 16 bytes", "shared", 1.2e14),
            ("L2", "L2", 6.0e12),
            ("device memory", "device memory", 4.2e12),
        )
    ]
    rows.append(
        gpu(
            "bandwidth",
            "host to device, pageable",
            "copy",
            8e9,
            "byte/s",
            level="host to device, pageable",
        )
    )
    return {**ceilings_of_processor(), "prices": [], "ceilings": rows}


def work(**counted):
    """Counts per interaction; those not given are 0."""
    none = dict.fromkeys(
        (
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
        ),
        0.0,
    )
    made = {**none, **counted}
    plain = sum(made[key] for key in ("add", "mul", "div", "sqrt", "rsqrt", "pow"))
    return {**made, "flops": plain + 2 * made["fma"]}


NAIVE = work(add=9, mul=10, div=7, sqrt=1, loads=14, stores=3)
FUSED = work(add=9, mul=7, div=1, sqrt=1, loads=4)
THIRD_LAW = work(add=6, mul=6, div=0.5, sqrt=0.5, loads=4, stores=1.5)
NEWTON = work(add=9, mul=11, rsqrt=1, loads=4)
BLOCKED = work(add=9, mul=11, rsqrt=1, loads=1)


def roofline(
    rows=(
        ("naive", "naive", NAIVE, "scalar", 1.05e8),
        ("fused", "mine", FUSED, "scalar", 3.4e8),
        ("third_law", "rung", THIRD_LAW, "scalar", 4.5e8),
        ("newton", "rung", NEWTON, "avx512f", 4e9),
        ("blocked", "rung", BLOCKED, "avx512f", 4.4e9),
    ),
    ceilings=None,
    where="cpu",
    threads=1,
    n=5000,
    **more,
):
    """A roofline as JSON; `rows`: (name, kind, work, instruction set, interactions/s)"""
    ceilings = ceilings or ceilings_of_processor()
    of_place = [one for one in ceilings["ceilings"] if one["where"] == where]
    points = [
        {
            "number": k,
            "name": name,
            "kind": kind,
            **point(of_place, done, plain_code(width), speed, n, "float", threads),
        }
        for k, (name, kind, done, width, speed) in enumerate(rows, 1)
    ]
    return {
        "what": "roofline",
        "version": 1,
        "part": "part1",
        "date": "2026-01-01",
        "machine": "A processor of tests",
        "where": where,
        "precision": "float",
        "threads": threads,
        "ceilings": ceilings,
        "n": n,
        "points": points,
        "left_out": [],
        "notes": [],
        **more,
    }


def roofline_of_gpu():
    naive, tiles = (
        work(add=9, mul=10, div=1, sqrt=1, loads=7),
        work(add=9, mul=9, rsqrt=1, shared_loads=4),
    )
    return roofline(
        (
            ("naive", "naive", naive, "", 4.7e11),
            ("tiles", "rung", tiles, "", 1.56e12),
            ("several_bodies", "rung", work(add=9, mul=9, rsqrt=1, shared_loads=1), "", 2.0e12),
        ),
        ceilings_like_h200(),
        "gpu 0",
        0,
        131072,
        machine="a GPU of tests, with numbers like an H200's",
    )
