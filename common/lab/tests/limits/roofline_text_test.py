"""The text of a roofline: it agrees with the file, and says what stands out."""

from nbody_lab.core.console import render
from nbody_lab.limits.roofline_text import format_roofline
from nbody_lab.measure.results import Roofline
from tests.limits import roofline_for_tests as made


def words(data: Roofline) -> str:
    texts = (one if isinstance(one, str) else render(one) for one in format_roofline(data))
    return " ".join(" ".join(texts).split())


def test_what_stands_out_is_said() -> None:
    rows = [
        ("naive", "naive", made.NAIVE, "scalar", 5e8),
        ("odd", "rung", made.NAIVE, "scalar", 1.1e8),
    ]
    left_out = [{"name": name, "why": "not counted"} for name in ("mine", "race")]
    text = words(made.roofline(rows, left_out=left_out))
    for line in (
        "1 naive 0.397 4820 13.5 !225 % computing",
        "! naive lies 125 % over its roof",
        "odd is 17 % faster than its lowest limit",
        "left out: mine, race: not counted",
    ):
        assert line in text


def test_what_is_no_ceiling_is_shown_where_there_is_no_better() -> None:
    """Points are compared with it, so it must be visible."""
    data = made.roofline([("fused", "rung", made.FUSED, "scalar", 2e8)])
    assert "?" not in words(data)
    peak = next(row for row in data.ceilings.ceilings if row.name == "scalar")
    doubtful = words(made.doubt(data, lambda row: row.name == "scalar"))
    assert "scalar 6.00 Gflop/s?" in doubtful and "?: it varied too much" in doubtful
    better = made.doubt(data, lambda row: row is peak, peak.model_copy(update={"best": 5e9}))
    assert "scalar 5.00 Gflop/s," in words(better)


def test_a_busy_machine_is_blamed_before_the_program() -> None:
    data = made.roofline([("odd", "rung", made.NAIVE, "scalar", 1e7)])
    assert "computing waiting " in words(data)
    busy = data.points[0].model_copy(update={"busy_machine": True})
    text = words(data.model_copy(update={"points": (busy,)}))
    assert "busy machine?" in text and "waiting" not in text
    assert "odd: the machine was busy, so it may be faster" in text
