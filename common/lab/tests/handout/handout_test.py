"""Does ./lab handout pack what students get, and refuse leaks of solutions and dead links?"""

import json
import re
import shutil
import subprocess

import pytest

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.handout import pack
from nbody_lab.handout.left_out import LEFT_OUT, fits, is_left_out

if not shutil.which("git"):
    pytest.skip("git is not there", allow_module_level=True)

CONTEXT = {"cpu": "A processor", "compiler": "g++ 12", "day": "2026-11-21", "adaptive": True}
ROW = {"threads": 1, "n": 5000, "precision": "float"}
SPEEDS = {"naive": 1e8, "clever_halves": 5e8}
LADDER = [
    {**ROW, "name": name, "interactions_per_s": {"median": speed}} for name, speed in SPEEDS.items()
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


class Tree:
    """A tiny lab under git."""

    def __init__(self, root):
        self.root = root
        for path, text in FILES.items():
            self.put(path, text)
        (root / "lab").chmod(0o755)
        self.git("init", "-q")
        self.commit()

    def put(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def git(self, *words):
        name = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(["git", "-C", self.root, *name, *words], check=True, capture_output=True)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x")

    def members(self, parts=(), **options):
        return pack.checked_members(self.root, parts, **{"working_tree": False, **options})


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path / "tree")


def test_what_students_get(tree):
    """Nothing that git does not know, and references in place of the solution."""
    tree.put("class/smith_anna.tar.gz", "marks")
    found = tree.members()
    assert sorted(found) == OF_STUDENTS
    assert [path for path, member in found.items() if member.mode == 0o755] == ["lab"]
    dropped = ("| `solutions/` | secret |\n", README[README.index("<!--") : README.index("\nEnd")])
    assert found["README.md"].content.decode() == (
        README.replace(dropped[0], "").replace(dropped[1], "")
    )
    references = found["data/references.json"].content.decode()
    assert [row["x_naive"] for row in json.loads(references)["parts"]["part1"]] == [5]
    assert "clever" not in references


def test_some_parts(tree):
    """A document may name a file of a part that is left out."""
    tree.put("docs/checking.md", "As in `part2_words/naive.hpp`.\n")
    tree.commit()
    assert not [path for path in tree.members(["part1"]) if path.startswith("part2")]


def test_changes_are_committed_first(tree):
    tree.put("part1_words/naive.hpp", "class Naive { int x; };\n")
    with pytest.raises(LabError, match=r"there are uncommitted changes: .*--working-tree"):
        tree.members()
    assert b"int x" in tree.members(working_tree=True)["part1_words/naive.hpp"].content


def test_a_folder_without_git_is_refused(tmp_path):
    with pytest.raises(LabError, match="handout needs a git checkout"):
        pack.checked_members(tmp_path)


@pytest.mark.parametrize(
    ("path", "text", "refusal"),
    [
        ("README.md", "Read `docs/results.md`.", "README.md:1: there is no file docs/results.md"),
        ("common/notes.txt", "like CleverHalves", "common/notes.txt names CleverHalves of "),
        ("README.md", "<!-- not in the handout -->\na", "README.md: '.*' has no end"),
        ("README.md", "a\n<!-- in the handout again -->", "README.md: '.*' is out of order"),
    ],
)
def test_dead_links_leaks_and_marks_that_do_not_fit_are_refused(path, text, refusal, tree):
    tree.put(path, text)
    tree.commit()
    with pytest.raises(LabError, match=refusal):
        tree.members()


def test_a_link_is_refused(tree):
    (tree.root / "common").symlink_to("/etc")
    tree.commit()
    with pytest.raises(LabError, match="common: is a link"):
        tree.members()


# --- the lab itself ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def texts():
    """Checked for leaks and dead links."""
    if not (ROOT / ".git").exists() or not (ROOT / "solutions").is_dir():
        pytest.skip("no git checkout with solutions")
    return pack.texts_of(pack.checked_members(ROOT))


def test_every_row_of_the_list_leaves_something_out(texts):
    assert [path for path in texts if path.startswith("solutions/") or is_left_out(path)] == []
    files = pack.tracked_files(ROOT, True)
    for patterns in LEFT_OUT.values():
        assert [one for one in patterns if not any(fits(path, one) for path in files)] == []


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
