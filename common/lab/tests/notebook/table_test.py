"""The table in NOTEBOOK.md is replaced, or added at the end; everything else stays as it was."""

import pytest

from nbody_lab.notebook.table import BEGIN, END, join_row, replace_table

BARE = "| # | idea |\n|---|---|\n| 1 | sums |\n"
ONE = f"{BEGIN}\n{BARE}{END}\n"
ABOVE = "# N\n\nmy | words\n\n| a | table |\n|---|---|\n| 1 | 2 |\n\n"
BELOW = "\nw\udcf6rds\n| no | row |\nlast"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "# Notebook\n\n" + ONE),
        ("words", "words\n\n" + ONE),
        (BARE, BARE + "\n" + ONE),  # one without marks is the student's
        (ABOVE + ONE.replace("sums", "my sums") + BELOW, ABOVE + ONE + BELOW),
        ("words\r\n", "words\r\n\r\n" + ONE.replace("\n", "\r\n")),
        (ONE.replace(END, "<!-- end of table bc3bd398 -->"), ONE),  # of an earlier lab
        (ABOVE + ONE.replace(END, "") + "words\n", ABOVE + ONE + "\nwords\n"),  # its end is lost
    ],
)
def test_the_table_and_nothing_else(before: str, after: str) -> None:
    """A second time changes nothing."""
    assert replace_table(before, ["#", "idea"], [["1", "sums"]]) == after
    assert replace_table(after, ["#", "idea"], [["1", "sums"]]) == after


def test_a_row_is_one_line() -> None:
    """Whatever the idea is."""
    assert join_row(["two\nlines\r\nand\ta tab ", "a|b"]) == "| two lines  and a tab | a\\|b |"
