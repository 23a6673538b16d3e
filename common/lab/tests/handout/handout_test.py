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
from nbody_lab.core.errors import LabError
from nbody_lab.handout import pack, references
from nbody_lab.handout.left_out import LEFT_OUT, is_left_out

if not shutil.which("git"):
    pytest.skip("git is not there", allow_module_level=True)

CONTEXT = {"cpu": "A processor", "compiler": "g++ 12", "day": "2026-11-21", "adaptive": True}
LADDER = [
    {"name": name, "threads": 1, "n": 5000, "precision": precision}
    | {"interactions_per_s": {"median": speed if precision == "float" else 1e8}}
    for precision in ("float", "double")
    for name, speed in {"naive": 1e8, "first_try": 2e8, "clever_halves": 5.2e8}.items()
]
README = """# Lab

| folder | what |
|---|---|
| `solutions/` | secret |
| `data/` | bodies |

<!-- not in the handout -->
More: `docs/results.md`.
<!-- in the handout again -->

End.
"""
FILES = {
    "README.md": README,
    "lab": "#!/bin/sh\n",
    "docs/results.md": "clever_halves wins\n",
    "part1_words/CMakeLists.txt": "",
    "part1_words/naive.hpp": "class Naive {};\n",
    "part1_words/questions_test.py": "answer = 42\n",
    "part2_words/CMakeLists.txt": "",
    "part2_words/naive.hpp": "class Naive {};\n",
    "solutions/part1_words/clever_halves.hpp": "class CleverHalves : public Naive {};\n",
    "data/results/part1_ladder_1_thread.json": json.dumps({"context": CONTEXT, "summary": LADDER}),
}
OF_STUDENTS = """README.md common/given/part1_words/naive.hpp common/given/part2_words/naive.hpp
data/references.json lab part1_words/CMakeLists.txt part1_words/naive.hpp part2_words/CMakeLists.txt
part2_words/naive.hpp""".split()


@pytest.fixture
def tree(tmp_path):
    """A tiny lab under git."""
    for path, text in FILES.items():
        put(tmp_path, path, text)
    (tmp_path / "lab").chmod(0o755)
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    return tmp_path


def put(root, path, text):
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def git(root, *words):
    name = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", "-C", root, *name, *words], check=True, capture_output=True)


def commit(root):
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "x")


def test_what_students_get(tree):
    """Nothing that git does not know, and references in place of the solution."""
    put(tree, "class/smith_anna.tar.gz", "marks")
    found = pack.checked_members(tree, working_tree=False)
    assert sorted(found) == OF_STUDENTS
    assert [path for path, member in found.items() if member.mode == 0o755] == ["lab"]
    dropped = ("| `solutions/` | secret |\n", README[README.index("<!--") : README.index("\nEnd")])
    assert found["README.md"].content.decode() == (
        README.replace(dropped[0], "").replace(dropped[1], "")
    )


def test_the_solution_s_speed_is_shown_where_the_solution_is_not(tree, capsys):
    put(tree, references.FILE, pack.checked_members(tree)[references.FILE].content.decode())
    references.show(tree, "part1")  # the solution is there
    shutil.rmtree(tree / "solutions")
    references.show(tree, "part2")  # there is no ladder of it
    assert capsys.readouterr().out == ""
    references.show(tree, "part1")
    assert " ".join(capsys.readouterr().out.split()) == (
        "reference: the solution reaches 5.2 x naive with 1 thread "
        "(5000 bodies, adaptive step; A processor, 2026-11-21)"
    )


def test_an_archive_holds_some_parts_in_the_same_bytes_each_time(tree, run_lab, monkeypatch):
    """A document may name a file of a part that is left out."""
    put(tree, "docs/checking.md", "As in `part2_words/naive.hpp`.\n")
    commit(tree)
    monkeypatch.setattr(pack, "ROOT", tree)
    files = [tree / "one.tar.gz", tree / "two.tar.gz"]
    for file, now in zip(files, (1e9, 2e9)):
        monkeypatch.setattr(time, "time", lambda now=now: now)
        assert run_lab("handout", "-o", file, "--parts", "part1").status == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    with tarfile.open(files[0]) as tar:
        modes = {one.name.removeprefix("nbody_lab/"): one.mode for one in tar.getmembers()}
    expected = [path for path in OF_STUDENTS if "part2" not in path]
    assert sorted(modes) == sorted([*expected, "docs/checking.md"])
    assert (modes["lab"], modes["README.md"]) == (0o755, 0o644)


def test_changes_are_committed_first(tree):
    put(tree, "part1_words/naive.hpp", "class Naive { int x; };\n")
    with pytest.raises(LabError, match=r"there are uncommitted changes: .*--working-tree"):
        pack.checked_members(tree, working_tree=False)
    assert b"int x" in pack.checked_members(tree)["part1_words/naive.hpp"].content


@pytest.mark.parametrize(
    ("path", "text", "refusal"),
    [
        ("README.md", "Read `docs/results.md`.", "README.md names a file that students do not get"),
        ("docs/a.md", "[x](results.md)", "docs/a.md names a file that students do not get"),
        ("common/notes.txt", "like CleverHalves", "common/notes.txt names CleverHalves of "),
        ("README.md", "<!-- not in the handout -->\na", "README.md: .* are not in pairs"),
        ("README.md", "a\n<!-- in the handout again -->", "README.md: .* are not in pairs"),
    ],
)
def test_what_gives_something_away_is_refused(path, text, refusal, tree, run_lab, monkeypatch):
    put(tree, path, text)
    commit(tree)
    monkeypatch.setattr(pack, "ROOT", tree)
    ended = run_lab("handout", "-o", tree / "a.tar.gz")
    assert ended.status == 2 and re.search(refusal, ended.error), ended.error
    assert not (tree / "a.tar.gz").exists()


# --- the lab itself ---


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
    """Compares whole lines, as a student would paste them; and nothing assigns an answer, as a question's test does."""
    names = set()
    for sheet in ROOT.glob("solutions/*/worksheet.hpp"):
        given = (ROOT / sheet.parent.name / "worksheet.hpp").read_text(encoding="utf-8")
        solved = sheet.read_text(encoding="utf-8")
        names.update(re.findall(r"^  double (\w+_\w+) =", solved, re.M))
        answers = [
            line.strip()
            for line in solved.splitlines()
            if " = " in line and line not in given and " authors " not in line
        ]
        assert len(answers) > 10
        assert [(path, one) for path, text in texts.items() for one in answers if one in text] == []
    assert len(names) > 30
    assigned = re.compile(rf"\b({'|'.join(sorted(names))})\s*=\s*[\d(n]")
    found = {path: assigned.findall(text) for path, text in texts.items()}
    assert {path: some for path, some in found.items() if some} == {}


def test_no_seal_of_a_choice(texts):
    """Nor in a test: whoever has a seal finds the letter with four tries."""
    files = ROOT.glob("part*_*/questions.py")
    seals = re.findall(r"seal=(0x\w+)", "".join(file.read_text(encoding="utf-8") for file in files))
    assert len(seals) > 20
    assert [path for path, text in texts.items() if any(seal in text for seal in seals)] == []
