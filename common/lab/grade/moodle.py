"""Writes OUT/moodle.csv for Moodle's "Upload grading worksheet".

Best from the worksheet that Moodle wrote ("Download grading worksheet"): only its columns Grade and Feedback comments
are filled. Without it, this writes one that an English site accepts.
"""

import html
from pathlib import Path

import whole_file
from grade.csv_text import csv_text
from grade.feedback import feedback_lines, points_text
from grade.harmless import in_one_line
from grade.item import count
from grade.moodle_match import matched
from grade.moodle_sheet import COLUMNS, Worksheet

TITLES = [COLUMNS[name] for name in ("identifier", "full name", "grade", "maximum", "modified", "feedback")]


def feedback_html(submission):
    """The feedback as HTML, which is what Moodle shows."""
    return "<br>".join(html.escape(line) for line in feedback_lines(submission))


def filled(text, results, titles=None):
    """(the worksheet with grades, remarks). Raises InputError."""
    sheet = Worksheet(text, titles)
    pairs, remarks = matched(sheet, results)
    for row, submission in pairs:
        sheet.fill(row, points_text(submission["points"]), feedback_html(submission))
    return sheet.text(), [in_one_line(one) for one in [*remarks, *remarks_on_maximum(sheet, pairs)]]


def remarks_on_maximum(sheet, pairs):
    """Remarks on differing maxima: Moodle silently ignores grades above its own."""
    for row, submission in pairs:
        most = sheet.of(row, "maximum").replace(",", ".")
        if most and points_text(submission["maximum"]) != points_text(as_number(most)):
            yield f"{submission['name']}: {points_text(submission['maximum'])} points at most, but {most} in Moodle: written unchanged"


def as_number(text):
    try:
        return float(text)
    except ValueError:
        return None


def made(results):
    """A worksheet without Moodle's: one row per author. The number is known only for a single author."""
    rows = [TITLES]
    for submission in results["submissions"]:
        authors = submission.get("authors") or [submission["name"]]
        number = submission.get("student_id") if len(authors) == 1 else ""
        for author in authors:
            rows.append([f"Participant {number}" if number else "", author, points_text(submission["points"]),
                         points_text(submission["maximum"]), "-", feedback_html(submission)])
    return csv_text(rows)


def write_moodle(out, results, worksheet=None, titles=None):
    """Writes the file and returns remarks for the instructor. `worksheet`: a file from Moodle, or None. Raises
    InputError."""
    text, remarks = made(results), []
    if worksheet:
        text, remarks = filled(Path(worksheet).read_bytes().decode("utf-8", "replace"), results, titles)
    whole_file.write_text(Path(out) / "moodle.csv", text)
    return [*remarks, *remark_on_open_points(results)]


def remark_on_open_points(results):
    """A remark on open points: Moodle only stores a number and cannot show that it may change."""
    waiting = [one for one in results["submissions"] if one.get("to_decide")]
    if waiting:
        yield (f"moodle.csv: {count(len(waiting), 'grade is', 'grades are')} not final, a person still decides on points: "
               f"{', '.join(one['name'] for one in waiting[:3])}{', ...' if len(waiting) > 3 else ''}")
