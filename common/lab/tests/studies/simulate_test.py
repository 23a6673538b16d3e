"""Simulated clusters: their options, their output, and times that can be checked by hand."""

import io
import json
import shutil
import subprocess
import tempfile
import unittest
from contextlib import redirect_stderr
from unittest import mock

from nbody_lab import ROOT
from nbody_lab.core.messages import Failure
from nbody_lab.studies import simulate

PROGRAM = ROOT / "build/simulated/test_naive"
SMPI = unittest.skipUnless(shutil.which("smpicxx") and shutil.which("smpirun"), "no SimGrid here")


def refused(*words):
    said = io.StringIO()
    with redirect_stderr(said):
        try:
            simulate.parse(list(words))
        except Failure as failure:
            return failure.status, said.getvalue().strip()
    return 0, ""


class AskedTest(unittest.TestCase):
    def test_ranks_are_sorted_and_once(self):
        self.assertEqual(simulate.parse(["mine", "--ranks", "16,1,4,4"]).ranks, [1, 4, 16])

    def test_bad_input_is_one_line(self):
        for words in (
            ["mine", "--ranks", "0"],
            ["mine", "--ranks", "1,x"],
            ["mine", "--ranks", "257"],
            ["mine", "-n", "0"],
            ["mine", "--rate", "0"],
            ["mine", "--rate", "nan"],
            ["mine", "--netwrok", "ib"],
            [],
            ["mine", "-n", "5", "--per-rank", "5"],
        ):
            status, said = refused(*words)
            self.assertEqual((status, said.count("\n")), (2, 0), (words, said))
            self.assertTrue(said.startswith("lab: simulate: "), said)

    def test_every_cluster_has_256_hosts_whose_speed_is_put_in(self):
        for file in simulate.CLUSTERS.glob("*.xml"):
            text = simulate.platform_of(file.stem)
            self.assertIn('radical="0-255"', text)
            self.assertIn('speed="1Gf"', text)
        with redirect_stderr(io.StringIO()), self.assertRaises(Failure):
            simulate.platform_of("token_ring")

    def test_a_platform_needs_a_place_for_the_rate(self):
        said = io.StringIO()
        with (
            tempfile.NamedTemporaryFile("w", suffix=".xml", encoding="utf-8") as file,
            redirect_stderr(said),
            self.assertRaises(Failure),
        ):
            file.write('<host speed="5Gf"/>')
            file.flush()
            simulate.platform_of(file.name)
        self.assertIn('speed="1Gf"', said.getvalue())

    def test_the_rate_is_the_best_right_row_of_part_2(self):
        rows = [
            {"threads": 1, "interactions_per_s": 3e9},
            {"threads": 2, "interactions_per_s": 9e9},
            {"threads": 1, "interactions_per_s": 5e9},
        ]
        asked = simulate.parse(["mine"])
        with mock.patch.object(simulate.notebook, "right_rows", return_value=rows):
            self.assertEqual(simulate.rate_of(asked), (5.0, "your best of part 2"))
        with mock.patch.object(simulate.notebook, "right_rows", return_value=[]):
            self.assertEqual(simulate.rate_of(asked)[0], simulate.USUAL_RATE)
        self.assertEqual(simulate.rate_of(simulate.parse(["mine", "--rate", "7"]))[0], 7)

    def test_shares_of_a_known_answer(self):
        """Two ranks: one computes all the time, the other half of it."""
        row = simulate.row_of(
            {
                "ranks": 2,
                "n": 1000,
                "seconds": 1e-3,
                "counts": [2, 4],
                "spans": [0, 1e-3, 0, 2.5e-4, 5e-4, 7.5e-4],
            },
            rate=1,
        )
        self.assertAlmostEqual(row["computing"], 0.75)
        self.assertAlmostEqual(row["interactions_per_s"], 1e9)
        self.assertAlmostEqual(row["efficiency"], 0.5)


@SMPI
class SimulatedTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        PROGRAM.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [
                "smpicxx",
                *simulate.FLAGS,
                f"-I{ROOT / 'common'}",
                f"-I{ROOT / 'part4_mpi'}",
                f'-DLAB_HEADER="{ROOT / "part4_mpi/naive.hpp"}"',
                "-DLAB_CLASS=Naive",
                str(simulate.MAIN),
                "-o",
                str(PROGRAM),
            ],
            check=True,
        )

    def answer(self, ranks, n, network="gbe", rate=10):
        return simulate.asked_of_smpi(PROGRAM, simulate.platform_of(network), rate, ranks, n)

    def test_it_computes_what_is_right(self):
        for ranks in (1, 2, 7):
            told = simulate.asked_of_smpi(
                PROGRAM, simulate.platform_of("gbe"), 1, ranks, 50, "check"
            )
            self.assertLess(told["worst_error"], 1e-5)

    def test_one_rank_takes_what_is_charged(self):
        self.assertAlmostEqual(self.answer(1, 10000)["seconds"], 1e8 / 10e9, delta=1e-7)

    def test_what_computes_must_say_so(self):
        program = PROGRAM.with_name("test_uncharged")
        header = PROGRAM.with_name("uncharged.hpp")
        text = (ROOT / "part4_mpi/naive.hpp").read_text(encoding="utf-8")
        header.write_text(
            text.replace("if (!charged(double(end - first) * n()))", "if (true)"), encoding="utf-8"
        )
        subprocess.run(
            [
                "smpicxx",
                *simulate.FLAGS,
                f"-I{ROOT / 'common'}",
                f'-DLAB_HEADER="{header}"',
                "-DLAB_CLASS=Naive",
                str(simulate.MAIN),
                "-o",
                str(program),
            ],
            check=True,
        )
        said = io.StringIO()
        with redirect_stderr(said), self.assertRaises(Failure):
            simulate.asked_of_smpi(program, simulate.platform_of("gbe"), 10, 2, 500)
        self.assertIn("if (!charged(rows * n))", said.getvalue())

    def test_the_same_question_has_the_same_answer(self):
        self.assertEqual(json.dumps(self.answer(4, 20000)), json.dumps(self.answer(4, 20000)))

    def test_two_ranks_are_those_of_loggp(self):
        """naive on 2 ranks of Gigabit Ethernet: three broadcasts of 4 n bytes, three messages of 2 n bytes back. The hosts
        are two links of 25 us apart; SMPI takes some percent of the bandwidth for protocols."""
        n = 100000
        told = self.answer(2, n)
        by_hand = n * n / 2 / 10e9 + 3 * (5e-5 + 4 * n / 125e6) + 3 * (5e-5 + 2 * n / 125e6)
        self.assertAlmostEqual(told["seconds"] / by_hand, 1, delta=0.1)
