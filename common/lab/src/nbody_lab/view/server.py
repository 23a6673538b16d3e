"""Serves the page that shows runs (common/view): every browser gets the newest frame of each program when it has drawn the
last, so that a slow one slows nobody; what a viewer wants sets the pace at which frames are read."""

import asyncio
import errno
import json
import logging
import mimetypes
import os
import secrets
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pydantic import Field
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from nbody_lab import ROOT
from nbody_lab.core import console
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import LabModel
from nbody_lab.view.program import Pace, started

_PAGE = ROOT / "common/view"
_FILES = {"/": "view.html", "/view.css": "view.css", "/view.js": "view.js", "/draw.js": "draw.js"}
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; connect-src 'self' ws: wss:; img-src 'self' data: blob:",
    "Referrer-Policy": "no-referrer",  # the address holds the token
    "X-Content-Type-Options": "nosniff",
}
_AT_FIRST = 60  # iterations per second of a single run; of two, the faster one runs ahead
_MOST_BYTES = 1 << 12  # of a message from a browser
_PATIENCE_S = 1  # with pages, at the end
Place = tuple[str, int]
HERE: Place = ("127.0.0.1", 0)  # any free port


class FromPage(LabModel):
    """A message of a page: what its viewer wants, or the panel whose last frame it has drawn."""

    paused: bool | None = None
    rate: float | None = Field(default=None, ge=0, le=1e9)
    step: bool = False
    drawn: int | None = Field(default=None, ge=0)


@dataclass
class _Panel:
    """A program that is shown: its first frame, by which a page chooses its scale, and its newest."""

    pace: Pace = field(default_factory=Pace)
    first: bytes = b""
    newest: bytes = b""
    ended: str = ""


class _Page:
    """A browser: per panel, the frame that it got last, and whether it has drawn it."""

    def __init__(self, link: ServerConnection, panels: int) -> None:
        self.link = link
        self.got = [b""] * panels
        self.is_free = [True] * panels

    def say(self, **what: Any) -> None:
        broadcast({self.link}, json.dumps(what))


class Stage:
    """The programs that are shown, and the browsers that show them."""

    def __init__(self, title: str, panels: int) -> None:
        self.title = title
        self.panels = [_Panel() for _ in range(panels)]
        self.pages: set[_Page] = set()
        self.begun = asyncio.Event()  # each has a first frame: none refused its options
        for panel in self.panels:
            panel.pace.rate = _AT_FIRST if panels == 1 else 0

    async def play(self, number: int, argv: Sequence[object]) -> None:
        """A program until its end. Raises LabError if that comes before its first frame."""
        panel = self.panels[number]
        async with started(argv) as program:
            while frame := await program.next_frame():
                panel.newest = bytes([number]) + frame
                panel.first = panel.first or panel.newest
                if all(one.first for one in self.panels):
                    self.begun.set()
                for page in self.pages:
                    self._offer(number, page)
                await panel.pace.turn()
            panel.ended = await program.how_it_ended()
        if not panel.newest:
            raise LabError(panel.ended)
        for page in self.pages:
            page.say(ended={"panel": number, "text": panel.ended})

    def _offer(self, number: int, page: _Page) -> None:
        newest = self.panels[number].newest
        if page.is_free[number] and newest is not page.got[number]:
            page.got[number], page.is_free[number] = newest, False
            broadcast({page.link}, newest)

    def _pace(self) -> dict[str, Any]:
        pace = self.panels[0].pace
        return {"paused": pace.paused, "rate": pace.rate}

    async def attend(self, link: ServerConnection) -> None:
        """A page, from its first message to its last."""
        page = _Page(link, len(self.panels))
        page.say(title=self.title, panels=len(self.panels), pace=self._pace())
        for number, panel in enumerate(self.panels):
            if panel.first:
                broadcast({link}, panel.first)
                page.got[number], page.is_free[number] = panel.first, False
            if panel.ended:
                page.say(ended={"panel": number, "text": panel.ended})
        self.pages.add(page)
        try:
            async for text in link:
                self._hear(page, FromPage.model_validate_json(text))
        except (ConnectionClosed, ValueError, IndexError):
            pass  # a closed tab; or no page of this lab
        finally:
            self.pages.discard(page)

    def _hear(self, page: _Page, said: FromPage) -> None:
        if said.drawn is not None:
            page.is_free[said.drawn] = True
            self._offer(said.drawn, page)
            return
        for pace in (panel.pace for panel in self.panels):
            if said.paused is not None:
                pace.paused = said.paused
            if said.rate is not None:
                pace.rate = said.rate
            if said.step:
                pace.paused = True
                pace.steps += 1
        for one in self.pages:
            one.say(pace=self._pace())


def _respond(status: HTTPStatus, body: bytes, kind: str = "text/plain") -> Response:
    headers = Headers(_HEADERS)
    headers["Content-Type"] = f"{kind}; charset=utf-8"
    headers["Content-Length"] = str(len(body))
    headers["Connection"] = "close"
    return Response(status.value, status.phrase, headers, body)


class Door:
    """Lets in who has the token; a page of another origin cannot read or steer the run."""

    def __init__(self) -> None:
        self.token = secrets.token_urlsafe(12)

    def answer(self, _: ServerConnection, request: Request) -> Response | None:
        """None: the stream may begin."""
        address = urlsplit(request.path)
        if file := _FILES.get(address.path):
            if file == "view.html" and not self._has_token(address.query):
                return _respond(
                    HTTPStatus.FORBIDDEN, b"the address that the lab printed is longer\n"
                )
            kind = mimetypes.guess_type(file)[0] or "text/plain"
            return _respond(HTTPStatus.OK, (_PAGE / file).read_bytes(), kind)
        if address.path != "/stream":
            return _respond(HTTPStatus.NOT_FOUND, b"there is no such page\n")
        if not self._has_token(address.query) or not self._same_origin(request.headers):
            return _respond(HTTPStatus.FORBIDDEN, b"this page may not watch\n")
        return None

    def _has_token(self, query: str) -> bool:
        token = parse_qs(query).get("token", [""])[0]
        return secrets.compare_digest(token.encode(), self.token.encode())

    def _same_origin(self, headers: Headers) -> bool:
        """Or through a proxy of one's own, which names the page's host."""
        origin = urlsplit(headers.get("Origin", "")).netloc
        return origin in (headers.get("Host"), headers.get("X-Forwarded-Host"))


@asynccontextmanager
async def _open_page(stage: Stage, place: Place) -> AsyncIterator[str]:
    """Serves the page; its address. Raises LabError."""
    door, (host, port) = Door(), place
    quiet = logging.Logger("view", logging.CRITICAL + 1)  # browsers open connections and drop them
    try:
        server = await serve(
            stage.attend,
            host,
            port,
            process_request=door.answer,
            compression=None,
            max_size=_MOST_BYTES,
            close_timeout=_PATIENCE_S,
            server_header=None,
            logger=quiet,
        )
    except OSError as error:
        what = (
            "is in use" if error.errno == errno.EADDRINUSE else f"cannot be used ({error.strerror})"
        )
        raise LabError(
            f"{host}:{port} {what}: choose another with --web HOST:PORT, or leave it out"
        ) from error
    port = next(iter(server.sockets)).getsockname()[1]
    async with server:
        yield f"http://{f'[{host}]' if ':' in host else host}:{port}/?token={door.token}"


def _show(title: str, address: str) -> None:
    """Prints the address, and asks a browser to show it, if there is one."""
    console.show(f"{title}: {address}\n(Ctrl-C ends it)")
    if any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")):
        threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()
    elif "SSH_CONNECTION" in os.environ:
        port = urlsplit(address).port
        console.show(f"(where you sit: ssh -L {port}:127.0.0.1:{port} {socket.gethostname()})")


async def show(programs: Sequence[Sequence[object]], title: str, place: Place = HERE) -> None:
    """Shows programs side by side, until Ctrl-C. Raises LabError if one cannot begin."""
    stage, terminated = Stage(title, len(programs)), asyncio.Event()
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    assert task

    # As Ctrl-C does. If all tasks ended at once, the server would wait for ever for pages that nobody closes.
    def terminate() -> None:
        terminated.set()
        task.cancel()

    loop.add_signal_handler(signal.SIGTERM, terminate)
    try:
        async with _open_page(stage, place) as address:

            async def announce() -> None:
                await stage.begun.wait()
                _show(title, address)

            plays = (stage.play(number, argv) for number, argv in enumerate(programs))
            await asyncio.gather(announce(), *plays)
            await asyncio.Event().wait()
    except asyncio.CancelledError:
        if terminated.is_set():
            sys.exit(128 + signal.SIGTERM)
        raise
