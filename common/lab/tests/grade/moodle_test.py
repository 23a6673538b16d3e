"""Is Moodle's worksheet filled where a grade is final and whose it is clear, and nowhere else?"""

import csv
import io
from datetime import datetime

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.grade.feedback import BOM
from nbody_lab.grade.moodle import moodle_csv, moodle_times
from tests.grade.scored_for_tests import (
    class_of_authors,
    final,
    measured,
    records_of,
    results_of,
    table_of,
)

TITLES = ["Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade"]
TITLES += ["Last modified (submission)", "Last modified (grade)", "Feedback comments"]
STUDENTS = {
    "Participant 12345": "Anna Smith",
    "Participant 777": "Björn  ångström",
    "Participant 12346": "Fast, Eva",
    "Participant 888": "Never Came",
    "Participant 12347": "Not Final",
}


def worksheet(students=STUDENTS, maximum="100.00"):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(TITLES)
    for identifier, name in students.items():
        row = [identifier, name, "=mail@host", "Submitted", "", maximum, "Friday", "-"]
        writer.writerow([*row, '<p>an "older" comment</p>'])
    return BOM + out.getvalue()


@pytest.fixture
def fill(tmp_path):
    def fill_given(text, results):
        (tmp_path / "given.csv").write_text(text, encoding="utf-8")
        return moodle_csv(results, tmp_path / "given.csv")

    return fill_given


def test_final_grades_and_feedback_are_filled_and_nothing_else(fill, snapshot):
    """As HTML in which nothing runs."""
    text, remarks = fill(worksheet(), class_of_authors())
    assert text == snapshot
    strangers = [one.removesuffix(" matches no student in Moodle's worksheet") for one in remarks]
    assert strangers == ["attacker", "bob", "victim"]


TWINS = {f"Participant {number}": "Fast, Eva" for number in (1, 2, 12346)}
EVA = measured("eva", ["Fast, Eva"], student_id="12346")
AGAIN = measured("eva_again", ["Fast, Eva"], student_id="")
LONGER = [
    measured(name, ["Fast, Eva Maria"], student_id=k) for name, k in (("eva", "12346"), ("b", ""))
]
OTHERS = [
    measured("carl", ["Fast, Eva", "Never Came"], student_id="1"),
    measured("dora", ["Never Came"], student_id="2"),
]
AS_TWO = "Fast, Eva handed in eva and is also named in"


@pytest.mark.parametrize(
    ("students", "files", "grades", "said"),
    [
        (STUDENTS, [EVA], ["", "", "70", "", ""], None),
        (STUDENTS, [EVA, AGAIN], [""] * 5, f"{AS_TWO} eva_again: left empty"),
        (STUDENTS, LONGER, [""] * 5, f"{AS_TWO} b: left empty"),
        (STUDENTS, [EVA, *OTHERS], [""] * 5, f"{AS_TWO} carl: left empty"),
        (STUDENTS, [EVA, *OTHERS], [""] * 5, "Never Came is named in carl, dora: left empty"),
        (TWINS, [EVA], ["", "", "70"], "Fast, Eva is a name of several students: left empty"),
    ],
)  # fmt: skip
def test_a_name_in_two_submissions_has_no_grade(fill, students, files, grades, said):
    """In Moodle as in grades.csv: which of them counts is for a person, also where one came by this student's number."""
    results = results_of(*files, manual=final(*(one["submission"]["name"] for one in files)))
    text, remarks = fill(worksheet(students), results)
    assert [row["Grade"] for row in table_of(text)] == grades
    assert said is None or said in remarks


TIMES = ["Friday, 20 November 2026, 10:15 PM", "Sunday, 22 November 2026, 10:15 PM", "-"]
PAIR = measured("pair", ["Ada", "Bo"], student_id="")


@pytest.mark.parametrize(
    ("rows", "files", "days"),
    [  # {student: which of TIMES}
        ({"Ada": 0, "Bo": 2}, [PAIR], {"pair": 20}),
        ({"Ada": 1, "Bo": 1}, [PAIR], {"pair": 22}),
        ({"Ada": 0, "Bo": 1}, [PAIR], {}),  # which of the two was the hand-in?
        ({"Ada": 2, "Bo": 2}, [PAIR], {}),
        ({"Bo": 1}, [PAIR, measured("bo", ["Bo"], student_id="")], {}),
        ({"Cy": 1}, [PAIR], {}),
    ],
)
def test_a_time_is_that_of_the_row_of_the_grade(tmp_path, rows, files, days):
    lines = [
        f'Participant {k},{who},,,"{TIMES[time]}",' for k, (who, time) in enumerate(rows.items())
    ]
    titles = "Identifier,Full name,Grade,Maximum Grade,Last modified (submission),Feedback comments"
    (tmp_path / "list.csv").write_text("\n".join([titles, *lines]))
    found = moodle_times(tmp_path / "list.csv", [one.submission for one in records_of(files)])
    assert {name: datetime.fromisoformat(time).day for name, time in found.items()} == days


@pytest.mark.parametrize(
    ("maximum", "is_said"), [("100,00", False), ("50.00", True), ("1.2.3", True)]
)
def test_another_maximum_is_said(fill, maximum, is_said):
    remarks = fill(worksheet(maximum=maximum), class_of_authors())[1]
    said = f"3 submissions: 100 points at most, but {maximum} in Moodle: written unchanged"
    assert (said in remarks) == is_said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no column 'Identifier'"),
        ("name,grade\nx,1\n", "it has 'name, grade'"),
        ('"Identifier\n', "not a CSV file"),
        (worksheet().replace("Feedback comments", "Other"), "was 'Feedback comments' switched on"),
    ],
)
def test_what_is_no_worksheet_is_refused_in_one_line(fill, text, words):
    with pytest.raises(LabError) as fault:
        fill(text, class_of_authors())
    assert words in str(fault.value) and "\n" not in str(fault.value)
