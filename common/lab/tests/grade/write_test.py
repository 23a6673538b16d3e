"""The tables of a class: complete, harmless, and silent about what is not final; a form that is read back."""

import json

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.grade.by_hand import LateRow, ManualRow, read_decisions
from nbody_lab.grade.write import csv_text, find_answer, grades_csv, write_class
from tests.grade.made_class.made_archives import write_files
from tests.grade.scored_for_tests import (
    EVIL,
    P1,
    QUESTION,
    class_of_all_kinds,
    final,
    given,
    hostile,
    measured,
    records_of,
    results_of,
    row,
    table_of,
    untouched,
)


def write(out, *files, **more):
    """The rows of answers.csv."""
    records = {one.submission.name: one for one in records_of(files)}
    write_class(out, results_of(*files, **more), records)
    return table_of((out / "answers.csv").read_text(encoding="utf-8"))


def test_a_row_for_each_author():
    """No points for what nobody graded; whoever names a classmate gives them no points."""
    files = [
        measured("anna", ["Anna", "Björn"]),
        measured("open", ["Open"]),
        measured("victim", ["Grace V"]),
    ]
    files += [measured("attacker", ["grace  v", "Eve"]), class_of_all_kinds()["unreadable"]]
    results = results_of(
        *files,
        manual=final("anna", "victim", "attacker"),
        late=[LateRow(who="anna", days="1")],
    )
    found = {one["name"]: one for one in table_of(grades_csv(results))}
    assert {name: (one["points"], one["final"]) for name, one in found.items()} == {
        **dict.fromkeys(("Anna", "Björn"), ("63", "yes")),
        "Open": ("60", "no"),
        "unreadable": ("", "no"),
        "Eve": ("70", "yes"),
        **dict.fromkeys(("Grace V", "grace v"), ("", "no")),
    }
    anna = found["Anna"]
    assert (anna["id"], anna["days late"], anna["taken off"]) == ("12345", "1", "7")
    assert anna["part1: correctness (10)"] == "10"
    assert found["unreadable"]["part1: correctness (10)"] == "for a person"


def test_files_and_screen(tmp_path, capsys):
    """An old file for Moodle holds old grades."""
    write_files(tmp_path, {"moodle.csv": "old"})
    write(tmp_path, measured("anna"), measured("bo", submitted=""))
    names = {str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file()}
    tables = {"results.json", "grades.csv", "answers.csv"}
    assert names == {*tables, "index.html", "students/anna.html", "students/bo.html"}
    data = (tmp_path / "grades.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbfname,id,") and data.count(b"\r\n") == data.count(b"\n")
    submissions = json.loads((tmp_path / "results.json").read_text())["submissions"]
    assert [one["points"] for one in submissions] == [60, 60]
    printed = capsys.readouterr().out
    assert "60 + ?" in printed and "2 submissions are not final: fill in answers.csv" in printed
    assert "1 time of submission is unknown" in printed


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        *(("=1", "'=1"), (" +1", "'+1"), ("-1", "'-1"), ("@x", "'@x"), ("a\n=1", "a =1")),
        *(("a;=1", "a;'=1"), ("\uff1d1", "'\uff1d1"), ("a = b", "a = b"), ("\u202eabc", "?abc")),
        *((1.5, "1.5"), (2, "2"), (None, ""), ("\x1b[31mred\x1b[0m", "red"), ("c,d", '"c,d"')),
    ],
)
def test_a_cell_is_no_formula(text, shown):
    assert csv_text([[text, "x"]]) == f"\ufeff{shown},x\r\n"


def test_no_cell_of_any_table_is_a_formula(tmp_path):
    write(tmp_path, *hostile())
    for name in ("grades.csv", "answers.csv"):
        for one in table_of((tmp_path / name).read_text(encoding="utf-8")):
            assert not [cell for cell in one.values() if cell[:1] and cell[:1] in "=+-@\t\r"]


# --- answers.csv ---

GIVEN = "# Notebook\n\n### Task 11\n\nWhat next?\n\nWhy is the third law not twice as fast?\n"
WHY = "Why is the third law not twice as fast?"


@pytest.mark.parametrize(
    ("notebook", "answer"),
    [
        (f"{WHY}\n\nStores are\nmissing.\n\n## Hints\n", "Stores are\nmissing."),
        (f"> **{WHY.upper()}** Cache.\n\nWhat next?\nx", "Cache."),
        ("Why is the third law\nnot twice as fast?\na\n", "a"),
        (GIVEN, ""),
        ("All is well.", None),
    ],
)
def test_what_stands_below_a_question(notebook, answer):
    assert find_answer(notebook, WHY, GIVEN) == answer


def test_the_form_is_read_back(tmp_path):
    """It has what a person decides, with the student's words or the reason; given back it keeps points and comments, and
    what else is open stays open. Without it, nothing typed there is lost."""
    anna = measured("anna", parts={"part1": {"state": "measured", "rows": [row(speed=[])]}})
    write_files(tmp_path, {f"taken/anna/{P1}/NOTEBOOK.md": f"{WHY}\n\n=Stores {EVIL}\n"})
    rows = write(
        tmp_path,
        anna,
        measured("bo", parts={"part1": {"state": "measured", "rows": [untouched()]}}),
    )
    (mine,) = [one for one in rows if (one["who"], one["question"]) == ("anna", QUESTION)]
    assert (mine["answer"], mine["points"]) == (f"'=Stores {EVIL}", "")
    speeds = [one["answer"] for one in rows if one["question"].startswith("part1: speed, 1")]
    assert speeds == [
        "nothing was timed with these threads and bodies: ./lab grade CLASS does that"
    ]
    assert not [one for one in rows if one["question"] == "part1: correctness"]
    manual = [given("anna", QUESTION, 7.5, "well, said")]
    write(tmp_path, anna, manual=manual)
    with pytest.raises(
        LabError, match=r"answers\.csv, row \d: points that would be lost: add --man"
    ):
        write(tmp_path, anna)
    (back,) = read_decisions(ManualRow, tmp_path / "answers.csv")
    assert (back.points, back.comment) == (7.5, "well, said")
    again = {one["question"]: one for one in write(tmp_path, anna, manual=[back])}
    assert again[QUESTION]["points"] == "7.5"
