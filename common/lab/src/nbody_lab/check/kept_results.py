"""Stores results of commands in build/, each with the seal of its source, for ./lab report and ./lab submit.

    build/verdicts/PART_NAME.json        the last ./lab check of an implementation, or ./lab try
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
from typing import Literal

from pydantic import Field

from nbody_lab.check.result import CheckResult
from nbody_lab.core.model import LabModel, load_if_whole
from nbody_lab.core.whole_file import write_text


def now() -> str:
    return f"{datetime.datetime.now().astimezone():%Y-%m-%dT%H:%M:%S%z}"


class Record(LabModel):
    """A stored result, with the seal of the source that it is about."""

    what: str
    version: Literal[1] = 1
    date: str = Field(default_factory=now, description="local, with its offset from UTC")
    source: str = Field(description="path from the lab's root")
    source_sha256: str = Field(description="of the judged text: the file may have changed since")


class Verdict(Record):
    """The last check of an implementation."""

    what: Literal["verdict"] = "verdict"
    part: str
    name: str
    verdict: str
    worst_share_of_limit: float | None = Field(description="1: the limit is reached")
    options: tuple[str, ...] = Field(description="of the command")
    cases: int = Field(description="how many")
    failed: int = Field(description="how many of them")
    diagnosis: str = Field(description="of the failure that says most")


class FunctionShare(LabModel):
    """What one function takes of a program's time."""

    function: str
    share: float = Field(description="of 1")
    calls_per_iteration: float


class Profile(Record):
    """The last profile of an optimised program."""

    what: Literal["profile"] = "profile"
    part: str
    name: str
    bodies: int
    rows: tuple[FunctionShare, ...]


def seal_of(source: Path) -> str:
    """SHA-256 of a file; empty if it cannot be read."""
    try:
        return hashlib.sha256(Path(source).read_bytes()).hexdigest()
    except OSError:
        return ""


def keep(file: Path, record: Record) -> None:
    """Writes a record, if it can be written."""
    with contextlib.suppress(OSError):
        write_text(file, json.dumps(record.model_dump(mode="json"), indent=1) + "\n")


@contextlib.contextmanager
def result_file(folder: Path) -> Iterator[Path]:
    """The name of a file for a program's result, which is removed at the end. No other ./lab writes to it."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f".result_{os.getpid()}.json"
    file.unlink(missing_ok=True)  # of a ./lab that was killed, and had the same number
    try:
        yield file
    finally:
        file.unlink(missing_ok=True)


# Another ./lab may build a program anew while it is judged: the verdict is then of neither text.
Stamps = dict[Path, tuple[int, int]]


def stamps_of(programs: Iterable[Path]) -> Stamps:
    """What is on disk now: inode and time of each program that is there."""
    found = {file: file.stat() for file in programs if file.is_file()}
    return {file: (stat.st_ino, stat.st_mtime_ns) for file, stat in found.items()}


def _asked_double_too(file: Path, new: Verdict) -> bool:
    """Whether the stored check of the same text asked for all that a check without double leaves out."""
    stored = load_if_whole(Verdict, file)
    if not stored or stored.source_sha256 != new.source_sha256:
        return False
    return set(stored.options) <= {"--thorough"}


def keep_verdicts(
    folder: Path,
    result: CheckResult | None,
    seals: Mapping[str, tuple[str, str]],
    options: Sequence[str] = (),
) -> None:
    """Stores the verdicts of what is in `seals`, {name: (source, seal of its text before the build)}. One without double
    that passed says less than a stored one of the same text with it."""
    if result is None:
        return
    for program in result.implementations:
        if program.name not in seals:
            continue
        source, seal = seals[program.name]
        worst = program.most_informative
        verdict = Verdict(
            source=source,
            source_sha256=seal,
            part=program.part,
            name=program.name,
            verdict=program.verdict,
            worst_share_of_limit=program.worst_share_of_limit,
            options=tuple(options),
            cases=len(program.cases),
            failed=len(program.failed),
            diagnosis=(worst.diagnosis or worst.detail) if worst else "",
        )
        file = folder / f"{program.part}_{program.name}.json"
        says_less = program.as_expected and "--no-double" in verdict.options
        if not (says_less and _asked_double_too(file, verdict)):
            keep(file, verdict)
