"""What ./lab says of itself, and how it ends."""

import sys


class Failure(Exception):
    """Ends the command with this status; what had to be said has been said."""

    def __init__(self, status):
        super().__init__(status)
        self.status = status


def say(text):
    print(f"lab: {text}", file=sys.stderr, flush=True)


def stop(text):
    """For bad input: one line, status 2."""
    say(text)
    raise Failure(2)
