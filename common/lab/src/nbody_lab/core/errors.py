"""How a command of ./lab fails: one exception, one line, one exit status.

A verdict that is no error ("wrong") is an exit status, too: raise SystemExit(1).
"""

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterable
from typing import Any

INTERRUPTED, PIPE_CLOSED = 128 + signal.SIGINT, 128 + signal.SIGPIPE


class LabError(Exception):
    """What is wrong, where, and what to do, in one line. Uncaught, it ends a command with its status."""

    status = 2

    def report(self) -> str:
        """What is printed of it."""
        return f"lab: {self}"


def say(text: object) -> None:
    print(f"lab: {text}", file=sys.stderr, flush=True)


def tell(lines: Iterable[str]) -> None:
    """Lines that are not the lab's own, or whole already: a compiler's, a student's program's."""
    for line in lines:
        print(line, file=sys.stderr, flush=True)


def _end(number: int, _: object) -> None:
    raise SystemExit(128 + number)


def ended(work: Callable[..., int | None], *arguments: Any) -> int:
    """The exit status of work(*arguments), whose own result may be None for 0. Reports what went wrong in one line. A kill
    ends it as Ctrl-C does, so that what is open is closed and no child stays behind."""
    with contextlib.suppress(ValueError):  # only the main thread may
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, _end)
    try:
        status = work(*arguments) or 0
        sys.stdout.flush()
        return status
    except SystemExit as end:
        return int(end.code or 0)
    except LabError as fault:
        print(fault.report(), file=sys.stderr, flush=True)
        return fault.status
    except BrokenPipeError:  # its reader has seen enough: | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except OSError as fault:  # an unwritable tree, a full disk
        say(f"{fault.filename or 'cannot go on'}: {fault.strerror or fault}")
        return LabError.status
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            print(file=sys.stderr)  # after ^C
        say("interrupted")
        return INTERRUPTED
