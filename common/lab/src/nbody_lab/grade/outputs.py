"""Writes everything made from OUT/results.json: tables, files for platforms, pages, and the final table of a run."""

from pathlib import Path

from nbody_lab.core import whole_file
from nbody_lab.core.clean_text import harmless
from nbody_lab.core.messages import say
from nbody_lab.draw.pictures import BRING_PAGE, can_write_page
from nbody_lab.grade.csv_text import csv_text
from nbody_lab.grade.exports import write_exports
from nbody_lab.grade.feedback import is_graded, points_text
from nbody_lab.grade.moodle import write_moodle
from nbody_lab.notebook.file import shown

WITHOUT = f"no pages for the class: writing them {BRING_PAGE}"


def write_pages(out):
    """Status of writing OUT/index.html and OUT/students/*.html; None if nothing here can. The tables do not need it: print
    WITHOUT then."""
    if not can_write_page():
        return None
    from nbody_lab.grade.pages import command  # slow

    return command.write(out)


# OUT/grades.csv: a row per author, a column per mark. `id`: of the student who handed it in.
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
    return (
        f"{part}: {item} ({points_text(maximum)})" if part else f"{item} ({points_text(maximum)})"
    )


def cell_of(item):
    """The points, or why there are none."""
    if item is None:
        return ""
    return item["points"] if is_graded(item) else item["state"]


def row_of(author, submission, columns):
    items = {key_of(item): item for item in submission["items"]}
    late = submission.get("late") or {}
    return [
        author,
        submission.get("student_id"),
        submission["name"],
        submission["points"],
        submission["maximum"],
        *(cell_of(items.get(key)) for key in columns),
        late.get("days"),
        late.get("taken_off"),
        submission.get("to_decide"),
        "; ".join(submission.get("flags") or []),
    ]


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


WIDTH = 100


def points_of(value):
    return "-" if value is None else f"{value:g}"


def line_of_submission(submission):
    needs = [f"{submission['to_decide']:g} to decide"] if submission.get("to_decide") else []
    flags = submission.get("flags") or []
    needs += [f"{len(flags)} flag{'s' if len(flags) > 1 else ''}"] if flags else []
    who = ", ".join(submission["authors"]) or "no names"
    return f"  {harmless(submission['name'])[:28]:28} {points_of(submission['points']):>6} of {submission['maximum']:<5g} {harmless(who)[:28]:28} {harmless('; '.join(needs))}"[
        :WIDTH
    ]


def lines_of(submission):
    """Each item of one submission with its reason, wrapped."""
    import textwrap  # pylint: disable=import-outside-toplevel

    lines = []
    for item in submission["items"]:
        got = points_of(item["points"]) if item["state"] == "graded" else item["state"]
        lines.append(
            f"{item.get('part') or '':6} {item['item'][:40]:40} {got:>16} of {item['maximum']:g}"
        )
        lines += textwrap.wrap(
            harmless(item["why"]), WIDTH, initial_indent=" " * 9, subsequent_indent=" " * 9
        )
    lines.append(f"{points_of(submission['points'])} of {submission['maximum']:g} points")
    return lines


def write_all(out, results, moodle=""):
    """Writes all of it and returns lines to print."""
    write_grades(out, results)
    remarks = write_moodle(out, results, moodle or None)
    write_exports(out, results)
    if write_pages(out) is None:
        say(WITHOUT)
    one = results["submissions"][0] if len(results["submissions"]) == 1 else None
    lines = (
        lines_of(one)
        if one
        else [line_of_submission(submission) for submission in results["submissions"]]
    )
    return [
        *lines,
        *remarks,
        f"{shown(out)}: grades.csv, moodle.csv, results.json, export/, index.html",
    ]
