"""Are grades.csv, moodle.csv and the files for Gradescope complete, harmless, and silent about what is not final?"""

import json

import pytest

from nbody_lab.grade.feedback import csv_text, neutralise
from nbody_lab.grade.moodle import moodle_csv
from nbody_lab.grade.outputs import grades_csv, gradescope, submission_lines, write_tables
from tests.grade.scored_for_tests import (
    class_of_all_kinds,
    class_of_authors,
    final,
    hostile,
    measured,
    results_of,
    table_of,
)

# --- all files ---


def test_every_file_and_the_screen(tmp_path, snapshot):
    """A row for each author and a column for each item; no points for what nobody graded; no grade, and nothing that
    Gradescope shows, before it is final."""
    assert "\n".join(write_tables(tmp_path, class_of_authors())) == snapshot(name="screen")
    files = {str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file()}
    names = [one.name for one in class_of_authors().submissions]
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


# --- Gradescope ---


def test_gradescope_shows_what_is_final(tmp_path, snapshot):
    """And of one submission an item with all points, one with some, and one that is open."""
    write_tables(tmp_path, class_of_authors())
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
