"""Is a measurement drawn in the requested folder, kept if nothing can draw, and never drawn over another?"""

import contextlib
import io
from pathlib import Path
from unittest import mock

from nbody_lab.core.messages import Failure
from nbody_lab.draw import pictures
from tests.folder_for_tests import InFolder


class PicturesTest(InFolder):
    def setUp(self):
        super().setUp()
        self.drawn = []

    def measured(self, options, can_draw=True, status=0, writes=True):
        """(status, the options passed to bench, the messages)"""
        got = []

        def measure(words):
            got.append(words)
            if writes:
                Path(words[words.index("--json") + 1]).write_text("{}")
            return status

        said = io.StringIO()
        with (
            mock.patch.object(pictures, "can_draw", lambda: can_draw),
            mock.patch.object(
                pictures, "draw", lambda *words: self.drawn.append([str(word) for word in words])
            ),
            mock.patch.object(pictures, "ROOT", self.folder),
            contextlib.redirect_stderr(said),
            contextlib.redirect_stdout(io.StringIO()),
        ):
            return pictures.measured_and_drawn(measure, "part1", options), got[0], said.getvalue()

    def test_into_the_folder_that_was_named(self):
        for options in (
            ["-n", "5", "--plot", f"{self.folder}/a"],
            [f"--plot={self.folder}/a", "-n", "5"],
        ):
            file = f"{self.folder}/a/result{'-2' if self.drawn else ''}.json"
            self.assertEqual(self.measured(options), (0, ["-n", "5", "--json", file], ""))
            self.assertEqual(self.drawn[-1], ["bench", file, f"{self.folder}/a"])

    def test_a_file_that_was_named_is_drawn_too(self):
        file = f"{self.folder}/mine.json"
        self.measured(["--json", file, "--plot", str(self.folder)])
        self.assertEqual(self.drawn, [["bench", file, str(self.folder)]])

    def test_without_a_name_each_measurement_has_a_folder(self):
        status, options, _ = self.measured([], status=1)
        self.assertEqual((status, options[0]), (1, "--json"))
        self.assertRegex(self.drawn[0][2], r"build/pictures/\d{4}-\d\d-\d\d_\d{6}_part1$")

    def test_where_nothing_draws_the_result_stays_and_the_command_is_told(self):
        _, options, said = self.measured(["--plot", f"{self.folder}/a"], can_draw=False)
        self.assertTrue(Path(options[-1]).exists())
        self.assertEqual(said.count("\n"), 1)
        self.assertIn("./lab setup --pictures", said)
        self.assertIn(f"./lab plot bench {self.folder}/a/result.json {self.folder}/a", said)
        self.assertEqual(
            self.measured(["-n", "5"], can_draw=False, writes=False), (0, ["-n", "5"], "")
        )

    def test_what_measured_nothing_leaves_nothing(self):
        self.assertEqual(
            self.measured(["--plot", f"{self.folder}/a"], status=2, writes=False)[0], 2
        )
        self.assertEqual((self.drawn, (self.folder / "a").exists()), ([], False))

    def test_an_older_result_is_not_drawn_again(self):
        file = self.folder / "mine.json"
        file.write_text("{}")
        self.assertEqual(self.measured(["--json", str(file)], status=2, writes=False)[0], 2)
        self.assertEqual(self.drawn, [])

    def test_a_folder_that_cannot_be_is_refused_before_measuring(self):
        (self.folder / "file").write_text("")
        for options in (["--plot", f"{self.folder}/file"], ["--plot"], ["--plot="]):
            with (
                self.assertRaises(Failure) as fault,
                contextlib.redirect_stderr(io.StringIO()) as said,
            ):
                pictures.measured_and_drawn(lambda words: self.fail("measured"), "part1", options)
            self.assertEqual((fault.exception.status, said.getvalue().count("\n")), (2, 1))
