"""./lab submit from end to end, in a copy of the lab: what it writes, and when it writes nothing."""

import hashlib
import re
import subprocess
import tarfile
import unittest
import zipfile

import pytest

from nbody_lab import ROOT
from nbody_lab.core.tree_copy import copy_tree, link_tools
from nbody_lab.handout.submit import files_of_the_lab

TREE = ROOT / "build/submit_test"  # kept, so that the next run builds less
PART = TREE / "part1_standard_opti"
GIVEN = '#pragma once\n#include "naive.hpp"\nnamespace nbody {\nclass Mine : public Naive {\n public:\n  using Naive::Naive;\n%s};\n}\n'
OWN = (
    GIVEN.replace("naive.hpp", "sums.hpp")
    % "  void update_bodies(real dt) override { Naive::update_bodies(same(dt)); }\n"
)

pytestmark = pytest.mark.slow


class SubmitTest(unittest.TestCase):
    def setUp(self):
        parts = [
            file.relative_to(ROOT).as_posix()
            for name in ("flags.txt", "worksheet.hpp", "NOTEBOOK.md")
            for file in ROOT.glob(f"part*_*/{name}")
        ]
        copy_tree([*files_of_the_lab(ROOT), *parts], TREE, ROOT)
        for naive in TREE.glob("part*_*/naive.*"):
            self.write(
                f"mine{naive.suffix}", (GIVEN % "").replace("naive.hpp", naive.name), naive.parent
            )
        link_tools(TREE, ROOT)
        self.sheet = (ROOT / "part1_standard_opti/worksheet.hpp").read_text(encoding="utf-8")
        self.sign("Ada Lovelace")
        self.write("mine_own.hpp", OWN)
        self.write(
            "sums.hpp",
            '#pragma once\n#include "naive.hpp"\ninline nbody::real same(nbody::real x) { return x; }\n',
        )

    def write(self, name, text, folder=PART):
        """Leaves an equal file alone: ninja looks at its time."""
        if not (folder / name).exists() or (folder / name).read_text(encoding="utf-8") != text:
            (folder / name).write_text(text, encoding="utf-8")

    def sign(self, names):
        self.write(
            "worksheet.hpp", re.sub(r'authors = "[^"]*"', f'authors = "{names}"', self.sheet)
        )

    def submit(self, *words):
        return subprocess.run(
            [TREE / "lab", "submit", *words],
            cwd=TREE,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    def archives(self):
        return sorted(
            file.name
            for file in TREE.iterdir()
            if file.name.endswith((".tar.gz", ".zip")) or file.name.startswith(".")
        )

    def expect_nothing(self, status, words):
        run = self.submit()
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        self.assertRegex(run.stderr, words)
        self.assertEqual(self.archives(), [])

    def test_an_archive(self):
        run = self.submit()
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        file = TREE / "submission_ada_lovelace.tar.gz"
        content = file.read_bytes()
        self.assertIn("part1/mine_own builds in a clean copy", run.stderr)
        for words in (
            "authors: Ada Lovelace\n",
            "part1_standard_opti/sums.hpp",
            f"sha256 {hashlib.sha256(content).hexdigest()}",
            f"look inside: tar tzf {file.name}",
            "part1/mine_own: never checked",
            "note: part1: mine.hpp computes as naive does",
        ):
            self.assertIn(words, run.stdout)
        self.assertLessEqual(max(map(len, run.stdout.splitlines())), 100)
        top, part = "submission_ada_lovelace", "part1_standard_opti"
        expected = [
            f"{top}/{part}/{name}"
            for name in (
                "NOTEBOOK.md",
                "flags.txt",
                "mine.hpp",
                "mine_own.hpp",
                "sums.hpp",
                "worksheet.hpp",
            )
        ]
        with tarfile.open(file) as tar:
            self.assertEqual(tar.getnames(), expected)
        self.assertEqual(self.submit("-o", "again.tar.gz").returncode, 0)
        self.assertEqual((TREE / "again.tar.gz").read_bytes(), content)
        self.assertEqual(self.submit("--zip").returncode, 0)
        with zipfile.ZipFile(TREE / "submission_ada_lovelace.zip") as archive:
            self.assertEqual(archive.namelist(), expected)

    def test_without_names(self):
        self.sign("")
        self.expect_nothing(2, r"^lab: part1_standard_opti/worksheet.hpp has no names: .*\n$")

    def test_what_does_not_compile(self):
        self.write("mine_own.hpp", OWN.replace("override {", "override { return 1;"))
        self.expect_nothing(
            1, "part1/mine_own does not build in a clean copy, so nothing was written"
        )

    def test_a_header_from_elsewhere(self):
        """A header that exists here, but would not where the submission is graded."""
        (TREE / "elsewhere.hpp").write_text(
            (PART / "sums.hpp").read_text().replace("naive.hpp", "part1_standard_opti/naive.hpp")
        )
        self.write("mine_own.hpp", OWN.replace("sums.hpp", "../elsewhere.hpp"))
        self.expect_nothing(
            1, "part1/mine_own does not build in a clean copy, so nothing was written"
        )

    def test_where_it_cannot_be_written(self):
        for file in ("nowhere/a.tar.gz", "common", "a.txt"):
            run = self.submit("-o", file)
            self.assertEqual((run.returncode, len(run.stderr.splitlines())), (2, 1), run.stderr)
