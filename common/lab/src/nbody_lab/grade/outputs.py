"""Writes what is made of the marks, beside the pages: grades.csv, moodle.csv, export/gradescope, the table on the screen."""

import csv
import html
import io
import json
import re
import textwrap
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from nbody_lab.core.clean_text import in_one_line
from nbody_lab.core.console import Column, format_table
from nbody_lab.core.messages import UserError
from nbody_lab.core.whole_file import write_text
from nbody_lab.grade.decisions import named_twice, parse_number, plain
from nbody_lab.grade.feedback import (
    BOM,
    csv_text,
    feedback_lines,
    item_title,
    late_line,
    points_so_far,
    points_text,
    total_line,
)
from nbody_lab.grade.models import HandedIn, Mark, Marks, Results
from nbody_lab.grade.rubric import read_named
from nbody_lab.grade.score import SOFT_FLAGS
from nbody_lab.grade.submissions import is_named, parse_time
from nbody_lab.notebook.file import in_quotes

# --- grades.csv and moodle.csv ---

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
    columns, twice = (
        item_columns(results),
        {plain(author) for author in named_twice(results.submissions)},
    )
    titles = [f"{part}: {item} ({points_text(most)})" for (part, item), most in columns.items()]
    before = ["name", "id", "submission", "points", "maximum"]
    after = ["days late", "taken off", "to decide", "final", "flags"]
    rows: list[Sequence[Cell]] = [[*before, *titles, *after]]
    for one in results.submissions:
        for author in one.authors or [one.name]:
            rows.append(_grade_row(author, one, columns, plain(author) in twice))
    return csv_text(rows, bom=True)


def moodle_csv(results: Results, worksheet: Path | None = None) -> tuple[str, list[str]]:
    """The text, and remarks for the instructor. `worksheet`: as Moodle exported it. Raises UserError."""
    if worksheet:
        text = read_named(worksheet).decode("utf-8", "replace")
        return fill_worksheet(text, results)
    twice = {plain(author) for author in named_twice(results.submissions)}
    return csv_text(make_worksheet(results, twice)), []


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
    columns: list[Column | str] = ["submission", ">points", ">of", Column("authors", drop=1)]
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


# --- Moodle's "Upload grading worksheet": best the one that Moodle wrote ---

# Moodle finds columns by their titles in the site's language, and refuses a file without the column that says when a
# grade was last modified. So a worksheet from Moodle stays as it is, except for the columns Grade and Feedback comments.
# Grades that are not final are left out: Moodle would publish them.


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
    """Raises UserError if it is no table or a column is missing."""

    def __init__(self, text: str) -> None:
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
            raise UserError(f"Moodle's worksheet is not a CSV file: {fault}") from fault
        there = [title.strip() for title in self.rows[0]] if self.rows else []
        for name in _NEEDED:
            if _TITLES[name] not in there:
                raise UserError(
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
    Raises UserError."""
    sheet = _Worksheet(read_named(worksheet).decode("utf-8", "replace"))
    found = defaultdict(set)
    for row, one in _match(sheet, submissions)[0]:
        found[one.name].add(parse_time(sheet.cell(row, "submitted")))
    known = {name: times - {""} for name, times in found.items()}
    return {name: times.pop() for name, times in known.items() if len(times) == 1}


def _remarks_on_maximum(
    sheet: _Worksheet, pairs: Sequence[tuple[list[str], Marks]]
) -> Iterator[str]:
    """Moodle silently ignores grades above its own maximum."""
    for row, one in pairs:
        most = sheet.cell(row, "maximum")
        ours = points_text(one.maximum)
        if most and points_text(parse_number(most)) != ours:
            yield f"{one.name}: {ours} points at most, but {most} in Moodle: written unchanged"


def fill_worksheet(text: str, results: Results) -> tuple[str, list[str]]:
    """Moodle's worksheet with the final grades, and remarks. Raises UserError."""
    sheet = _Worksheet(text)
    pairs, remarks = _match(sheet, results.submissions)
    for row, one in pairs:
        if one.is_final:
            row[sheet.place["grade"]] = points_text(one.points)
            row[sheet.place["feedback"]] = _feedback_html(one)
    remarks += _remarks_on_maximum(sheet, pairs)
    return sheet.text(), [in_one_line(one) for one in remarks]


def make_worksheet(results: Results, doubtful: Collection[str]) -> Iterator[list[str]]:
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
