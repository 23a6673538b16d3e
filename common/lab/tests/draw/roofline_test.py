"""The picture of a roofline: points stand where the figures say, under the ceilings that they can reach."""

import pytest

from nbody_lab.draw.roofline import reachable, roofline
from nbody_lab.limits.roofline import lowest_limit
from tests.limits import roofline_for_tests as made


@pytest.mark.parametrize("data", [made.roofline(), made.roofline_of_gpu()])
def test_points_stand_where_the_figures_say(data):
    """Each under its lowest limit, and named by its number."""
    axes = roofline(data).axes
    handles, names = axes.get_legend_handles_labels()
    assert names == [f"{point.number} {point.name}" for point in data.points]
    limits = [line.get_ydata()[0] for line in axes.lines if line.get_marker() == "_"]
    assert limits == [pytest.approx(lowest_limit(point)) for point in data.points]
    for handle, point in zip(handles, data.points):
        assert (*handle.get_xdata(), *handle.get_ydata()) == (point.intensity, point.flops_per_s)
    ceilings = [line.get_ydata() for line in axes.lines if line.get_marker() == ""]
    for _, peaks in reachable(data):
        assert all([peak.best] * 2 in map(list, ceilings) for peak in peaks)


def test_the_title_says_how_far_the_best_came():
    data = made.roofline()
    sheet = roofline(data)
    share = max(data.points, key=lambda point: point.interactions_per_s).share_of_limit
    assert sheet.title == f"part1: blocked reaches {100 * share:.0f} % of the ceiling it can reach"
    assert sheet.subtitle.startswith("its ceiling: adding and multiplying, float")
    assert roofline(made.roofline([])).title == "part1: what this machine can do"


def test_only_ceilings_that_can_be_reached_are_drawn():
    """Those of the programs' instruction sets and of the memory that serves them; a question mark where they varied."""
    scalar = [
        ("naive", "naive", made.NAIVE, "scalar", 1e8),
        ("best", "mine", made.FUSED, "scalar", 5e8),
    ]
    data = made.doubt(made.roofline(scalar), lambda row: row.name == "scalar FMA")
    sheet = roofline(data)
    words = [text.get_text() for text in sheet.axes.texts]
    assert "scalar FMA  12.0 Gflop/s?" in words and not any("AVX" in one for one in words)
    assert "Out of reach: AVX-512 + FMA, 192 Gflop/s." in sheet.footnote
    assert "?: varied too much" in sheet.footnote
    assert sheet.axes.get_legend_handles_labels()[1][1] == "2 best, over its roof"
    assert len(reachable(made.roofline([]))) == 4


def test_points_near_to_each_other_share_their_numbers():
    rows = [(f"rung_{k}", "rung", made.FUSED, "scalar", 1e8 * (1 + k // 2)) for k in range(4)]
    rows.append(("none", "rung", made.work(fma=9), "scalar", 1e8))
    sheet = roofline(made.roofline(rows))
    words = [text.get_text() for text in sheet.axes.texts]
    assert words[-3:] == ["1, 2", "3, 4", "5"]
    assert sheet.axes.get_legend_handles_labels()[1][-1] == "5 none (no bytes)"
