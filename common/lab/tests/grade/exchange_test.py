"""./lab grade --exchange on made-up measurements: who reads what, and that no name is passed on."""

import json
import time
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from nbody_lab.core.messages import UserError
from nbody_lab.grade.exchange import deal, exchange
from nbody_lab.grade.identity import Names, remove_author, without_comments
from nbody_lab.grade.models import Check, HandedIn, PartRecord, Record, Row, Speed

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
        assert set(given) <= set(WRITERS)
    times = Counter(one for given in found.values() for one in given)
    assert set(times) == set(WRITERS)
    assert max(times.values()) - min(times.values()) <= 1


def test_a_seed_repeats_and_another_differs():
    found = deal(WRITERS + OTHERS, WRITERS, 2, "5")
    assert found == deal(OTHERS + WRITERS[::-1], WRITERS[::-1], 2, "5")
    assert found != deal(WRITERS + OTHERS, WRITERS, 2, "6")


@pytest.mark.parametrize(
    ("readers", "writers", "readings"),
    [(WRITERS, WRITERS[:2], 2), (WRITERS, [], 1), (OTHERS, WRITERS[:1], 2)],
)
def test_too_few_versions_are_an_error(readers, writers, readings):
    with pytest.raises(UserError, match=f"{readings} readings each need {readings + 1} versions"):
        deal(readers, writers, readings, "1")


# --- a class ---

FOLDER = "part1_standard_opti"
PEOPLE = ("Anna Smith", "Ben Kim", "Cleo Diaz", "Dora Novak")


def row(name="mine", speed=0.7e9, verdict="passed", **more) -> Row:
    timed = Speed(threads=1, n=2000, scene="plummer", verdict="right", interactions_per_s=speed)
    return Row(
        name=name,
        source=f"{FOLDER}/{name}.hpp",
        flags="-O3 -fopenmp",
        built=True,
        check=Check(verdict=verdict),
        speed=(timed,),
        **more,
    )


class Class:
    def __init__(self, folder: Path) -> None:
        self.graded, self.out = folder / "grades", folder / "exchange"
        (self.graded / "measured").mkdir(parents=True)
        for number, name in enumerate(PEOPLE):
            self.add(
                name,
                {
                    "mine.hpp": '#pragma once\n#include "naive.hpp"\n'
                    f"// by {name.split()[0]}, {name.split()[0]}@uni.example.org\n"
                    f"class Mine {{ int of_number_{number}; }};\n"
                },
                row(),
            )

    def add(self, name: str, files: dict[str, str], *rows: Row) -> None:
        key = name.lower().replace(" ", "_")
        for file, text in files.items():
            path = self.graded / "taken" / key / FOLDER / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        who = HandedIn(name=key, authors=(name,), student_id=f"99{len(name)}7")
        parts = {"part1": PartRecord(state="measured", rows=rows)}
        record = Record(submission=who, parts=parts)
        (self.graded / f"measured/{key}.json").write_text(record.model_dump_json())

    def exchange(self, parts=(), readings=2, seed: int | None = 7, out: Path | None = None) -> None:
        exchange(self.graded, out or self.out, parts, readings, seed)

    def archive(self, key: str) -> dict[str, str]:
        with zipfile.ZipFile(self.out / f"{key}.zip") as archive:
            return {
                name.removeprefix("reading/"): archive.read(name).decode()
                for name in archive.namelist()
            }

    def key(self) -> dict:
        return json.loads((self.out / "key.json").read_text())


@pytest.fixture
def some_class(tmp_path) -> Class:
    return Class(tmp_path)


def test_everybody_reads_two_others_without_names(some_class, capsys):
    some_class.exchange()
    said = capsys.readouterr()
    assert "4 archives, and key.json, which only you keep (seed 7)" in said.out
    assert said.err == ""
    for number, name in enumerate(PEOPLE):
        found = some_class.archive(name.lower().replace(" ", "_"))
        versions = [f"{FOLDER}/mine_read_{letter}.hpp" for letter in "ab"]
        assert sorted(found) == ["README.md", *versions]
        text = "\n".join(found.values())
        assert f"of_number_{number};" not in text
        assert text.count("of_number_") == 2
        assert "echo 'mine_read_b: -O3 -fopenmp' >>" in found["README.md"]
        words = {word for one in PEOPLE for word in one.casefold().split()}
        assert not words & set(text.casefold().replace("@", " ").split())
        assert "example.org" not in text
        assert str(some_class.graded) not in text


def test_the_key_says_who_is_who_to_its_owner_alone(some_class):
    some_class.exchange()
    key = some_class.key()
    assert (some_class.out / "key.json").stat().st_mode & 0o777 == 0o600
    assert (key["seed"], set(key["parts"]["part1"]["read"].values())) == (7, {2})
    for reader, given in key["parts"]["part1"]["readers"].items():
        found = some_class.archive(reader)
        for letter, one in given.items():
            number = [name.lower().replace(" ", "_") for name in PEOPLE].index(one["who"])
            assert f"of_number_{number};" in found[f"{FOLDER}/mine_read_{letter}.hpp"]


def test_a_seed_gives_the_same_bytes(some_class):
    again = some_class.out.with_name("again")
    some_class.exchange()
    some_class.exchange(out=again)
    one, other = (
        {file.name: file.read_bytes() for file in folder.iterdir()}
        for folder in (some_class.out, again)
    )
    assert one == other


def test_only_the_fastest_that_passed_and_is_their_own_is_read(some_class):
    some_class.add(
        "Eve Long",
        dict.fromkeys(["mine.hpp", "mine_wrong.hpp", "mine_slow.hpp", "mine_fast.hpp"], "text"),
        row(untouched=True, speed=9e9),
        row("mine_wrong", verdict="failed"),
        row("mine_slow", 0.1e9),
        row("mine_fast", 0.2e9),
    )
    some_class.add("Finn Berg", {"mine.hpp": "text"}, row(verdict="not checked"))
    some_class.add("Gus Hall", {})
    some_class.exchange(readings=4)
    part = some_class.key()["parts"]["part1"]
    read = {one["who"]: one["source"] for some in part["readers"].values() for one in some.values()}
    assert read["eve_long"] == f"{FOLDER}/mine_fast.hpp"
    assert set(part["readers"]) - set(part["read"]) == {"finn_berg"}
    assert "gus_hall" not in part["readers"]


def test_own_headers_go_with_it_under_other_names(some_class):
    files = {
        "mine.hpp": '#include "anna.hpp"\n',
        "anna.hpp": '#include "deep.h"\n',
        "deep.h": "int deep;\n",
        "mine_other.hpp": "other\n",
    }
    some_class.add("Anna Smith", files, row())
    some_class.exchange(readings=3)
    readers = some_class.key()["parts"]["part1"]["readers"]["ben_kim"]
    letter = next(letter for letter, one in readers.items() if one["who"] == "anna_smith")
    found = some_class.archive("ben_kim")
    first, second = f"read_{letter}_header_1.hpp", f"read_{letter}_header_2.h"
    assert found[f"{FOLDER}/mine_read_{letter}.hpp"] == f'#include "{first}"\n'
    assert found[f"{FOLDER}/{first}"] == f'#include "{second}"\n'
    assert found[f"{FOLDER}/{second}"] == "int deep;\n"
    assert "other\n" not in found.values()


def test_a_name_in_the_code_is_left_to_a_person(some_class, capsys):
    some_class.add("Anna Smith", {"mine.hpp": "class AnnasLoop {};\n"}, row())
    some_class.exchange()
    remark = f"anna_smith: {FOLDER}/mine.hpp: a name may stand in AnnasLoop"
    assert capsys.readouterr().err == f"lab: {remark}\n"
    assert some_class.key()["remarks"] == [remark]


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ({"parts": ["part1"], "readings": 4}, "part1: 4 readings each need 5 versions .* are 4"),
        ({"readings": 0}, "--readings: 0 is not between 1 and 10"),
        ({"parts": ["part9"]}, "--part: there is no 'part9'; there are part1"),
    ],
)
def test_a_wrong_wish_is_refused(some_class, how, why):
    with pytest.raises(UserError, match=why):
        some_class.exchange(**how)
    assert not some_class.out.exists()


def test_what_is_missing_is_named(some_class):
    (some_class.graded / "taken/ben_kim" / FOLDER / "mine.hpp").unlink()
    with pytest.raises(UserError, match=r"ben_kim/.*mine.hpp no longer exists: ./lab grade CLASS"):
        some_class.exchange()
    (some_class.graded / "measured/ben_kim.json").write_text("{")
    with pytest.raises(UserError, match=r"ben_kim.json: a record that cannot be read"):
        some_class.exchange()
    some_class.graded = some_class.graded.parent
    with pytest.raises(UserError, match=r"has no measured/\*.json: .* so grade first"):
        some_class.exchange()
    assert not some_class.out.exists()


def test_two_exchanges_do_not_mix(some_class):
    some_class.exchange()
    with pytest.raises(UserError, match="is not empty: name a new folder"):
        some_class.exchange()


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
