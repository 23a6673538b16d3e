"""Is every document a page of the site, and every page a document?"""

import unittest

from nbody_lab import ROOT
from nbody_lab.documents import navigation

WHERE = ("*.md", "docs/*.md", "docs/*/*.md", "part*/*.md", "solutions/*/*.md", "data/*.md")
NO_PAGES = (
    "hints.md",
    "NOTEBOOK.md",
)  # ./lab hint shows hints one by one; the notebook belongs to the student


def documents():
    return [
        str(file.relative_to(ROOT))
        for pattern in WHERE
        for file in ROOT.glob(pattern)
        if file.name not in NO_PAGES
    ]


def in_no_section(paths):
    listed = [navigation.HOME, *(page.path for page in navigation.pages_of(navigation.SECTIONS))]
    return [path for path in paths if listed.count(path) != 1]


class NavigationTest(unittest.TestCase):
    def test_every_document_is_in_one_section(self):
        found = documents()
        self.assertGreater(len(found), 15)
        self.assertEqual(
            in_no_section(found),
            [],
            "give it a row in common/lab/src/nbody_lab/documents/navigation.py",
        )

    def test_a_new_document_is_noticed(self):
        self.assertEqual(
            in_no_section(["docs/physics.md", "docs/news.md", "part5_words/README.md"]),
            ["docs/news.md", "part5_words/README.md"],
        )

    @unittest.skipUnless((ROOT / "solutions").is_dir(), "a handout has fewer documents")
    def test_every_page_is_there(self):
        for page in navigation.pages_of(navigation.SECTIONS):
            self.assertTrue((ROOT / page.path).is_file(), page.path)

    def test_what_is_empty_is_left_out(self):
        (section,) = navigation.sections_of(lambda path: path == "docs/design.md")
        self.assertEqual(
            (section.name, [group.title for group in section.groups]),
            ("contributors", ["Working on the lab"]),
        )
        self.assertEqual(
            navigation.mkdocs_nav([section]),
            [
                {"Home": "README.md"},
                {
                    "Contributors": [
                        {"Overview": "contributors.md"},
                        {"Working on the lab": [{"Design": "docs/design.md"}]},
                    ]
                },
            ],
        )
