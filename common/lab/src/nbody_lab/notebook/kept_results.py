"""Stores results of commands in build/, each with the seal of its source, for the page of ./lab report.

    build/verdicts/PART_NAME.json        the last ./lab check or ./lab try of an implementation
    build/worksheets/PART.json           the last ./lab worksheet
    build/profile_lines/PART_NAME.json   the last ./lab profile: functions and their shares

docs/file_formats.md says what is in them. If they cannot be written, the command continues without them.
"""

import contextlib
import datetime
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pydantic
from pydantic import ConfigDict, Field

from nbody_lab.core.model import LabModel
from nbody_lab.core.whole_file import write_text
from nbody_lab.notebook.results import CheckResult

VERSION = 1
_MOST_EXAMPLES = 3


def _now() -> str:
    return f"{datetime.datetime.now().astimezone():%Y-%m-%dT%H:%M:%S%z}"


class Record(LabModel):
    """A stored result; what a kind adds to it is its own business."""

    model_config = ConfigDict(extra="allow")

    what: str
    version: int = VERSION
    date: str = Field(default_factory=_now)
    source: str = Field(description="path from the lab's root")
    source_sha256: str = Field(description="of the judged text: the file may have changed since")


def seal_of(source: Path) -> str:
    """SHA-256 of a file; empty if it cannot be read."""
    try:
        return hashlib.sha256(Path(source).read_bytes()).hexdigest()
    except OSError:
        return ""


def keep(file: Path, what: str, source: Path | str, seal: str, **found: Any) -> None:
    """Writes one record. `found`: the fields of its kind."""
    record = Record(what=what, source=str(source), source_sha256=seal, **found)
    with contextlib.suppress(OSError):
        write_text(file, json.dumps(record.model_dump(), indent=1) + "\n")


@contextlib.contextmanager
def result_file(folder: Path) -> Iterator[Path]:
    """The name of a file for a program's result, which is removed at the end. No other ./lab writes to it."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f".result_{os.getpid()}.json"
    try:
        yield file
    finally:
        file.unlink(missing_ok=True)


def read_verdicts(file: Path) -> CheckResult | None:
    """What check wrote; None if that is no result."""
    try:
        return CheckResult.model_validate_json(file.read_bytes())
    except (OSError, pydantic.ValidationError):
        return None


# Another ./lab may build a program anew while it is judged: the verdict is then of neither text.
Stamps = dict[Path, tuple[int, int]]


def stamps_of(programs: Iterable[Path]) -> Stamps:
    """What is on disk now: inode and time of each program that is there."""
    found = {file: file.stat() for file in programs if file.is_file()}
    return {file: (stat.st_ino, stat.st_mtime_ns) for file, stat in found.items()}


def keep_verdicts(
    folder: Path,
    result: CheckResult | None,
    seals: Mapping[str, tuple[str, str]],
    options: Sequence[str] = (),
) -> None:
    """Stores the verdicts of what is in `seals`, {name: (source, seal of its text before the build)}."""
    if result is None:
        return
    for program in result.implementations:
        if program.name in seals:
            keep(
                folder / f"{program.part}_{program.name}.json",
                "verdict",
                *seals[program.name],
                **program.model_dump(exclude={"cases", "sentence"}),
                tolerance=result.tolerance,
                precision=result.precision,
                options=list(options),
                cases=len(program.cases),
                failed=len(program.failed),
                examples=[case.model_dump() for case in program.failed[:_MOST_EXAMPLES]],
            )
