"""results.json of one submission as Autolab reads it: the last line of what the grader prints.

The site needs a problem of the same name for each part, and one called `late` if days late are taken off here.
"""

import json

from grade.feedback import feedback_lines, is_graded

WHOLE = "lab"  # what is of no part


def autolab(submission):
    """A part of which nothing is graded is left out: Autolab keeps the score that it has."""
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
    """For the student to read, then the one line for Autolab. No line before it begins as JSON does."""
    return "\n".join([*(f"  {line}" for line in feedback_lines(submission)), json.dumps(autolab(submission), allow_nan=False)]) + "\n"
