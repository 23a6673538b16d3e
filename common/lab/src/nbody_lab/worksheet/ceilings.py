"""The ceilings of this machine: build/ceilings.json, which ./lab roofline --measure writes (docs/file_formats.md)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import pydantic

from nbody_lab import ROOT
from nbody_lab.core import cpuinfo
from nbody_lab.core.messages import UserError
from nbody_lab.core.model import load

_MEASURE = "./lab roofline --measure measures this machine"
_NO_NAME = "unknown CPU"  # as in common/machine/machine.cpp
_LEVELS = ("L1", "L2", "L3", "DRAM")  # the nearest first


class _Part(pydantic.BaseModel):
    """What is needed of a file with more fields."""

    model_config = pydantic.ConfigDict(frozen=True, extra="ignore")


class Ceiling(_Part):
    where: str = "cpu"
    kind: str = ""
    operation: str = ""
    instruction_set: str = ""
    level: str = ""
    precision: str = ""
    threads: int = 0
    best: float = pydantic.Field(ge=0, description="in the unit of its kind: flop/s, byte/s")
    is_ceiling: bool = pydantic.Field(False, description="nothing disturbed its measurement")

    def has(self, columns: Mapping[str, object]) -> bool:
        return all(getattr(self, name, None) == value for name, value in columns.items())


class _Machine(_Part):
    cpu: str


class _CeilingsFile(_Part):
    what: Literal["ceilings"]
    version: Literal[1]
    machine: _Machine
    ceilings: tuple[Ceiling, ...]


def name_processor(cpuinfo_text: str | None = None) -> str:
    """The processor's name from the kernel; ARM gives none. `cpuinfo_text`: /proc/cpuinfo of another machine."""
    return cpuinfo.fields(cpuinfo_text).get("model name") or _NO_NAME


class Ceilings(_Part):
    """The rows of the file. None if it is missing, invalid or of another machine: `why_none` gives the reason."""

    rows: tuple[Ceiling, ...] = ()
    why_none: str = ""

    @classmethod
    def of_this_machine(cls, file: Path, processor: str | None = None) -> "Ceilings":
        if not file.exists():
            return cls()
        try:
            read = load(_CeilingsFile, file)
        except UserError as error:
            return cls(why_none=f"{str(error).removeprefix(f'{ROOT}/')}: {_MEASURE}")
        if read.machine.cpu != (processor or name_processor()):
            shown = str(file).removeprefix(f"{ROOT}/")
            of_whom = f"is for another processor ({read.machine.cpu})"
            return cls(why_none=f"{shown} {of_whom}: {_MEASURE}")
        return cls(rows=read.ceilings)

    def with_doubtful(self) -> "Ceilings":
        """The same, with disturbed rows as if nothing had disturbed them."""
        rows = (row.model_copy(update={"is_ceiling": True}) for row in self.rows)
        return Ceilings(rows=tuple(rows))

    def best(self, columns: Mapping[str, object]) -> float | None:
        """The highest value of the rows with these columns, in their unit. None if there is none or if it was
        disturbed, because the next lower one would be a different limit."""
        rows = [row for row in self.rows if row.has(columns)]
        highest = max(rows, key=lambda row: row.best, default=None)
        return highest.best if highest and highest.is_ceiling else None

    def behind(self, columns: Mapping[str, object]) -> list[tuple[str, float]]:
        """(level, best) of the memory behind the level that the columns ask for, whatever instructions load it."""
        if columns.get("level") not in _LEVELS:
            return []
        levels = _LEVELS[_LEVELS.index(str(columns["level"])) + 1 :]
        same = {name: columns[name] for name in ("where", "kind", "threads") if name in columns}
        return [(row.level, row.best) for row in self.rows if row.level in levels and row.has(same)]
