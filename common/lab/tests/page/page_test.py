"""Is the page of ./lab report complete, true to the measurements, and safe against what a student typed? (Fast: reads
its HTML; page_browser_test.py opens it in a browser.)
"""

import csv
import io
import json
import re
import shutil
import urllib.parse
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from nbody_lab.commands import report
from nbody_lab.core.html import in_digits
from nbody_lab.core.messages import UserError
from nbody_lab.page.environment import typed
from tests.page.page_reader import Element, Page
from tests.page.tree_for_tests import EVIL, FOLDER, POINTS, Tree, make_part_bound
from tests.roofline.roofline_for_tests import roofline_json

STALE = "its source has changed since"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    """Everything measured in part 1, and nothing in part 2."""
    return Tree(tmp_path_factory.mktemp("lab")).measure().page()


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


def csv_rows(page: Page, name: str) -> list[dict[str, str]]:
    (link,) = [one for one in page.elements("a") if one.get("download") == name]
    text = urllib.parse.unquote(link.get("href").partition(",")[2])
    return list(csv.DictReader(io.StringIO(text, newline="")))


def headline(page: Page) -> str:
    return page.elements(of_class="headline")[0].words()


def view_of(page: Page, *setting: str) -> str:
    views = page.elements("div", "view")
    return next(view.words() for view in views if set(setting) <= set(view.classes))


def test_it_shows_everything(page: Page, snapshot: SnapshotAssertion) -> None:
    """The text as a reader sees it, a line for each row of a table; pictures by name."""
    blocks = {"h1", "h2", "h3", "h4", "p", "dt", "dd", "tr", "caption", "summary", "pre", "label"}

    def lines(element: Element) -> Iterator[str]:
        for child in element.children:
            if child.name == "svg":
                yield f"[{child.get('id')}]"
            elif child.name in blocks and not any(one.name in blocks for one in child.all()):
                yield child.words()
            elif child.name != "nav":
                yield from lines(child)

    text = "\n".join(line for line in lines(page.elements("body")[0]) if line)
    text = re.sub(r"(Written on) .* by", r"\1 ... by", text)
    assert text == snapshot


def test_links_and_labels_lead_somewhere(page: Page) -> None:
    ids = [one.get("id") for one in page.elements() if one.get("id")]
    assert len(set(ids)) == len(ids)
    inside = [one.get("href")[1:] for one in page.elements("a") if one.get("href")[0] == "#"]
    assert len(inside) > 8 and set(inside) <= set(ids)
    assert {one.get("for") for one in page.elements("label")} <= set(ids)
    for row in page.elements("tr"):
        names = row.get("data-lights").split()
        if names and "view" in row.parent.parent.parent.parent.classes:
            assert any(one.endswith(f"-{name}") for one in ids for name in names)


def test_it_needs_nothing_from_anywhere(page: Page) -> None:
    """Also: rules of pictures would meet any other element with a style; the script stays small."""
    for element in page.elements():
        for name in ("href", "src", "xlink:href", "action", "data", "srcset"):
            assert re.match("^(#|data:text/csv)", element.get(name, "#"))
        above = element
        while above and above.name != "svg":
            above = above.parent
        assert above or not element.get("style")
    text = "".join(one.text() for one in page.elements("style"))
    assert not re.search(r"url\((?!#)|@import|https?://(?!www\.w3\.org/)", text)
    data, script = page.elements("script")
    assert data.get("type") == "application/json" and len(script.text()) < 3000


def test_what_a_student_typed_is_text(page: Page) -> None:
    assert page.at("parts.0.notebook.0.idea") == EVIL
    assert " ".join(EVIL.split()) in page.by_id("part1").words()
    assert "<script>alert" in page.by_id("part1-notebook-1").text()
    assert len(page.elements("script")) == 2


def test_every_number_of_a_table_is_that_of_the_data(page: Page) -> None:
    figures = page.elements("span", "n")
    assert len(figures) > 150
    for figure in figures:
        value = page.at(figure.get("data-json")) / float(figure.get("data-per"))
        digits = len(figure.text().partition(".")[2])
        assert float(figure.text()) == pytest.approx(value, abs=0.5000001 * 10**-digits)
        assert float(figure.text()) or abs(value) < 0.5
    for cell in page.elements("td"):
        known = [one for one in cell.all("span") if {"n", "none"} & set(one.classes)]
        assert known or "words" in cell.classes


def test_csv_holds_the_table_without_formulas(page: Page) -> None:
    """A spreadsheet would compute the idea `=1+1`."""
    rows = csv_rows(page, "part1_notebook.csv")
    assert [row["idea"] for row in rows][::2] == [EVIL, '\'=1+1, "quoted"']
    assert rows[0]["row"] == "1"
    for name, place, column in (
        ("part1_roofline.csv", "rooflines.0.points.0", "interactions_per_s"),
        ("part1_bound.csv", "bounds.0", "cycles_per_interaction"),
        ("part1_bench.csv", "bench.rows.0", "times_naive"),
    ):
        value = page.at(f"parts.0.{place}.{column}")
        assert float(csv_rows(page, name)[0][column]) == pytest.approx(value)


def test_each_switch_has_its_view_and_its_rule(page: Page) -> None:
    views = [" ".join(one.classes[1:]) for one in page.elements("div", "view")]
    assert views == ["float one", "float all", "double one", "double all"]
    style = "".join(one.text() for one in page.elements("style"))
    for box in page.elements("input"):
        value = box.classes[0].removeprefix("is-")
        assert f".is-{value}:checked ~ .view:not(.{value})" in style


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (0.00612, "0.00612"),
        (0.9999, "1.00"),
        (99.96, "100"),
        (3127.4, "3127"),
        (45.6, "45.6"),
        (-2.5, "-2.50"),
    ],
)
def test_a_number_has_three_digits(value: float, shown: str) -> None:
    assert in_digits(value) == shown


def test_words_between_backticks_are_code() -> None:
    assert typed("of `fused` & <b>") == "of <code>fused</code> &amp; &lt;b&gt;"


# One change to a lab, and what the page says then.

Change = Callable[[Tree], object]


def _seal(tree: Tree, name: str = "mine") -> None:
    """Its point and its bound know their source, which is then changed."""
    drawn = roofline_json(POINTS)
    drawn["points"][1].update(tree.sealed(name))
    tree.write("build/roofline/part1.json", drawn)
    bound = make_part_bound(name, 0.92).model_copy(update=tree.sealed(name))
    tree.write(f"build/bound/part1_{name}.json", bound.to_json())
    tree.write(f"{FOLDER}/{name}.hpp", "another")


def _be_busy(tree: Tree, busy: bool = True) -> None:
    slow = roofline_json([(*words, speed / 10) for *words, speed in POINTS])
    for point in slow["points"]:
        point["busy_machine"] = busy
    tree.write("build/roofline/part1.json", slow)


def _be_noisy(tree: Tree) -> None:
    file = "build/pictures/2026-11-22_170002_part1/result.json"
    result = json.loads((tree.root / file).read_text())
    naive, *others = result["summary"]
    naive["seconds_of_rounds"] = [2.0, 3.59, 5.0]
    for row in others:
        row["seconds_of_rounds"] = [1.0, 1.0, 1.0]
    tree.write(file, result)


def _be_noisy_alone(tree: Tree) -> None:
    _be_noisy(tree)
    for name in ("notebook.csv", "NOTEBOOK.md"):
        (tree.root / FOLDER / name).unlink()
    shutil.rmtree(tree.root / "build/roofline")


def _know_no_naive(tree: Tree) -> None:
    tree.write_benches("naive")
    (tree.root / FOLDER / "notebook.csv").unlink()
    (tree.root / FOLDER / "NOTEBOOK.md").unlink()
    shutil.rmtree(tree.root / "build/roofline")


def _break_characters(tree: Tree) -> None:
    file = tree.root / FOLDER / "notebook.csv"
    file.write_bytes(file.read_bytes().replace(b"=1+1", b"\xff\x1b[2J"))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_be_noisy, "From row 2 of the notebook, 22 Nov 2026, N = 5000, 2 threads."),
        (_be_noisy_alone, "3.59 × naive your best mine"),
        (_be_noisy_alone, "Too noisy to tell: measure again"),
        (_know_no_naive, "– naive your best mine"),
        (_know_no_naive, "Compared with naive: ./lab bench part1 naive mine"),
        (lambda tree: _be_busy(tree, False), "Waiting: no unit is more than 60 % busy"),
        (_be_busy, "busy machine?; the machine was busy, so mine may be faster"),
        (_be_busy, "The machine was busy, so naive, mine"),
        (
            lambda tree: shutil.rmtree(tree.root / "build/pictures"),
            "mine – 0.340 roofline of 1 Jan 2026, N = 5000, 1 thread – passed",
        ),
        (_break_characters, '??[2J, "quoted"'),
        (
            lambda tree: tree.keep_verdict("mine", options=["--no-double"]),
            "float only; for double too: ./lab check part1 mine",
        ),
        (
            lambda tree: tree.write("build/roofline/part1_double.json", roofline_json(POINTS)),
            "build/roofline/part1_double.json: its settings do not match its name",
        ),
        (lambda tree: tree.write("build/ceilings.json", "{"), "build/ceilings.json: "),
        (
            lambda tree: tree.write("build/bound/part1_mine.json", {"what": "bound", "version": 7}),
            "build/bound/part1_mine.json: core is missing",
        ),
        (lambda tree: tree.write(f"{FOLDER}/notebook.csv", "row\n1\n"), "csv:1: the columns"),
    ],
)
def test_what_a_change_shows(tree: Tree, change: Change, words: str) -> None:
    tree.measure()
    change(tree)
    page = tree.page()
    assert words in page.elements("main")[0].words()


def test_a_sheet_counts_as_the_command_does(page: Page) -> None:
    """A sum of the lines above is no line of its own."""
    text = page.by_id("part1").words()
    assert "Worksheet 3 of 4 lines answered; wrong: 2; empty: 4. Judged on" in text


def test_a_busy_machine_is_no_limiter(tree: Tree) -> None:
    _be_busy(tree.measure())
    assert "waiting" not in view_of(tree.page(), "float", "one")


def test_bounds_and_points_of_an_older_source_say_so(tree: Tree) -> None:
    """In the headline, the roofline and the bound; the check of mine is older, too."""
    before = tree.measure().page().by_id("part1").words().count(STALE)
    _seal(tree)
    page = tree.page()
    assert [one["stale"] for one in page.at("parts.0.bounds")] == [True, False]
    assert page.by_id("part1").words().count(STALE) == before + 5


def test_a_roofline_of_before_is_not_taken_for_the_present_one(tree: Tree) -> None:
    """./lab roofline part1 --from part1_before.json writes such a file beside the others."""
    before = [(*words, speed / 10) for *words, speed in POINTS]
    tree.measure().write("build/roofline/part1_before.json", roofline_json(before))
    page = tree.page()
    assert "0.340" in view_of(page, "float", "one")
    assert "91 % of that limit reached" in headline(page)


def test_what_has_no_file_any_more_is_left_out(tree: Tree) -> None:
    _seal(tree.measure(), "mine_rows")
    unsealed = make_part_bound("mine_rows", 0.92).to_json()
    tree.write("build/bound/part1_mine_rows_double.json", unsealed)
    assert "mine_rows" in tree.page().by_id("part1").words()
    for name in ("mine_rows", "third_law"):  # a rung that was in the last bench
        (tree.root / FOLDER / f"{name}.hpp").unlink()
    page = tree.page()
    assert "mine_rows" not in page.by_id("part1").words()
    assert "third_law" not in [row["name"] for row in page.at("parts.0.implementations")]


def test_a_part_that_has_begun_names_what_is_missing(tree: Tree) -> None:
    (file,) = (tree.measure().root / "build/profile_lines").iterdir()
    file.unlink()
    missing = [one.words() for one in tree.page().elements(of_class="missing")]
    assert any("where the time goes ./lab profile part1" in words for words in missing)
    assert not any("./lab bound" in words for words in missing)


def test_after_a_clone_it_says_what_to_do(tree: Tree) -> None:
    page = tree.page()
    assert page.elements("svg") == []
    for place, command in (
        ("machine", "./lab roofline --measure"),
        ("next", "Part 1: standard optimisation: not begun. ./lab next part1"),
        ("next", "./lab next part2"),
    ):
        assert command in page.by_id(place).words()


def test_the_command_names_its_file(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(report, "ROOT", tree.root)
    monkeypatch.chdir(tree.root)
    report.write_page(Path("new/report.html"), ["part1"])
    assert capsys.readouterr().out == "written: new/report.html\n"
    assert [file.name for file in (tree.root / "new").iterdir()] == ["report.html"]
    with pytest.raises(UserError, match=r"cannot be written .*: choose another place or make room"):
        report.write_page(tree.root / f"{FOLDER}/README.md/report.html", ["part1"])
