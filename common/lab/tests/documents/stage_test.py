"""What is in the folder that becomes the site, for everybody and for students? Nothing in it may give an answer
away."""

import pytest

from nbody_lab import ROOT
from nbody_lab.documents.navigation import read_sections
from nbody_lab.documents.stage import (
    PageText,
    first_page,
    is_handed_out,
    split_blocks,
    stage,
    staged,
)
from nbody_lab.handout import leaks
from nbody_lab.handout.left_out import END, MARK, why_left_out
from nbody_lab.handout.pack import texts_of_solutions

TITLES = {
    "README.md": "Home",
    "docs/physics.md": "The physics",
    "docs/view.md": "See it",
    "part1_words/README.md": "Part 1",
}


@pytest.fixture
def page_text(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data/rubric.json").write_text("{}")
    (tmp_path / "data/gpu.ipynb").write_text("{}")
    (tmp_path / "docs/pictures").mkdir(parents=True)
    (tmp_path / "docs/pictures/a.html").touch()
    return PageText(tmp_path, TITLES)


@pytest.mark.parametrize(
    ("text", "converted"),
    [
        ("see `docs/physics.md`.", "see [The physics](physics.md)."),
        ("see `docs/view.md`, `docs/other.md`, `lab`", None),
        (
            "run `./lab a\n--b`, see `physics.md`",
            "run `./lab a\n--b`, see [The physics](physics.md)",
        ),
        ("[x](physics.md#a)", None),
        ("[x](#a)", None),
        ("[`physics.md`](physics.md)", "[The physics](physics.md)"),
        ("[so](../part1_words/README.md#a)", "[so](../part1_words/index.md#a)"),
        ("see `part1_words/README.md`", "see [Part 1](../part1_words/index.md)"),
        ("[x](pictures/a.html)", '<a href="pictures/a.html">x</a>'),
        ("[dead](pictures/b.html)", None),
        ("# A\n# B", "# See it\n\n## A\n## B"),
        ("---\na: b\n---\n# A", "# A"),
        ("[x](https://a.org/b.md)", None),
        ("[dead](nowhere.md)", None),
        ("[the rubric](../data/rubric.json)", "the rubric (`data/rubric.json`)"),
        ("[this notebook](../data/gpu.ipynb)", "{download}`this notebook <../data/gpu.ipynb>`"),
        ("[`data/rubric.json`](../data/rubric.json)", "`data/rubric.json`"),
        ("[../data/rubric.json](../data/rubric.json)", "`../data/rubric.json`"),
        ("```cpp\n`physics.md`\n```", None),
        ("```\n[a](b.md)\n```", "```text\n[a](b.md)\n```"),
        ("a\n\n    `physics.md`\n    <!-- x -->", None),
        ("```console no-run\n$ a\n```\n<!-- table x -->\nb", "```console\n$ a\n```\nb"),
    ],
)
def test_links_lead_to_pages_and_code_stays(text, converted, page_text):
    """None: unchanged."""
    assert page_text.convert(text, "docs/view.md") == (converted or text)


def test_a_document_is_found_from_any_folder(page_text):
    converted = page_text.convert("see `physics.md`.", "part1_words/README.md")
    assert converted == "see [The physics](../docs/physics.md)."


def test_pictures_are_remembered(page_text):
    """Each leads to itself, where Sphinx puts it."""
    converted = page_text.convert("![a](pictures/c.svg)", "docs/view.md")
    assert converted == '<a href="../_images/c.svg">![a](pictures/c.svg)</a>'
    assert page_text.pictures == {"docs/pictures/c.svg"}


def test_a_badge_leads_elsewhere(page_text):
    converted = page_text.convert("[![go](docs/pictures/c.svg)](https://x.org/)", "README.md")
    assert converted == '<a href="https://x.org/">![go](docs/pictures/c.svg)</a>'
    assert page_text.pictures == {"docs/pictures/c.svg"}


def test_a_film_leads_to_the_page_in_which_it_can_be_turned(page_text):
    converted = page_text.convert("![a](docs/pictures/a.gif)", "README.md")
    assert converted.startswith('<a href="docs/pictures/a.html">![a](docs/pictures/a.gif) ')
    assert "docs/pictures/a.html" in page_text.pictures


def test_blocks_of_code():
    blocks = split_blocks("a\n\n    b\n\n    c\nd\n```\ne\n```\nf")
    assert [is_prose for is_prose, _ in blocks] == [True, False] * 3 + [True]


def test_the_first_page_begins_with_pictures_and_ends_with_all_pages():
    film = '<a href="a">![a](b) Turn it</a>\n\n'
    text = first_page(f"# Lab\n\nFirst.\n\nSecond.\n\n{film}Third.", read_sections())
    assert text.index("First.") < text.index("![a](b)") < text.index("Second")
    assert text.count("![a](b)") == 1
    assert "| [Design](docs/design.md) |" in text
    assert "Part 1: standard optimisation <part1_standard_opti/index>" in text


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
}
OF_STUDENTS = {"index.md", "docs/physics.md", "docs/design.md", "docs/pictures/tile.svg"}


def files_below(folder):
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}


def test_a_tree_for_all_then_for_students(tmp_path):
    """The second time, what was there before goes."""
    tree, pages = tmp_path / "tree", tmp_path / "pages"
    for path, text in TREE.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text)
    assert not is_handed_out(tree)
    for for_students, documents, names in (
        (False, {staged(path) for path in TREE}, ["students", "instructors", "contributors"]),
        (True, OF_STUDENTS, ["students", "contributors"]),
    ):
        assert [section.name for section in stage(tree, pages, for_students)] == names
        assert files_below(pages) == documents
    assert "Secret" not in (pages / "index.md").read_text()
    assert "ladder" not in (pages / "docs/physics.md").read_text()


@pytest.mark.skipif(is_handed_out(ROOT), reason="there are no solutions that could leak")
def test_nothing_of_the_labs_own_tree_leaks(tmp_path):
    """As strict as ./lab handout; and the check can fail."""
    names = [section.name for section in stage(ROOT, tmp_path, True)]
    files = files_below(tmp_path)
    assert "instructors" not in names
    assert len(files) > 25
    assert [path for path in files if why_left_out(path)] == []
    texts = {
        path: (tmp_path / path).read_text(encoding="utf-8")
        for path in files
        if path.endswith((".md", ".svg"))
    }
    solutions = texts_of_solutions(ROOT, None)
    given = {
        path: (ROOT / path).read_text(encoding="utf-8", errors="replace")
        for folder in ("docs", "common", *(file.name for file in ROOT.glob("part*_*")))
        for path in (f"{folder}/{name}" for name in files_below(ROOT / folder))
        if leaks.GIVEN.fullmatch(path)
    }
    assert leaks.find_leaks(solutions, texts, given) == []
    texts["index.md"] += f"{min(leaks.find_secrets(solutions, given).names)} wins"
    assert leaks.find_leaks(solutions, texts, given) != []
