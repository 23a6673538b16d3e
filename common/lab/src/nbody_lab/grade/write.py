"""Marks become files: results.json, grades.csv, answers.csv (a form that is read back with --manual), Moodle's worksheet,
the pages; and a table on the screen."""

import csv
import html
import io
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from markupsafe import Markup

from nbody_lab import ROOT
from nbody_lab.core.clean_text import LOG, harmless, in_one_line, shown, without_formula
from nbody_lab.core.console import format_table, show
from nbody_lab.core.errors import LabError
from nbody_lab.core.html import NOTHING, day, in_digits, in_percent, make_environment, mark_of
from nbody_lab.core.whole_file import write_text
from nbody_lab.core.words import plural
from nbody_lab.grade.intake import person, submissions_of
from nbody_lab.grade.models import Marks, Record, Results
from nbody_lab.grade.score import ManualRow, plain, read_decisions, read_table

Cell = str | float | None


def points_text(value: float | None) -> str:
    """'61.5', '10'; empty if there are no points."""
    return "" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")


def points_so_far(marks: Marks) -> str:
    """'61.5', '3.6 + ?' as long as something is open, '?' if nothing is graded."""
    open_ones = "" if marks.is_final else " + ?"
    return points_text(marks.points) + open_ones if marks.has_points else "?"


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
    """What a person decides or has decided, with the student's words, or why there are no points yet. Speeds that are not
    timed yet are for the clock."""
    rows: list[list[Cell]] = [["who", "question", "answer", "points", "comment"]]
    for one in results.submissions:
        for mark in one.items:
            is_decided = mark.points is not None or not mark.maximum or mark not in one.asked_for
            if (is_decided or mark.state == "not timed yet") and mark.by_hand is None:
                continue
            answer: str | None = mark.why
            notebooks = (out / "taken" / one.name).glob(f"{mark.part}_*/NOTEBOOK.md")
            for file in notebooks if mark.asked == "in NOTEBOOK.md" else ():
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


# --- Moodle's own grading worksheet. It names its columns in the site's language, so they are found by what stands in
# them. Grades that are not final are left out: Moodle would publish them.

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


# --- the pages: index.html, and students/NAME.html, which shows nothing of others. They run no scripts. ---


def _if_known(show: Callable[[float], str]) -> Callable[[float | None], str]:
    return lambda value: NOTHING if value is None else show(value)


_HERE = Path(__file__).resolve().parent / "templates"
_ENVIRONMENT = make_environment(_HERE)
_ENVIRONMENT.globals["style"] = Markup((_HERE / "grades.css").read_text(encoding="utf-8"))
_ENVIRONMENT.filters |= {
    "points": _if_known(points_text),
    "so_far": points_so_far,
    "number": _if_known(in_digits),
    "percent": _if_known(lambda value: f"{in_percent(value)} %"),
    "day": day,
    "colour": mark_of,
    "harmless": harmless,
    "file_name": lambda path: path.rpartition("/")[2],  # where it lies concerns nobody
}


def write_pages(out: Path, results: Results, records: Mapping[str, Record]) -> None:
    """Who has flags stands first on the page of the class, then who needs a person otherwise."""
    items: dict[str, dict[str, float]] = {}  # their maximum, by part
    for marks in results.submissions:
        for mark in marks.asked_for:
            items.setdefault(mark.part, {})[mark.item] = mark.maximum
        page = _ENVIRONMENT.get_template("student.html.j2").render(
            results=results, marks=marks, record=records[marks.name]
        )
        write_text(out / "students" / f"{marks.name}.html", page)
    everybody = sorted(results.submissions, key=lambda one: (not one.flags, not one.problems))
    page = _ENVIRONMENT.get_template("class.html.j2").render(
        results=results, everybody=everybody, items=items
    )
    write_text(out / "index.html", page)


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
    states = [{mark.state for mark in one.items if mark.maximum} for one in results.submissions]
    if untimed := sum("not timed yet" in one for one in states):
        were = plural(untimed, "submission is", "submissions are")
        remarks.append(f"{were} not timed yet: run ./lab grade CLASS again without --no-timing")
    if waiting := sum(one.to_decide > 0 for one in results.submissions):
        were = plural(waiting, "submission is", "submissions are")
        remarks.append(f"{were} not final: fill in answers.csv and give it back with --manual")
    files = "grades.csv, answers.csv, results.json, index.html" + (", moodle.csv" if moodle else "")
    show(*map(in_one_line, remarks), f"{shown(out)}: {files}")
