"""A file written piece by piece under a temporary name, and renamed once it is complete."""

import os
from pathlib import Path


class UnfinishedFile:
    """Its functions raise OSError; then call discard() to leave nothing behind."""

    def __init__(self, path):
        self.path = Path(path)
        self.temporary = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        self.stream = open(self.temporary, "wb")
        self.bytes = 0

    def write(self, content):
        self.stream.write(content)
        self.bytes += len(content)

    def finish(self):
        self.stream.close()
        os.replace(self.temporary, self.path)

    def discard(self):
        try:
            self.stream.close()  # flushes the rest, so a full disk fails again
        except OSError:
            pass
        self.temporary.unlink(missing_ok=True)
