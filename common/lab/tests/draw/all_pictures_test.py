"""What holds for every picture: nothing overlaps or leaves it, it follows a dark page, and drawn again it is the same."""

import sys

import pytest

from nbody_lab import ROOT
from nbody_lab.core.model import load
from nbody_lab.core.study_results import EnergyStudy, Simulated
from nbody_lab.draw.bench import pictures_of
from nbody_lab.draw.bench_rows import read_measured
from nbody_lab.draw.energy import energy_of_log, energy_of_run
from nbody_lab.draw.energy_study import pictures_of_energies
from nbody_lab.draw.orbits import pictures_of_orbits
from nbody_lab.draw.runs import Run
from nbody_lab.draw.sheet import collisions
from nbody_lab.draw.simulated import pictures_of_simulated
from tests.draw.runs_for_tests import ROWS, RunFolder, log_text, strange_colours

RESULTS = ROOT / "data/results"
LONG = ["A long name of a body " + letter for letter in "abc"]


def orbits(*write, around=None):
    """`write`: a function of RunFolder, and its arguments."""

    def draw(folder):
        files = RunFolder(folder)
        getattr(files, write[0])(*write[1:])
        return pictures_of_orbits(Run(files.base), around)

    return draw


def energy(folder):
    files = RunFolder(folder)
    files.write_planets(0.1)
    return [energy_of_run(Run(files.base))]


def log(rows):
    def draw(folder):
        file = folder / "six.csv"
        file.write_text(log_text(rows), encoding="utf-8")
        return [energy_of_log(file)]

    return draw


def of_documents(name):
    def draw(_):
        sys.path.insert(0, str(ROOT / "docs"))
        import draw_pictures

        return list(getattr(draw_pictures, name)())

    return draw


def of_bench(file):
    return lambda _: pictures_of(read_measured(file))


PICTURES = {
    "planets": orbits("write_planets"),
    "tilted planets": orbits("write_planets", 0.1),
    "moon": orbits("write_planets", 0.1, around="Earth"),
    "escape": orbits("write_escape"),
    "many": orbits("write_escape", 8, 3),
    "tilted": orbits("write_tilted"),
    "SI units": orbits("write_tilted", 3, 1.5e11, "dt=3600", LONG),
    "forty": orbits("write_tilted", 40, 1e-3, "dt=3600"),
    "far": orbits("write_tilted", 2, 1e200, "dt=3600", around="1"),
    "crowd": orbits("write_circles", 100),
    "dense crowd": orbits("write_circles", 2000, around="7"),
    "energy": energy,
    "log": log(ROWS),
    "log of one body": log([(*row[:10], "inf", *row[11:]) for row in ROWS]),
    "log of many bodies": log([(*row[:3], "", *row[4:10], "", *row[11:]) for row in ROWS]),
    "integrators": lambda _: pictures_of_energies(load(EnergyStudy, RESULTS / "part1_energy.json")),
    "simulated": lambda _: pictures_of_simulated(
        load(Simulated, RESULTS / "part4_simulated_ring_overlapped.json")
    ),
    **{
        file.stem: of_bench(file)
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
    sheets, again = (PICTURES[name](tmp_path) for _ in range(2))
    assert sheets
    assert len({sheet.title for sheet in sheets}) == len(sheets), "titles tell pictures apart"
    for sheet, second in zip(sheets, again):
        svg = sheet.bytes_of("svg")
        assert svg == second.bytes_of("svg"), "the same data, but other bytes"
        assert strange_colours(svg) == set()
        assert collisions(sheet) == [], sheet.name
        sheet.close()
        second.close()
