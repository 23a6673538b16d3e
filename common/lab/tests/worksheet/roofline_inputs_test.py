"""The inputs of a roofline: counts from polynomials, speeds judged by bench; a bad file gets one line."""

import json
import os

from nbody_lab import ROOT
from nbody_lab.core.results import Limit
from nbody_lab.worksheet.roofline_inputs import (
    NoInput,
    limits_of_loop,
    pow_seconds,
    read_ceilings,
    read_json,
    read_roofline,
    speeds_of,
    work_of,
)
from tests.folder_for_tests import InFolder
from tests.roofline import roofline_for_tests as made

RESULTS = ROOT / "data/results"


class Inputs(InFolder):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "x.json"

    def write(self, data):
        self.file.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
        return self.file

    def refused(self, read, data, words):
        with self.assertRaises(NoInput) as fault:
            read(self.write(data))
        self.assertIn(words, str(fault.exception))
        self.assertNotIn("\n", str(fault.exception))

    def test_counts_by_polynomial_and_without(self):
        entry = {"polynomial": {"n2": 1, "n": 5, "1": 0, "over": 2}, "counted": {}}
        none = {"polynomial": None, "counted": {"512": 512 * 512, "1024": 2 * 1024 * 1024}}
        classes = {**{key: entry for key, _ in made.NAIVE if key != "shared_loads"}, "stores": none}
        work = work_of(self.write({"work": {"fixed_step": classes}}), 1000)
        self.assertAlmostEqual(work["add"], (1e6 + 5000) / 2 / 1e6)
        self.assertEqual((work["stores"], work["shared_loads"]), (2.0, 0.0))

    def test_counts_of_the_gpu_that_are_kept(self):
        work = work_of(RESULTS / "part3_counts/naive_count.json", 131072)
        self.assertAlmostEqual(work["flops"], 21, 3)
        self.assertAlmostEqual(work["loads"], 7, 3)

    def test_speeds_as_the_bench_judges_them(self):
        def row(name, verdict="right", **more):
            return {
                "name": name,
                "precision": "float",
                "threads": 1,
                "verdict": verdict,
                "interactions_per_s": {"median": 2.0},
                **more,
            }

        rows = [
            row("a", fastest_interactions_per_s=3.0),
            row("b"),
            row("race", "wrong"),
            {**row("a"), "threads": 2},
            {**row("a"), "precision": "double"},
        ]
        self.assertEqual(
            speeds_of({"summary": rows}, "float", 1), ({"a": 3.0, "b": 2.0}, {"race": "wrong"})
        )

    def test_what_the_bound_found(self):
        bound = {
            "precision": "float",
            "interactions_per_iteration": 16,
            "chain_cycles": 4.0,
            "clock_hz": 2e9,
        }
        program = self.file.with_name("program")
        self.assertEqual(limits_of_loop(self.file, "float", program, 1e9), [])
        self.write(bound)
        self.assertEqual(
            limits_of_loop(self.file, "float", program, 1e9),
            [Limit(name="latency", interactions_per_s=8e9)],
        )
        self.assertEqual(
            limits_of_loop(self.file, "float", program, 1e9, threads=2)[0].interactions_per_s,
            16e9,
        )
        self.assertEqual(
            limits_of_loop(self.file, "float", program, 1e9, threads=0)[0].interactions_per_s,
            8e9,
        )
        self.assertEqual(limits_of_loop(self.file, "double", program, 1e9), [])
        program.write_text("")
        os.utime(program, (self.file.stat().st_mtime + 10,) * 2)  # compiled since then
        self.assertEqual(limits_of_loop(self.file, "float", program, 1e9), [])

    def test_what_the_bound_found_is_of_this_program(self):
        self.write(
            {
                "precision": "float",
                "interactions_per_iteration": 4,
                "chain_cycles": 4.0,
                "clock_hz": 2e9,
                "program": "bin/part2/newton_sse2",
            }
        )
        build = self.file.parent
        self.assertEqual(
            len(limits_of_loop(self.file, "float", build / "bin/part2/newton_sse2", 1e9)), 1
        )
        self.assertEqual(
            limits_of_loop(self.file, "float", build / "bin/part2/newton_avx512", 1e9), []
        )

    def test_a_gpu_issues_so_many_instructions(self):
        self.write(
            {
                "precision": "float",
                "interactions_per_iteration": 4,
                "chain_cycles": None,
                "limit": "slots",
                "bound_interactions_per_s": 2e12,
            }
        )
        self.assertEqual(
            limits_of_loop(self.file, "float", self.file.with_name("program"), 1e9),
            [Limit(name="issuing instructions", interactions_per_s=2e12)],
        )

    def test_the_price_of_pow(self):
        self.assertEqual(pow_seconds(made.ceilings_of_processor(), "float"), 30 / 3e9)
        self.assertEqual(pow_seconds(made.ceilings_of_processor(), "double"), 0)

    def test_files_that_are_no_input(self):
        good = made.ceilings_of_processor().as_json()
        self.assertEqual(read_ceilings(self.write(good)), made.ceilings_of_processor())
        self.refused(read_json, "{", "is not JSON")
        self.refused(
            read_ceilings, {"what": "prices"}, "was not written by ./lab roofline --measure"
        )
        self.refused(read_ceilings, {**good, "version": 2}, "version 2, not 1: measure again")
        row = good["ceilings"][0]
        without = {key: value for key, value in good.items() if key != "prices"}
        for other, key in (
            ({**good, "clock_hz": "fast"}, "clock_hz"),
            ({**good, "clock_hz": 0}, "clock_hz"),
            ({**good, "date": 3}, "date"),
            (without, "prices"),
            ({**good, "machine": []}, "machine"),
            ({**good, "machine": {**good["machine"], "cores": True}}, "machine.cores"),
            ({**good, "ceilings": [row, {**row, "best": None}]}, "ceilings[1].best"),
            ({**good, "ceilings": [7]}, "ceilings[0]"),
            ({**good, "ceilings": [{**row, "best": -1}]}, "ceilings[0].best"),
            (
                {**good, "prices": [{**good["prices"][0], "one_every_cycles": 3}]},
                "prices[0].one_every_cycles",
            ),
        ):
            self.refused(read_ceilings, other, f": {key} ")
        self.refused(
            read_ceilings, {**good, "clock_hz": "fast"}, "measure again (./lab roofline --measure)"
        )
        self.refused(read_roofline, good, "was not written by ./lab roofline PART")
        self.refused(
            read_roofline,
            {**made.roofline_json(), "points": None},
            "points should be a valid tuple",
        )
        self.refused(
            read_roofline,
            {"what": "roofline", "version": 1, "points": [], "ceilings": {}},
            "part is missing: measure again (./lab roofline PART)",
        )
        self.refused(
            read_roofline,
            {**made.roofline_json(), "points": [{}]},
            "points[0].number is missing",
        )
        self.refused(
            lambda file: work_of(file, 10), {"work": {}}, "was not written by a count program"
        )
        with self.assertRaisesRegex(NoInput, "cannot be read: No such file"):
            read_json("/no/such/file")
