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

from nbody_lab.core.messages import UserError, say
from nbody_lab.core.running import FAULTS, PASSED_ON
from nbody_lab.viewing.look import Look, page_setting
from nbody_lab.viewing.program import WatchedProgram, Wish
from nbody_lab.viewing.server import Stage, open_page

Place = tuple[str, int]
HERE: Place = ("127.0.0.1", 0)  # any free port
_AT_FIRST = 60  # iterations per second of a single view
_BROWSER_S = 5  # until a browser that was started shows the page, at most
_LAST_STATE_S = 0.5  # for pages to take it


def _open_browser(address: str) -> bool:
    """Whether there is one, which is then asked to show the page; nobody waits for it."""
    if not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")):
        return False
    threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()
    return True


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
        name = signal.Signals(-status)
        return f"the program died: {FAULTS.get(name, name.name)} (signal {-status})"
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
    """Serves the page until a signal ends it. Raises UserError if the programs cannot begin."""
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
                    raise UserError(failure)


async def show_run(argv: Sequence[object], name: str, advice: str, look: Look, place: Place) -> int:
    """Runs a program whose page shows it, and returns its status. The program does not wait for the page; the page has
    its last state when the program has ended."""
    loop = asyncio.get_running_loop()
    wish = Wish(owns=False, accelerations=look.by_acceleration)
    stage = Stage(page_setting(name, look, False, 1), wish)
    async with open_page(stage, place) as address:
        say(f"watch it at {address} (--nv: no page)")
        has_browser = _open_browser(address)
        loop.add_signal_handler(signal.SIGINT, lambda: None)  # the program gets it, too
        program = await WatchedProgram.start(argv, wish)
        for number in PASSED_ON:
            if signal.getsignal(number) is not signal.SIG_IGN:
                loop.add_signal_handler(number, program.process.send_signal, number)
        try:
            await stage.play(0, program)
            status = await program.process.wait()
        finally:
            await program.end()
        died = -status in FAULTS
        stage.end(0, how_it_ended(status, ""))
        if died:
            say(f"{name} died: {FAULTS[signal.Signals(-status)]} (signal {-status}){advice}")
        if has_browser and not stage.pages:
            await _wait(stage.came, _BROWSER_S)
        if stage.pages:
            await asyncio.sleep(_LAST_STATE_S)
    return status if status >= 0 else 128 - status


async def _wait(event: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError, asyncio.TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)
