"""The workshop's view of the manifest, and when it reads it."""

import contextlib
import io
import json
from unittest import mock

from nbody_lab import workshop
from nbody_lab.core.messages import Failure
from tests.folder_for_tests import InFolder


def manifest_of(*names):
    return json.dumps(
        {
            "version": 2,
            "parts": [],
            "implementations": [{"part": "part1", "name": name, "kind": "mine"} for name in names],
        }
    )


class WorkshopTest(InFolder):
    def setUp(self):
        super().setUp()
        self.lab = workshop.Workshop()
        self.lab.part, self.lab.manifest = "part1", self.folder / "manifest.json"

    def test_read_once_for_each_change(self):
        self.lab.manifest.write_text(manifest_of("mine"), encoding="utf-8")
        with mock.patch.object(workshop, "Manifest", wraps=workshop.Manifest) as reading:
            for _ in range(3):
                self.assertEqual(self.lab.names(), ["mine"])
            self.assertEqual(reading.call_count, 1)
            self.lab.manifest.write_text(manifest_of("mine", "mine_fused"), encoding="utf-8")
            self.assertEqual(self.lab.names(), ["mine", "mine_fused"])
            self.assertEqual(reading.call_count, 2)

    def test_nothing_is_known_where_there_is_none(self):
        self.assertEqual(self.lab.names(), [])
        self.lab.manifest.write_text("no manifest", encoding="utf-8")
        self.assertEqual(self.lab.names(), [])
        self.lab.manifest.write_text(manifest_of("mine"), encoding="utf-8")
        self.assertEqual(self.lab.names(), ["mine"])
        self.lab.manifest.unlink()
        self.assertEqual(self.lab.names(), [])

    def said_of_mine_once_it_is_gone(self):
        """The messages after mine's file is deleted, while an older manifest still lists it."""
        self.lab.manifest.write_text(
            manifest_of("mine").replace('"kind"', '"source": "part1_x/mine.hpp", "kind"'),
            encoding="utf-8",
        )
        looked = mock.Mock(
            side_effect=lambda *_: self.lab.manifest.write_text(
                manifest_of("naive"), encoding="utf-8"
            )
        )
        with (
            mock.patch.object(self.lab, "step", looked),
            mock.patch.object(workshop, "ROOT", self.lab.manifest.parent),
            contextlib.redirect_stderr(io.StringIO()) as said,
            self.assertRaises(Failure),
        ):
            self.lab.demand_name("mine")
        return said.getvalue()

    def test_a_file_that_is_gone_is_no_implementation(self):
        said = self.said_of_mine_once_it_is_gone()
        self.assertEqual(
            said, "lab: part1 has no implementation 'mine'; ./lab list part1 shows what there is\n"
        )

    def test_a_version_that_passed_can_come_back(self):
        passed = self.lab.manifest.parent / "part1_x" / workshop.PASSED
        passed.mkdir(parents=True)
        (passed / "mine.hpp").write_text("passed", encoding="utf-8")
        said = self.said_of_mine_once_it_is_gone()
        self.assertEqual(
            said,
            "lab: part1 has no implementation 'mine'; ./lab undo part1 mine restores the last one that passed\n",
        )

    def test_without_a_compiler_commands_say_so_at_once(self):
        with (
            mock.patch.object(workshop, "gpu_answers", lambda: True),
            mock.patch.object(workshop, "has_cuda_compiler", lambda: False),
            contextlib.redirect_stderr(io.StringIO()) as told,
            self.assertRaises(Failure),
        ):
            self.lab.part = "part3"
            self.lab.refuse_without_gpu()
        self.assertEqual(
            told.getvalue(),
            "lab: part3 is not built here: a CUDA compiler was not found (./lab setup --cuda)\n",
        )

    def test_without_a_gpu_nothing_is_built_to_find_one(self):
        with (
            mock.patch.object(workshop, "gpu_answers", lambda: False),
            mock.patch.object(self.lab, "build_targets") as building,
            mock.patch.object(self.lab, "on_gpu", lambda: True),
            contextlib.redirect_stderr(io.StringIO()),
            self.assertRaises(Failure),
        ):
            self.lab.demand_gpu()
        building.assert_not_called()
