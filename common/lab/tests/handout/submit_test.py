"""./lab submit from end to end, in a copy of the lab: what it writes, and when it writes nothing."""

import hashlib
import re
import tarfile
import zipfile

import pytest

from nbody_lab import ROOT
from nbody_lab.core.tree_copy import copy_tree, link_tools
from nbody_lab.handout.clean_copy import files_of_the_lab
from tests import said_by

TREE = ROOT / "build/submit_test"  # kept, so that the next run builds less
PART = TREE / "part1_standard_opti"
GIVEN = """#pragma once
#include "naive.hpp"
namespace nbody {
class Mine : public Naive {
 public:
  using Naive::Naive;
%s};
}
"""
OWN = (
    GIVEN.replace("naive.hpp", "sums.hpp")
    % "  void update_bodies(real dt) override { Naive::update_bodies(same(dt)); }\n"
)
SUMS = """#pragma once
#include "naive.hpp"
inline nbody::real same(nbody::real x) { return x; }
"""

pytestmark = pytest.mark.slow


def write(name, text, folder=PART):
    """Leaves an equal file alone: ninja looks at its time."""
    if not (folder / name).exists() or (folder / name).read_text(encoding="utf-8") != text:
        (folder / name).write_text(text, encoding="utf-8")


def sign(names):
    sheet = (ROOT / "part1_standard_opti/worksheet.hpp").read_text(encoding="utf-8")
    write("worksheet.hpp", re.sub(r'authors = "[^"]*"', f'authors = "{names}"', sheet))


def submit(*words):
    return said_by([TREE / "lab", "submit", *words], cwd=TREE)


@pytest.fixture(autouse=True)
def tree():
    """A student's tree, in which part 1 is signed and has a version with a header of its own."""
    parts = [
        file.relative_to(ROOT).as_posix()
        for name in ("flags.txt", "worksheet.hpp", "NOTEBOOK.md")
        for file in ROOT.glob(f"part*_*/{name}")
    ]
    copy_tree([*files_of_the_lab(ROOT), *parts], TREE, ROOT)
    for naive in TREE.glob("part*_*/naive.*"):
        write(f"mine{naive.suffix}", (GIVEN % "").replace("naive.hpp", naive.name), naive.parent)
    link_tools(TREE, ROOT)
    sign("Ada Lovelace")
    write("mine_own.hpp", OWN)
    write("sums.hpp", SUMS)


def test_an_archive():
    status, output, error = submit()
    assert status == 0, output + error
    file = TREE / "submission_ada_lovelace.tar.gz"
    content = file.read_bytes()
    assert "building part1/mine_own in a clean copy of the lab ... " in error
    for words in (
        "authors: Ada Lovelace\n",
        "part1_standard_opti/sums.hpp",
        f"sha256 {hashlib.sha256(content).hexdigest()}",
        f"look inside: tar tzf {file.name}",
        "part1/mine_own: never checked: ./lab check part1 mine_own",
        "note: part1: mine.hpp computes as naive does",
        "answers still open: forces_percent, ",
    ):
        assert words in output
    assert max(map(len, output.splitlines())) <= 100
    names = "NOTEBOOK.md flags.txt mine.hpp mine_own.hpp sums.hpp worksheet.hpp".split()
    expected = [f"submission_ada_lovelace/{PART.name}/{name}" for name in names]
    with tarfile.open(file) as tar:
        assert tar.getnames() == expected
    assert submit("-o", "again.tar.gz")[0] == 0
    assert (TREE / "again.tar.gz").read_bytes() == content
    assert submit("--zip")[0] == 0
    with zipfile.ZipFile(TREE / "submission_ada_lovelace.zip") as archive:
        assert archive.namelist() == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(OWN.replace("override {", "override { return 1;"), id="does not compile"),
        pytest.param(OWN.replace("sums.hpp", "../elsewhere.hpp"), id="a header from elsewhere"),
    ],
)
def test_what_does_not_build(text):
    """A header may exist here, but not where the submission is graded."""
    elsewhere = SUMS.replace("naive.hpp", "part1_standard_opti/naive.hpp")
    (TREE / "elsewhere.hpp").write_text(elsewhere)
    write("mine_own.hpp", text)
    status, output, error = submit()
    assert status == 1, output + error
    assert "part1/mine_own does not build in a clean copy, so nothing was written" in error
    assert not [file for file in TREE.iterdir() if re.search(r"\.tar\.gz$|\.zip$|^\.", file.name)]
