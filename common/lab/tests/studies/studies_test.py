"""What a study measures: its own names if they exist, others to compare with, its options."""

import json
import tempfile
import unittest
from pathlib import Path

from nbody_lab.core.manifest import Manifest, ManifestError
from nbody_lab.studies import studies

STUDIES = {
    "block": {"names": ["tiles"], "options": ["--block", "16,32"]},
    "ladder": {"names": [], "options": ["-n", "100"]},
    "processor": {
        "before": [["part1/naive"], ["part2/fast", "part2/mine"]],
        "names": ["naive", "best"],
        "options": ["--threads", "{cores}"],
    },
}


class StudiesTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root, studies.ROOT = studies.ROOT, Path(self.folder.name)
        Path(self.folder.name, "studies.json").write_text(json.dumps(STUDIES), encoding="utf-8")

    def tearDown(self):
        studies.ROOT = self.root
        self.folder.cleanup()

    def manifest(self, *names):
        rows = [{**dict(zip(("part", "name"), name.split("/"))), "kind": "rung"} for name in names]
        parts = [{"name": "part3", "studies": "studies.json"}, {"name": "part1", "studies": ""}]
        file = Path(self.folder.name, "manifest.json")
        file.write_text(
            json.dumps({"version": 2, "parts": parts, "implementations": rows}), encoding="utf-8"
        )
        return Manifest(file)

    def test_names_that_are_there_else_mine(self):
        self.assertEqual(
            studies.plan(self.manifest("part3/tiles"), "part3", "block"),
            (["tiles"], ["--block", "16,32"]),
        )
        self.assertEqual(studies.plan(self.manifest("part3/naive"), "part3", "block")[0], ["mine"])
        self.assertEqual(
            studies.plan(self.manifest("part3/tiles"), "part3", "block", ["mine_a"])[0], ["mine_a"]
        )
        self.assertEqual(studies.plan(self.manifest("part3/tiles"), "part3", "ladder")[0], [])

    def test_others_to_compare_with(self):
        there = ["part1/naive", "part2/fast", "part2/mine", "part3/naive", "part3/best"]
        self.assertEqual(
            studies.plan(self.manifest(*there), "part3", "processor")[0],
            ["part1/naive", "part2/fast", "naive", "best"],
        )
        there.remove("part2/fast")
        self.assertEqual(
            studies.plan(self.manifest(*there), "part3", "processor")[0],
            ["part1/naive", "part2/mine", "naive", "best"],
        )

    def test_no_such_study(self):
        with self.assertRaisesRegex(
            ManifestError, "bench part3 has no study 'blocks'; there are block, ladder, processor"
        ):
            studies.plan(self.manifest(), "part3", "blocks")
        with self.assertRaises(ManifestError):
            studies.plan(self.manifest(), "part1", "block")

    def test_the_labs_own_are_well_formed(self):
        for file in self.root.glob("part*_*/studies.json"):
            for name, study in json.loads(file.read_text(encoding="utf-8")).items():
                self.assertLessEqual(
                    set(study), {"question", "comment", "before", "names", "options"}, name
                )
                self.assertIn("names", study)
                self.assertTrue(all(isinstance(option, str) for option in study["options"]), name)
