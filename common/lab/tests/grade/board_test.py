"""The board of a class: who is on it, what wins, and that it names nobody."""

import json

import pytest

from nbody_lab.core.messages import UserError
from nbody_lab.grade.board import board_page, pseudonyms_of
from nbody_lab.grade.decisions import UNKNOWN_TIME, BoardRow
from tests.grade.scored_for_tests import (
    EVIL,
    measured,
    notebook,
    only_part1,
    records_of,
    results_of,
    row,
    speed,
    tried,
    wrong,
)

BOUND = {"bound_interactions_per_s": 1.2e9}


def with_rows(*rows, tries=((2, 2),)):
    book = notebook(*(tried(k, expected=e, measured=m) for k, (e, m) in enumerate(tries)))
    return only_part1(*rows, notebook=book)


def one(name, parts):
    return measured(name, [f"{name.title()} Smith"], parts=parts)


CLASS = [
    one("fast", with_rows(row(speed=[speed(0.9, **BOUND)]), tries=[(1, 2), (4, 2), (2, 1)])),
    one("sage", with_rows(row(speed=[speed(0.3, **BOUND)]), tries=[(2, 2), (2, 1.6), (9, 1)])),
    one("hidden", with_rows(row(speed=[speed(1.0, **BOUND)]), tries=[(2, 2)] * 3)),
    one("loud", with_rows(row(speed=[speed(0.95, noisy=True, **BOUND)]))),
    one("false", with_rows(wrong(speed=[speed(0.99, **BOUND)]))),
]
CHOSEN = {"fast": "Vega", "sage": f"Rigel {EVIL}", "loud": "Deneb", "false": "Mira"}


def test_the_page_has_pseudonyms_and_no_names(snapshot):
    """Nobody wins who is not on the board, nor by a wrong or noisy row or two predictions."""
    html = board_page(results_of(*CLASS).title, records_of(CLASS), CHOSEN)
    text = html.partition("</style>")[2] + html.partition("<style>")[0]
    assert "Vega: 90 %" in text and EVIL not in text
    assert not [who for who in ("Smith", "hidden", "fast", "Fast", "Sage") if who in text]
    assert html[html.index("<main>") : html.index("</main>")] == snapshot


def test_two_do_not_share_a_pseudonym():
    with pytest.raises(UserError, match="two have the same pseudonym"):
        board_page("class", records_of(CLASS), {"fast": "Vega", "sage": "vega"})


NAMED = [
    measured("anna_smith", [], student_id="k 17"),
    measured("li", ["Li Wu"]),
    measured("wei", ["李 伟"]),
    measured("s3", ["Jürgen Ali"]),
]


NAMING = (
    """Bo Wu, The 李, JURGEN, jürgen_1, Anna S, AnnaSmith, Li-Wu, liwu, K17, Ali's friend""".split(
        ", "
    )
)


@pytest.mark.parametrize("pseudonym", NAMING)
def test_a_pseudonym_names_nobody(pseudonym):
    """By whole words, however short, without accents; and what they are in one."""
    with pytest.raises(UserError, match="the pseudonym of wei names a student"):
        board_page("class", records_of(NAMED), {"wei": pseudonym})


@pytest.mark.parametrize("pseudonym", ["Alioth", "Annapurna", "Wolf 359", "Jur"])
def test_part_of_a_name_is_no_name(pseudonym):
    assert board_page("class", records_of(NAMED), {"wei": pseudonym})


TEAM = [measured("team", ["Ada King", "Bob Ross"]), measured("solo", ["Cy Young"])]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("Ada King", "Vega"), ("bob  ross", "Vega"), ("solo", "Mira")], "Vega Mira"),
        ([("Ada King", "Vega"), ("Cy Young", "Mira")], " Mira"),
        ([("solo", "Mira"), ("Cy Young", "Vega")], "3: solo is in board.csv:2, too: keep one"),
        ([("Ada King", "Vega"), ("ada king", "Vega")], "3: team is in board.csv:2, too: keep one"),
        (
            [("Ada King", "Vega"), ("Bob Ross", "Mira")],
            "3: another author of team has 'Vega' in board.csv:2: choose one for both",
        ),
        ([("team", "Vega")], "2: team is of several authors: write a row for each"),
    ],
)
def test_each_author_has_a_row(rows, expected):
    listed = [BoardRow(*one, f"board.csv:{line}") for line, one in enumerate(rows, 2)]
    submissions = [record.submission for record in records_of(TEAM)]
    if expected[0].isdigit():
        with pytest.raises(UserError, match=f"^board.csv:{expected}"):
            pseudonyms_of(listed, submissions)
    else:
        assert " ".join(pseudonyms_of(listed, submissions).values()) == expected


def test_the_command(graded, run_lab):
    """A name that nobody has is one line; who is flagged or has a partner without a row is left out."""
    out = graded.out
    for one in (*CLASS, *TEAM):
        graded.add(one)
    results = results_of(*CLASS, *TEAM).model_dump()
    for one in results["submissions"]:
        one["flags"] = ["look"] if one["name"] == "fast" else [UNKNOWN_TIME]
    (out / "results.json").write_text(json.dumps(results))
    people = "Fast Smith,Vega\nsage,Rigel\nloud,\nAda King,Mira\n"
    (out / "board.csv").write_text(f"who,pseudonym\n{people}")
    status, output, error = run_lab("grade", "--board", out)
    assert (status, error) == (0, "")
    assert output.endswith(
        ": 1 on it, 1 left out until their flags are decided, "
        "left out because an author has no row: team\n"
    )
    assert "Mira" not in (out / "board.html").read_text()
    (out / "board.csv").write_text("who,pseudonym\nnobody,Vega\n")
    status, _, error = run_lab("grade", "--board", out)
    assert (status, error.count("\n")) == (2, 1) and "board.csv:2: no student is called" in error
