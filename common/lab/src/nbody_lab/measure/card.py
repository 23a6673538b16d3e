"""The card of ./lab machine: ceilings.json as readable text."""

from collections.abc import Iterator

from nbody_lab.core.console import LabTable, wrapped
from nbody_lab.measure.results import Ceiling, Ceilings, Cycles

_PER_UNIT = {"flop/s": "Gflop/s", "byte/s": "GB/s", "operation/s": "10^9/s"}
_DISTURBED = (
    "That is good enough for a first look. For answers and reports, measure again while nothing else runs: ./lab roofline "
    "--measure. The worksheet does not use values with a ?."
)


def format_bytes(count: int) -> str:
    if not count:
        return "unknown"
    return f"{count >> 10} KiB" if count < 1 << 20 else f"{count / (1 << 20):.4g} MiB"


def _facts(known: Ceilings) -> LabTable:
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
    return LabTable(["This machine", ""], rows.items(), 2)


def _cycles(cycles: Cycles | None) -> str:
    return f"{cycles.median:.1f}" if cycles else "none"


def _costs(known: Ceilings) -> LabTable:
    """One row per operation: float and double side by side."""
    doubles = {cost.operation: cost for cost in known.prices if cost.precision == "double"}
    rows = []
    for cost in known.prices:
        twin = doubles.get(cost.operation)
        if cost.precision != "float" or not twin:
            continue
        both = [one for own in (cost, twin) for one in (own.latency_cycles, own.one_every_cycles)]
        rows.append([cost.operation, *map(_cycles, both), cost.note])
    numbers = [">float: result after", ">one every", ">double: result after", ">one every"]
    return LabTable(["operation", *numbers, ""], rows, 2)


def _rate(row: Ceiling) -> str:
    """In 10^9 per second, after a question mark if it is no ceiling."""
    return f"{'' if row.is_ceiling else '? '}{row.best / 1e9:.3g}"


def _first_ceilings(known: Ceilings) -> LabTable:
    """What is needed to draw a roofline by hand. Memory is loaded by the widest instructions: beside scalar loads from L1
    it would seem faster than that."""
    one = [row for row in known.of_place("cpu") if row.threads == 1]
    peaks = [row for row in one if (row.kind, row.precision) == ("flops", "float")]
    loads = [row for row in one if row.operation == "load" and not row.precision]
    scalar = {row.operation: row for row in peaks if row.instruction_set == "scalar"}
    memory = next((row for row in loads if row.level == "DRAM"), None)
    widest = memory.instruction_set if memory else ""
    l1 = {row.instruction_set: row for row in loads if row.level == "L1"}
    rows = []
    for name, row, note in (
        ("peak", scalar.get("mul_add"), "equal numbers of additions and multiplications"),
        ("peak with fma", scalar.get("fma"), "an fma counted as 2"),
        ("loads from L1", l1.get("scalar"), ""),
        ("the same, wide", l1.get(widest), ""),
        ("loads from memory", memory, ""),
    ):
        if not row:
            rows.append([name, "none", "", "", "no such instruction"])
            continue
        wide = f" ({row.instruction_set})" if row.lanes > 1 else ""
        array = f"{4 * row.lanes} bytes at a time{wide}, array of {format_bytes(row.array_bytes)}"
        unit, spread = _PER_UNIT[row.unit], f"{100 * row.spread:.0f} %"
        rows.append([name, _rate(row), unit, spread, note or array])
    return LabTable(["ceiling", ">value", "", ">spread", ""], rows, 2)


def _all_ceilings(known: Ceilings) -> LabTable:
    rows = [
        (row.name, row.precision, row.threads, _rate(row), _PER_UNIT[row.unit], f"{row.spread:.0%}")
        for row in known.of_place("cpu")
    ]
    return LabTable(["ceiling", "precision", ">threads", ">value", "", ">spread"], rows, 2)


def card(known: Ceilings, everything: bool = False) -> Iterator[str | LabTable]:
    """What the tasks need, or everything that was measured. What is doubtful is said before any figure."""
    yield from (_facts(known), "")
    rows = known.of_place("cpu")
    reasons = [row.why_not for row in rows if not row.is_ceiling]
    for why in dict.fromkeys(reasons):
        yield from wrapped(f"A ? marks {reasons.count(why)} of {len(rows)} figures: {why}.")
    if reasons:
        yield from (*wrapped(_DISTURBED), "")
    yield from ("Costs of scalar operations, in cycles of the core\n", _costs(known))
    yield "\n  result after: cycles until the result can be used (latency)."
    yield "  one every: cycles between independent operations (throughput)."
    yield from ("\nCeilings of one core, float, without SIMD\n", _first_ceilings(known))
    yield "\n  attainable Gflop/s = the smaller of peak and intensity (flop/byte) x GB/s\n"
    if everything:
        yield from ("All ceilings (triad: a = b + s c)\n", _all_ceilings(known))
    else:
        yield "./lab machine --all adds every instruction set, slow unit and memory level."
