"""What is in the folder that becomes the site, for everybody and for students? Nothing in it may give an answer
away."""

import shutil
import unittest

from nbody_lab import ROOT
from nbody_lab.documents.navigation import SECTIONS
from nbody_lab.documents.stage import PageText, blocks, is_students, stage, with_cards
from nbody_lab.handout import command as handout
from nbody_lab.handout import leaks
from nbody_lab.handout.left_out import END, MARK, why_left_out
from tests.folder_for_tests import InFolder

PAGES = ("README.md", "docs/physics.md", "docs/view.md", "part1_words/README.md")


class PageTextTest(InFolder):
    def setUp(self):
        super().setUp()
        (self.folder / "data").mkdir()
        (self.folder / "data/rubric.json").write_text("{}")
        self.pages = PageText(self.folder, PAGES)

    def expect(self, text, wanted, path="docs/view.md"):
        self.assertEqual(self.pages.page(text, path), wanted)

    def test_a_document_that_is_named_becomes_a_link(self):
        self.expect("see `docs/physics.md`.", "see [`docs/physics.md`](physics.md).")
        self.expect(
            "see `physics.md`.", "see [`physics.md`](../docs/physics.md).", "part1_words/README.md"
        )
        self.expect(
            "see `docs/view.md`, `docs/other.md`, `lab`",
            "see `docs/view.md`, `docs/other.md`, `lab`",
        )

    def test_a_span_may_go_on_in_the_next_line(self):
        self.expect(
            "run `./lab a\n--b`, see `physics.md`",
            "run `./lab a\n--b`, see [`physics.md`](physics.md)",
        )

    def test_links(self):
        for kept in (
            "[x](physics.md#a)",
            "[x](#a)",
            "[`physics.md`](physics.md)",
            "[x](https://a.org/b.md)",
            "[dead](nowhere.md)",
        ):
            self.expect(kept, kept)

    def test_a_file_that_is_no_page_is_code(self):
        self.expect("[the rubric](../data/rubric.json)", "the rubric (`data/rubric.json`)")
        self.expect("[`data/rubric.json`](../data/rubric.json)", "`data/rubric.json`")

    def test_pictures_are_remembered(self):
        self.expect("![a](pictures/a.svg)", "![a](pictures/a.svg)")
        self.assertEqual(self.pages.pictures, {"docs/pictures/a.svg"})

    def test_code_stays(self):
        for code in (
            "```cpp\n`physics.md`\n```",
            "```\n[a](b.md)\n```",
            "a\n\n    `physics.md`\n    <!-- x -->",
        ):
            self.expect(code, code)
        self.expect("```console no-run\n$ a\n```\n<!-- table x -->\nb", "```console\n$ a\n```\nb")
        self.assertEqual(
            [prose for prose, _ in blocks("a\n\n    b\n\n    c\nd\n```\ne\n```\nf")],
            [True, False] * 3 + [True],
        )

    def test_the_home_page_has_the_entries(self):
        text = with_cards("# Lab\n\nFirst.\n\nSecond.\n\nThird.", SECTIONS)
        self.assertRegex(
            text,
            r"(?s)# Lab\n\nFirst\..*students\.md.*instructors\.md.*contributors\.md.*</div>\n\nSecond\.\n\nThird\.$",
        )


TREE = {
    "README.md": f"# Lab\n\nFast.\n\nEnd.\n\n{MARK}\nSecret: `docs/results.md`.\n{END}\n",
    "docs/physics.md": "# Physics\n\n![the ladder](pictures/part1_ladder.svg)\n\n![a tile](pictures/tile.svg)\n",
    "docs/results.md": "# Results\n",
    "docs/instructor/README.md": "# Grading\n",
    "docs/grading_formats.md": "# Files\n",
    "solutions/part1_standard_opti/README.md": "# Ladder\n",
    "docs/pictures/part1_ladder.svg": "<svg/>",
    "docs/pictures/tile.svg": "<svg/>",
    "CONTRIBUTING.md": "# How\n",
    "docs/design.md": "# Why\n",
    "solutions/a.hpp": "",
}


class Staged(InFolder):
    def staged(self, root, students):
        pages = self.folder / "pages"
        sections = stage(root, pages, students)
        return [section.name for section in sections], {
            str(file.relative_to(pages)) for file in pages.rglob("*") if file.is_file()
        }


class MadeUpTree(Staged):
    def setUp(self):
        super().setUp()
        self.root = self.folder / "tree"
        for path, text in TREE.items():
            self.put(self.root / path, text)

    def test_all(self):
        sections, files = self.staged(self.root, False)
        self.assertEqual(sections, ["students", "instructors", "contributors"])
        self.assertEqual(
            files,
            {path for path in TREE if path != "solutions/a.hpp"}
            | {f"{name}.md" for name in sections},
        )

    def test_students(self):
        sections, files = self.staged(self.root, True)
        self.assertEqual(sections, ["students", "contributors"])
        self.assertEqual(
            files,
            {
                "README.md",
                "students.md",
                "contributors.md",
                "docs/physics.md",
                "docs/design.md",
                "docs/pictures/tile.svg",
            },
        )
        self.assertNotIn("Secret", (self.folder / "pages/README.md").read_text())
        self.assertNotIn("ladder", (self.folder / "pages/docs/physics.md").read_text())

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
        texts = {
            path: (self.folder / "pages" / path).read_text(encoding="utf-8")
            for path in files
            if path.endswith((".md", ".svg"))
        }
        sources = [
            path
            for path in ROOT.rglob("*")
            if path.is_file()
            and path.relative_to(ROOT).parts[0] != "build"
            and path.suffix in (*leaks.CODE, ".md", ".json")
        ]
        paths = {str(path.relative_to(ROOT)): True for path in sources}
        secret = handout.texts_of_solutions(ROOT, paths, None)
        given = {
            path: (ROOT / path).read_text(encoding="utf-8", errors="replace")
            for path in paths
            if leaks.GIVEN.fullmatch(path)
        }
        self.assertEqual(leaks.leaks(secret, texts, given), [])
        texts["students.md"] += f"{min(leaks.secrets_of(secret, given)[0])} wins"
        self.assertNotEqual(leaks.leaks(secret, texts, given), [], "the check must be able to fail")
