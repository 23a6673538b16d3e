"""What is handed in from a student's tree, by whom, what is missing, and what the archive holds."""

import hashlib
import shutil
import tarfile
import zipfile

import pytest

from nbody_lab import ROOT
from nbody_lab.core.clean_text import file_name
from nbody_lab.core.errors import LabError
from nbody_lab.handout import submit
from nbody_lab.handout.handed_in import ROLES, role_of
from nbody_lab.handout.submission import authors_in, collect

PART = "part1_standard_opti"
GIVEN = """#pragma once
#include "naive.hpp"
namespace nbody {
class Mine : public Naive {
 public:
  using Naive::Naive;
};
}
"""
OWN = '#include "sums.hpp"\n' + GIVEN.replace("};", "  void update_bodies(real dt) override;\n};")
SHEET = """struct Worksheet {
  std::string authors = "%s", mine = "mine_own";
  double a = unanswered, b1 = unanswered, b2 = unanswered, b3 = unanswered;
  char c = no_choice;  // d = unanswered;
};
"""


@pytest.fixture
def part(tmp_path):
    """Two parts, of which this one is signed. Not the files of this tree: it may be a student's own."""
    for folder in (tmp_path / PART, tmp_path / "part2_words"):
        folder.mkdir()
        for name in ("CMakeLists.txt", "naive.hpp", "flags.txt", "NOTEBOOK.md", "README.md"):
            shutil.copy(ROOT / PART / name, folder)
        (folder / "mine.hpp").write_text(GIVEN)
        (folder / "worksheet.hpp").write_text(SHEET % "")
    (tmp_path / PART / "worksheet.hpp").write_text(SHEET % "Ada Lovelace")
    (tmp_path / "common").mkdir()
    (tmp_path / "common/bodies.hpp").touch()
    return tmp_path / PART


@pytest.mark.parametrize(
    ("worksheet", "authors"),
    [
        ('std::string authors = "  ";', ""),
        ('std::string authors =\n  "Zo\u00eb  M, A \\"B\\" C";', 'Zo\u00eb M, A "B" C'),
    ],
)
def test_names_in_a_worksheet(worksheet, authors):
    assert authors_in(worksheet) == authors


@pytest.mark.parametrize(
    ("authors", "name"),
    [
        ("Ada Lovelace, Charles Babbage", "ada_lovelace_charles_babbage"),
        ("Zo\u00eb M\u00fcller-Stra\u00dfe, \u0141ukasz", "zoe_muller_strasse_lukasz"),
        ("../../etc/passwd", "etc_passwd"),
        ("\u5f20\u4f1f", ""),
        ("a" * 99, "a" * 60),
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


def test_only_what_is_listed_of_parts_that_were_begun(part):
    (part / "mine_own.hpp").write_text(OWN)
    (part / "sums.hpp").write_text('#include "./deep.h"\n#include "naive.hpp"\n#include "no.hpp"\n')
    (part / "deep.h").write_text('#include "../common/bodies.hpp"\n// #include "a.out"\n')
    for name in ("unused.hpp", "a.out", "notes.txt"):
        (part / name).touch()
    handed_in = "NOTEBOOK.md flags.txt mine.hpp mine_own.hpp worksheet.hpp deep.h sums.hpp".split()
    found = collect([part, part.with_name("part2_words")])
    assert sorted(found.files) == sorted(f"{PART}/{name}" for name in handed_in)
    assert found.versions == [("part1", "mine_own")]
    assert found.notes == [
        "part1: mine.hpp computes as naive does: nothing in it is yours",
        "part1: worksheet.hpp: 5 answers still open: a, b1, b2, b3 and 1 more",
        "part1: the notebook has no rows: ./lab try writes them",
        "part2: not started, so not in the archive",
    ]


def test_nothing_is_missing(part):
    (part / "worksheet.hpp").write_text('std::string authors = "Ada"; double a = 1;')
    (part / "mine.hpp").write_text(OWN)
    (part / "notebook.csv").write_text("row,name\n1,mine\n")
    assert collect([part]).notes == []


@pytest.mark.parametrize("included", ["../sums.hpp", "table.inc", "mine_own_count.hpp"])
def test_an_include_that_is_not_handed_in_is_refused(included, part):
    """It may be found here, but not where the submission is graded."""
    (part / included).touch()
    (part / "sums.hpp").write_text(f'#include "{included}"\n')
    (part / "mine_own.hpp").write_text(OWN)
    with pytest.raises(LabError, match=f'{PART}/sums.hpp includes "{included}", which is not'):
        collect([part])


def test_what_no_grader_would_accept(part):
    (part / "mine_link.hpp").symlink_to("/etc/hostname")
    with pytest.raises(LabError, match=r"mine_link.hpp: is not a plain file: put the file itself"):
        collect([part])
    (part / "mine_link.hpp").unlink()
    (part / "mine_big.hpp").write_bytes(b" " * (ROLES[0].largest_bytes + 1))
    with pytest.raises(LabError, match=r"mine_big.hpp: has 200001 bytes, but at most 200000 are"):
        collect([part])


def test_an_archive(part, run_lab, monkeypatch):
    """The same bytes each time; nothing is written without names."""
    monkeypatch.setattr(submit, "ROOT", part.parent)
    monkeypatch.setattr(submit, "VERDICTS", part.parent)
    monkeypatch.chdir(part.parent)
    (part / "mine_own.hpp").write_text(OWN)
    (part / "sums.hpp").touch()
    ended = run_lab("submit")
    content = (part.parent / "submission_ada_lovelace.tar.gz").read_bytes()
    for words in (
        "authors: Ada Lovelace\npart1/mine_own: never checked: ./lab check part1 mine_own\nnote: ",
        f"{PART}/sums.hpp ",
        f"sha256 {hashlib.sha256(content).hexdigest()}",
        "look inside: tar tzf submission_ada_lovelace.tar.gz",
    ):
        assert words in ended.output
    names = "NOTEBOOK.md flags.txt mine.hpp mine_own.hpp sums.hpp worksheet.hpp".split()
    expected = [f"submission_ada_lovelace/{PART}/{name}" for name in names]
    with tarfile.open("submission_ada_lovelace.tar.gz") as tar:
        assert tar.getnames() == expected
    assert run_lab("submit", "-o", "again.tgz").status == run_lab("submit", "--zip").status == 0
    assert (part.parent / "again.tgz").read_bytes() == content
    with zipfile.ZipFile("submission_ada_lovelace.zip") as archive:
        assert archive.namelist() == expected
    (part / "worksheet.hpp").write_text(SHEET % "")
    ended = run_lab("submit", "-o", "more.zip")
    assert ended.error.startswith(f"lab: {PART}/worksheet.hpp has no names: write them there first")
    assert ended.status == 2 and not (part.parent / "more.zip").exists()
