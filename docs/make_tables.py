#!/usr/bin/env python3
"""Writes the tables of the documents from data/results: docs/tables.json says which rows stand in which table.

    make_tables.py            writes them anew, between <!-- table NAME --> and <!-- end of table -->
    make_tables.py --check    status 1 and the first stale line if they are not what the results say
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "data/results"
FLOPS = 20  # per interaction, the convention of the literature


class BadTable(Exception):
    """What is asked for is not there; one line."""


def read(name):
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def measured(file, name):
    """The row of a result."""
    found = [row for row in read(file)["summary"] if row["name"] == name]
    if len(found) != 1:
        raise BadTable(f"data/results/{file}.json has {len(found)} rows {name}")
    return found[0]


def number(value):
    """Three digits, as many as the spread of a good machine allows."""
    return f"{value:#.3g}".rstrip(".") if value < 999.5 else f"{value:.0f}"


def naive_rate(file):
    return measured(file, "naive")["interactions_per_s"]["median"]


def cells(row):
    """version, what it is, 10^9 interactions/s, times the naive of the same run"""
    if "bound" in row:
        bound = read("beside")["bounds"][row["bound"]]
        return "", bound["what"], bound["threads"] * bound["times_naive"] * naive_rate(bound["file"]), bound["threads"] * bound["times_naive"]
    if "peak" in row:
        rate = read(row["peak"])["context"]["device_peak_flops_per_s"] / FLOPS
        return "", row["what"], rate, rate / naive_rate(row["peak"])
    if "peer" in row:
        peer = read("beside")["peers"][row["peer"]]
        lab = peer["lab_in_the_same_run"] / 1e9
        return "", f"{peer['what']}; the lab in the same run: {number(lab)}", peer["interactions_per_s"], None
    of = measured(row["file"], row["name"])
    version = f"{row['part']}, `{row['name']}`" if "part" in row else f"`{row['name']}`"
    return version, row["what"], of["interactions_per_s"]["median"], of["ratio_to_naive"]


def table(definition):
    lines = [definition["columns"], ["---"] * len(definition["columns"])]
    for version, what, rate, ratio in map(cells, definition["rows"]):
        lines.append([version, what, number(rate / 1e9), "" if ratio is None else number(ratio)])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def with_tables(text, tables):
    for name, definition in tables.items():
        begin, end = f"<!-- table {name} -->\n", "<!-- end of table -->"
        if text.count(begin) != 1:
            raise BadTable(f"no place for it, or several: {begin.strip()}")
        text, count = re.subn(re.escape(begin) + ".*?" + re.escape(end), lambda _: begin + table(definition) + "\n" + end, text, flags=re.S)
        if count != 1:
            raise BadTable(f"no end of it: {end}")
    return text


def first_difference(old, new):
    for number_of_line, (before, after) in enumerate(zip(old.splitlines(), new.splitlines()), 1):
        if before != after:
            return f"line {number_of_line} should be: {after}"
    return "lines are missing at its end"


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    stale = 0
    for file, tables in json.loads((ROOT / "docs/tables.json").read_text(encoding="utf-8")).items():
        old = (ROOT / file).read_text(encoding="utf-8")
        try:
            new = with_tables(old, tables)
        except (BadTable, OSError, KeyError, ValueError) as fault:
            print(f"make_tables: {file}: {fault}", file=sys.stderr)
            return 2
        if new == old:
            continue
        stale = 1
        if arguments:
            print(f"{file}: {first_difference(old, new)}: run docs/make_tables.py")
        else:
            (ROOT / file).write_text(new, encoding="utf-8")
            print(f"{file}: written")
    return stale if arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
