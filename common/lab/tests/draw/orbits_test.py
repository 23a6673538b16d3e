"""Pictures of orbits: who is in them, at what scale, in which words."""

import xml.etree.ElementTree as xml

import numpy as np
import pytest

from nbody_lab.draw import crowd, frame
from nbody_lab.draw.orbits import RIGHT, UP, pictures_of_orbits, project
from nbody_lab.draw.runs import Run
from nbody_lab.export.body_text import BadFile
from tests.draw.runs_for_tests import RunFolder, circle


@pytest.fixture
def files(tmp_path):
    return RunFolder(tmp_path)


@pytest.fixture
def draw(files):
    """Draws them: from the sides, and in space unless they lie in a plane."""
    drawn = []

    def draw_again(around=None):
        sheets = pictures_of_orbits(Run(files.base), around)
        drawn.extend(sheets)
        return sheets

    yield draw_again
    for sheet in drawn:
        sheet.close()


def gids(sheet, start):
    found = sheet.figure.findobj(lambda artist: (artist.get_gid() or "").startswith(start))
    return sorted(artist.get_gid() for artist in found)


def lines_of(axes):
    return {line.get_gid(): np.array(line.get_data()) for line in axes.lines if line.get_gid()}


def footnote(sheet):
    notes = [text for text in sheet.figure.texts if (text.get_gid() or "").startswith("footnote")]
    return " ".join(text.get_text() for text in notes)


def test_a_plane_system_has_one_panel(files, draw):
    files.write_planets()
    (sheet,) = draw()
    assert len(sheet.figure.axes) == 1
    assert sheet.title == "out: orbits of Sun, Earth and Moon"
    about = "38 days, N = 3, dt = 86400 s, no softening; hollow: start, filled: end"
    assert sheet.subtitle == about
    assert sheet.axes.get_xlabel() == "x (10^9 m)"
    names = [text.get_text() for text in sheet.axes.get_legend().get_texts()]
    assert names == ["Sun", "Earth", "Moon"]


def test_a_path_begins_at_the_hollow_mark_and_ends_at_the_filled_one(files, draw):
    for k, angle in enumerate((0.0, 0.5, 1.0)):
        files.write(k, [circle(1, angle), circle(2, angle)])
    axes = draw()[0].axes
    lines = lines_of(axes)
    x, y = lines["path-1-xy"]
    assert lines["start-1-xy"][:, 0].tolist() == [x[0], y[0]]
    assert lines["end-1-xy"][:, 0].tolist() == [x[-1], y[-1]]
    assert y[-1] > y[0]
    marks = {line.get_gid(): line.get_markerfacecolor() for line in axes.lines}
    assert marks["start-1-xy"] != marks["end-1-xy"]


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
    assert "far outside the picture: Sun" in footnote(sheet)
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
    files.write_escape()
    sheet = draw()[0]
    assert sheet.axes.get_xlim()[1] < 2
    assert gids(sheet, "left-") == ["left-1-xy", "left-1-xz", "left-1-zy"]
    assert "arrow: body 1 left the picture" in footnote(sheet)


def test_the_arrow_stands_on_the_edge(files, draw):
    files.write_escape()
    for axes, plane in zip(draw()[0].figure.axes, ("xy", "zy", "xz")):
        place = lines_of(axes)[f"left-1-{plane}"][:, 0]
        low, high = np.array([axes.get_xlim(), axes.get_ylim()]).T
        assert np.minimum(np.abs(place - low), np.abs(high - place)).min() < 1e-9
        assert (place >= low - 1e-9).all() and (place <= high + 1e-9).all()


def test_where_most_leave_all_are_shown(files, draw):
    files.write_escape(leaving=3)
    assert gids(draw()[0], "left-") == []


def test_names_are_no_formulas(files, draw):
    files.write(
        0, [circle(1, 0), circle(1, 2), circle(1, 4)], names=["$x^2$", "_hidden", "<&>\"'$"]
    )
    sheet = draw()[0]
    assert len(sheet.axes.get_legend().get_texts()) == 3
    tree = xml.fromstring(sheet.bytes_of("svg"))
    words = ["".join(element.itertext()) for element in tree.iter()]
    assert "$x^2$" in words
    assert "out: orbits of $x^2$, _hidden and <&>\"'$" in words


@pytest.mark.parametrize(
    ("count", "kind"), [(40, "path-"), (41, "dots-"), (1500, "dots-"), (1501, "cells-")]
)
def test_more_than_forty_bodies_are_a_crowd(count, kind, files, draw):
    files.write_circles(count)
    sheet = draw()[0]
    shown = [start for start in ("path-", "dots-", "cells-") if gids(sheet, start)]
    assert shown == [kind]
    assert f"{count} bodies" in sheet.title


def test_a_crowd_says_who_is_outside(files, draw):
    for k in (0, 5):
        radii = [1000 * k + 1 if j < 3 else 1 for j in range(300)]
        files.write(k, [circle(radii[j], j, 1, 0.01 * (j % 11)) for j in range(300)])
    (sheet,) = draw()
    assert sheet.axes.get_xlim()[1] < 2
    assert "outside the picture: 0 at the start, 3 at the end" in footnote(sheet)


def test_cells_hold_all_bodies():
    places = np.random.default_rng(1).normal(size=(5000, 3))
    box = frame.box_around(places, False)
    assert crowd.count_bodies(box, places / box.unit, [0, 1]).sum() == 5000


def test_one_state_of_one_body(files, draw):
    files.write(0, [(1, 0, 0, 0, 0, 0, 0, 0)])
    assert draw()[0].title == "out: orbits of 1 body"


@pytest.mark.parametrize("far", [1e200, 1e-300, 1e308])
def test_absurd_places(far, files, draw):
    files.write(0, [(1, 0, -far, 0, 0, 0, 0, 0), (1, 0, far, far, 0, 0, 0, 0)])
    if far == 1e308:
        with pytest.raises(BadFile, match="too far apart"):
            draw()
    else:
        draw()


@pytest.mark.parametrize(
    ("extent", "si", "unit", "name"),
    [
        (0.8, False, 1, ""),
        (6, False, 1, ""),
        (2e5, False, 1e3, "10^3"),
        (1e-3, False, 1e-3, "10^-3"),
        (1.5e11, True, 1e9, "10^9 m"),
        (0.8, True, 1e-3, "10^-3 m"),
        (30, True, 1, "m"),
    ],
)
def test_units(extent, si, unit, name):
    assert frame.unit_of(extent, si) == (pytest.approx(unit), name)


def test_ticks_are_round_numbers():
    ticks = ([-1, -0.5, 0, 0.5, 1], ["-1", "-0.5", "0", "0.5", "1"])
    assert frame.ticks_between(-1.2, 1.2, 0.5) == ticks


@pytest.mark.parametrize("extent", [0.013, 0.94, 1, 2.4, 7, 365, 1e9])
def test_there_are_three_to_seven_steps(extent):
    assert 2.8 <= extent / frame.nice_step(extent, 7) <= 7.001


# --- words about a run ---------------------------------------------------------------------------


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


# --- in space ------------------------------------------------------------------------------------


def test_words_in_space(files, draw):
    files.write_tilted()
    sides, sheet = draw()
    assert (sheet.name, sheet.title) == ("out_orbits_in_space", "out: orbits of 3 bodies, in space")
    assert sheet.subtitle == sides.subtitle
    assert sheet.subtitle.endswith("damping 0.99, units of G = 1; hollow: start, filled: end")
    assert footnote(sheet).endswith("grey: shadows on the floor")


def test_what_is_too_long_goes_down_to_the_footnote(files, draw):
    head = "G=1 dt=0.12345 soft=0.12345 integrator=kdk-symmetric damping=0.98765"
    for k in range(3):
        files.write(k, [circle(1, k, 1, 0.2), circle(2, k, 1, -0.2)], head, time=123.456 * k)
    sheet = draw()[1]
    shown = {text.get_gid(): text.get_text() for text in sheet.figure.texts}
    assert sheet.subtitle.startswith(shown["subtitle"])
    assert shown["subtitle"].endswith("damping 0.98765, units of G = 1")
    assert shown["footnote-1"].startswith("hollow: start, filled: end; out.<iteration>.dat,")


def test_equal_lengths_stay_equal(files, draw):
    """Two directions of who looks, at right angles: a projection and no shear."""
    assert pytest.approx((1, 1, 0)) == (RIGHT @ RIGHT, UP @ UP, RIGHT @ UP)
    files.write_tilted()
    assert draw()[1].axes.get_aspect() == 1


def test_a_shadow_lies_below_its_path(files, draw):
    files.write_tilted()
    lines = lines_of(draw()[1].axes)
    for number in (1, 2, 3):
        path, shadow = lines[f"path-{number}"], lines[f"shadow-{number}"]
        assert path[0] == pytest.approx(shadow[0])
        assert (path[1] > shadow[1]).all()
        assert path[:, 0] == pytest.approx(lines[f"start-{number}"][:, 0])
        assert path[:, -1] == pytest.approx(lines[f"end-{number}"][:, 0])


@pytest.mark.parametrize(("axis", "across", "up"), [(0, 1, -1), (1, 1, 1), (2, 0, 1)])
def test_z_is_up_and_x_to_the_right(axis, across, up):
    assert tuple(np.sign(np.round(project(np.eye(3)[axis]), 9))) == (across, up)


def test_who_leaves_ends_at_the_wall(files, draw):
    files.write_escape()
    sheet = draw()[1]
    lines = lines_of(sheet.axes)
    assert np.isnan(lines["path-1"][:, -1]).all()
    assert np.isfinite(lines["path-2"]).all()
    assert "a path ends where it leaves the box: body 1;" in footnote(sheet)
