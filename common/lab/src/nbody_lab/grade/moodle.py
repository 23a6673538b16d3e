"""Writes OUT/moodle.csv for Moodle's "Upload grading worksheet", from the sheet that Moodle exported.

Best from the worksheet that Moodle wrote ("Download grading worksheet"): only its columns Grade and Feedback comments
are filled. Without it, this writes one that an English site accepts.
"""

import csv
import html
import io
import re
import unicodedata
from collections import defaultdict
from pathlib import Path

from nbody_lab.core import whole_file
from nbody_lab.core.clean_text import in_one_line
from nbody_lab.core.words import plural
from nbody_lab.grade.csv_text import BOM, csv_text
from nbody_lab.grade.feedback import feedback_lines, points_text
from nbody_lab.notebook.file import InputError, in_quotes

# Moodle's offline grading worksheet as a table: finds its columns and rows and writes the same text again.
#
# Moodle finds columns by their titles in the site's language, and refuses a file without the column that says when
# a grade was last modified. So a worksheet from Moodle stays as it is, except for two columns.
COLUMNS = {
    "identifier": "Identifier",
    "full name": "Full name",
    "grade": "Grade",
    "maximum": "Maximum Grade",
    "modified": "Last modified (grade)",
    "feedback": "Feedback comments",
}
NEEDED = ("identifier", "full name", "grade", "feedback")
LARGEST_CELL = 10**7


class Worksheet:
    """Raises InputError if a column is missing. `titles`: {"grade": "Bewertung", ...} for a site in another language."""

    def __init__(self, text, titles=None):
        self.bom = text.startswith(BOM)
        text = text[len(BOM) :] if self.bom else text
        head = text.split("\n", 1)[0]
        self.line_ending = "\r\n" if head.endswith("\r") else "\n"
        self.separator = max(",;\t", key=head.count)
        csv.field_size_limit(LARGEST_CELL)
        try:
            self.rows = list(
                csv.reader(io.StringIO(text, newline=""), delimiter=self.separator, strict=True)
            )
        except csv.Error as fault:
            raise InputError(f"Moodle's worksheet is not a CSV file: {fault}") from None
        self.place = self.places({**COLUMNS, **(titles or {})})

    def places(self, titles):
        there = [title.strip() for title in self.rows[0]] if self.rows else []
        missing = [titles[name] for name in NEEDED if titles[name] not in there]
        if missing:
            raise InputError(
                f"Moodle's worksheet has no column {in_quotes(missing[0])}; it has {in_quotes(', '.join(there))}; was "
                "'Feedback comments' switched on in the assignment?"
            )
        return {name: there.index(title) for name, title in titles.items() if title in there}

    def students(self):
        """The complete rows below the titles."""
        return [row for row in self.rows[1:] if len(row) > max(self.place.values())]

    def of(self, row, name):
        return row[self.place[name]] if name in self.place else ""

    def number_of(self, row):
        """12345 from 'Participant 12345', in any language."""
        found = re.search(r"(\d+)\D*$", self.of(row, "identifier"))
        return found[1] if found else ""

    def fill(self, row, grade, feedback):
        row[self.place["grade"]], row[self.place["feedback"]] = grade, feedback

    def text(self):
        out = io.StringIO()
        csv.writer(out, delimiter=self.separator, lineterminator=self.line_ending).writerows(
            self.rows
        )
        return (BOM if self.bom else "") + out.getvalue()


# Matches submissions to rows of Moodle's worksheet: by participant number, else by author name.


def plain(name):
    """The name as two people may both write it."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def by_number(results):
    return {str(one["student_id"]): one for one in results["submissions"] if one.get("student_id")}


def by_name(results):
    """{name: submissions that name this author}"""
    found = defaultdict(list)
    for submission in results["submissions"]:
        for author in submission.get("authors") or []:
            found[plain(author)].append(submission)
    return found


def matched(sheet, results):
    """([(row, submission)], remarks). Students named in another worksheet keep their own submission; an ambiguous name
    fills nothing."""
    numbers, names = by_number(results), by_name(results)
    same_name = defaultdict(int)
    for row in sheet.students():
        same_name[plain(sheet.of(row, "full name"))] += 1
    pairs, remarks = [], []
    for row in sheet.students():
        name = sheet.of(row, "full name")
        own, named = numbers.get(sheet.number_of(row)), names.get(plain(name), [])
        others = [one for one in named if one is not own]
        if own:
            pairs.append((row, own))
            remarks += [
                f"{name} handed in {own['name']} and is also named in {one['name']}"
                for one in others
            ]
        elif len(named) == 1 and same_name[plain(name)] == 1:
            pairs.append((row, named[0]))
        elif named:
            why = (
                f"named in {', '.join(one['name'] for one in named)}"
                if len(named) > 1
                else "a name of several students"
            )
            remarks.append(f"{name} is {why}: left empty")
    found = {submission["name"] for _, submission in pairs}
    remarks += [
        f"{one['name']} matches no student in Moodle's worksheet"
        for one in results["submissions"]
        if one["name"] not in found
    ]
    return pairs, remarks


TITLES = [
    COLUMNS[name]
    for name in ("identifier", "full name", "grade", "maximum", "modified", "feedback")
]


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
            rows.append(
                [
                    f"Participant {number}" if number else "",
                    author,
                    points_text(submission["points"]),
                    points_text(submission["maximum"]),
                    "-",
                    feedback_html(submission),
                ]
            )
    return csv_text(rows)


def write_moodle(out, results, worksheet=None, titles=None):
    """Writes the file and returns remarks for the instructor. `worksheet`: a file from Moodle, or None. Raises
    InputError."""
    text, remarks = made(results), []
    if worksheet:
        text, remarks = filled(
            Path(worksheet).read_bytes().decode("utf-8", "replace"), results, titles
        )
    whole_file.write_text(Path(out) / "moodle.csv", text)
    return [*remarks, *remark_on_open_points(results)]


def remark_on_open_points(results):
    """A remark on open points: Moodle only stores a number and cannot show that it may change."""
    waiting = [one for one in results["submissions"] if one.get("to_decide")]
    if waiting:
        yield (
            f"moodle.csv: {plural(len(waiting), 'grade is', 'grades are')} not final, a person still decides on points: "
            f"{', '.join(one['name'] for one in waiting[:3])}{', ...' if len(waiting) > 3 else ''}"
        )
