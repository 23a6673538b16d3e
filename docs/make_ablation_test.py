"""Tests that every edit of make_ablation.py still finds its text."""

import subprocess
import sys
import unittest

from make_ablation import (
    ADDED,
    TAKEN_OUT,
    Edit,
    Idea,
    NothingChanged,
    edited,
    naive_with,
    third_law_without,
)
from nbody_lab import ROOT


class Ablation(unittest.TestCase):
    def test_each_idea_added_changes_the_kernel_and_nothing_else(self):
        plain = naive_with(Idea("", "", ()))["mine_plus_.cuh"]
        for idea in ADDED:
            text = naive_with(idea)[f"mine_plus_{idea.name}.cuh"]
            self.assertEqual(text != plain, bool(idea.edits), idea.name)
            rest = "__device__ real length("
            self.assertEqual(text[text.index(rest) :], plain[plain.index(rest) :], idea.name)

    @unittest.skipUnless((ROOT / "solutions").is_dir(), "the solutions are not here")
    def test_each_idea_taken_out_changes_one_of_the_files(self):
        for idea in TAKEN_OUT:
            files = third_law_without(idea)
            self.assertEqual(len(files), 4)
            self.assertIn(
                f'#include "minus_{idea.name}_third_law_kernel.cuh"',
                files[f"mine_minus_{idea.name}.cuh"],
            )
            self.assertIn("class Mine ", files[f"mine_minus_{idea.name}.cuh"])

    def test_an_edit_that_finds_nothing_is_told(self):
        with self.assertRaisesRegex(NothingChanged, "there is no 'pow' in naive.cuh"):
            edited("1 / sqrt(r2)", [Edit("naive", "pow", "")], "naive")

    def test_a_file_is_wanted(self):
        done = subprocess.run(
            [sys.executable, ROOT / "docs/make_ablation.py"],
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(
            (done.returncode, done.stderr),
            (2, "make_ablation: needs the name of a JSON file to write\n"),
        )
