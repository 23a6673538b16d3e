"""A program that simulates and sends its states to a viewer (docs/protocol.md): starts it, tells it what is wanted,
ends it."""

import asyncio
import contextlib
import os
import signal
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pydantic

from nbody_lab.core.errors import LabError
from nbody_lab.core.model import LabModel, Precision

_MOST_BYTES = 1 << 31
_PATIENCE_S = 2  # for a program that was asked to end
_LONGEST_PARENT = 70  # bytes of a folder's path: a socket's may have 107


_Link = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Wish(LabModel):
    """What the viewer wants of the program."""

    paused: bool = False
    steps: int = pydantic.Field(
        default=0, ge=0, description="taken one by one in a pause, since the start"
    )
    rate: float = pydantic.Field(
        default=0, ge=0, description="iterations per second; 0: all it can"
    )
    accelerations: bool = False
    energy: bool = pydantic.Field(
        default=False, description="with every state, also if that is slow"
    )
    owns: bool = pydantic.Field(default=True, description="the run ends with its viewer")
    seen: int = pydantic.Field(default=0, ge=0, description="states received so far")


class Greeting(LabModel):
    """The first message: what is simulated. Its column holds the masses, the largest of which is 1."""

    viewer: Literal[1]
    part: str
    name: str
    precision: Precision
    bodies: int = pydantic.Field(ge=1)
    iterations: int
    columns: Literal[1]


class StateHeader(LabModel):
    """Every other message. Its columns: x, y, z, of which 1 is the size of the system at the start; speed or
    acceleration."""

    iteration: int
    time: str
    interactions_per_s: float
    energy_error: float | None
    accelerations: bool = pydantic.Field(description="the last column holds them, not speeds")
    finite: bool
    last: bool
    columns: Literal[4]


@dataclass(frozen=True)
class Message:
    """As it came, and its header. The columns hold little-endian floats, one per body."""

    header: Greeting | StateHeader
    raw: bytes
    columns: memoryview


def _parse(line: bytes) -> Greeting | StateHeader:
    model = Greeting if line.startswith(b'{"viewer"') else StateHeader
    return model.model_validate_json(line)


class WatchedProgram:
    """A program that runs, and the states that it sends."""

    def __init__(self, process: asyncio.subprocess.Process, wish: Wish) -> None:
        self.process = process
        self.owned = wish.owns
        self.wish = wish
        self._link: _Link | None = None
        self._bodies = 0

    @classmethod
    async def start(cls, argv: Sequence[object], wish: Wish, **popen: Any) -> "WatchedProgram":
        """Starts it and waits until it connects, or ends. One that its viewer owns gets a process group of its own,
        so that everything it starts ends with it."""
        connected: asyncio.Future[_Link] = asyncio.get_running_loop().create_future()

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if connected.done():
                writer.close()
            else:
                connected.set_result((reader, writer))

        parent = None if len(os.fsencode(tempfile.gettempdir())) <= _LONGEST_PARENT else "/tmp"
        with tempfile.TemporaryDirectory(prefix="nbody_", dir=parent) as folder:
            path = str(Path(folder, "viewer"))
            server = await asyncio.start_unix_server(accept, path, limit=1 << 16)
            told = {"LAB_VIEWER": path, "LAB_VIEWER_WISH": wish.model_dump_json()}
            try:
                program = cls(
                    await asyncio.create_subprocess_exec(
                        *map(str, argv),
                        env={**os.environ, **told},
                        start_new_session=wish.owns,
                        **popen,
                    ),
                    wish,
                )
                await program._meet(connected)
            except OSError as error:
                raise LabError(f"{argv[0]}: {error.strerror}") from error
            finally:
                server.close()  # and no wait_closed(): it would wait for the end of the connection
        return program

    async def _meet(self, connected: "asyncio.Future[_Link]") -> None:
        """Waits until it connects, or ends. One that nobody waits for any more is ended."""
        ended = asyncio.ensure_future(self.process.wait())
        waiting: set[asyncio.Future[Any]] = {ended, connected}
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            await self.end()
            raise
        self._link = connected.result() if connected.done() else None
        connected.cancel()

    def want(self, wish: Wish) -> None:
        """The newest wish replaces those before it."""
        self.wish = wish.model_copy(update={"owns": self.owned})
        if self._link and not self._link[1].is_closing():
            self._link[1].write(self.wish.model_dump_json().encode() + b"\n")

    async def next_message(self) -> Message | None:
        """None at the end."""
        if self._link is None:
            return None
        reader = self._link[0]
        try:
            line = await reader.readline()
            header = _parse(line)
            if isinstance(header, Greeting):
                self._bodies = header.bodies
            size = 4 * header.columns * self._bodies
            if not 0 < size <= _MOST_BYTES:
                return None
            columns = await reader.readexactly(size)
        except (OSError, ValueError, asyncio.IncompleteReadError):
            return None  # it has ended; nothing it says otherwise ends up here
        return Message(header, line + columns, memoryview(columns))

    async def end(self) -> int:
        """Ends it, if it has not ended, and returns its status."""
        if self._link:
            self._link[1].close()
        if self.process.returncode is None:
            self.send_signal(signal.SIGTERM)
            try:
                await asyncio.wait_for(self.process.wait(), _PATIENCE_S)
            except (TimeoutError, asyncio.TimeoutError):
                self.send_signal(signal.SIGKILL)
        return await self.process.wait()

    def send_signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            if self.owned:
                os.killpg(self.process.pid, number)
            else:
                self.process.send_signal(number)
