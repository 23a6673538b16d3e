"""Tests the plan of compute-sanitizer runs and the lines of its report."""

import unittest

from make_sanitizer_report import (
    ROOT,
    THE_RACE,
    Run,
    command,
    line,
    plan,
    report,
    verdict,
    what_was_found,
)

GONE = {"best"}  # kept there, but no program any more
KEPT = ROOT / "data/results/part3_sanitizer.txt"
CLEAN, RACE = (
    "ERROR SUMMARY: 0 errors",
    "errors: RACECHECK SUMMARY: 4 hazards displayed (4 errors, 0 warnings)",
)


class Report(unittest.TestCase):
    def test_the_plan_is_that_of_the_file_that_is_kept(self):
        rows = [
            row.split()[:6]
            for row in KEPT.read_text(encoding="utf-8").splitlines()
            if row and not row.startswith("#") and row.split()[0] not in GONE
        ]
        # Kept there, but now in float alone.
        rows = [row for row in rows if row[:3:2] != ["exchange", "double"]]
        names = sorted({row[0] for row in rows})
        self.assertEqual(sorted(rows), sorted([str(cell) for cell in run] for run in plan(names)))

    def test_adaptive_steps_are_asked_for(self):
        run = Run("tiles", "memcheck", "float", "adaptive", 3, 1)
        self.assertEqual(command(run)[-3:], ["--precision", "float", "--vdt"])
        self.assertNotIn("--vdt", command(run._replace(step="fixed")))

    def test_what_was_found(self):
        self.assertEqual(what_was_found(0, "x\n========= ERROR SUMMARY: 0 errors\n"), CLEAN)
        self.assertEqual(
            what_was_found(
                9, "========= RACECHECK SUMMARY: 4 hazards displayed (4 errors, 0 warnings)"
            ),
            RACE,
        )
        self.assertEqual(what_was_found(2, "no GPU\n"), "status 2: no GPU")
        self.assertEqual(what_was_found(0, ""), "status 0: no output")  # no summary is no success

    def test_lines_are_in_order_and_the_race_is_quoted(self):
        runs = [
            THE_RACE,
            Run("arrays", "memcheck", "double", "fixed", 1, 2),
            Run("arrays", "memcheck", "float", "fixed", 1, 2),
        ]
        text = report(dict.fromkeys(runs, CLEAN), "a GPU", "hazards")
        self.assertEqual(
            [row.split()[2] for row in text.splitlines()[3:6]], ["float", "double", "float"]
        )
        self.assertTrue(text.endswith("# hazards\n"))
        self.assertIn(line(THE_RACE, CLEAN), text)

    def test_an_error_or_a_race_that_is_not_found_fails(self):
        other = THE_RACE._replace(name="tiles")
        self.assertEqual(verdict({THE_RACE: RACE, other: CLEAN})[0], 0)
        self.assertEqual(verdict({THE_RACE: RACE, other: RACE})[0], 1)
        self.assertEqual(verdict({THE_RACE: CLEAN, other: CLEAN})[0], 1)
        self.assertEqual(verdict({THE_RACE: RACE, other: "no answer in 100 s"})[0], 1)
