"""Tests that make_results.py measures what data/results holds: the same files, names, sizes and threads."""

import json
import re
import subprocess
import sys
import unittest
from pathlib import Path
from types import SimpleNamespace

from make_results import (
    BOUNDS,
    COPIES,
    CORES,
    MEASUREMENTS,
    RESULTS,
    ROOT,
    STUDIES,
    THREADS,
    of_bounds,
    of_ceilings,
    of_gpu,
    of_processor,
    of_simulated,
)

# Measured, and gone: their rows stay in the files.
GONE = {
    "best",
    "tf32_distances",
    "tile_ahead",
}
# Measured by a script of its own, solutions/part2_vectorization/permissions.sh.
OWN_SCRIPT = {"part2_permissions"}


class Everything:
    """A manifest that has every name."""

    @staticmethod
    def of_part(_):
        names = [name for _, _, names, _ in MEASUREMENTS for name in names.split()]
        return [SimpleNamespace(name=name) for name in names]


def summary(file):
    return json.loads((ROOT / RESULTS / f"{file}.json").read_text(encoding="utf-8"))["summary"]


def values(file, field):
    return sorted({row[field] for row in summary(file)})


class MakeResultsTest(unittest.TestCase):
    def test_every_result_of_bench_is_measured_again(self):
        there = {
            file.stem
            for file in (ROOT / RESULTS).glob("part[124]_*.json")
            if '"context"' in file.read_text(encoding="utf-8")
        }
        self.assertEqual(there - OWN_SCRIPT, {file for file, *_ in (*MEASUREMENTS, *CORES)})
        simulated = {
            file.stem
            for kind in ("simulated", "gbe", "fat_tree")
            for file in (ROOT / RESULTS).glob(f"part4_{kind}_*")
        }
        self.assertEqual(
            simulated,
            {Path(command[command.index("--json") + 1]).stem for command in of_simulated()},
        )
        studies = {file.stem for file in (ROOT / RESULTS).glob("part3_study_*")}
        self.assertEqual(studies, {f"part3_study_{study}" for study in (*STUDIES, COPIES)})

    def test_the_names_sizes_and_threads_are_those_of_the_files(self):
        for file, _, names, options in (*MEASUREMENTS, *CORES):
            if names:
                measured = {
                    re.sub("_(sse2|avx2|avx512)$", "", row["name"]) for row in summary(file)
                }
                self.assertEqual(measured - GONE, set(names.split()), file)
            for option, field in (("-n", "n"), ("--threads", "threads"), ("--ranks", "ranks")):
                if option in options:
                    asked = [int(value) for value in options[options.index(option) + 1].split(",")]
                    self.assertEqual(values(file, field), asked, file)

    def test_quick_changes_no_result_and_one_file_can_be_asked_for(self):
        for command in of_processor(Everything, quick=True, files=()):
            self.assertNotIn(str(RESULTS), " ".join(command))
            self.assertIn("--quick", command)
        only = list(of_processor(Everything, quick=False, files=["part1_threads"]))
        self.assertEqual([command[2] for command in only], ["part1"])
        self.assertIn(THREADS[1], only[0])

    def test_bounds_of_every_rung_are_looked_for_again(self):
        self.assertEqual(
            {file.stem for file in (ROOT / RESULTS).glob("part*_bounds.json")},
            {file for file, _ in BOUNDS},
        )
        self.assertEqual(
            [command[2] for command in of_bounds(quick=False, files=["part2_bounds"])], ["part2"]
        )
        for command in of_bounds(quick=True, files=()):
            self.assertNotIn(str(RESULTS), " ".join(command))

    def test_bounds_name_machine_compiler_and_day_and_have_no_program_that_is_gone(self):
        for file, part in BOUNDS:
            data = json.loads((ROOT / RESULTS / f"{file}.json").read_text(encoding="utf-8"))
            self.assertIn("Xeon", data["machine"], file)
            self.assertRegex(
                data["compiler"] + data["date"], r"^g\+\+ [\d.]+2\d{3}-\d\d-\d\d$", file
            )
            for row in data["summary"]:
                self.assertTrue((ROOT / row["source"]).is_file(), f"{part}/{row['name']}")

    def test_studies_that_were_asked_for(self):
        copies, ladder = of_gpu(["copies", "ladder"])
        self.assertEqual(copies[1], "docs/profile_copies.py")
        self.assertEqual(ladder[:5], ["./lab", "bench", "part3", "-n", "131072"])

    def test_studies_have_the_names_and_sizes_of_their_files(self):
        for study, (names, options) in STUDIES.items():
            file = f"part3_study_{study}"
            if names:
                measured = {row["name"] for row in summary(file)} - GONE
                self.assertLessEqual(measured, set(names.split()))
            asked = [int(value) for value in options[options.index("-n") + 1].split(",")]
            self.assertLessEqual(set(values(file, "n")), set(asked), file)

    def test_ceilings_are_measured_anew_and_beside_likwid(self):
        written = [command[-1] for command in of_ceilings()]
        self.assertEqual(
            written,
            ["build/ceilings.json", "data/results/ceilings_xeon.json", "docs/compare_likwid.py"],
        )
        there = {file.name for file in (ROOT / RESULTS).glob("ceilings_*.json")}
        self.assertLessEqual(
            there, {"ceilings_xeon.json", "ceilings_likwid.json", "ceilings_h200.json"}
        )

    def test_unknown_words_are_one_line(self):
        done = subprocess.run(
            [sys.executable, ROOT / "docs/make_results.py", "--show", "nope"],
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1))
