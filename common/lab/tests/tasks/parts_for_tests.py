"""The questions of a part with right answers to them, for the part's questions_test.py."""

import copy
import math
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.notebook.notebook import Row
from nbody_lab.tasks.evidence import Counts, Evidence, Polynomial
from nbody_lab.tasks.hypothetical_machine import seal_of
from nbody_lab.tasks.judge import judge_sheet, reason_to_hide_counts
from nbody_lab.tasks.program import NO_CHOICE, SIZES, Answers
from nbody_lab.tasks.questions import Choice, load_questions
from nbody_lab.tasks.sheet import Line
from tests.measure.ceilings_for_tests import complete

Change = Callable[[Answers], object]


def ideas(count: int) -> list[dict[str, object]]:
    """`count` notebook rows that only say: predicted and measured."""
    return [{"row": k, "expected": 1.1, "measured": 1.1} for k in range(1, count + 1)]


class KnownCounts(Counts):
    """{version: {class: (n2, n, 1, over)}}, the same for every function."""

    def __init__(self, counts: Mapping[str, Mapping[str, tuple[float, ...]]]) -> None:
        super().__init__(Path())
        self.counts = counts

    def polynomials(self, name, function="compute_accelerations"):
        counts = self.counts.get(name)
        keys = ("n2", "n", "1", "over")
        return counts and {
            kind: Polynomial.model_validate(dict(zip(keys, terms)))
            for kind, terms in counts.items()
        }


def times(**factors: float) -> Change:
    return lambda answers: answers.numbers.update(
        {name: answers.numbers[name] * factor for name, factor in factors.items()}
    )


def to(**numbers: float) -> Change:
    return lambda answers: answers.numbers.update(numbers)


def unanswered(*names: str) -> Change:
    return to(**dict.fromkeys(names, math.nan))


def another_letter(name: str) -> Change:
    return lambda answers: answers.letters.update(
        {name: "b" if answers.letters[name] == "a" else "a"}
    )


def every(*changes: Change) -> Change:
    return lambda answers: [change(answers) for change in changes]


def nothing(_: Answers) -> None:
    pass


class PartUnderTest:
    """`answer(answers, n)` fills in all answers except sealed letters: students may read a test, too."""

    def __init__(
        self,
        folder: str,
        counts: Counts,
        notebook: Iterable[Mapping[str, object]],
        answer: Callable[[Answers, int], object],
        ceilings: Iterable[Mapping[str, object]] = (),
    ) -> None:
        self.folder, self.part = ROOT / folder, load_questions(ROOT / folder)
        self.counts, self.notebook, self.answer = (
            counts,
            tuple(map(Row.model_validate, notebook)),
            answer,
        )
        self.ceilings = tuple(map(complete, ceilings))
        choices = [one for one in self.part.questions if isinstance(one, Choice)]
        self.sealed = [one for one in choices if one.seal is not None]

    def empty_answers(self) -> Answers:
        texts = dict.fromkeys([*self.part.names, "authors"], "")
        choices = (one for one in self.part.questions if isinstance(one, Choice))
        letters = {one.answer: NO_CHOICE for one in choices}
        names = [name for name in self.part.answer_names() if name not in {*texts, *letters}]
        return Answers(dict.fromkeys(names, math.nan), letters, texts)

    def right_answers(self, n: int) -> Answers:
        answers = self.empty_answers()
        for one in self.sealed:
            for letter in "abcd":
                if seal_of(one.answer, letter) == one.seal:
                    answers.letters[one.answer] = letter
        self.answer(answers, n)
        return answers

    def evidence(self, change: Change = nothing, **more: object) -> Evidence:
        first, second = map(self.right_answers, SIZES)
        change(first)
        change(second)
        return Evidence((first, second), self.counts, self.notebook, self.ceilings, **more)

    def judged(self, change: Change = nothing, **more: object) -> list[Line]:
        """As the grader judges, where there are seals."""
        evidence = self.evidence(change, **more)
        return judge_sheet(self.part, evidence, graded=bool(self.sealed)).lines

    def line(self, question: str, change: Change = nothing, **more: object) -> Line:
        """The first line for this question."""
        return next(line for line in self.judged(change, **more) if line.question == question)

    def hidden(self, name: str, change: Change = nothing) -> str:
        return reason_to_hide_counts(name, self.part, self.evidence(change)) or ""


class PartTests:
    """Tests for every part, to mix into unittest.TestCase. `right`: a PartUnderTest; `slips`: (what, change, numbers of
    the questions that become wrong); `machines`: {authors: text of the hypothetical machine}."""

    def test_right_answers_are_all_right(self):
        for line in self.right.judged():
            self.assertIn(line.state, ("right", "noted"), line)

    def test_an_empty_sheet_has_nothing_right_and_nothing_wrong(self):
        empty = vars(self.right.empty_answers())
        for line in self.right.judged(lambda answers: vars(answers).update(copy.deepcopy(empty))):
            if line.question != "rows of the notebook":
                self.assertEqual(line.state, "", line)

    def test_choices_have_one_right_letter(self):
        if not self.right.sealed:
            self.skipTest("what students have holds no seals")
        for one in self.right.sealed:
            fits = [seal_of(one.answer, letter) == one.seal for letter in "abcd"]
            self.assertEqual(fits.count(True), 1, one.answer)
            change = another_letter(one.answer)
            wrong = [line.name for line in self.right.judged(change) if line.state == "wrong"]
            self.assertEqual(wrong, [one.answer])
        self.assertEqual(len({one.seal for one in self.right.sealed}), len(self.right.sealed))

    def test_a_slip_costs_once(self):
        for what, change, numbers in self.slips:
            with self.subTest(what):
                wrong = [line.number for line in self.right.judged(change) if line.state == "wrong"]
                self.assertEqual(list(dict.fromkeys(wrong)), numbers)

    def test_the_notebook_wants_rows(self):
        fewer = copy.copy(self.right)
        fewer.notebook = fewer.notebook[1:]
        self.assertEqual(fewer.line("rows of the notebook").state, "")

    def test_worksheets_have_a_member_for_each_answer(self):
        for folder in (self.right.folder, ROOT / "solutions" / self.right.folder.name):
            file = folder / "worksheet.hpp"
            text = file.read_text(encoding="utf-8") if file.exists() else ""
            for name in self.right.part.answer_names() if text else ():
                self.assertRegex(text, rf"\b(double|char|std::string) {name} = ", file)

    def test_worksheets_ask_every_question(self):
        text = (self.right.folder / "worksheet.hpp").read_text(encoding="utf-8")
        numbers = [one.number for one in self.right.part.questions]
        asked = re.findall(r"^  // (\d+[a-z]?) ", text, re.MULTILINE)
        self.assertEqual(asked, list(dict.fromkeys(numbers)))

    def test_hypothetical_machines_are_those_of_ever(self):
        for authors, text in self.machines.items():
            self.assertEqual(self.right.part.machine.describe(authors), text)
