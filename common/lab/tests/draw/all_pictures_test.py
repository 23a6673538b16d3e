"""What holds for every picture: no word lies on another or beyond the edge."""

import sys

import pytest

from nbody_lab import ROOT
from nbody_lab.core.model import load
from nbody_lab.draw.attempts import own_ladder
from nbody_lab.draw.bench import ladder, read_measured
from nbody_lab.draw.roofline import roofline
from nbody_lab.draw.studies import pictures_of_simulated
from nbody_lab.draw.sweeps import pictures_of
from nbody_lab.measure.results import read_roofline
from nbody_lab.measure.study_results import Simulated
from tests.draw.geometry import collisions, crossings
from tests.draw.made import CROWD, FEW, OUTSIDE, attempt, bench, row
from tests.roofline import roofline_for_tests as made

RESULTS = ROOT / "data/results"
ENDLESS = "a very long idea that goes on and on " * 4


def of_documents(name):
    def draw(_):
        sys.path.insert(0, str(ROOT / "docs"))
        import draw_pictures

        return list(getattr(draw_pictures, name)())

    return draw


def tries(count):
    more = {"idea": ENDLESS, "name": "mine_" + "x" * 20}
    rows = [attempt(k, 1 + k / 3, against=str(k - 1), **more) for k in range(1, count)]
    return lambda _: [own_ladder("part1", [*rows, attempt(count, 2.0, verdict="wrong: zeros")])]


def rooflines(*made_ones):
    return lambda _: [roofline(one) for one in made_ones]


def of(function, model, file):
    return lambda _: function(load(model, RESULTS / file))


PICTURES = {
    "simulated": of(pictures_of_simulated, Simulated, "part4_simulated_ring_overlapped.json"),
    "tries": tries(24),
    "a wrong bar": lambda _: [ladder(bench(row(), row("race", outcome="wrong")))],
    "a crowded roofline": rooflines(CROWD),
    "rooflines": rooflines(made.roofline(), FEW, OUTSIDE),
    "roofline of a GPU": rooflines(made.roofline_of_gpu()),
    "roofline without points": rooflines(made.roofline([])),
    **{
        file.stem: lambda _, file=file: [roofline(read_roofline(file))]
        for file in sorted(RESULTS.glob("part*_roofline.json"))
    },
    **{
        file.stem: lambda _, file=file: pictures_of(read_measured(file))
        for file in sorted(RESULTS.glob("part*.json"))
        if '"context"' in file.read_text(encoding="utf-8")
    },
    "copies": of_documents("of_copies"),
    "scaling": of_documents("of_scaling"),
    "matrix units": of_documents("of_matrix_units"),
    "journey": of_documents("of_journey"),
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_in_order(name, tmp_path):
    sheets = PICTURES[name](tmp_path)
    assert sheets
    for sheet in sheets:
        assert collisions(sheet) == [], sheet.name
        if name != "a crowded roofline":
            assert crossings(sheet, "ceiling-", "reach-") == []
