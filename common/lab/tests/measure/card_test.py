"""The card of ./lab machine, from made-up figures."""

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
FIRST = [  # what the tasks need
    "CPU Some CPU, in a virtual machine",
    "at most 1.5 at a time (container limit)",
    "caches L1d 48 KiB, L2 2 MiB, L3 unknown",
    "A ? marks 1 of",
    "add 4.0 0.5 4.2 0.8",
    "fma none none none none no such instruction",
    "peak 9.9 Gflop/s 1 %",
    "loads from L1 30.0 GB/s 1 % 4 bytes at a time",
    "the same, wide 240.0 GB/s",
    "loads from memory 12.0 GB/s 1 % 32 bytes at a time (avx2), array of 24 KiB",
]
REST = ["scalar 9.9 ? 18.8", "AVX2 77.0", "scalar 1.25", "L1, AVX2 240.0", "L3 40.0 - -"]


def words(rows, everything=False):
    return " ".join(format_card(known(rows), everything).split())


def test_card():
    """What the tasks need, and everything; what is doubtful is said before any figure."""
    card, whole = words(judge(ROWS)), words(judge(ROWS), True)
    assert [line for line in FIRST if line not in card or line not in whole] == []
    assert [line for line in REST if line in card or line not in whole] == []
    assert card.index("A ? marks") < card.index("Costs of scalar operations")
    assert "./lab machine --all adds peaks" in card


def test_a_question_mark_is_explained_below_its_table():
    """Also where --all is not asked for; without question marks nothing is."""
    wild = [row.model_copy(update={"spread": 0.26}) if row.lanes == 8 else row for row in ROWS]
    text = words(judge(wild))
    assert "the same, wide ? 240.0 GB/s 26 %" in text
    assert "? loads from memory: it spread over more than 10 % while it was measured" in text
    assert "?" not in words(judge([row for row in ROWS if row.spread < 0.1]), True)


def test_gpu_rows_are_left_out():
    """The card is the processor's."""
    with_gpu = [row.model_copy(update={"where": "gpu 0"}) for row in judge(ROWS)]
    assert words(with_gpu, True) == words([], True)
