"""Moodle's offline grading worksheet as a table: finds its columns and rows and writes the same text again.

Moodle finds columns by their titles in the site's language, and refuses a file without the column that says when a
grade was last modified. So a worksheet from Moodle stays as it is, except for two columns.
"""

import csv
import io
import re

from grade.csv_text import BOM
from notebook_file import InputError, in_quotes

COLUMNS = {"identifier": "Identifier", "full name": "Full name", "grade": "Grade", "maximum": "Maximum Grade",
           "modified": "Last modified (grade)", "feedback": "Feedback comments"}
NEEDED = ("identifier", "full name", "grade", "feedback")
LARGEST_CELL = 10 ** 7


class Worksheet:
    """Raises InputError if a column is missing. `titles`: {"grade": "Bewertung", ...} for a site in another language."""

    def __init__(self, text, titles=None):
        self.bom = text.startswith(BOM)
        text = text[len(BOM):] if self.bom else text
        head = text.split("\n", 1)[0]
        self.line_ending = "\r\n" if head.endswith("\r") else "\n"
        self.separator = max(",;\t", key=head.count)
        csv.field_size_limit(LARGEST_CELL)
        try:
            self.rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=self.separator, strict=True))
        except csv.Error as fault:
            raise InputError(f"Moodle's worksheet is not a CSV file: {fault}") from None
        self.place = self.places({**COLUMNS, **(titles or {})})

    def places(self, titles):
        there = [title.strip() for title in self.rows[0]] if self.rows else []
        missing = [titles[name] for name in NEEDED if titles[name] not in there]
        if missing:
            raise InputError(f"Moodle's worksheet has no column {in_quotes(missing[0])}; it has {in_quotes(', '.join(there))}; was "
                             "'Feedback comments' switched on in the assignment?")
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
        csv.writer(out, delimiter=self.separator, lineterminator=self.line_ending).writerows(self.rows)
        return (BOM if self.bom else "") + out.getvalue()
