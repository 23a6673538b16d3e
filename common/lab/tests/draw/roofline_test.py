"""The picture of a roofline: everything stands where the figures say, and only what can be reached is drawn."""

import pytest

from nbody_lab.draw import theme
from nbody_lab.draw.labels import spread_out
from nbody_lab.draw.roofline import ranges, reachable, roofline
from nbody_lab.roofline.model import lowest_limit
from tests.draw.geometry import drawn, of_axes, said
from tests.draw.made import CROWD, FEW, OUTSIDE
from tests.roofline import roofline_for_tests as made


def test_points_limits_and_names():
    data = made.roofline()
    sheet = roofline(data)
    assert sheet.axes.get_xlabel() == "flop per byte issued by the core"
    found = drawn(sheet)
    for one in data.points:
        assert found[f"point-{one.name}"] == ([one.intensity], [one.flops_per_s])
        assert found[f"name-{one.name}"] == one.name
        lowest = min(limit.interactions_per_s for limit in one.limits) * one.flops_per_interaction
        assert found[f"limit-{one.name}"] == ([one.intensity], pytest.approx([lowest]))


def title_of(data):
    sheet = roofline(data)
    return sheet.title, sheet.subtitle.split(", ")[0]


def test_the_title_is_computed():
    data = made.roofline()
    best = max(data.points, key=lambda one: one.interactions_per_s)
    title = (
        f"part1: {best.name} reaches {100 * best.share_of_limit:.0f} % of the ceiling it can reach"
    )
    assert title_of(data) == (title, "its ceiling: adding and multiplying")
    bare = data.model_copy(
        update={"points": tuple(one.model_copy(update={"limits": ()}) for one in data.points)}
    )
    share = f"{100 * best.share_of_roof:.0f} %"
    title = f"part1: {best.name} reaches {share} of the ceiling it can reach"
    assert title_of(bare) == (title, "its ceiling: computing")
    assert title_of(made.roofline([])) == ("part1: what this machine can do", "float")


def test_only_ceilings_that_can_be_reached_stand_at_their_rates():
    """Those of the programs' instruction sets and of the memory that serves them; a question mark where they varied."""
    data = made.doubt(FEW, lambda row: row.name == "scalar FMA")
    roofs = reachable(data)
    assert [(roof.loads.level, roof.loads.instruction_set) for roof in roofs] == [("L1", "scalar")]
    assert len(reachable(made.roofline())) == 2
    assert len(reachable(made.roofline([]))) == 4
    sheet = roofline(data)
    assert "Out of reach: AVX-512 + FMA, 192 Gflop/s." in said(sheet)
    assert "?: varied too much" in said(sheet)
    found = drawn(sheet)
    assert found["label-scalar FMA"].endswith("?")
    for roof in roofs:
        for x, y in zip(*found[f"ceiling-{roof.loads.name}"]):
            assert y / x == pytest.approx(roof.loads.best)
        for peak in roof.peaks:
            assert found[f"ceiling-{peak.name}"][1] == [peak.best] * 2
    (gpu,) = reachable(made.roofline_of_gpu())
    assert gpu.loads.best == 1.2e14


def arrows(data):
    sheet = roofline(data)
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


@pytest.mark.parametrize("data", [made.roofline(), made.roofline_of_gpu(), FEW, OUTSIDE])
def test_half_a_decade_lies_around_the_points(data):
    across, up = ranges(data, reachable(data))
    known = [one.intensity for one in data.points if one.intensity]
    assert across == pytest.approx((min(known) / 10**0.5, max(known) * 10**0.5))
    slow = min(speed for one in data.points for speed in (one.flops_per_s, lowest_limit(one)))
    assert up[0] == pytest.approx(slow / 10**0.5)
    assert up[1] > max(roof.peaks[-1].best for roof in reachable(data))


def test_without_bytes_a_point_stands_at_the_right_edge():
    sheet = roofline(OUTSIDE)
    right, found = sheet.axes.get_xlim()[1], drawn(sheet)
    assert found["point-none"][0] == pytest.approx([right])
    assert found["name-none"] == "none (no bytes)"


def test_kinds_are_told_apart_by_their_markers():
    """... and what is above its roof by a ring."""
    rows = [(kind, kind, made.FUSED, "scalar", 1e8 * k) for k, kind in enumerate(theme.KINDS, 1)]
    sheet = roofline(made.roofline(rows))
    markers = [point.get_marker() for point in of_axes(sheet, "point-").values()]
    assert len(set(markers)) == len(markers) == 5
    assert "Square: naive, diamond: mine, circle: rung, cross: exhibit, tri" in said(sheet)
    sheet = roofline(FEW)
    points = of_axes(sheet, "point-")
    edges = [points[f"point-{name}"].get_markeredgecolor() for name in ("above", "rung_0")]
    assert edges == [theme.SERIES[5], theme.WHITE]
    assert "Ringed" in said(sheet)


def test_points_on_one_another_share_a_label():
    sheet = roofline(CROWD)
    labels = of_axes(sheet, "name-")
    assert labels["name-naive"].get_text() == "naive, mine"
    same = [(f"rung_{k}", "rung", made.FUSED, "scalar", 1e8) for k in range(5)]
    words = drawn(roofline(made.roofline(same)))["name-rung_0"]
    assert words == "rung_0, rung_1, rung_2 and 2 more"


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
