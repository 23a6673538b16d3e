"""Tests the picture of energy and momenta against the figures of `run` and sums by hand."""

import contextlib
import io
import itertools
import math
import shutil
import tempfile
import unittest
from pathlib import Path

import numpy as np

from nbody_lab import ROOT
from nbody_lab.draw import energy, sheet
from nbody_lab.draw.body_files import Series, State
from nbody_lab.draw.energy_log import energy_of_log, read_log
from nbody_lab.export.body_text import BadFile, Setting
from tests.draw.runs_for_tests import RunFolder, circle, strange_colours

# ./lab run part1 naive --scene six --soft 0.5 --dt 0.01 -i 200 --precision double: energy changed by +3.18e-02
SIX_AT_0 = [
    (
        6.09905434,
        0.121981084,
        2.45781755,
        4.71002769,
        -0.556407809,
        -0.111470595,
        0.525788784,
        0.754697382,
    ),
    (
        5.70760441,
        0.114152089,
        -2.1449132,
        2.93996596,
        -0.958578289,
        0.210840732,
        -0.0901241824,
        0.0601579957,
    ),
    (
        4.92368841,
        0.0984737724,
        -3.32965016,
        1.45334637,
        3.1535058,
        0.363409936,
        0.768649101,
        -0.868079603,
    ),
    (
        1.73273194,
        0.0346546359,
        -0.0412004851,
        -3.76891112,
        -2.13088655,
        -0.904197633,
        0.031039793,
        0.427541614,
    ),
    (
        1.39373446,
        0.0278746895,
        4.97747898,
        0.978521705,
        0.865951419,
        -0.205661491,
        -0.12202654,
        -0.493453711,
    ),
    (
        5.76781654,
        0.115356334,
        0.436707884,
        2.48235321,
        3.18033504,
        0.337146938,
        0.723656595,
        0.416358501,
    ),
]
SIX_AT_200 = [
    (
        6.09905434,
        0.121981084,
        1.3483099,
        4.93699546,
        1.50035265,
        -1.25738012,
        -0.576537016,
        1.45291164,
    ),
    (
        5.70760441,
        0.114152089,
        -1.26169291,
        2.94671011,
        0.709967677,
        0.484983325,
        1.42495406,
        2.25869994,
    ),
    (
        4.92368841,
        0.0984737724,
        -1.13259582,
        3.27130139,
        0.28835606,
        2.29590074,
        -0.291934581,
        -2.45425825,
    ),
    (
        1.73273194,
        0.0346546359,
        -1.84007605,
        -3.04304995,
        -0.999845729,
        -0.856547196,
        0.73271064,
        0.697797983,
    ),
    (
        1.39373446,
        0.0278746895,
        3.5569625,
        1.38643146,
        0.00370104283,
        -1.27652261,
        0.592140371,
        -0.279748007,
    ),
    (
        5.76781654,
        0.115356334,
        0.577699821,
        4.02006028,
        2.75292198,
        -0.127636393,
        0.912028526,
        -1.2763333,
    ),
]
# ./lab run part1 naive -f data/in/earth_moon_sun.dat -i 4380 --precision double: energy changed by +2.26e-03
MOON_AT_4380 = [
    (
        1.98854692e30,
        695700000,
        -82737.6901,
        456044.707,
        -0.130972782,
        -0.0875630264,
        -0.0156830248,
        3.38525001e-09,
    ),
    (
        5.97258004e24,
        6371008.4,
        2.72067167e10,
        -1.49990459e11,
        424692.052,
        28795.0464,
        5148.99983,
        0.712447165,
    ),
    (
        7.34629556e22,
        1737400,
        2.7680432e10,
        -1.50229156e11,
        -30982441.8,
        29163.917,
        5902.52704,
        -58.0139937,
    ),
]


def state_of(records, G=1.0, soft=0.0):
    return State(
        "f",
        Setting(G=G, soft=soft, dt=1.0, mdt=0.0),
        np.array(records, dtype=float).ravel(),
    )


def energy_by_hand(records, G, soft):
    kinetic = sum(m * (vx * vx + vy * vy + vz * vz) / 2 for m, _, _, _, _, vx, vy, vz in records)
    return kinetic - sum(
        G * a[0] * b[0] / math.sqrt(sum((a[k] - b[k]) ** 2 for k in (2, 3, 4)) + soft * soft)
        for a, b in itertools.combinations(records, 2)
    )


class Numbers(unittest.TestCase):
    def test_two_bodies_on_circles(self):
        """data/in/two_body.dat: E = -m m / 2r, L = mu r v, P = 0."""
        found = energy.conserved(
            state_of([(0.75, 0, -0.25, 0, 0, 0, -0.25, 0), (0.25, 0, 0.75, 0, 0, 0, 0.75, 0)])
        )
        self.assertEqual(found.energy, -0.1875 / 2)
        self.assertEqual(found.momentum.tolist(), [0, 0, 0])
        self.assertEqual(found.angular_momentum.tolist(), [0, 0, 0.1875])
        self.assertEqual((found.momenta, found.angular_momenta), (0.375, 0.1875))

    def test_tiles_leave_no_pair_out(self):
        """Numbers of bodies around the size of a tile."""
        random = np.random.default_rng(1)
        for count in (1, 2, energy.TILE - 1, energy.TILE, energy.TILE + 1, 2 * energy.TILE + 3):
            records = random.normal(size=(count, 8))
            records[:, 0] = abs(records[:, 0])
            found = energy.conserved(state_of(records, G=3, soft=0.1)).energy
            self.assertAlmostEqual(found / energy_by_hand(records.tolist(), 3, 0.1), 1, delta=1e-12)

    def test_where_everything_is_at_rest_or_zero(self):
        found = energy.relative([energy.conserved(state_of([(*circle(0, 0)[:5], 0, 0, 0)]))] * 2)
        self.assertEqual(
            {name: values.tolist() for name, values in found.items()},
            {"energy": [0, 0], "momentum": [0, 0], "angular momentum": [0, 0]},
        )


class Pictures(unittest.TestCase):
    def setUp(self):
        self.run_ = RunFolder()
        self.addCleanup(self.run_.close)

    def draw(self):
        picture = energy.energy(Series(self.run_.base))
        self.addCleanup(picture.close)
        self.assertEqual(sheet.collisions(picture), [])
        return picture

    def write_six(self):
        for iteration, records in ((0, SIX_AT_0), (200, SIX_AT_200)):
            self.run_.write(iteration, records, "G=1 soft=0.5 dt=0.01", time=iteration / 100)

    def test_says_what_run_said(self):
        self.write_six()
        self.assertEqual(
            self.draw().subtitle,
            "time 0 to 2, N = 6, dt = 0.01, softening 0.5, units of G = 1; energy at the end: +3.18e-02 of its start",
        )

    def test_says_what_run_said_in_si_units(self):
        shutil.copy(ROOT / "data/in/earth_moon_sun.dat", f"{self.run_.base}.0.dat")
        self.run_.write(4380, MOON_AT_4380, "soft=0 dt=3600 mdt=200", time=4380 * 3600.0)
        self.assertEqual(
            self.draw().subtitle,
            "182.5 days, N = 3, dt = 3600 s, no softening; energy at the end: +2.26e-03 of its start",
        )

    def test_sign_and_size(self):
        for k, speed in enumerate((1, 1.1, 0.9, 1.2)):
            self.run_.write(k, [(1, 0, 0, 0, 0, 0, 0, 0), (1e-3, 0, 1, 0, 0, 0, speed, 0)])
        lines = {
            line.get_gid(): line.get_ydata() for axes in self.draw().all_axes for line in axes.lines
        }
        self.assertEqual({"gained", "lost", "momentum", "angular-momentum"}, set(lines))
        self.assertEqual(np.isfinite(lines["gained"]).tolist(), [False, True, False, True])
        self.assertEqual(np.isfinite(lines["lost"]).tolist(), [False, False, True, False])
        self.assertAlmostEqual(lines["gained"][1], 0.21)  # (v^2 - 1) / 2 of |E| = 1/2
        self.assertAlmostEqual(lines["lost"][2], 0.19)
        self.assertAlmostEqual(lines["momentum"][1], 0.1)
        self.assertAlmostEqual(lines["angular-momentum"][3], 0.2)

    def test_nothing_changes(self):
        for k in (0, 1):
            self.run_.write(k, [(1, 0, 0, 0, 0, 0, 0, 0)])
        shown = [text.get_text() for text in sheet.visible_texts(self.draw().figure)]
        self.assertEqual(shown.count("exactly 0 throughout"), 2)

    def test_what_cannot_be_drawn(self):
        self.run_.write(0, SIX_AT_0)
        with self.assertRaisesRegex(
            BadFile,
            r"out\.0\.dat is the only file of \S+, but a change needs at least two: write more with ./lab run PART NAME ... -i 100 -w \S+$",
        ):
            self.draw()
        for k in (0, 1):
            self.run_.write(k, [SIX_AT_0[0], SIX_AT_0[0]])
        with self.assertRaisesRegex(
            BadFile, r"out\.0\.dat: the energy is not finite: two bodies are at the same position"
        ):
            self.draw()

    def test_long_work_says_how_far_it_is(self):
        self.write_six()
        said = io.StringIO()
        patience, energy.PATIENCE = energy.PATIENCE, 0
        self.addCleanup(setattr, energy, "PATIENCE", patience)
        with contextlib.redirect_stderr(said):
            self.draw()
        self.assertIn("energy of 1 of 2 states, about 0 s left\n", said.getvalue())

    def test_colours_and_bytes(self):
        self.write_six()
        first, second = self.draw().bytes_of("svg"), self.draw().bytes_of("svg")
        self.assertEqual(first, second)
        self.assertEqual(strange_colours(first), set())


HEAD = (
    "iteration,time,dt,energy,momentum_x,momentum_y,momentum_z,angular_momentum_x,angular_momentum_y,angular_momentum_z,"
    "smallest_distance,force_evaluations,wall_s"
)
ROWS = (
    (0, 0, 0, -2, 0, 0, 0, 0, 0, 1, 0.5, 0, 0),
    (10, 1, 0.1, -1.98, 3, 4, 0, 0, 0, 1.25, 0.25, 11, 0.1),
    (20, 2, 0.1, -2.02, 0, 0, 1e-3, 0, 0, 1, 2, 21, 0.2),
)


class Log(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = f"{self.folder.name}/six.csv"

    def write(self, rows=ROWS, head=HEAD):
        Path(self.file).write_text(
            "\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n", encoding="utf-8"
        )

    def draw(self):
        picture = energy_of_log(read_log(self.file))
        self.addCleanup(picture.close)
        self.assertEqual(sheet.collisions(picture), [])
        return picture

    def test_numbers(self):
        self.write()
        picture = self.draw()
        self.assertEqual(
            (picture.name, picture.title), ("six_energy", "six: energy and momenta, row by row")
        )
        self.assertEqual(
            picture.subtitle,
            "time 0 to 2, dt = 0.1, 21 force evaluations; energy at the end: -1.00e-02 of its start",
        )
        lines = {
            line.get_gid(): line.get_ydata() for axes in picture.all_axes for line in axes.lines
        }
        for gid, values in (
            ("gained", [np.nan, 0.01, np.nan]),
            ("lost", [np.nan, np.nan, 0.01]),
            ("momentum", [np.nan, 5, 1e-3]),
            ("angular-momentum", [np.nan, 0.25, np.nan]),
            ("smallest-distance", [0.5, 0.25, 2]),
        ):
            np.testing.assert_allclose(lines[gid], values, err_msg=gid)

    def test_an_adaptive_step_and_a_single_body(self):
        self.write(
            [(*row[:2], dt, *row[3:10], "inf", *row[11:]) for row, dt in zip(ROWS, (0, 1e-3, 0.02))]
        )
        picture = self.draw()
        self.assertIn("dt = 0.001 to 0.02,", picture.subtitle)
        self.assertEqual(len(picture.all_axes[2].lines), 0)

    def test_many_bodies_have_no_energy(self):
        self.write([(*row[:3], "", *row[4:10], "", *row[11:]) for row in ROWS])
        picture = self.draw()
        self.assertEqual(picture.title, "six: momenta, row by row")
        self.assertIn("a run with many bodies records no energy", picture.subtitle)
        self.assertEqual(
            [line.get_gid() for axes in picture.all_axes for line in axes.lines],
            ["momentum", "angular-momentum"],
        )

    def test_other_columns_and_another_order_are_fine(self):
        columns = [*HEAD.split(",")[::-1], "mine"]
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
        self.refused(
            ":1: no column energy: ./lab run PART NAME ... --log FILE.csv writes one that has it"
        )
        Path(self.file).write_bytes(b"")
        self.refused(":1: no column iteration: .*")
        self.write(ROWS[:1])
        self.refused(
            r": fewer than two rows, but a change needs two: write more by ./lab run PART NAME ... -i 100 --log \S+$"
        )
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
