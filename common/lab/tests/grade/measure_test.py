"""From a submission's files to its figures: late answers, separate parts, secrets, a failing grader."""

import contextlib
import io
import json
import tempfile
import types
import unittest
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.manifest import Manifest, Part
from nbody_lab.grade import judging, measure, set_up
from nbody_lab.worksheet.ceilings import Ceilings
from tests.folder_for_tests import InFolder
from tests.grade.scored_for_tests import measured, part, row, speed

CPU_ROW = {"kind": "flops", "precision": "float", "threads": 1, "best": 1e11, "where": "cpu"}
LATE, WRONG, NOT_ASKED = (
    {
        "group": "forces",
        "scene": "s",
        "n": 7,
        "error": None,
        "limit": 1,
        "detail": "",
        "diagnosis": diagnosis,
        "verdict": verdict,
    }
    for diagnosis, verdict in (
        ("no answer in time: a loop?", "failed"),
        ("skips a body", "failed"),
        ("", "not run"),
    )
)


USED_UP = "the submission used up its limit of 120 s"


class Asked:
    """An allowance that writes a checker's results, one of `answers` per call."""

    used_up = USED_UP

    def __init__(self, *answers):
        self.answers, self.count = list(answers), 0

    def run(self, words, _):
        self.count += 1
        answer = self.answers.pop(0)
        if isinstance(answer, str):
            return None, "", answer
        told = {
            "verdict": "failed" if answer else "passed",
            "cases": answer,
            "worst_share_of_limit": 0.5,
        }
        Path(words[-1]).write_text(json.dumps({"implementations": [told]}), encoding="utf-8")
        return 0, "", ""


class LateTest(InFolder):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "check.json"
        self.course = types.SimpleNamespace(programs=Path("bin"))

    def verdicts(self, *answers):
        """(the first verdict, the final one, number of calls)"""
        allowance = Asked(*answers)
        row = {"name": "mine"}
        row["check"], row["late"] = judging.check(allowance, ["check"], self.file)
        first = row["check"]["verdict"]
        judging.check_alone(self.course, allowance, "manifest", "part1", [row], 7, self.file)
        self.assertIn(row["check"]["problem"][:17], ("", USED_UP[:17], judging.NOT_IN_TIME[:17]))
        return first, row["check"]["verdict"], allowance.count

    def test_what_came_late_is_asked_again_alone(self):
        self.assertEqual(self.verdicts([LATE, NOT_ASKED], []), ("failed", "passed", 2))
        self.assertEqual(self.verdicts([LATE], [LATE]), ("failed", "failed", 2))
        self.assertEqual(self.verdicts("it was stopped after 40 s", []), ("failed", "passed", 2))
        self.assertEqual(self.verdicts([LATE], USED_UP), ("failed", "not checked", 2))

    def test_what_was_wrong_is_not(self):
        self.assertEqual(self.verdicts([WRONG, LATE]), ("failed", "failed", 1))
        self.assertEqual(self.verdicts([]), ("passed", "passed", 1))
        self.assertEqual(self.verdicts(USED_UP), ("not checked", "not checked", 1))

    def test_the_checker_says_it_so(self):
        self.assertRegex(
            (ROOT / "common/check/subject.cpp").read_text(encoding="utf-8"),
            rf'diagnosis =\s+"{judging.NOT_IN_TIME}',
        )


class PartsTest(unittest.TestCase):
    course = types.SimpleNamespace(
        pristine=types.SimpleNamespace(parts={"part1": "part1_words", "part2": "part2_words"})
    )

    def test_flags_of_another_part_stay_away(self):
        files = {
            name: name
            for name in (
                "part1_words/mine.hpp",
                "part1_words/flags.txt",
                "part2_words/mine.hpp",
                "part2_words/flags.txt",
            )
        }
        self.assertEqual(
            sorted(set(files) - set(measure.files_of_part(self.course, files, "part2"))),
            ["part1_words/flags.txt"],
        )

    def test_the_grader_fails_in_one_part_alone(self):
        given = row(speed=[], not_timed="")
        told = {
            name: part({**given, "in_double": True, "late": False}) for name in ("part1", "part2")
        }
        timed = []

        def time_part(_course, _isolation, record, part):
            if part == "part1":
                raise OSError("no space left")
            timed.append(part)
            record["parts"][part]["rows"][0].update(speed=[speed()], not_timed="")

        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder)
            (out / "judged.json").write_text(json.dumps(measured("who", **told)))
            course = types.SimpleNamespace(
                out=out,
                judged=lambda _: out / "judged.json",
                measured=lambda _: out / "measured.json",
                own_isolation=contextlib.nullcontext,
            )
            before, measure.time_part = measure.time_part, time_part
            self.addCleanup(setattr, measure, "time_part", before)
            record = measure.time_it(course, "who")
            self.assertIn("no space left", (out / "failures/who.txt").read_text())
        rows = [part["rows"][0] for part in record["parts"].values()]
        self.assertEqual(
            [(row["speed"], row["not_timed"]) for row in rows],
            [([], "the grader failed: measure it again"), ([speed()], "")],
        )
        self.assertEqual((timed, record["problems"][0]["stage"]), (["part2"], "grader"))
        self.assertFalse({"late", "in_double"} & set(rows[0]))


class BeforeTest(unittest.TestCase):
    def test_nobody_knows_the_seed_of_another_try(self):
        submission = types.SimpleNamespace(
            **dict.fromkeys(
                (
                    "name",
                    "authors",
                    "student_id",
                    "kind",
                    "submitted",
                    "group",
                    "source",
                    "time_from",
                    "late",
                ),
                "",
            )
        )
        course = types.SimpleNamespace(
            machine={}, lab="", timings=dict, isolation=types.SimpleNamespace(kind="", banner="")
        )
        seeds = {measure.empty_record(course, submission, 0)["seed"] for _ in range(9)}
        self.assertEqual((len(seeds), measure.empty_record(course, submission, 7)["seed"]), (9, 7))

    def machine(self, rows, gpu="a GPU", parts=("part1", "part3")):
        references = Manifest.__new__(Manifest)
        references.parts = [Part(name="part1", device="cpu"), Part(name="part3", device="gpu")]
        said = io.StringIO()
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
            told = set_up.machine_of(
                types.SimpleNamespace(gpu=lambda: gpu),
                references,
                parts,
                Ceilings(rows=tuple(rows)),
            )
        return told["gpu"], told["no_bound"], said.getvalue()

    def test_it_is_said_whose_rates_cannot_be_too_high(self):
        self.assertEqual(self.machine([CPU_ROW])[:2], ("a GPU", "part3"))
        self.assertIn(
            "impossible rates of part3 go unseen until you measure this machine",
            self.machine([CPU_ROW])[2],
        )
        self.assertEqual(
            self.machine([CPU_ROW, {**CPU_ROW, "where": "gpu 0", "threads": 0}]), ("a GPU", "", "")
        )
        self.assertEqual(self.machine([])[1], "part1 part3")

    def test_without_a_gpu_its_rates_are_no_matter(self):
        self.assertEqual(self.machine([CPU_ROW], gpu=""), ("", "", ""))
        self.assertEqual(self.machine([CPU_ROW], parts=("part1",))[0], "", "no GPU was asked for")
