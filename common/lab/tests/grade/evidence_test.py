"""What the evidence of a class reports, and that it calls itself evidence."""

import csv
import json
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.grade.evidence import HEAD, Evidence, evidence, pairs_csv
from nbody_lab.grade.overlay import part_folders
from nbody_lab.grade.personal_numbers import personal_questions
from nbody_lab.grade.similarity import Pair, Run, compare
from nbody_lab.notebook.columns import NAMES
from nbody_lab.worksheet.questions import load_questions

P1 = "part1_standard_opti"
RUNGS = ROOT / "solutions" / P1
THIRD_LAW = (RUNGS / "third_law.hpp").read_text()
GIVEN = [ROOT / P1 / "naive.hpp", ROOT / P1 / "mine.hpp"]
QUESTIONS = load_questions(ROOT / P1 / "questions.json")
OWN = """double f{0}(double x) {{
  int k = 0;
  while (x > {0}) {{ x = x / 2 + k; ++k; }}
  return k % 2 ? -x : x * k;
}}
"""
ZEROS = "static const int table[] = {" + "0, " * 20_000 + "};\n"


@pytest.fixture
def put(tmp_path: Path) -> Callable[..., Path]:
    def put(path: str, content: str | bytes = "") -> Path:
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    return put


@pytest.fixture
def pairs(put: Callable[..., Path]) -> Callable[..., list[Pair]]:
    """The similar pairs of files with these contents, written by different people."""

    def pairs(*contents: str | bytes, given: list[Path] | None = None) -> list[Pair]:
        new = {str(k): put(f"file{k}", content) for k, content in enumerate(contents)}
        found = compare(new, {}, given or [])
        assert not found.problems
        return found.pairs

    return pairs


# --- sources ---


def rename(text: str) -> str:
    return "// my own work\n\n" + text.replace("dx", "distance").replace("bodies", "stars")


@pytest.mark.parametrize(
    "change",
    [
        rename,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("{", "<%").replace("}", "%>"),
        lambda text: text + ZEROS,
        lambda text: ZEROS + text + "int a = b + c; " * 9000,
        lambda text: "#include <vector>\n" * 60 + text,
    ],
    ids=["renamed", "other line ends", "digraphs", "zeros after", "fillers around", "includes"],
)
def test_an_exact_copy_is_found_whatever_hides_it(pairs, change):
    (pair,) = pairs(THIRD_LAW, change(THIRD_LAW))
    assert pair.share > 0.95


def test_two_copies_with_the_same_filler_are_alike_in_their_code(pairs):
    """The filler does not count: it would make different programs alike."""
    others = "".join(OWN.format(k) for k in range(6))
    assert [pair.share > 0.3 for pair in pairs(THIRD_LAW + ZEROS, others + ZEROS)] in ([], [False])


def test_a_pair_says_where(pairs):
    (pair,) = pairs(THIRD_LAW, rename(THIRD_LAW))
    run = pair.runs[0]
    assert run.first_lines[0] + 2 == run.second_lines[0]
    assert pair.longest_run == run.tokens == pair.tokens > 400


def test_different_work_is_not_alike(pairs):
    assert pairs(OWN.format(1) * 9, "struct S { int a[3]; bool b; };\n" * 9) == []


def test_a_short_file_is_alike_by_chance_and_not_compared(pairs):
    """OWN has 46 tokens."""
    assert pairs(OWN.format(1), OWN.format(1)) == []
    assert len(pairs(OWN.format(1) * 2, OWN.format(1) * 2)) == 1


def test_given_code_counts_for_nothing(pairs):
    naive = GIVEN[0].read_text()
    assert pairs(naive, naive)[0].share == 1
    assert pairs(naive, naive, given=GIVEN) == []
    (pair,) = pairs(*[naive + OWN.format(1) * 3] * 2, given=GIVEN)
    assert pair.runs[0].first_lines[0] > len(naive.splitlines()) - 2


def test_earlier_years_are_compared_with_new_files_only(put):
    text = "".join(OWN.format(k) for k in range(6))
    old = {name: put(name, text) for name in ("year1", "year2")}
    assert compare({"anna": put("a", "int x;\n")}, old, []).pairs == []
    assert len(compare({"anna": put("a", text)}, old, []).pairs) == 2


def test_files_made_to_be_odd_take_seconds(pairs):
    started = time.process_time()
    pairs(
        *[b"", b"\0" * 5000, bytes(range(256)) * 300, b"a + b; " * 40000, b'"' + b"/*" * 999],
        *[b"x " * 99999, b"\r\n\x0c\x1a", b"({[" * 20000, b'"\\' * 99999, b"'" * 200_000],
        "void ü() {}",
        given=GIVEN,
    )
    assert time.process_time() - started < 20


def test_too_long_is_a_problem_that_is_told(put):
    found = compare(dict.fromkeys("abcdef", GIVEN[0]), {}, [], seconds=0)
    assert found.pairs == []
    assert "took longer" in found.problems[0]


# --- a class ---


class Class:
    """The OUT folder of a graded class."""

    def __init__(self, put: Callable[..., Path], out: Path) -> None:
        self.put, self.out = put, out

    def add(self, name: str, files: dict[str, str], authors: str = "", lines=()) -> None:
        part = {
            "state": "measured",
            "worksheet": {"authors": authors, "lines": list(lines)},
        }
        record = {"submission": {"name": name}, "parts": {"part1": part}}
        self.put(f"measured/{name}.json", json.dumps(record))
        for file, text in files.items():
            self.put(f"taken/{name}/{P1}/{file}", text)

    def evidence(self, *others: Path) -> Evidence:
        return evidence(self.out / "measured", others)


@pytest.fixture
def some_class(put, tmp_path) -> Class:
    return Class(put, tmp_path)


def test_both_files_say_what_they_are(some_class):
    some_class.add("anna", {"mine.hpp": "int a;"})
    some_class.put("measured/half.json", "{")
    found = some_class.evidence()
    assert "never a verdict" in found.what == HEAD
    assert Evidence.model_validate_json((some_class.out / "evidence.json").read_text()) == found
    assert (some_class.out / "evidence.csv").read_text().splitlines()[0] == f"# {HEAD}"


def test_a_table_program_finds_no_formula():
    run = Run(tokens=3, first_lines=(1, 2), second_lines=(3, 4))
    names = {"part": "part1", "first": "=cmd()", "second": "@x\x1b[2J", "both_resemble": ("-a",)}
    pair = Pair(**names, share=1, tokens=3, longest_run=3, runs=(run,))
    row = list(csv.reader(pairs_csv([pair]).splitlines()))[2]
    assert row == ["part1", "'=cmd()", "'@x", *"1 3 3".split(), "lines 1-2", "lines 3-4", "'-a"]


def test_neighbours_are_compared_but_not_what_was_given(some_class):
    text = (RUNGS / "private_blocks.hpp").read_text()
    shipped = GIVEN[1].read_text()
    some_class.add("anna", {"mine.hpp": text, "mine_fast.hpp": text})
    some_class.add("ben", {"mine.hpp": re.sub("thread", "worker", text)})
    some_class.add("cleo", {"mine.hpp": shipped})
    some_class.add("dora", {"mine.hpp": shipped})
    some_class.add("emil", {"mine.hpp": GIVEN[0].read_text()})
    pairs = some_class.evidence().pairs
    assert sorted((pair.first, pair.second) for pair in pairs) == [
        ("anna: mine.hpp", "ben: mine.hpp"),
        ("anna: mine_fast.hpp", "ben: mine.hpp"),
    ]
    assert pairs[0].share > 0.9
    assert len((some_class.out / "evidence.csv").read_text().splitlines()) == 4


def test_a_public_solution_explains_two(some_class):
    for name in ("anna", "ben"):
        some_class.add(name, {"mine.hpp": THIRD_LAW.replace("ThirdLaw", "Mine")})
    pairs = {(one.first, one.second): one for one in some_class.evidence(ROOT / "solutions").pairs}
    solution = f"solutions/{P1}/third_law.hpp"
    assert pairs["anna: mine.hpp", solution].share > 0.95
    assert solution in pairs["anna: mine.hpp", "ben: mine.hpp"].both_resemble


# --- notebooks ---


def notebook(*rows: tuple[int, str]) -> str:
    lines = [f"{number},{date},mine" + "," * (len(NAMES) - 3) for number, date in rows]
    return "\n".join([",".join(NAMES), *lines]) + "\n"


def test_a_history_has_rows_days_and_the_last_source(some_class):
    files = {
        "notebook.csv": notebook((2, "2026-11-01"), (9, "2026-11-01"), (10, "2026-11-09")),
        "mine.hpp": "int a;\n",
        "notebook/002_mine.hpp": "// Row 2\nint b;\n",
        "notebook/010_mine.hpp": "// Row 10\nint a;\n",
    }
    some_class.add("anna", files)
    (found,) = some_class.evidence().notebooks
    assert found.model_dump() == {
        "submission": "anna",
        "part": "part1",
        "rows": 3,
        "first": "2026-11-01",
        "last": "2026-11-09",
        "dates": 2,
        "kept": 2,
        "rows_without_source": 1,
        "last_kept_is_handed_in": True,
        "problem": "",
    }


def test_rows_without_any_source_are_counted(some_class):
    """./lab try keeps a source for each row; a table that was made up has none."""
    forged = notebook(*((number, "2026-11-01") for number in range(1, 13)))
    some_class.add("anna", {"notebook.csv": forged, "mine.hpp": ""})
    (found,) = some_class.evidence().notebooks
    assert (found.rows, found.kept, found.rows_without_source) == (12, 0, 12)


@pytest.mark.parametrize(("kept", "same"), [("002_mine.hpp", False), ("003_mine_x.hpp", None)])
def test_another_source_than_the_last(some_class, kept, same):
    some_class.add("anna", {"mine.hpp": "int a;\n", f"notebook/{kept}": "// Row 2\nint b;\n"})
    assert some_class.evidence().notebooks[0].last_kept_is_handed_in is same


@pytest.mark.parametrize(
    "text",
    [
        "row;date\n1;2",
        notebook((1, "x")) + '"',
        "\0\0",
        "a" * 200_000 + "\n" + "b" * 200_000,
        "\x1b[2J,row\n",
    ],
)
def test_what_is_no_notebook_is_a_problem(some_class, text):
    some_class.add("anna", {"notebook.csv": text, "mine.hpp": ""})
    (found,) = some_class.evidence().notebooks
    assert (found.rows, bool(found.problem)) == (0, True)
    assert "\x1b" not in found.problem


# --- paper machines ---


def lines_for(authors: str, state: str = "wrong", **changed: float | str) -> list[dict[str, str]]:
    """A worksheet with the right answers for these authors' paper machine."""
    paper = QUESTIONS.paper_machine.constants_of(authors)
    answers = {
        "intensity": 0.25,
        "intensity_in_registers": 2.0,
        "attainable_on_paper": min(paper["peak"], 0.25 * paper["bandwidth"]),
        "attainable_on_paper_in_registers": min(paper["peak"], 2.0 * paper["bandwidth"]),
        **changed,
    }
    return [
        {
            "number": one.number,
            "question": one.text,
            "answer": f"{answers[one.answer]:.4g}"
            if isinstance(answers[one.answer], float)
            else answers[one.answer],
            "state": state,
        }
        for one in QUESTIONS.questions
        if getattr(one, "answer", None) in answers
    ]


@pytest.mark.parametrize("part", part_folders(ROOT), ids=lambda part: part.name)
def test_every_part_has_personal_questions(part):
    questions = load_questions(ROOT / part.folder / "questions.json")
    assert len(personal_questions(questions)) >= 2


@pytest.mark.parametrize(
    ("authors", "lines", "copied"),
    [
        ("Ben Kim", lines_for("Anna Smith"), True),
        ("Ben Kim", lines_for("Ben Kim"), False),
        (
            "Cleo",
            lines_for("Cleo", attainable_on_paper=1e9, attainable_on_paper_in_registers=3e9),
            False,
        ),
        ("Dora", lines_for("Anna Smith", attainable_on_paper=float("nan")), False),
        ("", lines_for("Anna Smith"), False),
        ("Finn", lines_for("Anna Smith", "right"), False),
        ("Gus", [{"number": "7", "question": "x" * 999}], False),
        ("---", lines_for("Anna Smith", attainable_on_paper="1e999"), False),
        ("Hal", lines_for("Anna Smith", attainable_on_paper="0x1p" + "9" * 999), False),
    ],
    ids="copied own wrong one_is_missing nobody right strange infinite hexadecimal".split(),
)
def test_answers_that_are_right_for_a_classmates_machine(some_class, authors, lines, copied):
    some_class.add("anna", {}, "Anna Smith", lines_for("Anna Smith"))
    some_class.add("ben", {}, authors, lines)
    sign = {"part": "part1", "submission": "ben", "fits": "anna", "numbers": 2, "wrong": 2}
    found = [one.model_dump() for one in some_class.evidence().paper_machines]
    assert found == ([{**sign, "machines": 1}] if copied else [])
