"""How ./lab profile starts a GPU program or ncu; fakes of both print their arguments."""

import os
import subprocess
import sys
from unittest import mock

from nbody_lab.core import messages
from nbody_lab.profiles import gpu as gpu_profile
from tests.folder_for_tests import InFolder

# It writes the seconds of a run if asked: a tenth of a second for ten iterations.
PROGRAM = f"""#!{sys.executable}
import json, sys
words = sys.argv[1:]
if "--json" in words:
    iterations = int(words[words.index("-i") + 1])
    open(words[words.index("--json") + 1], "w").write(json.dumps({{"wall_s": iterations / 100, "bodies": 1}}))
print(*words)
"""

RUN = "import sys; from nbody_lab.core.messages import ended; from nbody_lab.profiles.gpu import run; sys.exit(ended(run, sys.argv[1:]))"


class GpuProfileTest(InFolder):
    def setUp(self):
        super().setUp()
        self.build, self.tools = self.folder / "build", self.folder / "tools"
        self.put("build/bin/part3/naive", PROGRAM, executable=True)

    def call(self, *words):
        done = subprocess.run(
            [sys.executable, "-c", RUN, *map(str, words)],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PATH": f"{self.tools}:/usr/bin:/bin"},
        )
        return done.returncode, done.stdout, done.stderr

    def profile(self, *options):
        return self.call("part3", "naive", self.build, *options)

    def test_runs_for_a_second(self):
        self.assertEqual(self.profile(), (0, "-n 16384 -i 100 --vdt --profile\n", ""))
        self.assertEqual(
            self.profile("--double", "-n", "50"),
            (0, "-n 50 -i 100 --vdt --precision double --profile\n", ""),
        )

    def test_runs_until_it_can_be_timed(self):
        options = gpu_profile.parse(["part3", "naive", "build"])
        for one_s, iterations in ((1e-3, 1000), (0.01, 100), (5.0, 4)):
            with mock.patch(
                "nbody_lab.profiles.gpu.timed_run", lambda _, count, one_s=one_s: count * one_s
            ):
                self.assertEqual(gpu_profile.enough_iterations(options), iterations)

    def test_counters(self):
        self.put("tools/ncu", '#!/bin/sh\necho "$@"\n', executable=True)
        self.assertEqual(
            self.profile("--ncu", "--double"),
            (
                0,
                "--kernel-id :::2 --section SpeedOfLight --section LaunchStats --section Occupancy --section WarpStateStats "
                f"{self.build}/bin/part3/naive -n 16384 -i 3 --vdt --precision double\n",
                "",
            ),
        )

    def test_status_is_that_of_the_program(self):
        self.put(
            "build/bin/part3/naive",
            PROGRAM + 'sys.exit(7 if "--profile" in words else 0)\n',
            executable=True,
        )
        self.assertEqual(self.profile()[0], 7)

    def test_refuses(self):
        for words, said in (
            (
                ["--nonsense"],
                "profile has no option '--nonsense' on the GPU; there are -n, --double and --ncu",
            ),
            (["-n", "1"], "-n needs a number of bodies, at least 2, not '1'"),
            (["-n"], "-n needs a number of bodies, at least 2, not ''"),
            (
                ["part3", "naive", "build", "tiles"],
                "profile takes one part and one name at most, not 'tiles'",
            ),
        ):
            self.assertEqual(self.call(*words), (2, "", f"lab: {said}\n"))
        self.assertEqual(self.call("-n", "100", "--double"), (0, "", ""))

    def test_says_what_went_wrong(self):
        self.put(
            "build/bin/part3/naive",
            "#!/bin/sh\necho first >&2\necho 'no NVIDIA GPU' >&2\nexit 2\n",
            executable=True,
        )
        self.assertEqual(self.profile(), (2, "", "lab: part3/naive stopped: no NVIDIA GPU\n"))
        with (
            mock.patch.dict(os.environ, PATH=str(self.tools)),
            mock.patch("nbody_lab.profiles.gpu.NCU_FOLDERS", [self.tools]),
            mock.patch("nbody_lab.core.messages.print", create=True) as said,
            self.assertRaises(messages.Failure),
        ):
            gpu_profile.find_ncu()
        self.assertIn("ncu is missing; it comes with the CUDA toolkit", said.call_args[0][0])
