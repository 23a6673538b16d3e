"""OUT/grades.csv: a row per author, a column per mark. `id`: of the student who handed it in."""

from pathlib import Path

import whole_file
from grade.csv_text import csv_text
from grade.feedback import is_graded, points_text

BEFORE = ["name", "id", "submission", "points", "maximum"]
AFTER = ["days late", "taken off", "to decide", "flags"]


def key_of(item):
    return item.get("part") or "", item["item"]


def columns_of(results):
    """{(part, item): maximum}, grouped by part, in order of first appearance."""
    found = {}
    for submission in results["submissions"]:
        for item in submission["items"]:
            found.setdefault(key_of(item), item["maximum"])
    parts = list(dict.fromkeys(part for part, _ in found))
    return {key: found[key] for key in sorted(found, key=lambda key: parts.index(key[0]))}


def title_of(key, maximum):
    part, item = key
    return f"{part}: {item} ({points_text(maximum)})" if part else f"{item} ({points_text(maximum)})"


def cell_of(item):
    """The points, or why there are none."""
    if item is None:
        return ""
    return item["points"] if is_graded(item) else item["state"]


def row_of(author, submission, columns):
    items = {key_of(item): item for item in submission["items"]}
    late = submission.get("late") or {}
    return [author, submission.get("student_id"), submission["name"], submission["points"], submission["maximum"],
            *(cell_of(items.get(key)) for key in columns), late.get("days"), late.get("taken_off"), submission.get("to_decide"),
            "; ".join(submission.get("flags") or [])]


def rows_of(results):
    """All rows, with titles. A submission without authors has a row, too."""
    columns = columns_of(results)
    yield [*BEFORE, *(title_of(*column) for column in columns.items()), *AFTER]
    for submission in results["submissions"]:
        for author in submission.get("authors") or [submission["name"]]:
            yield row_of(author, submission, columns)


def grades_csv(results):
    return csv_text(rows_of(results), bom=True)


def write_grades(out, results):
    whole_file.write_text(Path(out) / "grades.csv", grades_csv(results))
