"""Converts one submission of results.json for Autolab: the last line of the grader's output.

The site needs a problem of the same name for each part, and one called `late` if days late cost points here.
"""

import json

from grade.feedback import feedback_lines, is_graded

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
    return "\n".join([*(f"  {line}" for line in feedback_lines(submission)), json.dumps(autolab(submission), allow_nan=False)]) + "\n"
