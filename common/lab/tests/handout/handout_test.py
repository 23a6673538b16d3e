"""Does ./lab handout pack what students get, and refuse leaks of solutions and dead links?"""

import contextlib
import io
import json
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.messages import Failure
from nbody_lab.handout import command as handout
from nbody_lab.handout.left_out import handed_out_text, why_left_out
from tests.folder_for_tests import InFolder

FILES = {
    "README.md": "# Lab\n\n| folder | what |\n|---|---|\n| `solutions/` | secret |\n| `data/` | bodies |\n\n"
    "<!-- not in the handout -->\nMore: `docs/results.md`.\n<!-- in the handout again -->\n\nEnd.\n",
    "lab": "#!/bin/sh\n",
    "docs/results.md": "clever_halves wins\n",
    "part1_words/CMakeLists.txt": "",
    "part1_words/naive.hpp": "class Naive {};\n",
    "part1_words/questions_test.py": "answer = 42\n",
    "part2_words/CMakeLists.txt": "",
    "part2_words/naive.hpp": "class Naive {};\n",
    "solutions/part1_words/clever_halves.hpp": "class CleverHalves : public Naive {};\n",
    "data/results/part1_ladder_1_thread.json": json.dumps(
        {
            "context": {
                "cpu": "A processor",
                "compiler": "g++ 12",
                "day": "2026-11-21",
                "adaptive": True,
            },
            "summary": [
                {
                    "name": name,
                    "threads": 1,
                    "n": 5000,
                    "precision": "float",
                    "interactions_per_s": {"median": rate},
                }
                for name, rate in (("naive", 1e8), ("clever_halves", 5e8))
            ],
        }
    ),
}


class HandoutTest(InFolder):
    def setUp(self):
        if not shutil.which("git"):
            self.skipTest("git is not there")
        super().setUp()
        for path, text in FILES.items():
            self.put(path, text, executable=path == "lab")
        self.git("init", "-q")
        self.commit()

    def git(self, *words):
        subprocess.run(
            ["git", "-C", self.folder, "-c", "user.name=a", "-c", "user.email=a@b", *words],
            check=True,
            capture_output=True,
        )

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x")

    def members(self, parts="", **options):
        return handout.checked_members(self.folder, parts, **{"working_tree": False, **options})

    def expect_refused(self, words, **options):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(Failure):
            self.members(**options)
        self.assertRegex(said.getvalue(), words)

    def test_what_students_get(self):
        found = self.members()
        self.assertEqual(
            sorted(found),
            [
                "README.md",
                "common/given/part1_words/naive.hpp",
                "common/given/part2_words/naive.hpp",
                "data/references.json",
                "lab",
                "part1_words/CMakeLists.txt",
                "part1_words/naive.hpp",
                "part2_words/CMakeLists.txt",
                "part2_words/naive.hpp",
            ],
        )
        self.assertTrue(found["lab"].executable)
        text = found["README.md"].content.decode()
        self.assertNotIn("solutions", text)
        self.assertNotIn("results", text)
        self.assertIn("| `data/` | bodies |", text)
        self.assertIn("End.", text)

    def test_references_in_place_of_the_solution(self):
        content = self.members()["data/references.json"].content.decode()
        (row,) = json.loads(content)["parts"]["part1"]
        self.assertEqual(
            (row["x_naive"], row["threads"], row["step"], row["machine"]),
            (5, 1, "adaptive", "A processor"),
        )
        self.assertNotIn("clever", content)

    def test_some_parts(self):
        self.assertFalse([path for path in self.members("part1") if path.startswith("part2")])
        with contextlib.redirect_stderr(io.StringIO()) as said, self.assertRaises(Failure):
            self.members("part1,part7")
        self.assertEqual(said.getvalue(), "lab: there is no part 'part7'; parts: part1 part2\n")

    def test_changes_are_committed_first(self):
        self.put("part1_words/naive.hpp", "class Naive { int x; };\n")
        self.expect_refused("^lab: there are uncommitted changes: .*--working-tree\n$")
        self.assertIn(b"int x", self.members(working_tree=True)["part1_words/naive.hpp"].content)

    def test_what_git_does_not_know_stays_here(self):
        self.put("class/smith_anna.tar.gz", "marks")
        self.assertFalse([path for path in self.members() if path.startswith("class")])

    def test_a_document_that_points_nowhere(self):
        self.put("README.md", "Read `docs/results.md`.\n")
        self.commit()
        self.expect_refused(
            "nothing was written: documents name files .*\n.*README.md:1: there is no file docs/results.md"
        )

    def test_a_leak(self):
        self.put("common/notes.txt", "like CleverHalves\n")
        self.commit()
        self.expect_refused(
            "nothing was written: this gives solutions away\n.*common/notes.txt names CleverHalves"
        )

    def test_solutions_that_are_kept_elsewhere(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "part1_words").mkdir()
            (Path(folder) / "part1_words/own_trick.hpp").write_text("class OwnTrick {};\n")
            references = {"what": "", "version": 1, "parts": {"part1": []}}
            (Path(folder) / "references.json").write_text(
                json.dumps(references)
            )  # from an earlier measurement
            found = self.members(solutions_from=Path(folder))
            self.assertEqual(json.loads(found["data/references.json"].content), references)
            self.put("common/notes.txt", "an own_trick\n")
            self.commit()
            self.expect_refused("names own_trick", solutions_from=Path(folder))

    def test_marks_that_do_not_fit(self):
        for text in ("<!-- not in the handout -->\na", "a\n<!-- in the handout again -->"):
            with self.assertRaises(ValueError):
                handed_out_text(text)


class RealTree(unittest.TestCase):
    """The lab itself."""

    @classmethod
    def setUpClass(cls):
        tree = (
            subprocess.run(["git", "-C", ROOT, "rev-parse"], capture_output=True, check=False)
            if shutil.which("git")
            else None
        )
        if not tree or tree.returncode or not (ROOT / "solutions").is_dir():
            raise unittest.SkipTest("no git checkout with solutions")
        cls.found = handout.checked_members(ROOT)  # checks for leaks and dead links

    def test_nothing_that_is_left_out_is_there(self):
        for path in self.found:
            self.assertFalse(
                path.startswith(
                    ("solutions/", "common/lab/tests/grade/", "docs/solutions", "build/", ".git/")
                ),
                path,
            )
            self.assertEqual(why_left_out(path) if path != handout.REFERENCES else "", "")

    def test_every_row_of_the_list_leaves_something_out(self):
        from nbody_lab.handout.left_out import LEFT_OUT, fits

        files = handout.tracked(ROOT, True)
        for pattern, _ in LEFT_OUT:
            self.assertTrue(any(fits(path, pattern) for path in files), pattern)

    def test_no_answer_of_a_solved_worksheet(self):
        """Compares whole lines, as a student would paste them."""
        for sheet in ROOT.glob("solutions/*/worksheet.hpp"):
            given = (ROOT / sheet.parent.name / "worksheet.hpp").read_text(encoding="utf-8")
            answers = [
                line.strip()
                for line in sheet.read_text(encoding="utf-8").splitlines()
                if " = " in line and line not in given and " authors " not in line
            ]
            self.assertGreater(len(answers), 10)
            for path, text in handout.texts(self.found).items():
                for answer in answers:
                    self.assertFalse(answer in text, f"{path} has '{answer}'")

    def test_nothing_assigns_an_answer(self):
        """A question's test contains such assignments."""
        names = {
            name
            for sheet in ROOT.glob("solutions/*/worksheet.hpp")
            for name in re.findall(
                r"^  double (\w+_\w+) =", sheet.read_text(encoding="utf-8"), re.M
            )
        }
        self.assertGreater(len(names), 30)
        assigned = re.compile(rf"\b({'|'.join(sorted(names))})\s*=\s*[\d(n]")
        for path, text in handout.texts(self.found).items():
            self.assertFalse(assigned.search(text), f"{path}: {assigned.search(text)}")

    def test_the_same_bytes_twice(self):
        first = handout.archive.tar_gz("lab", self.found)
        again = handout.archive.tar_gz("lab", handout.checked_members(ROOT))
        self.assertEqual(first, again)
        with tarfile.open(fileobj=io.BytesIO(first)) as tar:
            self.assertEqual(
                {(info.mtime, info.uid, info.gid, info.uname) for info in tar},
                {(315532800, 0, 0, "")},
            )
