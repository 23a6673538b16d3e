"""Made-up ceilings, as a measurement writes them before they are judged."""


def row(kind, operation, best, **more):
    units = {"flops": "flop/s", "unit": "operation/s", "bandwidth": "byte/s"}
    return {
        "where": "cpu",
        "kind": kind,
        "name": f"{operation}, made up",
        "instruction_set": "scalar",
        "lanes": 1,
        "operation": operation,
        "level": "",
        "precision": "" if kind == "bandwidth" else "float",
        "threads": 1,
        "array_bytes": 0,
        "unit": units[kind],
        "why_not": "",
        "best": best,
        "median": 0.99 * best,
        "spread": 0.01,
        **more,
    }


def levels(*rates, **more):
    """Rows of loads from L1, L2, ... at these rates."""
    return [
        row("bandwidth", "load", rate, level=level, array_bytes=24 << 10, **more)
        for rate, level in zip(rates, ("L1", "L2", "L3", "DRAM"))
    ]


def known(rows, **facts):
    """The content of ceilings.json with these rows."""
    machine = {
        "cpu": "Some CPU",
        "virtual_machine": True,
        "cores": 2,
        "hardware_threads": 4,
        "processor_quota": 1.5,
        "l1d_bytes": 48 << 10,
        "l2_bytes": 2 << 20,
        "l3_bytes": 0,
        "simd": ["sse2"],
        "compiler": "some++",
        "system": "Some system",
        **facts,
    }
    prices = [
        {
            "operation": "add",
            "precision": precision,
            "note": "",
            "there": True,
            "latency_cycles": {"median": latency, "spread": 0},
            "one_every_cycles": {"median": every, "spread": 0},
        }
        for precision, latency, every in (("float", 4, 0.5), ("double", 4.25, 0.75))
    ]
    prices += [
        {"operation": "fma", "precision": precision, "note": "no such instruction", "there": False}
        for precision in ("float", "double")
    ]
    return {
        "what": "ceilings",
        "version": 1,
        "date": "2026-11-22",
        "seconds": 50.0,
        "machine": machine,
        "clock_hz": 3.25e9,
        "prices": prices,
        "ceilings": rows,
    }
