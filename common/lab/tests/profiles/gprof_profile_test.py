"""How ./lab profile reads recorded output of nm, gprof and perf, what it prints, and when it refuses."""

import contextlib
import io
import json
import os
import types
import unittest
from unittest import mock

from nbody_lab.core.messages import ended
from nbody_lab.profiles import gprof as gprof_profile
from nbody_lab.profiles.text import (
    hottest_lines,
    local_symbols,
    meaning,
    rows_of,
    shorter_name,
    table,
)
from tests.folder_for_tests import InFolder

HEAD = """Flat profile:

Each sample counts as 0.01 seconds.
  %   cumulative   self              self     total
 time   seconds   seconds    calls  ms/call  ms/call  name
"""
DEBUG = (
    HEAD
    + """ 40.86      0.38     0.38                             __powf_fma
 25.81      0.62     0.24 304665000     0.00     0.00  std::vector<nbody::Naive::Body, std::allocator<nbody::Naive::Body> >::operator[](unsigned long)
  9.68      0.71     0.09       61     1.48     5.11  nbody::Naive::compute_accelerations()
  6.45      0.77     0.06                             _init
  1.08      0.78     0.01        1    10.00    10.00  _GLOBAL__sub_I__ZN5nbody14implementationE
  0.00      0.78     0.00   124992     0.00     0.00  float const& std::forward<float const&>(std::remove_reference<float const&>::type&)
"""
)
# The loop body, a separate function without a call count, is added to its function.
OPENMP = (
    HEAD
    + """ 80.00      2.40     2.40                             nbody::Mine::compute_accelerations() [clone ._omp_fn.0]
 19.00      2.97     0.57      100     5.70     5.70  nbody::Naive::largest_time_step()
  1.00      3.00     0.03      100     0.30     0.30  nbody::Mine::compute_accelerations()
"""
)
ALONE = (
    HEAD
    + "100.00      3.00     3.00       25     0.01     0.01  nbody::Naive::compute_accelerations()\n"
)
SYMBOLS = """0000000000678560 r CSWTCH.100
0000000000414630 T _ZN5nbody5Naive21compute_accelerationsEv
0000000000414900 t _ZN5nbody4Mine21compute_accelerationsEv._omp_fn.0
0000000000414a00 t no_dot
                 U powf@GLIBC_2.27
"""
ANNOTATED = """ Percent |	Source code & Disassembly of naive for cpu-clock:pppH (1023 samples, percent: local period)
-----------------------------------------------------------------------------------------------------------
         : 3      Disassembly of section .text:
         :
         : 5      0000000000414630 <nbody::Naive::compute_accelerations()>:
         : 6      nbody::Naive::compute_accelerations():
         : 26     }  // namespace nbody
    0.00 :   414630: push   %rbp
         : 40     const real dz = bodies[j].qz - bodies[i].qz;
    0.10 :   4146c4: movss  0xc(%r13),%xmm2
    1.37 :   4146ca: subss  0xc(%rbx),%xmm2
         :
    3.03 :   4146cf: subps  %xmm0,%xmm1
         : 44     bodies[i].ax += force * (dx / distance) / bodies[i].mass;
   28.10 :   414760: mulps  %xmm7,%xmm1
 Percent |	Source code & Disassembly of naive for cpu-clock:pppH (200 samples, percent: local period)
         : 5      0000000000414990 <nbody::Naive::largest_time_step()>:
   50.00 :   414990: push   %rbp
"""
LINES = """nbody::Naive::compute_accelerations()

          const real dz = bodies[j].qz - bodies[i].qz;
     1 %      subss  0xc(%rbx),%xmm2
     3 %      subps  %xmm0,%xmm1
          bodies[i].ax += force * (dx / distance) / bodies[i].mass;
    28 %      mulps  %xmm7,%xmm1

The hottest function by source line"""
REPORT = """part1/naive: 1500 bodies, 25 iterations with the adaptive step, one thread, optimised (-O2)

   share   seconds     calls/iter.  function
   100 %      3.00               1  nbody::Naive::compute_accelerations()
     all      3.00

If nbody::Naive::compute_accelerations()
took no time at all, the program would be a hundred times as fast or more:
work on it alone cannot gain more.
"""


class TextTest(unittest.TestCase):
    def test_rows(self):
        self.assertEqual(
            [tuple(row) for row in rows_of(DEBUG)][:4],
            [
                (0.38, 0, "powf, of the C library"),
                (0.24, 304665000, "std::vector<nbody::Naive::Body>::operator[](unsigned long)"),
                (0.09, 61, "nbody::Naive::compute_accelerations()"),
                (0.06, 0, "calling functions of the C library"),
            ],
        )
        self.assertEqual(
            [tuple(row) for row in rows_of(OPENMP)],
            [
                (2.43, 100, "nbody::Mine::compute_accelerations()"),
                (0.57, 100, "nbody::Naive::largest_time_step()"),
            ],
        )
        self.assertEqual(rows_of(HEAD), [])

    def test_shorter_names(self):
        string = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"
        for name, short in (
            (f"f({string}, {string})", "f(std::string, std::string)"),
            ("std::vector<A<B>, std::allocator<A<B> > >::size()", "std::vector<A<B>>::size()"),
            (
                "__gnu_cxx::__promote_2<float, int>::__type std::pow<float, int>(float, int)",
                "std::pow<float, int>(float, int)",
            ),
            ("nbody::(anonymous namespace)::run()", "nbody::run()"),
            ("__sinf_sse2", "sinf, of the C library"),
            ("__mcount_internal", "__mcount_internal"),
            ("_init_all", "_init_all"),
        ):
            self.assertEqual(shorter_name(name), short)

    def test_table(self):
        lines = table(rows_of(DEBUG), 61)
        self.assertEqual(lines[1], "    49 %      0.38               -  powf, of the C library")
        self.assertEqual(
            lines[2],
            "    31 %      0.24         4994508  std::vector<nbody::Naive::Body>::operator[](unsigned long)",
        )
        self.assertEqual(lines[-1], "     all      0.78")
        self.assertEqual(len(lines), 7, "what took no time is left out")

    def test_meaning(self):
        self.assertIn(
            "took no time at all, the program would be 1 / (1 - 0.81) = 5.3 times as fast:",
            meaning(rows_of(OPENMP), "again", False),
        )
        self.assertIn(
            "physics around it. The optimiser removes them: compare with again",
            meaning(rows_of(DEBUG), "again", True),
        )

    def test_symbols(self):
        self.assertEqual(
            local_symbols(SYMBOLS), ["_ZN5nbody4Mine21compute_accelerationsEv._omp_fn.0"]
        )

    def test_lines(self):
        self.assertTrue("\n".join(hottest_lines(ANNOTATED)).startswith(LINES))


class CommandTest(InFolder):
    """Uses a fake program and fake tools that print recorded output."""

    def setUp(self):
        super().setUp()
        self.build, self.tools = self.folder / "build", self.folder / "tools"
        self.prints("gprof", ALONE)
        self.prints("nm", SYMBOLS)
        self.prints("objcopy", "")
        self.program("touch gmon.out")

    def script(self, file, text):
        self.put(file, f"#!/bin/sh\n{text}\n", executable=True)

    def prints(self, tool, text):
        self.script(self.tools / tool, f"cat <<'END'\n{text}END")

    def program(self, text):
        for folder in ("gprof", "gprof_debug"):
            self.script(self.build / "bin" / folder / "part1/naive", text)

    def call(self, *words, path="/usr/bin:/bin"):
        """(status, standard output, standard error); the fake clock gives each run half a second."""
        ticks = (types.SimpleNamespace(ru_utime=tick / 2) for tick in range(100))
        out, err = io.StringIO(), io.StringIO()
        with (
            mock.patch.dict(os.environ, PATH=f"{self.tools}:{path}"),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            mock.patch("nbody_lab.profiles.gprof.resource.getrusage", lambda _: next(ticks)),
        ):
            status = ended(gprof_profile.run, [str(word) for word in words])
        self.assertFalse((self.build / "gprof_work").exists(), "it cleans up")
        return status, out.getvalue(), err.getvalue()

    def profile(self, *options):
        return self.call("part1", "naive", self.build, *options)

    def test_report(self):
        status, out, err = self.profile()
        self.assertEqual((status, err), (0, ""))
        self.assertTrue(out.startswith(REPORT), out)
        copy = self.build / "gprof/part1_naive.txt"
        self.assertTrue(
            out.endswith(
                f"\nLines: ./lab profile part1 naive --annotate\nThe whole profile: {copy}\n"
            ),
            out,
        )
        self.assertEqual(copy.read_text(encoding="utf-8"), ALONE)

    def test_keeps_its_lines_of_the_optimised_program(self):
        kept = self.build.parent / "profile_lines/part1_naive.json"
        self.profile("--debug")
        self.assertFalse(kept.exists())
        self.prints("gprof", OPENMP)
        self.profile()
        lines = json.loads(kept.read_text(encoding="utf-8"))
        self.assertEqual(
            (lines["what"], lines["part"], lines["name"], lines["bodies"], lines["iterations"]),
            ("profile", "part1", "naive", 1500, 25),
        )
        self.assertEqual(
            [
                (row["function"], round(row["share"], 2), row["calls_per_iteration"])
                for row in lines["rows"]
            ],
            [
                ("nbody::Mine::compute_accelerations()", 0.81, 4),
                ("nbody::Naive::largest_time_step()", 0.19, 4),
            ],
        )

    def test_debug_and_bodies(self):
        self.assertIn(
            "part1/naive: 500 bodies, 49 iterations with the adaptive step, one thread, not optimised (-O0)\n",
            self.profile("--debug")[1],
        )
        self.assertIn("part1/naive: 77 bodies, 25 iterations", self.profile("-n", "77")[1])

    def test_annotate(self):
        self.prints("perf", ANNOTATED)
        status, out, err = self.profile("--annotate")
        self.assertEqual((status, err), (0, ""))
        self.assertTrue(out.startswith(LINES), out)

    def test_help_and_tools(self):
        for word in ("-h", "--help"):
            self.assertEqual(self.call(word), (0, gprof_profile.HELP + "\n", ""))
        self.assertEqual(self.call("--tools", "--debug", "-n", "100"), (0, "", ""))

    def test_refuses_options(self):
        for words, said in (
            (
                ["--nonsense"],
                "profile has no option '--nonsense'; there are --debug, --annotate and -n N",
            ),
            (["-n", "many"], "-n needs a number of bodies from 1 to 999999, not 'many'"),
            (["-n"], "-n needs a number of bodies from 1 to 999999, not ''"),
            (["-n", "0"], "-n needs a number of bodies from 1 to 999999, not '0'"),
        ):
            self.assertEqual(self.call("--tools", *words), (2, "", f"lab: {said}\n"))

    def test_says_which_tool_is_missing(self):
        missing = "lab: perf is missing; install the package linux-perf (Debian) or linux-tools-generic (Ubuntu)\n"
        self.assertEqual(self.call("--tools", "--annotate", path=""), (2, "", missing))
        (self.tools / "objcopy").unlink()
        self.assertEqual(
            self.call("--tools", path=""),
            (2, "", "lab: objcopy is missing; install the package binutils\n"),
        )

    def test_says_what_went_wrong(self):
        self.prints("gprof", HEAD)
        self.assertEqual(
            self.profile(),
            (2, "", "lab: gprof took no samples of part1/naive: use more bodies (-n)\n"),
        )
        self.script(self.tools / "gprof", "echo 'gprof: no symbols' >&2; exit 1")
        self.assertEqual(
            self.profile(), (2, "", "gprof: no symbols\nlab: gprof stopped with status 1\n")
        )
        self.program("true")
        self.assertEqual(
            self.profile(),
            (
                2,
                "",
                "lab: part1/naive left no gmon.out: it was not built with -pg, or it was killed\n",
            ),
        )
        self.program("echo first >&2; echo last >&2; exit 3")
        self.assertEqual(self.profile(), (2, "", "lab: part1/naive stopped: last\n"))

    def test_says_why_perf_fails(self):
        self.script(self.tools / "perf", "echo >&2; echo 'No permission' >&2; exit 1")
        self.assertEqual(
            self.profile("--annotate"),
            (
                2,
                "",
                "lab: perf may not measure here: No permission; try: sudo sysctl kernel.perf_event_paranoid=1\n",
            ),
        )
        self.script(self.tools / "perf", "echo 'no samples' >&2; echo more >&2")
        self.assertEqual(
            self.profile("--annotate"), (2, "", "lab: perf found nothing to show: no samples\n")
        )
