"""The tables of a class: complete, harmless, and silent about what is not final; a form that is read back."""

import csv
import io

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.grade.by_hand import LateRow, ManualRow, read_decisions
from nbody_lab.grade.write import csv_text, find_answer, grades_csv, write_class
from tests.grade.made_class.made_archives import write_files
from tests.grade.scored_for_tests import (
    EVIL,
    P1,
    QUESTION,
    final,
    hostile,
    measured,
    part,
    records_of,
    results_of,
    row,
)


def table_of(text):
    return list(csv.DictReader(io.StringIO(text.lstrip("\ufeff"), newline=""), strict=True))


def write(out, *files, **more):
    """The rows of answers.csv."""
    records = {one.submission.name: one for one in records_of(files)}
    write_class(out, results_of(*files, **more), records)
    return table_of((out / "answers.csv").read_text(encoding="utf-8"))


def test_a_row_for_each_author():
    """No points for what nobody graded; whoever names a classmate gives them no points."""
    classmates = {"anna": ["Anna", "Björn"], "eve": ["grace  v", "Eve"], "grace": ["Grace V"]}
    files = [measured(name, authors) for name, authors in classmates.items()]
    late = [LateRow(who="anna", days="1")]
    results = results_of(*files, hostile()[1], manual=final(*classmates), late=late)
    rows = table_of(grades_csv(results))
    assert [(one["name"], one["points"], one["final"]) for one in rows] == [
        *(("Anna", "63", "yes"), ("Björn", "63", "yes")),
        *(("grace v", "", "no"), ("Eve", "70", "yes")),
        *(("'=1+1", "", "no"), ("'-1+cmd|' /C calc'!A0", "", "no"), ("x;'=1+1", "", "no")),
        ("Grace V", "", "no"),
    ]
    assert [rows[k]["part1: correctness (10)"] for k in (0, -2)] == ["10", "for a person"]


def test_files_and_screen(tmp_path, capsys):
    """An old file for Moodle holds old grades."""
    write_files(tmp_path, {"moodle.csv": "old"})
    write(tmp_path, measured("anna"), measured("bo", submitted=""))
    names = {str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file()}
    tables = {"results.json", "grades.csv", "answers.csv"}
    assert names == {*tables, "index.html", "students/anna.html", "students/bo.html"}
    printed = capsys.readouterr().out
    assert "60 + ?" in printed and "2 submissions are not final: fill in answers.csv" in printed
    assert "1 time of submission is unknown" in printed


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        *(("=1", "'=1"), (" +1", "'+1"), ("-1", "'-1"), ("@x", "'@x"), ("a\n=1", "a =1")),
        *(("a;=1", "a;'=1"), ("\uff1d1", "'\uff1d1"), ("a = b", "a = b"), ("\u202eabc", "?abc")),
        *((1.5, "1.5"), (None, ""), ("\x1b[31mred\x1b[0m", "red"), ("c,d", '"c,d"')),
    ],
)
def test_a_cell_is_no_formula(text, shown):
    assert csv_text([[text, "x"]]) == f"\ufeff{shown},x\r\n"


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


def test_a_line_that_asks_on_is_no_answer():
    given = f"{WHY} And with T threads?\n"
    assert find_answer(f"# Mine\n\n{given}\nStores.\n", WHY, given) == "Stores."
    assert find_answer(f"{WHY} Stores.\n", WHY, given) == "Stores."


def test_the_form_is_read_back(tmp_path):
    """It has what a person decides, with the student's words or the reason, and what was given. Nothing typed is lost."""
    anna = measured("anna", parts={"part1": part(row(speed=[]))})
    write_files(tmp_path, {f"taken/anna/{P1}/NOTEBOOK.md": f"{WHY}\n\n=Stores {EVIL}\n"})
    found = {one["question"]: one["answer"] for one in write(tmp_path, anna)}
    assert found[QUESTION] == f"'=Stores {EVIL}" and "part1: correctness" not in found
    assert found["part1: speed, 1 thread, 2000 bodies"].startswith("not timed yet")
    given = ManualRow(who="anna", question=QUESTION, points=7.5, comment="well, said")
    write(tmp_path, anna, manual=[given])
    with pytest.raises(LabError, match=r"answers\.csv, row \d: points that would be lost"):
        write(tmp_path, anna)
    (back,) = read_decisions(ManualRow, tmp_path / "answers.csv")
    assert (back.points, back.comment) == (7.5, "well, said")
    again = {one["question"]: one["points"] for one in write(tmp_path, anna, manual=[back])}
    assert again[QUESTION] == "7.5"
