"""Which lines are picked from recorded sanitizer output, and how a program is compiled again."""

import unittest
from pathlib import Path

from nbody_lab.programs.sanitize import libraries, places, without_files

ROOT = Path("/lab")
ADDRESS = """=================================================================
==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000574 at pc 0x55d bp 0x7ff sp 0x7fe
WRITE of size 4 at 0x602000000574 thread T0
    #0 0x55d in nbody::Mine::compute_accelerations() /lab/build/x/../../part1_standard_opti/mine.hpp:10
    #1 0x55e in nbody::SimulatorOf<float>::advance(unsigned long, nbody::StepRule const&) /lab/common/simulator/contract.hpp:59
"""
THREAD = """==================
WARNING: ThreadSanitizer: data race (pid=9)
  Write of size 4 at 0x7b5 by thread T1:
    #0 .omp_outlined._debug__ /lab/part1_standard_opti/mine.hpp:46:20 (mine_thread+0x4c)

SUMMARY: ThreadSanitizer: data race /lab/part1_standard_opti/mine.hpp:46:20 in .omp_outlined._debug__
==================
WARNING: ThreadSanitizer: data race (pid=9)
  Read of size 4 at 0x7b5 by thread T2:
    #0 .omp_outlined._debug__ /lab/part1_standard_opti/mine.hpp:46:20 (mine_thread+0x4c)
"""
UNDEFINED = "/lab/part1_standard_opti/mine.hpp:12:9: runtime error: division of 1 by zero\n"


class SanitizeTest(unittest.TestCase):
    def test_places_are_the_students_lines(self):
        self.assertEqual(
            places(ADDRESS, ROOT),
            ["part1_standard_opti/mine.hpp:10: reads or writes beyond the end of an array"],
        )
        self.assertEqual(
            places(UNDEFINED, ROOT), ["part1_standard_opti/mine.hpp:12: division of 1 by zero"]
        )

    def test_no_place_twice(self):
        self.assertEqual(len(places(THREAD, ROOT)), 1)
        self.assertRegex(
            places(THREAD, ROOT)[0], r"^part1_standard_opti/mine\.hpp:46: a data race: two threads"
        )

    def test_a_race_has_two_lines(self):
        said = THREAD.replace(
            "(mine_thread+0x4c)\n\n",
            """(mine_thread+0x4c)

  Previous write of size 4 at 0x7b5 by thread T2:
    #0 nbody::step(float*) /lab/part3_cuda/mine.cuh:31 (mine_thread+0x4d)

""",
            1,
        )
        self.assertRegex(
            places(said, ROOT)[0],
            r"mine\.hpp:46: a data race: .*; the other one at part3_cuda/mine\.cuh:31$",
        )

    def test_nothing_said_is_nothing_found(self):
        self.assertEqual(places("mine: stopped\n", ROOT), [])

    def test_own_files_level_and_warnings_go_the_rest_stays(self):
        words = [
            "-DLAB_REAL=float",
            "-I/lab/common",
            "-O3",
            "-march=native",
            "-fopenmp",
            "-Wall",
            "-Werror",
            "-MD",
            "-MT",
            "x.o",
            "-MF",
            "x.d",
            "-o",
            "x.o",
            "-c",
        ]
        self.assertEqual(
            without_files(words), ["-DLAB_REAL=float", "-I/lab/common", "-march=native", "-fopenmp"]
        )

    def test_clang_brings_its_own_openmp(self):
        words = [
            "a.o",
            "libx.a",
            "/usr/lib/libgomp.so",
            "/usr/lib/libfmt.so.9.1.0",
            "-ldl",
            "-o",
            "bin/mine",
        ]
        self.assertEqual(
            libraries(words, ""),
            ["a.o", "libx.a", "/usr/lib/libgomp.so", "/usr/lib/libfmt.so.9.1.0", "-ldl"],
        )
        self.assertEqual(libraries(words, "/llvm/libomp.so")[2], "/llvm/libomp.so")
