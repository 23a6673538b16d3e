"""The option --on-cpu: which commands accept it, and what is refused."""

import contextlib
import io
import unittest
from types import SimpleNamespace

from nbody_lab.core.messages import Failure
from nbody_lab.programs import on_cpu

GPU_ONLY = [{"part": "part3", "name": "mine_graph", "why": "CUDA graphs"}]


class FakeLab(SimpleNamespace):
    def __init__(self, **changed):
        known = SimpleNamespace(gpu_only=GPU_ONLY)
        super().__init__(
            **{
                "part": "part3",
                "preset": "release",
                "kernels": True,
                "manifest": known,
                "changed": False,
                **changed,
            }
        )

    def has_kernels(self):
        return self.kernels

    def use_cpu(self):
        self.changed = True

    def known(self):
        return self.manifest

    def step(self, *_):
        pass

    def demand_part(self):
        pass


class OnCpuTest(unittest.TestCase):
    def expect_refused(self, words, function, *arguments):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(Failure):
            function(*arguments)
        self.assertIn(words, said.getvalue())
        self.assertEqual(len(said.getvalue().splitlines()), 1)

    def test_nothing_is_measured(self):
        for command in ("bench", "try", "profile", "roofline", "count"):
            self.expect_refused(
                "--on-cpu is for check and run only",
                on_cpu.demand_command,
                command,
                ["part3", "mine", "--on-cpu"],
            )
        for command, words in (
            ("check", ["--on-cpu"]),
            ("run", ["--on-cpu"]),
            ("bench", ["part3"]),
        ):
            on_cpu.demand_command(command, words)

    def test_it_may_stand_anywhere(self):
        self.assertEqual(on_cpu.taken_from(["mine", "--on-cpu", "-v"]), (True, ["mine", "-v"]))
        self.assertEqual(on_cpu.taken_from(["mine"]), (False, ["mine"]))

    def test_programs_of_their_own(self):
        lab = FakeLab()
        on_cpu.begin(lab, ["mine"])
        self.assertTrue(lab.changed)

    def test_what_cannot_run_so_is_refused(self):
        self.expect_refused(
            "part3/mine_graph uses CUDA graphs", on_cpu.begin, FakeLab(), ["mine_graph"]
        )
        self.expect_refused(
            "part1 has none", on_cpu.begin, FakeLab(part="part1", kernels=False), ["mine"]
        )
        self.expect_refused(
            "kernels cannot run on the CPU here", on_cpu.begin, FakeLab(manifest=None), ["mine"]
        )

    def test_patience_unless_somebody_has_less(self):
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(on_cpu.how_to_check(["-v"]), on_cpu.PATIENCE)
            self.assertEqual(on_cpu.how_to_check(["--timeout", "3"]), [])
