"""Are films reproducible, does a window open and close, and does every failure leave only one line?

Needs the programs view and part1/naive there; the window needs xvfb-run.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path
from unittest import mock

import pytest

from nbody_lab.commands import view as view_command
from nbody_lab.core.messages import UserError
from nbody_lab.core.simulation_options import SIMULATION_OPTIONS, take_options
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


# --- which runs open a window, and what --save needs -------------------------------------------------


class Lab:
    """A workshop with everything built."""

    part, build, manifest = "part1", Path("/build"), Path("/build/manifest.json")

    def build_targets(self, *_):
        return True

    def unlock(self):
        pass


def shown_before_run(monkeypatch, capsys, *options, terminal=True, configured=True, display=""):
    """(the words that start the window, messages)"""
    started = []
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.setattr(view_command, "_is_configured", lambda _: configured)
    monkeypatch.setattr(view_command, "run_program", lambda argv, become: started.append(argv[1:3]))
    monkeypatch.setattr(view_command, "is_interactive", lambda: terminal)
    given, left = take_options("run", ["-n", "10", "-i", "1", *options], SIMULATION_OPTIONS)
    assert not left
    view_command.show_before_run(Lab(), "naive", given)
    return started, capsys.readouterr().err


def test_a_person_at_a_display_sees_it_and_hears_how_not_to(monkeypatch, capsys):
    started, said = shown_before_run(monkeypatch, capsys, "-v", display=":0")
    assert started == [["part1", "naive"]]
    assert "--nv" in said


@pytest.mark.parametrize(
    "options", [["--nv"], ["-w", "out"], ["--json=x"], ["--log", "x.csv"], ["--version"]]
)
def test_runs_that_keep_something_open_no_window(monkeypatch, capsys, options):
    assert shown_before_run(monkeypatch, capsys, *options, display=":0") == ([], "")


def test_scripts_open_no_window(monkeypatch, capsys):
    assert shown_before_run(monkeypatch, capsys, terminal=False, display=":0") == ([], "")


@pytest.mark.parametrize("place", [{}, {"display": ":0", "configured": False}])
def test_without_display_or_program_it_is_one_line(monkeypatch, capsys, place):
    started, said = shown_before_run(monkeypatch, capsys, **place)
    assert (started, said.count("\n")) == ([], 1)
    assert "--nv" in said


@pytest.mark.parametrize(
    ("options", "free", "said"),
    [
        (["-n", "1000", "-i", "100"], 4e6, "101 states need at least 5.0 MB, but only 4.0 MB are"),
        (["-n=1000", "-i100"], 4e6, "101 states need at least 5.0 MB, but only 4.0 MB are free"),
        (["-n", "1000", "-i", "100", "--every", "50"], 1e5, " 3 states need"),
    ],
)
def test_states_want_room_before_hours_of_computing(
    options, free, said, run_lab, nothing_is_built, tmp_path, monkeypatch
):
    monkeypatch.setattr("shutil.disk_usage", lambda _: mock.Mock(free=free))
    file = tmp_path / "a.xyz"
    status, _, error = run_lab("record", "part1", "naive", "--save", file, *options)
    assert status == 2
    assert error.startswith(f"lab: {file}: ")
    assert said in error


def test_states_that_cannot_be_exported_are_kept(run_lab, tmp_path, monkeypatch):
    def export(*_):
        raise UserError("a full disk")

    monkeypatch.setattr(view_command.export, "export", export)
    file = tmp_path / "a.xyz"
    options = ("-n", "10", "-i", "2")
    status, _, error = run_lab("record", "part1", "naive", "--save", file, *options)
    assert status == 2
    base = re.search(r"the states are kept: \./lab export (\S+) FILE\.xyz", error)[1]
    folder = Path(base).parent
    assert [*folder.glob("state.*.dat")]
    shutil.rmtree(folder)
