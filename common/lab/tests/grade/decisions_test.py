"""manual.csv and late.csv as people write them with any spreadsheet, and what is refused."""

import pytest

from nbody_lab.core.messages import UserError
from nbody_lab.grade.decisions import LateRow, judge_lateness, read_late, read_manual
from nbody_lab.grade.rubric import LateRule
from tests.grade.scored_for_tests import RUBRIC, measured, results_of

QUESTION = "Why is the third law not twice as fast?"
HEAD = "who,question,points\n"
CLASS = [
    measured("ada", ["Ada Lovelace", "Bo Ek"], student_id="1"),
    measured("carl", ["Carl Gauss", "Bo Ek"], student_id="2"),
]


def written(tmp_path, content, name="manual.csv"):
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def mark_of(rows, question=QUESTION):
    ada = results_of(*CLASS, manual=rows).submissions[0]
    return next(mark for mark in ada.items if mark.item == question)


def test_points_count(tmp_path):
    text = f'who,question,points,comment\nada,{QUESTION},7.5,"well said, short"\n'
    mark = mark_of(read_manual(written(tmp_path, text)))
    assert (mark.points, mark.state) == (7.5, "graded")
    assert mark.why == "7.5 of 10 by hand: well said, short"


@pytest.mark.parametrize("text", [HEAD, f"{HEAD}ada,{QUESTION},\n", ""])
def test_not_marked_yet(tmp_path, text):
    assert mark_of(read_manual(written(tmp_path, text))).state == "for a person"


TABLE = [
    ["Who", "Question", "Points", "Comment", ""],
    ["Ada Lovelace", QUESTION, "7,5", "sch\u00f6n", ""],
    ["", "", "", "", ""],
]


@pytest.mark.parametrize(
    ("separator", "encoding"),
    [(";", "utf-8-sig"), (";", "cp1252"), ("\t", "utf-16"), ("\t", "utf-8")],
)
def test_what_spreadsheets_write(tmp_path, separator, encoding):
    text = "\r\n".join(separator.join(row) for row in TABLE)
    (row,) = read_manual(written(tmp_path, text.encode(encoding)))
    assert (row.who, row.points, row.comment) == ("Ada Lovelace", 7.5, "sch\u00f6n")


def test_a_line_is_where_its_row_begins(tmp_path):
    text = f'who,question,points,comment\nada,{QUESTION},1,"two\nlines"\n\ncarl,{QUESTION},2,\n'
    rows = read_manual(written(tmp_path, text))
    assert [row.where.rsplit(":", 1)[1] for row in rows] == ["2", "5"]


@pytest.mark.parametrize("who", ["ada", "1", "ADA  lovelace"])
def test_any_of_its_names_means_a_submission(tmp_path, who):
    assert mark_of(read_manual(written(tmp_path, f"{HEAD}{who},{QUESTION},3\n"))).points == 3


def test_an_item_that_was_measured_may_be_decided(tmp_path):
    name = "speed, 1 thread, 2000 bodies"
    text = f'who,question,points,comment\nada,"part1: {name}",9,timed again\n'
    mark = mark_of(read_manual(written(tmp_path, text)), name)
    assert mark.points == 9
    assert "9 of 10 by hand: timed again (before: part1/mine: 0.71 of" in mark.why


def test_graders_may_agree(tmp_path):
    rows = [
        row
        for who in ("ada", "Ada Lovelace")
        for row in read_manual(written(tmp_path, f"{HEAD}{who},{QUESTION},3\n"))
    ]
    assert mark_of(rows).points == 3


REFUSED = [
    (read_manual, f"{HEAD}eve,{QUESTION},3\n", "2: no student is called 'eve'"),
    (read_manual, f"{HEAD}Ada Lovelase,{QUESTION},3\n", "2: no student is called 'Ada Lovelase'; did you mean Ada Lovelace?"),
    (read_manual, f"{HEAD}Bo Ek,{QUESTION},3\n", "2: 'Bo Ek' is in ada and in carl: say which"),
    (read_manual, f"{HEAD}ada,Why is the third law twice as fast?,3\n", "2: there is no question 'Why is the third law twice as fast?'; did you mean why is"),
    (read_manual, f"{HEAD}ada,{QUESTION},11\n", "2: 11 points, but there are 10 at most"),
    (read_manual, f"{HEAD}ada,{QUESTION},-1\n", "2: '-1' is not a number of points"),
    (read_manual, f"{HEAD}ada,{QUESTION},nan\n", "2: 'nan' is not a number of points"),
    (read_manual, f"{HEAD},{QUESTION},1\n", "2: the name is missing"),
    (read_manual, f"{HEAD}ada,,1\n", "2: the question is missing"),
    (read_manual, f"{HEAD}ada,a,b,c,1\n", "2: it has 5 cells, but there are 3 columns"),
    (read_manual, "who,question,point\n", "1: there is no column 'point'; did you mean points?"),
    (read_manual, "who,question\n", "1: the column points is missing"),
    (read_manual, "who,question,points,who\n", "1: two columns have the same name"),
    (read_manual, f'{HEAD}ada,"{QUESTION},1\n', "2: unexpected end of data"),
    (read_manual, f"{HEAD}ada,{QUESTION},3\nAda Lovelace,{QUESTION},4\n", "3: ada has 4 points here and 3 points in "),
    (read_late, "who,days\nada,soon\n", "2: 'soon' is not a number of days"),
    (read_late, "who,days\nada,-1\n", "2: '-1' is not a number of days"),
    (read_late, "who,days\neve,1\n", "2: no student is called 'eve'"),
    (read_late, "who,days\nada,1\nada,excused\n", "3: ada has excused here and 1 day in "),
]  # fmt: skip


@pytest.mark.parametrize(("reader", "text", "message"), REFUSED)
def test_refused_in_one_line(tmp_path, reader, text, message):
    with pytest.raises(UserError) as fault:
        rows = reader(written(tmp_path, text))
        results_of(*CLASS, **{"late" if reader is read_late else "manual": rows})
    assert str(fault.value).partition("manual.csv:")[2].startswith(message)
    assert "\n" not in str(fault.value)


def test_no_file(tmp_path):
    with pytest.raises(UserError, match="cannot be read"):
        read_manual(tmp_path / "no.csv")


def late(submitted, row=None, **rubric):
    return judge_lateness(60, submitted, row, RUBRIC.model_copy(update=rubric))


@pytest.mark.parametrize(
    ("submitted", "days", "taken_off"),
    [  # the deadline is 22:59 UTC
        ("2026-11-20T22:59:00+00:00", 0, 0),
        ("2026-11-20T22:59:00Z", 0, 0),
        ("2026-11-20T23:30:00+00:00", 1, 6),
        ("2026-11-20T23:30:00+01:00", 0, 0),
        ("2026-11-20T17:59:00-05:00", 0, 0),
        ("2026-11-20T23:30:00", 0, 0),  # without a zone it is that of the deadline
        ("2026-11-21T22:59:00Z", 1, 6),
        ("2026-11-21T22:59:01Z", 2, 12),
        ("2027-11-24T22:59:00Z", 369, 60),  # never more than all
        ("", 0, 0),
    ],
)
def test_days_late_across_time_zones(submitted, days, taken_off):
    found = late(submitted)
    assert (found.days, found.taken_off) == (days, taken_off)


def test_the_words_of_lateness():
    assert late("2026-11-20T23:30:00Z").why == (
        "1 day late, 10 % a day: handed in 2026-11-21 00:30, the deadline was 2026-11-20 23:59 +0100"
    )
    assert late("").why == "the time of submission is unknown"
    assert late("", deadline="").why == ""


@pytest.mark.parametrize(("day", "days", "taken_off"), [(22, 2, 0), (24, 4, 6)])
def test_free_days(day, days, taken_off):
    rule = LateRule(per_day_percent=10, free_days=3)
    found = late(f"2026-11-{day}T22:59:00Z", late=rule)
    assert (found.days, found.taken_off) == (days, taken_off)


def test_late_csv_is_above_the_time(tmp_path):
    excused = late("2027-01-01T00:00:00Z", LateRow("ada", "excused"))
    assert (excused.days, excused.taken_off, excused.why) == (0, 0, "excused")
    rows = read_late(written(tmp_path, "who;days\nBo Ek;\nada;1,5\ncarl;Excused\n"))
    ada, carl = results_of(*CLASS, late=rows).submissions
    assert (ada.late.days, carl.late.why) == (1.5, "excused")
    graded = sum(mark.points or 0 for mark in ada.items)
    assert ada.late.taken_off == pytest.approx(round(0.15 * graded, 2))
    assert ada.points == pytest.approx(graded - ada.late.taken_off)
