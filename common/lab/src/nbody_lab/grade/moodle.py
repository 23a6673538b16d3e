"""Moodle's own grading worksheet, filled in. Moodle names the columns in the site's language, so they are found by what
stands in them. Grades that are not final are left out: Moodle would publish them."""

import csv
import html
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from nbody_lab.core.clean_text import in_one_line
from nbody_lab.core.errors import LabError
from nbody_lab.core.words import plural
from nbody_lab.grade.by_hand import plain, read_table
from nbody_lab.grade.models import Marks, Results

_NUMBER = re.compile(r"\d+")  # 12345 of "Participant 12345", in any language
_TIME = re.compile(r"-|.{0,60}\d[:.]\d\d\b.{0,20}")  # as Moodle writes when something was changed


def _number(cell: str) -> float | None:
    try:
        return float(cell.replace(",", "."))
    except ValueError:
        return None


class _Worksheet:
    """Identifier, full name, perhaps an e-mail address and more, status, grade, maximum grade, perhaps when it was handed
    in, when it was graded, perhaps feedback. Raises LabError for anything else."""

    def __init__(self, file: Path) -> None:
        self.titles, *rows = read_table(file) or [[]]
        self.rows = [row for row in rows if len(row) == len(self.titles)]
        columns = [[row[k].strip() for row in self.rows] for k in range(len(self.titles))]

        def is_maximum(k: int) -> bool:
            """The same number in each row, behind a column of numbers and gaps."""
            most = set(map(_number, columns[k]))
            before = all(not cell or _number(cell) is not None for cell in columns[k - 1])
            return len(most) == 1 and None not in most and before

        found = [k for k in range(3, len(columns)) if is_maximum(k)]
        if not found or not all(map(_NUMBER.search, columns[0])):
            raise LabError(f"{file}: not a grading worksheet of Moodle: export it there")
        self.maximum = found[-1]
        self.grade = self.maximum - 1
        times = [
            k
            for k in range(self.maximum + 1, len(columns))
            if all(map(_TIME.fullmatch, columns[k]))
        ]
        last = len(columns) - 1
        self.feedback = last if times and last not in times else None

    def match(self, submissions: Sequence[Marks]) -> Iterator[tuple[list[str], list[Marks]]]:
        """Each row with the submissions that bear its number, e-mail address or full name. More than one: which of them
        counts is for a person to say, as somebody may have typed a classmate's name."""
        by_number, by_author = {one.student_id: one for one in submissions}, defaultdict(list)
        for one in submissions:
            for author in {plain(author) for author in one.authors}:
                by_author[author].append(one)
        names = Counter(plain(row[1]) for row in self.rows)
        for row in self.rows:
            number = _NUMBER.search(row[0])
            own = by_number.get(number[0]) if number else None
            words = {cell for cell in map(plain, row[: self.grade]) if "@" in cell}
            if own or names[plain(row[1])] == 1:
                words.add(plain(row[1]))
            if own and not words & {plain(author) for author in own.authors}:
                words |= {plain(author) for author in own.authors}  # called otherwise in Moodle
            found = {one.name: one for word in words for one in by_author[word]}
            yield row, list((found | ({own.name: own} if own else {})).values())

    def text(self) -> str:
        out = io.StringIO()
        csv.writer(out).writerows([self.titles, *self.rows])
        return out.getvalue()


def _feedback(marks: Marks) -> Iterator[str]:
    """Lines of text for the student; flags are for the instructor only."""
    yield f"{marks.points:g} of {marks.maximum:g} points."
    if marks.late.days:
        yield f"{marks.late.taken_off:g} points taken off: {marks.late.why}"
    for mark in marks.asked_for:
        got = mark.state if mark.points is None else f"{mark.points:g} of {mark.maximum:g}"
        yield in_one_line(f"{mark.part}, {mark.item}: {got}. {mark.why}")


def fill_worksheet(file: Path, results: Results) -> tuple[str, list[str]]:
    """The worksheet with the final grades and their feedback, and remarks. Raises LabError."""
    sheet, remarks, matched = _Worksheet(file), [], set()
    for row, found in sheet.match(results.submissions):
        matched |= {one.name for one in found}
        if len(found) > 1:
            names = " and ".join(one.name for one in found)
            remarks.append(f"{row[1]} is in {names}: left empty")
        elif found and found[0].is_final:
            row[sheet.grade] = f"{found[0].points:g}"
            if sheet.feedback is not None:
                row[sheet.feedback] = "<br>".join(map(html.escape, _feedback(found[0])))
    for one in results.submissions:
        if one.name not in matched:
            remarks.append(f"{one.name} matches no student in Moodle's worksheet")
    most = _number(sheet.rows[0][sheet.maximum])
    if most != results.maximum:
        points = plural(results.maximum, "point")
        remarks.append(f"{points} at most, but {most:g} in Moodle: written unchanged")
    return sheet.text(), remarks
