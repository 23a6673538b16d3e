"""Are grades.csv, moodle.csv and the files for Gradescope complete, harmless, and silent about what is not final?"""

import csv
import io
import json

import pytest

from nbody_lab.core.messages import UserError
from nbody_lab.grade.csv_text import BOM, csv_text, neutralise
from nbody_lab.grade.decisions import LateRow, ManualRow
from nbody_lab.grade.outputs import (
    grades_csv,
    gradescope,
    moodle_csv,
    submission_lines,
    write_tables,
)
from tests.grade.scored_for_tests import (
    EVIL,
    class_of_all_kinds,
    hostile,
    measured,
    no_part,
    results_of,
)

QUESTIONS = {
    "part1": "Why is the third law not twice as fast?",
    "part2": "Say what stopped the vectoriser, and how you know.",
}


def final(*names):
    """Rows of manual.csv that make these submissions final."""
    return [ManualRow(name, question, 5) for name in names for question in QUESTIONS.values()]


def of_class(**more):
    return results_of(
        measured("anna", ["Anna Smith", "Björn Ångström"], student_id="12345"),
        measured("eva", ["Fast, Eva"], student_id="12346"),
        measured("open", ["Not Final"], student_id="12347"),
        measured("bob", [], [("unpack", "no zip file")], student_id="", part1=no_part()),
        manual=final("anna", "eva"),
        late=[LateRow("anna", 1)],
        **more,
    )


def table_of(text):
    return list(csv.DictReader(io.StringIO(text.lstrip(BOM), newline=""), strict=True))


# --- grades.csv ---


def test_a_row_for_each_author_and_a_column_for_each_item():
    rows = table_of(grades_csv(of_class()))
    names = ["Anna Smith", "Björn Ångström", "bob", "Fast, Eva", "Not Final"]
    assert [row["name"] for row in rows] == names
    assert rows[0] | {"name": ""} == rows[1] | {"name": ""}
    expected = {
        "id": "12345",
        "submission": "anna",
        "points": "63",
        "maximum": "100",
        "part1: speed, 1 thread, 2000 bodies (10)": "5",
        "part2: Say what stopped the vectoriser, and how you know. (10)": "5",
        "days late": "1",
        "taken off": "7",
        "to decide": "0",
        "final": "yes",
        "flags": "",
    }
    assert {title: rows[0][title] for title in expected} == expected


def test_what_nobody_graded_is_not_zero():
    bob = table_of(grades_csv(of_class()))[2]
    assert (bob["points"], bob["maximum"], bob["to decide"], bob["final"]) == (
        "",
        "100",
        "100",
        "no",
    )
    assert bob["part1: correctness (10)"] == "for a person"


def test_the_maximum_is_the_same_in_every_row():
    rows = table_of(grades_csv(results_of(*class_of_all_kinds().values())))
    assert {row["maximum"] for row in rows} == {"100"}


VICTIM = [
    measured("victim", ["Grace Victim"], student_id="1"),
    measured("attacker", ["grace  victim", "Eve"], student_id="2"),
]


def test_two_rows_of_one_student_have_no_points(tmp_path):
    """A submission that names a classmate must not give them its grade in any table."""
    results = results_of(*VICTIM, manual=final("victim", "attacker"))
    points = {row["name"]: row["points"] for row in table_of(grades_csv(results))}
    assert points == {"grace victim": "", "Eve": "70", "Grace Victim": ""}
    are_final = {row["name"]: row["final"] for row in table_of(grades_csv(results))}
    assert are_final == {"grace victim": "no", "Eve": "yes", "Grace Victim": "no"}
    grades = {row["Full name"]: row["Grade"] for row in table_of(moodle_csv(results)[0])}
    assert grades == {"grace victim": "", "Eve": "70", "Grace Victim": ""}
    lines = " ".join(write_tables(tmp_path, results))
    assert "is an author of attacker and victim: no points for this name" in lines


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("=1", "'=1"),
        (" +1", "'+1"),
        ("-1", "'-1"),
        ("@x", "'@x"),
        ("\t=1", "'=1"),
        ("a\n=1", "a =1"),
        ("a;=1", "a;'=1"),
        ("\uff1d1", "'\uff1d1"),
        ("a = b", "a = b"),
        ("a-b", "a-b"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\u202eabc", "?abc"),
    ],
)
def test_what_begins_a_formula(text, shown):
    assert neutralise(text) == shown


def test_cells():
    assert csv_text([['a "b"', "c,d", 1.5, 2, None, -3.0]]) == '"a ""b""","c,d",1.5,2,,-3\r\n'


def test_no_cell_of_any_table_is_a_formula():
    results = results_of(*hostile())
    for text in (grades_csv(results), moodle_csv(results)[0]):
        for row in table_of(text):
            assert not [cell for cell in row.values() if cell[:1] in "=+@\t\r" and cell[:1]]
            assert not [cell for cell in row.values() if cell[:1] == "-" and cell != "-"]


# --- moodle.csv ---

TITLES = ["Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade"]
TITLES += ["Last modified (submission)", "Last modified (grade)", "Feedback comments"]
STUDENTS = [
    ("Participant 12345", "Anna Smith"),
    ("Participant 777", "Björn  ångström"),
    ("Participant 12346", "Fast, Eva"),
    ("Participant 888", "Never Came"),
    ("Participant 12347", "Not Final"),
]


def worksheet(students=STUDENTS, titles=TITLES, maximum="100.00"):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(titles)
    for identifier, name in students:
        row = [identifier, name, "=mail@host", "Submitted", "", maximum, "Friday", "-"]
        writer.writerow([*row, '<p>an "older" comment</p>'])
    return "\ufeff" + out.getvalue()


@pytest.fixture
def fill(tmp_path):
    def fill_given(text, results):
        (tmp_path / "given.csv").write_text(text, encoding="utf-8")
        filled, remarks = moodle_csv(results, tmp_path / "given.csv")
        return filled, remarks

    return fill_given


def test_final_grades_and_feedback_are_filled(fill):
    text, remarks = fill(worksheet(), of_class())
    rows = table_of(text)
    assert [row["Grade"] for row in rows] == ["63", "63", "70", "", ""]
    feedback = rows[0]["Feedback comments"]
    assert feedback.startswith("63 of 100 points.<br>Late by 1 day: 7 points taken off. 1 day late")
    assert "part1, speed, 1 thread, 2000 bodies: 5 of 10. part1/mine: 0.71 of the" in feedback
    assert remarks == ["bob matches no student in Moodle's worksheet"]


def test_no_number_before_a_grade_is_final(fill):
    """Moodle would publish it: a row that is not final stays as it was, feedback included."""
    before = table_of(worksheet())[4]
    assert table_of(fill(worksheet(), of_class())[0])[4] == before
    made = {row["Full name"]: row for row in table_of(moodle_csv(of_class())[0])}
    assert (made["Not Final"]["Grade"], made["Not Final"]["Feedback comments"]) == ("", "")
    assert made["Fast, Eva"]["Grade"] == "70"


def test_nothing_else_of_the_worksheet_is_touched(fill):
    before, (text, _) = worksheet(), fill(worksheet(), of_class())
    assert text.startswith("\ufeffIdentifier,") and "\r" not in text
    for old, new in zip(table_of(before), table_of(text)):
        assert {title for title in TITLES if old[title] != new[title]} <= {
            "Grade",
            "Feedback comments",
        }


def test_feedback_is_html_in_which_nothing_runs(fill):
    manual = [ManualRow("eva", question, 5, EVIL) for question in QUESTIONS.values()]
    results = results_of(measured("eva", ["Fast, Eva"], student_id="12346"), manual=manual)
    feedback = table_of(fill(worksheet(), results)[0])[2]["Feedback comments"]
    assert "&lt;script&gt;" in feedback and "<script" not in feedback


def test_who_names_another_changes_nothing_of_theirs(fill):
    results = results_of(
        measured("eva", ["Fast, Eva"], student_id="12346"),
        measured("carl", ["Fast, Eva", "Never Came"], student_id="1"),
        measured("dora", ["Never Came"], student_id="2"),
        manual=final("eva", "carl", "dora"),
    )
    text, remarks = fill(worksheet(), results)
    assert [row["Grade"] for row in table_of(text)] == ["", "", "70", "", ""]
    assert "Fast, Eva handed in eva and is also named in carl" in remarks
    assert "Never Came is named in carl, dora: left empty" in remarks


def test_two_students_of_one_name(fill):
    twins = [(f"Participant {number}", "Fast, Eva") for number in (1, 2, 12346)]
    text, remarks = fill(worksheet(twins), of_class())
    assert [row["Grade"] for row in table_of(text)] == ["", "", "70"]
    assert remarks.count("Fast, Eva is a name of several students: left empty") == 2


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


def test_without_a_worksheet_one_is_made_that_moodle_takes():
    text, _ = moodle_csv(of_class())
    rows = table_of(text)
    assert {"Identifier", "Grade", "Last modified (grade)", "Feedback comments"} <= set(rows[0])
    assert [row["Identifier"] for row in rows] == [
        "",
        "",
        "",
        "Participant 12346",
        "Participant 12347",
    ]
    assert not text.startswith(BOM)


# --- Gradescope ---

FORMATS = {"text", "html", "simple_format", "md", "ansi"}
VISIBLE = {"visible", "hidden", "after_due_date", "after_published"}
# key: its type, or the allowed values
GRADESCOPE = {
    "score": (int, float),
    "output": str,
    "output_format": FORMATS,
    "test_output_format": FORMATS,
    "test_name_format": FORMATS,
    "visibility": VISIBLE,
    "stdout_visibility": VISIBLE,
    "extra_data": dict,
    "tests": list,
}
GRADESCOPE_TEST = {
    "score": (int, float),
    "max_score": (int, float),
    "status": {"passed", "failed"},
    "name": str,
    "number": str,
    "output": str,
    "output_format": FORMATS,
    "tags": list,
    "visibility": VISIBLE,
    "extra_data": dict,
}


def assert_described(data, description, required):
    assert set(required) <= set(data) <= set(description)
    for key, value in data.items():
        allowed = description[key]
        assert value in allowed if isinstance(allowed, set) else isinstance(value, allowed), key


def test_gradescope_takes_what_is_written():
    for one in results_of(*class_of_all_kinds().values(), *hostile()).submissions:
        data = gradescope(one)
        assert_described(data, GRADESCOPE, ["score", "tests"])
        for test in data["tests"]:
            assert_described(test, GRADESCOPE_TEST, ["name", "output"])
            assert ("score" in test) == ("max_score" in test)
        text = json.dumps(data, allow_nan=False)
        assert "\\u001b" not in text and "\\u202e" not in text


def test_gradescope_shows_only_final_scores():
    anna, bob, _, unfinished = map(gradescope, of_class().submissions)
    assert (anna["score"], anna["visibility"]) == (63, "visible")
    assert (bob["score"], bob["visibility"]) == (0, "hidden")
    assert unfinished["visibility"] == "hidden"
    assert "Late by 1 day" in anna["output"]
    statuses = {test["name"]: test.get("status") for test in unfinished["tests"]}
    assert statuses["part1, correctness"] == "passed"
    assert statuses["part1, speed, 1 thread, 2000 bodies"] == "failed"
    assert statuses[f"part1, {QUESTIONS['part1']} (for a person)"] is None


# --- the screen, and all files ---


def test_the_screen(tmp_path, snapshot):
    assert "\n".join(write_tables(tmp_path, of_class())) == snapshot


def test_one_submission_on_the_screen(snapshot):
    one = class_of_all_kinds()["noisy"]
    assert "\n".join(submission_lines(results_of(one).submissions[0])) == snapshot


def test_every_file_is_there(tmp_path):
    write_tables(tmp_path, of_class())
    files = {str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file()}
    names = ("anna", "bob", "eva", "open")
    assert files == {"results.json", "grades.csv", "moodle.csv"} | {
        f"export/gradescope/{name}/results.json" for name in names
    }
    data = (tmp_path / "grades.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbfname,id,") and data.count(b"\r\n") == data.count(b"\n")
    results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert results["submissions"][0]["points"] == 63
