"""Is the site of each edition complete on disk and without dead links? Is a dead link refused? Are formulas MathML?"""

import posixpath
import re
import xml.etree.ElementTree as xml

import pytest

from nbody_lab import ROOT
from nbody_lab.documents import command
from nbody_lab.documents.build_site import build_site
from nbody_lab.documents.formulas import formula
from nbody_lab.documents.navigation import read_sections
from nbody_lab.documents.stage import is_handed_out
from nbody_lab.handout.left_out import why_left_out

ADDRESS = re.compile(r'<(\w+)\b[^>]*?\s(?:src|href)="([^"]+)"')
FETCHED = re.compile(r"""(?:url\(|@import|fetch\(|import\()\s*["']?((?:https?:)?//[^"')]+)""")
FENCE = re.compile(r"^```math\n(.*?)^```$", re.M | re.S)
DOCUMENTS = [
    file
    for pattern in ("docs/*.md", "part*/*.md", "solutions/**/*.md")
    for file in ROOT.glob(pattern)
]
FORMULAS = [text for file in DOCUMENTS for text in FENCE.findall(file.read_text(encoding="utf-8"))]


def faults_of(site, pages):
    """Addresses that lead nowhere, and what a page would fetch from the network."""
    ids = {path: set(re.findall(r'\sid="([^"]+)"', text)) for path, text in pages.items()}
    for path, text in pages.items():
        for element, address in ADDRESS.findall(text):
            if element == "a" and re.match("https?://", address):
                continue  # a reader may follow it
            target, _, anchor = re.sub(r"\?v=\w+", "", address).partition("#")
            there = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
            there = there if target else path
            if (
                "//" in address
                or not (site / there).is_file()
                or (anchor and there in pages and anchor not in ids[there])
            ):
                yield f"{path}: {address}"
    for file in (*site.rglob("*.css"), *site.rglob("*.js")):
        for address in FETCHED.findall(file.read_text(encoding="utf-8")):
            yield f"{file.name}: {address}"


def build(folder, for_students):
    """{path: text} of the pages. All that they fetch is there, and nothing comes from the network."""
    site = folder / "site"
    assert build_site(ROOT, folder / "source", site, for_students) == []
    pages = {
        str(page.relative_to(site)): page.read_text(encoding="utf-8")
        for page in site.rglob("*.html")
        if page.parent.name != "pictures"
    }
    assert list(faults_of(site, pages)) == []
    assert "<math " in pages["docs/physics.html"]
    assert "\\frac" not in pages["docs/physics.html"]
    assert "soften" in (site / "searchindex.js").read_text(encoding="utf-8")
    assert "formatCopyText(text, '$ '" in (site / "_static/copybutton.js").read_text()
    home = pages["index.html"]
    first = ['href="docs/pictures/collision.html"', "collision.gif", "<table"]
    assert sorted(first, key=home.index) == first
    return pages


def titles_in_navigation(page):
    return re.findall(r'<li class="toctree-l1[^>]*><a [^>]*>(.*?)</a>', page)


@pytest.mark.skipif(is_handed_out(ROOT), reason="a handout has the students' edition alone")
def test_the_site_for_all(tmp_path):
    pages = build(tmp_path, for_students=False)
    assert "solutions/part1_standard_opti/index.html" in pages
    home = pages["index.html"]
    assert home.index("journey.svg") < home.index("<table")
    titles = [page.title for section in read_sections() for page in section.pages]
    assert titles_in_navigation(home) == titles


def test_the_site_for_students(tmp_path):
    pages = build(tmp_path, for_students=True)
    assert "part1_standard_opti/index.html" in pages
    assert "Grading a class" not in titles_in_navigation(pages["index.html"])
    assert [path for path in pages if why_left_out(path.replace(".html", ".md"))] == []


@pytest.mark.parametrize(
    "fault",
    [
        '<a href="nowhere.html">',
        '<a href="docs/physics.html#nothing">',
        '<script src="https://a.org/b.js">',
        '<img alt="a" src="_images/nothing.svg">',
    ],
)
def test_a_fault_of_a_page_is_found(fault, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/physics.html").touch()
    assert len(list(faults_of(tmp_path, {"index.html": fault, "docs/physics.html": ""}))) == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[a](docs/physics.md#1-the-equations) `docs/physics.md` ![b](docs/pictures/a.svg)", None),
        ("[a](docs/physics.md#2-nothing)", "nothing"),
        ("![b](docs/pictures/b.svg)", "b.svg"),
        ("[a](#nothing)", "nothing"),
        ("[a](docs/nothing.md)", "docs/nothing.md"),
    ],
)
def test_a_dead_link_is_refused(text, complaint, tmp_path):
    """In a tree of two documents."""
    root = tmp_path / "tree"
    (root / "docs/pictures").mkdir(parents=True)
    (root / "docs/pictures/a.svg").write_text("<svg/>")
    (root / "docs/physics.md").write_text("# Physics\n\n## 1 The equations\n\nText.\n")
    (root / "README.md").write_text(f"# Lab\n\nFast.\n\n{text}\n")
    said = "\n".join(build_site(root, tmp_path / "source", tmp_path / "site", False))
    assert re.search(complaint or "^$", said)
    assert (tmp_path / "site/index.html").exists() == (
        not complaint
    )  # else the last good one stays


def test_a_formula_and_its_number():
    element = formula(r"a_i = \frac{F_i}{m_i} \tag{Eq. 3}")
    number = r'<span class="lab-number">\(Eq\. 3\)</span>'
    assert re.fullmatch(
        rf'<div class="lab-formula"><math .*<mfrac>.*</math>{number}</div>', element
    )
    assert "span" not in formula("a = b")


@pytest.mark.parametrize(
    "source", [r"a = \nosuchword{b}", "a_1_2", r"\left( a", r"\begin{matrix} a"]
)
def test_a_wrong_formula_is_refused(source):
    with pytest.raises(ValueError, match="cannot be shown"):
        formula(source)


def test_all_formulas_of_the_documents_are_xml():
    assert len(FORMULAS) > 10
    for source in FORMULAS:
        xml.fromstring(formula(source))


@pytest.mark.parametrize("options", [[], ["--students"]])
def test_without_what_builds_it_the_command_says_what_to_do(options, run_lab, monkeypatch):
    monkeypatch.setattr(command, "has", lambda *packages: "furo" not in packages)
    line = "lab: the site needs ./lab setup --pictures once (400 MB); then run ./lab site again\n"
    assert run_lab("site", *options) == (2, "", line)
