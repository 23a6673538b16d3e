#!/usr/bin/env python3
"""Pictures of paths in space: who has one, that it is a true projection, its words; and that nothing overlaps."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from with_matplotlib import go_over  # noqa: E402

go_over()
import numpy as np  # noqa: E402

import sheet  # noqa: E402
from body_series import Series  # noqa: E402
from orbits import orbits  # noqa: E402
from orbits_in_space import RIGHT, UP, in_space, seen  # noqa: E402
from runs_for_tests import RunFolder, circle, strange_colours  # noqa: E402


class InSpace(unittest.TestCase):
    def setUp(self):
        self.run_ = RunFolder()
        self.addCleanup(self.run_.close)

    def draw(self, around=None):
        picture = in_space(Series(self.run_.base), around)
        if picture:
            self.addCleanup(picture.close)
            self.assertEqual(sheet.collisions(picture), [])
        return picture

    def lines(self, picture):
        return {line.get_gid(): np.array(line.get_data()) for line in picture.axes.lines if line.get_gid()}

    def write_tilted(self, count=3, far=1.0, head="G=1 dt=0.5 integrator=kdk damping=0.99", names=()):
        for k in range(9):
            self.run_.write(k, [circle(far * (1 + j), j + k / 2, 1, 0.4 * far * (-1) ** (j + k // 4)) for j in range(count)], head, names)

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
        self.assertEqual((picture.name, picture.title), ("out_orbits_in_space", "out: orbits of 3 bodies, in space"))
        self.assertEqual(picture.subtitle, "time 0 to 4, N = 3, kdk, dt = 0.5, no softening, damping 0.99, units of G = 1; hollow: start, filled: end")
        self.assertEqual(orbits(Series(self.run_.base)).subtitle, picture.subtitle)

    def test_what_is_too_long_goes_down_to_the_footnote(self):
        head = "G=1 dt=0.12345 soft=0.12345 integrator=kdk-symmetric damping=0.98765"
        for k in range(3):
            self.run_.write(k, [circle(1, k, 1, 0.2), circle(2, k, 1, -0.2)], head, time=123.456 * k)
        picture = self.draw()
        shown = {text.get_gid(): text.get_text() for text in picture.figure.texts}
        self.assertTrue(picture.subtitle.startswith(shown["subtitle"]) and shown["subtitle"].endswith("damping 0.98765, units of G = 1"))
        self.assertTrue(shown["footnote-1"].startswith("hollow: start, filled: end; out.<iteration>.dat,"))

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
            self.assertTrue(np.allclose(path[:, 0], lines[f"start-{number}"][:, 0]) and np.allclose(path[:, -1], lines[f"end-{number}"][:, 0]))

    def test_z_is_up_and_x_to_the_right(self):
        for axis, across, up in ((0, 1, -1), (1, 1, 1), (2, 0, 1)):
            x, y = seen(np.eye(3)[axis])
            self.assertEqual((int(np.sign(round(float(x), 9))), int(np.sign(y))), (across, up))

    def test_who_leaves_ends_at_the_wall(self):
        for k in range(9):
            self.run_.write(k, [circle(1 + (j == 0) * 12 * k, j + k / 2, 1, 0.3 * (j % 3)) for j in range(4)])
        picture = self.draw()
        lines = self.lines(picture)
        self.assertTrue(np.isnan(lines["path-1"][:, -1]).all())
        self.assertTrue(np.isfinite(lines["path-2"]).all())
        words = " ".join(text.get_text() for text in picture.figure.texts)
        self.assertIn("a path ends where it leaves the box: body 1;", words)

    def test_si_units_flat_boxes_and_many_names(self):
        for count, far, names in ((3, 1.5e11, ["Sun", "Earth", "Moon"]), (40, 1e-3, []), (2, 1e200, [])):
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


if __name__ == "__main__":
    unittest.main()
