"""Does ./lab list PART show the flags that the programs are really compiled with? Asks Ninja."""

import re
import shlex
import subprocess

from nbody_lab.building.manifest import Manifest
from tests import BUILD

KINDS = ("naive", "mine", "rung", "exhibit", "solution")
# Flags that change the code: the manifest's row must list them.
CHANGES_CODE = re.compile(
    r"-f(openmp|openmp-simd|fast-math|(no-)?math-errno|(no-)?trapping-math|unsafe.*|associative-math)$|-m|-ftz|-use_fast_math|-O"
)
INSTRUCTION_SETS = {
    "": "",
    "sse2": "-msse2",
    "avx2": "-mavx2 -mfma",
    "avx512": "-mavx512f -mavx512cd -mavx512dq -mavx512bw -mavx512vl -mfma",
}


def command_of(target):
    """The words of the last command that makes it."""
    words = ["ninja", "-C", BUILD, "-t", "commands", "-s", target]
    return shlex.split(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


def flags_of(program):
    """The words of the compile command of a program's only source that change the code."""
    objects = [word for word in command_of(program) if re.search(r"\.c(pp|u)\.o$", word)]
    own = next(word for word in objects if "worksheet" not in word)
    return [word for word in command_of(own) if CHANGES_CODE.match(word)]


def test_every_program():
    rows = [row for row in Manifest(BUILD / "manifest.json").rows if row.kind in KINDS]
    programs = [(row, program) for row in rows for program in row.programs]
    assert len(programs) > (50 if (BUILD.parents[1] / "solutions").is_dir() else 4)
    for row, program in programs:
        shown = [*row.flags, *INSTRUCTION_SETS[program.instruction_set].split()]
        # The build type's -O3 comes first.
        expected = ["-O3", *(word for word in shown if CHANGES_CODE.match(word))]
        assert flags_of(program.program) == expected, program.program
