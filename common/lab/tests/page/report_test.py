"""./lab report: what commands kept is on the page, and stays what it is: text, of a source that may have changed since."""

import json
from functools import partial

import pytest

from nbody_lab import ROOT
from nbody_lab.check.kept import FunctionShare, Profile, Verdict, keep, seal_of
from nbody_lab.commands import report
from nbody_lab.draw import pictures
from nbody_lab.notebook.notebook import Notebook, Row, save
from nbody_lab.tasks.sheet import KeptSheet, Line, State
from tests.limits.bounds_for_tests import make_bound
from tests.limits.roofline_for_tests import FUSED, NAIVE, ceilings_of_processor, roofline_json
from tests.page.browser_for_tests import IN_BROWSER, looks_right
from tests.page.page_reader import Page

EVIL = '<script>alert("idea")</script> & <!-- ]]>'
POINTS = (("naive", "naive", NAIVE, "scalar", 1.05e8), ("mine", "mine", FUSED, "scalar", 3.4e8))
LADDER = "build/pictures/2026-11-22_170002_part1"


@pytest.fixture
def lab(tmp_path, monkeypatch):
    """A lab in which nothing has been measured."""
    monkeypatch.setattr(report, "ROOT", tmp_path)
    monkeypatch.setattr(report, "FILE", tmp_path / "build/report.html")
    for name in ("part1_standard_opti", "part2_vectorization"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "CMakeLists.txt").touch()
        (tmp_path / name / "README.md").write_text(f"# About {name}\n\nText\n")
    return tmp_path


@pytest.fixture
def measured(lab):
    """Everything of part 1."""

    def write(name, text):
        (lab / name).parent.mkdir(parents=True, exist_ok=True)
        (lab / name).write_text(text)

    write("part1_standard_opti/mine.hpp", "// mine\n")
    source = "part1_standard_opti/mine.hpp"
    of_mine = {"source": source, "source_sha256": seal_of(lab / source), "part": "part1"}
    of_mine["date"] = "2026-11-22T17:05:12+0100"
    verdict = partial(Verdict, **of_mine, cases=123)
    found = {"verdict": "passed", "worst_share_of_limit": 0.27, "failed": 0}
    mine = verdict(name="mine", options=(), diagnosis="", **found)
    keep(lab / "build/verdicts/part1_mine.json", mine)
    wrong = {"verdict": "FAILED", "worst_share_of_limit": None, "failed": 4}
    rows = verdict(name="mine_rows", options=("--thorough",), diagnosis=EVIL, **wrong)
    keep(lab / "build/verdicts/part1_mine_rows.json", rows)
    share = FunctionShare(function="Naive::move()", share=0.81, calls_per_iteration=1)
    profile = Profile(**of_mine, name="mine", bodies=1500, rows=(share,))
    keep(lab / "build/profile_lines/part1_mine.json", profile)
    lines = (Line("1", "Who are you?", "text", EVIL, State.NOTED), Line("2", "Loads", "exact"))
    keep(lab / "build/worksheets/part1.json", KeptSheet(**of_mine, authors="nobody", lines=lines))
    write("build/bound/part1_mine.json", make_bound(name="mine", part="part1").model_dump_json())
    write("build/roofline/part1.json", json.dumps(roofline_json(POINTS)))
    write("build/ceilings.json", json.dumps(ceilings_of_processor().as_json()))
    write(f"{LADDER}/result.json", (ROOT / "data/results/part1_ladder_1_thread.json").read_text())
    write(f"{LADDER}/ladder.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="900"/>')
    row = Row(row=1, name="mine", idea=EVIL, times_naive=1.41, verdict="as expected")
    save(lab / "part1_standard_opti", Notebook((row,)))
    return lab


@pytest.fixture
def written(run_lab):
    """The page that the command writes."""

    def written():
        assert run_lab("report") == (0, "written: build/report.html\n", "")
        page = Page(report.FILE.read_text(encoding="utf-8"))
        assert page.faults == []
        return page

    return written


def rows_of(page):
    """The words of each row of a table, by the heading above."""
    rows, title = {}, ""
    for element in page.elements():
        if element.name in ("h2", "h3"):
            title = element.words()
        elif element.name == "tr" and element.all("td"):
            cells = [cell.words() for cell in element.children if cell.name == "td"]
            rows.setdefault(title, []).append(cells)
    return {title: [row for row in found if row] for title, found in rows.items()}


def test_everything_that_was_measured(measured, written):
    page = written()
    rows = rows_of(page)
    assert rows["Is it right?"] == [
        ["mine", "passed", "27 %", "0 of 123", "", "", "22 Nov 2026, 17:05"],
        ["mine_rows", "FAILED", "–", "4 of 123", EVIL, "--thorough", "22 Nov 2026, 17:05"],
    ]
    assert rows["Speed"][-1][:4] == ["barnes_hut", "0.515", "2 %", "2.76"]
    assert [row[:2] for row in rows["Roofline"]] == [["naive", "0.105"], ["mine", "0.340"]]
    assert rows["The bound of the innermost loop"][0][:2] == ["mine", "float"]
    assert rows["Where the time goes in mine"] == [["81 %", "1.00", "Naive::move()"]]
    assert rows["Worksheet"] == [
        ["1", "Who are you?", EVIL, "noted", ""],
        ["2", "Loads", "", "", ""],
    ]
    assert "1.41" in rows["Notebook"][0]
    assert len(rows["The most that it can do"]) > 50
    assert [one.words() for one in page.elements("h2")] == [
        "About part1_standard_opti",
        "This machine",
    ]
    assert [one.get("alt") for one in page.elements("img")] == ["picture ladder"]


def test_what_students_typed_stays_text(measured, written):
    assert written().elements("script") == []
    assert report.FILE.read_text().count("alert(") == 3  # a diagnosis, an answer, an idea


def test_of_each_kind_the_newest(measured, written):
    """A single program that is timed later does not take the place of the ladder."""
    result = json.loads((measured / LADDER / "result.json").read_text())
    for number, rows in enumerate((result["summary"][:2], result["summary"][:1])):
        folder = measured / f"build/pictures/later_{number}"
        folder.mkdir()
        (folder / "result.json").write_text(json.dumps({**result, "summary": rows}))
    assert [row[0] for row in rows_of(written())["Speed"]] == ["naive", "naive", "mine"]


def test_a_source_that_has_changed(measured, written):
    (measured / "part1_standard_opti/mine.hpp").write_text("// mine, changed\n")
    checked = rows_of(written())["Is it right?"][0][-1]
    assert checked == "22 Nov 2026, 17:05; its source has changed since"


def test_where_nothing_was_measured(lab, written):
    page = written()
    assert page.elements("h2") == page.elements("table") == []
    assert "./lab next" in page.root.words()


def test_a_damaged_file_is_named_and_the_rest_is_shown(measured, written):
    (measured / "build/verdicts/part1_mine.json").write_text("{")
    page = written()
    assert "Could not be read: build/verdicts/part1_mine.json: " in page.root.words()
    assert [row[0] for row in rows_of(page)["Is it right?"]] == ["mine_rows"]


def test_where_nothing_draws_it_says_how_to_get_pictures(lab, run_lab, monkeypatch):
    monkeypatch.setattr(pictures, "can_draw", lambda: False)
    assert run_lab("report").error == f"lab: without new pictures: {pictures.BRING}\n"


class TestInABrowser:
    pytestmark = IN_BROWSER

    def test_wide_and_narrow_light_and_dark(self, tab, measured, written):
        written()
        looks_right(tab, report.FILE)
