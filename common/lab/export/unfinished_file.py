"""A file that is written piece by piece under a temporary name, and renamed when all of it is there."""

import os
from pathlib import Path


class UnfinishedFile:
    """Raises OSError; then discard() leaves nothing behind."""

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
            self.stream.close()  # which writes what is left: a full disk fails again
        except OSError:
            pass
        self.temporary.unlink(missing_ok=True)
