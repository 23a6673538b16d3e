"""The marks of a submission in words, as platforms show them: plain lines by the grader, safe to print."""

from clean_text import in_one_line
from grade.item import NOT_ASKED


def points_text(value):
    """'61.5', '10'; empty if there are no points yet."""
    return "" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")


def item_title(item):
    return ", ".join(in_one_line(item[key], 120) for key in ("part", "item") if item.get(key))


def is_graded(item):
    return item.get("points") is not None


def item_line(item):
    """'part1, speed, 1 thread: 5 of 10. Why.'"""
    many = f"{points_text(item['points'])} of {points_text(item['maximum'])}" if is_graded(item) else item["state"]
    why = in_one_line(item.get("why") or "")
    begins_with_a_name = any(mark in why.split(" ")[0] for mark in "./")
    sentence = why if begins_with_a_name else f"{why[:1].upper()}{why[1:]}"
    return f"{item_title(item)}: {many}{f'. {sentence}' if why else ''}"


def total_line(submission):
    if submission["points"] is None:
        return "No points yet: a person decides."
    open_points = submission.get("to_decide") or 0
    more = f" A person still decides on {points_text(open_points)} more." if open_points else ""
    return f"{points_text(submission['points'])} of {points_text(submission['maximum'])} points.{more}"


def late_line(submission):
    """The line on lateness; empty if it was in time."""
    late = submission.get("late") or {}
    if not late.get("days"):
        return ""
    days, taken = points_text(late["days"]), points_text(late.get("taken_off") or 0)
    why = in_one_line(late.get("why") or "")
    return f"Late by {days} day{'' if days == '1' else 's'}: {taken} points taken off.{f' {why}' if why else ''}"


def asked_for(items):
    """The items without parts excluded by --part: students are not told about those."""
    return [item for item in items if item["state"] != NOT_ASKED]


def feedback_lines(submission):
    """All lines for the student; flags are for the instructor only."""
    lines = [total_line(submission), late_line(submission), *map(item_line, asked_for(submission["items"]))]
    return [line for line in lines if line]
