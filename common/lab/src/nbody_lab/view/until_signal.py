"""Runs what waits for programs and pages, and ends it in good order when a signal comes."""

import asyncio
import signal
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeVar

from nbody_lab.core.errors import say

Result = TypeVar("Result")
PASSED_ON = (signal.SIGTERM, signal.SIGHUP)


def on_signals(
    loop: asyncio.AbstractEventLoop, numbers: Iterable[int], handle: Callable[[int], object]
) -> None:
    for number in numbers:
        if signal.getsignal(number) is not signal.SIG_IGN:  # nohup ignores SIGHUP: keep that
            loop.add_signal_handler(number, handle, number)


def run_until_signal(work: Coroutine[Any, Any, Result]) -> Result:
    """After Ctrl-C, SIGTERM or SIGHUP, everything that `work` began is cleaned up; then one line, and the status of a shell."""
    came: list[int] = []

    async def watch() -> Result:
        task = asyncio.ensure_future(work)
        loop = asyncio.get_running_loop()

        def note(number: int) -> None:
            came.append(number)
            task.cancel()

        on_signals(loop, (signal.SIGINT, *PASSED_ON), note)
        return await task

    try:
        return asyncio.run(watch())
    except asyncio.CancelledError:
        say("interrupted")
        raise SystemExit(128 + came[0]) from None
