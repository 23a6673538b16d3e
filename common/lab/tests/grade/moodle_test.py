"""Is Moodle's worksheet filled in, in any language, where a grade is final and whose it is clear, and nowhere else?"""

import csv
import io

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.grade.moodle import fill_worksheet
from tests.grade.scored_for_tests import EVIL, final, measured, results_of

# As Moodle writes it in German: only its order and its contents tell the columns.
TITLES = (
    "ID,Vollständiger Name,E-Mail-Adresse,Status,Bewertung,Bestwertung,Änderbar,Abgabe,Am,Feedback"
)
STUDENTS = {"12345": "Anna Smith", "777": "Björn  ångström", "12346": "Fast, Eva", "888": "No Body"}


def worksheet(students=STUDENTS, word="Teilnehmer/in {}", maximum="100,00"):
    rows = [
        f'{word.format(number)},"{name}",{name.split()[0].strip(",").lower()}@host,Abgegeben,,'
        f'"{maximum}",Ja,"Freitag, 20. November 2026, 22:15",-,<p>an older comment</p>'
        for number, name in students.items()
    ]
    return "\r\n".join(["\ufeff" + TITLES, *rows, ""])


@pytest.fixture
def fill(tmp_path):
    """The rows of the filled worksheet, and remarks."""

    def fill(text, *files, open_ones=()):
        (tmp_path / "given.csv").write_text(text, encoding="utf-8")
        names = {one["submission"]["name"] for one in files}
        manual = final(*(names - {*open_ones}), comment=EVIL)
        filled, remarks = fill_worksheet(tmp_path / "given.csv", results_of(*files, manual=manual))
        return list(csv.reader(io.StringIO(filled)))[1:], remarks

    return fill


PAIR = measured("anna", ["Anna Smith", "Björn Ångström"], student_id="12345")
EVA = measured("eva", ["Fast, Eva"], student_id="12346")


def without_number(*authors):
    return measured("b", authors, student_id="")


def test_final_grades_and_feedback_and_nothing_else(fill):
    """Feedback is HTML in which nothing runs."""
    given = worksheet(maximum="50.00")
    rows, remarks = fill(given, PAIR, EVA, without_number("Zoe"), open_ones=["eva"])
    assert [row[4] for row in rows] == ["70", "70", "", ""]
    assert rows[0][-1].startswith("70 of 100 points.<br>part1, correctness: 10 of 10. part1/mine: ")
    assert "&lt;script&gt;" in rows[0][-1] and "<script>" not in rows[0][-1]
    untouched = list(csv.reader(io.StringIO(given)))[1:]
    assert rows[2:] == untouched[2:]
    assert [row[:4] + row[5:9] for row in rows] == [row[:4] + row[5:9] for row in untouched]
    assert remarks == [
        "b matches no student in Moodle's worksheet",
        "100 points at most, but 50 in Moodle: written unchanged",
    ]


@pytest.mark.parametrize(
    ("text", "files", "grades"),
    [
        (worksheet(word="{}. résztvevő"), [EVA], ["", "", "70", ""]),
        (worksheet({"3": "Someone Else"}), [measured("e", ["E"], student_id="3")], ["70"]),
        (worksheet({"3": "Eva"}), [without_number("Eva@Host")], ["70"]),
        # A name in two submissions has no grade: somebody may have typed a classmate's.
        (worksheet(), [EVA, without_number("fast, eva")], [""] * 4),
        (worksheet({"12346": "Fast, Eva Maria"}), [EVA, without_number("Fast, Eva")], [""]),
        (worksheet({"1": "Eva", "2": "Eva"}), [without_number("Eva")], ["", ""]),
    ],
)
def test_whose_grade_it_is(fill, text, files, grades):
    assert [row[4] for row in fill(text, *files)[0]] == grades


@pytest.mark.parametrize("text", ["", "name,grade\nx,1\n", "a,b,c,d,e,f\n"])
def test_what_is_no_worksheet_is_refused(fill, text):
    with pytest.raises(LabError, match=r"given\.csv: not a grading worksheet"):
        fill(text, EVA)
