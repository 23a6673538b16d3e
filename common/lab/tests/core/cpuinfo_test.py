"""Which program of an implementation runs here, and would the launcher choose the same?"""

import re
import unittest

from nbody_lab import ROOT
from nbody_lab.core.cpuinfo import FEATURES, best_program, features_of_processor

LAUNCHER = ROOT / "common/simulator/launcher.cpp"
PROGRAMS = [
    {"precision": precision, "instruction_set": name, "program": f"{name}_{precision}"}
    for precision in ("float", "double")
    for name in ("sse2", "avx2", "avx512")
]
ZEN2 = {"sse2", "avx2", "fma"}


class Test(unittest.TestCase):
    def test_the_best_that_the_processor_has(self):
        self.assertEqual(best_program(PROGRAMS, features=ZEN2)["program"], "avx2_float")
        self.assertEqual(best_program(PROGRAMS, "double", features=ZEN2)["program"], "avx2_double")
        self.assertEqual(
            best_program(PROGRAMS, features=ZEN2 | set(FEATURES["avx512"].split()))["program"],
            "avx512_float",
        )
        self.assertIsNone(best_program(PROGRAMS, features={"asimd"}))

    def test_the_one_that_is_asked_for(self):
        self.assertEqual(best_program(PROGRAMS, "float", "sse2", ZEN2)["program"], "sse2_float")
        self.assertIsNone(best_program(PROGRAMS, "float", "neon", ZEN2))

    def test_a_program_without_an_instruction_set_always_runs(self):
        self.assertEqual(
            best_program(
                [{"precision": "float", "instruction_set": "", "program": "naive"}], features=set()
            )["program"],
            "naive",
        )

    def test_features_of_both_kinds_of_processors(self):
        self.assertEqual(
            features_of_processor("model name\t: x\nflags\t\t: fpu sse2\n"), {"fpu", "sse2"}
        )
        self.assertEqual(features_of_processor("Features\t: fp asimd\n"), {"fp", "asimd"})
        self.assertEqual(features_of_processor("nothing"), set())

    def test_the_launcher_asks_for_the_same_features(self):
        self.assertEqual(
            dict(re.findall(r'\{"(\w+)", "([\w ]+)"\}', LAUNCHER.read_text(encoding="utf-8"))),
            FEATURES,
        )
