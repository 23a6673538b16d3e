"""The ceilings of this machine: build/ceilings.json, which ./lab roofline --measure writes (docs/file_formats.md)."""

from pathlib import Path

import cpuinfo
from worksheet.roofline_inputs import MEASURE, NoInput, read_ceilings, shown

NO_NAME = "unknown CPU"  # as in common/machine/machine.cpp


def name_of_processor(text=None):
    """The processor's name from the kernel; NO_NAME if it gives none. `text`: /proc/cpuinfo of another machine."""
    return cpuinfo.fields(text).get("model name") or NO_NAME


class Ceilings:
    """The rows of the file. None if it is missing, invalid or of another machine: `why_none` gives the reason."""

    def __init__(self, rows=(), why_none=""):
        self.rows, self.why_none = list(rows), why_none

    @classmethod
    def of_this_machine(cls, file, processor=None):
        if not Path(file).exists():
            return cls()
        try:
            told = read_ceilings(file)
        except NoInput as fault:
            return cls(why_none=str(fault))
        if told["machine"]["cpu"] != (name_of_processor() if processor is None else processor):
            return cls(why_none=f"{shown(file)} is for another processor ({told['machine']['cpu']}): {MEASURE} measures this one")
        return cls(told["ceilings"])

    def with_doubtful(self):
        """The same, with disturbed rows as if nothing had disturbed them."""
        return Ceilings({**row, "is_ceiling": True} for row in self.rows)

    def best(self, columns):
        """The highest value of the rows with these columns, in their unit. None if there is none or if it was
        disturbed, because the next lower one would be a different limit."""
        rows = [row for row in self.rows if all(row.get(name) == value for name, value in columns.items())]
        highest = max(rows, key=lambda row: row["best"], default={})
        return highest["best"] if highest.get("is_ceiling") else None
