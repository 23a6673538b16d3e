"""Pictures of runs: who is in them, at what scale, in which words; energies against the figures of `run` and sums by
hand."""

import itertools
import math
from array import array

import numpy as np
import pytest

from nbody_lab.core.body_text import BadFile, Setting, State
from nbody_lab.core.steps import Step
from nbody_lab.draw import orbits, space, theme
from nbody_lab.draw.energy import conserved, drift_between, energy_of_log, energy_of_run
from nbody_lab.draw.orbits import pictures_of_orbits
from nbody_lab.draw.runs import Run
from tests.draw.geometry import said, visible_texts
from tests.draw.made import HEAD, ROWS, log_text
from tests.draw.runs_for_tests import RunFolder, circle


@pytest.fixture
def files(tmp_path):
    return RunFolder(tmp_path)


@pytest.fixture
def draw(files):
    """Orbits: from the sides, and in space unless they lie in a plane."""
    return lambda around=None: pictures_of_orbits(Run(files.base), around)


@pytest.fixture
def energy(files):
    """Of the run, or of a log."""
    return lambda log=None: energy_of_log(log) if log else energy_of_run(Run(files.base))


def gids(sheet, start):
    found = sheet.figure.findobj(lambda artist: (artist.get_gid() or "").startswith(start))
    return sorted(artist.get_gid() for artist in found)


def lines_of(axes):
    return {line.get_gid(): np.array(line.get_data()) for line in axes.lines if line.get_gid()}


def words_of(sheet):
    return [text.get_text() for text in visible_texts(sheet.figure)]


# --- orbits --------------------------------------------------------------------------------------


def test_a_plane_system_has_one_panel(files, draw):
    files.write_planets()
    (sheet,) = draw()
    assert len(sheet.figure.axes) == 1
    assert sheet.title == "out: orbits of Sun, Earth and Moon"
    about = "38 days, N = 3, dt = 86400 s, no softening; hollow: start, filled: end"
    assert sheet.subtitle == about
    assert sheet.axes.get_xlabel() == "x (10⁹ m)"
    names = [text.get_text() for text in sheet.axes.get_legend().get_texts()]
    assert names == ["Sun", "Earth", "Moon"]


def test_a_path_begins_at_the_hollow_mark_and_ends_at_the_filled_one(files, draw):
    for k, angle in enumerate((0.0, 0.5, 1.0)):
        files.write(k, [circle(1, angle), circle(2, angle)])
    axes = draw()[0].axes
    lines = lines_of(axes)
    circle_of_1 = np.array([(math.cos(t), math.sin(t)) for t in (0, 0.5, 1)])
    np.testing.assert_allclose(lines["path-1-xy"].T, circle_of_1)
    assert lines["start-1-xy"][:, 0].tolist() == lines["path-1-xy"][:, 0].tolist()
    assert lines["end-1-xy"][:, 0].tolist() == lines["path-1-xy"][:, -1].tolist()
    marks = {line.get_gid(): line.get_markerfacecolor() for line in axes.lines}
    assert marks["start-1-xy"] == theme.WHITE != marks["end-1-xy"]


@pytest.mark.parametrize(("thickness", "count"), [(0.015, 1), (0.025, 3)])
def test_what_is_thicker_than_one_per_cent_has_three_panels_and_a_picture_in_space(
    thickness, count, files, draw
):
    """... of the diameter 2."""
    files.write(0, [circle(1, 0), circle(1, 2, 1, thickness), circle(1, 4)])
    files.write(1, [circle(1, 3), circle(1, 5, 1, thickness), circle(1, 1)])
    sheets = draw()
    assert (len(sheets[0].figure.axes), len(sheets)) == (count, 2 if count == 3 else 1)


@pytest.mark.parametrize("around", ["Earth", "earth", "2"])
def test_the_moon_is_seen_around_the_earth(around, files, draw):
    files.write_planets(tilt=0.1)
    sheet, _ = draw(around)
    assert sheet.title == "out: orbits relative to Earth"
    assert sheet.name == "out_orbits_around_Earth"
    paths = [f"path-{body}-{plane}" for body in (2, 3) for plane in ("xy", "xz", "zy")]
    assert gids(sheet, "path-") == paths
    assert "far outside the picture: Sun" in said(sheet, "footnote")
    assert all(axes.get_aspect() == 1 for axes in sheet.figure.axes)
    left, right = sheet.axes.get_xlim()
    assert 400 < right < 500 and -500 < left < -400, "10^6 m"


@pytest.mark.parametrize("around", ["Mars", "0", "4", "-1", ""])
def test_unknown_bodies_are_refused(around, files, draw):
    files.write_planets()
    said = (
        f"^--around {around}: no body has the name or number '{around}'; "
        "there are the numbers 1 to 3 and Sun, Earth, Moon$"
    )
    with pytest.raises(BadFile, match=said):
        draw(around)


def test_a_name_of_two_bodies_is_refused(files, draw):
    files.write(0, [circle(1, 0), circle(2, 0)], names=["A", "a"])
    with pytest.raises(BadFile, match="more than one body has the name 'A'"):
        draw("A")


def test_who_leaves_does_not_shrink_the_rest(files, draw):
    """An arrow stands on the edge; in space the path ends at the wall."""
    files.write_escape()
    sheet, in_space = draw()
    assert sheet.axes.get_xlim()[1] < 2
    assert gids(sheet, "left-") == ["left-1-xy", "left-1-xz", "left-1-zy"]
    assert "arrow: body 1 left the picture" in said(sheet, "footnote")
    for axes, plane in zip(sheet.figure.axes, ("xy", "zy", "xz")):
        place = lines_of(axes)[f"left-1-{plane}"][:, 0]
        low, high = np.array([axes.get_xlim(), axes.get_ylim()]).T
        assert np.minimum(np.abs(place - low), np.abs(high - place)).min() < 1e-9
        assert (place >= low - 1e-9).all() and (place <= high + 1e-9).all()
    assert "a path ends where it leaves the box: body 1;" in said(in_space, "footnote")
    paths = {line.get_gid(): line.get_data_3d() for line in in_space.axes.lines}
    assert np.isnan(paths["path-1"]).any() and not np.isnan(paths["path-2"]).any()
    with theme.as_slides():
        assert draw()[0].title == "out: body 1 leaves the others"


def test_where_most_leave_all_are_shown(files, draw):
    files.write_escape(leaving=3)
    assert gids(draw()[0], "left-") == []


def test_names_are_no_formulas(files, draw):
    names = ["$x^2$", "_hidden", "<&>\"'$"]
    files.write(0, [circle(1, 0), circle(1, 2), circle(1, 4)], names=names)
    sheet = draw()[0]
    assert len(sheet.axes.get_legend().get_texts()) == 3
    svg = sheet.bytes_of("svg").decode()
    assert ">$x^2$<" in svg
    assert "<title>out: orbits of $x^2$, _hidden and &lt;&amp;&gt;\"'$</title>" in svg


@pytest.mark.parametrize(
    ("count", "kind"), [(40, "path-"), (41, "dots-"), (1500, "dots-"), (1501, "cells-")]
)
def test_more_than_forty_bodies_are_a_crowd(count, kind, files, draw):
    files.write_circles(count)
    sheet = draw()[0]
    assert [start for start in ("path-", "dots-", "cells-") if gids(sheet, start)] == [kind]
    assert f"{count} bodies" in sheet.title


def test_a_crowd_says_who_is_outside(files, draw):
    for k in (0, 5):
        radii = [1000 * k + 1 if j < 3 else 1 for j in range(300)]
        files.write(k, [circle(radii[j], j, 1, 0.01 * (j % 11)) for j in range(300)])
    (sheet,) = draw()
    assert sheet.axes.get_xlim()[1] < 2
    assert "outside the picture: 0 at the start, 3 at the end" in said(sheet, "footnote")


def test_cells_hold_all_bodies():
    places = np.random.default_rng(1).normal(size=(5000, 3))
    box = space.box_around(places, False)
    assert orbits.count_bodies(box, places / box.unit, (0, 1)).sum() == 5000


@pytest.mark.parametrize("far", [0, 1e200, 1e-300, 1e308])
def test_absurd_places(far, files, draw):
    """... and two bodies at one place."""
    files.write(0, [(1, 0, -far, 0, 0, 0, 0, 0), (1, 0, far, far, 0, 0, 0, 0)])
    if far == 1e308:
        with pytest.raises(BadFile, match="too far apart"):
            draw()
    else:
        assert draw()[0].title == "out: orbits of 2 bodies"


@pytest.mark.parametrize(
    ("extent", "si", "unit", "name"),
    [
        (0.8, False, 1, ""),
        (2e5, False, 1e3, "10³"),
        (1e-3, False, 1e-3, "10⁻³"),
        (1.5e11, True, 1e9, "10⁹ m"),
        (30, True, 1, "m"),
    ],
)
def test_units(extent, si, unit, name):
    assert space.unit_of(extent, si) == (pytest.approx(unit), name)


@pytest.mark.parametrize(
    ("head", "times", "about"),
    [
        ("G=1 dt=2", (0, 40, 200), "time 0 to 200, N = 1, dt = 2, no softening, units of G = 1"),
        (
            "dt=3600 soft=5e6",
            (0, 20, 200),
            "3.333 min, N = 1, adaptive step, 2 s on average, softening 5e+06 m",
        ),
        (
            "G=1 dt=0.5 integrator=kdk damping=0.99",
            (3, 13, 53),
            "time 3 to 53, N = 1, kdk, dt = 0.5, no softening, damping 0.99, units of G = 1",
        ),
    ],
)
def test_what_is_said_about_a_run(head, times, about, files):
    """An adaptive step shows in the times alone."""
    for iteration, time in zip((0, 20, 100), times):
        files.write(iteration, [circle(1, time)], head, time=float(time))
    run = Run(files.base)
    assert run.about() == about
    assert run.source() == "out.<iteration>.dat, iterations 0 to 100, 3 files"


def test_a_picture_in_space(files, draw):
    """Equal lengths stay equal; a shadow lies on the floor below its path."""
    files.write_tilted()
    sides, sheet = draw()
    assert (sheet.name, sheet.title) == ("out_orbits_in_space", "out: orbits of 3 bodies, in space")
    assert sheet.subtitle == sides.subtitle
    assert sheet.subtitle.endswith("damping 0.99, units of G = 1; hollow: start, filled: end")
    assert said(sheet, "footnote").endswith("grey: shadows on the floor")
    axes = sheet.axes
    ends = np.array([axes.get_xlim(), axes.get_ylim(), axes.get_zlim()])
    aspect = axes._box_aspect / np.ptp(ends, axis=1)
    assert aspect == pytest.approx([aspect[0]] * 3)
    lines = {line.get_gid(): np.array(line.get_data_3d()) for line in axes.lines if line.get_gid()}
    path, shadow = lines["path-2"], lines["shadow-2"]
    assert path[:2] == pytest.approx(shadow[:2])
    assert (shadow[2] == ends[2, 0]).all() and (path[2] > ends[2, 0]).all()
    assert path[:, 0] == pytest.approx(lines["start-2"][:, 0])


# --- energies ------------------------------------------------------------------------------------

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


def records(text):
    return [tuple(map(float, line.split())) for line in text.strip().splitlines()]


def state_of(bodies, G=1.0, soft=0.0):
    return State("f", Setting(G=G, soft=soft), array("d", np.ravel(bodies)))


def heights_of(sheet):
    return {line.get_gid(): line.get_ydata() for axes in sheet.all_axes for line in axes.lines}


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
    expected = sum(m * (vx * vx + vy * vy + vz * vz) / 2 for m, *_, vx, vy, vz in bodies)
    for a, b in itertools.combinations(bodies, 2):
        expected -= 3 * a[0] * b[0] / math.hypot(*(a[2:5] - b[2:5]), 0.1)
    assert conserved(state_of(bodies, 3, 0.1)).energy == pytest.approx(expected, rel=1e-12)


def test_where_everything_is_at_rest_or_zero():
    at_rest = conserved(state_of([(1, 0, 0, 0, 0, 0, 0, 0)]))
    drift = drift_between([0, 1], [at_rest, at_rest])
    for changes in (drift.energy, drift.momentum, drift.angular_momentum):
        assert changes.tolist() == [0, 0]


def test_says_what_run_said(files, energy):
    for iteration, bodies in ((0, SIX_AT_0), (200, SIX_AT_200)):
        files.write(iteration, records(bodies), "G=1 soft=0.5 dt=0.01", time=iteration / 100)
    about = "time 0 to 2, N = 6, dt = 0.01, softening 0.5, units of G = 1"
    sheet = energy()
    assert sheet.subtitle == about
    assert sheet.title == "out: the energy changed by +3.18e-02 of its start"


def test_sign_and_size(files, energy):
    for k, speed in enumerate((1, 1.1, 0.9, 1.2)):
        files.write(k, [(1, 0, 0, 0, 0, 0, 0, 0), (1e-3, 0, 1, 0, 0, 0, speed, 0)])
    lines = heights_of(energy())
    nan = np.nan
    for gid, values in {
        "gained": [nan, 0.21, nan, 0.44],  # (v^2 - 1) / 2 of |E| = 1/2
        "lost": [nan, nan, 0.19, nan],
        "momentum": [nan, 0.1, 0.1, 0.2],
        "angular-momentum": [nan, 0.1, 0.1, 0.2],
    }.items():
        np.testing.assert_allclose(lines[gid], values, rtol=1e-2, err_msg=gid)


def test_nothing_changes(files, energy, capsys, monkeypatch):
    """Long work says how far it is."""
    monkeypatch.setattr(Step.__init__, "__defaults__", (None, 0))
    for k in (0, 1):
        files.write(k, [(1, 0, 0, 0, 0, 0, 0, 0)])
    assert words_of(energy()).count("exactly 0 throughout") == 2
    assert "energy of the states ... 1/2\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("states", "said"),
    [
        (
            [[circle(1, 0)]],
            r"out\.0\.dat is the only file of \S+, but a change needs at least two: "
            r"write more with ./lab run PART NAME ... -i 100 -w \S+$",
        ),
        (
            [[circle(1, 0), circle(1, 0)]] * 2,
            r"out\.0\.dat: the energy is not finite: two bodies are at",
        ),
    ],
)
def test_runs_without_a_change_of_energy_are_refused(states, said, files, energy):
    for k, bodies in enumerate(states):
        files.write(k, bodies)
    with pytest.raises(BadFile, match=said):
        energy()


@pytest.fixture
def write(tmp_path):
    def write_log(rows=ROWS, head=HEAD):
        file = tmp_path / "six.csv"
        file.write_text(log_text(rows, head), encoding="utf-8")
        return file

    return write_log


def test_a_log_in_figures(write, energy):
    sheet = energy(write())
    assert (sheet.name, sheet.title) == (
        "six_energy",
        "six: the energy changed by -1.00e-02 of its start",
    )
    assert sheet.subtitle == "time 0 to 2, dt = 0.1, 21 force evaluations"
    lines = heights_of(sheet)
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


def test_an_adaptive_step_and_a_single_body(write, energy):
    """A single body has no distance to another."""
    steps = [(*row[:2], dt, *row[3:10], "inf", *row[11:]) for row, dt in zip(ROWS, (0, 1e-3, 0.02))]
    sheet = energy(write(steps))
    assert "dt = 0.001 to 0.02," in sheet.subtitle
    assert "smallest-distance" not in heights_of(sheet)


def test_many_bodies_have_no_energy(write, energy):
    """Other columns and another order are fine."""
    head = ",".join([*HEAD.split(",")[::-1], "mine"])
    rows = [(*row[:3], "", *row[4:10], "", *row[11:]) for row in ROWS]
    sheet = energy(write([(*row[::-1], "x") for row in rows], head))
    assert sheet.title == "six: momentum changed by at most 5"
    assert "a run with many bodies records no energy" in sheet.subtitle
    assert list(heights_of(sheet)) == ["momentum", "angular-momentum", "seconds", "median"]


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
        ([ROWS[0], ("", *ROWS[1][1:])], HEAD, ":3: iteration is '', not a finite number"),
    ],
)
def test_what_is_no_log_is_refused(rows, head, said, write, energy):
    file = write(rows, head)
    with pytest.raises(BadFile, match=f"^{file}{said}$"):
        energy(file)
    said = r"none\.csv: cannot be read \(No such file or directory\): check the name$"
    with pytest.raises(BadFile, match=said):
        energy(file.with_name("none.csv"))
