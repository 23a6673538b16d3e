"""The class as a table: a row per submission, and what a person should see first."""

from collections import Counter
from itertools import permutations
from statistics import median

from nbody_lab.grade.feedback import asked_for, flops_an_interaction
from nbody_lab.grade.timing import FEWEST_FLOPS

# Everything on a student's own page, and nothing about others.
MOST = 50  # lines of a list shown on a page
STATES = {"nothing handed in": "Nothing was handed in.", "not graded here": "Not graded here"}


def first(rows, most=MOST):
    """{"shown": the first rows, "more": number of rows left out}."""
    rows = rows or []
    return {"shown": rows[:most], "more": max(len(rows) - most, 0)}


def with_share_of_bound(speed):
    bound, rate = speed.get("bound_interactions_per_s"), speed.get("interactions_per_s")
    return {**speed, "share_of_bound": rate / bound if rate and bound else None}


def with_roofline(speed, flops):
    """The speed with its place under the compute roof: so few bodies stay in the cache."""
    speed = with_share_of_bound(speed)
    rate, bound = speed.get("interactions_per_s"), speed.get("bound_interactions_per_s")
    done, roof = flops * rate if flops and rate else None, bound * FEWEST_FLOPS if bound else None
    return {
        **speed,
        "flops": flops or None,
        "flops_per_s": done,
        "roof_flops_per_s": roof,
        "share_of_roof": done / roof if done and roof else None,
    }


def problems_of(submission, measured):
    """Problems of measuring and scoring, without duplicates."""
    found = [
        f"{one.get('stage', '')}: {one.get('text', '')}" for one in measured.get("problems") or []
    ]
    return list(dict.fromkeys([*found, *(submission.get("problems") or [])]))


def page_of_row(row):
    check = row.get("check") or {}
    flops = flops_an_interaction({"counts": row.get("counts")})
    row = {**row, "name": str(row.get("name", "")), "check": check}
    return {
        **row,
        "failures": first(check.get("first_failures"), 10),
        "speed": [with_roofline(speed, flops) for speed in row.get("speed") or []],
    }


def page_of_part(name, part):
    sheet, book = part.get("worksheet") or {}, part.get("notebook") or {}
    lines = sheet.get("lines") or []
    reason = part.get("reason") or ""
    state = STATES.get(part.get("state"), "")
    return {
        "name": name,
        "state": f"{state}: {reason}." if state and reason else state,
        "rows": [page_of_row(row) for row in (part.get("rows") or [])[:MOST]],
        "lines": first(lines, 200),
        "sheet_problem": sheet.get("problem") or "",
        "notebook": first(book.get("rows")),
        "notebook_problem": book.get("problem") or "",
    }


def student_data(results, submission, measured):
    """The data of a student's page; flags and evidence are for the instructor only."""
    handed_in = measured.get("submission") or {}
    return {
        "what": "student",
        "version": 1,
        "title": results.get("title", ""),
        "date": results.get("date", ""),
        "name": submission["name"],
        "authors": submission.get("authors") or [],
        "points": submission["points"],
        "maximum": submission["maximum"],
        "to_decide": submission.get("to_decide") or 0,
        "late": submission.get("late") or {},
        "marks": asked_for(submission["items"]),
        "machine": measured.get("machine") or results.get("machine") or {},
        "seed": measured.get("seed"),
        "measured": measured.get("date", ""),
        "submitted": handed_in.get("submitted") or "",
        "source": handed_in.get("source") or "",
        "checksum": handed_in.get("checksum") or "",
        "problems": problems_of(submission, measured),
        "next": submission.get("next") or [],
        "taken": first(measured.get("taken"), 200),
        "ignored": first(measured.get("ignored"), 200),
        "parts": [page_of_part(name, part) for name, part in (measured.get("parts") or {}).items()],
    }


SAME = 0.9  # of the tokens: nearly the same code, whatever was renamed
STAGES = ("unpack", "build", "check", "timing")


def verdict_of(part):
    """The state of the part's best row, in a word or two."""
    if part.get("state") != "measured":
        return part.get("state") or "not measured"
    rows = part.get("rows") or []
    passed = [row for row in rows if (row.get("check") or {}).get("verdict") == "passed"]
    if passed:
        return "untouched" if all(row.get("untouched") for row in passed) else "passed"
    if any((row.get("check") or {}).get("verdict") == "failed" for row in rows):
        return "failed"
    return "does not compile" if any(not row.get("built") for row in rows) else "not checked"


def fastest(part):
    """The correct speed with the largest gain over naive; None if there is none."""
    speeds = [
        speed
        for row in part.get("rows") or []
        for speed in row.get("speed") or []
        if speed.get("verdict") == "right"
    ]
    best = max(speeds, key=lambda speed: speed.get("times_naive") or 0, default=None)
    return best and {
        key: best.get(key)
        for key in ("times_naive", "share_of_solution", "threads", "noisy", "above_bound")
    }


def points_of_parts(items):
    """{part: points}; None if nothing of it is graded."""
    found = {}
    for item in items:
        part = item.get("part") or ""
        found.setdefault(part, None)
        if item["points"] is not None:
            found[part] = (found[part] or 0) + item["points"]
    return found


def sources_of(parts):
    """The sources of impossibly fast rows."""
    return [
        row["source"]
        for part in parts.values()
        for row in part.get("rows") or []
        if row.get("source") and any(speed.get("above_bound") for speed in row.get("speed") or [])
    ]


def row_of(submission, measured):
    parts, isolation = measured.get("parts") or {}, measured.get("isolation") or {}
    seconds = {stage: (measured.get("seconds") or {}).get(stage) for stage in STAGES}
    return {
        "name": submission["name"],
        "authors": submission.get("authors") or [],
        "points": submission["points"],
        "maximum": submission["maximum"],
        "parts": points_of_parts(submission["items"]),
        "verdicts": {name: verdict_of(part) for name, part in parts.items()},
        "speeds": {name: fastest(part) for name, part in parts.items()},
        "flags": submission.get("flags") or [],
        "late": submission.get("late") or {},
        "to_decide": submission.get("to_decide") or 0,
        "banner": isolation.get("banner") or "",
        "seed": measured.get("seed"),
        "seconds": seconds,
        "all_seconds": sum(filter(None, seconds.values())),
        "open": [
            item for item in submission["items"] if item["state"] in ("for a person", "flagged")
        ],
        "problems": problems_of(submission, measured),
        "sources": sources_of(parts),
    }


def key_of(item):
    return item.get("part") or "", item["item"]


def answers_to_read(rows):
    """[{"part", "item", "many"}]: manual items that are open for most of the class, such as free answers."""
    many = Counter(
        key_of(item) for row in rows for item in row["open"] if item["state"] == "for a person"
    )
    return [
        {"part": part, "item": item, "many": count}
        for (part, item), count in many.items()
        if 2 * count > len(rows)
    ]


def same_code(name, evidence):
    """A line for each file of the submission that is nearly equal to one of somebody else, an earlier year or the solutions, unless a third explains it."""
    pairs = evidence.get("pairs") or [] if isinstance(evidence, dict) else []
    sides = [
        (pair, one, other)
        for pair in pairs
        for one, other in permutations([pair.get("first", ""), pair.get("second", "")])
    ]
    return [
        f"{pair['part']}: {one.partition(': ')[2]} is {100 * pair['share']:.0f} % the same as {other}"
        for pair, one, other in sides
        if one.startswith(f"{name}: ") and pair["share"] >= SAME and not pair.get("both_resemble")
    ]


def reasons_of(row, usual, evidence):
    """Why a person should look at this submission. `usual`: items that are open for most of the class."""
    special = [item for item in row["open"] if key_of(item) not in usual]
    return [
        *row["problems"],
        *row["flags"],
        *same_code(row["name"], evidence),
        *([row["banner"]] if row["banner"] else []),
        *(
            f"{', '.join(filter(None, key_of(item)))}: {item['state']}. {item.get('why') or ''}"
            for item in special
        ),
    ]


def sorted_rows(rows):
    """The best first; rows without points last."""
    return sorted(rows, key=lambda row: (row["points"] is None, -(row["points"] or 0), row["name"]))


def class_data(results, rows, evidence):
    """The data of the class page. `rows`: from row_of()."""
    answers = answers_to_read(rows)
    usual = {(one["part"], one["item"]) for one in answers}
    look = [
        {
            "name": row["name"],
            "authors": row["authors"],
            "reasons": reasons_of(row, usual, evidence),
            "sources": row["sources"],
        }
        for row in rows
    ]
    points = [row["points"] for row in rows if row["points"] is not None]
    seconds = [row["all_seconds"] for row in rows]
    return {
        "what": "class",
        "version": 1,
        "title": results.get("title", ""),
        "date": results.get("date", ""),
        "maximum": results.get("maximum"),
        "rubric_checksum": results.get("rubric_checksum", ""),
        "machine": results.get("machine") or {},
        "isolation": results.get("isolation") or {},
        "rows": [
            {key: value for key, value in row.items() if key != "open"} for row in sorted_rows(rows)
        ],
        "parts": list(dict.fromkeys(part for row in rows for part in row["parts"])),
        "answers": answers,
        "look": [one for one in look if one["reasons"]],
        "stages": list(STAGES),
        "seeds": sorted({row["seed"] for row in rows if row["seed"] is not None}),
        "evidence": pairs_of(evidence),
        "facts": {
            "submissions": len(rows),
            "authors": sum(max(len(row["authors"]), 1) for row in rows),
            "median": median(points) if points else None,
            "best": max(points, default=None),
            "without": len(rows) - len(points),
            "to_decide": sum(row["to_decide"] for row in rows),
            "seconds": sum(seconds),
            "median_seconds": median(seconds) if seconds else None,
        },
    }


def pairs_of(evidence):
    """The table of evidence, whatever its columns; None if there is none."""
    if evidence is None:
        return None
    rows = evidence if isinstance(evidence, list) else evidence.get("pairs") or []
    columns = list(dict.fromkeys(key for row in rows for key in row))
    return {"columns": columns, "rows": rows}
