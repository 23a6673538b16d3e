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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pydantic
from pydantic import ConfigDict, Field

from nbody_lab.core.model import LabModel
from nbody_lab.core.whole_file import write_text
from nbody_lab.notebook.results import Case, CheckResult

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


class Verdict(Record):
    part: str
    name: str
    verdict: str
    as_expected: bool
    worst_share_of_limit: float | None
    tolerance: str
    precision: str
    options: list[str]
    cases: int
    failed: int
    examples: list[Case] = Field(description="the first that failed")


def seal_of(source: Path) -> str:
    """SHA-256 of a file; empty if it cannot be read."""
    try:
        return hashlib.sha256(Path(source).read_bytes()).hexdigest()
    except OSError:
        return ""


def _write(file: Path, record: Record) -> None:
    with contextlib.suppress(OSError):
        write_text(file, json.dumps(record.model_dump(), indent=1) + "\n")


def keep(file: Path, what: str, source: Path | str, seal: str, **found: Any) -> None:
    """Writes one record. `found`: the fields of its kind."""
    _write(file, Record(what=what, source=str(source), source_sha256=seal, **found))


@dataclass(frozen=True)
class ResultFile:
    """To which a program writes its result."""

    path: Path
    _before: int | None

    def content(self) -> bytes | None:
        """What the program wrote; None if it wrote nothing."""
        return self.path.read_bytes() if _modified(self.path) not in (None, self._before) else None

    def verdicts(self) -> CheckResult | None:
        """What check wrote; None if that is no result."""
        try:
            return CheckResult.model_validate_json(self.content() or b"")
        except (OSError, pydantic.ValidationError):
            return None


def _modified(file: Path) -> int | None:
    return file.stat().st_mtime_ns if file.exists() else None


@contextlib.contextmanager
def result_file(folder: Path, own: Path | None) -> Iterator[ResultFile]:
    """The user's own file, or one in the folder that is removed at the end."""
    if own:
        yield ResultFile(own, _modified(own))
        return
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f".result_{os.getpid()}.json"
    try:
        yield ResultFile(file, _modified(file))
    finally:
        file.unlink(missing_ok=True)


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
    for program in result.implementations if result else ():
        if program.name not in seals:
            continue
        source, seal = seals[program.name]
        _write(
            folder / f"{program.part}_{program.name}.json",
            Verdict(
                what="verdict",
                source=source,
                source_sha256=seal,
                part=program.part,
                name=program.name,
                verdict=program.verdict,
                as_expected=program.as_expected,
                worst_share_of_limit=program.worst_share_of_limit,
                tolerance=result.tolerance,
                precision=result.precision,
                options=list(options),
                cases=len(program.cases),
                failed=len(program.failed),
                examples=program.failed[:_MOST_EXAMPLES],
            ),
        )
