"""Are the rows of a profile added up by kind? Uses a fake program instead of one for a GPU."""

import subprocess

from nbody_lab.draw.pictures import can_draw
from nbody_lab.studies.copies import SIZES, shares
from tests import as_program
from tests.folder_for_tests import InFolder

PROFILE = """  what                       calls  ms in all    share  us each
  accelerations                  8      1.000  30.10 %   125.00
  step kernel                    8      1.000  12.34 %   125.00
  copy to the GPU                8      1.000  20.56 %   125.00
  copy back                      8      1.000   0.50 %   125.00
  cudaMalloc                     8      1.000   3.00 %   125.00
  the rest: host code, launches          1.000  33.50 %
  wall clock                            8.000 100.00 %
  kernels and copies are timed by GPU events around each
"""
# Writes its time to the file after --json and prints its profile; fails above `most` bodies.
PROGRAM = """#!/bin/sh
for word; do
  if [ "$last" = --json ]; then echo '{{"wall_s": 0.5}}' >"$word"; fi
  if [ "$last" = -n ] && [ "$word" -gt {most} ]; then echo 'no memory' >&2; exit 3; fi
  last=$word
done
cat <<'END'
{profile}END
"""


class StudyCopiesTest(InFolder):
    def setUp(self):
        super().setUp()
        self.put_program()

    def put_program(self, most=10**9):
        self.put("bin/part3/naive", PROGRAM.format(profile=PROFILE, most=most), executable=True)

    def study(self, *options):
        return subprocess.run(
            [
                *as_program("studies.copies", "study"),
                "part3",
                "naive",
                self.folder,
                "A GPU",
                *options,
            ],
            capture_output=True,
            text=True,
            check=False,
        )

    def test_shares(self):
        for got, wanted in zip(shares(PROFILE), (21.06, 42.44, 3.0, 33.5)):
            self.assertAlmostEqual(got, wanted)

    def test_table(self):
        done = self.study()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = done.stdout.splitlines()
        self.assertRegex(
            lines[0], r"^part3/naive, adaptive step, % of the wall clock; A GPU; \d{4}-\d\d-\d\d$"
        )
        self.assertEqual(lines[1], "         N    copies   kernels   allocations    host, launches")
        self.assertEqual(lines[2], "       256     21.06     42.44          3.00             33.50")
        self.assertEqual([int(line.split()[0]) for line in lines[2:]], SIZES)

    def test_plot(self):
        folder = self.folder / "a/plot"
        done = self.study("--plot", folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(str(folder), done.stdout.splitlines()[-1])
        self.assertIn((folder / "copies.txt").read_text(encoding="utf-8"), done.stdout)
        if can_draw():
            self.assertIn("kernels", (folder / "copies.svg").read_text(encoding="utf-8"))
        else:
            self.assertIn("./lab setup --pictures", done.stdout.splitlines()[-1])

    def test_what_is_wrong_is_one_line(self):
        (self.folder / "file").write_text("")
        for options, said in {
            (
                "--fast",
            ): "the study copies has no option '--fast'; its only option is --plot FOLDER",
            ("--plot",): "--plot needs a folder",
            (
                "--plot",
                self.folder / "file",
            ): f"--plot {self.folder}/file cannot be written: File exists",
        }.items():
            done = self.study(*options)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"lab: {said}\n"))

    def test_a_program_that_stops(self):
        self.put_program(most=1024)
        done = self.study()
        self.assertEqual(
            (done.returncode, done.stdout, done.stderr),
            (2, "", "lab: part3/naive stopped: no memory\n"),
        )
