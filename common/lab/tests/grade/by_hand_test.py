"""What people decide: read as spreadsheets write it, refused in one line, and what lateness costs."""

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.grade.by_hand import LateRow, ManualRow, judge_lateness, read_decisions
from nbody_lab.grade.rubric import LateRule
from tests.grade.scored_for_tests import QUESTION, RUBRIC, measured, results_of

HEAD = "who,question,answer,points,comment\n"


@pytest.fixture
def read(tmp_path):
    def read(model, content):
        (tmp_path / "table.csv").write_text(content, encoding="utf-8")
        return read_decisions(model, tmp_path / "table.csv")

    return read


@pytest.mark.parametrize(
    "text",
    [
        f'{HEAD}ada,{QUESTION},"a, b",7.5,"well,  ""so"""\n',
        f'\ufeffWho;Question;Points;Comment\r\n\r\nada;{QUESTION};7,5;"well, ""so"""\r\nbo;x;;\r\n',
        f'question\tpoints\twho\tcomment\n{QUESTION}\t7.5\tada\t"well, ""so"""',
    ],
)
def test_points_as_spreadsheets_write_them(read, text):
    """Rows without points are not marked yet."""
    (row,) = read(ManualRow, text)
    (one,) = results_of(measured("ada"), manual=[row, row]).submissions
    (mark,) = [mark for mark in one.items if mark.title == QUESTION]
    assert (mark.points, mark.why) == (7.5, '7.5 of 10 by hand: well, "so"')


@pytest.mark.parametrize(
    ("model", "text", "message"),
    [
        (ManualRow, f"{HEAD}eve,{QUESTION},,3", "row 2: no submission is called 'eve'"),
        (ManualRow, f"{HEAD}ada,part1: WORKSHET,,3", "row 2: there is no question 'part1: WORKSHET'; did"),
        (ManualRow, f"{HEAD}ada,{QUESTION},,11", "row 2: 11 points, but there are 10 at most"),
        (ManualRow, f"{HEAD}ada,{QUESTION},,x", "row 2: points needs a number, not 'x'"),
        (ManualRow, f"{HEAD}ada,a,b,c,1,2", "row 2: too many cells"),
        (ManualRow, f'{HEAD}ada,"{QUESTION}', "unexpected end of data: give a CSV file in UTF-8"),
        (ManualRow, f"{HEAD}ada,{QUESTION},,3\nada,{QUESTION},,4", "row 3: another row gives 3"),
        (ManualRow, "who,question\n", "there is no column points"),
        (LateRow, "who,days\nada,1\nada,excused\n", "row 3: "),
    ],
)  # fmt: skip
def test_refused_in_one_line(read, model, text, message):
    with pytest.raises(LabError) as fault:
        rows = read(model, text)
        results_of(measured("ada"), **{"late" if model is LateRow else "manual": rows})
    assert message in str(fault.value) and "table.csv" in str(fault.value)
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(("parts", "points"), [((), 4), (["part1"], None)])
def test_points_by_hand_replace_what_was_measured_and_wait_for_their_part(read, parts, points):
    rows = read(ManualRow, f"{HEAD}ada,part2: correctness,,4,\n")
    (one,) = results_of(measured("ada"), manual=rows, parts=parts).submissions
    (mark,) = [mark for mark in one.items if mark.title == "part2: correctness"]
    assert (mark.points, mark.by_hand) == (points, 4)
    assert points is None or "4 of 10 by hand (before: part2/mine: all 249" in mark.why


@pytest.mark.parametrize(
    ("submitted", "free", "days", "taken_off"),
    [  # the deadline is 22:59 UTC
        ("2026-11-20T23:30:00+00:00", 0, 1, 6),
        ("2026-11-20T17:59:00-05:00", 0, 0, 0),
        ("2026-11-20T23:30:00", 0, 0, 0),  # without a zone it is that of the deadline
        ("2027-11-24T22:59:00+00:00", 0, 369, 60),  # never more than all
        ("2026-11-24T22:59:00+00:00", 3, 4, 6),
        ("", 0, 0, 0),
    ],
)
def test_days_late_across_time_zones(submitted, free, days, taken_off):
    rule = LateRule(per_day_percent=10, free_days=free)
    found = judge_lateness(60, submitted, [], RUBRIC.model_copy(update={"late": rule}))
    assert (found.days, found.taken_off, found.is_known) == (days, taken_off, bool(submitted))


def test_days_by_hand_are_above_the_time(read):
    rows = read(LateRow, "who;days\nbo;\nada;1,5\ncarl;Excused\n")
    late = [measured(name, submitted="2027-01-01T00:00:00+00:00") for name in ("ada", "carl")]
    ada, carl = results_of(*late, measured("bo"), late=rows).submissions[::2]
    assert (ada.points, ada.late.days, carl.late.why) == (60 - 9, 1.5, "excused")
