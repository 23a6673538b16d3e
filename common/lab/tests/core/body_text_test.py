"""Body files are read as docs/file_formats.md says: valid and invalid files, names."""

import re

import pytest
from make_corpus import FILES as CORPUS

from nbody_lab import ROOT
from nbody_lab.core.body_text import BadFile, parse_state, read_state

GOOD = b"2\n1e20 1e6 1 2 3 4 5 6\n2e20 0 -1.5 2.25e8 -3e-4 .5 7. -0\n"
NUMBERS = [1e20, 1e6, 1, 2, 3, 4, 5, 6, 2e20, 0, -1.5, 2.25e8, -3e-4, 0.5, 7, 0]
ONE, TWO = b"1 1 1 1 1 1 1 1", b"2 2 2 2 2 2 2 2"


def complaint(text):
    with pytest.raises(BadFile) as error:
        parse_state(text, "f.dat")
    return str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        GOOD.replace(b"\n", b" "),
        GOOD.replace(b"\n", b"\r\n"),
        GOOD.replace(b"\n", b" # x\n\n"),
        b"# a\n\v\f" + GOOD.replace(b" ", b"\n").rstrip(),
        GOOD.replace(b"2 3", b"+2#no space\n3."),
        GOOD.replace(b"2\n", b"002\n", 1),
    ],
)
def test_layout_does_not_matter(text):
    assert list(parse_state(text, "f").numbers) == NUMBERS


@pytest.mark.parametrize(
    "word", ["0.1", "5e-324", "1.7976931348623157e308", "123456789.123456789e-3", "1e-320"]
)
def test_a_number_is_read_as_the_nearest_double(word):
    assert parse_state(GOOD.replace(b"1e6", word.encode()), "f").numbers[1] == float(word)


@pytest.mark.parametrize("name", CORPUS)
def test_the_simulators_own_corpus(name):
    if name.startswith("good_"):
        parse_state(CORPUS[name], name)
    else:
        complaint(CORPUS[name])


def test_the_first_line_sets_what_it_names():
    setting = parse_state(b"# nbody-lab: G=1 soft=0.5 time=-2\r\n" + GOOD, "f").setting
    expected = {"G": 1, "soft": 0.5, "dt": 3600, "mdt": 200, "time": -2, "damping": 1}
    assert vars(setting) == {**expected, "integrator": ""}
    assert parse_state(b" # nbody-lab: G=1\n" + GOOD, "f").setting.G == 6.67384e-11


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            b"g=1",
            "unknown key 'g' in the nbody-lab line: "
            "known are G, soft, dt, mdt, time, damping, integrator",
        ),
        (b"damping=2", "damping is '2', but must be between 0 and 1"),
        (b"integrator=", "integrator has no value: write integrator=NAME without spaces"),
        (b"G", "G has no value: write G=NUMBER without spaces"),
        (b"G=1 G=1", "G is given twice: remove one"),
        (b"G=nan", "G is 'nan', not a finite decimal number: write it like G=1.5e3"),
        (b"soft=-1", "soft is '-1', but must not be negative"),
        (b"dt=0", "dt is '0', but must be above 0"),
    ],
)
def test_mistakes_in_the_first_line(words, said):
    assert complaint(b"# nbody-lab: " + words + b"\n" + GOOD) == f"f.dat:1: {said}"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            b"2 # two\n" + ONE + b"  # Sun\n" + TWO + b"#  The\t Moon \r\n",
            {0: "Sun", 1: "The Moon"},
        ),
        (b"2\n" + ONE + b"\n# not after it\n" + TWO + b" # Moon", {1: "Moon"}),
        (b"2\n" + ONE + b" " + TWO + b" # one line\n", {1: "one line"}),
        (b"2\n1 # mass\n1 1 1 1 1 1 1 ## a # b\n" + TWO + b" #\n# last\n", {0: "# a # b"}),
        (
            b"1\n" + ONE + b"# \xff\x00\x1b[31m" + b"x" * 50,
            {0: "\N{REPLACEMENT CHARACTER} [31m" + "x" * 17 + "…"},
        ),
    ],
)
def test_a_name_stands_after_the_last_number(text, names):
    assert parse_state(text, "f").names == names


def test_it_refuses_in_the_words_of_the_simulators():
    """The table of docs/file_formats.md."""
    rows = re.findall(r"\| `f\.dat:(.*)` \|", (ROOT / "docs/file_formats.md").read_text())
    table = {f"f.dat:{row}" for row in rows if "cannot be read" not in row}
    assert len(table) > 8
    assert table == {
        complaint(text)
        for text in (
            b"",
            b"3.0",
            b"0",
            b"134217729",
            b"3\n" + ONE + b"\n" + ONE + b"\n1 1",
            b"1\n" + ONE + b"\n\n2.5 1",
            b"1\n1 1 abc 1 1 1 1 1",
            b"2\n" + ONE + b"\n0 1 1 1 1 1 1 1",
            b"1\n1 -1e-5 1 1 1 1 1 1",
            b"# nbody-lab: g=1\n" + GOOD,
        )
    }


@pytest.mark.parametrize(
    "word",
    b"nan inf 0x10 1e999 1e-999 1e 1,5 1.5f --1 +-1 . 1_000 1\0 \x80".split(b" "),
)
def test_words_that_are_no_number(word):
    said = complaint(GOOD.replace(b"1e6", word))
    assert said.startswith("f.dat:2: radius of record 1 is '")
    assert said.endswith("not a finite decimal number: write it like 1.5e3")
    assert said.isascii() and said.isprintable()


def test_a_file_that_is_not_there():
    said = r"^/no/such\.dat: cannot be read \(No such file or directory\): check the name$"
    with pytest.raises(BadFile, match=said):
        read_state("/no/such.dat")
