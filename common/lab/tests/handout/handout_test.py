"""Does ./lab handout pack what students get, and refuse what gives a solution away?"""

import fnmatch
import json
import re
import shutil
import subprocess
import tarfile
import time

import pytest

from nbody_lab import ROOT
from nbody_lab.handout import pack, references
from nbody_lab.handout.left_out import LEFT_OUT, is_left_out
from tests import write_files

if not shutil.which("git"):
    pytest.skip("git is not there", allow_module_level=True)

CONTEXT = {"cpu": "A processor", "compiler": "g++ 12", "day": "2026-11-21", "adaptive": True}
KINDS = {"clever_halves": "solution", "tree": "exhibit"}  # which may come after it
LADDER = [
    {"name": name, "kind": KINDS.get(name, "rung"), "threads": 1, "n": 5000, "precision": precision}
    | {"interactions_per_s": {"median": speed if precision == "float" else 1e8}}
    for precision in ("float", "double")
    for name, speed in {"naive": 1e8, "first_try": 2e8, "clever_halves": 5.2e8, "tree": 3e8}.items()
]
DROPPED = ("| `solutions/` | secret |\n", "<!-- not in the handout -->\nMore: `docs/results.md`.\n")
ROWS = "| `data/` | bodies |\n| [1](part1_words/naive.hpp) | a |\n"
OTHER = ("| [2](part2_words/naive.hpp) | b |\n", "[two](part2_words/naive.hpp#x)")
README = f"# Lab\n\n{DROPPED[0]}{ROWS}{OTHER[0]}\nOf {OTHER[1]}.\n{DROPPED[1]}<!-- in the handout again -->\n"
BODY = """for (std::size_t i = 0; i < n; i += 2) {
      real sum = 0, other = 0;
      for (std::size_t j = 0; j < n; ++j) { sum += f(i, j); other += f(i + 1, j); }
      a[i] = sum;
      a[i + 1] = other;
    }
"""
SOLUTION = f'#include "naive.hpp"\nclass CleverHalves : public Naive {{\n  // Both.\n  {BODY}}};\n'
ANSWERS = "".join(f"  double answer_{k} = {k} * n * (n - {k});\n" for k in range(12))
FILES = {
    "README.md": README,
    "lab": "#!/bin/sh\n",
    "docs/results.md": "clever_halves wins\n",
    "docs/checking.md": "As in `part2_words/naive.hpp`: a split loop, or my_clever_halves_too.\n",
    "part1_words/CMakeLists.txt": "",
    "part1_words/naive.hpp": "class Naive {};\n",
    "part1_words/questions.py": "# an old_word\n",
    "part1_words/questions_test.py": "answer = 42\n",
    "part2_words/CMakeLists.txt": "",
    "part2_words/naive.hpp": "class Naive {};\n",
    "solutions/part1_words/02_clever_halves.hpp": SOLUTION,
    "solutions/part1_words/old_word.hpp": "class OldWord : public Naive {};\n",
    "solutions/part1_words/worksheet.hpp": f"struct Worksheet {{\n{ANSWERS}}};\n",
    "data/results/part1_ladder_1_thread.json": json.dumps({"context": CONTEXT, "summary": LADDER}),
}
OF_STUDENTS = """README.md common/given/part1_words/naive.hpp data/references.json docs/checking.md lab
part1_words/CMakeLists.txt part1_words/naive.hpp part1_words/questions.py""".split()


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A tiny lab under git."""
    write_files(tmp_path, FILES)
    (tmp_path / "lab").chmod(0o755)
    commit(tmp_path)
    monkeypatch.setattr(pack, "ROOT", tmp_path)
    return tmp_path


def commit(root):
    name = ("-c", "user.name=a", "-c", "user.email=a@b")
    for words in (("init", "-q"), ("add", "-A"), (*name, "commit", "-q", "-m", "x")):
        subprocess.run(["git", "-C", root, *words], check=True, capture_output=True)


def test_what_students_get(tree, run_lab, monkeypatch):
    """The same bytes each time; a document may name a file of a part that is left out, but links to none. Nothing that git does not know, and
    no change by accident."""
    write_files(tree, {"class/smith_anna.tar.gz": "marks"})
    files = [tree / "one.tar.gz", tree / "two.tar.gz"]
    for file, now in zip(files, (1e9, 2e9)):
        monkeypatch.setattr(time, "time", lambda now=now: now)
        assert run_lab("handout", "-o", file, "--parts", "part1").status == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    with tarfile.open(files[0]) as tar:
        modes = {one.name.removeprefix("nbody_lab/"): one.mode for one in tar.getmembers()}
        readme = tar.extractfile("nbody_lab/README.md").read().decode()
    assert sorted(modes) == OF_STUDENTS
    assert (modes["lab"], modes["README.md"]) == (0o755, 0o644)
    assert readme == f"# Lab\n\n{ROWS}\nOf two.\n"
    assert (
        OTHER[0] + f"\nOf {OTHER[1]}.\n" in pack.checked_members(tree)["README.md"].content.decode()
    )
    write_files(tree, {"part1_words/naive.hpp": "class Naive { int x; };\n"})
    said = run_lab("handout", "-o", files[0])
    assert said.status == 2 and "there are uncommitted changes" in said.error
    assert b"int x" in pack.checked_members(tree)["part1_words/naive.hpp"].content


def test_the_solution_s_speed_is_shown_where_the_solution_is_not(tree, capsys):
    write_files(tree, {references.FILE: pack.checked_members(tree)[references.FILE].content})
    references.show(tree, "part1")  # the solution is there
    shutil.rmtree(tree / "solutions")
    references.show(tree, "part2")  # there is no ladder of it
    assert capsys.readouterr().out == ""
    references.show(tree, "part1")
    assert " ".join(capsys.readouterr().out.split()) == (
        "reference: the solution reaches 5.2 x naive with 1 thread "
        "(5000 bodies, adaptive step; A processor, 2026-11-21)"
    )


@pytest.mark.parametrize(
    ("path", "text", "refusal"),
    [
        ("README.md", "Read `docs/results.md`.", "README.md names a file that students do not get"),
        ("docs/a.md", "[x](results.md)", "docs/a.md names a file that students do not get"),
        ("docs/a.md", "[x](../no/b.md)", "docs/a.md links to ../no/b.md, which students do not get"),
        ("README.md", "<!-- not in the handout -->\na", "README.md: .* are not in pairs"),
        ("README.md", "a\n<!-- in the handout again -->", "README.md: .* are not in pairs"),
        ("b.txt", "as clever_halves does", "b.txt names clever_halves of solutions/part1_words/02"),
        ("part1_words/hints.md", "as clever_halves does", "part1_words/hints.md names clever_halves"),
        ("part1_words/README.md", "as clever_halves does", "part1_words/README.md names clever_halves"),
        ("b.txt", "class CleverHalves;", "b.txt names CleverHalves of solutions/part1_words/02"),
        # In other lines with other comments.
        ("b.txt", BODY.replace(" ", "  ").replace("{\n", "{  // so\n\n"), "b.txt has code of .*02_"),
        ("b.txt", ANSWERS, "b.txt has code of solutions/part1_words/worksheet.hpp"),
    ],
)  # fmt: skip
def test_what_gives_something_away_is_refused(path, text, refusal, tree, run_lab):
    write_files(tree, {path: text})
    commit(tree)
    ended = run_lab("handout", "-o", tree / "a.tar.gz")
    assert ended.status == 2 and re.search(refusal, ended.error), ended.error
    assert not (tree / "a.tar.gz").exists()


@pytest.fixture(scope="module")
def texts():
    """Checked for leaks."""
    if not (ROOT / ".git").exists() or not (ROOT / "solutions").is_dir():
        pytest.skip("no git checkout with solutions")
    return pack.texts_of(pack.checked_members(ROOT))


def test_every_row_of_the_list_leaves_something_out(texts):
    assert [path for path in texts if path.startswith("solutions/") or is_left_out(path)] == []
    files = [*pack.read_tree(ROOT, working_tree=True)]
    assert [one for one in LEFT_OUT if not fnmatch.filter(files, one)] == []


def test_no_answer_of_a_solved_worksheet(texts):
    """No line of it, as a student would paste it; nothing assigns an answer, as a question's test does; and nothing has the
    seal of a choice, which four tries would break."""
    lines, names = set(), set()
    for sheet in ROOT.glob("solutions/*/worksheet.hpp"):
        given, solved = (ROOT / sheet.parent.name / "worksheet.hpp").read_text(), sheet.read_text()
        changed = [one.strip() for one in solved.splitlines() if " = " in one and one not in given]
        lines.update(one for one in changed if " authors " not in one)
        names.update(re.findall(r"^  double (\w+_\w+) =", solved, re.M))
    files = ROOT.glob("part*_*/questions.py")
    seals = re.findall(r"seal=0x\w+", "".join(file.read_text() for file in files))
    assert len(lines) > 40 and len(names) > 30 and len(seals) > 20
    assigned = re.compile(rf"\b({'|'.join(names)})\s*=\s*[\d(n]")
    for path, text in texts.items():
        assert not [one for one in (*lines, *seals) if one in text], path
        assert not assigned.search(text), path
