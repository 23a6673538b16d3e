"""Does the doctor's page fit one screen and report what is there, even if almost nothing is?"""

import os
import subprocess
import sys
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.hardware import doctor
from tests.folder_for_tests import InFolder

DOCTOR = "import sys, pathlib; from nbody_lab.hardware.doctor import lines; print(*lines(pathlib.Path(sys.argv[1])), sep=chr(10))"
NAMES = [
    "lab",
    "system",
    "processor",
    "load",
    "memory, disk",
    "compilers",
    "CMake, Ninja",
    "CUDA, GPU",
    "packages",
    "built",
    "threads",
]


class DoctorTest(InFolder):
    def setUp(self):
        super().setUp()
        packages = self.folder / "common/setup/packages.txt"
        packages.parent.mkdir(parents=True)
        packages.write_text(
            "[needed]\npython3 tool:python3  # it runs\nlibnone-dev header:no/such.hpp  # none: text\n"
            "[wanted]\nother tool:no-such-tool\n"
        )

    def ask(self, **environment):
        done = subprocess.run(
            [sys.executable, "-c", DOCTOR, self.folder],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, **environment},
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return {
            line.split("  ")[0].strip(): line.split("  ", 1)[1].strip()
            for line in done.stdout.splitlines()
        }

    def test_one_screen(self):
        self.assertEqual(list(self.ask()), NAMES)

    def test_packages(self):
        rows = self.ask(PATH=os.environ["PATH"] + os.pathsep + str(Path(sys.executable).parent))
        self.assertEqual(rows["packages"], "1 of 2 installed; missing: libnone-dev (./lab setup)")

    def test_built_and_threads(self):
        self.assertEqual(self.ask()["built"], "nothing yet")
        for preset in ("release", "debug"):
            manifest = self.folder / "build" / preset / "manifest.json"
            manifest.parent.mkdir(parents=True)
            manifest.write_text("{}")
        rows = self.ask(OMP_NUM_THREADS="3")
        self.assertEqual(
            (rows["built"], rows["threads"]), ("build/debug build/release", "OMP_NUM_THREADS=3")
        )

    def test_next_to_nothing(self):
        empty = self.folder / "empty"
        empty.mkdir()
        rows = self.ask(PATH=str(empty), CXX="")
        self.assertEqual((rows["compilers"], rows["lab"]), ("none", "unknown"))
        self.assertEqual(rows["CMake, Ninja"], "no cmake; ninja missing")
        self.assertRegex(
            rows["CUDA, GPU"],
            r"^(nvcc [\d.]+|no nvcc \(part 3 needs it: ./lab setup --cuda\)); no GPU answers$",
        )

    def test_the_real_list_of_packages(self):
        there, missing = doctor.packages(ROOT)
        self.assertGreater(len(there) + len(missing), 5)
