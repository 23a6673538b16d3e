"""Everything on a student's own page, and nothing about others."""

from grade.feedback import asked_for
from grade.next_idea import flops_an_interaction
from grade.timing import FEWEST_FLOPS

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
    return {**speed, "flops": flops or None, "flops_per_s": done, "roof_flops_per_s": roof, "share_of_roof": done / roof if done and roof else None}


def problems_of(submission, measured):
    """Problems of measuring and scoring, without duplicates."""
    found = [f"{one.get('stage', '')}: {one.get('text', '')}" for one in measured.get("problems") or []]
    return list(dict.fromkeys([*found, *(submission.get("problems") or [])]))


def page_of_row(row):
    check = row.get("check") or {}
    flops = flops_an_interaction({"counts": row.get("counts")})
    row = {**row, "name": str(row.get("name", "")), "check": check}
    return {**row, "failures": first(check.get("first_failures"), 10),
            "speed": [with_roofline(speed, flops) for speed in row.get("speed") or []]}


def page_of_part(name, part):
    sheet, book = part.get("worksheet") or {}, part.get("notebook") or {}
    lines = sheet.get("lines") or []
    reason = part.get("reason") or ""
    state = STATES.get(part.get("state"), "")
    return {"name": name, "state": f"{state}: {reason}." if state and reason else state,
            "rows": [page_of_row(row) for row in (part.get("rows") or [])[:MOST]],
            "lines": first(lines, 200), "sheet_problem": sheet.get("problem") or "", "notebook": first(book.get("rows")),
            "notebook_problem": book.get("problem") or ""}


def student_data(results, submission, measured):
    """The data of a student's page; flags and evidence are for the instructor only."""
    handed_in = measured.get("submission") or {}
    return {"what": "student", "version": 1, "title": results.get("title", ""), "date": results.get("date", ""), "name": submission["name"],
            "authors": submission.get("authors") or [], "points": submission["points"], "maximum": submission["maximum"],
            "to_decide": submission.get("to_decide") or 0, "late": submission.get("late") or {}, "marks": asked_for(submission["items"]),
            "machine": measured.get("machine") or results.get("machine") or {},
            "seed": measured.get("seed"), "measured": measured.get("date", ""),
            "submitted": handed_in.get("submitted") or "", "source": handed_in.get("source") or "", "checksum": handed_in.get("checksum") or "",
            "problems": problems_of(submission, measured), "next": submission.get("next") or [],
            "taken": first(measured.get("taken"), 200), "ignored": first(measured.get("ignored"), 200),
            "parts": [page_of_part(name, part) for name, part in (measured.get("parts") or {}).items()]}
