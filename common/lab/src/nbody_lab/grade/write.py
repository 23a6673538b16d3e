"""Marks become files: results.json, grades.csv, answers.csv (a form that is read back with --manual), Moodle's worksheet,
the pages; and a table on the screen."""

import csv
import io
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.clean_text import LOG, in_one_line, shown, without_formula
from nbody_lab.core.console import format_table, show
from nbody_lab.core.errors import LabError
from nbody_lab.core.whole_file import write_text
from nbody_lab.core.words import plural
from nbody_lab.grade.authors import person, submissions_of
from nbody_lab.grade.by_hand import ManualRow, plain, read_decisions
from nbody_lab.grade.models import Record, Results
from nbody_lab.grade.moodle import fill_worksheet
from nbody_lab.grade.pages import points_so_far, points_text, write_pages

Cell = str | float | None


def csv_text(rows: Iterable[Sequence[Cell]]) -> str:
    """RFC 4180, each row on one line, with a mark that tells Excel that it is UTF-8. No text in it is a formula."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(
        [
            without_formula(in_one_line(cell, LOG)) if isinstance(cell, str) else points_text(cell)
            for cell in row
        ]
        for row in rows
    )
    return "\ufeff" + out.getvalue()


def grades_csv(results: Results) -> str:
    """A row per author, a column per item. A submission without authors has a row, too. Who is an author of two submissions
    has no points: the flags say why."""
    of_authors = submissions_of(results.submissions)
    columns = {mark.title: mark.maximum for one in results.submissions for mark in one.items}
    items = [f"{title} ({points_text(most)})" for title, most in columns.items()]
    after = ["days late", "taken off", "to decide", "final", "flags"]
    rows: list[list[Cell]] = [["name", "id", "submission", "points", "maximum", *items, *after]]
    for one in results.submissions:
        marks = {mark.title: mark.points_or_state for mark in one.items}
        late = (one.late.days, one.late.taken_off)
        for author in one.authors or [one.name]:
            is_doubtful = len(of_authors.get(person(author), ())) > 1
            points = one.points if one.has_points and not is_doubtful else None
            row = [author, one.student_id, one.name, points, one.maximum, *map(marks.get, columns)]
            is_final = "yes" if one.is_final and not is_doubtful else "no"
            rows.append([*row, *late, one.to_decide, is_final, "; ".join(one.flags)])
    return csv_text(rows)


# --- answers.csv ---


def find_answer(notebook: str, question: str, given: str) -> str | None:
    """What a student wrote below a question, up to the next heading or line of the given notebook; None if the question is
    not there. Its lines may be wrapped or emphasised."""
    asked = r"[\s>*_]+".join(map(re.escape, question.split())) + r"[*_]*"
    before, *below = re.split(f"({asked})", notebook, maxsplit=1, flags=re.IGNORECASE)
    ends = {line.strip() for line in given.splitlines()} - {""}
    if below:  # the rest of a line as it was given asks on
        rest, _, after = below[1].partition("\n")
        line = (before + below[0]).rpartition("\n")[2] + rest
        below = [after] if line.strip() in ends else below[1:]
    lines = itertools.takewhile(
        lambda line: line.strip() not in ends and not re.match("#{1,6} ", line),
        below[0].splitlines() if below else (),
    )
    return "\n".join(lines).strip() if below else None


def answers_csv(out: Path, results: Results) -> str:
    """What a person decides or has decided, with the student's words, or why there are no points yet."""
    rows: list[list[Cell]] = [["who", "question", "answer", "points", "comment"]]
    for one in results.submissions:
        for mark in one.items:
            is_open = mark.points is None and mark.maximum and mark in one.asked_for
            if not is_open and mark.by_hand is None:
                continue
            is_written = mark.asked == "in NOTEBOOK.md"
            answer: str | None = "no NOTEBOOK.md was handed in" if is_written else mark.why
            notebooks = (out / "taken" / one.name).glob(f"{mark.part}_*/NOTEBOOK.md")
            for file in notebooks if is_written else ():
                given = (ROOT / file.parent.name / file.name).read_text("utf-8")
                answer = find_answer(file.read_text("utf-8", "replace"), mark.item, given)
            answer = "its question is not in NOTEBOOK.md any more" if answer is None else answer
            rows.append([one.name, mark.title, answer, mark.by_hand, mark.comment])
    return csv_text(rows)


def require_points_given(out: Path, results: Results) -> None:
    """Raises LabError if somebody typed points into answers.csv that the next one would not have."""
    file = out / "answers.csv"
    known = {
        (one.name, plain(mark.title)): mark.by_hand is not None
        for one in results.submissions
        for mark in one.items
    }
    for row in read_decisions(ManualRow, file) if file.exists() else ():
        if not known.get((row.who, plain(row.question)), True):
            raise LabError(f"{row.where}: points that would be lost: add --manual {file}")


# --- all of it ---


def write_class(
    out: Path, results: Results, records: Mapping[str, Record], moodle: Path | None = None
) -> None:
    """Writes all files, and prints the table of the class. Raises LabError."""
    require_points_given(out, results)
    remarks: list[str] = []
    if moodle is None:
        (out / "moodle.csv").unlink(missing_ok=True)  # of an earlier run: its grades are old
    else:
        text, remarks = fill_worksheet(moodle, results)
        write_text(out / "moodle.csv", text)
    write_text(out / "results.json", results.model_dump_json(indent=1) + "\n")
    write_text(out / "grades.csv", grades_csv(results))
    write_text(out / "answers.csv", answers_csv(out, results))
    write_pages(out, results, records)
    table = []
    for one in results.submissions:
        points = (points_so_far(one), points_text(one.maximum))
        table.append((one.name[:32], *points, ", ".join(one.authors), len(one.flags) or ""))
    show(format_table(["submission", ">points", ">of", "authors", ">flags"], table))
    if waiting := sum(not one.is_final for one in results.submissions):
        were = plural(waiting, "submission is", "submissions are")
        remarks.append(f"{were} not final: fill in answers.csv and give it back with --manual")
    files = "grades.csv, answers.csv, results.json, index.html" + (", moodle.csv" if moodle else "")
    show(*map(in_one_line, remarks), f"{shown(out)}: {files}")
