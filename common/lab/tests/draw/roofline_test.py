"""The picture of a roofline: points stand where the figures say, under the ceilings that they can reach."""

import pytest

from nbody_lab.draw.roofline import reachable, roofline
from nbody_lab.limits.roofline import lowest_limit
from tests.limits import roofline_for_tests as made


def names(sheet):
    return sheet.axes.get_legend_handles_labels()[1]


@pytest.mark.parametrize("data", [made.roofline(), made.roofline_of_gpu()])
def test_points_stand_where_the_figures_say(data):
    """Each under its lowest limit, and named by its number; the title says how far the best came."""
    sheet = roofline(data)
    axes, best = sheet.axes, max(data.points, key=lambda point: point.interactions_per_s)
    assert f": {best.name} reaches {100 * best.share_of_limit:.0f} % of the ceiling" in sheet.title
    assert names(sheet) == [f"{point.number} {point.name}" for point in data.points]
    limits = [line.get_ydata()[1] for line in axes.lines if line.get_marker() == "_"]
    assert limits == [pytest.approx(lowest_limit(point)) for point in data.points]
    for handle, point in zip(axes.get_legend_handles_labels()[0], data.points):
        assert (*handle.get_xdata(), *handle.get_ydata()) == (point.intensity, point.flops_per_s)
    ceilings = [line.get_ydata() for line in axes.lines if line.get_marker() == ""]
    for _, peaks in reachable(data):
        assert all([peak.best] * 2 in map(list, ceilings) for peak in peaks)


def test_only_ceilings_that_can_be_reached_are_drawn():
    """Those of the programs' instruction sets; a question mark where they varied. Without programs all."""
    rows = [("best", "mine", made.FUSED, "scalar", 5e8)]
    sheet = roofline(made.doubt(made.roofline(rows), lambda row: row.name == "scalar FMA"))
    words = [text.get_text() for text in sheet.axes.texts]
    assert "scalar FMA  12.0 Gflop/s?" in words and not any("AVX" in one for one in words)
    assert "?: varied too much" in sheet.footnote
    assert names(sheet) == ["1 best, over its roof"]
    assert len(reachable(made.roofline([]))) == 4
    assert roofline(made.roofline([])).title == "part1: what this machine can do"
