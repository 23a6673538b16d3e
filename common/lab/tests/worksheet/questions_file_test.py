"""A mistake in questions.json is one line that says where; a new question needs only the row in CONTRIBUTING.md."""

import copy
import json
import tempfile
import unittest
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.notebook.file import InputError
from nbody_lab.worksheet.answers import Answers, Pair
from nbody_lab.worksheet.judge import judge
from nbody_lab.worksheet.machines import Ceilings
from nbody_lab.worksheet.question import TOTAL
from nbody_lab.worksheet.questions_file import read_questions
from nbody_lab.worksheet.scope import Given
from nbody_lab.worksheet.student_source import source_of
from tests.house.contributing_example import add_question, question_in

GOOD = {
    "version": 1,
    "part": "part0",
    "names": ["mine"],
    "formulas": {"twice": "2 * peak"},
    "tolerances": {"by_hand": {"value": 0.02, "why": "three digits"}},
    "paper_machine": {"constants": {"lanes": "4 * pick(draw(2), 1, 2)"}, "text": "{lanes} lanes"},
    "hidden_counts": {"until_right": ["2"]},
    "questions": [
        {"number": "0", "kind": "text", "text": "authors", "answer": "authors"},
        {
            "number": "1",
            "kind": "exact",
            "text": "peak",
            "answer": "peak",
            "truth": "3 * paper.lanes",
            "tolerance": "by_hand",
        },
        {
            "number": "2",
            "kind": "count",
            "text": "flops of {mine}",
            "answer": "flops",
            "truth": "counted('flops', of=mine)",
            "tolerance": 0.005,
            "unit": "operations",
            "points": 2,
        },
    ],
}


class QuestionsFileTest(unittest.TestCase):
    def read(self, told):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "questions.json")
            file.write_text(told if isinstance(told, str) else json.dumps(told), encoding="utf-8")
            try:
                return read_questions(file), ""
            except InputError as fault:
                return None, str(fault)[str(fault).index("questions.json: ") :]

    def changed(self, number=None, **columns):
        """The error message after changing a question, or the file itself. None removes a column."""
        told = copy.deepcopy(GOOD)
        row = (
            told
            if number is None
            else next(row for row in told["questions"] if row["number"] == number)
        )
        row.update(columns)
        for name in [name for name, value in columns.items() if value is None]:
            del row[name]
        return self.read(told)[1]

    def test_a_good_one(self):
        part, complaint = self.read(GOOD)
        self.assertEqual(complaint, "")
        self.assertEqual(part.answer_names(), ["mine", "authors", "peak", "flops"])
        self.assertEqual([one.points for one in part.questions], [1, 1, 2])
        self.assertIn(
            '  if constexpr (requires { sheet.peak; }) answers.add("peak", sheet.peak);\n',
            source_of(part, "x.hpp"),
        )

    def test_mistakes_in_a_question(self):
        for columns, complaint in (
            ({"truth": None}, "it has no truth"),
            ({"truth": "3 *"}, "'3 *' is not an expression"),
            (
                {"truth": "peek"},
                "'peek' needs peek, which is neither an answer nor a formula, tolerance or constant above",
            ),
            ({"truth": "paper.ports"}, "'paper.ports' needs paper.ports, which is neither"),
            (
                {"truth": "open('x')"},
                "'open('x')' calls open(), which does not exist; choose from abs, ceil, ceiling, counted",
            ),
            ({"truth": "[1]"}, "'[1]': an expression must not contain List"),
            ({"truth": 3}, "its truth is not a text"),
            ({"truth": "counted()"}, "'counted()' cannot be computed: "),
            ({"truth": "'a' + 1"}, "''a' + 1' cannot be computed: "),
            ({"truth": "pick(9, 1, 2)"}, "'pick(9, 1, 2)' cannot be computed: "),
            ({"truth": "mine"}, "'mine' gives 'mine', not a number"),
            (
                {"kind": "choice", "tolerance": None, "waits_for": "it", "truth": "1"},
                "'1' gives 1, not a letter from a to d",
            ),
            ({"tolerance": "bi_hand"}, "there is no tolerance 'bi_hand'; there are by_hand"),
            ({"tolerance": True}, "its tolerance is not a text or a number"),
            ({"unit": "miles"}, "there is no unit 'miles'; there are none, operations,"),
            ({"kind": "exactly"}, "there is no kind 'exactly'; there are text, exact,"),
            ({"kind": "follows"}, "it has no waits_for"),
            ({"kind": "choice"}, "it has no waits_for"),
            ({"seal": "0x1"}, "it cannot have 'seal'; it may have number, kind, text,"),
            ({"answer": "flops"}, "another question has the answer flops already"),
            ({"answer": "2nd"}, "'2nd' is not the name of a member in worksheet.hpp"),
        ):
            with self.subTest(columns):
                said = self.changed("1", **columns)
                where = "question 2: " if "already" in complaint else "question 1: "
                self.assertTrue(said.startswith(f"questions.json: {where}{complaint}"), said)
                self.assertNotIn("\n", said)

    def test_mistakes_elsewhere(self):
        for columns, complaint in (
            ({"version": 2}, "version 2, not 1"),
            ({"questions": None}, "it has no questions"),
            ({"question": []}, "it cannot have 'question'"),
            ({"formulas": {"twice": "2 * peek"}}, "formulas: twice: '2 * peek' needs peek"),
            (
                {"tolerances": {"by_hand": 0.02}},
                "tolerances: by_hand: it is not an object: { ... }",
            ),
            ({"hidden_counts": {"until_right": ["7"]}}, "hidden_counts: there is no question 7"),
            (
                {"paper_machine": {"constants": {}, "text": "{lanes}"}},
                "paper_machine: its text or a constant cannot be computed: 'lanes'",
            ),
            ({"questions": ["1"], "formulas": {}}, "question ?: it is not an object: { ... }"),
        ):
            with self.subTest(columns):
                said = self.changed(**columns)
                self.assertTrue(said.startswith(f"questions.json: {complaint}"), said)
        self.assertTrue(self.read("{")[1].startswith("questions.json: "))
        self.assertEqual(self.read("[]")[1], "questions.json: it is not an object: { ... }")
        with self.assertRaisesRegex(
            InputError, "nowhere/questions.json: No such file or directory$"
        ):
            read_questions(Path("/nowhere/questions.json"))

    @unittest.skipUnless((ROOT / "CONTRIBUTING.md").exists(), "there is no CONTRIBUTING.md")
    def test_the_row_of_contributing_is_all_that_a_question_needs(self):
        """Adds it to a copy; the suite contributing builds and judges it."""
        answer = json.loads(question_in(ROOT / "CONTRIBUTING.md"))["answer"]
        with tempfile.TemporaryDirectory() as folder:
            part = Path(folder, "part1_standard_opti")
            part.mkdir()
            for file in (
                "part1_standard_opti/questions.json",
                "part1_standard_opti/worksheet.hpp",
                "CONTRIBUTING.md",
            ):
                Path(folder, file).write_text(
                    (ROOT / file).read_text(encoding="utf-8"), encoding="utf-8"
                )
            add_question(Path(folder))
            questions = read_questions(part / "questions.json")
            self.assertIn(
                f"double {answer} = unanswered;",
                (part / "worksheet.hpp").read_text(encoding="utf-8"),
            )
        for number, state in ((40.0, "right"), (10.0, "wrong")):
            answers = Answers(numbers={answer: number})
            line = judge(
                questions.questions[-1],
                questions,
                Given(Pair(answers, answers), None, [], Ceilings()),
                TOTAL,
            )[0]
            self.assertEqual((line.number, line.state, line.points), ("21", state, 2))
