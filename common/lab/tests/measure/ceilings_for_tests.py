"""Made-up ceilings, as a measurement writes them before they are judged."""

from collections.abc import Mapping
from typing import Any

from nbody_lab.measure.results import Ceiling, Ceilings

_UNITS = {"flops": "flop/s", "unit": "operation/s", "bandwidth": "byte/s"}


def row(kind: str, operation: str, best: float, **more: Any) -> Ceiling:
    about = {"where": "cpu", "name": f"{operation}, made up", "instruction_set": "scalar"}
    about |= {"level": "", "precision": "" if kind == "bandwidth" else "float", "threads": 1}
    found = {"best": best, "median": 0.99 * best, "spread": 0.01, "array_bytes": 0}
    columns = {"kind": kind, "operation": operation, "unit": _UNITS[kind]}
    return Ceiling.model_validate({**columns, **about, **found, **more})


def complete(columns: Mapping[str, Any]) -> Ceiling:
    """A row of which a test says only some columns."""
    known = {"kind": "flops", "operation": "mul_add", **columns}
    return row(known.pop("kind"), known.pop("operation"), known.pop("best"), **known)


def levels(*rates: float, **more: Any) -> list[Ceiling]:
    """Rows of loads from L1, L2, ... at these rates."""
    return [
        row("bandwidth", "load", rate, level=level, array_bytes=24 << 10, **more)
        for rate, level in zip(rates, ("L1", "L2", "L3", "DRAM"))
    ]


MACHINE = {
    "cpu": "Some CPU",
    "virtual_machine": True,
    "compiler": "some++",
    "system": "Some system",
    "cores": 2,
    "hardware_threads": 4,
    "processor_quota": 1.5,
    "simd": ["sse2"],
    "l1d_bytes": 48 << 10,
    "l2_bytes": 2 << 20,
    "l3_bytes": 0,
}


def _price(operation: str, precision: str, latency: float, every: float) -> dict[str, Any]:
    cycles = {"latency_cycles": {"median": latency}, "one_every_cycles": {"median": every}}
    return {"operation": operation, "precision": precision, "note": "", "there": True, **cycles}


PRICES = [_price("add", "float", 4, 0.5), _price("add", "double", 4.25, 0.75)] + [
    {"operation": "fma", "precision": precision, "note": "no such instruction", "there": False}
    for precision in ("float", "double")
]


def known(rows: list[Ceiling], **facts: Any) -> Ceilings:
    """The content of ceilings.json with these rows."""
    about = {"what": "ceilings", "version": 1, "date": "2026-11-22", "clock_hz": 3.25e9}
    about |= {"machine": {**MACHINE, **facts}, "prices": PRICES, "ceilings": rows}
    return Ceilings.model_validate(about)
