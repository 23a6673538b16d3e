"""The tables and pages of a class: complete, harmless, and silent about what is not final; a form that is read back."""

import csv
import io
import re

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.core.model import parse
from nbody_lab.grade.models import Record
from nbody_lab.grade.score import LateRow, ManualRow, read_decisions
from nbody_lab.grade.write import (
    csv_text,
    fill_worksheet,
    find_answer,
    grades_csv,
    write_class,
    write_pages,
)
from tests import words_of, write_files
from tests.grade.scored_for_tests import (
    EVIL,
    P1,
    QUESTION,
    UNTOUCHED,
    changed_rubric,
    class_of_all_kinds,
    final,
    hostile,
    measured,
    only_part1,
    part,
    records_of,
    results_of,
    row,
    speed,
    tried,
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
    ungraded = measured("x", ["=1+1", "Zoe"], [("grader", "failed")]) | {"parts": {}}
    late = [LateRow(who="anna", days="1")]
    results = results_of(*files, ungraded, manual=final(*classmates), late=late)
    rows = table_of(grades_csv(results))
    assert [(one["name"], one["points"], one["final"]) for one in rows] == [
        *(("Anna", "65.7", "yes"), ("Björn", "65.7", "yes")),
        *(("grace v", "", "no"), ("Eve", "73", "yes")),
        *(("Grace V", "", "no"), ("'=1+1", "", "no"), ("Zoe", "", "no")),
    ]
    assert [rows[k]["part1: correctness (35)"] for k in (0, -1)] == ["35", "for a person"]


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


GIVEN = "# Notebook\n\n### Task 11\n\nWhat next?\n\nWhy is the third law not twice as fast?\n"
WHY = "Why is the third law not twice as fast?"

ASKS_ON = f"{WHY} And with T threads?\n"


@pytest.mark.parametrize(
    ("notebook", "given", "answer"),
    [
        (f"{WHY}\n\nStores are\nmissing.\n\n## Hints\n", GIVEN, "Stores are\nmissing."),
        (f"> **{WHY.upper()}** Cache.\n\nWhat next?\nx", GIVEN, "Cache."),
        ("Why is the third law\nnot twice as fast?\na\n", GIVEN, "a"),
        (GIVEN, GIVEN, ""),
        ("All is well.", GIVEN, None),
        (f"# Mine\n\n{ASKS_ON}\nStores.\n", ASKS_ON, "Stores."),
        (f"{WHY} Stores.\n", ASKS_ON, "Stores."),
    ],
)
def test_what_stands_below_a_question(notebook, given, answer):
    assert find_answer(notebook, WHY, given) == answer


def test_the_form_is_read_back(tmp_path, capsys):
    """It has what a person decides, with the student's words or the reason, and what was given. Nothing typed is lost."""
    anna = measured("anna", parts={"part1": part(row(speed=[]))})
    write_files(tmp_path, {f"taken/anna/{P1}/NOTEBOOK.md": f"{WHY}\n\n=Stores {EVIL}\n"})
    found = {one["question"]: one["answer"] for one in write(tmp_path, anna)}
    assert found[QUESTION] == f"'=Stores {EVIL}" and "part1: correctness" not in found
    assert not [one for one in found if one.startswith("part1: speed")]  # the clock's
    said = "1 submission is not timed yet: run ./lab grade CLASS again without --no-timing"
    assert said in capsys.readouterr().out
    aloud = write(tmp_path, anna, rubric=changed_rubric("manual", oral=True))
    assert [one["answer"][:11] for one in aloud if one["question"] == QUESTION] == ["asked aloud"]
    given = ManualRow(who="anna", question=QUESTION, points=7.5, comment="well, said")
    write(tmp_path, anna, manual=[given])
    with pytest.raises(LabError, match=r"answers\.csv, row \d: points that would be lost"):
        write(tmp_path, anna)
    (back,) = read_decisions(ManualRow, tmp_path / "answers.csv")
    assert (back.points, back.comment) == (7.5, "well, said")
    again = {one["question"]: one["points"] for one in write(tmp_path, anna, manual=[back])}
    assert again[QUESTION] == "7.5"


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


PAIR = measured("anna", ["Anna Smith", "Ångström Björn", "Cy"], student_id="12345")
EVA = measured("eva", ["Fast, Eva"], student_id="12346")


def without_number(*authors):
    return measured("b", authors, student_id="")


def test_final_grades_and_feedback_and_nothing_else(fill):
    """Feedback is HTML in which nothing runs."""
    given = worksheet(maximum="50.00")
    rows, remarks = fill(given, PAIR, EVA, without_number("Zoe"), open_ones=["eva"])
    assert [row[4] for row in rows] == ["73", "73", "", ""]
    assert rows[0][-1].startswith("73 of 100 points.<br>part1, correctness: 35 of 35. part1/mine: ")
    assert "&lt;script&gt;" in rows[0][-1] and "<script>" not in rows[0][-1]
    untouched = list(csv.reader(io.StringIO(given)))[1:]
    assert rows[2:] == untouched[2:]
    assert [row[:4] + row[5:9] for row in rows] == [row[:4] + row[5:9] for row in untouched]
    assert remarks == [
        "anna of Anna Smith, Ångström Björn, Cy: 2 rows in Moodle's worksheet",
        "b of Zoe: 0 rows in Moodle's worksheet",
        "100 points at most, but 50 in Moodle: written unchanged",
    ]


@pytest.mark.parametrize(
    ("text", "files", "grades"),
    [
        (worksheet(word="{}. résztvevő"), [EVA], ["", "", "73", ""]),
        (worksheet({"3": "Someone Else"}), [measured("e", ["E"], student_id="3")], ["73"]),
        # A name in two submissions has no grade: somebody may have typed a classmate's.
        (worksheet(), [EVA, without_number("fast, eva")], [""] * 4),
        (worksheet({"1": "Eva", "2": "Eva"}), [without_number("Eva")], ["", ""]),
    ],
)
def test_whose_grade_it_is(fill, text, files, grades):
    assert [row[4] for row in fill(text, *files)[0]] == grades


@pytest.mark.parametrize("text", ["", "name,grade\nx,1\n", "a,b,c,d,e,f\n"])
def test_what_is_no_worksheet_is_refused(fill, text):
    with pytest.raises(LabError, match=r"given\.csv: not a grading worksheet"):
        fill(text, EVA)


HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
NO_SHEET = {"problem": "no worksheet was handed in"}
BARE = part(
    row(speed=[]),
    row("mine_given", **UNTOUCHED),
    worksheet=NO_SHEET,
    notebook={"problem": "line 2"},
)
NOISY = only_part1(row(speed=[speed(noisy=True)]))
EVERYBODY = [
    *class_of_all_kinds().values(),
    hostile(),
    measured("bare", ["Bare"], parts={"part1": BARE}),
    measured("noisy", ["Noisy"], parts=NOISY),
    measured("cy", [], [("measure", "not measured yet")]) | {"parts": {}},
]


@pytest.fixture(scope="module")
def page_of(tmp_path_factory):
    """The pages of a class with everything, written once."""
    out = tmp_path_factory.mktemp("grades")
    manual = [ManualRow(who="honest", question=QUESTION, points=7, comment=f"well said {EVIL}")]
    results = results_of(*EVERYBODY, manual=manual, similar={"honest": [f"like {EVIL}"]})
    write_pages(out, results, {one.submission.name: one for one in records_of(EVERYBODY)})
    return {file.stem: file.read_text(encoding="utf-8") for file in out.rglob("*.html")}


def test_nothing_of_a_student_is_code(page_of):
    assert len(page_of) == len(EVERYBODY) + 1
    for name, text in page_of.items():
        assert "<script" not in text and not HIDDEN.search(text), name
        assert """content="default-src 'none'; style-src 'unsafe-inline'">""" in text
    for name in ("index", "evil_eve", "honest"):
        assert EVIL in words_of(page_of[name])


def test_nothing_of_others_on_a_student_s_page(page_of):
    """Nor a flag, nor a path of the grader."""
    everybody = [one["submission"] for one in EVERYBODY]
    for one in everybody:
        text = page_of[one["name"]]
        others = [name for other in everybody if other is not one for name in other["authors"]]
        assert not [name for name in others if f">{name}<" in text]
        assert f"like {EVIL}" not in words_of(text) and "/srv" not in text


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("honest", "0.71 times the speed of the solution; 10 points from 0.9"),
        ("honest", "naive 0.140 yours 0.852 solution 1.20"),
        ("honest", "71 % of the solution."),
        ("honest", "10 for a person: no NOTEBOOK.md that could be used was handed in"),
        ("honest", "./lab check PART NAME --seed 7711"),
        ("wrong", "wrong: the last body is skipped"),
        ("broken_part2", "mine.hpp:12: expected ';' 12 | int a"),
        ("cy", "? of 100 points. A person still decides on 100."),
        ("index", "broken_part2 <b>&=1 45 + ? 35 5 5 ? 0 0 ?"),
        ("index", "Bare ? ? ? ? ? – – ?"),
        ("bare", "2000 bodies – 10 not timed yet part1"),
        ("bare", "times its limit Worksheet no worksheet was handed in Notebook line 2 Files"),
        ("noisy", "0.71 times the speed of the solution: the repeats differ by 3 %, too much"),
        ("index", "5 items: unpack: lab.zip: no zip file"),
    ],
)
def test_what_is_read_on_a_page(page_of, name, words):
    assert words in words_of(page_of[name])


def test_what_is_too_noisy_is_not_drawn(page_of):
    assert [page_of[name].count('<div class="yours"') for name in ("honest", "noisy")] == [6, 0]


def test_texts_and_numbers_of_a_record_are_harmless():
    """No path of the grader and no command of a terminal; a student may type 1e400 into notebook.csv."""
    path = "../../out/work/ada/part1/tree/part1_words/notebook.csv:1: \x1b[31mbad \u202e"
    book = {"rows": [tried(1, measured=float("inf"))], "problem": path}
    one = measured(problems=[("build", path)], parts=only_part1(row(), notebook=book))
    record = Record.model_validate_json(parse(Record, one, "x").model_dump_json())
    found = record.parts["part1"].notebook
    assert record.problems[0].text == found.problem == "part1_words/notebook.csv:1: bad ?"
    assert found.rows[0].measured is None
