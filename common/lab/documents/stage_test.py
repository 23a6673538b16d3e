#!/usr/bin/env python3
"""What is in the folder that becomes the site, for everybody and for students? Nothing in it may give an answer away."""

import shutil
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parent))
import folders  # noqa: E402, F401
import handout  # noqa: E402
import leaks  # noqa: E402
from handout_left_out import why_left_out  # noqa: E402
from handout_text import END, MARK  # noqa: E402
from stage import is_students, stage  # noqa: E402

TREE = {
    "README.md": f"# Lab\n\nFast.\n\nEnd.\n\n{MARK}\nSecret: `docs/results.md`.\n{END}\n",
    "docs/physics.md": "# Physics\n\n![the ladder](pictures/part1_ladder.svg)\n\n![a tile](pictures/tile.svg)\n",
    "docs/results.md": "# Results\n", "docs/instructor/README.md": "# Grading\n", "docs/grading_formats.md": "# Files\n",
    "solutions/part1_standard_opti/README.md": "# Ladder\n",
    "docs/pictures/part1_ladder.svg": "<svg/>", "docs/pictures/tile.svg": "<svg/>", "CONTRIBUTING.md": "# How\n", "docs/design.md": "# Why\n",
    "solutions/a.hpp": "",
}


class Staged(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "pages"

    def staged(self, root, students):
        sections = stage(root, self.folder, students)
        return [section.name for section in sections], {str(file.relative_to(self.folder)) for file in self.folder.rglob("*") if file.is_file()}


class MadeUpTree(Staged):
    def setUp(self):
        super().setUp()
        self.root = self.folder.parent / "tree"
        for path, text in TREE.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)

    def test_all(self):
        sections, files = self.staged(self.root, False)
        self.assertEqual(sections, ["students", "instructors", "contributors"])
        self.assertEqual(files, {path for path in TREE if path != "solutions/a.hpp"} | {f"{name}.md" for name in sections})

    def test_students(self):
        sections, files = self.staged(self.root, True)
        self.assertEqual(sections, ["students", "contributors"])
        self.assertEqual(files, {"README.md", "students.md", "contributors.md", "docs/physics.md", "docs/design.md", "docs/pictures/tile.svg"})
        self.assertNotIn("Secret", (self.folder / "README.md").read_text())
        self.assertNotIn("ladder", (self.folder / "docs/physics.md").read_text())

    def test_what_was_there_before_goes(self):
        self.staged(self.root, False)
        self.assertNotIn("docs/results.md", self.staged(self.root, True)[1])

    def test_a_tree_without_solutions_is_that_of_students(self):
        self.assertFalse(is_students(self.root))
        shutil.rmtree(self.root / "solutions")
        self.assertTrue(is_students(self.root))


@unittest.skipIf(is_students(ROOT), "there are no solutions that could leak")
class RealTree(Staged):
    """The lab's own tree, for students: as strict as ./lab handout."""

    def test_nothing_leaks(self):
        sections, files = self.staged(ROOT, True)
        self.assertNotIn("instructors", sections)
        self.assertGreater(len(files), 25)
        for path in files:
            self.assertEqual(why_left_out(path), "", path)
        texts = {path: (self.folder / path).read_text(encoding="utf-8") for path in files if path.endswith((".md", ".svg"))}
        sources = [path for path in ROOT.rglob("*") if path.is_file() and path.relative_to(ROOT).parts[0] != "build" and path.suffix in (*leaks.CODE, ".md", ".json")]
        paths = {str(path.relative_to(ROOT)): True for path in sources}
        secret = handout.texts_of_solutions(ROOT, paths, None)
        given = {path: (ROOT / path).read_text(encoding="utf-8", errors="replace") for path in paths if leaks.GIVEN.fullmatch(path)}
        self.assertEqual(leaks.leaks(secret, texts, given), [])
        texts["students.md"] += f"{min(leaks.secrets_of(secret, given)[0])} wins"
        self.assertNotEqual(leaks.leaks(secret, texts, given), [], "the check must be able to fail")


if __name__ == "__main__":
    unittest.main()
