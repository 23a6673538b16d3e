"""Are films reproducible, does a window open and close, and does every failure leave only one line?

Needs the programs view and part1/naive there; the window needs xvfb-run.
"""

import contextlib
import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import pytest

from nbody_lab.commands import view as commands_view
from nbody_lab.core.messages import Failure
from tests import BUILD
from tests.folder_for_tests import InFolder

VIEW = BUILD / "bin/view"
if not VIEW.exists() or not (BUILD / "bin/part1/naive").exists():
    pytest.skip("no program view (./lab setup --view), or no part 1", allow_module_level=True)
SMALL = ("--scene", "galaxy", "-n", "50", "--frames", "5", "--size", "128x96")


def words_of(*words):
    return [VIEW, "part1", "naive", "--manifest", BUILD / "manifest.json", *words]


class ViewInFolder(InFolder):
    def view(self, *words, before=(), **environment):
        return subprocess.run(
            [*before, *words_of(*words)],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
            env={**os.environ, **environment},
        )

    def left(self):
        return sorted(file.name for file in self.folder.iterdir())

    def expect_one_line(self, run, said, status=2):
        self.assertEqual((run.returncode, run.stderr.count("\n")), (status, 1), run.stderr)
        self.assertIn(said, run.stderr)
        self.assertEqual(self.left(), [])


@unittest.skipUnless(shutil.which("ffmpeg"), "no ffmpeg")
class RecordTest(ViewInFolder):
    def pictures(self, file):
        """A checksum of each picture."""
        return subprocess.run(
            ["ffmpeg", "-v", "error", "-i", self.folder / file, "-f", "framemd5", "-"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    def test_the_same_command_gives_the_same_pictures(self):
        for name in ("a.mp4", "b.mp4"):
            self.assertEqual(self.view("-o", name, *SMALL).returncode, 0)
        self.assertEqual(self.pictures("a.mp4"), self.pictures("b.mp4"))
        self.assertEqual(self.pictures("a.mp4").count("\n0,"), 5)
        self.assertEqual(self.left(), ["a.mp4", "b.mp4"])

    def test_ctrl_c_leaves_no_file_and_no_process(self):
        with subprocess.Popen(
            words_of("-o", "a.mp4", "-n", "500", "--frames", "100000", "--size", "128x96"),
            cwd=self.folder,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            while not self.left():
                time.sleep(0.05)
            children = (
                Path(f"/proc/{process.pid}/task/{process.pid}/children")
                .read_text(encoding="utf-8")
                .split()
            )
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=60)
        self.assertEqual((process.returncode, said), (130, "view: interrupted\n"))
        self.assertEqual(self.left(), [])
        self.assertEqual(len(children), 2)  # ffmpeg and the simulator
        for _ in range(600):
            if not any(Path("/proc", child).exists() for child in children):
                return
            time.sleep(0.1)
        self.fail("a process is left")

    def test_bad_input_is_one_line(self):
        for said, words in (
            (".mp4, .gif or .webm", ("-o", "a.avi")),
            ("no folder", ("-o", "no/a.gif")),
            ("even numbers", ("-o", "a.mp4", "--size", "101x100")),
            ("unknown integrator", ("-o", "a.mp4", "--integrator", "magic")),
            ("no longer finite numbers", ("-o", "a.mp4", *SMALL, "--dt", "1e30")),
            ("belongs to ./lab run", ("-o", "a.mp4", "-w", "out")),
        ):
            self.expect_one_line(self.view(*words), said)
        self.expect_one_line(
            self.view("-o", "a.mp4", PATH="/nowhere"), "ffmpeg, which writes films, is missing"
        )


class WindowTest(ViewInFolder):
    def test_without_a_display_it_is_one_line(self):
        self.expect_one_line(
            self.view(DISPLAY="", WAYLAND_DISPLAY=""), "no window can be opened here"
        )

    @unittest.skipUnless(shutil.which("xvfb-run") and shutil.which("xauth"), "no xvfb-run")
    def test_keys_and_a_picture(self):
        """The view steps once, changes colours, writes a picture, follows a body, and closes."""
        run = self.view(
            "-n",
            "50",
            "--scene",
            "galaxy",
            "--size",
            "320x240",
            "--keys",
            "sctgf++ap q",
            before=("xvfb-run", "-a"),
        )
        self.assertEqual(run.returncode, 0, run.stderr)
        (picture,) = self.left()
        self.assertRegex(picture, r"^view\.\d+\.png$")
        self.assertTrue((self.folder / picture).read_bytes().startswith(b"\x89PNG"))

    @contextlib.contextmanager
    def in_window(self, *words):
        """(the display server, the view running in it)"""
        read, write = os.pipe()
        with subprocess.Popen(
            ["Xvfb", "-displayfd", str(write)], pass_fds=(write,), stderr=subprocess.DEVNULL
        ) as server:
            display = os.read(read, 20).decode().strip()
            with subprocess.Popen(
                words_of("-n", "50", *words),
                cwd=self.folder,
                stderr=subprocess.PIPE,
                text=True,
                env={**os.environ, "DISPLAY": f":{display}"},
            ) as process:
                try:
                    yield server, process
                finally:
                    process.kill()
                    server.kill()
        os.close(read), os.close(write)

    @unittest.skipUnless(shutil.which("Xvfb"), "no Xvfb")
    def test_a_display_that_goes_is_one_line(self):
        with self.in_window("--keys", "p") as (server, process):
            process.stderr.readline()  # the window is there once its picture is written
            server.kill()
            _, said = process.communicate(timeout=60)
        self.assertEqual((process.returncode, said), (2, "view: the display is gone\n"))

    @unittest.skipUnless(shutil.which("Xvfb"), "no Xvfb")
    def test_after_the_last_iteration_it_says_that_the_window_stays(self):
        with self.in_window("-i", "30") as (_, process):
            self.assertEqual(
                process.stderr.readline(),
                "view: all 30 iterations are done; Esc closes the window\n",
            )
            self.assertIsNone(process.poll())


class Lab:
    """A workshop with everything built."""

    part, build, manifest = "part1", Path("/build"), Path("/build/manifest.json")

    def build_targets(self, *_):
        return True

    def unlock(self):
        pass


class RunTest(unittest.TestCase):
    """Which runs open a window first?"""

    def shown(self, *options, terminal=True, known=True, **environment):
        """(the command line of the window, messages)"""
        started, said = [], io.StringIO()
        with (
            mock.patch.dict(os.environ, environment),
            mock.patch.object(commands_view, "is_known", return_value=known),
            mock.patch.object(
                commands_view, "run_program", lambda words, become: started.append(words[1:3])
            ),
            mock.patch.object(sys, "stdin", mock.Mock(isatty=lambda: terminal)),
            mock.patch.object(sys, "stdout", mock.Mock(isatty=lambda: terminal)),
            contextlib.redirect_stderr(said),
        ):
            for name in {"DISPLAY", "WAYLAND_DISPLAY"} - set(environment):
                os.environ.pop(name, None)
            commands_view.show_before_run(Lab(), "naive", ["-n", "10", "-i", "1", *options])
        return started, said.getvalue()

    def test_a_person_at_a_display_sees_it_and_hears_how_not_to(self):
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            started, said = self.shown("-v", **{name: ":0"})
            self.assertEqual(started, [["part1", "naive"]])
            self.assertIn("--nv", said)

    def test_scripts_and_runs_that_keep_something_do_not(self):
        self.assertEqual(self.shown(terminal=False, DISPLAY=":0"), ([], ""))
        for option in (["--nv"], ["-w", "out"], ["--json=x"], ["--log", "x.csv"], ["-h"]):
            self.assertEqual(self.shown(*option, DISPLAY=":0"), ([], ""), option)

    def test_without_display_or_program_it_is_one_line(self):
        for place in ({}, {"DISPLAY": ":0", "known": False}):
            started, said = self.shown(**place)
            self.assertEqual((started, said.count("\n")), ([], 1))
            self.assertIn("--nv", said)

    def test_states_are_refused_before_anything_is_built(self):
        for words, said in (
            (["part1", "naive", "--save", "a.txt"], "--save writes FILE.xyz"),
            (["part1", "naive", "--save"], "--save needs a file"),
            (["part1", "naive", "--save", "/nodir/a.xyz"], "(no folder /nodir): create it or"),
            (["part1", "naive", "-o", "a.gif", "--save", "a.xyz"], "leave out -o and -w"),
        ):
            with contextlib.redirect_stderr(io.StringIO()) as err, self.assertRaises(Failure):
                commands_view.record(Lab(), words)
            self.assertIn(said, err.getvalue())

    def save(self, folder, *options, free=1e12):
        """(the command line of the run, messages) of a run that could not be saved."""
        lab = mock.Mock(
            part="part1",
            build=Path(folder),
            **{
                "choose_part.side_effect": lambda _, words: words[1:],
                "double_targets.return_value": [],
                "program.return_value": "bin/part1/naive",
            },
        )
        started, said = [], io.StringIO()
        with (
            mock.patch("shutil.disk_usage", return_value=mock.Mock(free=free)),
            contextlib.redirect_stderr(said),
            mock.patch.object(
                commands_view, "run_program", lambda words, become: started.extend(words) or 0
            ),
            self.assertRaises(Failure),
        ):
            commands_view.record(lab, ["part1", "naive", "--save", f"{folder}/a.xyz", *options])
        return started, said.getvalue()

    def test_states_want_room_before_hours_of_computing(self):
        with tempfile.TemporaryDirectory() as folder:
            options = ["-n", "1000", "-i", "100"]
            started, said = self.save(folder, *options, free=4e6)
            self.assertEqual(started, [])
            self.assertIn("a.xyz: 101 states need at least 5.0 MB, but only 4.0 MB are free", said)
            self.assertIn(
                " 3 states need", self.save(folder, *options, "--every", "50", free=1e5)[1]
            )

    def test_states_that_cannot_be_exported_are_kept(self):
        with (
            tempfile.TemporaryDirectory() as folder,
            mock.patch("nbody_lab.export.command.export", side_effect=Failure(2)),
        ):
            started, said = self.save(folder, "-n", "1000", "-i", "100")
            self.assertIn(f"the states are kept: ./lab export {started[-1]} FILE.xyz", said)
            self.assertTrue(Path(started[-1]).parent.is_dir())

    def test_view_and_record_want_what_they_need(self):
        with (
            mock.patch.dict(os.environ, {"DISPLAY": "", "WAYLAND_DISPLAY": ""}),
            contextlib.redirect_stderr(io.StringIO()) as said,
        ):
            for command, words in (
                (commands_view.view, ["part1", "naive"]),
                (commands_view.view, ["part1", "naive", "-o", "a.mp4"]),
                (commands_view.record, ["part1", "naive"]),
            ):
                with self.assertRaises(Failure):
                    command(Lab(), words)
        self.assertEqual(said.getvalue().count("\n"), 3)
        self.assertIn("./lab record part1 naive -o a.mp4", said.getvalue())
