"""The compiler study as a student runs it: every compiler here, every set of flags, all results right."""

import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.core.manifest import Manifest
from nbody_lab.studies import compilers as study_compilers
from tests import BUILD

BENCH, MANIFEST = BUILD / "bin/bench", BUILD / "manifest.json"
STUDY = (
    "import sys; from nbody_lab.core.messages import ended; from nbody_lab.studies.compilers import study; "
    f"sys.exit(ended(study, {ROOT!r}, 'part1', {MANIFEST!r}, {BENCH!r}, sys.argv[1:]))".replace(
        "PosixPath", "__import__('pathlib').Path"
    )
)
pytestmark = [pytest.mark.weekly, pytest.mark.timeout(1500)]


class StudyCompilersTest(unittest.TestCase):
    def test_every_compiler_and_every_set_of_flags(self):
        compilers = [compiler for compiler in study_compilers.COMPILERS if shutil.which(compiler)]
        with tempfile.TemporaryDirectory() as folder:
            result = Path(folder, "result.json")
            run = subprocess.run(
                [sys.executable, "-c", STUDY, "--quick", "-n", "200", "--json", result],
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertEqual(run.returncode, 0, run.stderr + run.stdout)
            rows = [line.split() for line in run.stdout.split("\n\n")[1].splitlines()[2:]]
            names = study_compilers.names_to_study(Manifest(MANIFEST), "part1")
            self.assertEqual(
                len(rows), len(names) * len(compilers) * len(study_compilers.FLAG_SETS), run.stdout
            )
            # The student's own file may be wrong.
            self.assertTrue(all(row[-1] == "right" for row in rows if row[0] != "mine"), run.stdout)
            self.assertGreater(
                len(json.loads(result.read_text(encoding="utf-8"))["benchmarks"]), len(rows)
            )
        said = run.stderr.splitlines()
        self.assertEqual(len(said), len(compilers) * len(study_compilers.FLAG_SETS))
        self.assertTrue(all(line.endswith(" s") for line in said), run.stderr)
