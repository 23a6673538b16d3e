"""The messages of ./lab and its exit status."""

import os
import select
import signal
import sys
from collections.abc import Callable
from typing import Any, TextIO

INTERRUPTED, PIPE_CLOSED = 128 + signal.SIGINT, 128 + signal.SIGPIPE


class Failure(Exception):
    """Ends the command with this status; the message has already been printed."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class UserError(Exception):
    """What is wrong, where, and what to do, in one line. Uncaught, it ends a command with status 2."""


def say(text: object) -> None:
    print(f"lab: {text}", file=sys.stderr, flush=True)


def has_no_reader(stream: TextIO) -> bool:
    """Whether its reader has stopped early (| head), which is no error. What is left to write is lost then."""
    poll = select.poll()
    poll.register(stream.fileno(), select.POLLOUT)
    gone = any(events & select.POLLERR for _, events in poll.poll(0))
    if gone:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return gone


def ended(work: Callable[..., int | None], *arguments: Any) -> int:
    """The exit status of work(*arguments), whose own result may be None for 0. Reports failures in one line."""
    try:
        status = work(*arguments) or 0
        sys.stdout.flush()
        return status
    except Failure as failure:
        return failure.status
    except UserError as fault:
        say(fault)
        return 2
    except OSError as fault:  # an unwritable tree, a full disk
        if isinstance(fault, BrokenPipeError) and has_no_reader(sys.stdout):
            return PIPE_CLOSED
        say(f"{fault.filename or 'cannot go on'}: {fault.strerror or fault}")
        return 2
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            print(file=sys.stderr)  # after ^C
        say("interrupted")
        return INTERRUPTED
