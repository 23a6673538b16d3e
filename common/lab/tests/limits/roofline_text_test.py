"""The text of a roofline: it agrees with the file, and says what stands out."""

import pytest

from nbody_lab.core.console import render
from nbody_lab.limits.roofline_text import format_rate, format_roofline
from nbody_lab.measure.results import Roofline
from tests.limits import roofline_for_tests as made

ODD = made.roofline(
    [
        ("naive", "naive", made.NAIVE, "scalar", 5e8),
        ("wide", "rung", made.BLOCKED, "avx512f", 1e9),
        ("odd", "rung", made.NAIVE, "scalar", 1.1e8),
    ],
    left_out=[{"name": name, "why": "not counted"} for name in ("mine", "race")],
    notes=["A note."],
)
TEXTS = [  # what it says, line by line and its spaces aside
    (
        made.roofline(),
        """part1: float, 1 thread, 5000 bodies, 2026-01-01 on A processor of tests
        AVX-512 + FMA 192 Gflop/s memory L1 384 GB/s, L2 150 GB/s
        1 naive 0.397 4820 2.83 47 % computing square root and division 112 %
        4 newton 1.31 3750 84.0 44 % computing waiting 46 %
        waiting: no unit is more than 60 % busy
        ./lab bound part1 NAME tells more
        flop/byte: flops per byte that the source loads and stores, served by L1 """,
    ),
    (
        made.roofline_of_gpu(),
        """device memory 4.20 TB/s
        served by shared memory or L1
        3 register_tiles 4.75 88900 38000 63 % computing adding and multiplying 60 %""",
    ),
    (
        ODD,
        """1 naive 0.397 4820 13.5 !225 % computing
        ! naive lies 125 % over its roof
        odd is 17 % faster than its lowest limit
        left out: mine, race: not counted A note.""",
    ),
    (made.roofline([]), "L3 40.0 GB/s, DRAM 12.0 GB/s"),
]


def words(data: Roofline) -> str:
    texts = (one if isinstance(one, str) else render(one) for one in format_roofline(data))
    return " ".join(" ".join(texts).split())


@pytest.mark.parametrize(("data", "said"), TEXTS)
def test_text(data: Roofline, said: str) -> None:
    text = words(data)
    assert [line for line in said.splitlines() if line.strip() not in text] == []


def test_numbers_are_short() -> None:
    rates = (9.999, "flop/s"), (3.456e10, "byte/s"), (1.2345e15, "flop/s")
    assert [format_rate(*rate) for rate in rates] == ["10.0 flop/s", "34.6 GB/s", "1230 Tflop/s"]


def test_what_is_no_ceiling_is_shown_where_there_is_no_better() -> None:
    """Points are compared with it, so it must be visible."""
    data = made.roofline([("fused", "rung", made.FUSED, "scalar", 2e8)])
    assert "?" not in words(data)
    doubtful = made.doubt(data, lambda row: row.name == "scalar" and row.kind == "flops")
    assert "scalar 6.00 Gflop/s?" in words(doubtful)
    assert "?: it varied too much" in words(doubtful)
    peak = next(row for row in data.ceilings.ceilings if row.name == "scalar")
    rows = (*doubtful.ceilings.ceilings, peak.model_copy(update={"best": 5e9}))
    assert "scalar 5.00 Gflop/s," in words(made.with_rows(data, rows))


def test_a_busy_machine_is_blamed_before_the_program() -> None:
    data = made.roofline([("odd", "rung", made.NAIVE, "scalar", 1e7)])
    assert "computing waiting " in words(data)
    busy = data.points[0].model_copy(update={"busy_machine": True})
    text = words(data.model_copy(update={"points": (busy,)}))
    assert "busy machine?" in text and "waiting" not in text
    assert "odd: the machine was busy, so it may be faster" in text
