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
from pathlib import Path
from types import SimpleNamespace

import pytest

from nbody_lab.commands import view as view_command
from nbody_lab.core.messages import UserError
from nbody_lab.core.simulation_options import SIMULATION_OPTIONS, take_options
from tests import BUILD, said_by

VIEW = BUILD / "bin/view"
if not VIEW.exists() or not (BUILD / "bin/part1/naive").exists():
    pytest.skip("no program view (./lab setup --view), or no part 1", allow_module_level=True)
ARGV = [VIEW, "part1", "naive", "--manifest", BUILD / "manifest.json"]
SMALL = "--scene galaxy -n 50 --frames 5 --size 128x96"
needs_ffmpeg = pytest.mark.skipif(not shutil.which("ffmpeg"), reason="no ffmpeg")
needs_xvfb = pytest.mark.skipif(
    not shutil.which("xvfb-run") or not shutil.which("xauth"), reason="no xvfb-run"
)


def view(folder, words, before=(), **environment):
    env = {**os.environ, **environment}
    return said_by([*before, *ARGV, *words.split()], cwd=folder, timeout=300, env=env)


@needs_ffmpeg
def test_the_same_command_gives_the_same_pictures(tmp_path):
    sums = []
    for name in ("a.mp4", "b.mp4"):
        assert view(tmp_path, f"-o {name} {SMALL}")[0] == 0
        frames = ["ffmpeg", "-v", "error", "-i", tmp_path / name, "-f", "framemd5", "-"]
        sums.append(said_by(frames)[1])
    assert sums[0] == sums[1]
    assert sums[0].count("\n0,") == 5
    assert sorted(os.listdir(tmp_path)) == ["a.mp4", "b.mp4"]


@needs_ffmpeg
def test_ctrl_c_leaves_no_file_and_no_process(tmp_path):
    words = "-o a.mp4 -n 500 --frames 100000 --size 128x96".split()
    with subprocess.Popen(
        [*ARGV, *words], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    ) as process:
        while not os.listdir(tmp_path):
            time.sleep(0.05)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
    assert (process.returncode, error) == (130, "view: interrupted\n")
    assert os.listdir(tmp_path) == []
    assert len(children) == 2  # ffmpeg and the simulator
    until = time.monotonic() + 60
    while any(Path("/proc", child).exists() for child in children):
        assert time.monotonic() < until, "a process is left"
        time.sleep(0.1)


@pytest.mark.parametrize(
    ("words", "environment", "said"),
    [
        ("-o a.avi", {}, ".mp4, .gif or .webm"),
        ("-o no/a.gif", {}, "no folder"),
        ("-o a.mp4 --size 101x100", {}, "even numbers"),
        ("-o a.mp4 --integrator magic", {}, "unknown integrator"),
        (f"-o a.mp4 {SMALL} --dt 1e30", {}, "no longer finite numbers"),
        ("-o a.mp4 -w out", {}, "belongs to ./lab run"),
        ("-o a.mp4", {"PATH": "/nowhere"}, "ffmpeg, which writes films, is missing"),
        ("", {"DISPLAY": "", "WAYLAND_DISPLAY": ""}, "no window can be opened here"),
    ],
)
@needs_ffmpeg
def test_what_cannot_be_is_one_line(words, environment, said, tmp_path):
    status, _, error = view(tmp_path, words, **environment)
    assert (status, error.count("\n"), os.listdir(tmp_path)) == (2, 1, []), error
    assert said in error


@needs_xvfb
def test_keys_and_a_picture(tmp_path):
    """The view steps once, changes colours, writes a picture, follows a body, and closes."""
    keys = ["--keys", "sctgf++ap q"]
    argv = ["xvfb-run", "-a", *ARGV, *"-n 50 --scene galaxy --size 320x240".split(), *keys]
    status, _, error = said_by(argv, cwd=tmp_path, timeout=300)
    assert status == 0, error
    (picture,) = os.listdir(tmp_path)
    assert re.fullmatch(r"view\.\d+\.png", picture)
    assert (tmp_path / picture).read_bytes().startswith(b"\x89PNG")


@contextlib.contextmanager
def in_window(folder, words):
    """(the display server, the view running in it)"""
    read, write = os.pipe()
    argv = ["Xvfb", "-displayfd", str(write)]
    with subprocess.Popen(argv, pass_fds=(write,), stderr=subprocess.DEVNULL) as server:
        display = os.read(read, 20).decode().strip()
        with subprocess.Popen(
            [*ARGV, "-n", "50", *words.split()],
            cwd=folder,
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


@needs_xvfb
def test_a_display_that_goes_is_one_line(tmp_path):
    with in_window(tmp_path, "--keys p") as (server, process):
        process.stderr.readline()  # the window is there once its picture is written
        server.kill()
        _, error = process.communicate(timeout=60)
    assert (process.returncode, error) == (2, "view: the display is gone\n")


@needs_xvfb
def test_after_the_last_iteration_it_says_that_the_window_stays(tmp_path):
    with in_window(tmp_path, "-i 30") as (_, process):
        line = "view: all 30 iterations are done; Esc closes the window\n"
        assert process.stderr.readline() == line
        assert process.poll() is None


# --- which runs open a window, and what --save needs -------------------------------------------------


@pytest.fixture
def show_before_run(monkeypatch, capsys):
    """(the words that start the window, messages) of a run with everything built."""

    def show(options, terminal=True, configured=True, display=":0"):
        started = []
        lab = SimpleNamespace(part="part1", build=Path("/build"), manifest=Path("/build/m.json"))
        lab.build_targets, lab.unlock = (lambda *_: True), (lambda: None)
        monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
        monkeypatch.setenv("DISPLAY", display)
        for name, value in (
            ("_is_configured", lambda _: configured),
            ("run_program", lambda argv, become: started.append(argv[1:3])),
            ("is_interactive", lambda: terminal),
        ):
            monkeypatch.setattr(view_command, name, value)
        words = ["-n", "10", "-i", "1", *options.split()]
        given, left = take_options("run", words, SIMULATION_OPTIONS)
        assert not left
        view_command.show_before_run(lab, "naive", given)
        return started, capsys.readouterr().err

    return show


def test_a_person_at_a_display_sees_it_and_hears_how_not_to(show_before_run):
    started, error = show_before_run("-v")
    assert started == [["part1", "naive"]]
    assert "--nv" in error


@pytest.mark.parametrize(
    ("options", "terminal"),
    [
        ("--nv", True),
        ("-w out", True),
        ("--json=x", True),
        ("--log x.csv", True),
        ("--version", True),
        ("", False),
    ],
)
def test_runs_that_keep_something_and_scripts_open_no_window(options, terminal, show_before_run):
    assert show_before_run(options, terminal) == ([], "")


@pytest.mark.parametrize("place", [{"display": ""}, {"configured": False}])
def test_without_display_or_program_it_is_one_line(place, show_before_run):
    started, error = show_before_run("", **place)
    assert (started, error.count("\n")) == ([], 1)
    assert "--nv" in error


@pytest.mark.parametrize(
    ("options", "free", "said"),
    [
        ("-n 1000 -i 100", 4e6, "101 states need at least 5.0 MB, but only 4.0 MB are"),
        ("-n=1000 -i100", 4e6, "101 states need at least 5.0 MB, but only 4.0 MB are free"),
        ("-n 1000 -i 100 --every 50", 1e5, " 3 states need"),
    ],
)
def test_states_want_room_before_hours_of_computing(
    options, free, said, run_lab, nothing_is_built, tmp_path, monkeypatch
):
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free))
    file = tmp_path / "a.xyz"
    status, _, error = run_lab("record", "part1", "naive", "--save", file, *options.split())
    assert status == 2
    assert error.startswith(f"lab: {file}: ")
    assert said in error


def test_states_that_cannot_be_exported_are_kept(run_lab, tmp_path, monkeypatch):
    def export(*_):
        raise UserError("a full disk")

    monkeypatch.setattr(view_command.export, "export", export)
    file = tmp_path / "a.xyz"
    status, _, error = run_lab("record", "part1", "naive", "--save", file, "-n", "10", "-i", "2")
    assert status == 2
    base = Path(re.search(r"the states are kept: \./lab export (\S+) FILE\.xyz", error)[1])
    assert [*base.parent.glob("state.*.dat")]
    shutil.rmtree(base.parent)
