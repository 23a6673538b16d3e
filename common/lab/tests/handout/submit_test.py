"""What is handed in from a student's tree, by whom, what is missing, and what the archive holds."""

import hashlib
import json
import shutil
import tarfile

import pytest

from nbody_lab import ROOT
from nbody_lab.building import handed_out
from nbody_lab.check.kept import Verdict, seal_of
from nbody_lab.handout import submit
from nbody_lab.handout.handed_in import ROLES, role_of

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
  std::string authors =
      "%s", mine = "mine_own";
  double a = unanswered, b1 = unanswered;
  char c = no_choice;  // d = unanswered;
};
"""


@pytest.fixture
def part(tmp_path, monkeypatch):
    """Two parts, of which this one is signed. Not the files of this tree: it may be a student's own."""
    for folder in (tmp_path / PART, tmp_path / "part2_words"):
        folder.mkdir()
        for name in ("CMakeLists.txt", "naive.hpp", "flags.txt", "NOTEBOOK.md", "README.md"):
            shutil.copy(ROOT / PART / name, folder)
        (folder / "mine.hpp").write_text(GIVEN)
        (folder / "worksheet.hpp").write_text(SHEET % "")
    (tmp_path / PART / "worksheet.hpp").write_text(SHEET % "Ada  Lovelace")
    (tmp_path / "common").mkdir()
    (tmp_path / "common/bodies.hpp").touch()
    seals = tmp_path / "handed_out.json"
    seals.write_text(json.dumps(handed_out.seals_of_tree(tmp_path)))
    monkeypatch.setattr(handed_out, "SEALS", seals)
    monkeypatch.setattr(submit, "ROOT", tmp_path)
    monkeypatch.setattr(submit, "VERDICTS", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path / PART


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


def test_only_what_is_listed_of_parts_that_were_begun(part, run_lab):
    """The same bytes each time, and who hands in and what is open."""
    (part / "mine_own.hpp").write_text(OWN)
    (part / "sums.hpp").write_text('#include "./deep.h"\n#include "naive.hpp"\n#include "no.hpp"\n')
    (part / "deep.h").write_text('#include "../common/bodies.hpp"\n// #include "a.out"\n')
    for name in ("a.out", "notes.txt"):
        (part / name).touch()
    (part / "mine_more.hpp").write_text(OWN)
    source = {"source": f"{PART}/mine_more.hpp", "source_sha256": seal_of(part / "mine_more.hpp")}
    numbers = {"worst_share_of_limit": 0.1, "cases": 9, "failed": 0, "diagnosis": ""}
    said = {"part": "part1", "name": "mine_more", "verdict": "passed", "date": "2026-11-22T17:05"}
    verdict = Verdict(**source, **numbers, **said, options=("--no-double",))
    (part.parent / "part1_mine_more.json").write_text(verdict.model_dump_json())
    ended = run_lab("submit")
    assert ended.status == 0, ended.error
    content = (part.parent / "submission_ada_lovelace.tar.gz").read_bytes()
    for words in (
        "authors: Ada Lovelace\n",
        "part1/mine_own: not checked as it is now: ./lab check part1 mine_own\n",
        "part1/mine_more: passed on 2026-11-22 with --no-double\n",
        "part1: 3 answers still open: ./lab worksheet part1\n",
        "part2: not started, so not in the archive\n",
        f"{PART}/sums.hpp ",
        f"sha256 {hashlib.sha256(content).hexdigest()}",
        "look inside: tar tzf submission_ada_lovelace.tar.gz",
    ):
        assert words in ended.output
    names = "NOTEBOOK.md deep.h flags.txt mine.hpp mine_more.hpp mine_own.hpp sums.hpp worksheet.hpp".split()
    with tarfile.open("submission_ada_lovelace.tar.gz") as tar:
        assert tar.getnames() == [f"submission_ada_lovelace/{PART}/{name}" for name in names]
    assert run_lab("submit", "-o", "again.tar.gz").status == 0
    assert (part.parent / "again.tar.gz").read_bytes() == content


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("worksheet.hpp", SHEET % " ", f"{PART}/worksheet.hpp has no names: write your names"),
        ("mine_big.hpp", " " * (ROLES[0].largest_bytes + 1), "mine_big.hpp: larger than 200000"),
        # Found here, but not where the submission is graded.
        ("sums.hpp", '#include "../sums.hpp"', 'sums.hpp includes "../sums.hpp", which is not'),
        ("sums.hpp", '#include "t.inc"', f"make it a header (.hpp, .cuh, .h) in {PART}"),
        ("sums.hpp", '#include "mine_count.hpp"', 'includes "mine_count.hpp", which is not'),
    ],
)
def test_what_could_not_be_graded_is_refused(name, text, complaint, part, run_lab):
    (part / "mine_own.hpp").write_text(OWN)
    for there in ("../sums.hpp", "t.inc", "mine_count.hpp"):
        (part / there).touch()
    (part / name).write_text(text)
    ended = run_lab("submit")
    assert (ended.status, ended.output) == (2, "") and complaint in ended.error, ended.error
    assert not [*part.parent.glob("*.tar.gz")]


def test_a_damaged_notebook_is_named(part, run_lab):
    (part / "notebook.csv").write_text("row,date\nfirst,today\n")
    ended = run_lab("submit")
    assert ended.status == 0 and f"part1: {PART}/notebook.csv" in ended.output, ended
