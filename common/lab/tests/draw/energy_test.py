"""The picture of energy and momenta, against the figures of `run` and sums by hand."""

import itertools
import math
import shutil
from array import array

import numpy as np
import pytest

from nbody_lab import ROOT
from nbody_lab.core.steps import Step
from nbody_lab.draw.energy import conserved, drift_between, energy_of_log, energy_of_run
from nbody_lab.draw.runs import Run
from nbody_lab.draw.sheet import visible_texts
from nbody_lab.export.body_text import BadFile, Setting, State
from tests.draw.runs_for_tests import HEAD, ROWS, RunFolder, circle, log_text

# ./lab run part1 naive --scene six --soft 0.5 --dt 0.01 -i 200 --precision double: energy changed by +3.18e-02
SIX_AT_0 = """
6.09905434 0 2.45781755 4.71002769 -0.556407809 -0.111470595 0.525788784 0.754697382
5.70760441 0 -2.1449132 2.93996596 -0.958578289 0.210840732 -0.0901241824 0.0601579957
4.92368841 0 -3.32965016 1.45334637 3.1535058 0.363409936 0.768649101 -0.868079603
1.73273194 0 -0.0412004851 -3.76891112 -2.13088655 -0.904197633 0.031039793 0.427541614
1.39373446 0 4.97747898 0.978521705 0.865951419 -0.205661491 -0.12202654 -0.493453711
5.76781654 0 0.436707884 2.48235321 3.18033504 0.337146938 0.723656595 0.416358501
"""
SIX_AT_200 = """
6.09905434 0 1.3483099 4.93699546 1.50035265 -1.25738012 -0.576537016 1.45291164
5.70760441 0 -1.26169291 2.94671011 0.709967677 0.484983325 1.42495406 2.25869994
4.92368841 0 -1.13259582 3.27130139 0.28835606 2.29590074 -0.291934581 -2.45425825
1.73273194 0 -1.84007605 -3.04304995 -0.999845729 -0.856547196 0.73271064 0.697797983
1.39373446 0 3.5569625 1.38643146 0.00370104283 -1.27652261 0.592140371 -0.279748007
5.76781654 0 0.577699821 4.02006028 2.75292198 -0.127636393 0.912028526 -1.2763333
"""
# ./lab run part1 naive -f data/in/earth_moon_sun.dat -i 4380 --precision double: energy changed by +2.26e-03
MOON_AT_4380 = """
1.98854692e30 0 -82737.6901 456044.707 -0.130972782 -0.0875630264 -0.0156830248 3.38525001e-09
5.97258004e24 0 2.72067167e10 -1.49990459e11 424692.052 28795.0464 5148.99983 0.712447165
7.34629556e22 0 2.7680432e10 -1.50229156e11 -30982441.8 29163.917 5902.52704 -58.0139937
"""


def records(text):
    return [tuple(map(float, line.split())) for line in text.strip().splitlines()]


def state_of(bodies, G=1.0, soft=0.0):
    return State("f", Setting(G=G, soft=soft), array("d", np.ravel(bodies)))


def lines_of(sheet):
    return {line.get_gid(): line.get_ydata() for axes in sheet.all_axes for line in axes.lines}


def words_of(sheet):
    return [text.get_text() for text in visible_texts(sheet.figure)]


# --- the sums ------------------------------------------------------------------------------------


def test_two_bodies_on_circles():
    """data/in/two_body.dat: E = -m m / 2r, L = mu r v, P = 0."""
    bodies = [(0.75, 0, -0.25, 0, 0, 0, -0.25, 0), (0.25, 0, 0.75, 0, 0, 0, 0.75, 0)]
    found = conserved(state_of(bodies))
    assert found.energy == -0.1875 / 2
    assert found.momentum.tolist() == [0, 0, 0]
    assert found.angular_momentum.tolist() == [0, 0, 0.1875]
    assert (found.momenta, found.angular_momenta) == (0.375, 0.1875)


@pytest.mark.parametrize("count", [1, 2, 3, 300])
def test_each_pair_counts_once(count):
    bodies = np.random.default_rng(1).normal(size=(count, 8))
    bodies[:, 0] = abs(bodies[:, 0])
    G, soft = 3, 0.1
    expected = sum(m * (vx * vx + vy * vy + vz * vz) / 2 for m, *_, vx, vy, vz in bodies)
    for a, b in itertools.combinations(bodies, 2):
        expected -= G * a[0] * b[0] / math.hypot(*(a[2:5] - b[2:5]), soft)
    assert conserved(state_of(bodies, G, soft)).energy == pytest.approx(expected, rel=1e-12)


def test_where_everything_is_at_rest_or_zero():
    at_rest = conserved(state_of([(1, 0, 0, 0, 0, 0, 0, 0)]))
    drift = drift_between([0, 1], [at_rest, at_rest])
    for changes in (drift.energy, drift.momentum, drift.angular_momentum):
        assert changes.tolist() == [0, 0]


# --- of a run ------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path):
    return RunFolder(tmp_path)


@pytest.fixture
def draw(files):
    """The picture of the run, or of a log."""
    drawn = []

    def draw_it(log=None):
        drawn.append(energy_of_log(log) if log else energy_of_run(Run(files.base)))
        return drawn[-1]

    yield draw_it
    for sheet in drawn:
        sheet.close()


def test_says_what_run_said(files, draw):
    for iteration, bodies in ((0, SIX_AT_0), (200, SIX_AT_200)):
        files.write(iteration, records(bodies), "G=1 soft=0.5 dt=0.01", time=iteration / 100)
    assert draw().subtitle == (
        "time 0 to 2, N = 6, dt = 0.01, softening 0.5, units of G = 1; "
        "energy at the end: +3.18e-02 of its start"
    )


def test_says_what_run_said_in_si_units(files, draw):
    shutil.copy(ROOT / "data/in/earth_moon_sun.dat", f"{files.base}.0.dat")
    head = "soft=0 dt=3600 mdt=200"
    files.write(4380, records(MOON_AT_4380), head, time=4380 * 3600.0)
    assert draw().subtitle == (
        "182.5 days, N = 3, dt = 3600 s, no softening; energy at the end: +2.26e-03 of its start"
    )


def test_sign_and_size(files, draw):
    for k, speed in enumerate((1, 1.1, 0.9, 1.2)):
        files.write(k, [(1, 0, 0, 0, 0, 0, 0, 0), (1e-3, 0, 1, 0, 0, 0, speed, 0)])
    lines = lines_of(draw())
    assert set(lines) == {"gained", "lost", "momentum", "angular-momentum"}
    assert np.isfinite(lines["gained"]).tolist() == [False, True, False, True]
    assert np.isfinite(lines["lost"]).tolist() == [False, False, True, False]
    assert lines["gained"][1] == pytest.approx(0.21)  # (v^2 - 1) / 2 of |E| = 1/2
    assert lines["lost"][2] == pytest.approx(0.19)
    assert lines["momentum"][1] == pytest.approx(0.1)
    assert lines["angular-momentum"][3] == pytest.approx(0.2)


def test_nothing_changes(files, draw):
    for k in (0, 1):
        files.write(k, [(1, 0, 0, 0, 0, 0, 0, 0)])
    assert words_of(draw()).count("exactly 0 throughout") == 2


def test_one_file_is_refused(files, draw):
    files.write(0, [circle(1, 0)])
    said = (
        r"out\.0\.dat is the only file of \S+, but a change needs at least two: "
        r"write more with ./lab run PART NAME ... -i 100 -w \S+$"
    )
    with pytest.raises(BadFile, match=said):
        draw()


def test_two_bodies_at_one_place_are_refused(files, draw):
    for k in (0, 1):
        files.write(k, [circle(1, 0), circle(1, 0)])
    with pytest.raises(BadFile, match=r"out\.0\.dat: the energy is not finite: two bodies are at"):
        draw()


def test_long_work_says_how_far_it_is(files, draw, capsys, monkeypatch):
    monkeypatch.setattr(Step.__init__, "__defaults__", (None, 0))
    for k in (0, 1):
        files.write(k, [circle(1, k)])
    draw()
    assert "energy of the states ... 1/2\n" in capsys.readouterr().err


# --- of a log ------------------------------------------------------------------------------------


@pytest.fixture
def write(tmp_path):
    def write_log(rows=ROWS, head=HEAD):
        file = tmp_path / "six.csv"
        file.write_text(log_text(rows, head), encoding="utf-8")
        return file

    return write_log


def test_a_log_in_figures(write, draw):
    sheet = draw(write())
    assert (sheet.name, sheet.title) == ("six_energy", "six: energy and momenta, row by row")
    assert sheet.subtitle == (
        "time 0 to 2, dt = 0.1, 21 force evaluations; energy at the end: -1.00e-02 of its start"
    )
    lines = lines_of(sheet)
    for gid, values in (
        ("gained", [np.nan, 0.01, np.nan]),
        ("lost", [np.nan, np.nan, 0.01]),
        ("momentum", [np.nan, 5, 1e-3]),
        ("angular-momentum", [np.nan, 0.25, np.nan]),
        ("smallest-distance", [0.5, 0.25, 2]),
        ("seconds", [10, 14]),  # ms: 0.1 s and 0.14 s for 10 iterations each
        ("median", [12, 12]),
    ):
        np.testing.assert_allclose(lines[gid], values, err_msg=gid)
    assert {"median: 12 ms", "middle half:\n11 to 13 ms"} <= set(words_of(sheet))


def test_an_adaptive_step_and_a_single_body(write, draw):
    """A single body has no distance to another."""
    steps = [(*row[:2], dt, *row[3:10], "inf", *row[11:]) for row, dt in zip(ROWS, (0, 1e-3, 0.02))]
    sheet = draw(write(steps))
    assert "dt = 0.001 to 0.02," in sheet.subtitle
    assert "smallest-distance" not in lines_of(sheet)


def test_many_bodies_have_no_energy(write, draw):
    sheet = draw(write([(*row[:3], "", *row[4:10], "", *row[11:]) for row in ROWS]))
    assert sheet.title == "six: momenta, row by row"
    assert "a run with many bodies records no energy" in sheet.subtitle
    assert list(lines_of(sheet)) == ["momentum", "angular-momentum", "seconds", "median"]


def test_other_columns_and_another_order_are_fine(write, draw):
    head = ",".join([*HEAD.split(",")[::-1], "mine"])
    assert "time 0 to 2" in draw(write([(*row[::-1], "x") for row in ROWS], head)).subtitle


def test_no_change(write, draw):
    sheet = draw(write([ROWS[0], (1, *ROWS[0][1:])]))
    assert words_of(sheet).count("exactly 0 throughout") == 2


def with_energy(word):
    return [ROWS[0], (*ROWS[1][:3], word, *ROWS[1][4:]), ROWS[2]]


@pytest.mark.parametrize(
    ("rows", "head", "said"),
    [
        (
            ROWS,
            HEAD.replace("energy", "heat"),
            ":1: no column energy: ./lab run PART NAME ... --log FILE.csv writes one that has it",
        ),
        ((), "", ":1: no column iteration: .*"),
        (
            ROWS[:1],
            HEAD,
            ": fewer than two rows, but a change needs two: "
            r"write more by ./lab run PART NAME ... -i 100 --log \S+",
        ),
        (
            [*ROWS, ROWS[0][:5]],
            HEAD,
            ":5: 5 cells, but 13 columns: remove that line, or run again",
        ),
        (with_energy("nan"), HEAD, ":3: energy is 'nan', not a finite number"),
        (with_energy(""), HEAD, ":3: energy is '', not a finite number"),
        (with_energy("much"), HEAD, ":3: energy is 'much', not a finite number"),
        ([ROWS[0], ("", *ROWS[1][1:])], HEAD, ":3: iteration is '', not a finite number"),
    ],
)
def test_what_is_no_log_is_refused(rows, head, said, write, draw):
    file = write(rows, head)
    with pytest.raises(BadFile, match=f"^{file}{said}$"):
        draw(file)


def test_a_log_that_is_not_there(tmp_path, draw):
    said = r"none\.csv: cannot be read \(No such file or directory\): check the name$"
    with pytest.raises(BadFile, match=said):
        draw(tmp_path / "none.csv")
