#!/usr/bin/env python3
"""Tests the picture of a run's log: numbers, words, and files that are no such log."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from with_matplotlib import go_over  # noqa: E402

go_over()
import numpy as np  # noqa: E402

import sheet  # noqa: E402
from body_text import BadFile  # noqa: E402
from energy_log import energy_of_log, read_log  # noqa: E402
from runs_for_tests import strange_colours  # noqa: E402

HEAD = ("iteration,time,dt,energy,momentum_x,momentum_y,momentum_z,angular_momentum_x,angular_momentum_y,angular_momentum_z,"
        "smallest_distance,force_evaluations,wall_s")
ROWS = ((0, 0, 0, -2, 0, 0, 0, 0, 0, 1, 0.5, 0, 0), (10, 1, 0.1, -1.98, 3, 4, 0, 0, 0, 1.25, 0.25, 11, 0.1),
        (20, 2, 0.1, -2.02, 0, 0, 1e-3, 0, 0, 1, 2, 21, 0.2))


class Log(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = f"{self.folder.name}/six.csv"

    def write(self, rows=ROWS, head=HEAD):
        Path(self.file).write_text("\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n", encoding="utf-8")

    def draw(self):
        picture = energy_of_log(read_log(self.file))
        self.addCleanup(picture.close)
        self.assertEqual(sheet.collisions(picture), [])
        return picture

    def test_numbers(self):
        self.write()
        picture = self.draw()
        self.assertEqual((picture.name, picture.title), ("six_energy", "six: energy and momenta, row by row"))
        self.assertEqual(picture.subtitle, "time 0 to 2, dt = 0.1, 21 force evaluations; energy at the end: -1.00e-02 of its start")
        lines = {line.get_gid(): line.get_ydata() for axes in picture.all_axes for line in axes.lines}
        for gid, values in (("gained", [np.nan, 0.01, np.nan]), ("lost", [np.nan, np.nan, 0.01]), ("momentum", [np.nan, 5, 1e-3]),
                            ("angular-momentum", [np.nan, 0.25, np.nan]), ("smallest-distance", [0.5, 0.25, 2])):
            np.testing.assert_allclose(lines[gid], values, err_msg=gid)

    def test_an_adaptive_step_and_a_single_body(self):
        self.write([(*row[:2], dt, *row[3:10], "inf", *row[11:]) for row, dt in zip(ROWS, (0, 1e-3, 0.02))])
        picture = self.draw()
        self.assertIn("dt = 0.001 to 0.02,", picture.subtitle)
        self.assertEqual(len(picture.all_axes[2].lines), 0)

    def test_other_columns_and_another_order_are_fine(self):
        columns = HEAD.split(",")[::-1] + ["mine"]
        self.write([(*row[::-1], "x") for row in ROWS], ",".join(columns))
        self.assertIn("time 0 to 2", self.draw().subtitle)

    def test_no_change(self):
        self.write([ROWS[0], (1, *ROWS[0][1:])])
        shown = [text.get_text() for text in sheet.visible_texts(self.draw().figure)]
        self.assertEqual(shown.count("exactly 0 throughout"), 2)

    def refused(self, said):
        with self.assertRaisesRegex(BadFile, f"^{self.file}{said}$"):
            read_log(self.file)

    def test_what_is_no_log(self):
        self.refused(r": cannot be read \(No such file or directory\): check the name")
        self.write(head=HEAD.replace("energy", "heat"))
        self.refused(":1: no column energy: ./lab run PART NAME ... --log FILE.csv writes one that has it")
        Path(self.file).write_bytes(b"")
        self.refused(":1: no column iteration: .*")
        self.write(ROWS[:1])
        self.refused(": fewer than two rows, but a change needs two: write more by ./lab run PART NAME ... -i 100 --log \S+$")
        self.write([*ROWS, ROWS[0][:5]])
        self.refused(":5: 5 cells, but 13 columns: remove that line, or run again")
        for word, shown in (("nan", "'nan'"), ("", "''"), ("much", "'much'")):
            self.write([ROWS[0], (*ROWS[1][:3], word, *ROWS[1][4:])])
            self.refused(f":3: energy is {shown}, not a finite number")

    def test_colours_and_bytes(self):
        self.write()
        first, second = self.draw().bytes_of("svg"), self.draw().bytes_of("svg")
        self.assertEqual(first, second)
        self.assertEqual(strange_colours(first), set())


if __name__ == "__main__":
    unittest.main()
