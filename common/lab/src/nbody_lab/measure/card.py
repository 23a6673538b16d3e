"""The card of ./lab machine: ceilings.json as readable text."""

from collections.abc import Iterator, Sequence

from nbody_lab.core.console import LabTable, render, width, wrapped
from nbody_lab.measure.results import Ceiling, Ceilings, Cycles, OperationCost

_PER_UNIT = {"flop/s": "Gflop/s", "byte/s": "GB/s", "operation/s": "10^9/s"}


def format_bytes(count: int) -> str:
    if not count:
        return "unknown"
    return f"{count >> 10} KiB" if count < 1 << 20 else f"{count / (1 << 20):.4g} MiB"


def _facts(known: Ceilings) -> Iterator[str]:
    facts = known.machine
    usable = f"{facts.cores} cores, {facts.hardware_threads} hardware threads"
    if facts.processor_quota:
        usable += f"; at most {facts.processor_quota:.3g} at a time (container limit)"
    caches = (("L1d", facts.l1d_bytes), ("L2", facts.l2_bytes), ("L3", facts.l3_bytes))
    rows = {
        "CPU": facts.cpu + (", in a virtual machine" if facts.virtual_machine else ""),
        "usable": usable,
        "clock": f"{known.clock_hz / 1e9:.2f} GHz while measuring",
        "caches": ", ".join(f"{name} {format_bytes(count)}" for name, count in caches),
        "SIMD": " ".join(facts.simd) or "unknown",
        "compiler": facts.compiler,
        "system": facts.system,
        "measured": known.date,
    }
    for name, value in rows.items():
        yield from wrapped(f"{name:<12}{value}", " " * 12, width() - 2)


def _cycles(cycles: Cycles | None) -> str:
    return f"{cycles.median:.1f}" if cycles else "none"


def _costs_table(costs: Sequence[OperationCost]) -> LabTable:
    """One row per operation: float and double side by side."""
    doubles = {cost.operation: cost for cost in costs if cost.precision == "double"}
    rows = []
    for cost in costs:
        twin = doubles.get(cost.operation)
        if cost.precision != "float" or not twin:
            continue
        notes = [cost.note, *([f"double: {twin.note}"] if twin.note != cost.note else [])]
        both = [one for own in (cost, twin) for one in (own.latency_cycles, own.one_every_cycles)]
        rows.append([cost.operation, *map(_cycles, both), "; ".join(filter(None, notes))])
    numbers = [">float: result after", ">one every", ">double: result after", ">one every"]
    return LabTable(["operation", *numbers, ""], rows)


def _find(known: Ceilings, **wanted: object) -> Ceiling | None:
    """The processor's row of one thread that has these values."""
    rows = (row for row in known.of_place("cpu") if row.threads == 1)
    return next((r for r in rows if all(getattr(r, one) == wanted[one] for one in wanted)), None)


def _rate(row: Ceiling) -> str:
    """In 10^9 per second, after a question mark if it is no ceiling."""
    return f"{'' if row.is_ceiling else '? '}{row.best / 1e9:.3g}"


def _first_ceilings(known: Ceilings) -> LabTable:
    """What is needed to draw a roofline by hand."""
    flops = {"kind": "flops", "instruction_set": "scalar", "precision": "float"}
    loads = {"kind": "bandwidth", "operation": "load"}
    memory = _find(known, **loads, level="DRAM")
    # Memory is loaded by the widest instructions: beside scalar loads from L1 it would seem faster than that.
    widest = memory.instruction_set if memory else ""
    from_l1 = _find(known, **loads, level="L1", instruction_set="scalar", precision="")
    chosen = {
        "peak": _find(known, **flops, operation="mul_add"),
        "peak with fma": _find(known, **flops, operation="fma"),
        "loads from L1": from_l1,
        "the same, wide": _find(known, **loads, level="L1", instruction_set=widest),
        "loads from memory": memory,
    }
    notes = {
        "peak": "equal numbers of additions and multiplications",
        "peak with fma": "an fma counted as 2",
    }
    rows = []
    for name, row in chosen.items():
        if not row:
            rows.append([name, "none", "", "", "no such instruction"])
            continue
        wide = f" ({row.instruction_set})" if row.lanes > 1 else ""
        array = f"{4 * row.lanes} bytes at a time{wide}, array of {format_bytes(row.array_bytes)}"
        note = notes.get(name, array)
        spread = f"{100 * row.spread:.0f} %"
        rows.append([name, _rate(row), _PER_UNIT[row.unit], spread, note])
    return LabTable(["ceiling", ">value", "", ">spread", ""], rows)


def _all_ceilings(known: Ceilings) -> LabTable:
    rows = [
        (row.name, row.precision, row.threads, _rate(row), _PER_UNIT[row.unit], f"{row.spread:.0%}")
        for row in known.of_place("cpu")
    ]
    return LabTable(["ceiling", "precision", ">threads", ">value", "", ">spread"], rows)


def _doubts(known: Ceilings) -> Iterator[str]:
    """What the question marks mean; nothing if there are none."""
    rows = known.of_place("cpu")
    reasons = [row.why_not for row in rows if not row.is_ceiling]
    for why in dict.fromkeys(reasons):
        yield f"A ? marks {reasons.count(why)} of {len(rows)} figures: {why}."
    if reasons:
        yield (
            "That is good enough for a first look. For answers and reports, measure again while nothing else runs: "
            "./lab roofline --measure. The worksheet does not use values with a ?."
        )


def format_card(known: Ceilings, everything: bool = False) -> str:
    """What the tasks need, or everything that was measured."""
    explained = (
        "result after: cycles until the result can be used (latency).\n"
        "one every: cycles between independent operations (throughput)."
    )
    rule = "attainable Gflop/s = the smaller of peak and intensity (flop/byte) x GB/s"
    doubts = (line for text in _doubts(known) for line in wrapped(text, "", width() - 2))
    sections: list[tuple[str, str | LabTable]] = [  # title, content
        ("This machine", "\n".join(_facts(known))),
        ("", "\n".join(doubts)),
        ("Costs of scalar operations, in cycles of the core", _costs_table(known.prices)),
        ("", explained),
        ("Ceilings of one core, float, without SIMD", _first_ceilings(known)),
        ("", rule),
    ]
    if everything:
        sections.append(("All ceilings (triad: a = b + s c)", _all_ceilings(known)))
    else:
        more = "./lab machine --all adds every instruction set, slow unit and memory level."
        sections.append(("", more))
    lines: list[str] = []
    for title, content in sections:
        text = content if isinstance(content, str) else render(content, width() - 2)
        if text:
            lines += [title, ""] if title else []
            lines += [f"  {line}" for line in text.splitlines()] + [""]
    return "\n".join(lines[:-1])
