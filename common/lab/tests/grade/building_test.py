"""What a build reports in plain words, and the folder of a submission. The suite `grader` builds for real."""

import subprocess
import unittest
from pathlib import Path

from nbody_lab.grade.box import Box, read_written, row_names
from nbody_lab.grade.building import first_error, foreign_includes
from nbody_lab.grade.judging import flops_text, striking
from nbody_lab.grade.pristine import INSIDE, Pristine, copy_changed, files_of
from tests.folder_for_tests import InFolder


class Folders(InFolder):
    def setUp(self):
        super().setUp()
        self.pristine = Pristine(
            self.folder / "root", self.folder / "pristine", {"part1": "part1_words"}
        )
        self.put("pristine/part1_words/naive.hpp", "naive")
        self.put("pristine/part1_words/mine.hpp", "given")
        self.put("pristine/common/check.hpp", "check")


class GivenTest(Folders):
    """Changes in a student's or instructor's copy do not count as given."""

    def copied(self):
        root = self.folder / "root"
        copy_changed(root, files_of(root), self.folder / "pristine")
        return {
            name: (self.folder / "pristine/part1_words" / name).read_text()
            for name in ("mine.hpp", "mine_2.hpp", "naive.hpp")
            if (self.folder / "pristine/part1_words" / name).exists()
        }

    def setUp(self):
        super().setUp()
        for name in ("mine.hpp", "naive.hpp"):
            self.put(f"root/part1_words/{name}", f"given {name}")

    def change(self):
        self.put("root/part1_words/mine.hpp", "changed")
        self.put("root/part1_words/naive.hpp", "changed")
        self.put("root/part1_words/mine_2.hpp", "one more")

    def test_of_git_it_is_the_last_commit(self):
        for words in (
            ["init", "-q"],
            ["add", "."],
            ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "given"],
        ):
            subprocess.run(["git", "-C", str(self.folder / "root"), *words], check=True)
        self.change()
        self.assertEqual(
            self.copied(), {"mine.hpp": "given mine.hpp", "naive.hpp": "given naive.hpp"}
        )

    def test_of_a_handout_it_is_the_copy_inside(self):
        for name in ("mine.hpp", "naive.hpp"):
            self.put(f"root/common/given/part1_words/{name}", f"given {name}")
        self.change()
        self.assertEqual(
            self.copied(), {"mine.hpp": "given mine.hpp", "naive.hpp": "given naive.hpp"}
        )


class BoxTest(Folders):
    def filled(self, files):
        box = Box(self.folder / "box", self.pristine)
        box.fill(files, "part1")
        return box

    def test_files_lie_over_the_given_ones_which_stay(self):
        box = self.filled({"part1_words/mine.hpp": self.put("theirs.hpp", "theirs")})
        self.assertEqual((box.tree / "part1_words/mine.hpp").read_text(), "theirs")
        self.assertEqual((box.tree / "part1_words/naive.hpp").read_text(), "naive")
        self.assertEqual((self.folder / "pristine/part1_words/mine.hpp").read_text(), "given")

    def test_the_build_is_copied_without_what_was_built_of_mine(self):
        for name in (
            "build.ninja",
            "bin/part1/mine",
            "part1_words/CMakeFiles/part1_mine.dir/mine.cpp.o",
            "common/a.o",
        ):
            self.put(f"pristine/build/release/{name}", "x")
        self.put("pristine/build/release/common/libmany.a", "x" * 200_000)
        box = self.filled({})
        self.assertTrue((box.build / "build.ninja").is_file())
        self.assertEqual(
            str((box.build / "common/libmany.a").readlink() if hasattr(Path, "readlink") else ""),
            f"{INSIDE}/common/libmany.a",
        )
        self.assertEqual(list((box.build / "bin").iterdir()), [])
        self.assertFalse((box.build / "part1_words/CMakeFiles/part1_mine.dir/mine.cpp.o").exists())

    def test_a_file_is_brought_back_once(self):
        box = self.filled({"part1_words/mine.hpp": self.put("theirs.hpp", "theirs")})
        self.assertEqual([box.bring_back("part1", "mine.hpp") for _ in range(2)], [True, False])
        self.assertEqual((box.tree / "part1_words/mine.hpp").read_text(), "given")

    def test_rows_are_those_that_cmake_would_find(self):
        for name in (
            "mine.hpp",
            "mine_b.hpp",
            "mine_count.hpp",
            "mine_a.b.hpp",
            "mine-x.hpp",
            "other.hpp",
        ):
            self.put(f"part/{name}")
        self.assertEqual(row_names(self.folder / "part"), (["mine", "mine_b"], []))

    def test_includes_of_the_checker_are_told(self):
        box = self.filled(
            {
                "part1_words/mine.hpp": self.put(
                    "theirs.hpp",
                    '#include <vector>\n # include "physics/reference.hpp"\n#include "naive.hpp"\n',
                )
            }
        )
        said = [one["text"] for one in foreign_includes(box, "part1")]
        self.assertEqual(
            said,
            [
                "part1_words/mine.hpp includes physics/reference.hpp, which belongs to the checker: a person should look"
            ],
        )


class WrittenTest(Folders):
    def test_only_a_plain_file_is_read(self):
        file = self.put("plain", "text")
        (self.folder / "link").symlink_to(file)
        self.assertEqual(
            [read_written(self.folder / name) for name in ("plain", "link", "none", ".")],
            ["text", None, None, None],
        )


class WordsTest(unittest.TestCase):
    def test_the_first_error_of_a_worksheet(self):
        log = "[1/2] x\n/a/part1/worksheet.hpp:23:5: warning: w\n/a/part1/worksheet.hpp:25:27: error: expected ';' before 'p'\n"
        self.assertEqual(first_error(log), "line 25: expected ';' before 'p'")
        self.assertEqual(first_error("killed"), "")

    def test_each_kind_of_failure_once_the_first_of_it(self):
        cases = [
            {"group": "forces", "diagnosis": "skips", "n": 3},
            {"group": "forces", "diagnosis": "skips", "n": 7},
            {"group": "steps", "diagnosis": "skips", "n": 9},
        ]
        self.assertEqual([case["n"] for case in striking(cases)], [3, 9])

    def test_flops_as_one_writes_them(self):
        self.assertEqual(flops_text({"flops": (54, -54, 0, 2)}), "27 n^2 - 27 n")
        self.assertEqual((flops_text({"flops": (0, 0, 0, 1)}), flops_text({})), ("0", ""))
