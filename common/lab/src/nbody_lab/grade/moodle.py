"""moodle.csv, for Moodle's "Upload grading worksheet": best the worksheet that Moodle wrote, filled in.

Moodle finds columns by their titles in the site's language, and refuses a file without the column that says when a grade
was last modified. So a worksheet from Moodle stays as it is, except for the columns Grade and Feedback comments. Grades
that are not final are left out: Moodle would publish them.
"""

import csv
import html
import io
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from nbody_lab.core.clean_text import in_one_line
from nbody_lab.core.errors import LabError
from nbody_lab.core.words import plural
from nbody_lab.grade.authors import is_named
from nbody_lab.grade.decisions import named_twice, parse_number, plain
from nbody_lab.grade.feedback import BOM, csv_text, feedback_lines, points_text
from nbody_lab.grade.intake import parse_time
from nbody_lab.grade.models import HandedIn, Marks, Results
from nbody_lab.grade.rubric import read_named
from nbody_lab.notebook.file import in_quotes

_TITLES = {
    "identifier": "Identifier",
    "full name": "Full name",
    "grade": "Grade",
    "maximum": "Maximum Grade",
    "modified": "Last modified (grade)",
    "feedback": "Feedback comments",
}
_SUBMITTED = "Last modified (submission)"
_NEEDED = ("identifier", "full name", "grade", "feedback")
_LARGEST_CELL = 10**7
_One = TypeVar("_One", bound=HandedIn | Marks)


class _Worksheet:
    """Raises LabError if it cannot be read, is no table, or a column is missing."""

    def __init__(self, file: Path) -> None:
        text = read_named(file).decode("utf-8", "replace")
        self.bom = BOM if text.startswith(BOM) else ""
        text = text.removeprefix(BOM)
        head = text.split("\n", 1)[0]
        self.line_end = "\r\n" if head.endswith("\r") else "\n"
        self.separator = max(",;\t", key=head.count)
        csv.field_size_limit(_LARGEST_CELL)
        lines = io.StringIO(text, newline="")
        try:
            self.rows = list(csv.reader(lines, delimiter=self.separator, strict=True))
        except csv.Error as fault:
            raise LabError(f"Moodle's worksheet is not a CSV file: {fault}") from fault
        there = [title.strip() for title in self.rows[0]] if self.rows else []
        for name in _NEEDED:
            if _TITLES[name] not in there:
                raise LabError(
                    f"Moodle's worksheet has no column {in_quotes(_TITLES[name])}; it has "
                    f"{in_quotes(', '.join(there))}; was 'Feedback comments' switched on in the "
                    "assignment?"
                )
        self.place = {name: there.index(t) for name, t in _TITLES.items() if t in there}
        if _SUBMITTED in there:
            self.place["submitted"] = there.index(_SUBMITTED)

    def students(self) -> list[list[str]]:
        """The complete rows below the titles."""
        return [row for row in self.rows[1:] if len(row) > max(self.place.values())]

    def cell(self, row: Sequence[str], name: str) -> str:
        return row[self.place[name]] if name in self.place else ""

    def text(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, delimiter=self.separator, lineterminator=self.line_end)
        writer.writerows(self.rows)
        return self.bom + out.getvalue()


def _feedback_html(marks: Marks) -> str:
    """What Moodle shows."""
    return "<br>".join(html.escape(line) for line in feedback_lines(marks))


def _match(
    sheet: _Worksheet, submissions: Sequence[_One]
) -> tuple[list[tuple[list[str], _One]], list[str]]:
    """Pairs of row and submission, and remarks. An ambiguous name fills nothing, and neither does one that is an author
    of two submissions, whoever typed it."""
    by_number = {one.student_id: one for one in submissions if one.student_id}
    by_name = defaultdict(list)
    for one in submissions:
        for author in one.authors:
            by_name[plain(author)].append(one)
    students = [(row, sheet.cell(row, "full name")) for row in sheet.students()]
    same_name = Counter(plain(name) for _, name in students)
    pairs: list[tuple[list[str], _One]] = []
    remarks, known = [], set()
    for row, name in students:
        # 12345 from 'Participant 12345', in any language
        number = re.search(r"(\d+)\D*$", sheet.cell(row, "identifier"))
        own, named = by_number.get(number[1] if number else ""), by_name[plain(name)]
        if own:
            known.add(own.name)
            names = [name, *(author for author in own.authors if is_named(name, [author]))]
            found = {one.name for word in names for one in by_name[plain(word)]}
            others = sorted(found - {own.name})
            pairs += [] if others else [(row, own)]
            remarks += [
                f"{name} handed in {own.name} and is also named in {other}: left empty"
                for other in others
            ]
        elif len(named) == 1 and same_name[plain(name)] == 1:
            pairs.append((row, named[0]))
        elif named:
            why = "a name of several students"
            if len(named) > 1:
                why = f"named in {', '.join(one.name for one in named)}"
            remarks.append(f"{name} is {why}: left empty")
    known |= {one.name for _, one in pairs}
    remarks += [
        f"{one.name} matches no student in Moodle's worksheet"
        for one in submissions
        if one.name not in known
    ]
    return pairs, remarks


def moodle_times(worksheet: Path, submissions: Sequence[HandedIn]) -> dict[str, str]:
    """{submission: time}, of the rows that the grades go to; without those whose authors handed in at several times.
    Raises LabError."""
    sheet = _Worksheet(worksheet)
    found = defaultdict(set)
    for row, one in _match(sheet, submissions)[0]:
        found[one.name].add(parse_time(sheet.cell(row, "submitted")))
    known = {name: times - {""} for name, times in found.items()}
    return {name: times.pop() for name, times in known.items() if len(times) == 1}


def _remarks_on_maximum(
    sheet: _Worksheet, pairs: Sequence[tuple[list[str], Marks]]
) -> Iterator[str]:
    """Moodle silently ignores grades above its own maximum. One line for all of the same two maxima."""
    found: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for row, one in pairs:
        most, ours = sheet.cell(row, "maximum"), points_text(one.maximum)
        if most and points_text(parse_number(most)) != ours:
            found[ours, most][one.name] = None  # once, however many authors it has
    for (ours, most), names in found.items():
        who = next(iter(names)) if len(names) == 1 else plural(len(names), "submission")
        yield f"{who}: {ours} points at most, but {most} in Moodle: written unchanged"


def _fill_worksheet(file: Path, results: Results) -> tuple[str, list[str]]:
    """Moodle's worksheet with the final grades, and remarks. Raises LabError."""
    sheet = _Worksheet(file)
    pairs, remarks = _match(sheet, results.submissions)
    for row, one in pairs:
        if one.is_final:
            row[sheet.place["grade"]] = points_text(one.points)
            row[sheet.place["feedback"]] = _feedback_html(one)
    remarks += _remarks_on_maximum(sheet, pairs)
    return sheet.text(), [in_one_line(one) for one in remarks]


def _make_worksheet(results: Results, doubtful: Collection[str]) -> Iterator[list[str]]:
    """One that an English site accepts: a row per author. The number is known only for a single author.
    `doubtful`: authors without a grade."""
    yield list(_TITLES.values())
    for one in results.submissions:
        number = one.student_id if len(one.authors) == 1 else ""
        for author in one.authors or [one.name]:
            is_final = one.is_final and plain(author) not in doubtful
            yield [
                f"Participant {number}" if number else "",
                author,
                points_text(one.points) if is_final else "",
                points_text(one.maximum),
                "-",
                _feedback_html(one) if is_final else "",
            ]


def moodle_csv(results: Results, worksheet: Path | None = None) -> tuple[str, list[str]]:
    """The text, and remarks for the instructor. `worksheet`: as Moodle exported it. Raises LabError."""
    if worksheet:
        return _fill_worksheet(worksheet, results)
    twice = {plain(author) for author in named_twice(results.submissions)}
    return csv_text(_make_worksheet(results, twice)), []
