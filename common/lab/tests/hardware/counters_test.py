"""./lab counters: how it reads perf stat's output, what it prints, and when it refuses.

GOOD and HYBRID are hand-written after `man perf-stat`, CSV FORMAT; no machine printed them. NONE is real output of perf
6.1 on a virtual machine.
"""

import contextlib
import io
import os
from unittest import mock

from nbody_lab.core.messages import ended
from nbody_lab.hardware import counters
from tests import ended_with
from tests.folder_for_tests import InFolder

STARTED = "# started on Sun Nov 22 14:02:12 2026\n\n"
# 1000 bodies, 10 iterations: 10^7 interactions.
GOOD = (
    STARTED
    + """400000000,,cycles:u,100000000,100.00,,
1000000000,,instructions:u,100000000,100.00,2.50,insn per cycle
30000000,,branches:u,100000000,100.00,,
300000,,branch-misses:u,100000000,100.00,1.00,of all branches
200000000,,L1-dcache-loads,100000000,100.00,,
5000000,,L1-dcache-load-misses,100000000,100.00,2.50,of all L1-dcache accesses
1000000,,cache-references:u,100000000,100.00,,
250000,,cache-misses:u,100000000,100.00,25.00,of all cache refs
<not supported>,,LLC-loads,0,100.00,,
<not supported>,,LLC-load-misses,0,100.00,,
"""
)
# Two kinds of cores, and counters that share the hardware.
HYBRID = (
    STARTED
    + """233066666,,cpu_core/cycles:u/,430000,0.43,,
604097080,,cpu_atom/cycles:u/,99570000,99.57,,
<not counted>,,cpu_core/instructions:u/,0,0.00,,
1208194160,,cpu_atom/instructions:u/,60000000,60.00,,
"""
)
NONE = STARTED + "".join(
    f"<not supported>,,{event.name}:u,0,100.00,,\n" for event in counters.EVENTS
)

TABLE = """part1/naive: 1000 bodies, 10 iterations, 1 thread
                                       in all per interaction
  cycles                       400.000 x 10^6              40
  instructions                   1.000 x 10^9             100  2.50 per cycle
  branches                      30.000 x 10^6               3
    mispredicted                 0.300 x 10^6            0.03  1.00 %
  loads from L1                200.000 x 10^6              20
    not in L1                    5.000 x 10^6             0.5  2.50 %
  last-level cache accesses      1.000 x 10^6             0.1
    not in it                    0.250 x 10^6           0.025  25.00 %
  not supported here: LLC-loads, LLC-load-misses
"""


class Counters(InFolder):
    """A fake perf that writes recorded output."""

    def setUp(self):
        super().setUp()
        self.level("2")
        for place in (
            mock.patch.dict(os.environ, {"PATH": f"{self.folder}:/usr/bin:/bin"}),
            mock.patch.object(counters, "PARANOID", self.folder / "paranoid"),
        ):
            place.start()
            self.addCleanup(place.stop)

    def level(self, number):
        (self.folder / "paranoid").write_text(number + "\n", encoding="utf-8")

    def perf(self, recorded, after=""):
        self.put("recorded", recorded)
        self.put(
            "perf",
            f'#!/bin/sh\necho "$@" >{self.folder}/asked\n'
            f'while [ "$1" != -o ]; do shift; done\ncat {self.folder}/recorded >"$2"\n{after}\n',
            executable=True,
        )

    def counters(self, *words):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = ended(counters.show, list(words))
        return status, out.getvalue(), err.getvalue()

    def of_naive(self, *options):
        return self.counters("part1", "naive", "/build", "-n", "1000", "-i", "10", *options)

    def test_the_table(self):
        self.perf(GOOD)
        self.assertEqual(self.of_naive(), (0, TABLE, ""))
        asked = (self.folder / "asked").read_text(encoding="utf-8")
        self.assertIn("-e cycles:u,instructions:u,branches:u,branch-misses:u,", asked)
        self.assertTrue(
            asked.endswith(" -- /build/bin/part1/naive -n 1000 -i 10 --threads 1\n"), asked
        )
        self.assertTrue(all(len(line) <= 100 for line in TABLE.splitlines()))

    def test_two_kinds_of_cores_and_counters_that_take_turns(self):
        self.perf(HYBRID)
        out = self.of_naive()[1]
        self.assertIn("cycles                       604.097 x 10^6", out)
        self.assertIn(
            "instructions                   1.208 x 10^9             121  2.00 per cycle\n", out
        )
        self.assertIn("each was counted part of the time", out)

    def test_what_is_no_number_was_not_counted(self):
        counts = counters.counts_in(
            "1 000,,cycles:u,1,100,,\nn/a,,branches:u,x,100,,\n,,instructions:u,1,100,,\n"
        )
        self.assertEqual(
            [counts[name].value for name in ("cycles", "branches", "instructions")],
            ["1 000", "n/a", "<not counted>"],
        )

    def test_nothing_is_said_of_taking_turns_where_none_do(self):
        self.perf(GOOD)
        self.assertNotIn("a part of the time", self.of_naive()[1])

    def expect_one_line(self, words, *asked):
        status, out, err = self.counters(*asked) if asked else ended_with(counters.demand_counters)
        self.assertEqual((status, out), (2, ""), err)
        self.assertEqual(err, f"lab: {words}\n")

    def test_no_perf(self):
        with mock.patch.dict(os.environ, {"PATH": str(self.folder)}):
            self.expect_one_line(
                "perf is missing; install the package linux-perf (Debian) or linux-tools-generic (Ubuntu)"
            )

    def test_no_counters(self):
        self.perf(NONE)
        status, out, err = ended_with(counters.demand_counters)
        self.assertEqual((status, out, err.count("\n")), (2, "", 1))
        self.assertRegex(
            err,
            r"^lab: this machine has no hardware counters, as is usual for virtual machines \(perf: <not supported> for "
            r"cycles, instructions and 8 more\): use a physical machine$",
        )

    def test_not_allowed(self):
        self.perf(GOOD)
        self.level("4")
        self.expect_one_line(
            "the kernel forbids counting (kernel.perf_event_paranoid is 4): sudo sysctl kernel.perf_event_paranoid=2"
        )
        self.level("2")
        self.perf("", "echo 'No permission to enable cycles:u event.' >&2; echo more >&2; exit 255")
        self.expect_one_line(
            "perf does not count here: No permission to enable cycles:u event.; try: sudo sysctl kernel.perf_event_paranoid=1"
        )

    def test_a_counter_that_had_no_turn_is_no_fault(self):
        self.perf(
            GOOD.replace("400000000,,cycles:u,100000000,100.00", "<not counted>,,cycles:u,0,0.00")
        )
        self.assertEqual(ended_with(counters.demand_counters), (0, "", ""))
        self.assertIn("  not counted here: cycles\n", self.of_naive()[1])

    def test_a_program_that_stops(self):
        self.perf(GOOD, '[ "$6" = true ] && exit 0; echo "naive: no memory" >&2; exit 2')
        self.expect_one_line("part1/naive stopped: naive: no memory", "part1", "naive", "/build")

    def test_bad_words(self):
        self.perf(GOOD)
        for words in (("-n", "0"), ("-n", "x"), ("-n",), ("--fast",), ("more",)):
            status, out, err = self.of_naive(*words)
            self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
            self.assertTrue(err.startswith("lab: counters: "), err)
