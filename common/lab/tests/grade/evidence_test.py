"""What the evidence of a class reports, and that it calls itself evidence."""

import re
import time

import pytest

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.grade.evidence import HEAD, Evidence, evidence, personal_questions
from nbody_lab.grade.intake import part_folders
from nbody_lab.grade.kept import records_in
from nbody_lab.grade.similarity import Pair, compare, grouped
from nbody_lab.notebook.columns import NAMES
from nbody_lab.tasks.questions import load_questions
from tests.grade.made_class.made_archives import write_files
from tests.grade.scored_for_tests import P1, measured, part, sheet

THIRD_LAW = (ROOT / "solutions" / P1 / "04_third_law.hpp").read_text()
GIVEN = [ROOT / P1 / "naive.hpp", ROOT / P1 / "mine.hpp"]
NAIVE = GIVEN[0].read_text()
QUESTIONS = load_questions(ROOT / P1)
OWN = """double f{0}(double x) {{
  int k = 0;
  while (x > {0}) {{ x = x / 2 + k; ++k; }}
  return k % 2 ? -x : x * k;
}}
"""
SHORT, SIX = OWN.format(1), "".join(OWN.format(k) for k in range(6))
ZEROS = "static const int table[] = {" + "0, " * 20_000 + "};\n"


@pytest.fixture
def pairs(tmp_path):
    """The similar pairs of files with these contents, written by different people."""

    def pairs(*contents, given=(), old=()):
        files = {f"file{k}": content for k, content in enumerate([*contents, *old])}
        write_files(tmp_path, files)
        paths = [(name, tmp_path / name) for name in files]
        return compare(dict(paths[: len(contents)]), dict(paths[len(contents) :]), given)

    return pairs


# --- sources ---


def rename(text: str) -> str:
    return "// my own work\n\n" + text.replace("dx", "distance").replace("bodies", "stars")


@pytest.mark.parametrize(
    ("new", "more", "alike"),
    [
        # An exact copy is found, whatever hides it.
        ([THIRD_LAW, rename(THIRD_LAW)], {}, ["all"]),
        ([THIRD_LAW, THIRD_LAW.replace("\n", "\r\n")], {}, ["all"]),
        ([THIRD_LAW, THIRD_LAW.replace("{", "<%").replace("}", "%>")], {}, ["all"]),
        ([THIRD_LAW, THIRD_LAW + ZEROS], {}, ["all"]),
        ([THIRD_LAW, ZEROS + THIRD_LAW + "int a = b + c; " * 9000], {}, ["all"]),
        ([THIRD_LAW, "#include <vector>\n" * 60 + THIRD_LAW], {}, ["all"]),
        # The same filler does not make different programs alike.
        ([THIRD_LAW + ZEROS, SIX + ZEROS], {}, []),
        ([SHORT * 9, "struct S { int a[3]; bool b; };\n" * 9], {}, []),
        # A short file is alike by chance: this one has 46 tokens.
        ([SHORT, SHORT], {}, []),
        ([SHORT * 2, SHORT * 2], {}, ["all"]),
        # Given code counts for nothing.
        ([NAIVE, NAIVE], {}, ["all"]),
        ([NAIVE, NAIVE], {"given": GIVEN}, []),
        # Earlier years are compared with new files only.
        (["int x;\n"], {"old": [SIX, SIX]}, []),
        ([SIX], {"old": [SIX, SIX]}, ["all", "all"]),
    ],
)
def test_what_is_alike(pairs, new, more, alike):
    found = pairs(*new, **more)
    assert ["all" if one.share > 0.95 else f"{one.share:.0%}" for one in found] == alike


def test_lines_and_tokens_of_what_is_alike(pairs):
    """Two lines later in the renamed copy; after the given code where both have it."""
    (pair,) = pairs(THIRD_LAW, rename(THIRD_LAW))
    run = pair.runs[0]
    assert run.first_lines[0] + 2 == run.second_lines[0]
    assert pair.longest_run == run.tokens == pair.tokens > 400
    (pair,) = pairs(*[NAIVE + SHORT * 3] * 2, given=GIVEN)
    assert pair.runs[0].first_lines[0] > len(NAIVE.splitlines()) - 2


def test_files_made_to_be_odd_take_seconds(pairs):
    started = time.process_time()
    pairs(
        *[b"", b"\0" * 5000, bytes(range(256)) * 300, b"a + b; " * 10_000, b'"' + b"/*" * 999],
        *[b"x " * 25_000, b"\r\n\x0c\x1a", b"({[" * 5000, b'"\\' * 25_000, b"'" * 50_000],
        "void ü() {}",
        given=GIVEN,
    )
    assert time.process_time() - started < 20


def test_too_long_is_said():
    with pytest.raises(LabError, match="comparing took longer than 0 s: similarity was left out"):
        compare(dict.fromkeys("abcdef", GIVEN[0]), {}, [], seconds=0)


# --- a class ---


@pytest.fixture
def add(graded):
    """Adds who handed in files of part 1, and perhaps a worksheet of theirs."""

    def add(name, files=(), authors="", lines=()):
        answers = sheet(*lines) | {"authors": authors}
        graded.add(measured(name, parts={"part1": part(worksheet=answers)}), files)

    return add


@pytest.fixture
def found(graded):
    """The evidence, with these folders of others."""
    return lambda *others: evidence(
        graded.out, {one.submission.name: one for one in records_in(graded.out)}, others
    )


def test_it_says_what_it_is(add, found, graded):
    add("anna", {"mine.hpp": "int a;"})
    (graded.out / "measured/half.json").write_text("{")
    assert "never a verdict" in found().what == HEAD
    assert Evidence.model_validate_json((graded.out / "evidence.json").read_text()) == found()


def test_neighbours_are_compared_but_not_what_was_given(add, found, graded, snapshot):
    add("anna", {"mine.hpp": SIX, "mine_fast.hpp": SIX})
    add("ben", {"mine.hpp": "// mine\n" + re.sub(r"\bk\b", "count", SIX)})
    add("cleo", {"mine.hpp": GIVEN[1].read_text()})
    add("dora", {"mine.hpp": GIVEN[1].read_text()})
    add("emil", {"mine.hpp": NAIVE})
    assert found().pairs[0].share > 0.9
    assert (graded.out / "evidence.csv").read_text() == snapshot


def test_a_public_solution_explains_two(add, found):
    for name in ("anna", "ben"):
        add(name, {"mine.hpp": THIRD_LAW.replace("ThirdLaw", "Mine")})
    pairs = {(one.first, one.second): one for one in found(ROOT / "solutions").pairs}
    solution = f"solutions/{P1}/04_third_law.hpp"
    assert pairs["anna: mine.hpp", solution].share > 0.95
    assert solution in pairs["anna: mine.hpp", "ben: mine.hpp"].both_resemble


@pytest.mark.parametrize(("own", "listed"), [("", 0), (SIX, 1)])
def test_a_third_explains_what_it_has_not_more(add, found, own, listed):
    """Both hold the whole solution, and perhaps something else that only the two have."""
    for name in ("anna", "ben"):
        add(name, {"mine.hpp": THIRD_LAW.replace("ThirdLaw", "Mine") + own})
    told = found(ROOT / "solutions").same_code({"anna", "ben"})
    assert sum("ben: mine.hpp" in line and "anna: mine.hpp" in line for line in told) == listed


def alike(first, second, share, part="part1"):
    return Pair(part=part, first=first, second=second, share=share, tokens=90)


def test_files_that_are_nearly_the_same_are_one_group():
    """Directly or through others; each part has its own, and what is less alike within one stays there."""
    same = [alike("a", "b", 1), alike("b", "old", 0.9), alike("d", "e", 0.95)]
    less = [alike("a", "d", 0.89), alike("a", "b", 0.5, "part2")]
    groups, others = grouped([*same, alike("a", "old", 0.6), *less], 0.9)
    assert [(one.part, one.files, len(one.pairs)) for one in groups] == [
        ("part1", ["a", "b", "old"], 3),
        ("part1", ["d", "e"], 1),
    ]
    assert others == less


# --- notebooks ---


def notebook(*rows):
    lines = [f"{number},{date},mine" + "," * (len(NAMES) - 3) for number, date in rows]
    return "\n".join([",".join(NAMES), *lines]) + "\n"


THREE = notebook((2, "2026-11-01"), (9, "2026-11-01"), (10, "2026-11-09"))
OLD, LAST = "// Row 2\nint b;\n", "// Row 10\nint a;\n"
HISTORIES = {
    "three rows, two days, and the last source handed in": {
        "notebook.csv": THREE,
        "notebook/002_mine.hpp": OLD,
        "notebook/010_mine.hpp": LAST,
    },
    "rows that were made up have no source": {"notebook.csv": THREE},
    "another source than the last": {"notebook/002_mine.hpp": OLD},
    "the last version was not handed in": {"notebook/003_mine_x.hpp": OLD},
    "another separator": {"notebook.csv": "row;date\n1;2"},
    "an open quote": {"notebook.csv": notebook((1, "x")) + '"'},
    "binary": {"notebook.csv": "\0\0"},
    "commands of a terminal": {"notebook.csv": "\x1b[2J,row\n"},
}


def test_the_history_of_a_notebook(add, found, match_table):
    """./lab try keeps a source for each row; what is no notebook is a problem."""
    for number, files in enumerate(HISTORIES.values()):
        add(str(number), {"mine.hpp": "int a;\n"} | files)
    match_table(dict(zip(HISTORIES, found().notebooks)), str)


# --- hypothetical machines ---


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


@pytest.mark.parametrize("of", part_folders(ROOT), ids=lambda of: of.name)
def test_every_part_has_personal_questions(of):
    questions = load_questions(ROOT / of.folder)
    assert len(personal_questions(questions)) >= 2


ON_PAPER = "attainable_on_paper"
SHEETS = {
    "copied": ("Ben Kim", lines_for("Anna Smith")),
    "own": ("Ben Kim", lines_for("Ben Kim")),
    "wrong": ("Cleo", lines_for("Cleo", **{ON_PAPER: "1e9", f"{ON_PAPER}_in_registers": "3e9"})),
    "one is missing": ("Dora", lines_for("Anna Smith", **{ON_PAPER: "nan"})),
    "nobody": ("", lines_for("Anna Smith")),
    "right": ("Finn", lines_for("Anna Smith", "right")),
    "strange": ("Gus", [{"number": "7", "question": "x" * 999}]),
    "infinite": ("---", lines_for("Anna Smith", **{ON_PAPER: "1e999"})),
    "hexadecimal": ("Hal", lines_for("Anna Smith", **{ON_PAPER: "0x1p" + "9" * 999})),
}


@pytest.mark.parametrize("what", SHEETS)
def test_answers_that_are_right_for_a_classmates_machine(add, found, what):
    add("anna", {}, "Anna Smith", lines_for("Anna Smith"))
    add("ben", {}, *SHEETS[what])
    sign = {"part": "part1", "submission": "ben", "fits": "anna", "numbers": 2, "wrong": 2}
    signs = [one.model_dump() for one in found().hypothetical_machines]
    assert signs == ([{**sign, "machines": 1}] if what == "copied" else [])
