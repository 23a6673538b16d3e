"""The marks of a class, from measurements and people's decisions; runs nothing (docs/grading_formats.md)."""

from datetime import datetime, timezone

from grade.flags import flags_of
from grade.item import FLAGGED, FOR_A_PERSON, quoted, rounded
from grade.late import late_of
from grade.manual import late_by_submission, manual_by_submission, with_manual
from grade.next_idea import next_ideas
from grade.rubric_keys import points_of_part
from grade.score_part import marks_of_part, not_asked_for


def items_of(one, rubric, asked):
    return [{"part": name, **mark._asdict()} for name, rule in rubric["parts"].items()
            for mark in (marks_of_part(name, one, rule) if name in asked else not_asked_for(rule, asked))]


def sum_of(items, key):
    return rounded(sum(item[key] for item in items))


def marks_of(one, rubric, measured, manual, late_row, asked):
    """The marks of a submission. Points and maximum cover only what was graded: open items cost nothing."""
    told = one["submission"]
    items = with_manual(items_of(one, rubric, asked), manual)
    graded = [item for item in items if item["points"] is not None]
    points = sum_of(graded, "points")
    late = late_of(points, told["submitted"], late_row, rubric)
    return {"name": told["name"], "authors": told["authors"], "student_id": told["student_id"],
            "points": rounded(points - late.taken_off), "maximum": sum_of(graded, "maximum"),
            "to_decide": sum_of([item for item in items if item["state"] in (FOR_A_PERSON, FLAGGED)], "maximum"),
            "late": late._asdict(), "items": items, "flags": flags_of(one, rubric, measured, late), "next": next_ideas(one, rubric),
            "problems": [quoted(f"{problem['stage']}: {problem['text']}") for problem in one["problems"]],
            "measured": f"measured/{told['name']}.json"}


def score(measured, rubric, manual_rows=(), late_rows=(), date=None, parts=None):
    """results.json as a dict. `measured`: from records_in(); `rubric`: from read_rubric(); `parts`: the requested ones,
    by default all. Raises InputError for rows that name no student or contradict each other."""
    asked = [name for name in rubric["parts"] if not parts or name in parts]
    measured = sorted(measured, key=lambda one: one["submission"]["name"])
    told = [one["submission"] for one in measured]
    manual, late = manual_by_submission(manual_rows, told), late_by_submission(late_rows, told)
    first = measured[0] if measured else {"machine": None, "isolation": None}
    marks = [marks_of(one, rubric, measured, manual[one["submission"]["name"]], late[one["submission"]["name"]], asked) for one in measured]
    return {"version": 1, "title": rubric["title"], "maximum": rounded(sum(points for name in asked for _, points in points_of_part(rubric["parts"][name]))),
            "date": date or datetime.now(timezone.utc).isoformat(timespec="seconds"), "rubric_checksum": rubric["checksum"],
            "machine": first["machine"], "isolation": first["isolation"], "submissions": marks}
