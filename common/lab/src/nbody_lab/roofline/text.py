"""A roofline as text of 100 columns and as CSV. Pure functions of its JSON (docs/file_formats.md)."""

import csv
import io

from nbody_lab.core.screen import SCREEN, wrapped
from nbody_lab.programs.quick_bench import busy_words
from nbody_lab.roofline.ceilings import here, level_of_issued, matching

# The file names of a part's roofline, for ./lab roofline and for the page.


def stem_of(part, setting, all_threads):
    """The stem of the file name, different for each setting. `setting`: with its precision."""
    return "_".join(
        [
            part,
            *(["double"] if setting["precision"] == "double" else []),
            *(["all_threads"] if all_threads else []),
        ]
    )


SET = "instruction_set"
BUSY_MACHINE = "busy machine?"  # the limiter of a program that may have waited for other programs
UNITS = {"flop/s": "flop/s", "byte/s": "B/s", "operation/s": "/s"}
CSV_FIELDS = (
    "number",
    "name",
    "kind",
    "precision",
    "threads",
    "instruction_set",
    "interactions_per_s",
    "flops_per_interaction",
    "bytes_per_interaction",
    "compulsory_bytes_per_interaction",
    "flops_per_s",
    "intensity",
    "compulsory_intensity",
    "roof_flops_per_s",
    "share_of_roof",
    "bound_by",
    "above_roof",
    "limiter",
    "share_of_limit",
)


def three_digits(number):
    """1234 -> '1230', 12.34 -> '12.3', 0.1234 -> '0.123'"""
    if number >= 100:
        return f"{float(f'{number:.3g}'):.0f}"
    return f"{number:#.3g}".rstrip(".") if number >= 1e-3 else f"{number:.1e}"


def with_unit(rate, unit):
    """3.46e10, 'byte/s' -> '34.6 GB/s'"""
    for scale, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M")):
        if rate >= scale:
            return f"{three_digits(rate / scale)} {letter}{UNITS[unit]}"
    return f"{three_digits(rate)} {UNITS[unit]}"


def percent(share):
    return f"{100 * share:.0f} %"


def setting(data):
    """float, 1 thread, 5000 bodies"""
    threads = data["threads"]
    of_threads = (
        [] if data["where"] != "cpu" else [f"{threads} thread{'' if threads == 1 else 's'}"]
    )
    return ", ".join([data["precision"], *of_threads, f"{data['n']} bodies"])


def ceilings_drawn(data):
    """The (flops, loads) rows with this roofline's place, precision and threads: the same rows that its points are
    compared with. A row that is no ceiling counts only if there is no better one."""
    rows = here(data["ceilings"]["ceilings"], data["where"])
    threads = data["threads"] if data["where"] == "cpu" else 0
    flops = [
        row
        for row in rows
        if row["kind"] == "flops"
        and row["precision"] == data["precision"]
        and row["threads"] == threads
    ]
    loads = [
        row
        for row in rows
        if row["kind"] == "bandwidth"
        and row["operation"] == "load"
        and row["threads"] == threads
        and "host" not in row["level"]
        and row["precision"] in ("", data["precision"])
    ]
    return best_of_each(flops), best_of_each(loads)


def best_of_each(rows):
    """The highest row of each level and instruction set, from low to high."""
    alike = {}
    for row in rows:
        alike.setdefault((name_of(row), row["instruction_set"]), []).append(row)
    return sorted(
        (max(matching(some), key=lambda row: row["best"]) for some in alike.values()),
        key=lambda row: row["best"],
    )


def rate_of(row):
    """35.0 Gflop/s, with a question mark if it is not a ceiling."""
    return with_unit(row["best"], row["unit"]) + ("" if row["is_ceiling"] else "?")


def set_names(flops):
    """{instruction set: the name of its lowest peak}"""
    return {row["instruction_set"]: row["name"] for row in reversed(flops)}


def name_of(row):
    """The level, for a processor's bandwidths; else the name: a GPU's shared memory has two rates, by access
    pattern."""
    return row["name"] if row["where"] != "cpu" else row["level"] or row["name"]


def wide_of(rows):
    """Only the widest instruction set for L1: a text line has no room for all."""
    highest = {}
    for row in rows:
        highest[name_of(row)] = row
    return sorted(highest.values(), key=lambda row: -row["best"])


def ceiling_lines(data):
    flops, loads = ceilings_drawn(data)
    sets = set_names(flops)
    for label, rows in (("computing", flops), ("memory", wide_of(loads))):
        words = ", ".join(
            f"{name_of(row)}{f' ({sets[row[SET]]})' if row['level'] == 'L1' and row[SET] in sets else ''} {rate_of(row)}"
            for row in rows
        )
        yield from wrapped(f"{label:<10} {words or 'no ceiling was measured'}", indent=" " * 11)


COLUMNS = f"{'':>3} {'name':<16} {'flop/byte':>9} {'compulsory':>10} {'Gflop/s':>7} {'of roof':>7}  {'roof':<9}  {'limiter':<24} of it"


def short_limiter(one):
    """The limiter in the width of its column; "waiting" is explained below the table. A program on a busy machine may
    not really wait. '' without a limiter."""
    limiter = one.get("limiter") or ""
    if not limiter.startswith("waiting"):
        return limiter
    return BUSY_MACHINE if one.get("busy_machine") else "waiting"


def intensity_of(value):
    return three_digits(value) if value else "-"


def roof_share(one):
    return percent(one["share_of_roof"]) + ("?" if one.get("disturbed") else "")


def row_of(one):
    flag = "!" if one["above_roof"] else " "
    return (
        f"{one['number']:>2}{flag} {one['name'][:16]:<16} {intensity_of(one['intensity']):>9} {intensity_of(one['compulsory_intensity']):>10} "
        f"{three_digits(one['flops_per_s'] / 1e9):>7} {roof_share(one):>7}  {one['bound_by']:<9}  "
        f"{short_limiter(one):<24} {percent(one['share_of_limit']):>5}"
    )


def about_limiters(data):
    """Sentences that explain the short words of the limiter column."""
    points = data["points"]
    if any(one.get("busy_machine") for one in points):
        yield busy_words([one["name"] for one in points if one.get("busy_machine")])
    if any(short_limiter(one) == "waiting" for one in points):
        yield (
            "waiting: no unit is more than 60 % busy: it waits for results (latency), branches or calls, or does more "
            f"than the source counts; ./lab bound {data['part']} NAME tells more"
        )


def remarks(data):
    """Sentences below the table: what stands out and what is missing."""
    yield from about_limiters(data)
    for one in data["points"]:
        if one["above_roof"]:
            yield (
                f"! {one['name']} lies {percent(one['share_of_roof'] - 1)} over its roof: the roof was measured too low "
                "(./lab roofline --measure), or the compiler saved work"
            )
        elif one["share_of_limit"] > 1.05:
            yield (
                f"{one['name']} is {percent(one['share_of_limit'] - 1)} faster than its lowest limit: the compiler did less "
                "than the source says, or the limit was measured too low"
            )
    yield from doubts(data)
    for why, names in reasons(data.get("left_out", [])).items():
        yield f"left out: {', '.join(names)}: {why}"
    yield from data.get("notes", [])


def doubts(data):
    """Explains the question marks, if there are any."""
    drawn = [row for rows in ceilings_drawn(data) for row in rows]
    doubtful = sum(not row["is_ceiling"] for row in drawn)
    if doubtful or any(one.get("disturbed") for one in data["points"]):
        many = "every ceiling" if doubtful == len(drawn) else f"{doubtful} of {len(drawn)} ceilings"
        yield (
            f"?: {many} varied too much while measured, or contradict another. Good enough for a first look, not for a "
            "report: run ./lab roofline --measure while nothing else runs"
        )


def reasons(left_out):
    """{why: names}"""
    groups = {}
    for left in left_out:
        groups.setdefault(left["why"], []).append(left["name"])
    return groups


def text_of(data):
    machine = f" on {data['machine']}" if data.get("machine") else ""
    lines = [
        *wrapped(f"{data['part']}: {setting(data)}, {data['date']}{machine}"),
        "",
        *ceiling_lines(data),
        "",
    ]
    if data["points"]:
        level = level_of_issued(here(data["ceilings"]["ceilings"], data["where"]))
        level = "shared memory or L1" if level == "shared" else "L1"
        lines += [
            COLUMNS,
            *map(row_of, data["points"]),
            "",
            *wrapped(
                f"flop/byte: flops per byte that the source loads and stores, served by {level}"
            ),
            "compulsory: flops per byte that must come from memory: 7 numbers per body and iteration",
            "limiter: the unit with the lowest limit; of it: the share of that limit reached",
        ]
    for remark in remarks(data):
        lines += wrapped(remark, indent="  ")
    return "\n".join(line[:SCREEN] for line in lines)


def csv_of(data):
    """One row for each point; its limits follow the other fields."""
    names = sorted({limit["name"] for one in data["points"] for limit in one["limits"]})
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*CSV_FIELDS, *(f"limit: {name}, interactions/s" for name in names)])
    for one in data["points"]:
        limits = {limit["name"]: limit["interactions_per_s"] for limit in one["limits"]}
        writer.writerow(
            [*(one[field] for field in CSV_FIELDS), *(limits.get(name, "") for name in names)]
        )
    return stream.getvalue()
