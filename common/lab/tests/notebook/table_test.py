"""The table in NOTEBOOK.md: found, replaced, and recognised after a change by hand."""

import re

import pytest

from nbody_lab.notebook.table import (
    BEGIN,
    checksum,
    has_rows,
    join_row,
    lines_of,
    replace_table,
    split_row,
    was_changed,
)

TITLES = ["#", "idea"]
BARE = "| # | idea |\n|---|---|\n| 1 | sums |\n"


def table(*rows, text=""):
    return replace_table(text, TITLES, rows)


TEXT = table(["1", "sums"], ["2", "roots"])
END = TEXT[TEXT.index("<!-- end") :]


@pytest.mark.parametrize("idea", ["a | b, \\ and ~ ** <b>", "", "\\| and \\\\", "w\udcf6rds"])
def test_cells_come_back_as_written(idea):
    assert split_row(join_row(["2", idea])) == ["2", idea]


def test_cells_stay_on_their_line():
    assert join_row(["two\nlines\r\nand\ta tab "]) == "| two lines  and a tab |"


@pytest.mark.parametrize(
    "line, cells",
    [
        ("", []),
        ("words", []),
        ("- a | b", []),
        ("|", []),
        ("| a | no last mark", ["a", "no last mark"]),
    ],
)
def test_cells_of_other_lines(line, cells):
    assert split_row(line) == cells


def test_what_is_between_the_marks_is_replaced_and_nothing_else():
    above = "# N\n\nmy | words\n\n| a | table |\n|---|---|\n| 1 | 2 |\n\n"
    below = "\nw\udcf6rds\n| no | row |\nlast"
    once = above + table(["1", "sums"]).split("\n\n", 1)[1] + below
    twice = table(["1", "sums"], ["2", "roots"], text=once)
    assert twice.startswith(above + BEGIN + "\n" + BARE + "| 2 | roots |\n<!-- end of table ")
    assert twice.endswith(" -->\n" + below)
    assert table(["1", "sums"], text=twice) == once


def test_a_text_without_a_table_gets_one_at_its_end():
    assert table().startswith("# Notebook\n\n" + BEGIN)
    assert table(text="words").startswith("words\n\n" + BEGIN)
    assert table(text=BARE).startswith(BARE + "\n" + BEGIN)  # one without marks is the student's


def test_line_endings_stay():
    text = table(["1", "sums"], text="words\r\n")
    assert text.count("\n") == text.count("\r\n") and not was_changed(text)
    again = table(["1", "sums"], text=text)
    assert again == text


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace(END, ""),
        TEXT.replace(END, "").replace("-->\n", "-->\n\n"),
        TEXT.replace(END, "\nwords\n"),
    ],
)
def test_a_table_that_lost_its_end_stands_once_and_takes_no_words_with_it(text):
    new = table(["1", "sums"], ["2", "roots"], text=text)
    assert (new.count(BEGIN), new.count("sums")) == (1, 1)
    assert new.count("words") == text.count("words") and was_changed(text)
    more = text + "my words\n" + table(["1", "sums"])
    assert table(["1", "sums"], text=more).count("my words\n") == 1


def test_a_table_that_lost_its_first_mark_is_still_the_table():
    text = table(["1", "sums"], text="words\n").replace(BEGIN + "\n", "")
    assert not was_changed(text)
    assert table(["1", "sums"], text=text) == table(["1", "sums"], text="words\n")


@pytest.mark.parametrize(
    "other",
    [
        TEXT.replace("sums", "sum"),
        TEXT.replace("| 1 | sums |\n", ""),
        TEXT.replace("| 2", "my words\n| 2"),
        TEXT.replace(END, ""),
        TEXT.replace(END, "<!-- end of table -->\n"),
    ],
)
def test_a_change_by_hand_is_noticed(other):
    assert was_changed(other) and not was_changed(TEXT)


def test_arranging_a_table_changes_nothing():
    text = TEXT.replace("| 1 | sums |", "|  1  | sums   |")
    assert not was_changed(text.replace("|---|---|", "| --: | :----- |"))
    assert checksum(lines_of(BARE)) == checksum(["| # | idea |", "", "|1|sums|"])
    assert checksum(["| 1 | - |"]) != checksum(["| 1 | 2 |"])


def test_the_checksum_is_that_of_earlier_labs():
    """Else every notebook would seem to be changed by hand."""
    assert re.search("table ([0-9a-f]{8}) -->", table(["1", "sums"]))[1] == "bc3bd398"


def test_only_rows_below_the_titles_are_rows():
    assert has_rows(TEXT) and not has_rows(table()) and not has_rows(BARE)
