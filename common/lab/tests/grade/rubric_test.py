"""A mistake in a rubric is one line with file and line number."""

import copy
import json
import tempfile
import unittest
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.grade.rubric import parts_of_lab, read_rubric
from nbody_lab.notebook.file import InputError

HERE = Path(__file__).resolve().parent

SHIPPED = ROOT / "data/rubric.json"
GOOD = json.loads((HERE / "rubric_for_tests.json").read_text(encoding="utf-8"))


def complaint(text):
    """The error message from the line number on; "" if there is none."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "rubric.json")
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        try:
            read_rubric(file, ["part1", "part2", "part3"])
            return ""
        except InputError as fault:
            return str(fault)[str(fault).index("rubric.json:") + len("rubric.json:") :]


def line_with(text, word):
    return 1 + next(k for k, line in enumerate(text.split("\n")) if word in line)


class RubricTest(unittest.TestCase):
    def test_students_find_the_questions_for_a_person_in_their_notebooks(self):
        parts = read_rubric(SHIPPED, ["part1", "part2", "part3"])["parts"]
        asked = [(part, row["question"]) for part in parts for row in parts[part].get("manual", [])]
        self.assertGreater(len(asked), 2)
        for part, question in asked:
            notebook = next(SHIPPED.parents[1].glob(f"{part}_*/NOTEBOOK.md")).read_text(
                encoding="utf-8"
            )
            self.assertIn(question, notebook, part)

    def expect(self, words, change, at):
        """Expects the rubric after change(rubric) to be refused with these words, at the line that contains `at`."""
        rubric = copy.deepcopy(GOOD)
        change(rubric)
        text = json.dumps(rubric, indent=1)
        said = complaint(text)
        self.assertIn(words, said)
        self.assertEqual(int(said.split(":")[0]), line_with(text, at), said)
        self.assertNotIn("\n", said)

    def test_those_of_the_lab_are_good(self):
        self.assertEqual(read_rubric(HERE / "rubric_for_tests.json")["maximum"], 100)
        shipped = read_rubric(SHIPPED)
        self.assertEqual([*shipped["parts"]], ["part1", "part2"])
        weights = {"worksheet": 25, "notebook": 25, "speed": 30, "manual": 20}
        for item, points in weights.items():
            told = [part[item] for part in shipped["parts"].values()]
            self.assertEqual(
                sum(
                    one["points"]
                    for some in told
                    for one in (some if isinstance(some, list) else [some])
                ),
                points,
            )

    def test_the_parts_are_those_of_the_tree(self):
        self.assertIn("part1", parts_of_lab())
        self.assertIn("part2", parts_of_lab())

    def test_defaults_and_checksum(self):
        rubric = read_rubric(HERE / "rubric_for_tests.json")
        self.assertEqual(rubric["parts"]["part2"]["rows"], ["mine", "mine_*"])
        self.assertEqual(rubric["parts"]["part2"]["speed"][0]["scene"], "plummer")
        self.assertTrue(rubric["parts"]["part2"]["correctness"]["gates"])
        self.assertRegex(rubric["checksum"], "^sha256:[0-9a-f]{64}$")

    def test_json_of_another_kind(self):
        self.assertIn("2: not valid JSON: ", complaint('{"version": 1,\n "title": }'))
        self.assertIn("1: not valid JSON: ", complaint(""))
        self.assertIn("1: must be an object", complaint("[]"))
        self.assertIn("2: NaN is not a JSON number", complaint('{"version": 1,\n "maximum": NaN}'))
        self.assertIn(
            "3: 'title' is given twice: first in line 2",
            complaint('{"version": 1,\n "title": "a",\n "title": "b"}'),
        )
        self.assertIn("2: not UTF-8", complaint(b'{"version": 1,\n "title": "\xe4"}'))
        self.assertIn("too deep", complaint("[" * 100000))

    def test_no_file(self):
        with self.assertRaisesRegex(InputError, "cannot be read"):
            read_rubric(Path("/no/rubric.json"))

    def test_unknown_keys_have_the_nearest(self):
        self.expect(
            "'titel' is not known here; did you mean title?",
            lambda told: told.update(titel="x"),
            '"titel"',
        )
        self.expect(
            "did you mean points?",
            lambda told: told["parts"]["part1"]["correctness"].update(point=1),
            '"point"',
        )
        self.expect("there are version, title", lambda told: told.update(xyzzy=1), '"xyzzy"')

    def test_missing_and_wrong_kinds(self):
        self.expect("'title' is missing", lambda told: told.pop("title"), "{")
        self.assertRegex(
            complaint(
                (HERE / "rubric_for_tests.json")
                .read_text()
                .replace('"measure": "times_naive", ', "")
            ),
            r"^10: parts.part1.speed\[1\]: 'measure' is missing",
        )
        self.expect("must be a number", lambda told: told.update(maximum="100"), '"maximum"')
        self.expect("must be 1", lambda told: told.update(version=2), '"version"')
        self.expect(
            "must be true or false",
            lambda told: told["parts"]["part1"]["correctness"].update(gates=1),
            '"gates"',
        )

    def test_negative_points(self):
        self.expect(
            "-1 points",
            lambda told: told["parts"]["part1"]["correctness"].update(points=-1),
            '"points": -1',
        )
        self.expect(
            "0 points",
            lambda told: told["parts"]["part1"]["notebook"].update(points=0),
            '"points": 0',
        )

    def test_bands(self):
        def bands(*bands):
            return lambda told: told["parts"]["part1"]["speed"][0].update(
                bands=[list(band) for band in bands]
            )

        for words, change in [
            ("bands must ascend, but it begins at 0.5", bands((0.7, 2), (0.5, 5), (0.9, 10))),
            ("bands must ascend, but its points, 2", bands((0.2, 5), (0.5, 2), (0.9, 10))),
            ("the last band gives 9 points, the item has 10", bands((0.2, 5), (0.9, 9))),
            ("a band is two numbers", bands((0.2, 5, 3), (0.9, 10))),
            ("both numbers of a band must be above 0", bands((-0.2, 5), (0.9, 10))),
            ("at least one band is needed", bands()),
        ]:
            with self.subTest(words):
                rubric = copy.deepcopy(GOOD)
                change(rubric)
                self.assertIn(words, complaint(json.dumps(rubric)))

    def test_the_line_of_a_band(self):
        text = (
            (HERE / "rubric_for_tests.json")
            .read_text(encoding="utf-8")
            .replace("[0.5, 5], [0.9, 10]", "[0.5, 5],\n [0.4, 10]")
        )
        self.assertIn(
            f"{line_with(text, '[0.4')}: parts.part1.speed[0].bands[2]: bands must ascend",
            complaint(text),
        )

    def test_questions_that_are_left_out_are_there(self):
        self.expect(
            "part1 has no question '99'; it has 0 to",
            lambda told: told["parts"]["part1"]["worksheet"].update(leave_out=["99"]),
            '"99"',
        )

    def test_sums(self):
        self.expect(
            "the points of all items add up to 100, not to 90",
            lambda told: told.update(maximum=90),
            '"maximum"',
        )

    def test_parts_threads_and_measures(self):
        def renamed(told):
            told["parts"]["part7"] = told["parts"].pop("part2")

        self.expect("there is no part 'part7'", renamed, '"part7"')
        first = GOOD["parts"]["part1"]["speed"][0]
        self.assertEqual(first["threads"], 1)
        for threads in (0, -1, "every", 1.5, True):
            self.expect(
                'a whole number, at least 1, or "all"',
                lambda told: told["parts"]["part1"]["speed"][0].update(threads=threads),
                f'"threads": {json.dumps(threads)}',
            )
        self.expect(
            "did you mean times_naive?",
            lambda told: told["parts"]["part1"]["speed"][0].update(measure="time_naive"),
            "time_naive",
        )

    def test_the_same_twice(self):
        def question(told):
            told["parts"]["part2"]["manual"][0]["question"] = (
                "WHY is the third law not  twice as fast?"
            )

        self.expect("part1 already has this question", question, "WHY")

        def speeds(told):
            told["parts"]["part1"]["speed"][1] = {
                **told["parts"]["part1"]["speed"][0],
                "points": 5,
                "bands": [[1, 5]],
            }

        self.assertIn(
            "another speed has the same threads",
            complaint(json.dumps({**GOOD, "parts": self.changed(speeds)})),
        )

    def changed(self, change):
        rubric = copy.deepcopy(GOOD)
        change(rubric)
        return rubric["parts"]

    def test_late(self):
        self.expect(
            "from 0 to 100",
            lambda told: told["late"].update(per_day_percent=120),
            "per_day_percent",
        )
        self.expect("0 or more", lambda told: told["late"].update(free_days=-1), "free_days")
        self.expect(
            "a time with its zone",
            lambda told: told.update(deadline="2026-11-20T23:59:00"),
            "deadline",
        )
        self.expect(
            "a time with its zone", lambda told: told.update(deadline="tomorrow"), "deadline"
        )
