"""The manifest: all parts and implementations, written by CMake."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal

import pydantic
from pydantic import Field

from nbody_lab.core.messages import UserError
from nbody_lab.core.model import LabModel, Precision

VERSION: Final = 2
_AGAIN = "configure again with cmake"


class ManifestError(UserError):
    """The file is not a manifest, or lacks the requested entry. One line."""


class Program(LabModel):
    """One executable of an implementation."""

    precision: Precision
    instruction_set: str = Field("", description="sse2, avx2, ...; empty: the flags' own")
    program: str = Field(description="path from the build folder")
    target: str = ""


class Counted(LabModel):
    """The program that counts its operations."""

    program: str
    target: str = ""
    result: str = Field("", description="path of its counts, from the build folder")


class Implementation(LabModel):
    """One way to simulate."""

    part: str
    name: str
    kind: str = Field(
        description="naive, mine, rung, exhibit, guest; of the checker: wrong, honest"
    )
    summary: str = ""
    source: str = Field("", description="path from the root of the lab")
    class_name: str = Field("", alias="class")
    parent: str = Field("", description="the implementation that it differs from by one idea")
    prediction: float | None = Field(None, description="how many times as fast as its parent")
    long_diff: str = ""
    holds_sums: bool = False
    flags: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    expect: str = Field("", description="the verdict of the check, if it is not: passed")
    program: str = Field("", description="path from the build folder, and Ninja target")
    target: str = ""
    arguments: tuple[str, ...] = ()
    programs: tuple[Program, ...] = ()
    count: Counted | None = None


class Part(LabModel):
    """One stage of the lab."""

    name: str
    folder: str = ""
    default_step: str = Field("fixed", description="fixed or adaptive")
    device: str = Field("cpu", description="cpu or gpu")
    launcher: tuple[str, ...] = Field((), description="argv that starts a program of ranks")
    ranks: int = 0
    studies: str = Field("", description="path of the part's studies.json")


class GpuOnly(LabModel):
    """An implementation that cannot run on a CPU."""

    part: str
    name: str
    why: str


class _File(LabModel):
    version: Literal[2]
    parts: tuple[Part, ...]
    implementations: tuple[Implementation, ...]
    gpu_only: tuple[GpuOnly, ...] = ()  # in manifest_on_cpu.json


def manifest_text(implementations: Iterable[Implementation], parts: Iterable[Part] = ()) -> str:
    """A manifest as CMake writes it."""
    file = _File(version=VERSION, parts=tuple(parts), implementations=tuple(implementations))
    return file.model_dump_json(by_alias=True, exclude={"gpu_only"}, indent=1)


class Manifest:
    """What is built here. Raises ManifestError."""

    def __init__(self, file: Path | str) -> None:
        self.file = Path(file)
        try:
            data = json.loads(self.file.read_text(encoding="utf-8"))
            version = data["version"]
            if version != VERSION:
                raise ManifestError(f"{file}: version {version}, not {VERSION}: {_AGAIN}")
            read = _File.model_validate(data)
        except (OSError, ValueError, KeyError, TypeError, pydantic.ValidationError) as error:
            raise ManifestError(f"{file}: not a manifest of the lab: {_AGAIN}") from error
        self.parts, self.rows, self.gpu_only = read.parts, read.implementations, read.gpu_only

    def part(self, name: str) -> Part | None:
        return next((part for part in self.parts if part.name == name), None)

    def of_part(self, part: str, kind: str | None = None) -> list[Implementation]:
        return [row for row in self.rows if row.part == part and kind in (None, row.kind)]

    def row(self, part: str, name: str) -> Implementation:
        """The implementation. Raises ManifestError, which lists the available names."""
        for row in self.of_part(part):
            if row.name == name:
                return row
        names = " ".join(row.name for row in self.of_part(part))
        if not names:
            parts = " ".join(known.name for known in self.parts)
            raise ManifestError(f"there is no part '{part}'; parts: {parts}")
        raise ManifestError(f"{part} has no implementation '{name}'; it has: {names}")

    def targets(self, part: str, name: str, precision: str, sets: Iterable[str] = ()) -> list[str]:
        """The Ninja targets that build its programs; `sets` limits them to these instruction sets."""
        row = self.row(part, name)
        programs = [program for program in row.programs if program.precision == precision]
        if sets:
            wanted = [program for program in programs if program.instruction_set in sets]
            programs = wanted or programs
        targets = [program.program for program in programs]
        if targets and row.program not in targets and precision == "float":
            targets.append(row.program)  # the launcher
        return targets
