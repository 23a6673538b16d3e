"""The marks of a class, from measurements and people's decisions; runs nothing (docs/grading_formats.md)."""

from datetime import datetime, timezone

from nbody_lab.grade.feedback import next_ideas
from nbody_lab.grade.item import FLAGGED, FOR_A_PERSON, quoted, rounded
from nbody_lab.grade.late import late_of
from nbody_lab.grade.manual import late_by_submission, manual_by_submission, plain, with_manual
from nbody_lab.grade.rubric import points_of_part
from nbody_lab.grade.score_part import marks_of_part, not_asked_for

# What a person should look at, whatever the marks are.


def rows_above_bound(one):
    """One sentence per row, however many of its times are too good."""
    return [
        f"{name}/{quoted(row['name'])}: faster than this machine allows: a person should look"
        for name, part in one["parts"].items()
        for row in part["rows"]
        if any(speed["above_bound"] for speed in row["speed"])
    ]


def other_machine(one, rubric, machine):
    found = []
    if {**one["machine"], "no_bound": ""} != {**machine, "no_bound": ""}:
        found.append(
            f"measured on a different machine than the first of the class: {quoted(one['machine']['cpu'])}"
        )
    if rubric["calibrated_on"] and rubric["calibrated_on"] != one["machine"]["cpu"]:
        found.append(
            f"the bands were calibrated on {rubric['calibrated_on']}, this was measured on {quoted(one['machine']['cpu'])}"
        )
    return found


def twice(one, measured):
    """Authors who appear in several submissions."""
    mine = {plain(author): author for author in one["submission"]["authors"]}
    return [
        f"{quoted(mine[plain(author)])} is an author of {other['submission']['name']} as well"
        for other in measured
        if other is not one
        for author in other["submission"]["authors"]
        if plain(author) in mine
    ]


def marked_late(told, late):
    """A platform may mark a submission as late without a number of days: then nothing is deducted."""
    open_yet = told.get("late") and not late.days and late.why != "excused"
    return (
        [
            f"the platform marked it late, but no points were taken off: in late.csv (--late), '{told['name']},1' means one day, "
            f"'{told['name']},excused' none"
        ]
        if open_yet
        else []
    )


def flags_of(one, rubric, measured, late):
    banner = one["isolation"]["banner"]
    return (
        rows_above_bound(one)
        + other_machine(one, rubric, measured[0]["machine"])
        + twice(one, measured)
        + marked_late(one["submission"], late)
        + ([] if one["submission"]["authors"] else ["no author is named"])
        + ([quoted(banner)] if banner else [])
    )


def items_of(one, rubric, asked):
    return [
        {"part": name, **mark._asdict()}
        for name, rule in rubric["parts"].items()
        for mark in (
            marks_of_part(name, one, rule) if name in asked else not_asked_for(rule, asked)
        )
    ]


def sum_of(items, key):
    return rounded(sum(item[key] for item in items))


def marks_of(one, rubric, measured, manual, late_row, asked):
    """The marks of a submission. Points and maximum cover only what was graded: open items cost nothing."""
    told = one["submission"]
    items = with_manual(items_of(one, rubric, asked), manual)
    graded = [item for item in items if item["points"] is not None]
    points = sum_of(graded, "points")
    late = late_of(points, told["submitted"], late_row, rubric)
    return {
        "name": told["name"],
        "authors": told["authors"],
        "student_id": told["student_id"],
        "points": rounded(points - late.taken_off),
        "maximum": sum_of(graded, "maximum"),
        "to_decide": sum_of(
            [item for item in items if item["state"] in (FOR_A_PERSON, FLAGGED)], "maximum"
        ),
        "late": late._asdict(),
        "items": items,
        "flags": flags_of(one, rubric, measured, late),
        "next": next_ideas(one, rubric),
        "problems": [
            quoted(f"{problem['stage']}: {problem['text']}") for problem in one["problems"]
        ],
        "measured": f"measured/{told['name']}.json",
    }


def score(measured, rubric, manual_rows=(), late_rows=(), date=None, parts=None):
    """results.json as a dict. `measured`: from records_in(); `rubric`: from read_rubric(); `parts`: the requested ones,
    by default all. Raises InputError for rows that name no student or contradict each other."""
    asked = [name for name in rubric["parts"] if not parts or name in parts]
    measured = sorted(measured, key=lambda one: one["submission"]["name"])
    told = [one["submission"] for one in measured]
    manual, late = manual_by_submission(manual_rows, told), late_by_submission(late_rows, told)
    first = measured[0] if measured else {"machine": None, "isolation": None}
    marks = [
        marks_of(
            one,
            rubric,
            measured,
            manual[one["submission"]["name"]],
            late[one["submission"]["name"]],
            asked,
        )
        for one in measured
    ]
    return {
        "version": 1,
        "title": rubric["title"],
        "maximum": rounded(
            sum(points for name in asked for _, points in points_of_part(rubric["parts"][name]))
        ),
        "date": date or datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "rubric_checksum": rubric["checksum"],
        "machine": first["machine"],
        "isolation": first["isolation"],
        "submissions": marks,
    }
