"""Which files are taken, wherever they lie, and what is said about the others."""

import os
import tempfile
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.grade.overlay import store, take
from nbody_lab.grade.part_folders import part_folders
from tests.folder_for_tests import InFolder

PARTS = part_folders(ROOT)
PART1 = PARTS[:1]
P1 = "part1_standard_opti"


class Overlay(InFolder):
    def put(self, *names, content=b"x"):
        for name in names:
            super().put(name, content)

    def taken(self, parts=None):
        return take(self.folder, parts or PARTS, PARTS)

    def files(self, parts=None):
        return sorted(self.taken(parts).files)

    def why(self, parts=None):
        return {one["file"]: one["why"] for one in self.taken(parts).ignored}

    def test_parts_come_from_the_tree(self):
        self.assertEqual(
            [(part.name, part.header) for part in PARTS],
            [("part1", ".hpp"), ("part2", ".hpp"), ("part3", ".cuh"), ("part4", ".hpp")],
        )

    def test_wherever_the_part_lies(self):
        for place in (P1, "part1", "Part 1", "lab/part1", f"anna/my lab/{P1}", "PART_1"):
            with self.subTest(place=place):
                self.put(f"{place}/mine.hpp")
                self.assertEqual(self.files(), [f"{P1}/mine.hpp"])
                (self.folder / place / "mine.hpp").unlink()

    def test_all_that_is_handed_in(self):
        names = [
            "NOTEBOOK.md",
            "flags.txt",
            "mine.hpp",
            "mine_openmp.hpp",
            "notebook.csv",
            "tiles.h",
            "tiles.hpp",
            "worksheet.hpp",
        ]
        self.put(*(f"{P1}/{name}" for name in names))
        self.put("part3_cuda/mine.cuh", "part3_cuda/kernel.cuh")
        self.assertEqual(
            self.files(),
            sorted(
                [f"{P1}/{name}" for name in names]
                + ["part3_cuda/kernel.cuh", "part3_cuda/mine.cuh"]
            ),
        )
        self.assertEqual(self.why(), {})

    def test_a_whole_tree_gives_the_same(self):
        for name in ("naive.hpp", "README.md", "CMakeLists.txt", "mine.hpp", "questions.json"):
            self.put(f"lab/{P1}/{name}", content=(ROOT / P1 / name).read_bytes())
        self.put(
            "lab/common/check/main.cpp",
            "lab/lab",
            "lab/CMakeLists.txt",
            f"lab/solutions/{P1}/fused.hpp",
            f"lab/solutions/{P1}/worksheet.hpp",
            "lab/common/lab/src/nbody_lab/worksheet/judge.py",
        )
        self.assertEqual(self.files(), [f"{P1}/mine.hpp"])
        why = self.why()
        self.assertEqual((set(why.values()), len(why)), ({"belongs to the lab"}, 10), why)

    def test_what_is_no_file_that_is_handed_in(self):
        names = [
            "mine-2.hpp",
            "mine_count.hpp",
            "mine.cuh",
            "mine.hpp.old",
            "a.out",
            "tool.py",
            "x y.hpp",
            "deep/own.hpp",
            "mine.cpp",
            "simulator/simulator.hpp",
        ]
        self.put(*(f"{P1}/{name}" for name in names))
        self.assertEqual(self.files(), [])
        self.assertEqual(self.why(), {f"{P1}/{name}": "not a file to hand in" for name in names})

    def test_another_case_is_named(self):
        self.put(f"{P1}/Mine.hpp", f"{P1}/notebook.MD")
        self.assertEqual(
            self.why(),
            {
                f"{P1}/Mine.hpp": "it should be called mine.hpp",
                f"{P1}/notebook.MD": "it should be called NOTEBOOK.md",
            },
        )

    def test_flat_files(self):
        self.put("mine.hpp", "worksheet.hpp", "tiles.hpp")
        self.assertEqual(
            self.files(PART1), [f"{P1}/mine.hpp", f"{P1}/tiles.hpp", f"{P1}/worksheet.hpp"]
        )
        self.assertEqual(self.files(), [])
        self.assertIn("which part is it for", self.why()["mine.hpp"])

    def test_flat_files_that_name_their_part(self):
        self.put(
            "anna/part1_mine.hpp",
            "anna/part2-worksheet.hpp",
            "anna/mine.cuh",
            "anna/part9_mine.hpp",
        )
        self.assertEqual(
            self.files(),
            [f"{P1}/mine.hpp", "part2_vectorization/worksheet.hpp", "part3_cuda/mine.cuh"],
        )

    def test_another_part_than_asked_for(self):
        self.put("part2_vectorization/mine.hpp")
        self.assertEqual(self.files(PART1), [])
        self.assertEqual(
            self.why(PART1),
            {"part2_vectorization/mine.hpp": "belongs to a part that was not requested"},
        )

    def test_of_two_that_differ_none_is_taken(self):
        self.put(f"{P1}/mine.hpp", f"{P1}/flags.txt")
        self.put(f"backup/{P1}/mine.hpp", content=b"older")
        self.put(f"backup/{P1}/flags.txt")
        self.assertEqual(self.files(), [f"{P1}/flags.txt"])
        self.assertIn("that differ", self.why()[f"{P1}/mine.hpp"])
        self.assertIn("that differ", self.why()[f"backup/{P1}/mine.hpp"])
        self.assertIn("the same as", " ".join(self.why().values()))

    def test_links_and_size(self):
        (self.folder / "part1").mkdir()
        (self.folder / "part1/mine.hpp").symlink_to("/etc/passwd")
        (self.folder / "part2").symlink_to(ROOT / "part2_vectorization")
        os.mkfifo(self.folder / "part1/flags.txt")
        self.put("part1/worksheet.hpp", content=b"x" * 100_001)
        self.assertEqual(self.files(), [])
        self.assertEqual(
            self.why(),
            {
                "part1/mine.hpp": "a link",
                "part2": "a link",
                "part1/flags.txt": "not a regular file",
                "part1/worksheet.hpp": "larger than 100 kB",
            },
        )

    def test_a_thousand_versions(self):
        self.put(*(f"{P1}/mine_{k:04}.hpp" for k in range(1000)))
        self.assertEqual(len(self.files()), 24)
        self.assertEqual(self.why()[f"{P1}/mine_0999.hpp"], "more than 24 such files")

    def test_kept_sources_are_evidence_and_never_built(self):
        self.put(f"{P1}/notebook/003_mine.hpp", f"{P1}/notebook/naive.hpp", f"{P1}/mine.hpp")
        self.assertEqual(self.files(), [f"{P1}/mine.hpp"])
        self.assertEqual(list(self.taken().kept), [f"{P1}/notebook/003_mine.hpp"])
        with tempfile.TemporaryDirectory() as out:
            store(self.taken(), Path(out, "anna"))
            self.assertEqual(Path(out, "anna", P1, "notebook/003_mine.hpp").read_bytes(), b"x")

    def test_nothing(self):
        self.assertEqual((self.files(), self.why()), ([], {}))
