"""The energy study: its runs, and its results from their logs."""

import json
import sys

from nbody_lab.studies import energy as study_energy
from nbody_lab.studies.energy import Experiment
from tests.folder_for_tests import InFolder

TWO = Experiment(
    "two bodies", ["--scene", "two-body"], 10, ["kdk", "rk4"], ["double"], [400, 800], False, True
)
# A fake simulator: the error in its log is the square of its step.
PROGRAM = """#!{python}
import sys
words = sys.argv[1:]
option = lambda name: words[words.index(name) + 1]
if option("--integrator") == "hermite4":
    sys.exit("no jerk")
error = float(option("--dt")) ** 2 if "--dt" in words else float("nan")
with open(option("--log"), "w") as log:
    log.write("iteration,time,dt,energy,force_evaluations,wall_s\\n0,0,0,-2,0,0\\n")
    log.write(f"{{option('-i')}},10,1,{{-2 + 2 * error!r}},{{option('-i')}},0.5\\n")
"""


class EnergyStudy(InFolder):
    def setUp(self):
        super().setUp()
        self.program = self.put("naive", PROGRAM.format(python=sys.executable), executable=True)

    def rows(self, experiment=TWO):
        return study_energy.measure(
            {"double": self.program}, [experiment], lambda scheme: scheme != "hermite4"
        )

    def test_all_schemes_get_as_many_evaluations(self):
        words = study_energy.words_of(TWO, "rk4", 400)
        self.assertEqual(words[words.index("-i") + 1], "100")
        self.assertEqual(words[words.index("--dt") + 1], "0.1")

    def test_errors_and_orders(self):
        rows = self.rows()
        self.assertEqual([row["scheme"] for row in rows], ["kdk", "kdk", "rk4", "rk4"])
        self.assertAlmostEqual(rows[0]["largest_error"], 0.025**2)
        self.assertEqual(rows[0]["times"], [10.0])
        self.assertEqual(study_energy.order_of(rows[:2]), "2.0")
        self.assertIn(
            "  kdk                      400     6.2e-04           800     1.6e-04    2.0       0.5\n",
            study_energy.table(rows),
        )

    def test_what_is_not_finite_is_null(self):
        rows = self.rows(TWO._replace(adaptive=True))
        self.assertIsNone(rows[0]["largest_error"])
        json.dumps(rows, allow_nan=False)
        self.assertIn("not finite", study_energy.table(rows))

    def test_a_program_without_jerk_has_no_hermite(self):
        self.assertFalse(study_energy.has_jerk(self.program))
        self.assertEqual(
            {row["scheme"] for row in self.rows(TWO._replace(schemes=["kdk", "hermite4"]))}, {"kdk"}
        )
