"""Pictures of bodies, and films: the light falls where the bodies are, and the same command gives the same film."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from nbody_lab import ROOT
from nbody_lab.core.messages import UserError
from nbody_lab.viewing.ffmpeg import FilmFile
from nbody_lab.viewing.film import FilmSetting, iterations_at, record_film, write_lines
from nbody_lab.viewing.light import Camera, Film, Palette, Trails, develop, draw_bodies, sizes_of
from nbody_lab.viewing.look import Look
from nbody_lab.viewing.recording import page_of
from nbody_lab.viewing.until_signal import run_until_signal
from tests.viewing.programs_for_tests import NAIVE, names_in

WIDTH, HEIGHT = 320, 240
needs_ffmpeg = pytest.mark.skipif(not shutil.which("ffmpeg"), reason="no ffmpeg")


def cluster(bodies=200):
    points = np.random.default_rng(1).normal(0, 0.4, (bodies, 3)).astype(np.float32)
    points[3] = (0.1, 0.1, 0)
    return points


def draw(points, *before, glow=True, panels=1, camera=None, masses=None):
    """A picture, height x width x 3; `before`: earlier states, whose trails are seen."""
    film, camera = Film(WIDTH // panels, HEIGHT), camera or Camera()
    sizes = sizes_of(np.ones(len(points)) if masses is None else masses)
    values = np.linspace(0, 1, len(points), dtype=np.float32)
    if before:
        trails = Trails()
        for state in (*before, points):
            trails.add(state, values)
        trails.draw(film, camera)
    draw_bodies(film, camera, points, sizes, values, glow)
    light = np.concatenate([film.light()] * panels, axis=2)
    return develop(light, panels).transpose(1, 2, 0).astype(int)


def differing(a, b):
    """How many pixels differ to the eye."""
    return int((abs(a.sum(2) - b.sum(2)) > 30).sum())


def test_a_moved_body_moves_its_pixels_and_no_others():
    before, after = cluster(), cluster()
    after[3] = (0.7, -0.4, 0)
    x, y, _ = Camera().place(after[3:4], WIDTH, HEIGHT)
    x, y = round(float(x[0])), round(float(y[0]))
    a, b = draw(before), draw(after)
    assert b[y, x].sum() > a[y, x].sum() + 150
    assert 4 < differing(a, b) < 600


def test_trails_show_where_bodies_were():
    moved = cluster()
    moved[3] += (1, 0, 0)
    assert differing(draw(moved, cluster()), draw(moved)) > 20


def test_glow_makes_light():
    assert draw(cluster()).sum() > 1.1 * draw(cluster(), glow=False).sum()


@pytest.mark.parametrize("zoom", [1, 3, 12, 40])
def test_a_body_is_as_bright_at_every_size(zoom):
    """Wide light is drawn at a lower resolution: the middle stays as bright, and round."""
    alone = np.zeros((1, 3), np.float32)
    picture = draw(alone, camera=Camera(tilt=0.9, distance=2.7 / zoom), masses=np.ones(1)).sum(2)
    middle = picture[HEIGHT // 2 - 1 : HEIGHT // 2 + 1, WIDTH // 2 - 1 : WIDTH // 2 + 1]
    assert middle.max() > 380
    assert abs(picture - picture[::-1]).max() <= 60
    assert abs(picture - picture[:, ::-1]).max() <= 60


def test_what_is_behind_the_camera_or_not_a_number_is_not_drawn():
    behind, nowhere = cluster(), cluster()
    towards_camera = (np.cos(0.9) * np.cos(0.6), np.cos(0.9) * np.sin(0.6), np.sin(0.9))
    behind[5:8] = 4 * np.array(towards_camera), (np.nan, 0, 0), (0, np.inf, 0)
    nowhere[5:8] = np.nan
    assert differing(draw(behind), draw(nowhere)) == 0
    assert differing(draw(cluster()), draw(nowhere)) > 0


def test_two_panels_show_the_same_twice():
    picture = draw(cluster(), panels=2)
    left, right = picture[:, 3 : WIDTH // 2 - 3], picture[:, WIDTH // 2 + 3 : -3]
    assert abs(left.sum() - right.sum()) < 0.002 * left.sum()


def test_colours_are_by_rank_and_do_not_jump():
    palette = Palette()
    amounts = np.linspace(1, 2, 101)
    first = palette.values(amounts, False)
    assert (first[1], first[-2]) == (0, 1)
    assert first[50] == pytest.approx(0.5, abs=0.02)
    later = palette.values(amounts + 10, False)
    assert later.min() == 1  # they follow slowly


def test_text_can_be_read():
    def ink(text):
        picture = np.zeros((3, HEIGHT, WIDTH), np.uint8)
        write_lines(picture, [text], 0)
        assert picture[:, :, 120:].max() == 0
        return picture

    assert ink("8888").max() > 180
    assert ink("8888").sum() > 1.2 * ink("1111").sum() > 1.8 * ink("....").sum() > 0


@pytest.mark.parametrize(
    ("frames", "iterations", "expected"),
    [(5, 8, [0, 2, 4, 6, 8]), (4, 1, [0, 0, 0, 1]), (3, 10**12, [0, 1, 2])],
)
def test_iterations_are_spread_over_the_pictures(frames, iterations, expected):
    assert [iterations_at(frame, frames, iterations) for frame in range(frames)] == expected


# --- whole films -------------------------------------------------------------------------------------

SMALL = ("--scene", "galaxy", "-n", "50", "-i", "8")


def record(file, *options, names=1, frames=5, **look):
    setting = FilmSetting(file, Look(**look), 128, 96, frames)
    run_until_signal(record_film([[NAIVE, *(options or SMALL)]] * names, setting))


@needs_ffmpeg
@pytest.mark.parametrize("names", [1, 2])
@pytest.mark.parametrize("ending", [".mp4", ".gif", ".webm"])
def test_the_same_command_gives_the_same_film(ending, names, tmp_path):
    for name in ("a", "b"):
        record(tmp_path / f"{name}{ending}", names=names)
    assert (tmp_path / f"a{ending}").read_bytes() == (tmp_path / f"b{ending}").read_bytes()
    argv = ["ffmpeg", "-v", "error", "-i", tmp_path / f"a{ending}", "-f", "framemd5", "-"]
    frames = re.findall(r"\w{32}$", subprocess.check_output(argv, text=True), re.M)
    assert len(frames) == len(set(frames)) == 5
    assert names_in(tmp_path) == [f"a{ending}", f"b{ending}"]


@needs_ffmpeg
def test_a_colour_by_acceleration_is_another_film(tmp_path):
    record(tmp_path / "a.gif")
    record(tmp_path / "b.gif", by_acceleration=True)
    assert (tmp_path / "a.gif").read_bytes() != (tmp_path / "b.gif").read_bytes()


@needs_ffmpeg
def test_bodies_that_are_no_numbers_end_it(tmp_path):
    with pytest.raises(UserError, match="no longer finite numbers"):
        record(tmp_path / "a.mp4", *SMALL, "--dt", "1e30")
    assert names_in(tmp_path) == []


@needs_ffmpeg
def test_what_ffmpeg_cannot_do_it_says(tmp_path):
    folder = tmp_path / "gone"
    folder.mkdir()
    with (
        pytest.raises(UserError, match=r"a\.mp4 was not written; ffmpeg said: \S"),
        FilmFile(folder / "a.mp4", 64, 64, 30) as film,
    ):
        shutil.rmtree(folder)
        for _ in range(100):
            film.add(bytes(3 * 64 * 64))
        film.finish()


@needs_ffmpeg
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_film_leaves_nothing(number, tmp_path):
    code = (
        "import sys; from pathlib import Path; from tests.viewing import film_test; "
        "from nbody_lab.core.messages import ended; "
        "options = film_test.SMALL[:-1] + ('1000000000000',); "
        "sys.exit(ended(lambda: film_test.record(Path('a.mp4'), *options, frames=10**6)))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    ) as process:
        while not names_in(tmp_path):
            assert process.poll() is None
            time.sleep(0.05)
        tasks = f"/proc/{process.pid}/task/{process.pid}/children"
        with open(tasks, encoding="utf-8") as file:
            children = file.read().split()
        process.send_signal(number)
        _, error = process.communicate(timeout=60)
    assert (process.returncode, error) == (128 + number, "lab: interrupted\n")
    assert names_in(tmp_path) == []
    assert len(children) == 2  # ffmpeg and the simulator
    assert not any(os.path.exists(f"/proc/{child}") for child in children)


def test_what_nohup_protects_goes_on():
    code = (
        "import asyncio, os, signal; from nbody_lab.viewing.until_signal import run_until_signal\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "async def work():\n"
        "    os.kill(os.getpid(), signal.SIGHUP)\n"
        "    await asyncio.sleep(0.1)\n"
        "    print('done')\n"
        "run_until_signal(work())"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "done\n"


def test_the_recording_of_the_documents_has_the_page_of_today():
    """After a change of common/view, docs/view.md says how to record it again."""
    file = ROOT / "docs/pictures/collision.html"
    text = file.read_text(encoding="utf-8")
    recording = re.search(r'id="recording">([\w+/=]+)<', text)[1]
    assert page_of(recording) == text
    assert file.stat().st_size < 3_000_000
