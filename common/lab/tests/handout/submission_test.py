"""What is handed in from a student's tree, by whom, and what is missing?"""

import shutil

import pytest

from nbody_lab import ROOT
from nbody_lab.core.clean_text import file_name
from nbody_lab.core.errors import LabError
from nbody_lab.handout.handed_in import ROLES, role_of
from nbody_lab.handout.submission import authors_in, collect, is_untouched

PART = "part1_standard_opti"
CLASS = """#pragma once
#include "naive.hpp"
#include "sums.hpp"
#include <cmath>
namespace nbody {
class Mine : public Naive {
 public:
  using Naive::Naive;
%s};
}
"""
GIVEN = CLASS.replace('#include "sums.hpp"\n#include <cmath>\n', "") % ""
OWN = CLASS % "  void update_bodies(real dt) override { Naive::update_bodies(dt); }\n"
SHEET = """struct Worksheet {
  std::string authors = "%s", mine = "mine_own";
  double a = unanswered, b = unanswered;
  char c = no_choice;  // d = unanswered;
};
"""
COPIED = "naive.hpp flags.txt NOTEBOOK.md README.md CMakeLists.txt questions.py".split()


@pytest.fixture
def part(tmp_path):
    """Two parts, of which this one is signed. Not the files of this tree: it may be a student's own."""
    for folder in (tmp_path / PART, tmp_path / "part2_words"):
        folder.mkdir()
        for name in COPIED:
            shutil.copy(ROOT / PART / name, folder)
        (folder / "mine.hpp").write_text(GIVEN)
        (folder / "worksheet.hpp").write_text(SHEET % "")
    (tmp_path / PART / "worksheet.hpp").write_text(SHEET % "Ada Lovelace")
    return tmp_path / PART


@pytest.mark.parametrize(
    ("worksheet", "authors"),
    [
        ("", ""),
        ('std::string authors = "  ";', ""),
        (
            '// authors = "Nobody"\nstd::string authors =\n  "Zo\u00eb  M, A \\"B\\" C";',
            'Zo\u00eb M, A "B" C',
        ),
        ('/* authors = "X" */ std::string authors = "http://a";', "http://a"),
    ],
)
def test_names_in_a_worksheet(worksheet, authors):
    assert authors_in(worksheet) == authors


@pytest.mark.parametrize(
    ("authors", "name"),
    [
        ("Ada Lovelace, Charles Babbage", "ada_lovelace_charles_babbage"),
        ("Zo\u00eb M\u00fcller-Stra\u00dfe", "zoe_muller_strasse"),
        ("../../etc/passwd", "etc_passwd"),
        ("\u5f20\u4f1f", ""),
        ("a" * 99, "a" * 60),
        ("\u0141ukasz", "lukasz"),
    ],
)
def test_file_names(authors, name):
    assert file_name(authors) == name


@pytest.mark.parametrize(
    ("role", "names"),
    [
        ("code", "mine.hpp mine_rows.cuh"),
        ("header", "mine2.hpp sums.h"),
        ("flags", "flags.txt"),
        ("worksheet", "worksheet.hpp"),
        ("notebook", "NOTEBOOK.md notebook.csv"),
        ("kept", "notebook/3_mine_own.hpp"),
        (None, "naive.hpp naive.cuh CMakeLists.txt README.md questions.py a/mine.hpp .mine.hpp"),
        (None, "mine.hpp~ a.out mine_count.hpp mine_own_double.cuh"),
    ],
)
def test_roles(role, names):
    for name in names.split():
        found = role_of(name)
        assert (found.name if found else None) == role, name


def test_every_given_header_is_known_as_untouched():
    for file in ROOT.glob("part*_*/mine.*"):
        assert is_untouched(file.read_bytes(), file.parent), file
        assert not is_untouched(OWN.encode(), file.parent)


def test_only_what_is_listed_of_parts_that_were_begun(part):
    (part / "mine_own.hpp").write_text(OWN)
    (part / "sums.hpp").write_text('#include "deep.h"\n#include "naive.hpp"\n#include "no.hpp"\n')
    for name in ("deep.h", "unused.hpp", "a.out", "notes.txt"):
        (part / name).write_text("x")
    handed_in = "NOTEBOOK.md flags.txt mine.hpp mine_own.hpp worksheet.hpp deep.h sums.hpp".split()
    found = collect([part, part.with_name("part2_words")])
    assert sorted(found.files) == sorted(f"{PART}/{name}" for name in handed_in)
    assert "part2: not started, so not in the archive" in found.notes


def test_no_names(part):
    (part / "mine_own.hpp").write_text(OWN)
    (part / "worksheet.hpp").write_text(SHEET % "")
    with pytest.raises(LabError, match=rf"^{PART}/worksheet\.hpp has no names: write them there"):
        collect([part])


def test_what_is_missing_is_named(part):
    found = collect([part])
    assert found.versions == []
    assert found.notes == [
        "part1: mine.hpp computes as naive does: nothing in it is yours",
        "part1: worksheet.hpp: 3 answers still open: a, b, c",
        "part1: NOTEBOOK.md: nothing written yet: Task 2, profile; Task 6, bound by what?; "
        "Task 7, sizes; Task 11, explain the speed-up",
        "part1: the notebook has no rows: ./lab try writes them",
    ]
    five = SHEET.replace("b =", "b1 = unanswered, b2 = unanswered, b3 =") % "Ada"
    (part / "worksheet.hpp").write_text(five)
    line = "part1: worksheet.hpp: 5 answers still open: a, b1, b2, b3 and 1 more"
    assert line in collect([part]).notes


def test_nothing_is_missing(part):
    (part / "worksheet.hpp").write_text('std::string authors = "Ada", mine = "mine"; double a = 1;')
    (part / "mine.hpp").write_text(OWN)
    (part / "notebook.csv").write_text("row,name\n1,mine\n")
    (part / "NOTEBOOK.md").write_text("## Words\n\n### Task 2\n\nWhy?\n\nSince it is so.\n")
    found = collect([part])
    assert (found.notes, found.versions) == ([], [("part1", "mine", True)])
    assert found.authors == ["Ada"]


def test_links_and_floods(part):
    (part / "mine_link.hpp").symlink_to("/etc/hostname")
    with pytest.raises(LabError, match=r"mine_link.hpp: is not a plain file: put the file itself"):
        collect([part])
    (part / "mine_link.hpp").unlink()
    (part / "mine_big.hpp").write_bytes(b" " * (ROLES[0].largest_bytes + 1))
    with pytest.raises(LabError, match=r"mine_big.hpp: has 200001 bytes, but at most 200000 are"):
        collect([part])
