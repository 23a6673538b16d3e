"""Does the rule name the right limit, and does every figure of a point agree with a computation by hand?"""

import json
import unittest
from pathlib import Path
from unittest import mock

from nbody_lab.roofline.ceilings import here
from nbody_lab.roofline.model import (
    WAITING,
    Code,
    NoCeiling,
    arrow,
    compulsory_bytes,
    limiter,
    limits_of,
    lowest_limit,
    plain_code,
    point,
)
from tests.roofline import roofline_for_tests as made
from tests.roofline import roofline_limits_test

CPU = made.ceilings_of_processor()[
    "ceilings"
]  # 3 GHz; per cycle 2 loads, 2 additions, 1/4 root, 1/4 division, 1 estimate
GPU = here(made.ceilings_like_h200()["ceilings"], "gpu 0")


def limits(work, code=plain_code("scalar"), ceilings=CPU, precision="float", threads=1):
    return {
        limit["name"]: limit["interactions_per_s"]
        for limit in limits_of(ceilings, work, code, precision, threads)
    }


class Limits(unittest.TestCase):
    def near(self, got, wanted):
        self.assertEqual(set(got), set(wanted))
        for name, rate in wanted.items():
            self.assertAlmostEqual(got[name] / rate, 1, 6, name)

    def test_scalar_by_hand(self):
        # 7 divisions and a root of 4 cycles each; 9 + 10 operations, two per cycle; 14 loads, two per cycle.
        self.near(
            limits(made.NAIVE),
            {
                "square root and division": 3e9 / 32,
                "adding and multiplying": 3e9 / 9.5,
                "loads from L1": 3e9 / 7,
            },
        )

    def test_wide_and_fused_by_hand(self):
        # 9 of the 11 products can be fused with additions: 11 instructions, two per cycle, for 16 lanes.
        self.near(
            limits(made.NEWTON, plain_code("avx512f")),
            {
                "adding and multiplying": 16 * 3e9 / 5.5,
                "estimate of 1/sqrt": 16 * 3e9,
                "loads from L1": 16 * 3e9 / 2,
            },
        )

    def test_all_threads_and_double(self):
        self.near(
            limits(made.FUSED, threads=2),
            {name: 2 * rate for name, rate in limits(made.FUSED).items()},
        )
        double = limits(made.NEWTON, plain_code("avx512f"), precision="double")
        self.assertAlmostEqual(double["estimate of 1/sqrt"] / (8 * 3e9), 1)

    def test_stores_have_ports_of_their_own(self):
        # A copy moves 10 bytes per cycle, half of them stored: storing 4 numbers of 4 bytes takes 3.2 cycles, loading
        # them 2.
        self.near(limits(made.work(loads=4, stores=4)), {"loads from L1": 3e9 / 3.2})

    def test_the_machine_code_knows_better(self):
        # Three of the divisions share an instruction of four lanes.
        units = {
            ("div", "scalar"): 1,
            ("div", "sse2"): 4,
            ("sqrt", "scalar"): 1,
            ("arithmetic", "sse2"): 16,
        }
        got = limits(made.NAIVE, Code("sse2", False, units, 1e-9))
        self.near(
            got,
            {
                "square root and division": 3e9 / 12,
                "adding and multiplying": 3e9 / 2,
                "calls of pow": 1e9,
                "loads from L1": 4 * 3e9 / 7,
            },
        )

    def test_threads_share_calls_and_instructions(self):
        code = Code("scalar", False, {("arithmetic", "scalar"): 19}, 1e-9, 1e-8)
        one, two = (limits(made.NAIVE, code, threads=threads) for threads in (1, 2))
        for name, rate in (("calls of pow", 1e9), ("issuing instructions", 1e8)):
            self.assertAlmostEqual(one[name] / rate, 1)
            self.assertAlmostEqual(two[name] / one[name], 2)

    def test_what_the_hot_loop_leaves_to_others_is_counted_by_the_source(self):
        units = {("div", "sse2"): 1, ("sqrt", "sse2"): 1, ("arithmetic", "sse2"): 2}
        got = limits(made.FUSED, Code("sse2", False, units))
        self.assertAlmostEqual(got["adding and multiplying"] / (4 * 3e9 / 8), 1)

    def test_a_gpu_by_hand(self):
        naive = made.work(add=9, mul=10, div=1, sqrt=1, loads=7)
        self.near(
            limits(naive, ceilings=GPU, threads=0),
            {
                "square root and division": 1e12,
                "adding and multiplying": 3e13 / 10,
                "special functions (MUFU)": 4e12 / 2,
                "loads from global memory": 1.2e14 / 28,
            },
        )
        tiles = made.work(rsqrt=1, shared_loads=4)
        self.near(
            limits(tiles, ceilings=GPU, threads=0),
            {"special functions (MUFU)": 4e12, "loads from shared memory": 1.2e14 / 16},
        )

    def test_what_was_not_measured_limits_nothing(self):
        without = [row for row in CPU if row["operation"] != "div"]
        self.assertNotIn("square root and division", limits(made.NAIVE, ceilings=without))


class Rule(unittest.TestCase):
    LIMITS = [{"name": "a", "interactions_per_s": 2e8}, {"name": "b", "interactions_per_s": 1e8}]

    def test_the_lowest_by_name(self):
        self.assertEqual(limiter(0.9e8, self.LIMITS), ("b", 0.9))

    def test_who_gets_little_out_of_it_waits(self):
        self.assertEqual(limiter(0.61e8, self.LIMITS)[0], "b")
        self.assertEqual(limiter(0.59e8, self.LIMITS)[0], WAITING)

    def test_a_roof_of_disturbed_figures_is_marked(self):
        rows = [
            {**row, "is_ceiling": False}
            if row["instruction_set"] == "scalar" and row["kind"] == "flops"
            else row
            for row in CPU
        ]
        for ceilings, marked in ((rows, True), (CPU, False)):
            self.assertEqual(
                point(ceilings, made.FUSED, plain_code("scalar"), 1.9e8, 5000, "float", 1)[
                    "disturbed"
                ],
                marked,
            )

    def test_a_chain_is_a_limit_like_others(self):
        one = point(
            CPU,
            made.FUSED,
            plain_code("scalar"),
            1.9e8,
            5000,
            "float",
            1,
            [{"name": "latency", "interactions_per_s": 2e8}],
        )
        self.assertEqual(one["limiter"], "latency")
        self.assertAlmostEqual(one["share_of_limit"], 0.95)


class Points(unittest.TestCase):
    def point(self, work=made.FUSED, code=plain_code("scalar"), speed=3e8, **more):
        return point(
            CPU,
            work,
            code,
            speed,
            more.get("n", 5000),
            more.get("precision", "float"),
            more.get("threads", 1),
        )

    def test_figures_by_hand(self):
        one = self.point()
        for field, wanted in (
            ("intensity", 18 / 16),
            ("flops_per_s", 5.4e9),
            ("roof_flops_per_s", 6e9),
            ("share_of_roof", 0.9),
            ("compulsory_bytes_per_interaction", 28 / 5000),
            ("compulsory_intensity", 18 * 5000 / 28),
        ):
            self.assertAlmostEqual(one[field] / wanted, 1, 6, field)
        self.assertEqual(
            (one["bound_by"], one["limiter"], one["above_roof"]),
            ("computing", "square root and division", False),
        )
        self.assertAlmostEqual(lowest_limit(one) / (3e9 / 8 * 18), 1)

    def test_double_moves_twice_as_much(self):
        self.assertEqual(compulsory_bytes(100, "double"), 0.56)
        self.assertAlmostEqual(self.point(precision="double")["intensity"], 18 / 32)

    def test_left_of_the_ridge_memory_decides(self):
        one = self.point(made.work(add=1, loads=4), speed=1e9)
        self.assertEqual((one["bound_by"], one["limiter"]), ("memory", "loads from L1"))
        self.assertAlmostEqual(one["roof_flops_per_s"] / 1.5e9, 1)

    def test_above_the_roof_is_said(self):
        self.assertFalse(self.point(speed=6.2e9 / 18)["above_roof"])
        self.assertTrue(self.point(speed=6.4e9 / 18)["above_roof"])

    def test_a_loop_without_memory_is_bound_by_computing(self):
        one = self.point(made.work(fma=1), speed=1e9)
        self.assertEqual((one["intensity"], one["bound_by"]), (None, "computing"))

    def test_without_a_peak_there_is_no_point(self):
        with self.assertRaisesRegex(NoCeiling, "neon in float"):
            self.point(code=plain_code("neon"))

    def test_what_spreads_is_taken_only_where_there_is_nothing_else(self):
        wild = [
            {**row, "best": 9e9, "is_ceiling": False}
            for row in CPU
            if row["name"] == "scalar" and row["precision"] == "float"
        ]
        self.assertEqual(
            point(CPU + wild, made.FUSED, plain_code("scalar"), 3e8, 5000, "float", 1)[
                "roof_flops_per_s"
            ],
            6e9,
        )
        others = [row for row in CPU if row["name"] not in ("scalar", "scalar FMA")]
        self.assertEqual(
            point(others + wild, made.FUSED, plain_code("scalar"), 3e8, 5000, "float", 1)[
                "roof_flops_per_s"
            ],
            9e9,
        )

    def test_the_arrow_leads_from_naive_to_the_best_of_mine(self):
        def names(*points):
            ends = arrow(
                [
                    {"name": name, "kind": kind, "interactions_per_s": speed}
                    for name, kind, speed in points
                ]
            )
            return ends and tuple(end["name"] for end in ends)

        naive, mine, fused, rung = (
            ("naive", "naive", 1),
            ("mine", "mine", 2),
            ("mine_fused", "mine", 3),
            ("best", "rung", 9),
        )
        self.assertEqual(names(naive, mine, fused, rung), ("naive", "mine_fused"))
        self.assertEqual(names(naive, rung), ("naive", "best"))
        self.assertIsNone(names(naive))
        self.assertIsNone(names(mine, rung))


HERE = Path(__file__).resolve().parent
# Stored measurements of loops that were built to hit one limit each; roofline_limits_test.py, weekly, measures them again.
KEPT = json.loads((HERE / "limit_kernels_measured.json").read_text(encoding="utf-8"))


class RuleOnBuiltLoops(unittest.TestCase):
    def found(self):
        return roofline_limits_test.verdicts(KEPT["rows"], KEPT["kernels"], KEPT["chain_seconds"])

    def test_each_loop_hits_what_it_was_built_to_hit(self):
        self.assertEqual(len(self.found()), 5)
        self.assertEqual(roofline_limits_test.problems(self.found()), [])

    def test_another_rule_is_seen(self):
        def highest(_speed, found):
            return max(found, key=lambda one: one["interactions_per_s"])["name"], 1.0

        with mock.patch.object(roofline_limits_test, "limiter", highest):
            self.assertNotEqual(roofline_limits_test.problems(self.found()), [])
