"""Is every document a page of the site, and every page a document?"""

import pytest

from nbody_lab import ROOT
from nbody_lab.documents.navigation import HOME, read_sections

WHERE = ("*.md", "docs/*.md", "docs/*/*.md", "part*/*.md", "solutions/**/*.md", "data/*.md")
# ./lab hint shows hints one by one; the notebook belongs to the student.
NO_PAGES = ("hints.md", "NOTEBOOK.md")
PAGES = [HOME, *(page.path for section in read_sections() for page in section.pages)]


def test_every_document_is_a_page_once():
    found = {
        str(file.relative_to(ROOT))
        for pattern in WHERE
        for file in ROOT.glob(pattern)
        if file.name not in NO_PAGES
    }
    assert len(found) > 15
    assert len(set(PAGES)) == len(PAGES)
    assert not found - set(PAGES), "give it a row in documents/navigation.json"


@pytest.mark.skipif(not (ROOT / "solutions").is_dir(), reason="a handout has fewer documents")
def test_every_page_is_a_document():
    assert [path for path in PAGES if not (ROOT / path).is_file()] == []


def test_what_is_empty_is_left_out():
    (section,) = read_sections(lambda path: path == "docs/design.md")
    assert section.title == "Contributors"
    assert [(group.title, len(group.pages)) for group in section.groups] == [
        ("Working on the lab", 1)
    ]
