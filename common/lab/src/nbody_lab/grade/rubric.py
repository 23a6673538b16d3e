"""Reads and checks a rubric, whose keys are listed first; a mistake is one line, FILE:LINE: what is wrong."""

import hashlib
import itertools
import json
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.words import nearest
from nbody_lab.grade.late import moment
from nbody_lab.grade.schema import (
    COUNT,
    COUNT_OR_ALL,
    NUMBER,
    TEXT,
    TRUTH,
    BadJson,
    MapOf,
    parsed,
    path_text,
    problems_at,
)
from nbody_lab.notebook.file import InputError, printable, shown

# The keys of a rubric, their allowed values, and their defaults.
MEASURES = ("share_of_solution", "times_naive", "interactions_per_s")

SPEED = {
    "threads": COUNT_OR_ALL,
    "n": COUNT,
    "scene?": TEXT,
    "points": NUMBER,
    "measure": MEASURES,
    "bands": [[NUMBER]],
    "rows?": [TEXT],
}
PART = {
    "rows?": [TEXT],
    "correctness?": {"points": NUMBER, "gates?": TRUTH},
    "worksheet?": {"points": NUMBER, "leave_out?": [TEXT]},
    "notebook?": {"points": NUMBER, "rows_for_all": COUNT, "needs_prediction?": TRUTH},
    "speed?": [SPEED],
    "manual?": [{"question": TEXT, "points": NUMBER}],
}
RUBRIC = {
    "version": (1,),
    "title": TEXT,
    "maximum": NUMBER,
    "parts": MapOf(PART),
    "deadline?": TEXT,
    "late?": {"per_day_percent": NUMBER, "free_days?": NUMBER},
    "calibrated_on?": TEXT,
}

OF_RUBRIC = {"deadline": "", "late": {"per_day_percent": 0}, "calibrated_on": ""}
OF_PART = {"rows": ["mine", "mine_*"], "speed": [], "manual": []}
OF_ITEM = {
    "correctness": {"gates": True},
    "worksheet": {"leave_out": []},
    "notebook": {"needs_prediction": True},
}
OF_SPEED = {"scene": "plummer"}


def points_of_part(part):
    """[(path below the part, points)] of all its items."""
    single = [((name, "points"), part[name]["points"]) for name in OF_ITEM if name in part]
    return single + [
        ((name, k, "points"), one["points"])
        for name in ("speed", "manual")
        for k, one in enumerate(part.get(name, []))
    ]


def with_defaults(rubric):
    """The rubric with all defaults filled in, so that scoring needs no checks."""
    parts = {}
    for name, told in rubric["parts"].items():
        part = {**OF_PART, **told}
        part.update(
            {item: {**of_item, **part[item]} for item, of_item in OF_ITEM.items() if item in part}
        )
        part["speed"] = [{**OF_SPEED, "rows": part["rows"], **one} for one in part["speed"]]
        parts[name] = part
    return {
        **OF_RUBRIC,
        **rubric,
        "late": {"free_days": 0, **rubric.get("late", OF_RUBRIC["late"])},
        "parts": parts,
    }


def parts_of_lab(root=ROOT):
    """part1, part2, ...: the existing folders."""
    return sorted(
        {folder.name.split("_")[0] for folder in root.glob("part[0-9]*_*") if folder.is_dir()}
    )


def problems_of_bands(bands, points, path):
    if not bands:
        yield path, "at least one band is needed: [from, points]"
    for k, band in enumerate(bands):
        if len(band) != 2:
            yield (*path, k), "a band is two numbers: [from, points]"
            return
        if min(band) <= 0:
            yield (*path, k), f"{min(band):g}: both numbers of a band must be above 0"
    for k, (before, band) in enumerate(itertools.pairwise(bands), 1):
        for place, what in enumerate(("it begins at", "its points,")):
            if band[place] <= before[place]:
                yield (
                    (*path, k),
                    f"bands must ascend, but {what} {band[place]:g}, not above {before[place]:g} of the previous one",
                )
    if bands and bands[-1][1] != points:
        yield (
            (*path, len(bands) - 1),
            f"the last band gives {bands[-1][1]:g} points, the item has {points:g}: make them equal",
        )


def problems_of_speed(speed, path):
    seen = {}
    for k, one in enumerate(speed):
        yield from problems_of_bands(one["bands"], one["points"], (*path, k, "bands"))
        key = (one["threads"], one["n"], one.get("scene", "plummer"), one["measure"])
        if key in seen:
            yield (*path, k), "another speed has the same threads, n, scene and measure: join them"
        seen[key] = k


def questions_of(name, root=ROOT):
    """The numbers of a part's questions."""
    return [
        one["number"]
        for file in root.glob(f"{name}_*/questions.json")
        for one in json.loads(file.read_text(encoding="utf-8"))["questions"]
    ]


def problems_of_part(part, path):
    for below, points in points_of_part(part):
        if points < 0 or (
            points == 0 and below[0] != "correctness"
        ):  # correctness may be a gate only
            yield (*path, *below), f"{points:g} points: must be above 0; or leave the item out"
    if not part.get("rows", ["mine"]):
        yield (*path, "rows"), "no row counts: name one, or leave this out"
    known = questions_of(path[-1])
    for k, number in enumerate(part.get("worksheet", {}).get("leave_out", [])):
        if number not in known:
            yield (
                (*path, "worksheet", "leave_out", k),
                f"{path[-1]} has no question '{number}'; it has {known[0]} to {known[-1]}"
                if known
                else "no questions",
            )
    yield from problems_of_speed(part.get("speed", []), (*path, "speed"))


def problems_of_questions(parts):
    """Questions of the same name in several parts: a row of manual.csv names only the question."""
    seen = {}
    for name, part in parts.items():
        for k, one in enumerate(part.get("manual", [])):
            key = " ".join(one["question"].split()).lower()
            if key in seen:
                yield (
                    ("parts", name, "manual", k, "question"),
                    f"{seen[key]} already has this question: reword it",
                )
            seen[key] = name


def problems_of_late(rubric):
    late = rubric.get("late", {})
    if not 0 <= late.get("per_day_percent", 0) <= 100:
        yield ("late", "per_day_percent"), "must be from 0 to 100"
    if late.get("free_days", 0) < 0:
        yield ("late", "free_days"), "must be 0 or more"
    if "deadline" in rubric:
        deadline = moment(rubric["deadline"])
        if deadline is None or deadline.tzinfo is None:
            yield ("deadline",), "must be a time with its zone, like 2026-11-20T23:59:59+01:00"


def problems_of_meaning(rubric, known_parts):
    """Mistakes in a rubric whose shape is right."""
    parts = rubric["parts"]
    for name, part in parts.items():
        if name not in known_parts:
            yield (
                ("parts", name),
                f"there is no part '{name}'{nearest(name, known_parts) or '; there are ' + ', '.join(known_parts)}",
            )
        yield from problems_of_part(part, ("parts", name))
    yield from problems_of_questions(parts)
    yield from problems_of_late(rubric)
    if not parts:
        yield ("parts",), "no part is graded: name one"
    total = sum(points for part in parts.values() for _, points in points_of_part(part))
    if abs(total - rubric["maximum"]) > 1e-9:
        yield (
            ("maximum",),
            f"the points of all items add up to {total:g}, not to {rubric['maximum']:g}",
        )


def line_of(path, lines):
    """The line of the key at `path`, or of the closest parent."""
    return next(lines[path[:k]] for k in range(len(path), -1, -1) if path[:k] in lines)


def read_rubric(file, known_parts=None):
    """The rubric with its defaults and its `checksum`. Raises InputError for the first mistake."""
    try:
        content = Path(file).read_bytes()
        rubric, lines = parsed(content.decode("utf-8-sig"))
    except OSError as fault:
        raise InputError(
            f"{printable(str(file))}: cannot be read ({fault.strerror}): check the name"
        ) from None
    except UnicodeDecodeError as fault:
        raise InputError(
            f"{shown(file)}:{content.count(10, 0, fault.start) + 1}: not UTF-8: save it as UTF-8"
        ) from None
    except BadJson as fault:
        raise InputError(f"{shown(file)}:{fault.line}: {fault}") from None
    found = list(problems_at(rubric, RUBRIC)) or problems_of_meaning(
        rubric, known_parts or parts_of_lab()
    )
    for path, what in itertools.islice(found, 1):
        raise InputError(
            f"{shown(file)}:{line_of(path, lines)}: {path_text(path) + ': ' if path else ''}{what}"
        )
    return {**with_defaults(rubric), "checksum": f"sha256:{hashlib.sha256(content).hexdigest()}"}
