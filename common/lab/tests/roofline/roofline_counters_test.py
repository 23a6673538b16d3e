"""Counted work beside the processor's counters. The tests never saw real ones: COUNTED is written by hand after `man
perf-stat`, CSV FORMAT, and NONE is the output of perf 6.1 on a virtual machine."""

import pytest

from nbody_lab.hardware.counters import parse_counts
from nbody_lab.roofline.counters import MISSES, compare_lines, flop_events
from tests.roofline import roofline_for_tests as made

# 1000 bodies, 20 iterations: 2 x 10^7 interactions, 16 to a vector.
COUNTED = """20000000,,fp_arith_inst_retired.scalar_single:u,100000000,100.00,,
0,,fp_arith_inst_retired.128b_packed_single:u,100000000,100.00,,
0,,fp_arith_inst_retired.256b_packed_single:u,100000000,100.00,,
21250000,,fp_arith_inst_retired.512b_packed_single:u,100000000,100.00,,
1000,,LLC-load-misses:u,100000000,100.00,,
"""
NONE = "".join(
    f"<not supported>,,{event}:u,0,100.00,,\n" for event in [*flop_events("float"), MISSES]
)


def lines(text: str, precision: str = "float") -> list[str]:
    return list(compare_lines(made.FUSED, parse_counts(text), precision, 1000))


def test_lanes_count() -> None:
    assert lines(COUNTED) == [
        "  per interaction          counted    measured",
        "  flops                         18          18",
        "  bytes from memory          0.028      0.0032",
    ]
    assert flop_events("double")["fp_arith_inst_retired.512b_packed_double"] == 8


@pytest.mark.parametrize(
    ("text", "precision"),
    [
        (NONE, "float"),
        ("", "float"),
        (COUNTED, "double"),
        (COUNTED.replace("21250000,", "<not counted>,"), "float"),
    ],
    ids=["not supported", "nothing", "another precision", "the sum of the others is too small"],
)
def test_what_is_not_counted_is_said(text: str, precision: str) -> None:
    assert "not here" in lines(text, precision)[1]
