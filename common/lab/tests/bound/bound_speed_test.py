"""Which speeds stand beside a bound: measured here, or stored for the GPU; and why there may be none."""

import contextlib
import io
import json
import subprocess
import unittest
from pathlib import Path
from unittest import mock

from nbody_lab.bound import speed as bound_speed
from nbody_lab.bound.command import parse
from nbody_lab.bound.speed import Gpu, add_speeds_of_gpu, add_speeds_of_processor, gpu_here
from nbody_lab.commands import bound as commands_bound
from nbody_lab.commands.bound import machine_words

HERE = Gpu("A GPU of tests (10 SM, at most 1000 MHz)", "sm_86", 10, 1e9)
KEPT = unittest.skipUnless(
    (bound_speed.ROOT / bound_speed.STORED).exists(), "this tree keeps no speeds of a GPU"
)
FACTS = {"devices": [{"compute_capability": "8.6", "multiprocessors": 10, "clock_hz": 1e9}]}


def bound(name, core="sm_86", precision="float"):
    return {
        "name": name,
        "core": core,
        "precision": precision,
        "cycles_per_interaction": 10.0,
        "cycles_per_iteration": 20.0,
        "full_ports": ["slots"],
        "limit": "slots",
        "slot": 1.0,
        "ports": {"slots": 20.0},
        "front_end_cycles": None,
        "chain_cycles": None,
    }


def row(name, verdict="right", fastest=6e10, threads=1):
    return {
        "name": name,
        "precision": "float",
        "threads": threads,
        "verdict": verdict,
        "interactions_per_s": {"median": 5e10},
        "fastest_interactions_per_s": fastest,
    }


class Lab:
    part, build, manifest = "part3", Path("/nowhere"), Path("/nowhere/manifest.json")
    answers = f"{HERE.name}, built with CUDA 13.0, driver 1"

    def gpu(self):
        return self.answers

    def on_gpu(self):
        return True

    def works(self, _, *words):
        return bound_speed.subprocess.run([str(word) for word in words]).returncode == 0

    begin = demand_part = demand_name = unlock = lambda self, *_: None

    def choose_part(self, _, words):
        return words[1:]

    def row(self, name):
        return {"name": name, "kind": "mine" if name.startswith("mine") else "rung"}

    def source(self, name):
        return Path("/nowhere", f"{name}.cuh")


class Bench:
    """Writes a file of rows where --json says, and remembers its arguments."""

    def __init__(self, rows=(), **context):
        self.data, self.words = {"context": context, "summary": list(rows)}, []

    def __call__(self, words, **_):
        self.words = words
        data = FACTS if words[0].endswith("devices") else self.data
        Path(words[words.index("--json") + 1]).write_text(json.dumps(data))
        return subprocess.CompletedProcess(words, 0, "", "")


class SpeedTest(unittest.TestCase):
    def on_gpu(self, all_found, *words, gpu=HERE, rows=()):
        self.bench = Bench(rows)
        with mock.patch.object(bound_speed.subprocess, "run", self.bench):
            add_speeds_of_gpu(Lab(), all_found, parse(list(words)), gpu)
        return all_found

    def test_the_gpu_that_answers(self):
        with mock.patch.object(bound_speed.subprocess, "run", Bench()):
            self.assertEqual(gpu_here(Lab()), HERE)
        with mock.patch.object(Lab, "answers", ""):
            self.assertIsNone(gpu_here(Lab()))

    def test_a_gpu_that_answers_is_measured(self):
        found, wrong = self.on_gpu(
            [bound("mine"), bound("tiles")], rows=[row("mine"), row("tiles", "WRONG")]
        )
        self.assertEqual(
            (found["bound_interactions_per_s"], found["measured_interactions_per_s"]),
            (10 * 128 * 1e9 / 10, 6e10),
        )
        self.assertEqual((found["machine"], found["why_not_measured"]), (HERE.name, ""))
        self.assertEqual(
            (wrong["measured_interactions_per_s"], wrong["why_not_measured"]),
            (None, "the bench says: WRONG"),
        )
        self.assertEqual(self.bench.words[self.bench.words.index("--device") + 1], HERE.name)

    def test_another_architecture_than_that_of_the_gpu_has_no_speed(self):
        (found,) = self.on_gpu([bound("tiles", "sm_80")])
        self.assertEqual(
            (
                found["bound_interactions_per_s"],
                found["measured_interactions_per_s"],
                self.bench.words,
            ),
            (None, None, []),
        )
        self.assertEqual(
            found["machine"], "no speeds: the code is for sm_80, the GPU here is sm_86"
        )

    def test_without_a_measurement_only_the_bound(self):
        (found,) = self.on_gpu([bound("tiles")], "--no-measure")
        self.assertEqual(
            (
                found["bound_interactions_per_s"],
                found["measured_interactions_per_s"],
                self.bench.words,
            ),
            (1.28e11, None, []),
        )

    @KEPT
    def test_without_a_gpu_the_figures_that_are_kept(self):
        rung, mine, wrong = self.on_gpu(
            [bound(name, "sm_90") for name in ("several_bodies", "mine", "second_barrier")],
            gpu=None,
        )
        self.assertAlmostEqual(rung["bound_interactions_per_s"], 16896 * 1.98e9 / 10)
        self.assertGreater(rung["measured_interactions_per_s"], 1e12)
        self.assertEqual(
            rung["machine"],
            "an NVIDIA H200; speeds from data/results/part3_study_ladder.json, because no GPU answers here",
        )
        self.assertEqual(
            (mine["measured_interactions_per_s"], mine["why_not_measured"]),
            (None, "your own code was never measured on that GPU"),
        )
        self.assertEqual(
            (wrong["measured_interactions_per_s"], wrong["why_not_measured"]),
            (None, "the bench says: wrong, as this exhibit is meant to be"),
        )
        self.assertIn(
            "code for sm_90; an NVIDIA H200; speeds from data/results", machine_words(Lab(), [rung])
        )

    @KEPT
    def test_these_are_of_one_architecture_and_in_float(self):
        (found,) = self.on_gpu([bound("several_bodies", "sm_80")], gpu=None)
        self.assertEqual(
            (found["bound_interactions_per_s"], found["measured_interactions_per_s"]), (None, None)
        )
        self.assertIn("data/results was measured on an NVIDIA H200, sm_90", found["machine"])
        self.assertIn("machine code for sm_80", machine_words(Lab(), [found]))
        (found,) = self.on_gpu([bound("several_bodies", "sm_90", "double")], "--double", gpu=None)
        self.assertIn(
            "data/results/part3_study_ladder.json lacks it in double", found["why_not_measured"]
        )

    def looked_into(self, *words, gpu=HERE):
        """(architecture, stored files) of ./lab bound part3 tiles."""
        asked = {
            "gpu_here": gpu,
            "demand_programs": None,
            "add_speeds_of_gpu": None,
            "write": None,
            "text_of": "",
            "look_at_all": [bound("tiles")],
        }
        with contextlib.ExitStack() as stack:
            made = {
                name: stack.enter_context(
                    mock.patch.object(commands_bound, name, return_value=value)
                )
                for name, value in asked.items()
            }
            stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
            commands_bound.bound(Lab(), ["part3", "tiles", *words])
        return made["look_at_all"].call_args[0][3], [
            call[0][0].name for call in made["write"].call_args_list
        ]

    def test_the_command_looks_at_code_for_the_gpu_that_answers(self):
        self.assertEqual(self.looked_into(), ("sm_86", ["part3_tiles.json"]))
        self.assertEqual(self.looked_into(gpu=None), ("sm_90", ["part3_tiles.json"]))
        self.assertEqual(self.looked_into("--arch", "sm_80"), ("sm_80", []))
        self.assertEqual(self.looked_into("--kernel", "tile"), ("sm_86", []))

    def test_on_the_processor_the_fastest_of_one_thread_that_is_right(self):
        all_found = [bound(name, "Zen 4") for name in ("newton", "race", "lost")]
        bench = Bench(
            [
                row("newton_avx2", fastest=2e8),
                row("newton_avx2", fastest=9e8, threads=2),
                row("race", "WRONG"),
            ],
            clock_hz=4e9,
        )
        with mock.patch.object(bound_speed.subprocess, "run", bench):
            add_speeds_of_processor(Lab(), all_found, parse(["--arch", "avx2"]))
        self.assertEqual(
            [found["measured_interactions_per_s"] for found in all_found], [2e8, None, None]
        )
        self.assertEqual(
            [found["why_not_measured"] for found in all_found],
            ["", "the bench says: WRONG", "the bench says: no result"],
        )
        self.assertEqual(
            (all_found[0]["bound_interactions_per_s"], all_found[0]["machine"]), (4e8, "")
        )
        self.assertFalse(any(found["busy_machine"] for found in all_found))
        bench = Bench([{**row("newton_avx2", fastest=2e8), "busy_machine": True}], clock_hz=4e9)
        with mock.patch.object(bound_speed.subprocess, "run", bench):
            add_speeds_of_processor(Lab(), all_found, parse(["--arch", "avx2"]))
        self.assertEqual([found["busy_machine"] for found in all_found], [True, False, False])
