"""./lab view and the page of ./lab run: programs, the page that shows them, and how both end."""

import asyncio
import os
import signal
import subprocess
import threading
import webbrowser
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from typing import Any

from nbody_lab.core.errors import LabError, say
from nbody_lab.core.run import how_it_died, tell_fault
from nbody_lab.view.look import Look, page_setting
from nbody_lab.view.program import WatchedProgram, Wish
from nbody_lab.view.server import Stage, open_page
from nbody_lab.view.until_signal import PASSED_ON, on_signals

Place = tuple[str, int]
HERE: Place = ("127.0.0.1", 0)  # any free port
_AT_FIRST = 60  # iterations per second of a single view
_QUICK_S, _BROWSER_S = 0.5, 5  # until a browser that was started shows the page, at most


def _open_browser(address: str) -> asyncio.Event | None:
    """Asks a browser to show the page; nobody waits for it. The event: there is none after all."""
    if not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")):
        return None
    refused, loop = asyncio.Event(), asyncio.get_running_loop()

    def ask() -> None:
        if not webbrowser.open(address):
            with suppress(RuntimeError):  # the lab has ended meanwhile
                loop.call_soon_threadsafe(refused.set)

    threading.Thread(target=ask, daemon=True).start()
    return refused


class _Complaints:
    """What a program writes on standard error: its last line."""

    def __init__(self, program: WatchedProgram) -> None:
        self.last = ""
        self._reading = asyncio.ensure_future(self._read(program.process.stderr))

    async def _read(self, stream: asyncio.StreamReader | None) -> None:
        while stream and (line := await stream.readline()):
            self.last = line.decode(errors="replace").strip() or self.last

    async def finish(self) -> str:
        await asyncio.wait({self._reading}, timeout=1)
        return self.last


def how_it_ended(status: int, complaint: str) -> str:
    if status < 0:
        return f"the program {how_it_died(-status)}"
    return complaint if status and complaint else "the run has ended"


async def _play(stage: Stage, number: int, argv: Sequence[object], stack: AsyncExitStack) -> str:
    """One program until its end; how it ended, if that was before it could begin."""
    program = await WatchedProgram.start(
        argv, stage.wish, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    stack.push_async_callback(program.end)
    complaints = _Complaints(program)
    await stage.play(number, program)
    status = await program.process.wait()
    text = how_it_ended(status, await complaints.finish())
    stage.end(number, text)
    return "" if stage.panels[number].newest else text


async def show_view(
    programs: Sequence[Sequence[object]], title: str, look: Look, place: Place
) -> None:
    """Serves the page until a signal ends it. Raises LabError if the programs cannot begin."""
    rate = _AT_FIRST if len(programs) == 1 else 0  # side by side, the faster one runs ahead
    wish = Wish(rate=rate, accelerations=look.by_acceleration)
    stage = Stage(page_setting(title, look, True, len(programs)), wish)
    async with open_page(stage, place) as address:
        print(f"{title}: {address}\n(Ctrl-C ends it)", flush=True)
        _open_browser(address)
        while True:
            await _play_until_restart(stage, programs)


async def _play_until_restart(stage: Stage, programs: Sequence[Sequence[object]]) -> None:
    stage.begin_anew()
    async with AsyncExitStack() as stack:
        tasks = [
            asyncio.ensure_future(_play(stage, number, argv, stack))
            for number, argv in enumerate(programs)
        ]
        for task in tasks:
            stack.callback(task.cancel)
        restart = asyncio.ensure_future(stage.restart.wait())
        stack.callback(restart.cancel)
        waiting: set[asyncio.Future[Any]] = {restart, *tasks}
        while not restart.done():
            _, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done() and (failure := task.result()):
                    raise LabError(failure)


async def show_run(argv: Sequence[object], name: str, advice: str, look: Look, place: Place) -> int:
    """Runs a program whose page shows it, and returns its status. The program does not wait for the page; the page has
    its last state when the program has ended."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task
    wish = Wish(owns=False, accelerations=look.by_acceleration)
    stage = Stage(page_setting(name, look, False, 1), wish)
    status: int | None = None
    try:
        async with open_page(stage, place) as address:
            say(f"watch it at {address} (--nv: no page)")
            no_browser = _open_browser(address)
            loop.add_signal_handler(signal.SIGINT, lambda: None)  # the program gets it, too
            program = await WatchedProgram.start(argv, wish)
            on_signals(loop, PASSED_ON, program.send_signal)
            try:
                await stage.play(0, program)
                await program.process.wait()
            finally:
                ended = await program.end()
            status = ended if ended >= 0 else 128 - ended
            stage.end(0, how_it_ended(ended, ""))
            tell_fault(name, status, advice)
            # What is left is for pages; a signal ends it.
            loop.add_signal_handler(signal.SIGINT, task.cancel)
            on_signals(loop, PASSED_ON, lambda _: task.cancel())
            if no_browser and not stage.pages:
                await _wait_for_browser(stage.came, no_browser)
    except asyncio.CancelledError:
        if status is None:
            raise
    assert status is not None
    return status


async def _wait_for_browser(came: asyncio.Event, refused: asyncio.Event) -> None:
    waiting = {asyncio.ensure_future(event.wait()) for event in (came, refused)}
    done, waiting = await asyncio.wait(
        waiting, timeout=_QUICK_S, return_when=asyncio.FIRST_COMPLETED
    )
    if not done:
        say("waiting for the browser, some seconds at most (Ctrl-C: not at all)")
        await asyncio.wait(waiting, timeout=_BROWSER_S, return_when=asyncio.FIRST_COMPLETED)
