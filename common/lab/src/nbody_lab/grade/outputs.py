"""Writes what is made of the marks, beside the pages: results.json, grades.csv, moodle.csv, export/gradescope, and the
table on the screen."""

import json
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from nbody_lab.core.console import format_table
from nbody_lab.core.whole_file import write_text
from nbody_lab.grade.decisions import named_twice, plain
from nbody_lab.grade.feedback import (
    csv_text,
    item_title,
    late_line,
    points_so_far,
    points_text,
    total_line,
)
from nbody_lab.grade.models import Mark, Marks, Results
from nbody_lab.grade.moodle import moodle_csv
from nbody_lab.grade.score import SOFT_FLAGS

# --- grades.csv ---

Cell = str | float | None


def item_columns(results: Results) -> dict[tuple[str, str], float]:
    """{(part, item): maximum}, grouped by part, in order of first appearance."""
    found: dict[tuple[str, str], float] = {}
    for one in results.submissions:
        for mark in one.items:
            found.setdefault(mark.key, mark.maximum)
    parts = list(dict.fromkeys(part for part, _ in found))
    return dict(sorted(found.items(), key=lambda item: parts.index(item[0][0])))


def _grade_row(
    author: str, marks: Marks, columns: Iterable[tuple[str, str]], doubtful: bool
) -> list[Cell]:
    items = {mark.key: mark.points_or_state for mark in marks.items}
    return [
        author,
        marks.student_id,
        marks.name,
        marks.points if marks.has_points and not doubtful else None,
        marks.maximum,
        *map(items.get, columns),
        marks.late.days,
        marks.late.taken_off,
        marks.to_decide,
        "yes" if marks.is_final and not doubtful else "no",
        "; ".join(marks.flags),
    ]


def grades_csv(results: Results) -> str:
    """A row per author, a column per mark. A submission without authors has a row, too. Who is an author of two
    submissions has no points: the flags say why."""
    columns = item_columns(results)
    twice = {plain(author) for author in named_twice(results.submissions)}
    titles = [f"{part}: {item} ({points_text(most)})" for (part, item), most in columns.items()]
    before = ["name", "id", "submission", "points", "maximum"]
    after = ["days late", "taken off", "to decide", "final", "flags"]
    rows: list[Sequence[Cell]] = [[*before, *titles, *after]]
    for one in results.submissions:
        for author in one.authors or [one.name]:
            rows.append(_grade_row(author, one, columns, plain(author) in twice))
    return csv_text(rows, bom=True)


# --- Gradescope: one test per mark ---


def _gradescope_test(number: int, mark: Mark) -> dict[str, Any]:
    """An ungraded mark has no score and is neither passed nor failed."""
    test: dict[str, Any] = {
        "number": str(number),
        "name": item_title(mark),
        "output": mark.why or mark.state,
        "output_format": "text",
        "visibility": "visible",
        "extra_data": {"state": mark.state},
        "tags": [mark.part],
    }
    if mark.points is None:
        test["name"] += f" ({mark.state})"
    elif mark.maximum:  # a gate alone gives no points
        test |= {"score": mark.points, "max_score": mark.maximum}
        test["status"] = "passed" if mark.points >= mark.maximum else "failed"
    return test


def gradescope(marks: Marks) -> dict[str, Any]:
    """The submission's own score overrides the sum of tests, because days late are deducted. Gradescope needs a number:
    as long as it is not final, the student does not see it."""
    return {
        "score": marks.points if marks.has_points else 0,
        "output": "\n".join(filter(None, [total_line(marks), late_line(marks)])),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "stdout_visibility": "hidden",
        "visibility": "visible" if marks.is_final else "hidden",
        "tests": [_gradescope_test(k, mark) for k, mark in enumerate(marks.items, 1)],
        "extra_data": {"name": marks.name, "to_decide": marks.to_decide},
    }


# --- the screen ---


def class_table(results: Results) -> str:
    columns: list[str] = ["submission", ">points", ">of", "authors"]
    columns += [">to decide", ">flags"]
    rows = [
        (
            one.name[:32],
            points_so_far(one),
            points_text(one.maximum),
            ", ".join(one.authors) or "no names",
            points_text(one.to_decide) if one.to_decide else "",
            len([flag for flag in one.flags if flag not in SOFT_FLAGS]) or "",
        )
        for one in results.submissions
    ]
    return format_table(columns, rows)


def submission_lines(marks: Marks, width: int = 100) -> Iterator[str]:
    """Each item of one submission with its reason, wrapped."""
    for mark in marks.items:
        got = mark.state if mark.points is None else f"{mark.points:g}"
        yield f"{mark.part:6} {mark.item[:40]:40} {got:>16} of {mark.maximum:g}"
        yield from textwrap.wrap(mark.why, width, initial_indent=" " * 9, subsequent_indent=" " * 9)
    yield total_line(marks)


def _remarks(results: Results) -> Iterator[str]:
    for author, where in named_twice(results.submissions).items():
        yield (
            f"{author} is an author of {' and '.join(where)}: no points for this name in the tables; "
            "enter them by hand, or take one out of the folder of the class and run ./lab grade again"
        )
    waiting = [one.name for one in results.submissions if not one.is_final]
    if waiting:
        more = ", ..." if len(waiting) > 3 else ""
        yield (
            f"moodle.csv has no grade where something is still open: {len(waiting)} of "
            f"{len(results.submissions)}: {', '.join(waiting[:3])}{more}"
        )


def write_tables(out: Path, results: Results, moodle: Path | None = None) -> list[str]:
    """Writes results.json and the tables. Returns lines to print."""
    write_text(out / "results.json", results.model_dump_json(indent=1) + "\n")
    write_text(out / "grades.csv", grades_csv(results))
    text, remarks = moodle_csv(results, moodle)
    write_text(out / "moodle.csv", text)
    for one in results.submissions:
        data = json.dumps(gradescope(one), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        write_text(out / "export/gradescope" / one.name / "results.json", data)
    alone = len(results.submissions) == 1
    shown = submission_lines(results.submissions[0]) if alone else [class_table(results)]
    return [*shown, *remarks, *_remarks(results)]
