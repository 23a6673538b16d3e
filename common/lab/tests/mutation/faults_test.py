"""Every fault still has its place, changes something, and is planted in the programs that Python starts."""

import ast
import subprocess
import sys
import tempfile
import unittest

from tests.mutation import faults


class Faults(unittest.TestCase):
    def test_each_changes_its_function(self):
        for fault in faults.FAULTS:
            text = (faults.LAB / fault.file).read_text(encoding="utf-8")
            changed = ast.unparse(faults.planted(fault, text, fault.file))
            self.assertNotEqual(changed, ast.unparse(ast.parse(text)), faults.name_of(fault))
            compile(changed, fault.file, "exec")

    def test_each_has_a_name_of_its_own_and_a_test_that_may_find_it(self):
        names = [faults.name_of(fault) for fault in faults.FAULTS]
        self.assertEqual(len(set(names)), len(names))
        for fault, name in zip(faults.FAULTS, names):
            self.assertIs(faults.fault_called(name), fault)
            self.assertTrue(faults.tests_of(fault), name)

    def test_what_is_gone_is_told(self):
        for place, edit in (
            ("core/bench_file.py:nothing", faults.gives("0")),
            ("core/bench_file.py:BenchRow.spread", faults.instead("no_such", "0")),
        ):
            with self.assertRaises(faults.NoSuchPlace):
                faults.planted(
                    faults.row(place, "", edit),
                    (faults.LAB / "core/bench_file.py").read_text(encoding="utf-8"),
                    "bench_file.py",
                )

    def test_programs_have_the_fault(self):
        ask = "from nbody_lab.core.bench_file import BenchRow; print(BenchRow().spread)"
        with tempfile.TemporaryDirectory() as folder:
            env = faults.environment(
                faults.fault_called("core/bench_file.py:BenchRow.spread"), folder
            )
            run = subprocess.run(
                [sys.executable, "-c", ask], env=env, capture_output=True, text=True, check=False
            )
        self.assertEqual((run.stdout, run.stderr), ("0.0\n", ""))
