"""results.json of one submission as Gradescope reads it: a test for each line of marks."""

from grade.feedback import is_graded, item_title, late_line, total_line
from grade.harmless import harmless


def gradescope_test(number, item):
    """One that is not graded yet has no score, and is neither passed nor failed."""
    test = {"number": str(number), "name": item_title(item), "output": harmless(item.get("why") or item["state"]), "output_format": "text",
            "visibility": "visible", "extra_data": {"state": item["state"]}}
    if item.get("part"):
        test["tags"] = [harmless(item["part"])]
    if is_graded(item) and item["maximum"]:  # what only gates gives no points
        test.update(score=item["points"], max_score=item["maximum"], status="passed" if item["points"] >= item["maximum"] else "failed")
    elif not is_graded(item):
        test["name"] += f" ({item['state']})"
    return test


def gradescope(submission):
    """Its own score stands above the sum of tests, since days late are taken off. Gradescope wants a number: where there is none
    yet, the student sees nothing of it."""
    head = [line for line in (total_line(submission), late_line(submission)) if line]
    return {"score": submission["points"] or 0, "output": "\n".join(head), "output_format": "text", "test_output_format": "text",
            "test_name_format": "text", "stdout_visibility": "hidden",
            "visibility": "hidden" if submission["points"] is None else "visible",
            "tests": [gradescope_test(k, item) for k, item in enumerate(submission["items"], 1)],
            "extra_data": {"name": submission["name"], "to_decide": submission.get("to_decide") or 0}}
