"""The text of a roofline: it fits the screen, agrees with the file, and says what stands out."""

import pytest
from syrupy.assertion import SnapshotAssertion

from nbody_lab.limits.roofline_text import format_rate, format_roofline, format_significant
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
LONG = made.roofline(
    [
        ("mine_with_a_name_longer_than_all_others", "mine", made.NAIVE, "scalar", 3e9),
        ("b", "rung", made.FUSED, "scalar", 1e8),
    ],
    left_out=[{"name": f"rung_{k}", "why": "not counted"} for k in range(20)],
)
DATA = {
    "processor": made.roofline(),
    "GPU": made.roofline_of_gpu(),
    "no point": made.roofline([]),
    "what stands out": ODD,
    "long": LONG,
}


def words(data: Roofline) -> str:
    return " ".join(format_roofline(data).split())


@pytest.mark.parametrize("name", DATA)
def test_text(name: str, snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch) -> None:
    """It fits the screen."""
    assert format_roofline(DATA[name]) == snapshot
    for columns in (80, 100, 130):
        monkeypatch.setattr("nbody_lab.limits.roofline_text.width", lambda: columns)
        text = format_roofline(DATA[name])
        assert max(map(len, text.splitlines())) <= columns
        assert ("compulsory:" in text) == ("  compulsory" in text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (format_significant(1234.5), "1230"),
        (format_significant(0.1234), "0.123"),
        (format_significant(9.999), "10.0"),
        (format_significant(1.23e-5), "1.2e-05"),
        (format_rate(3.456e10, "byte/s"), "34.6 GB/s"),
        (format_rate(6.02e13, "flop/s"), "60.2 Tflop/s"),
    ],
)
def test_numbers_are_short(text: str, shown: str) -> None:
    assert text == shown


def test_what_is_no_ceiling_is_shown_where_there_is_no_better() -> None:
    """Points are compared with it, so it must be visible."""
    data = made.roofline([("fused", "rung", made.FUSED, "scalar", 2e8)])
    assert "?" not in words(data)
    doubtful = made.doubt(data, lambda row: row.name == "scalar" and row.kind == "flops")
    assert "scalar 6.00 Gflop/s?" in words(doubtful)
    assert "?: 1 of 14 ceilings varied too much" in words(doubtful)
    peak = next(row for row in data.ceilings.ceilings if row.name == "scalar")
    rows = (*doubtful.ceilings.ceilings, peak.model_copy(update={"best": 5e9}))
    assert "scalar 5.00 Gflop/s," in words(made.with_rows(data, rows))
    assert "?: every ceiling varied" in words(made.doubt(data, lambda row: True))


def test_peaks_stand_in_the_order_of_their_sets() -> None:
    """Whatever a busy machine has measured: no AVX2 above AVX-512."""
    data = made.roofline([])
    high = {"best": 9e13}
    rows = data.ceilings.ceilings
    rows = tuple(row.model_copy(update=high) if row.name == "AVX2" else row for row in rows)
    text = words(made.with_rows(data, rows))
    assert text.index("AVX2 90.0 T") < text.index("AVX2 + FMA") < text.index("AVX-512 9")


def test_a_busy_machine_is_blamed_before_the_program() -> None:
    data = made.roofline([("odd", "rung", made.NAIVE, "scalar", 1e7)])
    assert "computing waiting " in words(data)
    busy = data.points[0].model_copy(update={"busy_machine": True})
    text = words(data.model_copy(update={"points": (busy,)}))
    assert "busy machine?" in text and "waiting" not in text
    assert "the machine was busy, so odd may be faster" in text
