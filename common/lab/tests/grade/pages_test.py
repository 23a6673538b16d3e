"""Are the pages of a class complete, true to the results, and safe against what students typed?"""

import json
import re
import time

import pytest

from nbody_lab.grade.answers import find_answer
from nbody_lab.grade.class_facts import Evidence, Row, find_reasons, item_statistics
from nbody_lab.grade.decisions import ManualRow, read_manual
from nbody_lab.grade.models import Record
from nbody_lab.grade.pages import write_pages
from tests.grade.scored_for_tests import (
    EVIL,
    RUBRIC,
    class_of_all_kinds,
    hostile,
    measured,
    no_part,
    notebook,
    part,
    records_of,
    results_of,
    row,
    speed,
)
from tests.page.page_reader import Element, Page

QUESTION = "Why is the third law not twice as fast?"
HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
EVIDENCE = {
    "pairs": [
        {"part": "part1", "first": "honest: mine.hpp", "second": "group: mine.hpp", "share": 0.97, "tokens": 410},
        {"part": "part1", "first": "honest: mine.hpp", "second": f"{EVIL}: mine.hpp", "share": 0.6, "tokens": 41},
    ],
    "notebooks": [{"submission": "honest", "part": "part1", "rows": 4, "rows_without_source": 4}],
}  # fmt: skip
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
    (out / "evidence.json").write_text(json.dumps(EVIDENCE))
    folder = out / "taken/honest/part1_standard_opti"
    folder.mkdir(parents=True)
    (folder / "NOTEBOOK.md").write_text(NOTEBOOK)
    write(out, EVERYBODY, MANUAL)
    return out


def write(out, files, manual=()):
    write_pages(out, results_of(*files, manual=manual), records_of(files), RUBRIC, manual)


def words(file, wanted=None):
    page = Page(file.read_text(encoding="utf-8"))
    return (page.by_id(wanted) if wanted else page.root).words()


BLOCKS = ("h1", "h2", "h3", "h4", "p", "li", "tr", "dt", "dd", "summary")


def blocks(file, wanted=None):
    """What is read on the page, a line for each paragraph, row and title."""
    page = Page(file.read_text(encoding="utf-8"))
    root = page.by_id(wanted) if wanted else page.root
    found = (one for one in root.all() if one.name in BLOCKS and not [*one.all("li")])
    return "\n".join(one.words() for one in found)


def all_pages(out):
    return sorted(out.rglob("*.html"))


def test_a_page_for_the_class_for_each_student_and_each_question(out):
    names = {str(file.relative_to(out)) for file in all_pages(out)}
    students = {f"students/{one['submission']['name']}.html" for one in EVERYBODY}
    assert names == students | {"index.html", "questions/part1_1.html", "questions/part2_1.html"}


def test_they_are_nested_well_and_ids_are_unique(out):
    for file in all_pages(out):
        page = Page(file.read_text(encoding="utf-8"))
        assert page.faults == [], file
        ids = [one.get("id") for one in page.elements() if one.get("id")]
        assert len(ids) == len(set(ids)), file


def test_nothing_of_a_student_is_code(out):
    for file in all_pages(out):
        text = file.read_text(encoding="utf-8")
        assert "<script>alert" not in text and not HIDDEN.search(text), file
        scripts = text.count("<script")
        assert scripts == (0 if file.parent.name == "students" else 1), file
    assert EVIL in words(out / "students/evil_eve.html", "part1")
    assert EVIL in words(out / "index.html", "table")
    assert EVIL in words(out / "questions/part1_1.html", "honest")


def test_the_browser_is_told_which_script_may_run(out):
    for file in all_pages(out):
        page = Page(file.read_text(encoding="utf-8"))
        (rule,) = [one.get("content") for one in page.elements("meta") if one.get("http-equiv")]
        script = r"script-src 'none'" if file.parent.name == "students" else r"script-src 'sha256-"
        assert rule.startswith("default-src 'none'") and script in rule


def links(element: Element):
    keys = ("href", "src", "xlink:href", "action", "data", "srcset")
    return [one.get(key) for one in element.all() for key in keys if one.get(key)]


def test_links_lead_somewhere_and_nothing_comes_from_outside(out):
    for file in all_pages(out):
        page = Page(file.read_text(encoding="utf-8"))
        for link in links(page.root):
            if link.startswith("#"):
                assert page.by_id(link[1:]), (file, link)
            elif not link.startswith("taken/"):
                assert (file.parent / link).is_file(), (file, link)


def test_nothing_of_others_on_a_student_s_page(out):
    everybody = [one["submission"] for one in EVERYBODY]
    for one in everybody:
        text = (out / "students" / f"{one['name']}.html").read_text(encoding="utf-8")
        for other in everybody:
            if other is not one and other["name"] not in (
                "wrong",
                "group",
                "honest",
                "noisy",
                "untouched",
            ):
                assert not [name for name in other["authors"] if f"{name}<" in text]
    assert "vidence" not in (out / "students/honest.html").read_text(encoding="utf-8")
    assert "a person should look" not in words(out / "students/too_fast.html").replace(
        "not scored, a person should look", ""
    )


def test_a_student_s_page(out, snapshot):
    """Marks with their reasons, what differed, speeds, worksheet, notebook, files."""
    assert blocks(out / "students/wrong.html", "part1") == snapshot(name="wrong")
    assert blocks(out / "students/honest.html") == snapshot(name="honest")


def test_no_path_of_the_grader_on_a_student_s_page(tmp_path):
    one = measured(
        "ada",
        part1=part(
            row(), notebook=notebook(problem="../o/work/ada/part1/tree/part1_x/notebook.csv:1: bad")
        ),
        part2=no_part(),
    )
    fault = "the grader failed here, not the submission's fault: OSError: no space left: '/srv/out'"
    one["problems"] = [{"stage": "grader", "text": fault}]
    one["submission"]["source"] = "/home/instructor/class/ada.zip"
    write(tmp_path, [one])
    text = words(tmp_path / "students/ada.html")
    assert "part1_x/notebook.csv:1: bad" in text and "ada.zip" in text
    assert "the grader failed here" in text
    assert not [word for word in ("work/", "instructor", "/srv") if word in text]


def test_a_part_with_nothing_in_it(tmp_path):
    bare = part(row(check=None, counts=None, speed=[]), worksheet=None, notebook=None)
    write(
        tmp_path,
        [
            measured("ada", part1=bare),
            measured("bo", ["Bo"], part1=no_part("not graded here", "needs a GPU")),
        ],
    )
    assert "not checked" in words(tmp_path / "students/ada.html", "part1")
    assert "Not graded here: needs a GPU." in words(tmp_path / "students/bo.html", "part1")


def test_the_class(out, snapshot):
    assert blocks(out / "index.html") == snapshot


def test_the_strongest_reasons_come_first_and_weak_ones_are_grouped():
    """Code that is WRONG only while timed comes before what is too fast, and both before a missing name."""
    files = [
        measured("a_fast", ["A"], part1=part(row(speed=[speed(6, above_bound=True)]))),
        measured("b_nameless", []),
        measured("c_knows", ["C"], part1=part(row(speed=[speed(verdict="WRONG")]))),
        measured("d_unpacked", ["D"], [("unpack", "a link")]),
    ]
    look, grouped = reasons(files, EVIDENCE | {"notebooks": []})
    assert [one.marks.name for one in look] == ["c_knows", "a_fast", "d_unpacked"]
    assert "WRONG while timed although the check passed" in look[0].reasons[0]
    assert look[1].sources == ["part1_standard_opti/mine.hpp"]
    assert grouped[-1] == ("No author is named", ["b_nameless"])


def reasons(files, evidence):
    results, records = results_of(*files), {one.submission.name: one for one in records_of(files)}
    rows = [Row(marks, records[marks.name]) for marks in results.submissions]
    return find_reasons(rows, [], Evidence.model_validate(evidence))


def test_nearly_the_same_code_unless_a_third_explains_it():
    def pair(first, second, share, third=()):
        pair = {"part": "part1", "first": first, "second": second, "share": share, "tokens": 90}
        return pair | {"both_resemble": list(third)}

    evidence = Evidence.model_validate(
        {
            "pairs": [
                pair("eva: mine.hpp", "bob: mine_a.hpp", 0.97),
                pair("eva: mine.hpp", "tom: mine.hpp", 0.89),
                pair("tom: mine.hpp", "ann: mine.hpp", 1.0, ["solutions/a.hpp"]),
            ]
        }
    )
    words = "part1: {} is 97 % the same as {}"
    sides = ["eva: mine.hpp", "bob: mine_a.hpp"]
    assert [*evidence.same_code({"eva", "bob", "tom"})] == [words.format(*sides)]
    assert [*evidence.same_code({"bob"})] == [words.format(*sides[::-1])]
    assert [*evidence.same_code({"tom"})] == []


def test_statistics_by_item():
    results = results_of(
        *(
            measured(f"s{k}", part1=part(row(speed=[speed(share)])))
            for k, share in enumerate((0.1, 0.95, 0.95))
        )
    )
    found = {one.item: one for one in item_statistics(results) if one.part == "part1"}
    one = found["speed, 1 thread, 2000 bodies"]
    assert (one.graded, round(one.mean, 2), round(one.full, 2), round(one.none, 2)) == (
        3,
        6.67,
        0.67,
        0.33,
    )
    unread = found[QUESTION]
    assert (unread.graded, unread.mean, unread.full) == (0, None, None)


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


def test_text_made_to_take_long_is_read_at_once():
    """Tables that begin and do not end."""
    start = time.process_time()
    assert find_answer("<!-- table " * 90_000, QUESTION)[1] is False
    assert time.process_time() - start < 1
    table = "before <!-- table notebook.csv -->|1|<!-- end of table: more --> after"
    assert find_answer(table, QUESTION) == ("before  after", False)


def test_a_page_for_a_question(out):
    """Name, what was handed in, and what was decided so far; the rest can be decided there."""
    file = out / "questions/part1_1.html"
    page = Page(file.read_text(encoding="utf-8"))
    honest = page.by_id("honest")
    assert "Stores are missing." in honest.words() and "Nothing." not in honest.words()
    assert [one.get("value") for one in honest.all("input")] == ["7", "well said"]
    assert [one.get("value") for one in page.by_id("comments").all("option")] == ["well said"]
    assert "Nothing is written there." in page.by_id("group").words()
    assert (honest.get("data-who"), honest.get("data-question")) == ("honest", QUESTION)
    assert f"{QUESTION}, 1" in words(out / "index.html", "look")


def test_two_hundred_take_seconds(tmp_path):
    files = [measured(f"s{k}", [f"Student {k}"]) for k in range(200)]
    start = time.monotonic()
    write(tmp_path, files)
    assert time.monotonic() - start < 20
    assert len(list(tmp_path.glob("students/*.html"))) == 200


def test_a_record_that_could_not_be_read(tmp_path):
    files = [measured("ada", [], [("measure", "not measured yet")], part1=no_part())]
    files[0]["parts"] = {}
    assert isinstance(records_of(files)[0], Record)
    write(tmp_path, files)
    assert "not measured yet" in words(tmp_path / "students/ada.html", "points")


def test_what_the_button_saves_is_read(tmp_path):
    """question.js quotes all cells, and writes a byte order mark and CRLF."""
    file = tmp_path / "manual_part1_1.csv"
    rows = f'"honest","{QUESTION}","4.5","a ""b"", c"\r\n'
    file.write_bytes(f"\ufeffwho,question,points,comment\r\n{rows}".encode())
    (one,) = read_manual(file)
    assert (one.who, one.points, one.comment) == ("honest", 4.5, 'a "b", c')
