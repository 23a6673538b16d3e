"""Are grades.csv, moodle.csv and the files for Gradescope complete, harmless, and silent about what is not final?"""

import csv
import io
import json
from datetime import datetime

import pytest

from nbody_lab.core.messages import UserError
from nbody_lab.grade.decisions import LateRow, ManualRow
from nbody_lab.grade.feedback import BOM, csv_text, neutralise
from nbody_lab.grade.outputs import (
    grades_csv,
    gradescope,
    moodle_csv,
    moodle_times,
    submission_lines,
    write_tables,
)
from tests.grade.scored_for_tests import (
    EVIL,
    QUESTION,
    QUESTION_2,
    class_of_all_kinds,
    hostile,
    measured,
    no_part,
    records_of,
    results_of,
)


def final(*names, comment=""):
    """Rows of manual.csv that make these submissions final."""
    return [ManualRow(name, one, 5, comment) for name in names for one in (QUESTION, QUESTION_2)]


def of_class():
    nothing = {"part1": no_part(), "part2": no_part()}
    return results_of(
        measured("anna", ["Anna Smith", "Björn Ångström"], student_id="12345"),
        measured("eva", ["Fast, Eva"], student_id="12346"),
        measured("open", ["Not Final"], student_id="12347"),
        measured("bob", [], [("unpack", "no zip file")], nothing, student_id=""),
        # One who names a classmate must not give them its grade in any table.
        measured("victim", ["Grace Victim"], student_id="1"),
        measured("attacker", ["grace  victim", "Eve"], student_id="2"),
        manual=[*final("anna", "victim", "attacker"), *final("eva", comment=EVIL)],
        late=[LateRow("anna", 1)],
    )


def table_of(text):
    return list(csv.DictReader(io.StringIO(text.lstrip(BOM), newline=""), strict=True))


# --- all files ---


def test_every_file_and_the_screen(tmp_path, snapshot):
    """A row for each author and a column for each item; no points for what nobody graded; no grade, and nothing that
    Gradescope shows, before it is final."""
    assert "\n".join(write_tables(tmp_path, of_class())) == snapshot(name="screen")
    files = {str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file()}
    names = [one.name for one in of_class().submissions]
    exports = {f"export/gradescope/{name}/results.json" for name in names}
    assert files == {"results.json", "grades.csv", "moodle.csv"} | exports
    for file in ("grades.csv", "moodle.csv"):
        assert (tmp_path / file).read_text(encoding="utf-8") == snapshot(name=file)
    data = (tmp_path / "grades.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbfname,id,") and data.count(b"\r\n") == data.count(b"\n")
    results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert {one["name"]: one["points"] for one in results["submissions"]}["anna"] == 63


def test_nothing_waits_in_a_class_that_is_final(tmp_path):
    lines = write_tables(tmp_path, results_of(measured("anna"), manual=final("anna")))
    assert not [line for line in lines if "still open" in line]


def test_one_submission_on_the_screen(snapshot):
    one = class_of_all_kinds()["noisy"]
    assert "\n".join(submission_lines(results_of(one).submissions[0])) == snapshot


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        *(("=1", "'=1"), (" +1", "'+1"), ("-1", "'-1"), ("@x", "'@x"), ("\t=1", "'=1")),
        *(("a\n=1", "a =1"), ("a;=1", "a;'=1"), ("\uff1d1", "'\uff1d1"), ("a = b", "a = b")),
        *(("a-b", "a-b"), ("\x1b[31mred\x1b[0m", "red"), ("\u202eabc", "?abc")),
    ],
)
def test_what_begins_a_formula(text, shown):
    assert neutralise(text) == shown


def test_cells():
    assert csv_text([['a "b"', "c,d", 1.5, 2, None, -3.0]]) == '"a ""b""","c,d",1.5,2,,-3\r\n'


def test_no_cell_of_any_table_is_a_formula():
    results = results_of(*hostile())
    for text in (grades_csv(results), moodle_csv(results)[0]):
        cells = [cell for row in table_of(text) for cell in row.values()]
        assert not [one for one in cells if one[:1] and one[:1] in "=+-@\t\r" and one != "-"]


# --- Moodle's own worksheet ---

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
    text, remarks = fill(worksheet(), of_class())
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
    remarks = fill(worksheet(maximum=maximum), of_class())[1]
    said = f"eva: 100 points at most, but {maximum} in Moodle: written unchanged"
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
    with pytest.raises(UserError) as fault:
        fill(text, of_class())
    assert words in str(fault.value) and "\n" not in str(fault.value)


# --- Gradescope ---


def test_gradescope_shows_what_is_final(tmp_path, snapshot):
    """And of one submission an item with all points, one with some, and one that is open."""
    write_tables(tmp_path, of_class())
    files = sorted(tmp_path.glob("export/gradescope/*/results.json"))
    found = {file.parent.name: json.loads(file.read_text(encoding="utf-8")) for file in files}
    shown = {name: one.pop("tests") for name, one in found.items()}
    assert found == snapshot(name="scores")
    assert [shown["open"][number] for number in (0, 1, 5)] == snapshot(name="items")


def test_gradescope_takes_what_is_written():
    for one in results_of(*class_of_all_kinds().values(), *hostile()).submissions:
        data = gradescope(one)
        for test in data["tests"]:
            assert ("score" in test) == ("max_score" in test) == ("status" in test)
        text = json.dumps(data, allow_nan=False)
        assert "\\u001b" not in text and "\\u202e" not in text
