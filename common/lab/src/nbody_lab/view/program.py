"""A program that simulates and writes its states into a FIFO (data/README.md), where it waits for its reader: who
reads slowly slows it down, who reads nothing stops it, and one frame is a single step."""

import asyncio
import json
import os
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO

from nbody_lab.core.errors import LabError
from nbody_lab.core.run import how_it_died, last_line

_COLUMNS = 6
_PATIENCE_S = 2  # for a program that was asked to end
_LOOK_S = 0.02  # between two looks at what the viewer wants
_CAUGHT_UP_S = 0.1  # at most, after a pause or a long iteration


class Pace:
    """When the next frame is to be read."""

    def __init__(self) -> None:
        self.paused = False
        self.steps = 0  # to take in this pause
        self.rate = 0.0  # frames per second; 0: all that the program can
        self._last = 0.0  # s: when it was due

    async def turn(self) -> None:
        """Waits for it."""
        await asyncio.sleep(0)  # a fast program leaves the others their turn
        while (wait := self._wait_s()) > 0:
            await asyncio.sleep(min(wait, _LOOK_S))
        self.steps = max(0, self.steps - 1) if self.paused else 0
        self._last = max(self._last + self._between_s(), time.monotonic() - _CAUGHT_UP_S)

    def _between_s(self) -> float:
        return 1 / self.rate if self.rate else 0

    def _wait_s(self) -> float:
        if self.paused:
            return 0 if self.steps else _LOOK_S
        return self._last + self._between_s() - time.monotonic()


class WatchedProgram:
    """A program that runs, and its frames."""

    def __init__(
        self, process: asyncio.subprocess.Process, frames: asyncio.StreamReader, said: IO[bytes]
    ) -> None:
        self._process, self._frames, self._said = process, frames, said

    async def next_frame(self) -> bytes | None:
        """None at the end."""
        try:
            line = await self._frames.readline()
            columns = await self._frames.readexactly(4 * _COLUMNS * json.loads(line)["n"])
        except (ValueError, LookupError, TypeError, asyncio.IncompleteReadError):
            return None  # perhaps within a frame
        return line + columns

    async def how_it_ended(self) -> str:
        status = await self._process.wait()
        if status < 0:
            return f"the program {how_it_died(-status)}"
        self._said.seek(0)
        words = self._said.read().decode(errors="replace")
        return last_line(words, status) if status else "the run has ended"


@asynccontextmanager
async def started(argv: Sequence[object]) -> AsyncIterator[WatchedProgram]:
    """It ends here, whatever happens. Raises LabError."""
    with tempfile.TemporaryDirectory(prefix="nbody_") as folder, tempfile.TemporaryFile() as said:
        fifo = Path(folder, "frames")
        os.mkfifo(fifo, 0o600)
        frames = asyncio.StreamReader()
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(frames),
            open(os.open(fifo, os.O_RDONLY | os.O_NONBLOCK), "rb"),
        )
        # Without a writer of our own, the frames of a program that never opens them would not end.
        writer = os.open(fifo, os.O_WRONLY)
        try:
            process = await asyncio.create_subprocess_exec(
                *map(str, argv),
                env={**os.environ, "LAB_FRAMES": str(fifo)},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=said,
            )
            ended = asyncio.ensure_future(process.wait())
            ended.add_done_callback(lambda _: os.close(writer))
        except OSError as error:
            os.close(writer)
            transport.close()
            raise LabError(f"{argv[0]}: {error.strerror}") from error
        try:
            yield WatchedProgram(process, frames, said)
        finally:
            transport.close()
            if process.returncode is None:
                process.terminate()
                await asyncio.wait({ended}, timeout=_PATIENCE_S)
            if process.returncode is None:
                process.kill()
            await ended
