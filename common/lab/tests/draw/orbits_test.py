"""Pictures of orbits: who is in them, at what scale, in which words; and that nothing overlaps."""

import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

import numpy as np

from nbody_lab.draw import frame, sheet
from nbody_lab.draw.body_files import Series
from nbody_lab.draw.orbits import RIGHT, UP, in_space, orbits, seen
from nbody_lab.export.body_text import BadFile
from tests.draw.runs_for_tests import RunFolder, circle, strange_colours


def gids(picture, start):
    return sorted(
        artist.get_gid()
        for artist in picture.figure.findobj(lambda a: (a.get_gid() or "").startswith(start))
    )


class OfRun(unittest.TestCase):
    def setUp(self):
        self.run_ = RunFolder()
        self.addCleanup(self.run_.close)


class Pictures(OfRun):
    def draw(self, around=None):
        picture = orbits(Series(self.run_.base), around)
        self.addCleanup(picture.close)
        self.assertEqual(sheet.collisions(picture), [])
        return picture

    def write_planets(self, tilt=0.0, head="G=6.67384e-11 dt=86400"):
        for day in range(0, 40, 2):
            earth = circle(1.5e11, day / 58, 6e24)
            moon = list(circle(4e8, day / 4.3, 7e22, tilt * 4e8 * np.sin(day / 4.3)))
            moon[2:4] = [earth[2] + moon[2], earth[3] + moon[3]]
            self.run_.write(
                day,
                [(2e30, 0, 0, 0, 0, 0, 0, 0), earth, moon],
                head,
                ["Sun", "Earth", "Moon"],
                86400.0 * day,
            )

    def write_escape(self, count=4, bodies_that_leave=1, far=100):
        for k in range(9):
            self.run_.write(
                k,
                [
                    circle(
                        1 if j >= bodies_that_leave else 1 + k * far / 8,
                        j + k / 2,
                        1,
                        0.3 * (j % 3),
                    )
                    for j in range(count)
                ],
            )

    def test_a_plane_system_has_one_panel(self):
        self.write_planets()
        picture = self.draw()
        self.assertEqual(len(picture.figure.axes), 1)
        self.assertEqual(picture.title, "out: orbits of Sun, Earth and Moon")
        self.assertEqual(
            picture.subtitle,
            "38 days, N = 3, dt = 86400 s, no softening; hollow: start, filled: end",
        )
        self.assertEqual(picture.axes.get_xlabel(), "x (10^9 m)")
        self.assertEqual(
            [text.get_text() for text in picture.axes.get_legend().get_texts()],
            ["Sun", "Earth", "Moon"],
        )

    def test_a_path_begins_at_the_hollow_mark_and_ends_at_the_filled_one(self):
        for k, angle in enumerate((0.0, 0.5, 1.0)):
            self.run_.write(k, [circle(1, angle), circle(2, angle)])
        drawn = {artist.get_gid(): artist for artist in self.draw().axes.lines if artist.get_gid()}
        name = next(gid for gid in drawn if gid.startswith("start-"))[len("start-") :]
        x, y = drawn[f"path-{name}"].get_data()
        for mark, place in (("start", 0), ("end", -1)):
            self.assertEqual(
                [values[0] for values in drawn[f"{mark}-{name}"].get_data()], [x[place], y[place]]
            )
        self.assertGreater(y[-1], y[0])
        self.assertNotEqual(
            *(drawn[f"{mark}-{name}"].get_markerfacecolor() for mark in ("start", "end"))
        )

    def test_one_per_cent_is_the_limit(self):
        for thickness, count in ((0.015, 1), (0.025, 3)):  # of the diameter 2
            self.run_.write(0, [circle(1, 0), circle(1, 2, 1, thickness), circle(1, 4)])
            self.run_.write(1, [circle(1, 3), circle(1, 5, 1, thickness), circle(1, 1)])
            self.assertEqual(len(self.draw().figure.axes), count)

    def test_the_moon_is_seen_around_the_earth(self):
        self.write_planets(tilt=0.1)
        for around in ("Earth", "earth", "2"):
            picture = self.draw(around)
            self.assertEqual(picture.title, "out: orbits relative to Earth")
            self.assertEqual(picture.name, "out_orbits_around_Earth")
            self.assertEqual(
                gids(picture, "path-"),
                ["path-2-xy", "path-2-xz", "path-2-zy", "path-3-xy", "path-3-xz", "path-3-zy"],
            )
            self.assertTrue(all(axes.get_aspect() == 1 for axes in picture.figure.axes))
            left, right = picture.axes.get_xlim()
            self.assertTrue(400 < right < 500 and -500 < left < -400, "10^6 m")

    def test_unknown_and_doubtful_bodies(self):
        self.write_planets()
        for around in ("Mars", "0", "4", "-1", ""):
            with self.assertRaisesRegex(
                BadFile,
                "^--around .*: no body has the name or number .*; there are the numbers 1 to 3 and Sun, Earth, Moon$",
            ):
                self.draw(around)
        self.run_.write(0, [circle(1, 0), circle(2, 0)], names=["A", "a"])
        with self.assertRaisesRegex(BadFile, "more than one body has the name 'A'"):
            orbits(Series(self.only_first()), "A")

    def only_first(self):
        for file in Path(self.run_.folder.name).glob("out.*.dat"):
            if file.name != "out.0.dat":
                file.unlink()
        return self.run_.base

    def test_who_leaves_does_not_shrink_the_rest(self):
        self.write_escape()
        picture = self.draw()
        self.assertLess(picture.axes.get_xlim()[1], 2)
        self.assertEqual(gids(picture, "left-"), ["left-1-xy", "left-1-xz", "left-1-zy"])
        self.assertIn("arrow: body 1 left the picture", self.footnote(picture))

    def test_the_arrow_stands_on_the_edge(self):
        self.write_escape()
        for axes, plane in zip(self.draw().figure.axes, ("xy", "zy", "xz")):
            arrow = next(line for line in axes.lines if line.get_gid() == f"left-1-{plane}")
            place = np.array([arrow.get_xdata()[0], arrow.get_ydata()[0]])
            low, high = np.array([axes.get_xlim(), axes.get_ylim()]).T
            self.assertLess(np.minimum(np.abs(place - low), np.abs(high - place)).min(), 1e-9)
            self.assertTrue((place >= low - 1e-9).all() and (place <= high + 1e-9).all(), place)

    def test_where_most_leave_all_are_shown(self):
        self.write_escape(bodies_that_leave=3)
        picture = self.draw()
        self.assertEqual(gids(picture, "left-"), [])

    def footnote(self, picture):
        return " ".join(
            text.get_text()
            for text in picture.figure.texts
            if (text.get_gid() or "").startswith("footnote")
        )

    def test_names_are_no_formulas(self):
        self.run_.write(
            0, [circle(1, 0), circle(1, 2), circle(1, 4)], names=["$x^2$", "_hidden", "<&>\"'$"]
        )
        picture = self.draw()
        self.assertEqual(len(picture.axes.get_legend().get_texts()), 3)
        words = [
            "".join(element.itertext())
            for element in xml.fromstring(picture.bytes_of("svg")).iter()
        ]
        self.assertIn("$x^2$", words)
        self.assertIn("out: orbits of $x^2$, _hidden and <&>\"'$", words)

    def test_forty_bodies_have_a_key_and_more_are_a_crowd(self):
        for count in (40, 41, 2000):
            for k in (0, 5):
                self.run_.write(
                    k, [circle(1 + j % 7, j + k / 9, 1, 0.01 * (j % 11)) for j in range(count)]
                )
            picture = self.draw()
            crowd = [*gids(picture, "dots-"), *gids(picture, "cells-")]
            self.assertEqual(bool(crowd), count > 40)
            self.assertEqual(any(gid.startswith("cells") for gid in crowd), count == 2000)
            self.assertIn(f"{count} bodies", picture.title)
            if crowd:
                self.draw("7")

    def test_a_crowd_says_who_is_outside(self):
        for k in (0, 5):
            self.run_.write(
                k, [circle(1000 * k + 1 if j < 3 else 1, j, 1, 0.01 * (j % 11)) for j in range(300)]
            )
        picture = self.draw()
        self.assertLess(picture.axes.get_xlim()[1], 2)
        self.assertIn("outside the picture: 0 at the start, 3 at the end", self.footnote(picture))

    def test_cells_hold_all_bodies(self):
        from nbody_lab.draw import crowd

        places = np.random.default_rng(1).normal(size=(5000, 3))
        box = frame.box_around(places, False)
        self.assertEqual(crowd.counts(box, places / box.unit, (0, 1)).sum(), 5000)

    def test_one_state_of_one_body(self):
        self.run_.write(0, [(1, 0, 0, 0, 0, 0, 0, 0)])
        self.assertEqual(self.draw().title, "out: orbits of 1 body")

    def test_absurd_places(self):
        for far, wrong in ((1e200, False), (1e308, True), (1e-300, False)):
            self.run_.write(0, [(1, 0, -far, 0, 0, 0, 0, 0), (1, 0, far, far, 0, 0, 0, 0)])
            if wrong:
                with self.assertRaisesRegex(BadFile, "too far apart"):
                    self.draw()
            else:
                self.draw()

    def test_colours_and_bytes(self):
        self.write_escape(8)
        first, second = self.draw().bytes_of("svg"), self.draw().bytes_of("svg")
        self.assertEqual(first, second)
        self.assertEqual(strange_colours(first), set())
        for k in (0, 5):
            self.run_.write(k, [circle(1 + j % 7, j) for j in range(8)])
        for count in (100, 2000):
            for file in Path(self.run_.folder.name).glob("*.dat"):
                file.unlink()
            self.run_.write(0, [circle(1 + j % 7, j) for j in range(count)])
            self.assertEqual(strange_colours(self.draw().bytes_of("svg")), set())


class Frame(unittest.TestCase):
    def test_units(self):
        for extent, si, unit in (
            (0.8, False, (1, "")),
            (6, False, (1, "")),
            (2e5, False, (1e3, "10^3")),
            (1e-3, False, (1e-3, "10^-3")),
            (1.5e11, True, (1e9, "10^9 m")),
            (0.8, True, (1e-3, "10^-3 m")),
            (30, True, (1, "m")),
        ):
            found = frame.unit_of(extent, si)
            self.assertAlmostEqual(found[0] / unit[0], 1)
            self.assertEqual(found[1], unit[1])

    def test_ticks(self):
        self.assertEqual(
            frame.ticks_between(-1.2, 1.2, 0.5),
            ([-1, -0.5, 0, 0.5, 1], ["-1", "-0.5", "0", "0.5", "1"]),
        )
        for extent in (0.013, 0.94, 1, 2.4, 7, 365, 1e9):
            step = frame.nice_step(extent, 7)
            self.assertTrue(2.8 <= extent / step <= 7.001, (extent, step))


class InSpace(OfRun):
    def draw(self, around=None):
        picture = in_space(Series(self.run_.base), around)
        if picture:
            self.addCleanup(picture.close)
            self.assertEqual(sheet.collisions(picture), [])
        return picture

    def lines(self, picture):
        return {
            line.get_gid(): np.array(line.get_data())
            for line in picture.axes.lines
            if line.get_gid()
        }

    def write_tilted(
        self, count=3, far=1.0, head="G=1 dt=0.5 integrator=kdk damping=0.99", names=()
    ):
        for k in range(9):
            self.run_.write(
                k,
                [
                    circle(far * (1 + j), j + k / 2, 1, 0.4 * far * (-1) ** (j + k // 4))
                    for j in range(count)
                ],
                head,
                names,
            )

    def test_plane_systems_and_crowds_have_none(self):
        self.run_.write(0, [circle(1, 0), circle(2, 1)])
        self.assertIsNone(self.draw())
        for file in Path(self.run_.folder.name).glob("*.dat"):
            file.unlink()
        self.write_tilted(41)
        self.assertIsNone(self.draw())

    def test_words(self):
        self.write_tilted()
        picture = self.draw()
        self.assertEqual(
            (picture.name, picture.title),
            ("out_orbits_in_space", "out: orbits of 3 bodies, in space"),
        )
        self.assertEqual(
            picture.subtitle,
            "time 0 to 4, N = 3, kdk, dt = 0.5, no softening, damping 0.99, units of G = 1; hollow: start, filled: end",
        )
        self.assertEqual(orbits(Series(self.run_.base)).subtitle, picture.subtitle)

    def test_what_is_too_long_goes_down_to_the_footnote(self):
        head = "G=1 dt=0.12345 soft=0.12345 integrator=kdk-symmetric damping=0.98765"
        for k in range(3):
            self.run_.write(
                k, [circle(1, k, 1, 0.2), circle(2, k, 1, -0.2)], head, time=123.456 * k
            )
        picture = self.draw()
        shown = {text.get_gid(): text.get_text() for text in picture.figure.texts}
        self.assertTrue(
            picture.subtitle.startswith(shown["subtitle"])
            and shown["subtitle"].endswith("damping 0.98765, units of G = 1")
        )
        self.assertTrue(
            shown["footnote-1"].startswith("hollow: start, filled: end; out.<iteration>.dat,")
        )

    def test_equal_lengths_stay_equal(self):
        """Two directions of who looks, at right angles: a projection and no shear."""
        self.assertAlmostEqual(float(RIGHT @ RIGHT), 1)
        self.assertAlmostEqual(float(UP @ UP), 1)
        self.assertAlmostEqual(float(RIGHT @ UP), 0)
        self.write_tilted()
        self.assertEqual(self.draw().axes.get_aspect(), 1)

    def test_a_shadow_lies_below_its_path(self):
        self.write_tilted()
        lines = self.lines(self.draw())
        for number in (1, 2, 3):
            path, shadow = lines[f"path-{number}"], lines[f"shadow-{number}"]
            self.assertTrue(np.allclose(path[0], shadow[0]))
            self.assertTrue((path[1] > shadow[1]).all())
            self.assertTrue(
                np.allclose(path[:, 0], lines[f"start-{number}"][:, 0])
                and np.allclose(path[:, -1], lines[f"end-{number}"][:, 0])
            )

    def test_z_is_up_and_x_to_the_right(self):
        for axis, across, up in ((0, 1, -1), (1, 1, 1), (2, 0, 1)):
            x, y = seen(np.eye(3)[axis])
            self.assertEqual((int(np.sign(round(float(x), 9))), int(np.sign(y))), (across, up))

    def test_who_leaves_ends_at_the_wall(self):
        for k in range(9):
            self.run_.write(
                k, [circle(1 + (j == 0) * 12 * k, j + k / 2, 1, 0.3 * (j % 3)) for j in range(4)]
            )
        picture = self.draw()
        lines = self.lines(picture)
        self.assertTrue(np.isnan(lines["path-1"][:, -1]).all())
        self.assertTrue(np.isfinite(lines["path-2"]).all())
        words = " ".join(text.get_text() for text in picture.figure.texts)
        self.assertIn("a path ends where it leaves the box: body 1;", words)

    def test_si_units_flat_boxes_and_many_names(self):
        for count, far, names in (
            (3, 1.5e11, ["Sun", "Earth", "Moon"]),
            (40, 1e-3, []),
            (2, 1e200, []),
        ):
            self.write_tilted(count, far, "dt=3600", names)
            self.draw()
            self.draw("1")
        for k in (0, 1):
            self.run_.write(k, [circle(1, k, 1, 0.03), circle(2, 1 + k, 1, -0.03), circle(2, k)])
        for file in Path(self.run_.folder.name).glob("out.[2-9].dat"):
            file.unlink()
        self.assertIsNotNone(self.draw())

    def test_colours_and_bytes(self):
        self.write_tilted(8)
        first, second = self.draw().bytes_of("svg"), self.draw().bytes_of("svg")
        self.assertEqual(first, second)
        self.assertEqual(strange_colours(first), set())
