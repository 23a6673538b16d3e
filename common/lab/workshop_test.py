#!/usr/bin/env python3
"""What the workshop knows of the manifest, and when it reads it."""

import json
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))
import workshop  # noqa: E402


def manifest_of(*names):
    return json.dumps({"version": 2, "parts": [], "implementations": [{"part": "part1", "name": name, "kind": "mine"} for name in names]})


class WorkshopTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.lab = workshop.Workshop()
        self.lab.part, self.lab.manifest = "part1", Path(folder.name, "manifest.json")

    def test_read_once_for_each_change(self):
        self.lab.manifest.write_text(manifest_of("mine"), encoding="utf-8")
        with mock.patch.object(workshop, "Manifest", wraps=workshop.Manifest) as reading:
            for _ in range(3):
                self.assertEqual(self.lab.names(), ["mine"])
            self.assertEqual(reading.call_count, 1)
            self.lab.manifest.write_text(manifest_of("mine", "mine_fused"), encoding="utf-8")
            self.assertEqual(self.lab.names(), ["mine", "mine_fused"])
            self.assertEqual(reading.call_count, 2)

    def test_nothing_is_known_where_there_is_none(self):
        self.assertEqual(self.lab.names(), [])
        self.lab.manifest.write_text("no manifest", encoding="utf-8")
        self.assertEqual(self.lab.names(), [])
        self.lab.manifest.write_text(manifest_of("mine"), encoding="utf-8")
        self.assertEqual(self.lab.names(), ["mine"])
        self.lab.manifest.unlink()
        self.assertEqual(self.lab.names(), [])


if __name__ == "__main__":
    unittest.main()
