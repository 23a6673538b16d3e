"""What is handed in from a student's tree, by whom, and what is missing?"""

import contextlib
import io
import shutil
import unittest

from nbody_lab import ROOT
from nbody_lab.core.clean_text import file_name
from nbody_lab.core.messages import Failure
from nbody_lab.handout.handed_in import ROLES, role_of
from nbody_lab.handout.submission import all_authors, authors_in, collected, is_untouched
from tests.folder_for_tests import InFolder

PART = "part1_standard_opti"
OWN = """#pragma once
#include "naive.hpp"
#include "sums.hpp"
#include <cmath>
namespace nbody {
class Mine : public Naive {
 public:
  using Naive::Naive;
  void update_bodies(real dt) override { Naive::update_bodies(dt); }
};
}
"""


class TextTest(unittest.TestCase):
    def test_names_in_a_worksheet(self):
        for text, names in (
            ('std::string authors = "Ada Lovelace";', "Ada Lovelace"),
            ("", ""),
            ('std::string authors = "";', ""),
            (
                '// authors = "Nobody"\nstd::string authors =\n  "Zo\u00eb  M\u00fcller, A \\"B\\" C";',
                'Zo\u00eb M\u00fcller, A "B" C',
            ),
            ('/* authors = "X" */ std::string authors = "http://a";', "http://a"),
            ('std::string authors = "  ";', ""),
        ):
            self.assertEqual(authors_in(text), names, text)

    def test_file_names(self):
        for authors, name in (
            ("Ada Lovelace, Charles Babbage", "ada_lovelace_charles_babbage"),
            ("Zo\u00eb M\u00fcller-Stra\u00dfe", "zoe_muller_strasse"),
            ("../../etc/passwd", "etc_passwd"),
            ("\u5f20\u4f1f", ""),
            ("a" * 99, "a" * 60),
            ("\u0141ukasz", "lukasz"),
        ):
            self.assertEqual(file_name(authors), name)

    def test_roles(self):
        for name, role in (
            ("mine.hpp", "code"),
            ("mine_rows.cuh", "code"),
            ("mine2.hpp", "header"),
            ("flags.txt", "flags"),
            ("worksheet.hpp", "worksheet"),
            ("NOTEBOOK.md", "notebook"),
            ("notebook.csv", "notebook"),
            ("sums.h", "header"),
        ):
            self.assertEqual(role_of(name).name, role)
        for name in (
            "naive.hpp",
            "naive.cuh",
            "CMakeLists.txt",
            "README.md",
            "questions.json",
            "a/mine.hpp",
            ".mine.hpp",
            "mine.hpp~",
            "a.out",
        ):
            self.assertIsNone(role_of(name), name)

    def test_every_given_header_is_known_as_untouched(self):
        for folder in ROOT.glob("part*_*"):
            for file in folder.glob("mine.*"):
                self.assertTrue(is_untouched(file.read_bytes(), folder), file)
                self.assertFalse(is_untouched(OWN.encode(), folder))


class CollectedTest(InFolder):
    def setUp(self):
        super().setUp()
        self.part, self.other = self.folder / PART, self.folder / "part2_words"
        for part in (self.part, self.other):
            part.mkdir()
            for name in (
                "mine.hpp",
                "naive.hpp",
                "flags.txt",
                "worksheet.hpp",
                "NOTEBOOK.md",
                "README.md",
                "CMakeLists.txt",
                "questions.json",
            ):
                shutil.copy(ROOT / PART / name, part)
        # The test may run in a student's own tree.
        (self.part / "mine.hpp").write_text(
            '#include "naive.hpp"\nnamespace nbody {\nclass Mine : public Naive {\n public:\n  using Naive::Naive;\n};\n}\n'
        )
        shutil.copy(self.part / "mine.hpp", self.other)
        self.sheet = 'struct Worksheet {\n  std::string authors = "%s";\n  double a = unanswered, b = unanswered;\n  char c = no_choice;\n};\n'
        for part in (self.part, self.other):
            (part / "worksheet.hpp").write_text(self.sheet % "")

    def sign(self, names="Ada Lovelace"):
        (self.part / "worksheet.hpp").write_text(self.sheet % names)

    def expect_refused(self, words):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(Failure) as refused:
            collected([self.part, self.other])
        self.assertEqual((refused.exception.status, len(said.getvalue().splitlines())), (2, 1))
        self.assertRegex(said.getvalue(), words)

    def names(self):
        return sorted(path.rpartition("/")[2] for path in collected([self.part, self.other]).files)

    def test_only_what_is_listed(self):
        self.sign()
        (self.part / "mine_own.hpp").write_text(OWN)
        (self.part / "sums.hpp").write_text(
            '#include "deep.h"\n#include "naive.hpp"\n#include "missing.hpp"\n'
        )
        for name in ("deep.h", "unused.hpp", "a.out", "notes.txt"):
            (self.part / name).write_text("x")
        self.assertEqual(
            self.names(),
            [
                "NOTEBOOK.md",
                "deep.h",
                "flags.txt",
                "mine.hpp",
                "mine_own.hpp",
                "sums.hpp",
                "worksheet.hpp",
            ],
        )

    def test_a_part_that_was_not_begun_stays_out(self):
        self.assertEqual(collected([self.part]).files, {})
        self.sign()
        found = collected([self.part, self.other])
        self.assertEqual({path.partition("/")[0] for path in found.files}, {PART})
        self.assertIn("part2: not started, so not in the archive", found.notes)

    def test_no_names(self):
        (self.part / "mine_own.hpp").write_text(OWN)
        self.expect_refused(
            r"^lab: part1_standard_opti/worksheet.hpp has no names: write them there first, question 0: "
        )

    def test_what_is_missing(self):
        self.sign()
        notes = collected([self.part]).notes
        self.assertIn("part1: mine.hpp computes as naive does: nothing in it is yours", notes)
        self.assertIn(
            "part1: 2 answers of worksheet.hpp are still open", notes
        )  # two on one line count once
        self.assertIn("part1: the notebook has no rows: ./lab try writes them", notes)
        self.assertEqual(collected([self.part]).changed, [])

    def test_nothing_is_missing(self):
        (self.part / "worksheet.hpp").write_text('std::string authors = "Ada"; double a = 1;')
        (self.part / "mine.hpp").write_text(OWN)
        (self.part / "notebook.csv").write_text("row,name\n1,mine\n")
        found = collected([self.part])
        self.assertEqual(
            (found.notes, found.changed, all_authors(found.files)),
            ([], [("part1", "mine")], ["Ada"]),
        )

    def test_links_and_floods(self):
        self.sign()
        (self.part / "mine_link.hpp").symlink_to("/etc/hostname")
        self.expect_refused("mine_link.hpp: is not a plain file: put the file itself there")
        (self.part / "mine_link.hpp").unlink()
        (self.part / "mine_big.hpp").write_bytes(b" " * (ROLES[0].largest_bytes + 1))
        self.expect_refused("mine_big.hpp: has 200001 bytes, but at most 200000 are allowed")
