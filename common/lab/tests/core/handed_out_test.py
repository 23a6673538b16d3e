"""The seals of the given code, and what commands say of an edited naive.hpp."""

import contextlib
import io
import json
import subprocess
import unittest
from unittest import mock

import pytest

from nbody_lab import ROOT, workshop
from nbody_lab.commands import bench as bench_command
from nbody_lab.commands import check as check_command
from nbody_lab.commands import counts, try_idea
from nbody_lab.core import handed_out
from nbody_lab.core.messages import ended
from nbody_lab.grade import grading
from nbody_lab.grade.models import ScoredWith
from tests.folder_for_tests import InFolder

ANEW = "changed on purpose? common/lab/src/nbody_lab/core/handed_out.py writes the seals anew"
CODE = "#pragma once\nclass Naive {\n  int a = 1;\n};\n"


class OfThisTree(unittest.TestCase):
    def test_naive_has_its_seal(self):
        found = {
            name: seal for name, seal in handed_out.seals_of_tree(ROOT).items() if "/naive." in name
        }
        self.assertEqual(
            found,
            {
                name: seal
                for name, seal in handed_out.seals().items()
                if "/naive." in name and name in found
            },
            ANEW,
        )
        self.assertTrue(found)

    def test_mine_as_committed_has_its_seal(self):
        """As committed, because a student's own may differ."""
        if subprocess.run(
            [
                "git",
                "-C",
                ROOT,
                "cat-file",
                "-e",
                "HEAD:common/lab/src/nbody_lab/core/handed_out.json",
            ],
            capture_output=True,
            check=False,
        ).returncode:
            self.skipTest("no git")
        for name, seal in handed_out.seals().items():
            text = subprocess.run(
                ["git", "-C", ROOT, "show", f"HEAD:{name}"],
                capture_output=True,
                check=False,
                encoding="utf-8",
            ).stdout
            self.assertEqual(handed_out.seal_of(text), seal, f"{name}: {ANEW}")

    def test_every_part_has_both(self):
        folders_of_parts = {name.split("/")[0] for name in handed_out.seals()}
        self.assertEqual(len(handed_out.seals()), 2 * len(folders_of_parts))
        self.assertLessEqual(
            {file.parent.name for file in ROOT.glob("part*_*/CMakeLists.txt")}, folders_of_parts
        )


class Edited(InFolder):
    def setUp(self):
        super().setUp()
        for name in ("naive.hpp", "mine.hpp"):
            self.put(f"part1_words/{name}", CODE)
        seals = self.folder / "handed_out.json"
        seals.write_text(json.dumps(handed_out.seals_of_tree(self.folder)))
        self.use(handed_out, SEALS=seals)

    def use(self, module, **values):
        patch = mock.patch.multiple(module, **values)
        patch.start()
        self.addCleanup(patch.stop)

    def put(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def line(self):
        return handed_out.what_is_edited(self.folder, "part1")

    def test_as_given(self):
        for same in (
            CODE,
            "// counted: 27\n" + CODE,
            CODE.replace("\n", "\r\n"),
            CODE.replace("= 1", "=\n      1 /* one */"),
        ):
            self.put("part1_words/naive.hpp", same)
            self.assertEqual(self.line(), "")
            self.assertTrue(handed_out.is_given_mine(self.folder / "part1_words", same))

    def test_edited(self):
        name = "part1_words/naive.hpp"
        for other in (CODE.replace("1", "2"), CODE + '"// 1"', ""):
            self.put(name, other)
            self.assertEqual(
                self.line(),
                f"{name} is not the file that was handed out: git checkout {name} brings it back",
            )
            self.assertFalse(handed_out.is_given_mine(self.folder / "part1_words", other))
        self.put(f"common/given/{name}", CODE)  # a handout has no git
        self.assertEqual(
            self.line(),
            f"{name} is not the file that was handed out: cp common/given/{name} {name} brings it back",
        )

    def test_edited_mine_and_unknown_parts_are_nobodys_business(self):
        self.put("part1_words/mine.hpp", "mine")
        self.put("part9_words/naive.hpp", "new")
        self.assertEqual(
            (
                self.line(),
                handed_out.what_is_edited(self.folder, "part9"),
                handed_out.what_is_edited(self.folder, "part7"),
            ),
            ("", "", ""),
        )

    def test_grade_warns(self):
        self.use(
            grading,
            ROOT=self.folder,
            find_class=lambda *_: (self.folder, []),
            course_of=mock.Mock(side_effect=KeyboardInterrupt),
        )
        self.put("part1_words/naive.hpp", CODE.replace("1", "2"))
        out, how = self.folder / "out", grading.Measuring(part=("part1",))
        with contextlib.redirect_stderr(io.StringIO()) as err:
            ended(grading.grade_class, None, self.folder, out, ScoredWith(), how)
        self.assertIn("naive.hpp is not the file that was handed out", err.getvalue())


LINE = "lab: part1_words/naive.hpp is not the file that was handed out: git checkout part1_words/naive.hpp brings it back\n"


@pytest.fixture
def edited_baseline(tmp_path, monkeypatch):
    """A tree whose part1 has an edited naive.hpp; a command ends where a build would begin."""
    seals = {"part1_words/naive.hpp": handed_out.seal_of(CODE)}
    monkeypatch.setattr(handed_out, "seals", lambda: seals)
    (tmp_path / "part1_words").mkdir()
    (tmp_path / "part1_words/naive.hpp").write_text(CODE.replace("1", "2"))
    (tmp_path / "part1_words/CMakeLists.txt").write_text("")
    for module in (check_command, counts, bench_command, try_idea, workshop):
        monkeypatch.setattr(module, "ROOT", tmp_path)

    def interrupt(*_):
        raise KeyboardInterrupt

    for name in ("begin", "build_targets", "demand_targets"):
        monkeypatch.setattr(workshop.Workshop, name, interrupt)
    monkeypatch.setattr(counts, "has_worksheet", lambda _: True)


@pytest.mark.parametrize(
    "line", ["try part1 mine idea --expect 2", "bench part1", "bench part1 naive mine -n 10"]
)
def test_comparisons_with_an_edited_baseline_are_refused(line, edited_baseline, run_lab):
    assert run_lab(*line.split()) == (2, "", LINE)


def test_others_warn_and_go_on(edited_baseline, run_lab):
    status, _, error = run_lab("worksheet", "part1")
    assert error.startswith(LINE)
    assert status != 2
    assert "handed out" not in run_lab("bench", "part1", "mine").error
