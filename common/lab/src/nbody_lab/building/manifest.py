"""The manifest: all parts and implementations, written by CMake."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal

import pydantic
from pydantic import Field

from nbody_lab.core.errors import LabError
from nbody_lab.core.model import LabModel, Precision

VERSION: Final = 2
_AGAIN = "configure again with cmake"


class ManifestError(LabError):
    """The file is not a manifest, or lacks the requested entry. One line."""


class Program(LabModel):
    """One executable of an implementation."""

    precision: Precision
    instruction_set: str = Field(
        default="", description="sse2, avx2, ...; empty: for every machine"
    )
    program: str = Field(description="path from the build folder")
    target: str = Field(default="", description="its name in Ninja")


class Counted(LabModel):
    """The program that counts its operations."""

    program: str
    target: str = ""


class Implementation(LabModel):
    """One way to simulate."""

    part: str
    name: str
    kind: str = Field(
        description="naive, mine, rung, exhibit, solution, guest (in another language), "
        "or honest and wrong (for the checker's own tests)"
    )
    summary: str = ""
    source: str = Field("", description="its header: path from the lab's root")
    class_name: str = Field("", alias="class", description="the class in the header")
    parent: str = Field("", description="differs from it by one idea; empty: naive")
    holds_sums: bool = Field(
        False,
        description="its float sums are accurate at any N; `./lab check --thorough` holds sums of 65537 terms "
        "to the limit of short ones",
    )
    flags: tuple[str, ...] = Field((), description="of the compiler")
    needs: tuple[str, ...] = Field((), description="features of the processor, or `gpu`")
    expect: str = Field(
        "",
        description="of an exhibit that fails: the mistake that must be found, or several with a vertical bar between them",
    )
    program: str = Field(
        "",
        description="what you start: path from the build folder; of several instruction sets, the one that runs everywhere",
    )
    target: str = Field(default="", description="its name in Ninja")
    arguments: tuple[str, ...] = Field((), description="that it always gets")
    programs: tuple[Program, ...] = ()
    launcher: tuple[str, ...] | None = Field(
        None, description="instead of the part's, in manifests of the grader alone"
    )
    count: Counted | None = Field(None, description="null: it is not counted")


class Part(LabModel):
    """One stage of the lab."""

    name: str
    folder: str = Field("", description="path from the lab's root")
    default_step: str = Field("fixed", description="fixed or adaptive: what `./lab try` measures")
    device: str = Field("cpu", description="cpu or gpu")
    launcher: tuple[str, ...] = Field(
        (),
        description="words before a program's name; `RANKS` stands for the number of processes, "
        "`SOCKET` for the path of the socket that a sandbox must let in",
    )
    ranks: int = Field(
        0, description="processes, unless `--ranks` gives another number; 1: no ranks"
    )


class GpuOnly(LabModel):
    """An implementation that cannot run on a CPU."""

    part: str
    name: str
    why: str


class ManifestFile(LabModel):
    """build/PRESET/manifest.json."""

    version: Literal[2]
    parts: tuple[Part, ...]
    implementations: tuple[Implementation, ...] = Field(description="part by part, in ladder order")
    gpu_only: tuple[GpuOnly, ...] = Field((), description="in `manifest_on_cpu.json` alone")


def manifest_text(implementations: Iterable[Implementation], parts: Iterable[Part] = ()) -> str:
    """A manifest as CMake writes it."""
    file = ManifestFile(
        version=VERSION, parts=tuple(parts), implementations=tuple(implementations), gpu_only=()
    )
    return file.model_dump_json(
        by_alias=True,
        exclude={"gpu_only": True, "implementations": {"__all__": {"launcher"}}},
        indent=1,
    )


class Manifest:
    """What is built here. Raises ManifestError."""

    def __init__(self, file: Path | str) -> None:
        self.file = Path(file)
        try:
            data = json.loads(self.file.read_text(encoding="utf-8"))
            version = data["version"]
            if version != VERSION:
                raise ManifestError(f"{file}: version {version}, not {VERSION}: {_AGAIN}")
            read = ManifestFile.model_validate(data)
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
