"""What ./lab check keeps in build/ for ./lab submit and ./lab report (docs/fields.md), with the seal of its source."""

import datetime
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from nbody_lab import ROOT
from nbody_lab.check.result import CheckResult
from nbody_lab.core.model import LabModel
from nbody_lab.core.whole_file import write_text

VERDICTS = ROOT / "build/verdicts"


def now() -> str:
    return f"{datetime.datetime.now().astimezone():%Y-%m-%dT%H:%M:%S%z}"


class Verdict(LabModel):
    """The last check of an implementation."""

    what: Literal["verdict"] = "verdict"
    version: Literal[1] = 1
    date: str = Field(default_factory=now, description="local, with its offset from UTC")
    source: str = Field(description="path from the lab's root")
    source_sha256: str = Field(description="of the judged text: the file may have changed since")
    part: str
    name: str
    verdict: str
    worst_share_of_limit: float | None = Field(description="1: the limit is reached")
    options: tuple[str, ...] = Field(description="of the command")
    cases: int = Field(description="how many")
    failed: int = Field(description="how many of them")
    diagnosis: str = Field(description="of the failure that says most")


def seal_of(source: Path) -> str:
    """SHA-256 of a file; empty if it cannot be read."""
    try:
        return hashlib.sha256(source.read_bytes()).hexdigest()
    except OSError:
        return ""


def keep_verdicts(
    result: CheckResult, seals: Mapping[str, dict[str, Any]], options: Sequence[str] = ()
) -> None:
    """`seals`: of the texts before the build, by name."""
    for program in result.implementations:
        if program.name not in seals:  # a header that came meanwhile
            continue
        worst = program.most_informative
        verdict = Verdict(
            **seals[program.name],
            part=program.part,
            name=program.name,
            verdict=program.verdict,
            worst_share_of_limit=program.worst_share_of_limit,
            options=tuple(options),
            cases=len(program.cases),
            failed=len(program.failed),
            diagnosis=(worst.diagnosis or worst.detail) if worst else "",
        )
        file = VERDICTS / f"{program.part}_{program.name}.json"
        write_text(file, verdict.model_dump_json(indent=1) + "\n")
