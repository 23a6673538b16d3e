"""What is said of two who handed in the same, and of answers that fit a classmate's hypothetical machine."""

import pytest

from nbody_lab import ROOT
from nbody_lab.grade.similar import find_similar
from nbody_lab.tasks.questions import load_questions
from tests.grade.made_class.made_archives import write_files
from tests.grade.scored_for_tests import P1, measured, part, records_of

GIVEN = (ROOT / P1 / "mine.hpp").read_text()
THIRD_LAW = (ROOT / "solutions" / P1 / "04_third_law.hpp").read_text()
QUESTIONS = load_questions(ROOT / P1)


def similar(out, sheets, files=()):
    """{submission: flags}; `sheets`: the authors and lines of each worksheet."""
    write_files(out, {f"taken/{name}": text for name, text in dict(files).items()})
    records = records_of(
        measured(name, parts={"part1": part(worksheet={"authors": authors, "lines": lines})})
        for name, (authors, lines) in sheets.items()
    )
    return dict(find_similar(out, {one.submission.name: one for one in records}))


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (THIRD_LAW, True),
        ("// my own work\n" + THIRD_LAW.replace("dx", "DX").replace("\n", "\r\n\n"), True),
        (THIRD_LAW.replace("dx", "distance"), False),
        (THIRD_LAW + "/* " * 100_000, True),
    ],
)
def test_the_same_source_twice(tmp_path, other, same):
    """What was given is nobody's."""
    files = {f"ada/{P1}/mine.hpp": THIRD_LAW, f"bo/{P1}/mine_b.hpp": other}
    files |= {f"{name}/{P1}/mine_c.hpp": GIVEN for name in ("ada", "bo")}
    found = similar(tmp_path, dict.fromkeys(("ada", "bo"), ("", [])), files)
    flags = {"ada": [f"{P1}/mine.hpp is a file of bo, too"]}
    assert found == (flags | {"bo": [f"{P1}/mine_b.hpp is a file of ada, too"]} if same else {})


def lines_for(authors, state="wrong", **changed):
    """A worksheet with the right answers for these authors' hypothetical machine."""
    paper = QUESTIONS.machine.constants_of(authors)
    answers = {
        "intensity": 0.25,
        "intensity_in_registers": 2.0,
        "attainable_on_paper": min(paper["peak"], 0.25 * paper["bandwidth"]),
        "attainable_on_paper_in_registers": min(paper["peak"], 2.0 * paper["bandwidth"]),
    }
    texts = {name: f"{value:.4g}" for name, value in answers.items()} | changed
    return [
        {"number": one.number, "question": one.text, "answer": texts[one.answer], "state": state}
        for one in QUESTIONS.questions
        if getattr(one, "answer", None) in texts
    ]


ON_PAPER = "attainable_on_paper"


@pytest.mark.parametrize(
    ("authors", "lines", "is_flagged"),
    [
        ("Ben Kim", lines_for("Anna Smith"), True),
        ("Ben Kim", lines_for("Ben Kim"), False),
        ("Cleo", lines_for("Cleo", **{ON_PAPER: "1e9", f"{ON_PAPER}_in_registers": "3e9"}), False),
        ("Dora", lines_for("Anna Smith", **{ON_PAPER: "nan"}), False),  # one may be chance
        ("", lines_for("Anna Smith"), False),
        ("Finn", lines_for("Anna Smith", "right"), False),
        ("Hal", lines_for("Anna Smith", **{ON_PAPER: "0x1p" + "9" * 999}), False),
    ],
)
def test_answers_that_are_right_for_a_classmates_machine(tmp_path, authors, lines, is_flagged):
    sheets = {"anna": ("Anna Smith", lines_for("Anna Smith")), "ben": (authors, lines)}
    words = "part1: wrong answers are right for the hypothetical machine of anna"
    assert similar(tmp_path, sheets).get("ben", []) == ([words] if is_flagged else [])
