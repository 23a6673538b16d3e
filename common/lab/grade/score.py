"""Marks of a class, of what was measured and what people decided; nothing is run for it (docs/grading_formats.md)."""

from datetime import datetime, timezone

from grade.flags import flags_of
from grade.item import FLAGGED, FOR_A_PERSON, quoted, rounded
from grade.late import late_of
from grade.manual import late_by_submission, manual_by_submission, with_manual
from grade.next_idea import next_ideas
from grade.results_schema import MEASURED, check
from grade.score_part import marks_of_part
from notebook_file import InputError


def items_of(one, rubric):
    return [{"part": name, **mark._asdict()} for name, rule in rubric["parts"].items() for mark in marks_of_part(name, one, rule)]


def sum_of(items, key):
    return rounded(sum(item[key] for item in items))


def marks_of(one, rubric, measured, manual, late_row):
    """The marks of a submission. Points and maximum are of what was graded: what is open takes nothing away."""
    told = one["submission"]
    items = with_manual(items_of(one, rubric), manual)
    graded = [item for item in items if item["points"] is not None]
    points = sum_of(graded, "points")
    late = late_of(points, told["submitted"], late_row, rubric)
    return {"name": told["name"], "authors": told["authors"], "student_id": told["student_id"],
            "points": rounded(points - late.taken_off), "maximum": sum_of(graded, "maximum"),
            "to_decide": sum_of([item for item in items if item["state"] in (FOR_A_PERSON, FLAGGED)], "maximum"),
            "late": late._asdict(), "items": items, "flags": flags_of(one, rubric, measured), "next": next_ideas(one, rubric),
            "problems": [quoted(f"{problem['stage']}: {problem['text']}") for problem in one["problems"]],
            "measured": f"measured/{told['name']}.json"}


def must_be_measured(measured):
    """Raises InputError."""
    names = set()
    for number, one in enumerate(measured, 1):
        problems = check(one, MEASURED)
        if problems:
            raise InputError(f"measured file {number} of {len(measured)}{name_in(one)}: {problems[0]}: measure it again")
        name = one["submission"]["name"]
        if name in names:
            raise InputError(f"two measured files are of {name}: remove the older one")
        names.add(name)


def name_in(document):
    """", of smith_anna", as far as a document that is not as it should be tells."""
    submission = document.get("submission") if isinstance(document, dict) else None
    name = submission.get("name") if isinstance(submission, dict) else None
    return f", of {quoted(name)}" if isinstance(name, str) else ""


def score(measured, rubric, manual_rows=(), late_rows=(), date=None):
    """results.json as a dict. `rubric`: of read_rubric(). Raises InputError for rows that name nobody, or contradict."""
    must_be_measured(measured)
    measured = sorted(measured, key=lambda one: one["submission"]["name"])
    told = [one["submission"] for one in measured]
    manual, late = manual_by_submission(manual_rows, told), late_by_submission(late_rows, told)
    first = measured[0] if measured else {"machine": None, "isolation": None}
    marks = [marks_of(one, rubric, measured, manual[one["submission"]["name"]], late[one["submission"]["name"]]) for one in measured]
    return {"version": 1, "title": rubric["title"], "maximum": rubric["maximum"],
            "date": date or datetime.now(timezone.utc).isoformat(timespec="seconds"), "rubric_checksum": rubric["checksum"],
            "machine": first["machine"], "isolation": first["isolation"], "submissions": marks}
