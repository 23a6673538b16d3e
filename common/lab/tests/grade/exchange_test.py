"""./lab grade --exchange on made-up measurements: who reads what, and that no name is passed on."""

import json
import time
import zipfile
from collections import Counter

import pytest

from nbody_lab.core.messages import UserError
from nbody_lab.core.whole_file import write_bytes
from nbody_lab.grade import exchange as module
from nbody_lab.grade.exchange import Names, deal, exchange, remove_author
from tests.grade.scored_for_tests import P1, Graded, measured, not_checked, part, row, speed, wrong

WRITERS, OTHERS = [f"writer_{k}" for k in range(7)], [f"other_{k}" for k in range(5)]

# --- who reads whom ---


@pytest.mark.parametrize("readings", [1, 2, 3, 6])
@pytest.mark.parametrize("seed", range(5))
def test_each_reads_different_ones_and_never_their_own(readings, seed):
    found = deal(WRITERS + OTHERS, WRITERS, readings, str(seed))
    assert set(found) == set(WRITERS + OTHERS)
    for who, given in found.items():
        assert len(set(given)) == len(given) == readings
        assert who not in given
    times = Counter(one for given in found.values() for one in given)
    assert set(times) == set(WRITERS)
    assert max(times.values()) - min(times.values()) <= 1


def test_a_seed_repeats_and_another_differs():
    found = deal(WRITERS + OTHERS, WRITERS, 2, "5")
    assert found == deal(OTHERS + WRITERS[::-1], WRITERS[::-1], 2, "5")
    assert found != deal(WRITERS + OTHERS, WRITERS, 2, "6")


# --- a class ---

OF_ANNA = """#pragma once
#include "naive.hpp"
#include "anna.hpp"
// by Anna, anna@uni.example.org
"""
# name: (what was handed in, its rows)
CLASS = {
    "Anna Smith": (
        {"mine.hpp": OF_ANNA, "anna.hpp": '#include "deep.h"\n', "deep.h": "int deep;\n"}
        | {"mine_other.hpp": "other\n"},
        [row()],
    ),
    "Ben Kim": ({"mine.hpp": "class BensLoop {};  // KIM\n"}, [row()]),
    "Cleo Diaz": ({"mine.hpp": "// written by cleo\nint of_her_own;\n"}, [row()]),
    # Only the fastest that passed and is one's own is read.
    "Eve Long": (
        {f"{name}.hpp": f"{name}\n" for name in ("mine", "mine_wrong", "mine_slow", "mine_fast")},
        [
            *(row(untouched=True, speed=[speed(0.99)]), wrong("mine_wrong")),
            *(row("mine_slow", speed=[speed(0.1)]), row("mine_fast", speed=[speed(0.2)])),
        ],
    ),
    "Finn Berg": ({"mine.hpp": "not read\n"}, [not_checked("x")]),
    "Gus Hall": ({}, []),
}


@pytest.fixture
def some_class(graded) -> Graded:
    for name, (files, rows) in CLASS.items():
        key = name.lower().replace(" ", "_")
        graded.add(measured(key, [name], parts={"part1": part(*rows)}), files)
    return graded


@pytest.fixture
def run(some_class, tmp_path):
    """Deals; returns the key."""

    def run(parts=(), readings=2):
        exchange(some_class.out, tmp_path / "exchange", parts, readings, 7)
        return json.loads((tmp_path / "exchange/key.json").read_text())

    return run


def test_everybody_reads_two_others_without_names_and_the_key_says_who(
    run, tmp_path, capsys, snapshot
):
    """With the headers that go with them, under other names; a name in the code is left to a person."""
    key, told = run(), capsys.readouterr()
    assert key == snapshot(name="key, for its owner alone")
    assert (tmp_path / "exchange/key.json").stat().st_mode & 0o777 == 0o600
    assert "5 archives, and key.json, which only you keep (seed 7)" in told.out
    assert told.err == "".join(f"lab: {remark}\n" for remark in key["remarks"])
    for reader, versions in key["parts"]["part1"]["readers"].items():
        assert reader not in [one["who"] for one in versions.values()]
        with zipfile.ZipFile(tmp_path / f"exchange/{reader}.zip") as archive:
            found = {name: archive.read(name).decode() for name in archive.namelist()}
        assert "echo 'mine_read_b: -O3 -fopenmp' >>" in found["reading/README.md"]
        text = "\n".join(found.values()).casefold()
        words = {word for one in CLASS for word in one.casefold().split()}
        assert not words & set(text.replace("@", " ").split())
        assert "example.org" not in text and str(tmp_path) not in text
        del found["reading/README.md"]
        assert found == snapshot(name=reader)


def test_archives_without_their_key_are_never_left(run, tmp_path, monkeypatch):
    """The one who ends it in between can still say who wrote what."""

    def end_at_the_second(file, content):
        if list(file.parent.glob("*.zip")):
            raise KeyboardInterrupt
        write_bytes(file, content)

    monkeypatch.setattr(module, "write_bytes", end_at_the_second)
    with pytest.raises(KeyboardInterrupt):
        run()
    (left,) = (tmp_path / "exchange").glob("*.zip")
    key = json.loads((tmp_path / "exchange/key.json").read_text())
    assert left.stem in key["parts"]["part1"]["readers"]


REFUSED = [
    ({"parts": ["part1"], "readings": 4}, "", "part1: 4 readings each need 5 versions .* are 4"),
    ({}, f"taken/ben_kim/{P1}/mine.hpp", r"ben_kim/.*mine.hpp no longer exists: ./lab grade CLASS"),
    ({}, "measured/ben_kim.json", "ben_kim.json: a record that cannot be read"),
    ({}, "measured", r"has no measured/\*.json: nothing was graded there yet"),
]


@pytest.mark.parametrize(("how", "missing", "why"), REFUSED)
def test_refused_before_anything_is_written(run, some_class, tmp_path, how, missing, why):
    file = some_class.out / missing
    if missing.endswith(".json"):
        file.write_text("{")
    elif missing:
        file.rename(tmp_path / "away")
    with pytest.raises(UserError, match=why):
        run(**how)
    assert not (tmp_path / "exchange").exists()


def test_two_exchanges_do_not_mix(run):
    run()
    with pytest.raises(UserError, match="is not empty: name a new folder"):
        run()


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
    assert NAMES.left_in('f("Anna"); // Smith') == []


@pytest.mark.parametrize("unit", ["a", "a.", "a@", "will ", "author ", "@a.", "(c) ", "\t", '"\\'])
def test_a_text_made_to_take_long_takes_seconds(unit):
    """One comment of 200 kB."""
    started = time.process_time()
    text = "// " + unit * (200_000 // len(unit)) + "\n"
    NAMES.left_in(remove_author(text, NAMES, {}))
    assert time.process_time() - started < 5
