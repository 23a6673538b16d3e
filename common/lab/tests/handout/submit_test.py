"""What is handed in from a student's tree, by whom, what is missing, and what the archive holds."""

import json
import tarfile

import pytest

from nbody_lab.building import handed_out
from nbody_lab.check.kept import Verdict, seal_of
from nbody_lab.handout import submit
from nbody_lab.handout.handed_in import ROLES
from tests import write_files

PART = "part1_standard_opti"
GIVEN = '#include "naive.hpp"\nclass Mine : public Naive {};\n'
OWN = '#include "sums.hpp"\n#include "naive.hpp"\nclass Mine : public Naive { int a; };\n'
SHEET = """std::string authors =
    "%s", mine = "mine_own";
double a = unanswered, b1 = unanswered;
char c = no_choice;  // d = unanswered;
"""
FILES = dict.fromkeys(("CMakeLists.txt", "naive.hpp", "flags.txt", "NOTEBOOK.md", "README.md"), "")
FILES |= {"mine.hpp": GIVEN, "worksheet.hpp": SHEET % "", "mine_own.hpp": OWN, "sums.hpp": ""}
# What no grader takes.
OTHERS = "../sums.hpp t.inc mine_count.hpp mine_own_double.cuh .mine.hpp mine.hpp~ a/mine.hpp questions.py"


@pytest.fixture
def part(tmp_path, monkeypatch):
    """Two parts, of which this one is signed and has a version."""
    write_files(tmp_path, {f"part2_words/{name}": FILES[name] for name in list(FILES)[:-2]})
    write_files(tmp_path / PART, FILES | dict.fromkeys(OTHERS.split(), ""))
    write_files(tmp_path / PART, {"worksheet.hpp": SHEET % "Ada  Lovelace"})
    write_files(tmp_path, {"common/bodies.hpp": ""})
    seals = tmp_path / "handed_out.json"
    seals.write_text(json.dumps(handed_out.seals_of_tree(tmp_path)))
    monkeypatch.setattr(handed_out, "SEALS", seals)
    monkeypatch.setattr(submit, "ROOT", tmp_path)
    monkeypatch.setattr(submit, "VERDICTS", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path / PART


def test_only_what_is_listed_of_parts_that_were_begun(part, run_lab):
    """The same bytes each time, and who hands in and what is open."""
    write_files(
        part, {"sums.hpp": '#include "./deep.h"\n#include "naive.hpp"\n#include "no.hpp"\n'}
    )
    write_files(part, {"deep.h": '#include "../common/bodies.hpp"\n// #include "t.inc"\n'})
    write_files(part, {"mine_more.hpp": OWN, "notebook.csv": "row,date\nfirst,today\n"})
    write_files(part, {"mine_rows.cuh": GIVEN, "notebook/3_mine_own.hpp": OWN})
    source = {"source": f"{PART}/mine_more.hpp", "source_sha256": seal_of(part / "mine_more.hpp")}
    numbers = {"worst_share_of_limit": 0.1, "cases": 9, "failed": 0, "diagnosis": ""}
    said = {"part": "part1", "name": "mine_more", "verdict": "passed", "date": "2026-11-22T17:05"}
    verdict = Verdict(**source, **numbers, **said, options=("--no-double",))
    (part.parent / "part1_mine_more.json").write_text(verdict.model_dump_json())
    ended = run_lab("submit")
    assert ended.status == 0, ended.error
    for words in (
        "authors: Ada Lovelace\n",
        "part1/mine_own: not checked as it is now: ./lab check part1 mine_own\n",
        "part1/mine_more: passed on 2026-11-22 with --no-double\n",
        f"part1: {PART}/notebook.csv",  # which is damaged
        "part1: 3 answers still open: ./lab worksheet part1\n",
        "part2: not started, so not in the archive\n",
    ):
        assert words in ended.output
    names = """NOTEBOOK.md deep.h flags.txt mine.hpp mine_more.hpp mine_own.hpp mine_rows.cuh notebook.csv
        notebook/3_mine_own.hpp sums.hpp worksheet.hpp""".split()
    with tarfile.open("submission_ada_lovelace.tar.gz") as tar:
        found = [name.removeprefix(f"submission_ada_lovelace/{PART}/") for name in tar.getnames()]
    assert found == names
    assert run_lab("submit", "-o", "again.tar.gz").status == 0
    content = (part.parent / "submission_ada_lovelace.tar.gz").read_bytes()
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
    write_files(part, {name: text})
    ended = run_lab("submit")
    assert (ended.status, ended.output) == (2, "") and complaint in ended.error, ended.error
    assert not [*part.parent.glob("*.tar.gz")]
