"""Good documents of version 1 pass, each kind of error is reported with its place, and the documentation has every
field."""

import copy
import re
import unittest
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.grade.results_schema import MEASURED, RESULTS, check
from nbody_lab.grade.rubric import RUBRIC, read_rubric
from nbody_lab.grade.schema import COUNT, NUMBER, TRUTH, MapOf, Maybe, field_names, problems_at
from nbody_lab.grade.score import score
from tests.grade.scored_for_tests import class_of_all_kinds, measured

HERE = Path(__file__).resolve().parent

DOCUMENT = ROOT / "docs/grading_formats.md"


def fields_of_section(title):
    """The fields in code quotes in the first column of the section's tables."""
    text = DOCUMENT.read_text(encoding="utf-8")
    section = re.search(
        rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE
    )[1]
    first_cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("| ")]
    return {name for cell in first_cells for name in re.findall(r"`([^`]+)`", cell)}


class SchemaTest(unittest.TestCase):
    def test_good_documents(self):
        everyone = list(class_of_all_kinds().values())
        for one in everyone:
            self.assertEqual(check(one, MEASURED), [], one["submission"]["name"])
        self.assertEqual(
            check(score(everyone, read_rubric(HERE / "rubric_for_tests.json")), RESULTS), []
        )
        self.assertEqual(check(score([], read_rubric(HERE / "rubric_for_tests.json")), RESULTS), [])

    def test_faults_have_their_place(self):
        good = measured()

        def complaints(change):
            document = copy.deepcopy(good)
            change(document)
            return check(document, MEASURED)

        row = ("parts", "part1", "rows", 0)

        def changed(path, value):
            def change(document):
                for key in path[:-1]:
                    document = document[key]
                document[path[-1]] = value

            return change

        self.assertEqual(complaints(changed(("version",), 2)), ["version: must be 1"])
        self.assertEqual(
            complaints(changed((*row, "build"), 1))[0].split(":")[0], "parts.part1.rows[0].build"
        )
        self.assertIn("did you mean built?", complaints(changed((*row, "builds"), 1))[0])
        self.assertEqual(
            complaints(changed((*row, "built"), "yes")),
            ["parts.part1.rows[0].built: must be true or false"],
        )
        self.assertEqual(
            complaints(changed((*row, "speed", 0, "spread"), float("nan"))),
            ["parts.part1.rows[0].speed[0].spread: must be a number"],
        )
        self.assertEqual(complaints(changed((*row, "speed", 0, "spread"), None)), [])
        self.assertEqual(complaints(changed(("parts",), [])), ["parts: must be an object: { ... }"])
        self.assertEqual(complaints(changed(("taken",), "all")), ["taken: must be a list: [ ... ]"])
        self.assertEqual(
            complaints(lambda document: document.pop("seed")), ["the document: 'seed' is missing"]
        )
        self.assertEqual(check(7, RESULTS), ["the document: must be an object: { ... }"])

    def test_the_language(self):
        schema = {"n?": COUNT, "of": MapOf([Maybe(NUMBER)])}
        self.assertEqual(list(problems_at({"of": {"a?": [1, None, 2.5]}}, schema)), [])
        self.assertEqual(
            [path for path, _ in problems_at({"n": 0, "of": {"a": ["x"]}}, schema)],
            [("n",), ("of", "a", 0)],
        )
        self.assertEqual(next(iter(problems_at(True, (1,))))[1], "must be 1")
        self.assertEqual(len(list(problems_at(1, TRUTH))), 1)

    def test_the_documentation_has_every_field(self):
        for title, schema in [
            ("measured/NAME.json", MEASURED),
            ("results.json", RESULTS),
            ("rubric.json", RUBRIC),
        ]:
            with self.subTest(title):
                self.assertEqual(fields_of_section(title), set(field_names(schema)))
