"""compare_likwid.py reads what likwid-bench prints, and compares like with like; nothing is measured."""

import unittest

import compare_likwid

# Printed by likwid-bench 5.2.2, -t peakflops_avx_fma -W N:16kB:1, shortened.
SAID = """Test: peakflops_avx_fma
Using 1 threads
Time:			1.297911e+00 sec
Number of Flops:	62914560000
MFlops/s:		48473.72
Data volume (Byte):	16777216000
MByte/s:		12926.33
"""


class CompareTest(unittest.TestCase):
    def test_what_it_prints_is_read(self):
        self.assertAlmostEqual(compare_likwid.said_in(SAID, "flop/s"), 48473.72e6)
        self.assertAlmostEqual(compare_likwid.said_in(SAID, "byte/s"), 12926.33e6)
        with self.assertRaisesRegex(ValueError, "Unknown test"):
            compare_likwid.said_in("Running without Marker API.\nUnknown test nope\n", "flop/s")

    def test_only_sets_of_this_processor_and_levels_by_the_widest(self):
        pairs = list(compare_likwid.pairs_of({"simd": ["sse2", "avx", "avx2", "fma"], "cores": 4}))
        self.assertEqual({pair.threads for pair in pairs}, {1, 4})
        self.assertEqual({pair.instruction_set for pair in pairs}, {"scalar", "sse2", "avx2"})
        by_name = {pair.name: pair for pair in pairs}
        self.assertEqual(by_name["avx2 fma float"].test, "peakflops_sp_avx_fma")
        self.assertEqual(by_name["scalar mul_add double"].test, "peakflops")
        self.assertEqual(by_name["DRAM triad"][1:4], ("stream_avx", "avx2", "triad//DRAM"))

    def test_both_sides_are_the_best_of_all_rounds(self):
        pair = compare_likwid.Pair("L1 load", "load_avx", "avx2", "load//L1", 1)
        ours = [
            {"best": best, "median": best / 2, "unit": "byte/s", "array_bytes": 24576}
            for best in (8e9, 9e9, 7e9)
        ]
        (row,) = compare_likwid.summary_of({pair: list(zip(ours, (1e9, 6e9, 10e9)))})
        self.assertEqual((row["ours_per_s"], row["likwid_per_s"], row["ratio"]), (9e9, 10e9, 0.9))
        self.assertNotIn("apart", compare_likwid.shown(row))
        self.assertIn("more than 10 % apart", compare_likwid.shown({**row, "ratio": 1.2}))
