"""Are the pages of a class complete, true to the results, and safe against what students typed?"""

import re
import time

import pytest

from nbody_lab.grade.class_facts import (
    Row,
    find_answer,
    find_reasons,
    item_statistics,
    without_given,
)
from nbody_lab.grade.decisions import ManualRow
from nbody_lab.grade.evidence import Evidence
from nbody_lab.grade.pages import write_pages
from tests.grade.scored_for_tests import (
    EVIL,
    P1,
    QUESTION,
    RUBRIC,
    class_of_all_kinds,
    hostile,
    measured,
    no_part,
    part,
    records_of,
    results_of,
    row,
)
from tests.page_reader import Page

HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
EVIDENCE = Evidence.model_validate({
    "pairs": [
        {"part": "part1", "first": "honest: mine.hpp", "second": "group: mine.hpp", "share": 0.97, "tokens": 410},
        {"part": "part1", "first": "2025/x: mine.hpp", "second": "noisy: mine_a.hpp", "share": 0.97, "tokens": 90},
        {"part": "part1", "first": "honest: mine.hpp", "second": "noisy: mine.hpp", "share": 0.89, "tokens": 90},
        {"part": "part1", "first": "group: mine.hpp", "second": "noisy: mine.hpp", "share": 1, "tokens": 90, "both_resemble": ["solutions/a.hpp"], "explained": 1},
        {"part": "part1", "first": "untouched: mine.hpp", "second": "wrong: mine.hpp", "share": 1, "tokens": 296, "both_resemble": ["solutions/locals.hpp"], "explained": 0.58},
        {"part": "part1", "first": "2025/x: mine.hpp", "second": "2025/y: mine.hpp", "share": 1, "tokens": 90},
        {"part": "part1", "first": "honest: mine.hpp", "second": f"{EVIL}: mine.hpp", "share": 0.6, "tokens": 41},
    ],
    "notebooks": [{"submission": "honest", "part": "part1", "rows": 4, "rows_without_source": 4}],
})  # fmt: skip
NOTEBOOK = f"""# Notebook

## Words

Which of the {EVIL} helped?

Why is the third law not
twice as fast?

Stores are missing.
<b>And {EVIL}

### Task 12

Nothing.
"""
EVERYBODY = [*class_of_all_kinds().values(), *hostile()]
MANUAL = [ManualRow("honest", QUESTION, 7, "well said")]


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    """The pages of a class with everything, written once."""
    out = tmp_path_factory.mktemp("grades")
    folder = out / "taken/honest" / P1
    folder.mkdir(parents=True)
    (folder / "NOTEBOOK.md").write_text(NOTEBOOK)
    write(out, EVERYBODY, EVIDENCE, MANUAL)
    return out


def write(out, files, evidence=Evidence(), manual=()):
    records = {one.submission.name: one for one in records_of(files)}
    write_pages(out, results_of(*files, manual=manual), records, RUBRIC, evidence, manual)


def rows_of(files):
    return [Row(*both) for both in zip(results_of(*files).submissions, records_of(files))]


def page_of(file):
    return Page(file.read_text(encoding="utf-8"))


def words(file, wanted):
    return page_of(file).by_id(wanted).words()


BLOCKS = ("h1", "h2", "h3", "h4", "p", "li", "tr", "dt", "dd", "summary")


def blocks(root):
    """What is read on the page, a line for each paragraph, row and title, if it was not there before."""
    found = (one for one in root.all() if one.name in BLOCKS and not [*one.all("li")])
    return "\n".join(dict.fromkeys(one.words() for one in found))


def test_a_page_for_the_class_for_each_student_and_each_question(out):
    names = {str(file.relative_to(out)) for file in out.rglob("*.html")}
    students = {f"students/{one['submission']['name']}.html" for one in EVERYBODY}
    assert names == students | {"index.html", "questions/part1_1.html", "questions/part2_1.html"}


LINKS = ("href", "src", "xlink:href", "action", "data", "srcset")


def test_pages_are_sound_and_nothing_of_a_student_is_code(out):
    """They are nested well, links lead somewhere inside, and the browser is told which script may run."""
    for file in sorted(out.rglob("*.html")):
        page, text = page_of(file), file.read_text(encoding="utf-8")
        assert page.faults == [], file
        ids = [one.get("id") for one in page.elements() if one.get("id")]
        assert len(ids) == len(set(ids)), file
        for link in [one.get(key) for one in page.root.all() for key in LINKS if one.get(key)]:
            if link.startswith("#"):
                assert page.by_id(link[1:]), (file, link)
            elif not link.startswith("taken/"):
                assert (file.parent / link).is_file(), (file, link)
        assert "<script>alert" not in text and not HIDDEN.search(text), file
        is_student = file.parent.name == "students"
        assert text.count("<script") == (0 if is_student else 1), file
        (rule,) = [one.get("content") for one in page.elements("meta") if one.get("http-equiv")]
        script = "script-src 'none'" if is_student else "script-src 'sha256-"
        assert rule.startswith("default-src 'none'") and script in rule
    assert EVIL in words(out / "students/evil_eve.html", "part1")
    assert EVIL in words(out / "index.html", "table")
    assert EVIL in words(out / "questions/part1_1.html", "honest")


def test_nothing_of_others_on_a_student_s_page(out):
    """Nor a flag, nor evidence, nor a path of the grader."""
    everybody = [one["submission"] for one in EVERYBODY]
    for one in everybody:
        text = (out / "students" / f"{one['name']}.html").read_text(encoding="utf-8")
        others = [name for other in everybody if other is not one for name in other["authors"]]
        assert not [name for name in others if f">{name}<" in text or f", {name}<" in text]
        assert "vidence" not in text and "/srv" not in text
        assert "person should look" not in text.replace("not scored, a person should look", "")
    fred = page_of(out / "students/formula_fred.html").root.words()
    assert "fred.zip" in fred and "the grader failed here" in fred


def test_a_student_s_page(out, snapshot):
    """Marks with their reasons, what differed, speeds, worksheet, notebook, files."""
    wrong = page_of(out / "students/wrong.html").by_id("part1")
    assert blocks(wrong) == snapshot(name="wrong")
    assert blocks(page_of(out / "students/honest.html").root) == snapshot(name="honest")


def test_code_and_carets_of_a_compiler_stand_in_lines(out):
    page = page_of(out / "students/broken_part2.html").by_id("part2")
    assert [one.words() for one in page.all("summary")] == ["Build log: mine.hpp:12: expected ';'"]
    (first, _) = [one.words() for one in page.all("pre")]
    assert first.startswith("mine.hpp:12: expected ';' 12 |")


def test_a_part_or_a_record_with_nothing_in_it(tmp_path, snapshot):
    bare = part(row(check=None, counts=None, speed=[]), worksheet=None, notebook=None)
    no_gpu = no_part("not graded here", "needs a GPU")
    one = measured("ada", parts={"part1": bare, "part2": no_gpu})
    write(tmp_path, [one, measured("cy", [], [("measure", "not measured yet")]) | {"parts": {}}])
    for name in ("ada", "cy"):
        assert blocks(page_of(tmp_path / f"students/{name}.html").root) == snapshot(name=name)


def test_the_class(out, snapshot):
    """The strongest reasons to look come first: code that is WRONG only while timed, then what is too fast; what most
    lack, such as a name, stands together; so does nearly the same code, unless a third explains it. Each speed of the
    table says its threads: one may give the most points, and two the largest gain."""
    assert blocks(page_of(out / "index.html").root) == snapshot


@pytest.mark.parametrize(
    ("what", "without", "looked_at", "line"),
    [
        ({}, ["bob"], ["bob"], None),
        ({}, ["ann", "bob"], [], "No source was kept for rows of the notebook"),
        ({"submitted": ""}, [], [], "The time of submission is unknown"),
        ({"parts": {"part1": part(row(), notebook=None)}}, [], [], "The notebook has no rows"),
    ],
)
def test_what_many_lack_buries_nobody(what, without, looked_at, line):
    """It stands in one line with their names."""
    files = [measured(name, [name], **what) for name in ("ann", "bob")]
    lacks = {"part": "part1", "rows": 4, "rows_without_source": 4}
    evidence = Evidence(notebooks=[lacks | {"submission": name} for name in without])
    look, grouped = find_reasons(rows_of([*files, measured("eva", ["eva"])]), [], evidence)
    assert [one.marks.name for one in look] == looked_at
    lines = {words: names for words, names in grouped if names == ["ann", "bob"]}
    assert list(lines) == ([line] if line else [])


def test_an_item_that_nobody_has_points_in_has_no_mean():
    (found,) = [one for one in item_statistics(results_of(measured())) if one.item == QUESTION]
    assert (found.points, found.mean, found.share_between(0, 0)) == ([], None, None)


# --- questions that people read ---


@pytest.mark.parametrize(
    ("text", "answer", "is_found"),
    [
        (NOTEBOOK, f"Stores are missing.\n<b>And {EVIL}", True),
        (f"> **{QUESTION}** Cache.\n\nWhat next?\nx", "Cache.", True),
        (QUESTION.upper(), "", True),
        ("## Words\n\nAll is well.", "All is well.", False),
        ("<!-- table t -->\n| 1 |\n<!-- end of table 1 -->\nfree text", "free text", False),
        ("", "", False),
    ],
)
def test_what_stands_below_a_question(text, answer, is_found):
    assert find_answer(text, QUESTION, ["What next?"]) == (answer, is_found)


def test_what_the_handout_says_is_no_answer():
    given = "## Words\n\n### Task 6\n\nMemory or arithmetic?\n"
    assert without_given("### Task 6\n\nMemory or arithmetic?", given) == "### Task 6"
    assert without_given("Memory or arithmetic?\n\nArithmetic.\n", given) == "Arithmetic."


def test_text_made_to_take_long_is_read_at_once():
    """Tables that begin and do not end."""
    start = time.process_time()
    assert find_answer("<!-- table " * 90_000, QUESTION)[1] is False
    assert time.process_time() - start < 1
    table = "before <!-- table notebook.csv -->|1|<!-- end of table: more --> after"
    assert find_answer(table, QUESTION) == ("before  after", False)


def test_a_page_for_a_question(out):
    """Name, what was handed in, and what was decided so far; the rest can be decided there."""
    page = page_of(out / "questions/part1_1.html")
    honest = page.by_id("honest")
    assert "Stores are missing." in honest.words() and "Nothing." not in honest.words()
    assert [one.get("value") for one in honest.all("input")] == ["7", "well said"]
    assert [one.get("value") for one in page.by_id("comments").all("option")] == ["well said"]
    assert "Nothing is written there." in page.by_id("group").words()
    assert (honest.get("data-who"), honest.get("data-question")) == ("honest", QUESTION)
    assert f"{QUESTION}, 1" in words(out / "index.html", "look")


def test_two_hundred_take_seconds(tmp_path):
    files = [measured(f"s{k}", [f"Student {k}"]) for k in range(200)]
    start = time.process_time()
    write(tmp_path, files)
    assert time.process_time() - start < 20
    assert len(list(tmp_path.glob("students/*.html"))) == 200
