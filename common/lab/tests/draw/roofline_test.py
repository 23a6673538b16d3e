"""The picture of a roofline: everything stands where the figures say, before and after alike."""

import pytest

from nbody_lab.draw import theme
from nbody_lab.draw.labels import spread_out
from nbody_lab.draw.roofline import ranges, roofline
from tests.draw.geometry import drawn, of_axes
from tests.draw.made import CROWD, FEW, OUTSIDE
from tests.roofline import roofline_for_tests as made


def test_points_limits_and_table():
    data = made.roofline()
    sheet = roofline(data)
    words = [text.get_text() for text in sheet.all_axes[1].texts]
    of_naive = ["1", "naive", "0.397", "4820", "2.83", "47 %", "computing"]
    assert words[9:18] == [*of_naive, "square root and division", "112 %"]
    assert sheet.axes.get_xlabel() == "flop per byte issued by the core"
    found = drawn(sheet)
    for one in data.points:
        assert found[f"point-{one.name}"] == ([one.intensity], [one.flops_per_s])
        assert found[f"number-{one.name}"] == str(one.number)
        lowest = min(limit.interactions_per_s for limit in one.limits) * one.flops_per_interaction
        assert found[f"limit-{one.name}"] == ([one.intensity], pytest.approx([lowest]))


def test_ceilings_stand_at_their_rates():
    """What varied too much has a question mark; every L1 says of which instruction set it is."""
    data = made.doubt(made.roofline(), lambda row: row.name == "AVX2 + FMA")
    found = drawn(roofline(data))
    assert found["ceiling-AVX-512 + FMA"] == (pytest.approx([0.5, 20]), [1.92e11, 1.92e11])
    for x, y in zip(*found["ceiling-DRAM"]):
        assert y / x == pytest.approx(1.2e10)
    names = ("AVX-512 + FMA", "AVX2 + FMA", "AVX2", "DRAM", "L1, scalar", "L1, AVX-512")
    words = [found[f"label-{name}"].split("  ") for name in names]
    assert words[:4] == [
        ["AVX-512 + FMA", "192 Gflop/s"],
        ["AVX2 + FMA", "96.0 Gflop/s?"],
        ["AVX2", "48.0 Gflop/s"],
        ["DRAM", "12.0 GB/s"],
    ]
    assert [name for name, *_ in words[4:]] == ["L1, scalar float", "L1, AVX-512"]


def arrows(data):
    sheet = roofline(data)
    sheet.close()
    return [text for text in sheet.axes.texts if getattr(text, "arrow_patch", None)]


def test_the_arrow_leads_from_naive_to_mine():
    """... unless they are too near to each other."""
    data = made.roofline()
    naive, fused = data.points[:2]
    (arrow,) = arrows(data)
    assert arrow.xyann == (naive.intensity, naive.flops_per_s)
    assert arrow.xy == (fused.intensity, fused.flops_per_s)
    near = [("naive", "naive", made.NAIVE, "scalar", 1.05e8)]
    near.append(("mine", "mine", made.NAIVE, "scalar", 1.06e8))
    assert arrows(made.roofline(near)) == []


def test_before_and_after_share_their_axes():
    """They are those of the machine; one thread and all begin at the same rate."""
    assert ranges(made.roofline_of_gpu()) == ((0.1, 20), (2e12, 1e14))
    for data in (made.roofline(), made.roofline([]), FEW, OUTSIDE):
        assert ranges(data) == ((0.1, 20), (5e8, 5e11))
    fast = [("openmp", "rung", made.FUSED, "scalar", 6e8)]
    across, up = ranges(made.roofline(fast, threads=2))
    assert (across, up[0]) == ((0.1, 20), 5e8)


def test_what_lies_outside_stands_at_the_edge():
    sheet = roofline(OUTSIDE)
    points = of_axes(sheet, "point-")
    assert [point.get_marker() for point in points.values()] == ["v", ">", "<", ">"]
    sheet.close()


def test_what_is_above_is_ringed():
    sheet = roofline(FEW)
    points = of_axes(sheet, "point-")
    edges = [points[f"point-{name}"].get_markeredgecolor() for name in ("above", "rung_0")]
    assert edges == [theme.SERIES[5], theme.WHITE]
    assert "!150 %" in [text.get_text() for text in sheet.all_axes[1].texts]
    sheet.close()


def test_points_on_one_another_share_a_label():
    """No number is lost, and none stands so near to another that 2 beside 7 reads 27."""
    sheet = roofline(CROWD)
    labels = of_axes(sheet, "number-")
    assert labels["number-naive"].get_text() == "1, 2"
    shown = ", ".join(label.get_text() for label in labels.values())
    assert sorted(map(int, shown.split(", "))) == list(range(1, 17))
    boxes = [label.get_window_extent() for label in labels.values()]
    for k, box in enumerate(boxes):
        for other in boxes[:k]:
            beside = min(box.y1, other.y1) - max(box.y0, other.y0) > 2
            assert not beside or max(box.x0, other.x0) - min(box.x1, other.x1) > 2.5
    sheet.close()


@pytest.mark.parametrize(
    ("heights", "moved"),
    [
        ([0, 100], [0, 100]),
        ([50, 50], [45, 55]),
        ([0, 4, 50], [-3, 7, 50]),
        ([0, 1, 2, 11, 12], [-14.8, -4.8, 5.2, 15.2, 25.2]),
    ],
)
def test_labels_are_moved_as_little_as_may_be(heights, moved):
    assert spread_out(heights, 10) == pytest.approx(moved)
