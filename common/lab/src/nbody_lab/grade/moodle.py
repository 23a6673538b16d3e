"""Moodle's own grading worksheet, filled in. Moodle names the columns in the site's language, so they are found by what
stands in them. Grades that are not final are left out: Moodle would publish them."""

import csv
import html
import io
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from nbody_lab.core.clean_text import in_one_line
from nbody_lab.core.errors import LabError
from nbody_lab.core.words import plural
from nbody_lab.grade.authors import person, submissions_of
from nbody_lab.grade.by_hand import read_table
from nbody_lab.grade.models import Marks, Results

_NUMBER = re.compile(r"\d+")  # 12345 of "Participant 12345", in any language
_TIME = re.compile(r"-|.{0,60}\d[:.]\d\d\b.{0,20}")  # as Moodle writes when something was changed


def _number(cell: str) -> float | None:
    try:
        return float(cell.replace(",", "."))
    except ValueError:
        return None


def _feedback(marks: Marks) -> Iterator[str]:
    """Lines of text for the student; flags are for the instructor only."""
    yield f"{marks.points:g} of {marks.maximum:g} points."
    if marks.late.days:
        yield f"{marks.late.taken_off:g} points taken off: {marks.late.why}"
    for mark in marks.asked_for:
        got = mark.state if mark.points is None else f"{mark.points:g} of {mark.maximum:g}"
        yield in_one_line(f"{mark.part}, {mark.item}: {got}. {mark.why}")


def fill_worksheet(file: Path, results: Results) -> tuple[str, list[str]]:
    """The worksheet with the final grades and their feedback, and remarks. Its columns: identifier, full name, perhaps
    more, status, grade, maximum grade, perhaps when it was handed in, when it was graded, perhaps
    feedback. Raises LabError for anything else."""
    titles, *rows = read_table(file) or [[]]
    rows = [row for row in rows if len(row) == len(titles)]
    columns = [[cell.strip() for cell in column] for column in zip(*rows)]
    numbers = [[_number(cell) for cell in column] for column in columns]

    def is_maximum(k: int) -> bool:
        """The same number in each row, behind a column of numbers and gaps."""
        before = zip(columns[k - 1], numbers[k - 1])
        is_one = None not in numbers[k] and len(set(numbers[k])) == 1
        return is_one and all(not cell or number is not None for cell, number in before)

    found = [k for k in range(3, len(columns)) if is_maximum(k)]
    if not found or not all(map(_NUMBER.search, columns[0])):
        raise LabError(f"{file}: not a grading worksheet of Moodle: export it there")
    maximum, grade = found[-1], found[-1] - 1
    times = [all(map(_TIME.fullmatch, column)) for column in columns[maximum + 1 :]]
    has_feedback = any(times) and not times[-1]

    by_name = {one.name: one for one in results.submissions}
    by_number = {one.student_id: one.name for one in results.submissions if one.student_id}
    of_authors, full_names = submissions_of(results.submissions), Counter(map(person, columns[1]))
    matched: Counter[str] = Counter()
    remarks = []
    for row in rows:
        own = by_number.get(_NUMBER.findall(row[0])[0])
        # By its number, or by the author's full name, which nobody else has. A name in two submissions is for a person.
        name = person(row[1])
        is_called = own or full_names[name] == 1
        theirs = {own} if own else set()
        theirs = theirs.union(of_authors.get(name, ()) if is_called else ())
        matched.update(theirs)
        if len(theirs) > 1:  # somebody may have typed a classmate's name
            remarks.append(f"{row[1]} is in {' and '.join(sorted(theirs))}: left empty")
        for marks in [by_name[name] for name in theirs] if len(theirs) == 1 else ():
            if marks.is_final:
                row[grade] = f"{marks.points:g}"
                if has_feedback:
                    row[-1] = "<br>".join(map(html.escape, _feedback(marks)))
    for one in results.submissions:
        if matched[one.name] < max(1, len(one.authors)):
            authors = f" of {', '.join(one.authors)}" if one.authors else ""
            remarks.append(
                f"{one.name}{authors}: {plural(matched[one.name], 'row')} in Moodle's worksheet"
            )
    if (most := numbers[maximum][0]) != results.maximum:
        points = plural(results.maximum, "point")
        remarks.append(f"{points} at most, but {most:g} in Moodle: written unchanged")
    out = io.StringIO()
    csv.writer(out).writerows([titles, *rows])
    return out.getvalue(), remarks
