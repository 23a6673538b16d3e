"""What ./lab says of itself, and how it ends."""

import signal
import sys

INTERRUPTED = 128 + signal.SIGINT


class Failure(Exception):
    """Ends the command with this status; what had to be said has been said."""

    def __init__(self, status):
        super().__init__(status)
        self.status = status


class LabError(Exception):
    """What is wrong, where, and what to do, in one line: ends a command with status 2 if not caught."""


def say(text):
    print(f"lab: {text}", file=sys.stderr, flush=True)


def stop(text):
    """For bad input: one line, status 2."""
    say(text)
    raise Failure(2)


def ended(work, *arguments):
    """The status of work(*arguments), which may return it, or None for 0; what it may end by is said in one line."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader that has seen enough (| head) is not a fault
    try:
        return work(*arguments) or 0
    except Failure as failure:
        return failure.status
    except LabError as fault:
        say(fault)
        return 2
    except OSError as fault:  # a tree that cannot be written, a full disk
        say(f"{fault.filename or 'cannot go on'}: {fault.strerror or fault}")
        return 2
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            print(file=sys.stderr)  # behind ^C
        say("interrupted")
        return INTERRUPTED


def leave_words_to_caller():
    """First thing in a program that ./lab starts: at Ctrl-C it ends without a word, since ./lab has one to say. What
    was begun is cleared away."""
    signal.signal(signal.SIGINT, lambda *_: sys.exit(INTERRUPTED))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # a Ctrl-C that came before waits for this line
