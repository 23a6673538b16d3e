#!/usr/bin/env python3
"""Either the GPU's rows join those of the processor, or nothing changes; bin/devices is a fake."""

import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders  # noqa: E402, F401
from gpu_ceilings import add_gpu_rows  # noqa: E402
from messages import Failure  # noqa: E402

PROCESSOR = {"where": "cpu", "name": "AVX2 + FMA"}
GPU = {"where": "gpu 0", "device": "Abacus", "name": "FP32 FMA"}
DEVICES = f"""#!{sys.executable}
import json, sys
assert sys.argv[1:3] == ["--measure", "--json"]
print("a table")
if STATUS == 0:
    json.dump({{"devices": [], "ceilings": [{GPU}]}}, open(sys.argv[3], "w"))
sys.exit(STATUS)
"""


class GpuCeilingsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = Path(folder.name)
        self.document = {"ceilings": [PROCESSOR]}

    def add(self, gpu="Abacus", status=0):
        program = self.build / "bin/devices"
        program.parent.mkdir(exist_ok=True)
        program.write_text(DEVICES.replace("STATUS", str(status)), encoding="utf-8")
        program.chmod(0o755)
        return add_gpu_rows(SimpleNamespace(build=self.build, gpu=lambda: gpu), self.document)

    def test_rows_are_appended(self):
        self.assertEqual(self.add(), 1)
        self.assertEqual(self.document, {"ceilings": [PROCESSOR, GPU]})

    def test_without_a_gpu_nothing_is_run(self):
        self.assertEqual(self.add(gpu="", status=1), 0)
        self.assertEqual(self.document, {"ceilings": [PROCESSOR]})

    def test_what_fails_leaves_the_document_as_it_was(self):
        with self.assertRaises(Failure) as failed:
            self.add(status=2)
        self.assertEqual(failed.exception.status, 2)
        self.assertEqual(self.document, {"ceilings": [PROCESSOR]})


if __name__ == "__main__":
    unittest.main()
