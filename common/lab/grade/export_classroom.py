"""Converts one submission of results.json for GitHub Classroom's reporter (its workflow encodes it in base64).

The reporter sums the scores of the tests, so each mark with points becomes a test.
"""

from grade.feedback import is_graded, item_title
from grade.harmless import harmless


def status_of(points, maximum):
    return "pass" if points >= maximum else "fail"


def classroom_test(item):
    status = status_of(item["points"], item["maximum"]) if is_graded(item) else "error"
    return {"name": item_title(item), "status": status, "score": item["points"] if is_graded(item) else 0,
            "message": harmless(item.get("why") or item["state"]), "test_code": "", "filename": "", "line_no": 0, "execution_time": ""}


def late_test(late):
    """A test with a negative score for lateness; none if it was in time."""
    if not (late or {}).get("taken_off"):
        return []
    return [classroom_test({"item": "late", "points": -late["taken_off"], "maximum": 0, "state": "graded", "why": f"{late['days']:g} days late"})]


def classroom(submission):
    """Status `error` means that nothing was graded, not that the student failed."""
    tests = [*(classroom_test(item) for item in submission["items"] if item["maximum"]), *late_test(submission.get("late"))]
    points, maximum = submission["points"], submission["maximum"] or 0
    return {"version": 1, "status": "error" if points is None or not maximum else status_of(points, maximum), "max_score": maximum, "tests": tests}
