"""The table in NOTEBOOK.md: found, replaced, and recognised after a change by hand."""

import pytest

from nbody_lab.notebook.table import (
    BEGIN,
    has_rows,
    join_row,
    replace_table,
    split_row,
    was_changed,
)

BARE = "| # | idea |\n|---|---|\n| 1 | sums |\n"
# The checksum is that of earlier labs, else every notebook would seem to be changed by hand.
ONE = f"{BEGIN}\n{BARE}<!-- end of table bc3bd398 -->\n"


def table(*rows, text=""):
    return replace_table(text, ["#", "idea"], rows)


TEXT = table(["1", "sums"], ["2", "roots"])
END = TEXT[TEXT.index("<!-- end") :]


@pytest.mark.parametrize("idea", ["a | b, \\ and ~ ** <b>", "", "\\| and \\\\", "w\udcf6rds"])
def test_cells_come_back_as_written(idea):
    assert split_row(join_row(["2", idea])) == ["2", idea]


@pytest.mark.parametrize(
    "line, cells",
    [
        (join_row(["two\nlines\r\nand\ta tab "]), ["two lines  and a tab"]),
        ("- a | b", []),
        ("|", []),
        ("| a | no last mark", ["a", "no last mark"]),
    ],
)
def test_the_cells_of_a_line(line, cells):
    assert split_row(line) == cells


ABOVE = "# N\n\nmy | words\n\n| a | table |\n|---|---|\n| 1 | 2 |\n\n"
BELOW = "\nw\udcf6rds\n| no | row |\nlast"


@pytest.mark.parametrize(
    "before, after",
    [
        ("", "# Notebook\n\n" + ONE),
        ("words", "words\n\n" + ONE),
        (BARE, BARE + "\n" + ONE),  # one without marks is the student's
        (ABOVE + TEXT[TEXT.index(BEGIN) :] + BELOW, ABOVE + ONE + BELOW),
        ("words\r\n", "words\r\n\r\n" + ONE.replace("\n", "\r\n")),
        ("words\n\n" + ONE.replace(BEGIN + "\n", ""), "words\n\n" + ONE),  # lost its first mark
    ],
)
def test_the_table_is_replaced_or_added_at_the_end_and_nothing_else(before, after):
    assert table(["1", "sums"], text=before) == after
    assert table(["1", "sums"], text=after) == after and not was_changed(after)


@pytest.mark.parametrize("end", ["", "\n", "\nwords\n"])
def test_a_table_that_lost_its_end_stands_once_and_takes_no_words_with_it(end):
    text = TEXT.replace(END, end)
    new = table(["1", "sums"], ["2", "roots"], text=text)
    assert (new.count(BEGIN), new.count("sums")) == (1, 1)
    assert new.count("words") == text.count("words") and was_changed(text)
    more = text + "my words\n" + table(["1", "sums"])
    assert table(["1", "sums"], text=more).count("my words\n") == 1


@pytest.mark.parametrize(
    "old, new, changed",
    [
        ("sums", "sum", True),
        ("| 1 | sums |\n", "", True),
        ("| 2", "my words\n| 2", True),
        (END, "<!-- end of table -->\n", True),
        ("sums", "-", True),
        ("| 1 | sums |", "|  1  | sums   |", False),  # arranged, as editors do
        ("|---|---|", "| --: | :----- |\n", False),
    ],
)
def test_a_change_by_hand_is_noticed(old, new, changed):
    assert was_changed(TEXT.replace(old, new)) == changed


def test_only_rows_below_the_titles_are_rows():
    assert has_rows(TEXT) and not has_rows(table()) and not has_rows(BARE)
