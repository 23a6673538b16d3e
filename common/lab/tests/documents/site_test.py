"""Is the site of each edition complete on disk and without dead links? Is a dead link refused? Are formulas MathML?"""

import logging
import re
import xml.etree.ElementTree as xml

import pytest

from nbody_lab import ROOT
from nbody_lab.documents import command
from nbody_lab.documents.build_site import build_site, formula
from nbody_lab.documents.stage import is_handed_out
from nbody_lab.handout.left_out import why_left_out

FETCHED = re.compile(r'<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)="([^"]+)"')
FENCE = re.compile(r"^```math\n(.*?)^```$", re.M | re.S)
DOCUMENTS = [
    file
    for pattern in ("docs/*.md", "part*/*.md", "solutions/*/*.md")
    for file in ROOT.glob(pattern)
]
FORMULAS = [text for file in DOCUMENTS for text in FENCE.findall(file.read_text(encoding="utf-8"))]


def build(folder, for_students):
    """{path: text} of the pages. All that they fetch is there, and nothing comes from the network."""
    site = folder / "site"
    assert build_site(ROOT, folder / "source", site, for_students)
    pages = {
        str(page.relative_to(site)): page.read_text(encoding="utf-8")
        for page in site.rglob("*.html")
        if page.name != "404.html"
    }
    for path, text in pages.items():
        for address in FETCHED.findall(text):
            assert "//" not in address, path
            assert (site / path).parent.joinpath(address.partition("#")[0]).exists(), path
    assert "<math " in pages["docs/physics.html"]
    assert "\\frac" not in pages["docs/physics.html"]
    assert "softening" in (site / "search/search_index.js").read_text(encoding="utf-8")
    return pages


@pytest.mark.skipif(is_handed_out(ROOT), reason="a handout has the students' edition alone")
def test_the_site_for_all(tmp_path):
    pages = build(tmp_path, for_students=False)
    assert "solutions/part1_standard_opti/index.html" in pages
    for entry in ("students.html", "instructors.html", "contributors.html"):
        assert f'href="{entry}"' in pages["index.html"]


def test_the_site_for_students(tmp_path):
    pages = build(tmp_path, for_students=True)
    assert "part1_standard_opti/index.html" in pages
    assert "instructors.html" not in pages
    assert [path for path in pages if why_left_out(path.replace(".html", ".md"))] == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[a](docs/physics.md#1-the-equations) `docs/physics.md` ![b](docs/pictures/a.svg)", None),
        ("[a](docs/physics.md#2-nothing)", "no such anchor|does not contain an anchor"),
        ("![b](docs/pictures/b.svg)", "b.svg"),
        ("[a](#nothing)", "anchor"),
        ("[a](docs/nothing.md)", "docs/nothing.md"),
        ("[a](/docs/physics.md)", "/docs/physics.md"),
    ],
)
def test_a_dead_link_is_refused(text, complaint, tmp_path, caplog):
    """In a tree of two documents."""
    root = tmp_path / "tree"
    (root / "docs/pictures").mkdir(parents=True)
    (root / "docs/pictures/a.svg").write_text("<svg/>")
    (root / "docs/physics.md").write_text("# Physics\n\n## 1 The equations\n\nText.\n")
    (root / "README.md").write_text(f"# Lab\n\nFast.\n\n{text}\n")
    with caplog.at_level(logging.WARNING, "mkdocs"):
        assert build_site(root, tmp_path / "source", tmp_path / "site", False) == (not complaint)
    assert re.search(complaint or "^$", caplog.text)


def test_a_formula_and_its_number():
    element = formula(r"a_i = \frac{F_i}{m_i} \tag{Eq. 3}")
    number = r'<span class="lab-number">\(Eq\. 3\)</span>'
    assert re.fullmatch(
        rf'<div class="lab-formula"><math .*<mfrac>.*</math>{number}</div>', element
    )
    assert "span" not in formula("a = b")


def test_an_unknown_word_in_a_formula_is_refused():
    with pytest.raises(ValueError, match="cannot be shown"):
        formula(r"a = \nosuchword{b}")


def test_all_formulas_of_the_documents_are_xml():
    assert len(FORMULAS) > 10
    for source in FORMULAS:
        xml.fromstring(formula(source))


@pytest.mark.parametrize("options", [[], ["--students"]])
def test_without_what_builds_it_the_command_says_what_to_do(options, run_lab, monkeypatch):
    monkeypatch.setattr(command, "has", lambda *packages: "mkdocs" not in packages)
    line = "lab: the site needs ./lab setup --pictures once (400 MB); then run ./lab site again\n"
    assert run_lab("site", *options) == (2, "", line)
