"""A build with its check, or a judged worksheet, running beside the keys."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

_PATIENCE_S = 5  # for a compiler to end after Ctrl-C


class Job:
    """A command of ./lab as a process of its own, which writes JSON to a file."""

    def __init__(
        self, what: str, words: Sequence[str], folder: Path, ended: Callable[[], None]
    ) -> None:
        self.what = what
        self.file = folder / f"{what}.json"
        self._log = folder / f"{what}.log"
        self._start = time.monotonic()
        self.file.unlink(missing_ok=True)
        with self._log.open("wb") as log:
            # A session of its own: Ctrl-C is for the watch, which then ends this one.
            self._process = subprocess.Popen(
                [*words, "--json", str(self.file)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                start_new_session=True,
            )
        threading.Thread(target=self._wait, args=(ended,), daemon=True).start()

    def _wait(self, ended: Callable[[], None]) -> None:
        self._process.wait()
        ended()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def printed(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace")

    def stop(self) -> None:
        """Ends it with all that it started, as Ctrl-C would; then by force."""
        for number, patience_s in ((signal.SIGINT, _PATIENCE_S), (signal.SIGKILL, _PATIENCE_S)):
            if not self.is_running:
                return
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, number)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(patience_s)
