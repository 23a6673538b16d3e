"""The table in NOTEBOOK.md: found, replaced, and recognised after a change by hand."""

import unittest

from nbody_lab.notebook.table import (
    BEGIN,
    cells_of,
    lines_of,
    place_of_table,
    row_line,
    rows_in,
    seal_of,
    table_lines,
    was_changed,
    with_table,
)

TITLES = ["#", "idea"]
BARE = "| # | idea |\n|---|---|\n| 1 | sums |\n"


def table(*rows, text=""):
    return with_table(text, TITLES, rows, TITLES)


def changed(text):
    lines = lines_of(text)
    return was_changed(lines, place_of_table(lines, TITLES))


class Cells(unittest.TestCase):
    def test_come_back_as_written(self):
        for cells in (
            ["1", "a | b, \\ and ~ ** <b>"],
            ["2", ""],
            ["3", "\\| and \\\\"],
            ["4", "w\udcf6rds"],
        ):
            self.assertEqual(cells_of(row_line(cells)), cells)

    def test_stay_on_their_line(self):
        self.assertEqual(row_line(["two\nlines\r\nand\ta tab "]), "| two lines  and a tab |")

    def test_of_other_lines(self):
        for line in ("", "words", "- a | b", "|"):
            self.assertEqual(cells_of(line), [])
        self.assertEqual(
            cells_of("| a | the last mark is missing"), ["a", "the last mark is missing"]
        )

    def test_of_two_columns_with_one_title_are_both_there(self):
        self.assertEqual(
            rows_in(lines_of("| # | why | why |\n|---|---|---|\n| 1 | a | b |\n")),
            [{"#": "1", "why": "a", "why 3": "b"}],
        )

    def test_without_a_title_are_more(self):
        self.assertEqual(
            rows_in(lines_of("| # |\n|---|\n| 1 | why | not |\n| 2 |\n")),
            [{"#": "1", "more": "why | not"}, {"#": "2"}],
        )
        self.assertEqual(rows_in([]), [])


class Table(unittest.TestCase):
    def test_replaces_what_is_between_the_marks_and_nothing_else(self):
        above, below = (
            "# N\n\nmy | words\n\n| a | table |\n|---|---|\n| 1 | 2 |\n\n",
            "\nw\udcf6rds\n| no | row |\nlast",
        )
        once = above + table(["1", "sums"]).split("\n\n", 1)[1] + below
        twice = with_table(once, TITLES, [["1", "sums"], ["2", "roots"]], TITLES)
        self.assertTrue(
            twice.startswith(above + BEGIN + "\n" + BARE + "| 2 | roots |\n<!-- end of table "),
            twice,
        )
        self.assertTrue(twice.endswith(" -->\n" + below), twice)
        self.assertEqual(with_table(twice, TITLES, [["1", "sums"]], TITLES), once)

    def test_stands_once_where_its_end_was_lost(self):
        lost = table(["1", "sums"]).split("<!-- end")[0]
        for text in (lost, lost.replace("-->\n", "-->\n\n"), lost + "\nwords\n"):
            new = with_table(text, TITLES, [["1", "sums"], ["2", "roots"]], TITLES)
            self.assertEqual(
                (new.count(BEGIN), new.count("sums"), new.count("words")),
                (1, 1, text.count("words")),
                new,
            )

    def test_takes_the_place_of_one_without_marks(self):
        text = with_table("above\n" + BARE + "below", TITLES, [["1", "sums"]], TITLES)
        self.assertRegex(text, "^above\n<!-- table .*\n[^<]*<!-- end of table ........ -->\nbelow$")

    def test_comes_at_the_end_of_a_text_that_has_none(self):
        self.assertTrue(table().startswith("# Notebook\n\n" + BEGIN))
        self.assertTrue(table(text="words").startswith("words\n\n" + BEGIN))
        # Titles without a line below them are not a table.
        self.assertTrue(table(text="| # | idea |").startswith("| # | idea |\n\n" + BEGIN))

    def test_keeps_the_line_endings(self):
        text = table(["1", "sums"], text="words\r\n" + BARE.replace("\n", "\r\n") + "below\r\n")
        self.assertEqual(text.count("\n"), text.count("\r\n"))
        self.assertFalse(changed(text))


class ChangedByHand(unittest.TestCase):
    def test_a_cell_a_row_words_between_the_marks_or_a_lost_mark(self):
        text = table(["1", "sums"], ["2", "roots"])
        self.assertFalse(changed(text))
        end = text[text.index("<!-- end") :]
        for other in (
            text.replace("sums", "sum"),
            text.replace("| 1 | sums |\n", ""),
            text.replace("| 2", "my words\n| 2"),
            text.replace(end, ""),
            text.replace(end, "<!-- end of table -->\n"),
        ):
            self.assertTrue(changed(other), other)

    def test_what_arranges_tables_changes_nothing(self):
        text = table(["1", "sums"])
        self.assertFalse(
            changed(
                text.replace("| 1 | sums |", "|  1  | sums   |").replace(
                    "|---|---|", "| --: | :----- |"
                )
            )
        )

    def test_a_mark_without_an_end_takes_no_words_with_it(self):
        text = table(["1", "sums"]).split("<!-- end")[0] + "my words\n"
        self.assertEqual(table(["1", "sums"], text=text).count("my words\n"), 1)
        # ... nor the words before the end of another table.
        self.assertEqual(
            table(["1", "sums"], text=text + table(["1", "sums"])).count("my words\n"), 1
        )
        lines = lines_of(text)
        self.assertEqual("".join(table_lines(lines, place_of_table(lines, TITLES))), BARE)

    def test_a_table_whose_first_mark_was_lost_is_still_the_table(self):
        text = table(["1", "sums"], text="words\n").replace(BEGIN + "\n", "")
        self.assertFalse(changed(text))
        self.assertEqual(table(["1", "sums"], text=text), table(["1", "sums"], text="words\n"))

    def test_the_checksum_is_of_the_cells(self):
        self.assertEqual(seal_of(lines_of(BARE)), seal_of(["| # | idea |", "", "|1|sums|"]))
        self.assertNotEqual(seal_of(["| 1 | - |"]), seal_of(["| 1 | 2 |"]))
