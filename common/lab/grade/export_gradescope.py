"""Converts one submission of results.json for Gradescope: one test per mark."""

from grade.feedback import is_graded, item_title, late_line, total_line
from grade.harmless import harmless


def gradescope_test(number, item):
    """One test. An ungraded mark has no score and is neither passed nor failed."""
    test = {"number": str(number), "name": item_title(item), "output": harmless(item.get("why") or item["state"]), "output_format": "text",
            "visibility": "visible", "extra_data": {"state": item["state"]}}
    if item.get("part"):
        test["tags"] = [harmless(item["part"])]
    if is_graded(item) and item["maximum"]:  # a gate alone gives no points
        test.update(score=item["points"], max_score=item["maximum"], status="passed" if item["points"] >= item["maximum"] else "failed")
    elif not is_graded(item):
        test["name"] += f" ({item['state']})"
    return test


def gradescope(submission):
    """The submission's own score overrides the sum of tests, because days late are deducted. Gradescope needs a number:
    as long as there is none, the student sees no score."""
    head = [line for line in (total_line(submission), late_line(submission)) if line]
    return {"score": submission["points"] or 0, "output": "\n".join(head), "output_format": "text", "test_output_format": "text",
            "test_name_format": "text", "stdout_visibility": "hidden",
            "visibility": "hidden" if submission["points"] is None else "visible",
            "tests": [gradescope_test(k, item) for k, item in enumerate(submission["items"], 1)],
            "extra_data": {"name": submission["name"], "to_decide": submission.get("to_decide") or 0}}
