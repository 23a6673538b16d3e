"""Serves the page that shows a run (common/view): what the programs send goes to every browser, what a viewer wants goes to
the programs. No program waits for a browser: it is asked for its newest state when one has drawn the last."""

import asyncio
import contextlib
import errno
import json
import mimetypes
import secrets
import struct
from collections.abc import AsyncIterator, Set
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pydantic import Field
from websockets.asyncio.server import Server, ServerConnection, broadcast, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from nbody_lab.core.errors import LabError
from nbody_lab.core.model import LabModel
from nbody_lab.view.look import PAGE
from nbody_lab.view.program import Message, StateHeader, WatchedProgram, Wish

_FILES = {"/": "view.html", "/view.css": "view.css", "/view.js": "view.js", "/draw.js": "draw.js"}
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; connect-src 'self' ws: wss:; img-src 'self' data: blob:",
    "Referrer-Policy": "no-referrer",  # the address holds the token
    "X-Content-Type-Options": "nosniff",
}
_RELOADING_S = 3  # that a page is away, at most, while it is loaded again
_MOST_WISH = 1 << 12  # bytes of a message from a browser
_PATIENCE_S = 1  # with pages, after a signal
_LAST_PATIENCE_S = 10  # until slow lines have brought them the last state


class PageWish(LabModel):
    """What a page says that its viewer wants."""

    paused: bool
    steps: int = Field(ge=0, le=1 << 50)
    rate: float = Field(ge=0, le=1e9)
    accelerations: bool


class FromPage(LabModel):
    """A message of a page."""

    wish: PageWish | None = None
    shown: int | None = None  # the panel whose last state it has drawn
    restart: bool = False


@dataclass
class _Panel:
    """A program, and what it sent last."""

    program: WatchedProgram | None = None
    greeting: bytes = b""
    newest: bytes = b""
    received: int = 0
    ended: str = ""
    has: dict[ServerConnection, int] = field(
        default_factory=dict
    )  # states, up to the one it got last
    waiting: set[ServerConnection] = field(default_factory=set)  # for the next one


class Stage:
    """The programs that are shown, and the browsers that show them."""

    def __init__(self, setting: dict[str, Any], wish: Wish) -> None:
        self.setting = setting
        self.wish = wish
        self.panels = [_Panel() for _ in range(setting["panels"])]
        self.pages: set[ServerConnection] = set()
        self.restart = asyncio.Event()
        self.came = asyncio.Event()  # a page

    def begin_anew(self) -> None:
        self.restart.clear()
        self.wish = self.wish.model_copy(update={"steps": 0, "seen": 0})
        self._tell(self.pages, {"wish": self._wish_of_page()})

    def _wish_of_page(self) -> dict[str, Any]:
        return self.wish.model_dump(include=set(PageWish.model_fields))

    async def play(self, number: int, program: WatchedProgram) -> None:
        """Passes on what a program sends, until it ends."""
        panel = self.panels[number]
        panel.program, panel.received, panel.ended = program, 0, ""
        panel.greeting = panel.newest = b""
        panel.has = dict.fromkeys(self.pages, 0)
        panel.waiting = set(self.pages)
        while message := await program.next_message():
            self._pass_on(number, message)

    def _pass_on(self, number: int, message: Message) -> None:
        panel = self.panels[number]
        framed = struct.pack("<I", number) + message.raw
        if not isinstance(message.header, StateHeader):
            panel.greeting = framed
            broadcast(self.pages, framed)
            return
        panel.newest = framed
        panel.received += 1
        self._send_newest(panel, self.pages if message.header.last else panel.waiting)

    def _send_newest(self, panel: _Panel, pages: Set[ServerConnection]) -> None:
        broadcast(pages, panel.newest)
        panel.has.update(dict.fromkeys(pages, panel.received))
        panel.waiting = panel.waiting - pages

    def end(self, number: int, text: str) -> None:
        self.panels[number].ended = text
        self._tell(self.pages, {"ended": {"panel": number, "text": text}})

    def _tell(self, pages: "set[ServerConnection]", what: dict[str, Any]) -> None:
        broadcast(pages, json.dumps(what))

    def _begin(self, page: ServerConnection) -> None:
        self._tell({page}, {"setting": {**self.setting, "wish": self._wish_of_page()}})
        for number, panel in enumerate(self.panels):
            if panel.greeting:
                broadcast({page}, panel.greeting)
            panel.has[page] = 0
            self._offer(number, page)
            if panel.ended:
                self._tell({page}, {"ended": {"panel": number, "text": panel.ended}})

    def _offer(self, number: int, page: ServerConnection) -> None:
        """The page has drawn what it got: it gets the next state of this program, which is asked for it."""
        panel = self.panels[number]
        if panel.has[page] < panel.received:
            self._send_newest(panel, {page})
            return
        panel.waiting.add(page)
        if panel.program:
            panel.program.want(self.wish.model_copy(update={"seen": panel.received}))

    async def attend(self, page: ServerConnection) -> None:
        """A page, from its first message to its last."""
        self.pages.add(page)
        self.came.set()
        try:
            self._begin(page)
            async for text in page:
                self._hear(page, FromPage.model_validate_json(text))
        except (ConnectionClosed, ValueError):
            pass  # a closed tab; or no page of this lab
        finally:
            self.pages.discard(page)
            for panel in self.panels:
                panel.waiting.discard(page)
                panel.has.pop(page, None)
            if not self.setting["may_restart"]:
                asyncio.get_running_loop().call_later(_RELOADING_S, self._go_on)

    def _go_on(self) -> None:
        """A run of its own, paused by a page that has gone."""
        if not self.pages:
            self._wish_for({"paused": False, "rate": 0})

    def _hear(self, page: ServerConnection, said: FromPage) -> None:
        if said.shown is not None and 0 <= said.shown < len(self.panels):
            self._offer(said.shown, page)
        if said.wish:
            self._wish_for(said.wish.model_dump())
            self._tell(self.pages - {page}, {"wish": said.wish.model_dump()})
        if said.restart and self.setting["may_restart"]:
            self.restart.set()

    def _wish_for(self, changes: dict[str, Any]) -> None:
        self.wish = self.wish.model_copy(update=changes)
        for panel in self.panels:
            if panel.program:
                seen = panel.program.wish.seen
                panel.program.want(self.wish.model_copy(update={"seen": seen}))


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
            return _respond(HTTPStatus.OK, (PAGE / file).read_bytes(), kind)
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


@contextlib.asynccontextmanager
async def open_page(stage: Stage, place: tuple[str, int]) -> AsyncIterator[str]:
    """Serves the page; its address. Raises LabError."""
    door, (host, port) = Door(), place
    try:
        server: Server = await serve(
            stage.attend,
            host,
            port,
            process_request=door.answer,
            compression=None,
            max_size=_MOST_WISH,
            close_timeout=_LAST_PATIENCE_S,
            server_header=None,
        )
    except OSError as error:
        what = (
            "is in use" if error.errno == errno.EADDRINUSE else f"cannot be used ({error.strerror})"
        )
        raise LabError(
            f"{host}:{port} {what}: choose another with --web HOST:PORT, or leave it out"
        ) from error
    port = next(iter(server.sockets)).getsockname()[1]
    patience = _PATIENCE_S
    try:
        yield f"http://{f'[{host}]' if ':' in host else host}:{port}/?token={door.token}"
        patience = _LAST_PATIENCE_S
    finally:
        server.close()
        try:
            # A page that was closed in good order has everything that was sent before.
            await asyncio.wait({asyncio.ensure_future(server.wait_closed())}, timeout=patience)
        finally:
            for page in stage.pages:  # that reads nothing any more
                page.transport.abort()
