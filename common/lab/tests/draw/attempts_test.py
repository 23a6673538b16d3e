"""The picture of a student's own rows: bars as long as the figures, predictions where the bars would have ended."""

import pytest

from nbody_lab.core.messages import UserError
from nbody_lab.draw.attempts import conditions_of, label_of, own_ladder, predicted
from nbody_lab.draw.sheet import collisions
from nbody_lab.notebook.columns import Row
from tests.draw.runs_for_tests import by_id


def attempt(number, times_naive=2.0, verdict="as expected", **more):
    fields = {"name": "mine", "idea": "an idea", "expected": 1.5, "measured": 1.4}
    setting = {"n": 5000, "threads": 1, "precision": "float", "step": "adaptive"}
    about = {"against": "naive", "scene": "plummer", "verdict": verdict}
    return Row(row=number, times_naive=times_naive, **{**fields, **setting, **about, **more})


def test_bars_predictions_and_ideas():
    idea = "from $5 to $6 and \\frac \x07"
    first = attempt(1, expected=3.0, measured=1.5, verdict="less than expected", idea=idea)
    sheet = own_ladder("part1", [first, first.model_copy(update={"row": None})])
    drawn = by_id(sheet)
    assert drawn["bar-1"].get_width() == 2.0
    assert list(drawn["predicted-1"].get_xdata()) == [4.0, 4.0]
    assert "from $5 to $6 and \\frac ?" in sheet.bytes_of("svg").decode()
    sheet.close()


@pytest.mark.parametrize(
    ("times_naive", "expected", "measured", "wanted"),
    [(2.0, 3.0, 4.0, 1.5), (3.0, 2.0, 2.0, 3.0), (2.0, None, 1.4, None), (2.0, 1.5, None, None)],
)
def test_a_prediction_stands_where_the_bar_would_end(times_naive, expected, measured, wanted):
    assert predicted(attempt(1, times_naive, expected=expected, measured=measured)) == wanted


def test_what_rows_do_not_share_stands_in_their_labels():
    rows = [attempt(1), attempt(2, n=2000)]
    wanted = ["1  mine, N = 5000\nan idea", "2  mine, N = 2000\nan idea"]
    assert [label_of(one, rows) for one in rows] == wanted


def test_only_what_all_rows_share_is_a_footnote():
    shared = "N = 5000, threads: 1, float, adaptive step, plummer scene"
    assert conditions_of([attempt(1), attempt(2)]) == shared
    assert "threads" not in conditions_of([attempt(1), attempt(2, threads=2)])


def test_what_has_no_speed_has_no_bar():
    without = attempt(2, None, verdict="wrong: not antisymmetric")
    sheet = own_ladder("part1", [attempt(1), without, attempt(3)])
    assert [f"bar-{k}" in by_id(sheet) for k in (1, 2, 3)] == [True, False, True]
    sheet.close()
    with pytest.raises(UserError, match=r"\./lab try part1"):
        own_ladder("part1", [attempt(1, None)])


def test_verdicts_have_colours_and_wrong_rows_are_hatched():
    verdicts = ("as expected", "more than expected", "less than expected", "too noisy to tell")
    sheet = own_ladder(
        "part1", [attempt(k, verdict=one) for k, one in enumerate((*verdicts, "wrong: zeros"))]
    )
    bars = [by_id(sheet)[f"bar-{k}"] for k in range(5)]
    assert len({bar.get_facecolor() for bar in bars}) == 5
    assert [bar.get_hatch() for bar in bars] == [None] * 4 + ["////"]
    assert sheet.axes.texts[4].get_text() == "2.00 x, wrong"
    sheet.close()


def test_long_ideas_and_many_rows_do_not_overlap():
    idea = "a very long idea that goes on and on " * 4
    more = {"idea": idea, "name": "mine_" + "x" * 20}
    rows = [attempt(k, 1 + k / 3, against=str(k - 1), **more) for k in range(1, 25)]
    sheet = own_ladder("part1", rows)
    assert collisions(sheet) == []
    sheet.close()
