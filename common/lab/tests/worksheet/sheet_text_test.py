"""What ./lab worksheet prints: what is wrong or missing, and nothing about a single choice."""

import json
import unittest

from nbody_lab.notebook.file import InputError
from nbody_lab.worksheet.judge import Sheet
from nbody_lab.worksheet.question import TOTAL, Line, any_wrong
from nbody_lab.worksheet.sheet_text import (
    lines_of_question,
    question_text,
    worksheet_json,
    worksheet_text,
)


def line(number, kind, state, **more):
    return Line(number, "question", kind, "7" if state else "", state, **more)


def sheet(*lines):
    return Sheet("part1", "Ada Lovelace", "a machine", list(lines))


def text_of(*lines):
    return worksheet_text(sheet(*lines), TOTAL)


class SheetTextTest(unittest.TestCase):
    def test_it_names_what_is_wrong_and_what_is_missing(self):
        text = text_of(
            line("1", "recorded", "noted"),
            line("3", "exact", "answered"),
            line("3", "exact", "wrong", is_sum=True),
            line("4", "exact", "right"),
            line("5", "exact", "waits"),
            line("6", "exact", ""),
        )
        self.assertIn("4 of 5 lines answered; wrong: 3; missing or waiting: 5, 6\n", text)

    def test_an_empty_sheet_has_no_list(self):
        self.assertIn("0 of 1 line answered\n", text_of(line("1", "exact", "")))

    def test_how_many_letters_are_right_is_told_once_all_are_given(self):
        """A single letter could be found by trial."""
        lines = [
            line("8", "choice", "right"),
            line("10", "choice", "wrong"),
            line("11", "choice", ""),
        ]
        text = text_of(*lines)
        self.assertIn("choices: 2 of 3 given;", text)
        self.assertNotIn("wrong", text)
        self.assertFalse(any_wrong(lines))
        lines[2].state = "wrong"
        self.assertIn("choices: 1 of 3 right;", text_of(*lines))
        self.assertNotIn("wrong", worksheet_json(sheet(*lines)))

    def test_a_question_alone_tells_nothing_of_choices(self):
        """The number of right ones would reveal the answer."""
        all_lines = sheet(
            line("7", "exact", "right"), line("8", "choice", "right"), line("8", "choice", "wrong")
        )
        lines = lines_of_question(all_lines, "8")
        self.assertEqual(len(lines), 2)
        text = question_text(lines, TOTAL)
        self.assertNotIn("right", text)
        self.assertNotIn("wrong", text)
        with self.assertRaisesRegex(InputError, "^part1 has no question '33'; the last is 8$"):
            lines_of_question(all_lines, "33")

    def test_a_question_alone_has_no_empty_columns_and_a_total(self):
        self.assertEqual(
            question_text([line("3", "exact", ""), line("3", "exact", "")], TOTAL),
            "  no  question  kind\n  --  --------  -----\n   3  question  exact\n      question  exact\n\n"
            "0 of 2 lines answered\n",
        )

    def test_a_long_verdict_goes_on_below(self):
        one = line(
            "13",
            "exact",
            "wrong",
            words="twice as many: does the code visit i with j and j with i, or each pair once?",
        )
        one.question = "memops of mine_with_a_long_name_of_its_own, all"
        text = text_of(one)
        self.assertTrue(80 < max(map(len, text.split("\n"))) <= 100, text)
        self.assertIn("wrong: twice as many: does", text)
        self.assertIn("pair once?\n", text)

    def test_the_file_is_json_whatever_the_names_hold(self):
        one = sheet(line("1", "recorded", "noted"))
        one.authors = "Zo\udceb"
        told = json.loads(worksheet_json(one))
        self.assertEqual(
            (told["part"], told["authors"], told["lines"][0]["points"]), ("part1", "Zo\ufffd", 1.0)
        )
