"""manual.csv and late.csv as people write them with any spreadsheet, and what is refused."""

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.grade.decisions import LateRow, judge_lateness, read_late, read_manual
from nbody_lab.grade.rubric import LateRule
from tests.grade.scored_for_tests import QUESTION, RUBRIC, measured, results_of

SPEED = "speed, 1 thread, 2000 bodies"
HEAD = "who,question,points,comment\n"
CLASS = [
    measured("ada", ["Ada Lovelace", "Bo Ek"], student_id="1"),
    measured("carl", ["Carl Gauss", "Bo Ek"], student_id="2"),
]


@pytest.fixture
def read(tmp_path):
    def read(reader, content):
        file = tmp_path / "table.csv"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return reader(file)

    return read


def mark_of(rows, part="part1", item=QUESTION):
    ada = results_of(*CLASS, manual=rows).submissions[0]
    return next(mark for mark in ada.items if mark.key == (part, item))


@pytest.mark.parametrize(
    ("text", "points", "why"),
    [
        (f'ada,{QUESTION},7.5,"well\nsaid, short"\n', 7.5, "7.5 of 10 by hand: well said, short"),
        (f"1,{QUESTION},3\n", 3, "3 of 10 by hand"),
        (f"ADA  lovelace,{QUESTION},3\n", 3, "3 of 10 by hand"),
        (f"ada,{QUESTION},3\nAda Lovelace,{QUESTION},3\n", 3, "3 of 10 by hand"),
        (f"ada,{QUESTION},\n", None, "to be marked by hand"),
        ("", None, "to be marked by hand"),
    ],
    ids="comment number name agreed unmarked none".split(),
)
def test_points_by_hand(read, text, points, why):
    mark = mark_of(read(read_manual, HEAD + text))
    assert (mark.points, mark.why) == (points, why)
    assert mark.state == ("for a person" if points is None else "graded")


def test_an_item_that_was_measured_may_be_decided(read):
    """With its part, of which only this one changes."""
    rows = read(read_manual, f'{HEAD}ada,"part1: {SPEED}",9,timed again\n')
    mark = mark_of(rows, item=SPEED)
    assert mark.points == 9
    assert "9 of 10 by hand: timed again (before: part1/mine: 0.71 of" in mark.why
    assert mark_of(rows, "part2", SPEED).points == 8


TABLE = [
    ["Who", "Question", "Points", "Comment", ""],
    ["Ada Lovelace", QUESTION, "7,5", "sch\u00f6n", ""],
    ["", "", "", "", ""],
]


@pytest.mark.parametrize(
    ("separator", "encoding"),
    [(";", "utf-8-sig"), (";", "cp1252"), ("\t", "utf-16"), ("\t", "utf-8")],
)
def test_what_spreadsheets_write(read, separator, encoding):
    text = "\r\n".join(separator.join(row) for row in TABLE)
    (row,) = read(read_manual, text.encode(encoding))
    assert (row.who, row.points, row.comment) == ("Ada Lovelace", 7.5, "sch\u00f6n")


def test_what_the_button_of_a_question_saves(read):
    """question.js quotes all cells, and writes a byte order mark and CRLF."""
    rows = f'"honest","{QUESTION}","4.5","a ""b"", c"\r\n'
    (one,) = read(read_manual, f"\ufeffwho,question,points,comment\r\n{rows}")
    assert (one.who, one.points, one.comment) == ("honest", 4.5, 'a "b", c')


REFUSED = [
    ("manual", f"eve,{QUESTION},3\n", "2: no student is called 'eve'"),
    ("manual", f"Ada Lovelase,{QUESTION},3\n", "2: no student is called 'Ada Lovelase'; did you mean Ada Lovelace?"),
    ("manual", f"Bo Ek,{QUESTION},3\n", "2: 'Bo Ek' is in ada and in carl: say which"),
    ("manual", "ada,Why is the third law twice as fast?,3\n", "2: there is no question 'Why is the third law twice as fast?'; did you mean Why is the third law not twice as fast?"),
    ("manual", "ada,WORKSHET,3\n", "2: there is no question 'WORKSHET'; did you mean worksheet?"),
    ("manual", f'ada,"{SPEED}",3\n', f"2: '{SPEED}' is in part1 and in part2: write 'part1: {SPEED}' or 'part2: {SPEED}'"),
    ("manual", "ada,Correctness,3\n", "2: 'Correctness' is in part1 and in part2: write 'part1: correctness' or 'part2: correctness'"),
    ("manual", f"ada,{QUESTION},11\n", "2: 11 points, but there are 10 at most"),
    ("manual", f"ada,{QUESTION},-1\n", "2: '-1' is not a number of points"),
    ("manual", f"ada,{QUESTION},nan\n", "2: 'nan' is not a number of points"),
    ("manual", f",{QUESTION},1\n", "2: the name is missing"),
    ("manual", "ada,,1\n", "2: the question is missing"),
    ("order", "1,ada\n", "2: the question is missing"),
    ("manual", "ada,a,b,c,1\n", "2: it has 5 cells, but there are 4 columns"),
    ("manual", f'ada,"{QUESTION},1\n', "2: unexpected end of data"),
    ("manual", f'ada,{QUESTION},3,"two\nlines"\n\nAda Lovelace,{QUESTION},4\n', "5: ada has 4 points here and 3 points in "),
    ("manual", f"ada,{QUESTION},3\nada,part1: {QUESTION},4\n", f"3: '{QUESTION}' has 4 points here and 3 points in "),
    ("titles", "who,question,point\n", "1: there is no column 'point'; did you mean points?"),
    ("titles", "who,question\n", "1: the column points is missing"),
    ("titles", "who,question,points,who\n", "1: two columns have the same name"),
    ("late", "ada,soon\n", "2: 'soon' is not a number of days"),
    ("late", "ada,-1\n", "2: '-1' is not a number of days"),
    ("late", "eve,1\n", "2: no student is called 'eve'"),
    ("late", "ada,1\nada,excused\n", "3: ada has excused here and 1 day in "),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "message"), REFUSED)
def test_refused_in_one_line(read, kind, text, message):
    head = {"manual": HEAD, "order": "points,who,question\n", "titles": "", "late": "who,days\n"}[
        kind
    ]
    with pytest.raises(LabError) as fault:
        rows = read(read_late if kind == "late" else read_manual, head + text)
        results_of(*CLASS, **{"late" if kind == "late" else "manual": rows})
    assert str(fault.value).partition("table.csv:")[2].startswith(message)
    assert "\n" not in str(fault.value) and "??" not in str(fault.value)


def test_no_file(tmp_path):
    with pytest.raises(LabError, match="cannot be read"):
        read_manual(tmp_path / "no.csv")


# --- days late ---


def late(submitted, row=None, **rubric):
    return judge_lateness(60, submitted, row, RUBRIC.model_copy(update=rubric))


@pytest.mark.parametrize(
    ("submitted", "free", "days", "taken_off"),
    [  # the deadline is 22:59 UTC
        ("2026-11-20T22:59:00Z", 0, 0, 0),
        ("2026-11-20T23:30:00+00:00", 0, 1, 6),
        ("2026-11-20T23:30:00+01:00", 0, 0, 0),
        ("2026-11-20T17:59:00-05:00", 0, 0, 0),
        ("2026-11-20T23:30:00", 0, 0, 0),  # without a zone it is that of the deadline
        ("2026-11-21T22:59:00Z", 0, 1, 6),
        ("2026-11-21T22:59:01Z", 0, 2, 12),
        ("2027-11-24T22:59:00Z", 0, 369, 60),  # never more than all
        ("2026-11-22T22:59:00Z", 3, 2, 0),
        ("2026-11-24T22:59:00Z", 3, 4, 6),
        ("", 0, 0, 0),
    ],
)
def test_days_late_across_time_zones(submitted, free, days, taken_off):
    found = late(submitted, late=LateRule(per_day_percent=10, free_days=free))
    assert (found.days, found.taken_off) == (days, taken_off)


def test_the_words_of_lateness():
    assert late("2026-11-20T23:30:00Z").why == (
        "1 day late, 10 % a day: handed in 2026-11-21 00:30 +0100, the deadline was 2026-11-20 23:59 +0100"
    )
    assert late("").why == "the time of submission is unknown"
    assert late("", deadline="").why == ""


def test_late_csv_is_above_the_time(read):
    excused = late("2027-01-01T00:00:00Z", LateRow("ada", "excused"))
    assert (excused.days, excused.taken_off, excused.why) == (0, 0, "excused")
    rows = read(read_late, "who;days\nBo Ek;\nada;1,5\ncarl;Excused\n")
    ada, carl = results_of(*CLASS, late=rows).submissions
    assert (ada.late.days, ada.late.taken_off, carl.late.why) == (1.5, 9, "excused")
    assert ada.points == 60 - 9
