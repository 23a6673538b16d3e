"""Are the pages of a class complete, and safe against what students typed?"""

import re

import pytest

from nbody_lab.grade.by_hand import ManualRow
from nbody_lab.grade.pages import write_pages
from tests.grade.scored_for_tests import (
    EVIL,
    QUESTION,
    class_of_all_kinds,
    hostile,
    measured,
    part,
    records_of,
    results_of,
    row,
)
from tests.page_reader import Page

HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
BARE = part(row(check=None, counts=None, speed=[]), worksheet=None, notebook=None)
EVERYBODY = [
    *class_of_all_kinds().values(),
    *hostile(),
    measured("bare", ["Bare"], parts={"part1": BARE}),
    measured("late", ["Late"], submitted="2026-11-22T12:00:00+00:00"),
    measured("cy", [], [("measure", "not measured yet")]) | {"parts": {}},
]


@pytest.fixture(scope="module")
def page_of(tmp_path_factory):
    """The pages of a class with everything, written once."""
    out = tmp_path_factory.mktemp("grades")
    manual = [ManualRow(who="honest", question=QUESTION, points=7, comment=f"well said {EVIL}")]
    results = results_of(*EVERYBODY, similar={"honest": [f"like {EVIL}"]}, manual=manual)
    write_pages(out, results, {one.submission.name: one for one in records_of(EVERYBODY)})
    return {file.stem: file.read_text(encoding="utf-8") for file in out.rglob("*.html")}


def test_pages_are_sound_and_nothing_of_a_student_is_code(page_of):
    assert len(page_of) == len(EVERYBODY) + 1
    for name, text in page_of.items():
        page = Page(text)
        assert page.faults == [] and not page.elements("script"), name
        assert not HIDDEN.search(text) and EVIL not in text, name
        (rule,) = [one.get("content") for one in page.elements("meta") if one.get("http-equiv")]
        assert rule == "default-src 'none'; style-src 'unsafe-inline'"
    for name in ("index", "evil_eve", "honest"):
        assert EVIL in Page(page_of[name]).root.words()


def test_nothing_of_others_on_a_student_s_page(page_of):
    """Nor a flag, nor a path of the grader."""
    everybody = [one["submission"] for one in EVERYBODY]
    for one in everybody:
        text = page_of[one["name"]]
        others = [name for other in everybody if other is not one for name in other["authors"]]
        assert not [name for name in others if f">{name}<" in text]
        assert f"like {EVIL}" not in Page(text).root.words() and "/srv" not in text


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("honest", "0.71 of the speed of third_law"),  # points and why, and the next band
        ("honest", "naive 0.140 yours 0.852 reference 1.20"),
        ("honest", "7 of 10 by hand: well said"),
        ("honest", "./lab check PART NAME --seed 7711"),
        ("wrong", "7 1.0e-02 1.0e-05 the last body is skipped worst body 3: expected"),
        ("broken_part2", "mine.hpp:12: expected ';' 12 | int a"),
        ("no_gpu", "Not graded here: needs a GPU."),
        ("cy", "? of 100 points. A person still decides on 100."),
        ("late", "12 taken off: 2 days late"),
        ("index", "broken_part2 <b>&=1 42 + ? 10 12 10 5 5 ? 0 0 ?"),
        ("index", "7 items: unpack: lab.zip: no zip file"),
    ],
)
def test_what_is_read_on_a_page(page_of, name, words):
    assert words in Page(page_of[name]).root.words()
