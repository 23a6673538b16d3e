"""Is Moodle's worksheet filled in, in any language, where a grade is final and whose it is clear, and nowhere else?"""

import csv
import io

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.grade.moodle import fill_worksheet
from tests.grade.scored_for_tests import EVIL, final, measured, results_of

STUDENTS = {"12345": "Anna Smith", "777": "Björn  ångström", "12346": "Fast, Eva", "888": "Never Came"}  # fmt: skip


def worksheet(students=STUDENTS, word="Teilnehmer/in {}", maximum="100,00", feedback=True):
    """As Moodle writes it in German: only its order and its contents tell the columns."""
    out = io.StringIO()
    rows = [["ID", "Vollständiger Name", "E-Mail-Adresse", "Status", "Bewertung", "Bestwertung"]]
    rows[0] += ["Änderbar", "Zuletzt geändert (Abgabe)", "Zuletzt geändert (Bewertung)", "Feedback"]
    for number, name in students.items():
        mail = f"{name.split()[0].lower()}@host"
        row = [word.format(number), name, mail, "Zur Bewertung abgegeben", "", maximum, "Ja"]
        rows.append([*row, "Freitag, 20. November 2026, 22:15", "-", "<p>an older comment</p>"])
    csv.writer(out).writerows(row if feedback else row[:-1] for row in rows)
    return "\ufeff" + out.getvalue()


@pytest.fixture
def fill(tmp_path):
    """The rows of the filled worksheet, and remarks."""

    def fill(text, *files, open_ones=()):
        (tmp_path / "given.csv").write_text(text, encoding="utf-8")
        names = [one["submission"]["name"] for one in files]
        manual = final(*(name for name in names if name not in open_ones), comment=EVIL)
        filled, remarks = fill_worksheet(tmp_path / "given.csv", results_of(*files, manual=manual))
        return list(csv.reader(io.StringIO(filled)))[1:], remarks

    return fill


PAIR = measured("anna", ["Anna Smith", "Björn Ångström"], student_id="12345")
EVA = measured("eva", ["Fast, Eva"], student_id="12346")
NO_NUMBER = {"student_id": ""}


def test_final_grades_and_feedback_and_nothing_else(fill):
    """Feedback is HTML in which nothing runs."""
    rows, remarks = fill(
        worksheet(), PAIR, EVA, measured("zoe", ["Zoe"], **NO_NUMBER), open_ones=["eva"]
    )
    assert [row[4] for row in rows] == ["70", "70", "", ""]
    assert rows[0][-1].startswith("70 of 100 points.<br>part1, correctness: 10 of 10. part1/mine: ")
    assert "&lt;script&gt;" in rows[0][-1] and "<script>" not in rows[0][-1]
    older = "<p>an older comment</p>"
    assert [row[-1] == older for row in rows] == [False, False, True, True]
    untouched = list(csv.reader(io.StringIO(worksheet())))[1:]
    assert [row[:4] + row[5:9] for row in rows] == [row[:4] + row[5:9] for row in untouched]
    assert remarks == ["zoe matches no student in Moodle's worksheet"]


@pytest.mark.parametrize(
    ("text", "files", "grades"),
    [
        (worksheet(word="{}. résztvevő"), [EVA], ["", "", "70", ""]),
        (worksheet(feedback=False), [EVA], ["", "", "70", ""]),
        (worksheet({"3": "Someone Else"}), [measured("e", ["E"], student_id="3")], ["70"]),
        (worksheet({"3": "Eva"}), [measured("e", ["Eva@Host"], **NO_NUMBER)], ["70"]),
        # A name in two submissions has no grade: somebody may have typed a classmate's.
        (worksheet(), [EVA, measured("b", ["fast, eva"], **NO_NUMBER)], [""] * 4),
        (worksheet(), [EVA, measured("c", ["Fast, Eva", "X"], student_id="9")], [""] * 4),
        (
            worksheet({"12346": "Fast, Eva Maria"}),
            [EVA, measured("b", ["Fast, Eva"], **NO_NUMBER)],
            [""],
        ),
        (worksheet({"1": "Eva", "2": "Eva"}), [measured("e", ["Eva"], **NO_NUMBER)], ["", ""]),
    ],
)
def test_whose_grade_it_is(fill, text, files, grades):
    assert [row[4] for row in fill(text, *files)[0]] == grades


def test_another_maximum_is_said(fill):
    remarks = fill(worksheet(maximum="50.00"), PAIR, EVA)[1]
    assert remarks == ["100 points at most, but 50 in Moodle: written unchanged"]


@pytest.mark.parametrize("text", ["", "name,grade\nx,1\n", '"Identifier\n', "a,b,c,d,e,f\n"])
def test_what_is_no_worksheet_is_refused_in_one_line(fill, text):
    with pytest.raises(LabError, match=r"given\.csv: (not a grading|unexpected end)") as fault:
        fill(text, EVA)
    assert "\n" not in str(fault.value)
