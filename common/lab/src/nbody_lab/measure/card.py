"""The card of ./lab machine: ceilings.json as readable text."""

from collections.abc import Mapping, Sequence
from typing import Any

from nbody_lab.core.console import LabTable, render, width, wrapped
from nbody_lab.measure.results import Ceiling, Ceilings, Cycles, OperationCost

_UNITS = ("sqrt", "div", "rsqrt")
_TRAFFIC = ("load", "copy", "triad")
_LEVELS = ("L1", "L2", "L3", "DRAM")
_ADVICE = (
    "That is good enough for a first look. For answers and reports, measure again while nothing else "
    "runs: ./lab roofline --measure. The worksheet does not use values with a ?."
)
_MORE = (
    "./lab machine --all adds peaks of each instruction set, roots and divisions per second, and the "
    "bandwidths of each memory level."
)
_Section = tuple[str, "str | LabTable"]  # title, content


def format_bytes(count: int) -> str:
    if not count:
        return "unknown"
    return f"{count >> 10} KiB" if count < 1 << 20 else f"{count / (1 << 20):.4g} MiB"


def _facts(known: Ceilings) -> str:
    facts = known.machine
    usable = f"{facts.cores} cores, {facts.hardware_threads} hardware threads"
    if facts.processor_quota:
        usable += f"; at most {facts.processor_quota:.3g} at a time (container limit)"
    caches = (("L1d", facts.l1d_bytes), ("L2", facts.l2_bytes), ("L3", facts.l3_bytes))
    rows = (
        ("CPU", facts.cpu + (", in a virtual machine" if facts.virtual_machine else "")),
        ("usable", usable),
        ("clock", f"{known.clock_hz / 1e9:.2f} GHz while measuring"),
        ("caches", ", ".join(f"{name} {format_bytes(count)}" for name, count in caches)),
        ("SIMD", " ".join(facts.simd) or "unknown"),
        ("compiler", facts.compiler),
        ("system", facts.system),
        ("measured", known.date),
    )
    return "\n".join(
        line
        for name, value in rows
        for line in wrapped(f"{name:<12}{value}", " " * 12, width() - 2)
    )


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
        cells = [
            _cycles(cycles)
            for one in (cost, twin)
            for cycles in (one.latency_cycles, one.one_every_cycles)
        ]
        rows.append([cost.operation, *cells, "; ".join(filter(None, notes))])
    numbers = [">float: result after", ">one every", ">double: result after", ">one every"]
    return LabTable(["operation", *numbers, ""], rows)


# Ceilings.


def _find(known: Ceilings, **wanted: object) -> list[Ceiling]:
    """The processor's rows that have these values."""
    return [
        row
        for row in known.of_place("cpu")
        if all(getattr(row, field) == value for field, value in wanted.items())
    ]


def _rate(rows: Sequence[Ceiling], digits: int = 1) -> str:
    """The first row's rate in 10^9 per second; after a question mark if it is no ceiling, a dash if there is none."""
    if not rows:
        return "-"
    return f"{'' if rows[0].is_ceiling else '? '}{rows[0].best / 1e9:.{digits}f}"


def _scalar_rows(known: Ceilings) -> list[tuple[str, Sequence[Ceiling], str, str]]:
    """(name, rows found, unit, note) of what is needed to draw a roofline by hand."""
    scalar: dict[str, Any] = {"instruction_set": "scalar", "threads": 1}
    loads = _find(known, **scalar, level="L1", operation="load", precision="")
    memory = _find(known, level="DRAM", operation="load", threads=1)
    widest = {"instruction_set": memory[0].instruction_set if memory else ""}
    wide_loads = _find(known, **widest, level="L1", operation="load", threads=1)
    rows = [
        ("peak", "mul_add", "equal numbers of additions and multiplications"),
        ("peak with fma", "fma", "an fma counted as 2"),
    ]
    lines: list[tuple[str, Sequence[Ceiling], str, str]] = [
        (name, _find(known, **scalar, operation=operation, precision="float"), "Gflop/s", note)
        for name, operation, note in rows
    ]
    for name, found, note in (
        ("loads from L1", loads, "4 bytes at a time, array of {array}"),
        # Memory is loaded by the widest instructions: beside the line above it would seem faster than L1.
        ("the same, wide", wide_loads, "{bytes} bytes at a time ({set}), array of {array}"),
        ("loads from memory", memory, "{bytes} bytes at a time ({set}), array of {array}"),
    ):
        for row in found[:1]:
            note = note.format(
                array=format_bytes(row.array_bytes), set=row.instruction_set, bytes=4 * row.lanes
            )
        lines.append((name, found, "GB/s", note))
    return lines


def _scalar_table(known: Ceilings) -> LabTable:
    return LabTable(
        ["ceiling", ">value", "", ">spread", ""],
        [
            [name, _rate(found), unit, f"{100 * found[0].spread:.0f} %", note]
            if found
            else [name, "none", "", "", "no such instruction"]
            for name, found, unit, note in _scalar_rows(known)
        ],
    )


def _scalar_doubts(known: Ceilings) -> str:
    """A line for each question mark of the table above it."""
    return "\n".join(
        line
        for name, found, *_ in _scalar_rows(known)
        if found and not found[0].is_ceiling
        for line in wrapped(f"? {name}: {found[0].why_not}", "  ", width() - 2)
    )


def _teams(known: Ceilings) -> list[tuple[str, int]]:
    counts = sorted({row.threads for row in known.of_place("cpu")})
    return [(f"all {count}" if count > 1 else "one", count) for count in counts]


def _pivot(
    known: Ceilings,
    corner: str,
    rows: Sequence[tuple[str, Mapping[str, object]]],
    groups: Sequence[tuple[str, Mapping[str, object]]],
    columns: Sequence[tuple[str, Mapping[str, object]]],
    digits: int = 1,
) -> LabTable:
    """One cell for each row, group of columns and column: the rate with these values."""
    titles = [
        f">{group}: {name}" if k == 0 else f">{name}"
        for group, _ in groups
        for k, (name, _) in enumerate(columns)
    ]
    cells = [
        [label]
        + [
            _rate(_find(known, **wanted, **group, **column), digits)
            for _, group in groups
            for _, column in columns
        ]
        for label, wanted in rows
    ]
    return LabTable([corner, *titles], cells)


_PRECISIONS: list[tuple[str, Mapping[str, object]]] = [
    (precision, {"precision": precision}) for precision in ("float", "double")
]


def _peaks_table(known: Ceilings) -> LabTable:
    rows = [
        (
            row.name,
            {field: getattr(row, field) for field in ("kind", "instruction_set", "operation")},
        )
        for row in _find(known, kind="flops", precision="float", threads=1)
    ]
    teams = [(name, {"threads": count}) for name, count in _teams(known)]
    return _pivot(known, "Gflop/s", rows, _PRECISIONS, teams)


def _sets(known: Ceilings) -> dict[str, str]:
    """{instruction set: its name for people}"""
    rows = _find(known, kind="flops", operation="mul_add", precision="float", threads=1)
    return {row.instruction_set: row.name for row in rows}


def _units_table(known: Ceilings) -> LabTable:
    rows = [
        (name, {"kind": "unit", "instruction_set": instruction_set, "threads": 1})
        for instruction_set, name in _sets(known).items()
    ]
    units = [(operation, {"operation": operation}) for operation in _UNITS]
    return _pivot(known, "10^9/s", rows, _PRECISIONS, units, 2)


def _bandwidths_table(known: Ceilings) -> LabTable | None:
    """L1 by instruction set; the other levels by the widest."""
    sets = _sets(known)
    pairs = dict.fromkeys(
        (level, row.instruction_set)
        for level in _LEVELS
        for row in _find(known, kind="bandwidth", level=level, precision="")
    )
    if not pairs:
        return None
    rows = [
        (
            f"{level}, {sets.get(instruction_set, instruction_set)}" if level == "L1" else level,
            {
                "kind": "bandwidth",
                "level": level,
                "instruction_set": instruction_set,
                "precision": "",
            },
        )
        for level, instruction_set in pairs
    ]
    teams = [(name, {"threads": count}) for name, count in _teams(known)]
    traffic = [(operation, {"operation": operation}) for operation in _TRAFFIC]
    return _pivot(known, "GB/s", rows, teams, traffic)


def _doubts(known: Ceilings, with_reasons: bool) -> str:
    """What the question marks mean; empty if there are none."""
    rows = _find(known)
    reasons = [row.why_not for row in rows if not row.is_ceiling]
    if not reasons:
        return ""
    lines = [
        f"A ? marks {len(reasons)} of the {len(rows)} figures that --all shows: something else ran, or they "
        "contradict others."
    ]
    if with_reasons:
        lines = [
            f"A ? marks {reasons.count(why)} of {len(rows)} figures: {why}"
            for why in dict.fromkeys(reasons)
        ]
    return "\n".join(
        line for text in (*lines, _ADVICE) for line in wrapped(text, "  ", width() - 2)
    )


def _details(known: Ceilings) -> list[_Section]:
    return [
        ("Peaks by instruction set, with one thread and with one per core", _peaks_table(known)),
        (
            "Results of the slow units, one thread (rsqrt: the estimate of 1/sqrt)",
            _units_table(known),
        ),
        (
            "Bandwidths (triad: a = b + s c; bytes as written in the loop), memory by the widest vectors",
            _bandwidths_table(known) or "",
        ),
    ]


def format_card(known: Ceilings, everything: bool = False) -> str:
    """What the tasks need, or everything that was measured."""
    sections: list[_Section] = [
        ("This machine", _facts(known)),
        ("", _doubts(known, everything)),
        ("Costs of scalar operations, in cycles of the core", _costs_table(known.prices)),
        (
            "",
            "result after: cycles until the result can be used (latency).\n"
            "one every: cycles between independent operations (throughput).",
        ),
        ("Ceilings of one core, float, without SIMD", _scalar_table(known)),
        ("", _scalar_doubts(known)),
        ("", "attainable Gflop/s = the smaller of peak and intensity (flop/byte) x GB/s"),
        *(_details(known) if everything else [("", "\n".join(wrapped(_MORE, "", width() - 2)))]),
    ]
    lines: list[str] = []
    for title, content in sections:
        text = content if isinstance(content, str) else render(content, width() - 2)
        if text:
            lines += [title, ""] if title else []
            lines += [f"  {line}" for line in text.splitlines()] + [""]
    return "\n".join(lines[:-1])
