"""Announces work that takes long: what it does, and how long that took the last time. Each kind of work has a file in
build/last_times.
"""

import contextlib
import time
from collections.abc import Iterator

from pydantic import Field

from nbody_lab import ROOT
from nbody_lab.core.clean_text import file_name
from nbody_lab.core.messages import say
from nbody_lab.core.model import LabModel, load_if_whole
from nbody_lab.core.whole_file import write_text

FOLDER = ROOT / "build/last_times"


class LastTime(LabModel):
    """Some work as it was done last."""

    count: int = Field(description="programs")
    seconds: float = Field(description="of wall time")

    def __str__(self) -> str:
        return f"; {self.count} took {self.seconds:.0f} s the last time"


@contextlib.contextmanager
def announced(what: str, work: str, count: int) -> Iterator[None]:
    """Says `what` will be done with `count` programs, and keeps how long it took unless it fails. `work`: what had the same
    words before is the same work."""
    file = FOLDER / f"{file_name(work)}.json"
    say(f"{what}{load_if_whole(LastTime, file) or ''}")
    start = time.monotonic()
    yield
    done = LastTime(count=count, seconds=round(time.monotonic() - start, 1))
    with contextlib.suppress(OSError):
        write_text(file, done.model_dump_json() + "\n")
