"""The card of ./lab machine: ceilings.json as readable text."""

from collections.abc import Mapping, Sequence

from nbody_lab.core.console import LabTable, render, width, wrapped
from nbody_lab.measure.results import Ceiling, Ceilings, Cycles, OperationCost

_ADVICE = (
    "That is good enough for a first look. For answers and reports, measure again while nothing else "
    "runs: ./lab roofline --measure. The worksheet does not use values with a ?."
)
_MORE = (
    "./lab machine --all adds peaks of each instruction set, roots and divisions per second, and the "
    "bandwidths of each memory level."
)
Wanted = Mapping[str, object]  # values of columns of a ceiling
Labelled = Sequence[tuple[str, Wanted]]
_PRECISIONS: Labelled = [(one, {"precision": one}) for one in ("float", "double")]
_UNITS: Labelled = [(one, {"operation": one}) for one in ("sqrt", "div", "rsqrt")]
_TRAFFIC: Labelled = [(one, {"operation": one}) for one in ("load", "copy", "triad")]


def _lines(text: str, indent: str = "  ") -> str:
    return "\n".join(wrapped(text, indent, width() - 2))


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
    return "\n".join(_lines(f"{name:<12}{value}", " " * 12) for name, value in rows.items())


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


def _scalar_ceilings(known: Ceilings) -> tuple[LabTable, list[str]]:
    """What is needed to draw a roofline by hand; and why it has question marks."""
    scalar = {"instruction_set": "scalar", "threads": 1}
    flops = {**scalar, "kind": "flops", "precision": "float"}
    from_l1 = {"level": "L1", "operation": "load", "threads": 1}
    memory = {**from_l1, "level": "DRAM"}
    # Memory is loaded by the widest instructions: beside scalar loads from L1 it would seem faster than that.
    widest = {"instruction_set": next((row.instruction_set for row in _find(known, **memory)), "")}
    wide = "{bytes} bytes at a time ({set}), array of {array}"
    rows, doubts = [], []
    for name, unit, wanted, note in (
        (
            "peak",
            "Gflop/s",
            {**flops, "operation": "mul_add"},
            "equal numbers of additions and multiplications",
        ),
        ("peak with fma", "Gflop/s", {**flops, "operation": "fma"}, "an fma counted as 2"),
        (
            "loads from L1",
            "GB/s",
            {**from_l1, **scalar, "precision": ""},
            "4 bytes at a time, array of {array}",
        ),
        ("the same, wide", "GB/s", {**from_l1, **widest}, wide),
        ("loads from memory", "GB/s", memory, wide),
    ):
        cells = [name, "none", "", "", "no such instruction"]
        for row in _find(known, **wanted)[:1]:
            array, set_ = format_bytes(row.array_bytes), row.instruction_set
            text = note.format(array=array, set=set_, bytes=4 * row.lanes)
            cells = [name, _rate([row]), unit, f"{100 * row.spread:.0f} %", text]
            if not row.is_ceiling:
                doubts.append(_lines(f"? {name}: {row.why_not}"))
        rows.append(cells)
    return LabTable(["ceiling", ">value", "", ">spread", ""], rows), doubts


def _pivot(
    known: Ceilings,
    corner: str,
    rows: Labelled,
    groups: Labelled,
    columns: Labelled,
    digits: int = 1,
) -> LabTable:
    """One cell for each row, group of columns and column: the rate with these values."""
    titles, wanted = [], []
    for group, of_group in groups:
        for k, (name, of_column) in enumerate(columns):
            titles.append(f">{name}" if k else f">{group}: {name}")
            wanted.append({**of_group, **of_column})
    return LabTable(
        [corner, *titles],
        [
            [label, *(_rate(_find(known, **of_row, **one), digits) for one in wanted)]
            for label, of_row in rows
        ],
    )


def _details(known: Ceilings) -> dict[str, LabTable]:
    """{title: table} of everything else."""
    counts = sorted({row.threads for row in known.of_place("cpu")})
    teams = [(f"all {one}" if one > 1 else "one", {"threads": one}) for one in counts]
    flops = _find(known, kind="flops", precision="float", threads=1)
    sets = {row.instruction_set: row.name for row in flops if row.operation == "mul_add"}
    peaks = [
        (
            row.name,
            {"kind": "flops", "instruction_set": row.instruction_set, "operation": row.operation},
        )
        for row in flops
    ]
    units = [
        (name, {"kind": "unit", "instruction_set": one, "threads": 1}) for one, name in sets.items()
    ]
    levels = [
        (
            f"L1, {sets.get(one, one)}" if level == "L1" else level,
            {"level": level, "instruction_set": one, "precision": ""},
        )
        for level in ("L1", "L2", "L3", "DRAM")
        for one in dict.fromkeys(
            row.instruction_set for row in _find(known, level=level, precision="")
        )
    ]
    tables = {
        "Peaks by instruction set, with one thread and with one per core": _pivot(
            known, "Gflop/s", peaks, _PRECISIONS, teams
        ),
        "Results of the slow units, one thread (rsqrt: the estimate of 1/sqrt)": _pivot(
            known, "10^9/s", units, _PRECISIONS, _UNITS, 2
        ),
    }
    if levels:
        title = "Bandwidths (triad: a = b + s c; bytes as written in the loop), memory by the widest vectors"
        tables[title] = _pivot(known, "GB/s", levels, teams, _TRAFFIC)
    return tables


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
    return "\n".join(map(_lines, (*lines, _ADVICE)))


def format_card(known: Ceilings, everything: bool = False) -> str:
    """What the tasks need, or everything that was measured."""
    scalar, scalar_doubts = _scalar_ceilings(known)
    sections: list[tuple[str, str | LabTable]] = [  # title, content
        ("This machine", _facts(known)),
        ("", _doubts(known, everything)),
        ("Costs of scalar operations, in cycles of the core", _costs_table(known.prices)),
        (
            "",
            "result after: cycles until the result can be used (latency).\n"
            "one every: cycles between independent operations (throughput).",
        ),
        ("Ceilings of one core, float, without SIMD", scalar),
        ("", "\n".join(scalar_doubts)),
        ("", "attainable Gflop/s = the smaller of peak and intensity (flop/byte) x GB/s"),
        *(_details(known).items() if everything else [("", _lines(_MORE, ""))]),
    ]
    lines: list[str] = []
    for title, content in sections:
        text = content if isinstance(content, str) else render(content, width() - 2)
        if text:
            lines += [title, ""] if title else []
            lines += [f"  {line}" for line in text.splitlines()] + [""]
    return "\n".join(lines[:-1])
