"""Reads count files: this lab's, and older ones without the integrators' functions."""

import json

from nbody_lab import ROOT
from nbody_lab.notebook.file import InputError
from nbody_lab.worksheet.counts import FOR_INTEGRATORS, FORCES, Counted
from tests.folder_for_tests import InFolder


def flops(n2, n, over=1, constant=0):
    return {"flops": {"polynomial": {"n2": n2, "n": n, "1": constant, "over": over}, "counted": {}}}


class CountsTest(InFolder):
    def counted(self, work):
        (self.folder / "mine_count.json").write_text(json.dumps({"work": work}), encoding="utf-8")
        return Counted(self.folder)

    def test_each_function_has_its_own(self):
        counted = self.counted(
            {
                FORCES: flops(7, -7),
                "kick": flops(0, 6),
                "drift": flops(0, 6, constant=3),
                "accelerations_and_jerk": flops(1, 1, 2),
            }
        )
        self.assertEqual(counted.at(10, "mine", "flops"), 630)
        self.assertEqual(counted.at(10, "mine", "flops", "kick"), 60)
        self.assertEqual(counted.at(10, "mine", "flops", "drift"), 63)
        self.assertEqual(counted.at(10, "mine", "flops", "accelerations_and_jerk"), 55)

    def test_what_only_integrators_need_may_be_missing(self):
        counted = self.counted({FORCES: flops(7, -7)})
        for function in FOR_INTEGRATORS:
            self.assertIsNone(counted.at(10, "mine", "flops", function), function)

    def test_what_everybody_has_may_not(self):
        for work in ({"kick": flops(0, 6)}, {"kick": flops(0, 6), FORCES: 3}, []):
            with self.assertRaises(InputError):
                self.counted(work).at(10, "mine", "flops")

    def test_stored_counts_of_another_machine_are_read(self):
        stored = ROOT / "data/results/part3_counts"
        if not stored.is_dir():
            self.skipTest("no counts of another machine are here")
        counted = Counted(stored)
        self.assertIsNotNone(counted.at(1000, "naive", "add", "update_bodies"))
        for function in FOR_INTEGRATORS:
            self.assertIsInstance(counted.of("naive", function), dict, function)
