"""Does ./lab list PART show the flags that the programs are really compiled with? Asks Ninja."""

import re
import shlex
import subprocess
import unittest

from nbody_lab.core.manifest import Manifest
from tests import BUILD

KINDS = ("naive", "mine", "rung", "exhibit", "solution")
# Flags that change the code: the manifest's row must list them.
CHANGES_CODE = re.compile(
    r"-f(openmp|openmp-simd|fast-math|(no-)?math-errno|(no-)?trapping-math|unsafe.*|associative-math)$|-m|-ftz|-use_fast_math|-O"
)
INSTRUCTION_SETS = {
    "": (),
    "sse2": ("-msse2",),
    "avx2": ("-mavx2", "-mfma"),
    "avx512": ("-mavx512f", "-mavx512cd", "-mavx512dq", "-mavx512bw", "-mavx512vl", "-mfma"),
}


def flags_of(program):
    """The words of the compile command of a program's only source that change the code."""
    done = subprocess.run(
        ["ninja", "-C", BUILD, "-t", "commands", "-s", program],
        capture_output=True,
        text=True,
        check=True,
    )
    link = shlex.split(done.stdout)
    own = next(
        word for word in link if re.search(r"\.c(pp|u)\.o$", word) and "worksheet" not in word
    )
    done = subprocess.run(
        ["ninja", "-C", BUILD, "-t", "commands", "-s", own],
        capture_output=True,
        text=True,
        check=True,
    )
    return [word for word in shlex.split(done.stdout) if CHANGES_CODE.match(word)]


class FlagsUsed(unittest.TestCase):
    def test_every_program(self):
        programs = 0
        for row in Manifest(BUILD / "manifest.json").rows:
            if row.kind not in KINDS:
                continue
            for program in row.programs:
                shown = [*row.flags, *INSTRUCTION_SETS[program.instruction_set]]
                wanted = [word for word in shown if CHANGES_CODE.match(word)]
                # The build type's -O3 comes first.
                used = flags_of(program.program)
                self.assertEqual(used[:1], ["-O3"], program.program)
                self.assertEqual(used[1:], wanted, program.program)
                programs += 1
        self.assertGreater(programs, 50 if (BUILD.parents[1] / "solutions").is_dir() else 4)
