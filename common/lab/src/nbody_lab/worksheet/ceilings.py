"""The ceilings of this machine, as a worksheet asks for them."""

from collections.abc import Mapping
from pathlib import Path

from nbody_lab.core import cpuinfo
from nbody_lab.core.model import LabModel
from nbody_lab.core.results import MEASURE, Ceiling, NoInput, read_ceilings, shown

_NO_NAME = "unknown CPU"  # as in common/machine/machine.cpp
_LEVELS = ("L1", "L2", "L3", "DRAM")  # the nearest first


def name_processor(cpuinfo_text: str | None = None) -> str:
    """The processor's name from the kernel; ARM gives none. `cpuinfo_text`: /proc/cpuinfo of another machine."""
    return cpuinfo.fields(cpuinfo_text).get("model name") or _NO_NAME


def _has(row: Ceiling, columns: Mapping[str, object]) -> bool:
    return all(getattr(row, name) == value for name, value in columns.items())


class Ceilings(LabModel):
    """The rows of build/ceilings.json. None if it is missing, invalid or of another machine: `why_none` gives the reason."""

    rows: tuple[Ceiling, ...] = ()
    why_none: str = ""

    @classmethod
    def of_this_machine(cls, file: Path, processor: str | None = None) -> "Ceilings":
        if not file.exists():
            return cls()
        try:
            read = read_ceilings(file)
        except NoInput as error:
            why = str(error).split(": measure again")[0]
        else:
            if read.machine.cpu == (processor or name_processor()):
                return cls(rows=read.ceilings)
            why = f"{shown(file)} is for another processor ({read.machine.cpu})"
        return cls(why_none=f"{why}: {MEASURE} measures this machine")

    def with_doubtful(self) -> "Ceilings":
        """The same, with disturbed rows as if nothing had disturbed them."""
        rows = (row.model_copy(update={"is_ceiling": True}) for row in self.rows)
        return Ceilings(rows=tuple(rows))

    def best(self, columns: Mapping[str, object]) -> float | None:
        """The highest value of the rows with these columns, in their unit. None if there is none or if it was
        disturbed, because the next lower one would be a different limit."""
        rows = [row for row in self.rows if _has(row, columns)]
        highest = max(rows, key=lambda row: row.best, default=None)
        return highest.best if highest and highest.is_ceiling else None

    def behind(self, columns: Mapping[str, object]) -> list[tuple[str, float]]:
        """(level, best) of the memory behind the level that the columns ask for, whatever instructions load it."""
        if columns.get("level") not in _LEVELS:
            return []
        levels = _LEVELS[_LEVELS.index(str(columns["level"])) + 1 :]
        same = {name: columns[name] for name in ("where", "kind", "threads") if name in columns}
        return [
            (row.level, row.best) for row in self.rows if row.level in levels and _has(row, same)
        ]
