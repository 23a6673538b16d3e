"""Notices when the student saves a file."""

import threading
from collections.abc import Callable
from pathlib import Path

import watchfiles

_COLLECT_MS = 200  # an editor saves in several steps
_HEADERS = (".hpp", ".cuh", ".h")
WORKSHEET = "worksheet.hpp"


def concerns_check(file: str, name: str) -> bool:
    """Whether the version NAME is built from this file: itself, its flags, headers of one's own."""
    path = Path(file)
    if path.name == "flags.txt" or path.stem == name:
        return path.suffix in (*_HEADERS, ".txt")
    is_another = path.stem.startswith("mine") or path.stem == "naive" or path.name == WORKSHEET
    return path.suffix in _HEADERS and not path.name.startswith(".") and not is_another


class Saves:
    """Calls `saved(names)` from a thread of its own: the folder's files that changed, together."""

    def __init__(self, folder: Path, saved: Callable[[set[str]], None]) -> None:
        self._folder, self._saved = folder, saved
        self._stop = threading.Event()
        self.fault = ""  # why it watches no more
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            # The folder, since many editors replace the file by another one.
            for changes in watchfiles.watch(
                self._folder,
                watch_filter=None,
                debounce=_COLLECT_MS,
                step=_COLLECT_MS // 4,
                stop_event=self._stop,
                raise_interrupt=False,
                recursive=False,
            ):
                self._saved({Path(path).name for _, path in changes})
        except Exception as fault:  # of the system: no folder, too many watches
            self.fault = str(fault)
            self._saved(set())

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(1)
