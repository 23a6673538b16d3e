"""The data of the grader's own class: its contents, and that it is the same each time. Grades nothing."""

import hashlib
import os
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from nbody_lab import ROOT
from tests.grade.made_class.made_submissions import MADE
from tests.grade.made_class.make_class import make_class, rows_of_class, stored_names

CLASS = Path(__file__).resolve().parent / "made_class"

ROWS = rows_of_class()
LARGEST_STORED = 16 << 10  # bytes per submission
KEYS = {
    "built",
    "why",
    "check",
    "speed",
    "gains",
    "times_naive_at_most",
    "above_bound",
    "untouched",
    "rows",
    "state",
    "worksheet",
    "counts",
    "ignored",
    "problems",
    "nowhere",
    "escaped",
    "small_log",
    "seconds_at_most",
    "authors",
    "student_id",
}


def fingerprint(folder):
    """{name: kind and digest} of everything below; follows no link and opens no pipe."""
    found = {}
    for top, folders, files in os.walk(folder):
        for path in (Path(top, name) for name in folders + files):
            mode = path.lstat().st_mode
            content = b""
            if stat.S_ISLNK(mode):
                content = os.readlink(path).encode()
            elif stat.S_ISREG(mode):
                content = path.read_bytes()
            found[str(path.relative_to(folder))] = (
                stat.S_IFMT(mode),
                hashlib.sha256(content).hexdigest(),
            )
    return found


def stored_rows():
    return [row for row in ROWS if row["name"] in stored_names()]


class ClassTest(unittest.TestCase):
    def test_each_row_is_stored_or_made_and_nothing_else_is(self):
        names = [row["name"] for row in ROWS]
        self.assertEqual(sorted(names), sorted([*stored_names(), *MADE]))

    def test_names_and_entries_are_unique(self):
        for key in ("name", "entry"):
            values = [row[key].casefold() for row in ROWS]
            self.assertEqual(len(set(values)), len(values), key)

    def test_there_are_enough_of_each_kind(self):
        kinds = [row["kind"] for row in ROWS]
        self.assertEqual(set(kinds), {"honest", "hostile"})
        self.assertGreaterEqual(kinds.count("hostile"), 30)
        self.assertGreaterEqual(kinds.count("honest"), 12)

    def test_a_third_stands_for_all(self):
        quick = [row for row in ROWS if row["quick"]]
        self.assertTrue(0.25 <= len(quick) / len(ROWS) <= 0.4, len(quick))
        self.assertEqual({row["kind"] for row in quick}, {"honest", "hostile"})

    def test_every_row_expects_something_that_is_known(self):
        for row in ROWS:
            with self.subTest(row["name"]):
                self.assertTrue(row["expected"])
                self.assertEqual(set(row["expected"]) - KEYS, set())
                self.assertIn(row["expected"].get("check"), (None, "passed", "failed"))
                self.assertEqual(row["kind"] == "hostile", bool(row.get("without_isolation")))

    def test_what_is_stored(self):
        """Small and plain files; a comment says what they try; none is a copy of a public solution."""
        solutions = {path.read_bytes() for path in ROOT.glob("solutions/part1_standard_opti/*.hpp")}
        self.assertTrue(solutions)
        with tempfile.TemporaryDirectory() as out:
            make_class(Path(out), stored_rows())
            for row in stored_rows():
                with self.subTest(row["name"]):
                    files = [
                        path for path in Path(out, row["entry"]).rglob("*") if not path.is_dir()
                    ]
                    self.assertTrue(all(stat.S_ISREG(path.lstat().st_mode) for path in files))
                    self.assertLess(
                        sum(path.stat().st_size for path in files if path.name != "worksheet.hpp"),
                        LARGEST_STORED,
                    )
                    self.assertFalse([path for path in files if path.read_bytes() in solutions])
                    self.assertTrue(
                        [
                            path
                            for path in files
                            if f"// {row['tries']}\n" in path.read_text(encoding="utf-8")
                        ]
                    )

    def test_it_is_made_the_same_way_twice(self):
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            for folder in (one, other):
                make_class(Path(folder), ROWS)
            self.assertEqual(sorted(os.listdir(one)), sorted(row["entry"] for row in ROWS))
            self.assertEqual(fingerprint(one), fingerprint(other))

    def test_the_command(self):
        def run(*words):
            return subprocess.run(
                [sys.executable, "-m", "tests.grade.made_class.make_class", *words],
                capture_output=True,
                text=True,
                check=False,
            )

        with tempfile.TemporaryDirectory() as out:
            done = run(f"{out}/class", "--only", "locals", "folder_pipe")
            self.assertEqual((done.returncode, done.stdout), (0, f"2 submissions in {out}/class\n"))
            self.assertTrue(
                stat.S_ISFIFO(
                    Path(out, "class/folder_pipe/part1_standard_opti/mine.hpp").lstat().st_mode
                )
            )
            again = run(f"{out}/class")
            self.assertEqual(
                (again.returncode, again.stderr),
                (2, f"error: {out}/class: not empty; name a new folder\n"),
            )
            unknown = run(f"{out}/other", "--only", "nobody")
            self.assertEqual(
                (unknown.returncode, unknown.stderr),
                (2, "error: there is no nobody in expected.json\n"),
            )
