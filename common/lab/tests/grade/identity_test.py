"""Whose a submission is."""

import re
import time

import pytest

from nbody_lab import ROOT
from nbody_lab.grade.identity import (
    MOST_READ,
    Names,
    find_answer,
    identified,
    key_of,
    remove_author,
    split_names,
    without_comments,
)
from nbody_lab.grade.models import HandedIn
from nbody_lab.grade.overlay import Taken
from nbody_lab.grade.submissions import Submission


@pytest.mark.parametrize(
    "file", sorted(ROOT.glob("part*_*/worksheet.hpp")), ids=lambda file: file.parent.name
)
def test_the_worksheets_of_the_lab(file):
    text = file.read_text(encoding="utf-8")
    filled = text.replace('authors = ""', 'authors = "Ada Lovelace, Charles Babbage"')
    assert find_answer(text) == ""
    assert split_names(find_answer(filled)) == ["Ada Lovelace", "Charles Babbage"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('authors{"Ada"}', "Ada"),
        ('authors = {"Ada"}', "Ada"),
        ('authors = std::string("x")', ""),
        ('authors =\n "Ada " /* and */ "Byron"', "Ada Byron"),
        ('authors = R"(Ada "B")"', 'Ada "B"'),
        ('authors = "Jos\\u00e9 \\"J\\" \\x41"', 'José "J" A'),
        ('// authors = "No"\nauthors = "Ada"', "Ada"),
        ('/* authors = "No" */ authors = "Ada"', "Ada"),
        ('char c = \'"\'; authors = "Ada"; //"', "Ada"),
        ('"authors = " authors = "Ada"', "Ada"),
        ("authors = who()", ""),
        ('authors = "Ada', ""),
    ],
)
def test_spellings_of_cpp(text, answer):
    assert find_answer(text) == answer


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        (
            "Ada Lovelace and Ben;  Ada  LOVELACE , , José & 李小龙",
            ["Ada Lovelace", "Ben", "José", "李小龙"],
        ),
        ("Andy Sandler", ["Andy Sandler"]),
        ("=cmd|' /C calc'\x1b[31m\u202e", ["=cmd|'", "C calc'\\u001b[31m\\u202e"]),
        (",".join(f"name{k}" for k in range(99)), [f"name{k}" for k in range(10)]),
        ("---, !!!", []),
    ],
)
def test_separators_and_odd_names(answer, names):
    assert split_names(answer) == names


def test_one_person_however_written():
    assert len({key_of(one) for one in ("Anna Smith", "smith  anna", "SMITH Anná")}) == 1


@pytest.mark.parametrize(
    "text",
    [
        *('R"(' * MOST_READ, '"\\"' * MOST_READ, "/*" * MOST_READ, 'R"a(' * MOST_READ),
        *("authors" + " " * MOST_READ, "authors = " + '"" ' * MOST_READ),
        "authors = " + "{" * MOST_READ,
    ],
    ids=range(7),
)
def test_a_text_made_to_take_long(text):
    started = time.process_time()
    split_names(find_answer(text))
    split_names("a" + " " * 10**6 + "b")
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    ("told", "worksheets", "authors", "problem"),
    [
        (["Anna Smith"], ["Smith Anna, Ben Kim"], ["Smith Anna", "Ben Kim"], ""),
        (["Anna Smith"], ["Anna-Maria Smith"], ["Anna-Maria Smith"], ""),
        (["Anna Smith"], [""], ["Anna Smith"], ""),
        (["Participant"], ["Anna"], ["Anna"], ""),
        ([], [], [], ""),
        (["Anna Smith"], ["Ben Kim"], ["Ben Kim"], "handed in by Anna Smith, but .* names Ben Kim"),
        ([], ["Anna, Ben", "Ben, Cleo"], ["Anna", "Ben", "Cleo"], "different authors"),
    ],
)
def test_the_worksheet_comes_first(tmp_path, told, worksheets, authors, problem):
    files = {}
    for number, names in enumerate(worksheets):
        file = tmp_path / f"{number}.hpp"
        file.write_text(f'std::string authors = "{names}";', encoding="utf-8")
        files[f"part{number}/worksheet.hpp"] = file
    found, problems = identified(Submission(HandedIn(name="a", authors=told)), Taken(files, []))
    assert list(found.who.authors) == authors
    assert bool(problems) == bool(problem)
    assert re.search(problem, " ".join(problems))


# --- without the author ---

NAMES = Names(
    ["Anna-Maria Smith", "José Bo"], "12345", ["Anna-Maria Smith", "José Bo", "Will Power", "Mark"]
)
TELLING = [
    *("by ANNA", "Smith, A.", "jose's trick", "mail a.b+c@uni-x.example.org", "student 12345"),
    *("see /home/x/lab", r"in C:\lab", "@author nn", "Author: me", "Written by me"),
    *("Copyright 2026", "thanks to Will  Power"),
]
HARMLESS = [
    *("this will be a power of 2, mark it", "Annabel, blacksmith", "bo", "123456", "a/home/b"),
    "an author writes",
]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        *((f"a; // {comment}\nb;\n", "a;\nb;\n") for comment in TELLING),
        *((f"/* x\n {comment} */ b;\n", "\n b;\n") for comment in TELLING),
        *((f"a; // {comment}\n", f"a; // {comment}\n") for comment in HARMLESS),
        (
            'f("by Anna", "// Anna");  // fine\ng("other");\n',
            'f("removed", "removed");  // fine\ng("other");\n',
        ),
        ('f("/*"); x(); // Smith\ny(); /* */\n', 'f("/*"); x();\ny(); /* */\n'),
        ("/* Anna\n\n*/\r\nint x;\t// fine\r\n", "\n\n\nint x;  // fine\n"),
        (
            '#include "naive.hpp"\n#  include "anna_loop.hpp"  // Anna\n',
            '#include "naive.hpp"\n#  include "header_1.hpp"\n',
        ),
    ],
)
def test_what_names_the_author_goes_and_the_lines_stay(text, left):
    assert remove_author(text, NAMES, {"anna_loop.hpp": "header_1.hpp"}) == left


def test_names_in_code_stay_and_are_found():
    code = "class AnnasLoop { int smith_sum, blacksmith, max; };"
    assert NAMES.left_in(code) == ["AnnasLoop", "smith_sum"]
    assert NAMES.left_in(without_comments('f("Anna"); // Smith')) == []


@pytest.mark.parametrize("unit", ["a", "a.", "a@", "will ", "author ", "@a.", "(c) ", "\t", '"\\'])
def test_a_text_made_to_take_long_takes_a_second(unit):
    """One comment of 200 kB."""
    started = time.process_time()
    text = "// " + unit * (200_000 // len(unit)) + "\n"
    NAMES.left_in(without_comments(remove_author(text, NAMES, {})))
    assert time.process_time() - started < 1
