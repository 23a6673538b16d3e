"""Which records of a class are still valid? Each submission has a row, whatever happened to its record."""

import contextlib
import io
import json
from pathlib import Path
from types import SimpleNamespace

from nbody_lab.grade import kept
from nbody_lab.grade.archives import checksum
from nbody_lab.grade.models import Grading, HandedIn
from nbody_lab.grade.rubric import Rubric, read_rubric
from nbody_lab.grade.score import score
from nbody_lab.grade.set_up import Course
from nbody_lab.grade.submissions import find_submissions
from tests.folder_for_tests import InFolder
from tests.grade.scored_for_tests import measured

HERE = Path(__file__).resolve().parent

RUBRIC = read_rubric(HERE / "rubric_for_tests.json")


def course_in(out, rubric=RUBRIC, parts=("part1",), lab="1900bc0"):
    return Course(
        out, None, None, "", SimpleNamespace(kind="none"), None, rubric, list(parts), {}, lab
    )


def with_speed(**changed):
    """The rubric with a change of the first speed of part 1."""
    data = RUBRIC.model_dump()
    first, *others = data["parts"]["part1"]["speed"]
    data["parts"]["part1"]["speed"] = (first | changed, *others)
    return Rubric.model_validate(data)


def timings(course):
    return {part: [one.model_dump() for one in some] for part, some in course.timings().items()}


class Kept(InFolder):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"
        self.hand_in("ada", "// one\n")
        self.submission = find_submissions(self.folder / "class")[0]
        self.course = course_in(self.out)
        self.keep(self.record())

    def hand_in(self, name, text):
        self.put(f"class/{name}/mine.hpp", text)

    def record(self, **more):
        one = {**measured("ada"), "timings": timings(self.course), **more}
        one["submission"]["checksum"] = checksum(self.submission)
        return one

    def keep(self, record, name="ada", folder="measured"):
        self.put(
            self.out / folder / f"{name}.json",
            record if isinstance(record, str) else json.dumps(record),
        )

    def said(self, course):
        out = io.StringIO()
        with contextlib.redirect_stderr(out), contextlib.redirect_stdout(out):
            kept.drop_stale(course, [self.submission])
        return out.getvalue()

    def stays(self, course):
        said = self.said(course)
        self.assertEqual(course.measured("ada").exists(), not said)
        return said

    def test_what_holds_stays(self):
        self.assertEqual(self.stays(self.course), "")
        self.keep(
            self.record(parts={**self.record()["parts"], "part3": self.record()["parts"]["part1"]})
        )
        self.assertEqual(self.stays(self.course), "", "more than is asked for")

    def test_points_and_bands_need_no_new_measurement(self):
        rubric = with_speed(points=5.0, bands=((0.1, 5.0),))
        self.assertEqual(self.stays(course_in(self.out, rubric)), "")

    def test_another_archive(self):
        self.hand_in("ada", "// two\n")
        self.assertIn("ada: measured again: another archive\n", self.stays(self.course))
        self.assertEqual(
            len(list((self.out / "earlier").glob("ada_*.json"))), 1, "what was measured is not lost"
        )

    def test_another_lab(self):
        self.assertIn("another version of the lab", self.stays(course_in(self.out, lab="2")))

    def test_another_part(self):
        whole = self.record()
        self.keep(self.record(parts={"part1": whole["parts"]["part1"]}))
        self.assertIn(
            "part2 was not requested before",
            self.stays(course_in(self.out, parts=["part1", "part2"])),
        )

    def test_another_speed(self):
        rubric = with_speed(n=4000)
        self.assertIn("the rubric times something else", self.stays(course_in(self.out, rubric)))

    def test_what_was_only_judged_goes_as_well(self):
        self.course.measured("ada").unlink()
        self.keep(self.record(lab="2"), "judged", "work/ada")
        self.assertIn("another version", self.said(self.course))
        self.assertFalse(self.course.judged("ada").exists())

    def test_what_cannot_be_read_is_measured_again(self):
        self.keep("{")
        self.assertIn("cannot be read", self.stays(self.course))

    def rows(self, *names):
        kept.keep_list(self.out, submissions=[HandedIn(name=name) for name in names])
        results = score(kept.records_in(self.out), RUBRIC)
        return {one.name: one for one in results.submissions}

    def test_a_row_for_each_of_the_class_and_no_other(self):
        self.keep(measured("removed"), "removed")
        rows = self.rows("ada", "bo")
        self.assertEqual(list(rows), ["ada", "bo"])
        self.assertEqual((rows["bo"].has_points, rows["bo"].to_decide), (False, 100))
        self.assertEqual(rows["bo"].items[0].why, kept.NOT_YET)

    def test_one_broken_record_stops_nobody(self):
        for broken in (
            "{",
            "7",
            json.dumps({**measured("bo"), "parts": None}),
            json.dumps(measured("ada")),
        ):
            self.keep(broken, "bo")
            rows = self.rows("ada", "bo")
            self.assertGreater(rows["ada"].points, 0)
            self.assertEqual({item.state for item in rows["bo"].items}, {"for a person"}, broken)
            self.assertIn(
                "cannot be read: ./lab grade measures it again (", rows["bo"].items[0].why
            )

    def test_only_some_of_them(self):
        ada, bo, cy = (SimpleNamespace(name=name) for name in ("ada", "bo", "cy"))
        self.out.mkdir(exist_ok=True)
        self.assertEqual(kept.submissions_to_keep(self.out, [ada, bo, cy], [bo]), [bo])
        kept.keep_list(self.out, submissions=[HandedIn(name="ada"), HandedIn(name="gone")])
        self.assertEqual(kept.submissions_to_keep(self.out, [ada, bo, cy], [bo]), [ada, bo])
        self.assertEqual(kept.submissions_to_keep(self.out, [ada, bo], [ada, bo]), [ada, bo])

    def test_the_list_keeps_the_secret(self):
        (self.out / "grading.json").write_text('{"class": "/a class"}')
        kept.keep_list(self.out, parts=("part1",))
        self.assertEqual(
            kept.read_list(self.out), Grading(class_folder="/a class", parts=("part1",))
        )
        self.assertEqual((self.out / "grading.json").stat().st_mode & 0o777, 0o600)
