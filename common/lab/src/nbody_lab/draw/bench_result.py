"""Reads the result of ./lab bench --json (docs/file_formats.md) into rows."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

from nbody_lab.core.messages import UserError


class NoResult(UserError):
    """One line: what is wrong with the file."""


@dataclass(frozen=True)
class Row:
    name: str  # with its part if several parts were measured
    n: int
    threads: int
    precision: str
    block: int  # threads per block and unroll factor; 0: not set
    unroll: int
    rate: dict  # interactions/s: median, lower_quartile, upper_quartile, minimum, maximum
    seconds: dict  # per iteration
    fastest: float  # interactions/s in the fastest request; 0 with several threads
    parent: str
    verdict: str
    rounds: int
    ranks: int = 0  # processes; 0: a single one

    @property
    def judged(self):
        """Interactions/s. Noise only ever slows a single thread down, so its fastest request is the best estimate."""
        return self.fastest or self.rate["median"]

    @property
    def right(self):
        return self.verdict == "right"


@dataclass(frozen=True)
class Result:
    context: dict
    rows: list  # only rows with a measurement

    @property
    def part(self):
        return self.context.get("part", "")

    def values(self, field):
        return sorted({getattr(row, field) for row in self.rows})

    def footnote(self):
        context = self.context
        device = context.get("device", "").split(", built with")[0]
        machine = (
            f"{device}, {context.get('cpu', '')}"
            if device
            else f"{context.get('cpu', '')}, {context.get('compiler', '')}"
        )
        speed = (
            f"one thread: fastest of {self.rows[0].rounds} rounds, else their median"
            if any(row.fastest for row in self.rows)
            else f"medians of {self.rows[0].rounds} rounds"
        )
        return (
            f"{machine}; {context.get('scene', '?')} scene, {'adaptive' if context.get('adaptive') else 'fixed'} step; "
            f"{speed}; whiskers: the middle half of the rounds; {context.get('day', '')}"
        )


def row_of(data):
    rate = data["interactions_per_s"]
    return Row(
        data["name"],
        int(data["n"]),
        int(data["threads"]),
        data["precision"],
        int(data.get("block", 0)),
        int(data.get("unroll", 0)),
        rate,
        data["seconds_per_iteration"],
        data.get("fastest_interactions_per_s", 0.0),
        data.get("parent", ""),
        data["verdict"],
        int(data["rounds"]),
        int(data.get("ranks", 0)),
    )


def with_parts(part, rows):
    """Prefixes every name with its part if the rows come from several parts."""
    if not any("/" in row.name for row in rows):
        return rows
    return [row if "/" in row.name else replace(row, name=f"{part}/{row.name}") for row in rows]


def read_result(path):
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        rows = [
            row_of(row)
            for row in data["summary"]
            if row.get("interactions_per_s", {}).get("median", 0) > 0
        ]
        context = dict(data["context"])
    except OSError as fault:
        raise NoResult(f"{path} cannot be read: {fault.strerror}") from fault
    except (ValueError, KeyError, TypeError, AttributeError) as fault:
        raise NoResult(f"{path} was not written by ./lab bench --json") from fault
    if not rows:
        raise NoResult(f"{path} has no measured row")
    return Result(context, with_parts(context.get("part", ""), rows))


def lines_of(result, axis):
    """[(label, rows sorted by `axis`)], one for each name and setup. `axis` is a field of Row."""
    fields = [
        field
        for field in ("n", "threads", "ranks", "precision", "block", "unroll")
        if field != axis and len(result.values(field)) > 1
    ]
    lines, names = {}, {row.name for row in result.rows}
    for row in result.rows:
        setup = [words_of(field, getattr(row, field)) for field in fields]
        if len(names) > 1 or not setup:
            setup.insert(0, row.name)
        lines.setdefault(", ".join(setup), []).append(row)
    return [
        (label, sorted(rows, key=lambda row: getattr(row, axis))) for label, rows in lines.items()
    ]


def words_of(field, value):
    return {
        "n": f"N = {value}",
        "threads": threads(value),
        "ranks": ranks(value),
        "precision": str(value),
        "block": f"blocks of {value}",
        "unroll": f"unrolled {value} times",
    }[field]


def ranks(count):
    return f"{count} rank{'' if count == 1 else 's'}"


def threads(count):
    return f"{count} thread{'' if count == 1 else 's'}"


WIDEST_STEP = 4  # largest ratio of neighbouring N that a line still joins


def pieces(rows, axis, all_values):
    """Splits rows where a line must break: where a value of the axis is missing or N jumps by more than WIDEST_STEP."""
    runs, before = [], None
    for row in rows:
        value = getattr(row, axis)
        if (
            before is None
            or all_values.index(value) != all_values.index(before) + 1
            or value > WIDEST_STEP * before
        ):
            runs.append([])
        runs[-1].append(row)
        before = value
    return runs
