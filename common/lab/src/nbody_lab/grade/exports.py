"""Writes OUT/export/PLATFORM/...: every submission in the format of each platform."""

import json
from pathlib import Path

from nbody_lab.core import whole_file
from nbody_lab.core.clean_text import harmless
from nbody_lab.grade.feedback import feedback_lines, is_graded, item_title, late_line, total_line

# Converts one submission of results.json for Gradescope: one test per mark.


def gradescope_test(number, item):
    """One test. An ungraded mark has no score and is neither passed nor failed."""
    test = {
        "number": str(number),
        "name": item_title(item),
        "output": harmless(item.get("why") or item["state"]),
        "output_format": "text",
        "visibility": "visible",
        "extra_data": {"state": item["state"]},
    }
    if item.get("part"):
        test["tags"] = [harmless(item["part"])]
    if is_graded(item) and item["maximum"]:  # a gate alone gives no points
        test.update(
            score=item["points"],
            max_score=item["maximum"],
            status="passed" if item["points"] >= item["maximum"] else "failed",
        )
    elif not is_graded(item):
        test["name"] += f" ({item['state']})"
    return test


def gradescope(submission):
    """The submission's own score overrides the sum of tests, because days late are deducted. Gradescope needs a number:
    as long as there is none, the student sees no score."""
    head = [line for line in (total_line(submission), late_line(submission)) if line]
    return {
        "score": submission["points"] or 0,
        "output": "\n".join(head),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "stdout_visibility": "hidden",
        "visibility": "hidden" if submission["points"] is None else "visible",
        "tests": [gradescope_test(k, item) for k, item in enumerate(submission["items"], 1)],
        "extra_data": {"name": submission["name"], "to_decide": submission.get("to_decide") or 0},
    }


# Converts one submission of results.json for GitHub Classroom's reporter (its workflow encodes it in base64).
#
# The reporter sums the scores of the tests, so each mark with points becomes a test.


def status_of(points, maximum):
    return "pass" if points >= maximum else "fail"


def classroom_test(item):
    status = status_of(item["points"], item["maximum"]) if is_graded(item) else "error"
    return {
        "name": item_title(item),
        "status": status,
        "score": item["points"] if is_graded(item) else 0,
        "message": harmless(item.get("why") or item["state"]),
        "test_code": "",
        "filename": "",
        "line_no": 0,
        "execution_time": "",
    }


def late_test(late):
    """A test with a negative score for lateness; none if it was in time."""
    if not (late or {}).get("taken_off"):
        return []
    return [
        classroom_test(
            {
                "item": "late",
                "points": -late["taken_off"],
                "maximum": 0,
                "state": "graded",
                "why": f"{late['days']:g} days late",
            }
        )
    ]


def classroom(submission):
    """Status `error` means that nothing was graded, not that the student failed."""
    tests = [
        *(classroom_test(item) for item in submission["items"] if item["maximum"]),
        *late_test(submission.get("late")),
    ]
    points, maximum = submission["points"], submission["maximum"] or 0
    return {
        "version": 1,
        "status": "error" if points is None or not maximum else status_of(points, maximum),
        "max_score": maximum,
        "tests": tests,
    }


# Converts one submission of results.json for Autolab: the last line of the grader's output.
#
# The site needs a problem of the same name for each part, and one called `late` if days late cost points here.
WHOLE = "lab"  # for points that belong to no part


def autolab(submission):
    """A part with nothing graded is left out: Autolab then keeps its score."""
    scores = {}
    for item in submission["items"]:
        if is_graded(item):
            part = item.get("part") or WHOLE
            scores[part] = round(scores.get(part, 0) + item["points"], 4)
    taken_off = (submission.get("late") or {}).get("taken_off") or 0
    if taken_off:
        scores["late"] = -taken_off
    return {"scores": scores, "scoreboard": [submission["points"] or 0]}


def autolab_output(submission):
    """The text for the student, then one line for Autolab. No earlier line may start like JSON."""
    return (
        "\n".join(
            [
                *(f"  {line}" for line in feedback_lines(submission)),
                json.dumps(autolab(submission), allow_nan=False),
            ]
        )
        + "\n"
    )


def json_text(data):
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


# folder, file name of a submission in it, function that makes its text
PLATFORMS = (
    ("gradescope", "{}/results.json", lambda submission: json_text(gradescope(submission))),
    ("autolab", "{}.txt", autolab_output),
    ("classroom", "{}.json", lambda submission: json_text(classroom(submission))),
)


def write_exports(out, results):
    for folder, name, text_of in PLATFORMS:
        for submission in results["submissions"]:
            whole_file.write_text(
                Path(out) / "export" / folder / name.format(submission["name"]), text_of(submission)
            )
