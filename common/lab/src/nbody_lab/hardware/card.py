"""The card of ./lab machine: ceilings.json as readable text."""

from nbody_lab.core.screen import SCREEN, table, wrapped

UNITS = ("sqrt", "div", "rsqrt")
TRAFFIC = ("load", "copy", "triad")


def bytes_text(count):
    if not count:
        return "unknown"
    return f"{count >> 10} KiB" if count < 1 << 20 else f"{count / (1 << 20):.4g} MiB"


def number_table(titles, rows, numbers):
    """A table whose columns `numbers` are right-aligned."""
    widths = [max(len(row[k]) for row in [titles, *rows]) for k in range(len(titles))]
    titles, *rows = (
        [cell.rjust(widths[k]) if k in numbers else cell for k, cell in enumerate(row)]
        for row in [titles, *rows]
    )
    return table(titles, rows)


# --- facts and prices ----------------------------------------------------------------------------


def facts_text(known):
    facts = known["machine"]
    usable = f"{facts['cores']} cores, {facts['hardware_threads']} hardware threads"
    if facts["processor_quota"]:
        usable += f"; at most {facts['processor_quota']:.3g} at a time (container limit)"
    rows = [
        ("CPU", facts["cpu"] + (", in a virtual machine" if facts["virtual_machine"] else "")),
        ("usable", usable),
        ("clock", f"{known['clock_hz'] / 1e9:.2f} GHz while measuring"),
        (
            "caches",
            ", ".join(
                f"{name} {bytes_text(facts[key])}"
                for name, key in (("L1d", "l1d_bytes"), ("L2", "l2_bytes"), ("L3", "l3_bytes"))
            ),
        ),
        ("SIMD", " ".join(facts["simd"]) or "unknown"),
        ("compiler", facts["compiler"]),
        ("system", facts["system"]),
        ("measured", known["date"]),
    ]
    return "\n".join(f"{name:<12}{value}" for name, value in rows)


def prices_text(prices):
    """One row per operation: float and double side by side."""

    def cycles(price):
        return [
            f"{price[key]['median']:.1f}" if price["there"] else "none"
            for key in ("latency_cycles", "one_every_cycles")
        ]

    rows, in_double = (
        [],
        {price["operation"]: price for price in prices if price["precision"] == "double"},
    )
    for price in prices:
        twin = in_double.get(price["operation"])
        if price["precision"] == "float" and twin:
            notes = [price["note"]] + (
                ["double: " + twin["note"]] if twin["note"] != price["note"] else []
            )
            rows.append([price["operation"], *cycles(price), *cycles(twin), "; ".join(notes)])
    return number_table(
        ["operation", "float: result after", "one every", "double: result after", "one every", ""],
        rows,
        (1, 2, 3, 4),
    )


# --- ceilings ------------------------------------------------------------------------------------


def chosen(known, **wanted):
    """The processor's rows that have these values."""
    return [
        row
        for row in known["ceilings"]
        if row["where"] == "cpu" and all(row[key] == value for key, value in wanted.items())
    ]


def rate(rows, digits=1):
    """The first row's rate in 10^9 per second; with a question mark if it is not a ceiling, a dash if there is none."""
    return (
        f"{rows[0]['best'] / 1e9:.{digits}f}{' ' if rows[0]['is_ceiling'] else '?'}"
        if rows
        else "- "
    )


def scalar_text(known):
    """The rows needed to draw a roofline by hand."""

    def scalar(**wanted):
        return chosen(known, instruction_set="scalar", threads=1, **wanted)

    memory = chosen(known, level="DRAM", operation="load", threads=1)
    rows = []
    for name, found, unit, note in (
        (
            "peak",
            scalar(operation="mul_add", precision="float"),
            "Gflop/s",
            "equal numbers of additions and multiplications",
        ),
        (
            "peak with fma",
            scalar(operation="fma", precision="float"),
            "Gflop/s",
            "an fma counted as 2",
        ),
        (
            "loads from L1",
            scalar(level="L1", operation="load", precision=""),
            "GB/s",
            "array of {array}",
        ),
        ("loads from memory", memory, "GB/s", "array of {array}, by vectors ({set})"),
    ):
        if found:
            row = found[0]
            note = note.format(array=bytes_text(row["array_bytes"]), set=row["instruction_set"])
            rows.append([name, rate(found), unit, f"{100 * row['spread']:.0f} %", note])
        else:
            rows.append([name, "none ", "", "", "no such instruction"])
    return number_table(["ceiling", "value ", "", "spread", ""], rows, (1, 3))


def teams(known):
    return sorted({row["threads"] for row in known["ceilings"] if row["where"] == "cpu"})


def titles_of(groups, names):
    """["one: load", "copy", "all 8: load", "copy"]"""
    return [
        f"{group}: {name} " if k == 0 else f"{name} "
        for group in groups
        for k, name in enumerate(names)
    ]


def team_names(known):
    return [f"all {threads}" if threads > 1 else "one" for threads in teams(known)]


def peaks_text(known):
    """One row per instruction set, with fma and without."""
    columns = [
        (precision, threads) for precision in ("float", "double") for threads in teams(known)
    ]
    rows = []
    for row in chosen(known, kind="flops", precision="float", threads=1):
        same = {key: row[key] for key in ("kind", "instruction_set", "operation")}
        loads = chosen(
            known,
            kind="bandwidth",
            level="L1",
            operation="load",
            precision="",
            instruction_set=row["instruction_set"],
            threads=1,
        )
        rows.append(
            [
                row["name"],
                *(
                    rate(chosen(known, **same, precision=precision, threads=threads))
                    for precision, threads in columns
                ),
                rate(loads) if row["operation"] == "mul_add" else "",
            ]
        )
    titles = ["Gflop/s", *titles_of(("float", "double"), team_names(known)), "L1 loads, GB/s: one "]
    return number_table(titles, rows, range(1, len(titles)))


def units_text(known):
    columns = [(precision, operation) for precision in ("float", "double") for operation in UNITS]
    rows = []
    for row in chosen(known, kind="flops", operation="mul_add", precision="float", threads=1):
        same = {"kind": "unit", "instruction_set": row["instruction_set"], "threads": 1}
        rows.append(
            [
                row["name"],
                *(
                    rate(chosen(known, **same, precision=precision, operation=operation), 2)
                    for precision, operation in columns
                ),
            ]
        )
    titles = ["10^9/s", *titles_of(("float", "double"), UNITS)]
    return number_table(titles, rows, range(1, len(titles)))


def bandwidths_text(known):
    wide = chosen(known, level="DRAM")
    if not wide:
        return ""
    columns = [(threads, operation) for threads in teams(known) for operation in TRAFFIC]
    rows = []
    for level in ("L1", "L2", "L3", "DRAM"):
        same = {
            "kind": "bandwidth",
            "level": level,
            "instruction_set": wide[0]["instruction_set"],
            "precision": "",
        }
        if chosen(known, **same):
            rows.append(
                [
                    level,
                    *(
                        rate(chosen(known, **same, threads=threads, operation=operation))
                        for threads, operation in columns
                    ),
                ]
            )
    titles = ["GB/s", *titles_of(team_names(known), TRAFFIC)]
    return number_table(titles, rows, range(1, len(titles)))


def doubts_text(known):
    """What the question marks mean."""
    reasons = [row["why_not"] for row in chosen(known, is_ceiling=False)]
    lines = (
        f"? {reasons.count(why)} of {len(chosen(known))} are not ceilings: {why}"
        for why in dict.fromkeys(reasons)
    )
    text = [line for text in lines for line in wrapped(text, "  ", SCREEN - 2)]
    advice = (
        "A ? is good enough for a first look. For answers and reports, measure again while nothing else runs: ./lab roofline --measure. "
        "The worksheet does not use values with a ?."
    )
    return "\n".join([*text, *wrapped(advice, "  ", SCREEN - 2)] if text else [])


def card_text(known):
    """The whole card; `known`: the content of ceilings.json."""
    parts = [
        ("This machine", facts_text(known)),
        ("Prices of scalar operations, in cycles of the core", prices_text(known["prices"])),
        (
            "",
            "result after: cycles until the result can be used (latency).\n"
            "one every: cycles between independent operations (throughput).",
        ),
        ("Ceilings of one core, float, without SIMD", scalar_text(known)),
        ("", "attainable Gflop/s = the smaller of peak and intensity (flop/byte) x GB/s"),
        ("Peaks by instruction set, with one thread and with one per core", peaks_text(known)),
        (
            "Results of the slow units, one thread (rsqrt: the estimate of 1/sqrt)",
            units_text(known),
        ),
        (
            "Bandwidths with the widest vectors (triad: a = b + s c; bytes as written in the loop)",
            bandwidths_text(known),
        ),
        ("", doubts_text(known)),
    ]
    lines = []
    for title, text in parts:
        if text:
            lines += [title, ""] if title else []
            lines += [f"  {line}" for line in text.splitlines()] + [""]
    return "\n".join(lines[:-1])
