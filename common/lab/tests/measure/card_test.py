"""The card of ./lab machine, from made-up figures."""

import pytest

from nbody_lab.core.console import WIDTH_IN_A_PIPE
from nbody_lab.measure.card import format_card
from nbody_lab.measure.ceilings import judge
from tests.measure.ceilings_for_tests import known, levels, row

ROWS = [
    row("flops", "mul_add", 9.9e9, name="scalar", spread=0.012),
    row("flops", "mul_add", 18.8e9, name="scalar", threads=2, spread=0.3),
    *levels(30e9),
    row("bandwidth", "load", 58e9, level="L1", precision="double"),
    row("flops", "mul_add", 77e9, name="AVX2", instruction_set="avx2"),
    row("unit", "sqrt", 1.25e9),
    *levels(240e9, 120e9, 40e9, 12e9, instruction_set="avx2", lanes=8),
]


@pytest.mark.parametrize("everything", [False, True], ids=["tasks", "all"])
def test_card(everything, snapshot):
    """What the tasks need comes first; what is doubtful is said before any figure."""
    assert format_card(known(judge(ROWS)), everything) == snapshot


def test_a_question_mark_is_explained_below_its_table(snapshot):
    """Also where --all is not asked for."""
    rows = [row.model_copy(update={"spread": 0.26}) if row.lanes == 8 else row for row in ROWS]
    text = format_card(known(judge(rows)))
    assert text[text.index("Ceilings of one core") :] == snapshot


def test_nothing_doubtful():
    """Without question marks, nothing explains them."""
    good = known(judge([row for row in ROWS if row.spread < 0.1]))
    assert "?" not in format_card(good, True)


def test_gpu_rows_are_left_out():
    """The card is the processor's."""
    with_gpu = [row.model_copy(update={"where": "gpu 0"}) for row in judge(ROWS)]
    assert format_card(known(with_gpu), True) == format_card(known([]), True)


@pytest.mark.parametrize("cores", [2, 128])
def test_it_fits_the_screen(cores):
    """Large rates, many cores, many instruction sets."""
    rows = [
        row.model_copy(update={"threads": cores if row.threads > 1 else 1, "best": 1e14})
        for row in judge(ROWS)
    ]
    text = format_card(known(rows, simd=["avx512f"] * 12), True)
    assert max(map(len, text.splitlines())) <= WIDTH_IN_A_PIPE
