"""The questions of a part with right answers to them, for the part's questions_test.py."""

import copy
import math
import re

from nbody_lab import ROOT
from nbody_lab.notebook.file import InputError
from nbody_lab.worksheet.answers import NO_CHOICE, SIZES, Answers, Pair
from nbody_lab.worksheet.counts import Counted
from nbody_lab.worksheet.judge import judged_sheet, reason_to_hide_counts
from nbody_lab.worksheet.machines import Ceilings, seal_of
from nbody_lab.worksheet.question import TOTAL
from nbody_lab.worksheet.questions_file import read_questions
from nbody_lab.worksheet.scope import Given


def ideas(count):
    """`count` notebook rows that only say: predicted and measured."""
    return [
        {
            "row": k,
            "name": "",
            "n": None,
            "threads": None,
            "expected": 1.1,
            "measured": 1.1,
            "interactions_per_s": None,
        }
        for k in range(1, count + 1)
    ]


class KnownCounts(Counted):
    """{version: {class: (n2, n, 1, over)}}, the same for every function."""

    def __init__(self, counts):
        super().__init__(None)
        self.counts = counts

    def of(self, name, function="compute_accelerations"):
        return self.counts.get(name)


def times(**factors):
    def change(answers):
        for name, factor in factors.items():
            answers.numbers[name] *= factor

    return change


def to(**numbers):
    return lambda answers: answers.numbers.update(numbers)


def unanswered(*names):
    return to(**dict.fromkeys(names, math.nan))


def another_letter(name):
    return lambda answers: answers.letters.update(
        {name: "b" if answers.letters[name] == "a" else "a"}
    )


def every(*changes):
    def change(answers):
        for one in changes:
            one(answers)

    return change


def nothing(_):
    pass


class PartUnderTest:
    """`answer(answers, n)` fills in all answers except sealed letters: students may read a test, too."""

    def __init__(self, folder, counted, notebook, answer, ceilings=()):
        self.folder, self.part = ROOT / folder, read_questions(ROOT / folder / "questions.json")
        self.counted, self.notebook, self.answer, self.ceilings = (
            counted,
            notebook,
            answer,
            Ceilings(ceilings),
        )

    def empty_answers(self):
        texts = dict.fromkeys(self.part.text_names(), "")
        letters = {one.answer: NO_CHOICE for one in self.part.questions if one.kind == "choice"}
        numbers = {
            name: math.nan
            for name in self.part.answer_names()
            if name not in texts and name not in letters
        }
        return Answers(numbers, letters, texts)

    def right_answers(self, n):
        answers = self.empty_answers()
        for one in self.part.questions:
            found = [
                letter for letter in "abcd" if one.seal and seal_of(one.answer, letter) == one.seal
            ]
            if found:
                answers.letters[one.answer] = found[-1]
        self.answer(answers, n)
        return answers

    def given(self, change=nothing):
        answers = Pair(*map(self.right_answers, SIZES))
        for one in answers:
            change(one)
        return Given(
            answers, self.counted, self.notebook, self.ceilings, frozenset(self.part.answer_names())
        )

    def judged(self, change=nothing, told=TOTAL):
        return judged_sheet(self.part, self.given(change), told).lines

    def line(self, question, change=nothing):
        """The first line for this question."""
        return next(line for line in self.judged(change) if line.question == question)

    def hidden(self, name, change=nothing):
        return reason_to_hide_counts(name, self.part, self.given(change))


class PartTests:
    """Tests for every part, to mix into unittest.TestCase. `right`: a PartUnderTest; `slips`: (what, change, numbers of
    the questions that become wrong); `machines`: {authors: text of the paper machine}."""

    def test_right_answers_are_all_right(self):
        for line in self.right.judged():
            self.assertIn(line.state, ("right", "noted"), line)

    def test_an_empty_sheet_has_nothing_right_and_nothing_wrong(self):
        empty = self.right.empty_answers()
        for line in self.right.judged(
            lambda answers: answers.__init__(empty.numbers, empty.letters, empty.texts)
        ):
            if line.question != "rows of the notebook":
                self.assertEqual(line.state, "", line)

    def test_choices_have_one_right_letter(self):
        sealed = [one for one in self.right.part.questions if one.seal]
        for one in sealed:
            wrong = [
                any(
                    line.state == "wrong"
                    for line in self.right.judged(
                        lambda answers: answers.letters.update({one.answer: letter})
                    )
                )
                for letter in "abcd"
            ]
            self.assertEqual(wrong.count(False), 1, one.answer)
        self.assertEqual(len({one.seal for one in sealed}), len(sealed))

    def test_a_slip_costs_once(self):
        for what, change, numbers in self.slips:
            with self.subTest(what):
                wrong = dict.fromkeys(
                    line.number for line in self.right.judged(change) if line.state == "wrong"
                )
                self.assertEqual(list(wrong), numbers)

    def test_the_notebook_wants_rows(self):
        fewer = copy.copy(self.right)
        fewer.notebook = fewer.notebook[1:]
        self.assertEqual(
            [line.state for line in fewer.judged() if line.question == "rows of the notebook"], [""]
        )

    def test_worksheets_have_a_member_for_each_answer(self):
        for file in (
            self.right.folder / "worksheet.hpp",
            ROOT / "solutions" / self.right.folder.name / "worksheet.hpp",
        ):
            text = file.read_text(encoding="utf-8") if file.exists() else ""
            for name in self.right.part.answer_names() if text else ():
                self.assertRegex(text, rf"\b(double|char|std::string) {name} = ", file)

    def test_worksheets_ask_every_question(self):
        text = (self.right.folder / "worksheet.hpp").read_text(encoding="utf-8")
        asked = re.findall(r"^  // (\d+[a-z]?) ", text, re.M)
        self.assertEqual(
            asked, list(dict.fromkeys(one.number for one in self.right.part.questions))
        )

    def test_paper_machines_are_those_of_ever(self):
        for authors, text in self.machines.items():
            self.assertEqual(self.right.part.paper_machine.about(authors), text)

    def test_paper_machines_are_of_letters_only(self):
        machine = self.right.part.paper_machine
        self.assertEqual(
            machine.of("Ada Lovelace, Charles Babbage"), machine.of("ada lovelace,charles  babbage")
        )
        self.assertNotEqual(machine.of("Ada Lovelace"), machine.of("Grace Hopper"))
        with self.assertRaisesRegex(
            InputError, "^question 0 of the worksheet: the authors' names have no letters$"
        ):
            machine.of(" ,")
