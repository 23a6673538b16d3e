"""Films of one simulation, or of two side by side: simulates, draws and writes, picture by picture. The same command gives
the same film."""

import asyncio
import importlib.util
import math
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from nbody_lab.core.messages import UserError, say
from nbody_lab.viewing.ffmpeg import FilmFile
from nbody_lab.viewing.light import (
    Camera,
    Film,
    Floats,
    Palette,
    Trails,
    develop,
    draw_bodies,
    sizes_of,
)
from nbody_lab.viewing.look import ENDLESS, Look
from nbody_lab.viewing.program import Greeting, Message, StateHeader, WatchedProgram, Wish

NO_LONGER_FINITE = (
    "the bodies are no longer finite numbers: the step (--dt) is too large, or a force is wrong"
)
_INK = np.array([204, 217, 240], np.float32)[:, None, None]  # of the text
_SILENCE_S = 10


@dataclass(frozen=True)
class FilmSetting:
    file: Path
    look: Look
    width: int = 1280
    height: int = 720
    frames: int = 240
    per_second: int = 30
    turn: float = 30  # degrees that the camera goes round


def iterations_at(frame: int, frames: int, iterations: int) -> int:
    """Iterations until a picture: spread evenly, or one per picture of an endless run. A single picture is the last."""
    if iterations >= ENDLESS:
        return frame
    return iterations * frame // (frames - 1) if frames > 1 else iterations


@dataclass
class Panel:
    """One simulation, as its pictures show it."""

    program: WatchedProgram
    greeting: Greeting
    masses: Floats
    palette: Palette = field(default_factory=Palette)
    trails: Trails = field(default_factory=Trails)
    header: StateHeader | None = None
    points: Floats = field(default_factory=lambda: np.empty((0, 3)))
    values: Floats = field(default_factory=lambda: np.empty(0))  # of its colour

    @classmethod
    async def begin(
        cls, argv: Sequence[object], setting: FilmSetting, stack: AsyncExitStack
    ) -> "Panel":
        """Starts a program, which stands still until it is asked; the stack ends it."""
        wish = Wish(paused=True, energy=True, accelerations=setting.look.by_acceleration)
        program = await WatchedProgram.start(argv, wish, stdout=subprocess.DEVNULL)
        stack.push_async_callback(program.end)
        message = await program.next_message()
        if message is None or not isinstance(message.header, Greeting):
            raise await program.failure()
        return cls(program, message.header, np.frombuffer(message.columns, "<f4"))

    def ask(self, iteration: int) -> None:
        self.program.want(self.program.wish.model_copy(update={"steps": iteration}))

    async def reach(self, iteration: int) -> None:
        """Waits for the state after this iteration."""
        while self.header is None or self.header.iteration < iteration:
            message = await self.program.next_message()
            if message is None or not isinstance(message.header, StateHeader):
                raise await self.program.failure()
            if not message.header.finite:
                raise UserError(NO_LONGER_FINITE)
            wish = self.program.wish
            self.program.want(wish.model_copy(update={"seen": wish.seen + 1}))
            self.header = message.header
            if self.header.iteration == iteration:
                self._take(message)

    def _take(self, message: Message) -> None:
        assert isinstance(message.header, StateHeader)
        columns = np.frombuffer(message.columns, "<f4").reshape(4, -1)
        self.points = np.ascontiguousarray(columns[:3].T)
        self.values = self.palette.values(columns[3], message.header.accelerations)
        self.trails.add(self.points, self.values)

    def lines(self) -> list[str]:
        assert self.header
        what = self.greeting
        title = f"{what.part}/{what.name} in {what.precision}, {what.bodies} bodies"
        lines = [title, f"iteration {self.header.iteration}   {self.header.time}"]
        if self.header.energy_error is not None:
            lines.append(f"energy error {self.header.energy_error:+.1e}")
        return lines

    def draw(self, width: int, height: int, camera: Camera, look: Look) -> Floats:
        film = Film(width, height)
        if look.shows_trails(len(self.points)):
            self.trails.draw(film, camera)
        draw_bodies(film, camera, self.points, sizes_of(self.masses), self.values, look.glow)
        return film.light()


def write_lines(picture: NDArray[np.uint8], lines: Sequence[str], left: int) -> None:
    """Into the upper left corner of a panel, in DejaVu Sans Mono."""
    height = picture.shape[1]
    size = min(40, max(12, height // 42))
    step = round(1.3 * size)
    found = importlib.util.find_spec("matplotlib")
    assert found and found.submodule_search_locations
    folder = Path(found.submodule_search_locations[0], "mpl-data/fonts/ttf")
    font = ImageFont.truetype(folder / "DejaVuSansMono.ttf", size)
    ink = Image.new("L", (picture.shape[2] - left, min(height, step * (len(lines) + 1))))
    for k, line in enumerate(lines):
        ImageDraw.Draw(ink).text((step, step // 2 + k * step), line, 255, font)
    strength = np.asarray(ink, np.float32) * np.float32(0.95 / 255)
    below = picture[:, : ink.height, left:]
    below[:] = below + strength * (_INK - below) + np.float32(0.5)


def draw_picture(
    panels: Sequence[Panel], camera: Camera, setting: FilmSetting
) -> NDArray[np.uint8]:
    """Red, green and blue (3 x height x width)."""
    each = setting.width // len(panels)
    light = np.zeros((3, setting.height, setting.width), np.float32)
    for k, panel in enumerate(panels):
        drawn = panel.draw(each, setting.height, camera, setting.look)
        light[:, :, k * each : (k + 1) * each] = drawn
    picture = develop(light, len(panels))
    if setting.look.text:
        for k, panel in enumerate(panels):
            write_lines(picture[:, :, : (k + 1) * each], panel.lines(), k * each)
    return picture


class Progress:
    """One line on a terminal; elsewhere a line now and then."""

    def __init__(self, total: int) -> None:
        self._total, self._start = total, time.monotonic()
        self._next = self._start + _SILENCE_S

    def show(self, done: int) -> None:
        now = time.monotonic()
        left = max(1, (now - self._start) / done * (self._total - done))
        text = f"picture {done} of {self._total}, about {left:.0f} s left"
        if sys.stderr.isatty():
            end = f"\r{text:60}" if done < self._total else f"\r{'':60}\r"
            print(end, end="", file=sys.stderr, flush=True)
        elif now > self._next and done < self._total:
            self._next = now + _SILENCE_S
            say(text)


async def record_film(programs: Sequence[Sequence[object]], setting: FilmSetting) -> None:
    """Raises UserError."""
    camera = Camera(tilt=math.radians(setting.look.tilt), distance=2.7 / setting.look.zoom)
    progress = Progress(setting.frames)
    async with AsyncExitStack() as stack:
        panels = []
        for argv in programs:
            panels.append(await Panel.begin(argv, setting, stack))
        for panel in panels:
            panel.ask(iterations_at(0, setting.frames, panel.greeting.iterations))
        film = stack.enter_context(
            FilmFile(setting.file, setting.width, setting.height, setting.per_second)
        )
        for frame in range(setting.frames):
            for panel in panels:
                await panel.reach(iterations_at(frame, setting.frames, panel.greeting.iterations))
            if frame + 1 < setting.frames:  # they compute while this picture is drawn
                for panel in panels:
                    panel.ask(iterations_at(frame + 1, setting.frames, panel.greeting.iterations))
            turned = camera.turned(math.radians(setting.turn) * frame / setting.frames)
            film.add(draw_picture(panels, turned, setting)[[1, 2, 0]].tobytes())
            progress.show(frame + 1)
        await asyncio.to_thread(film.finish)  # so that Ctrl-C is heard
