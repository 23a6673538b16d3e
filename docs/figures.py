"""What a file of data/results says of one measurement.

A figure is asked for by an object, as the cells of docs/tables.json give it:

    file            data/results/FILE.json, or the name of a text file there
    KEYS            which row of it: as many keys as needed to identify one
    to, naive       other values of these, for the row in the denominator of a ratio
    code            what `lines` counts: a list of what code_lines.py takes
    may_be_missing  true: empty until the file has been measured
"""

import json
import re
from functools import cache
from pathlib import Path

from code_lines import code_lines
from nbody_lab import ROOT
from nbody_lab.draw.theme import FLOPS
from nbody_lab.grade.rubric import read_rubric
from nbody_lab.limits.roofline_text import format_significant as number
from nbody_lab.measure.bench_file import BenchRow

RESULTS = Path(__file__).resolve().parents[1] / "data/results"
KEYS = ("name", "n", "threads", "ranks", "precision", "block", "unroll", "grid", "case")


class BadTable(Exception):
    """The requested figure does not exist; one line."""


def columns_of_text(text):
    """Rows of a table with columns two blanks apart, after a title; the first column is the name."""
    head, *lines = (re.split(r"\s{2,}", line.strip()) for line in text.splitlines()[1:])
    return [{"name": line[0], **dict(zip(head, line))} for line in lines]


def cases_of_check(text):
    """What `./lab check --thorough -v` shows of each program: case, error, limit."""
    found, name = [], None
    for line in text.splitlines():
        program = re.match(r"part\d/(\w+) in", line)
        case = re.match(r"\s+many bodies: (.+?)\s{2,}(\S+)\s+(\S+)\s+\w+$", line)
        name = program[1] if program else name
        if case:
            found.append({"name": name, "case": case[1], "error": case[2], "limit": case[3]})
    return found


READERS = {
    "part3_study_copies.txt": columns_of_text,
    "part2_check.txt": cases_of_check,
}


@cache
def rows(file):
    """All rows of a file, and the ceiling that follows from the peak of its GPU."""
    text = (RESULTS / (file if file in READERS else file + ".json")).read_text(encoding="utf-8")
    if file in READERS:
        return READERS[file](text)
    data = json.loads(text)
    peak = data.get("context", {}).get("device_peak_flops_per_s")
    ceiling = [{"name": "peak", "interactions_per_s": peak / FLOPS}] if peak else []
    where = {"simulated": "rows", "roofline": "points", "ceilings": "ceilings"}
    return data[where.get(data.get("what"), "summary")] + ceiling


def row(where):
    """The one row requested. A row without a number of bodies or threads fits any."""
    keys = {key: where[key] for key in KEYS if key in where}
    found = [
        one
        for one in rows(where["file"])
        if all(one.get(key, value) == value for key, value in keys.items())
    ]
    if len(found) != 1:
        raise BadTable(f"data/results/{where['file']} has {len(found)} rows {keys}")
    return found[0]


def rate(where):
    """Interactions per second, the median of the rounds. Of a bound: what `cycles` cycles allow."""
    one = row(where)
    if "cycles" in one:
        return one["interactions"] / one["cycles"] * one["clock_hz"]
    measured = one["interactions_per_s"]
    return measured["median"] if isinstance(measured, dict) else measured


def ratio(where, to):
    """As bench has it: of one run, the median of the rounds' ratios, and None if they differ too much."""
    beside = {**where, **to}
    one, other = row(where), row(beside)
    if (
        where["file"] == beside["file"]
        and "seconds_of_rounds" in one
        and "seconds_of_rounds" in other
    ):
        return BenchRow.model_validate(one).shown_ratio(BenchRow.model_validate(other))
    return rate(where) / rate(beside)


def times(where, to):
    """A ratio as text; nothing if bench shows none."""
    found = ratio(where, to)
    return number(found) if found else ""


def x_parent(where):
    """The ratio to the parent, with its name if that is not the row above; nothing if it was not measured."""
    parent = row(where).get("parent")
    if not parent or parent not in [one["name"] for one in rows(where["file"])]:
        return ""
    gained = times(where, {"name": parent})
    return gained if not gained or parent == where.get("above") else f"{gained} {parent}"


def points(where):
    """What the rubric's speed number `speed` of the part gives for this share of the solution."""
    rules = read_rubric(ROOT / where["rubric"]).parts[where["part"]].speed
    return f"{rules[where['speed']].points_for(ratio(where, where['to'])):g}"


def predicted(where):
    """What the header of a version says; make_ladder.py reads it."""
    from make_ladder import PARTS, versions_of

    part = next(part for part in PARTS if part.name == where["part"])
    return next(one.factor("Predicted") for one in versions_of(part) if one.name == where["name"])


def spread(where):
    """The interquartile range of the rounds, in percent of the median."""
    of = row(where)["interactions_per_s"]
    return f"{100 * (of['upper_quartile'] - of['lower_quartile']) / of['median']:.0f} %"


MEASURES = {
    "10^9/s": lambda where: number(rate(where) / 1e9),
    "10^12/s": lambda where: number(rate(where) / 1e12),
    "x_naive": lambda where: times(where, {"name": "naive", **where.get("naive", {})}),
    "x_parent": x_parent,
    "x": lambda where: times(where, where["to"]),
    "share": lambda where: f"{100 * ratio(where, where['to']):.0f} %",
    "full units": lambda where: ", ".join(row(where)["limit"]) or "waits",
    "share of its bound": lambda where: (
        f"{100 * row(where)['share_of_bound']:.0f} %" if row(where)["share_of_bound"] else ""
    ),
    "share of the roof": lambda where: f"{100 * row(where)['share_of_roof']:.0f} %",
    "best 10^9": lambda where: number(row(where)["best"] / 1e9),
    "spread": spread,
    "predicted": predicted,
    "points": points,
    "lines": lambda where: str(sum(map(code_lines, where["code"]))),
    "ours 10^9/s": lambda where: number(row(where)["ours_per_s"] / 1e9),
    "likwid 10^9/s": lambda where: number(row(where)["likwid_per_s"] / 1e9),
}


def figure(where):
    """The text of `where["is"]`: one of MEASURES, else what the file has under that name."""
    if (
        where.get("may_be_missing")
        and where["is"] != "lines"
        and not (RESULTS / f"{where['file']}.json").exists()
    ):
        return ""
    if where["is"] in MEASURES:
        return MEASURES[where["is"]](where)
    value = row(where)[where["is"]]
    if value is None:
        return ""
    return f"{float(value):.{where['digits']}f}" if "digits" in where else str(value)
