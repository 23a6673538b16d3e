"""Counts that are compared with naive's."""

import json
from types import SimpleNamespace

from nbody_lab.programs.counting import needless_work
from tests.folder_for_tests import InFolder


class NeedlessWork(InFolder):
    def setUp(self):
        super().setUp()
        self.lab = SimpleNamespace(build=self.folder, part="part1")
        (self.folder / "bin/part1").mkdir(parents=True)

    def count(self, name, flops):
        """Stores a count of so many flops per interaction."""
        work = {"compute_accelerations": {"flops": {"counted": {"1000": flops * 1000**2}}}}
        (self.folder / f"bin/part1/{name}_count.json").write_text(
            json.dumps({"n": 1000, "work": work})
        )

    def test_is_told_beside_naives(self):
        self.count("naive", 27)
        self.count("mine", 427)
        self.assertIn(
            "note: 427 flops per interaction where naive has 27", needless_work(self.lab, "mine")
        )
        self.count("mine", 40)
        self.assertEqual(needless_work(self.lab, "mine"), "")

    def test_is_not_known_without_counts(self):
        self.assertEqual(needless_work(self.lab, "mine"), "")
        self.count("mine", 427)
        (self.folder / "bin/part1/naive_count.json").write_text("{}")
        self.assertEqual(needless_work(self.lab, "mine"), "")
