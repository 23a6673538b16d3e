"""The pictures of studies show what their files say."""

import pytest

from nbody_lab import ROOT
from nbody_lab.core.messages import UserError
from nbody_lab.core.model import load
from nbody_lab.core.study_results import EnergyStudy, Simulated, SimulatedRow
from nbody_lab.draw.document_pictures import Bar, journey, measured_scaling, predict_ring
from nbody_lab.draw.energy_study import pictures_of_energies
from nbody_lab.draw.simulated import pictures_of_simulated


def simulated_row(ranks, seconds, spans):
    speed = 1000**2 / seconds
    return SimulatedRow(
        ranks=ranks,
        n=1000,
        seconds=seconds,
        interactions_per_s=speed,
        efficiency=speed / ranks / 1e9,
        computing=0.5,
        spans=spans,
    )


def simulated(*rows):
    return Simulated(
        name="mine", network="gbe", rate=1.0, rate_from="as asked", per_rank=None, rows=rows
    )


ONE = simulated_row(1, 1e-3, [[0, 1e-3]])
TWO = simulated_row(2, 8e-4, [[0, 3e-4, 4e-4, 6e-4], [0, 5e-4]])


def lines_of(axes):
    return {line.get_gid(): list(line.get_ydata()) for line in axes.lines}


def test_simulated_speeds_and_what_ranks_do():
    scaling, timeline = pictures_of_simulated(simulated(ONE, TWO))
    lines = lines_of(scaling.axes)
    assert lines["ideal"] == [1, 2]
    assert lines["line-0"] == pytest.approx([1, 1.25])
    bars = [bars for bars in timeline.axes.collections if "bars-" in str(bars.get_gid())]
    assert [len(one.get_paths()) for one in bars] == [2, 1]
    for sheet in (scaling, timeline):
        assert sheet.title.startswith("simulated:")
        sheet.close()


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        ((ONE,), []),
        ((TWO,), ["mine_gbe_ranks"]),
        ((ONE, simulated_row(32, 1e-4, [])), ["mine_gbe_scaling"]),
    ],
)
def test_what_a_simulation_has_no_data_for_is_not_drawn(rows, names):
    sheets = pictures_of_simulated(simulated(*rows))
    assert [sheet.name for sheet in sheets] == names
    for sheet in sheets:
        sheet.close()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"what": "measured"}', None])
def test_another_file_is_refused(text, tmp_path):
    file = tmp_path / "a.json"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"a\.json: "):
        load(Simulated, file)


def test_errors_of_integrators():
    """Every panel has the points of its experiment and precision, with the largest errors."""
    study = load(EnergyStudy, ROOT / "data/results/part1_energy.json")
    sheets = pictures_of_energies(study)
    names = ["by_evaluations", "by_seconds", "of_close_meetings", "along_time"]
    assert [sheet.name for sheet in sheets] == [f"energy_{name}" for name in names]
    drawn = 0
    for sheet in sheets[:3]:
        for axes in sheet.all_axes:
            experiment, _, precision = axes.get_title("left").rpartition(", ")
            for gid, errors in lines_of(axes).items():
                assert errors == [
                    row.largest_error
                    for row in study.rows
                    if row.largest_error
                    and (row.experiment, row.precision) == (experiment, precision)
                    and gid == f"line-{row.scheme}"
                ]
                drawn += 1
    assert drawn > 50
    for sheet in sheets:
        sheet.close()


def test_the_journey():
    sheet = journey([Bar("part1", "naive", 2e8), Bar("part3", "best", 3e12)], "")
    ends = [bar.get_x() + bar.get_width() for bar in sheet.axes.patches]
    assert ends == pytest.approx([2e8, 3e12])
    assert [text.get_text() for text in sheet.axes.texts] == ["0.200", "3000"]
    sheet.close()


def test_measured_scaling():
    sheet = measured_scaling({1: 2.0, 2: 3.0}, {1: 2.5, 2: 4.0}, "")
    lines = lines_of(sheet.axes)
    assert (lines["ideal"], lines["line-0"], lines["line-1"]) == ([2, 4], [2, 3], [2.5, 4])
    sheet.close()


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        (1e9, 4e9),  # blocks of 62.5 ms hide the messages
        (1e12, 16000**2 / (3 * (5e-5 + 64000 / 125e6) + 1.6e-5)),
    ],
)
def test_the_predicted_ring(rate, expected):
    assert predict_ring(16000, rate, 4) == pytest.approx(expected)
