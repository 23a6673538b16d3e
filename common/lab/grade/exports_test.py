#!/usr/bin/env python3
"""Does each platform get what it accepts? Required keys, types and allowed values, as the platforms describe them."""

import json
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders  # noqa: E402, F401
from grade.class_for_tests import Graded  # noqa: E402
from grade.exports import autolab, autolab_output, classroom, gradescope, write_exports  # noqa: E402
from grade.kept import read_results  # noqa: E402

NUMBER = (int, float)
FORMATS = {"text", "html", "simple_format", "md", "ansi"}
VISIBLE = {"visible", "hidden", "after_due_date", "after_published"}
# key: its type, or the allowed values
GRADESCOPE = {"score": NUMBER, "execution_time": NUMBER, "output": str, "output_format": FORMATS, "test_output_format": FORMATS,
              "test_name_format": FORMATS, "visibility": VISIBLE, "stdout_visibility": VISIBLE, "extra_data": dict, "tests": list, "leaderboard": list}
GRADESCOPE_TEST = {"score": NUMBER, "max_score": NUMBER, "status": {"passed", "failed"}, "name": str, "name_format": FORMATS, "number": str,
                   "output": str, "output_format": FORMATS, "tags": list, "visibility": VISIBLE, "extra_data": dict}
STATUS = {"pass", "fail", "error"}
CLASSROOM = {"version": NUMBER, "status": STATUS, "max_score": NUMBER, "tests": list}
CLASSROOM_TEST = {"name": str, "status": STATUS, "score": NUMBER, "message": str, "test_code": str, "filename": str, "line_no": NUMBER,
                  "execution_time": str}


class ExportsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.graded = Graded()
        cls.submissions = {one["name"]: one for one in read_results(cls.graded.out)["submissions"]}

    @classmethod
    def tearDownClass(cls):
        cls.graded.close()

    def described(self, data, described, required):
        self.assertLessEqual(set(required), set(data))
        for key, value in data.items():
            self.assertIn(key, described)
            if isinstance(described[key], set):
                self.assertIn(value, described[key], key)
            else:
                self.assertIsInstance(value, described[key], key)
                self.assertNotIsInstance(value, bool, key)
        json.dumps(data, allow_nan=False)

    def test_gradescope(self):
        for submission in self.submissions.values():
            data = gradescope(submission)
            self.described(data, GRADESCOPE, ["score", "tests"])
            for test in data["tests"]:
                self.described(test, GRADESCOPE_TEST, ["name", "output"])
                self.assertTrue(all(isinstance(tag, str) for tag in test.get("tags", [])))
                self.assertEqual("score" in test, "max_score" in test)

    def test_gradescope_tells_points_from_what_has_none(self):
        data = gradescope(self.submissions["smith_anna"])
        self.assertEqual((data["score"], data["visibility"]), (31.95, "visible"))
        full, some, *_, person, not_here = data["tests"]
        self.assertEqual((full["status"], some["status"]), ("passed", "failed"))
        for test, name in ((person, "(for a person)"), (not_here, "(not graded here)")):
            self.assertTrue(test["name"].endswith(name))
            self.assertFalse({"score", "status"} & set(test))
        self.assertIn("Late by 1 day", data["output"])
        self.assertEqual(gradescope(self.submissions["broken_bob"])["visibility"], "hidden", "a zero that was never given")

    def test_autolab(self):
        for submission in self.submissions.values():
            *lines, last = autolab_output(submission).rstrip("\n").split("\n")
            data = json.loads(last)
            self.assertEqual(set(data), {"scores", "scoreboard"})
            self.assertTrue(all(isinstance(key, str) and isinstance(value, NUMBER) for key, value in data["scores"].items()))
            self.assertIsInstance(data["scoreboard"], list)
            self.assertFalse([line for line in lines if line.startswith(("{", "["))])
        self.assertEqual(autolab(self.submissions["smith_anna"])["scores"], {"part1": 35.5, "late": -3.55})
        self.assertEqual(autolab(self.submissions["broken_bob"])["scores"], {}, "a score that is there stays")

    def test_classroom(self):
        for submission in self.submissions.values():
            data = classroom(submission)
            self.described(data, CLASSROOM, CLASSROOM)
            for test in data["tests"]:
                self.described(test, CLASSROOM_TEST, CLASSROOM_TEST)
            self.assertAlmostEqual(sum(test["score"] for test in data["tests"]), submission["points"] or 0, msg="what the reporter adds")
        self.assertEqual(classroom(self.submissions["broken_bob"])["status"], "error")
        self.assertEqual(classroom(self.submissions["syntax_dora"])["status"], "fail")

    def test_nothing_that_a_terminal_obeys(self):
        one = self.submissions["smith_anna"]
        evil = {**one, "items": [{**one["items"][0], "why": "\x1b]0;x\x07\x1b[31mred\n{\"scores\": {\"part1\": 1000}}"}]}
        for text in (autolab_output(evil), json.dumps(gradescope(evil)), json.dumps(classroom(evil))):
            self.assertNotIn("\x1b", text)
            self.assertNotIn("\\u001b", text)
        self.assertEqual(json.loads(autolab_output(evil).splitlines()[-1])["scores"]["part1"], 10)

    def test_a_file_for_each(self):
        write_exports(self.graded.out, {"submissions": list(self.submissions.values())})
        for name, one in self.submissions.items():
            folder = self.graded.out / "export"
            self.assertEqual(json.loads((folder / "gradescope" / name / "results.json").read_text(encoding="utf-8")), gradescope(one))
            self.assertEqual((folder / "autolab" / f"{name}.txt").read_text(encoding="utf-8"), autolab_output(one))
            self.assertEqual(json.loads((folder / "classroom" / f"{name}.json").read_text(encoding="utf-8")), classroom(one))


if __name__ == "__main__":
    unittest.main()
