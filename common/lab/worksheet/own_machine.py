"""The ceilings of this machine: build/ceilings.json, which ./lab roofline --measure writes (docs/file_formats.md)."""

import json
from pathlib import Path

import cpuinfo

NO_NAME = "unknown CPU"  # as common/machine/machine.cpp says it


def name_of_processor(text=None):
    """As the kernel says it; NO_NAME where it does not. `text`: /proc/cpuinfo of another machine."""
    return cpuinfo.fields(text).get("model name") or NO_NAME


class Ceilings:
    """Rows of the file; none where it is missing, of another machine, or no such file."""

    def __init__(self, rows=()):
        self.rows = list(rows)

    @classmethod
    def of_this_machine(cls, file, processor=None):
        try:
            told = json.loads(Path(file).read_text(encoding="utf-8"))
            same = told["machine"]["cpu"] == (name_of_processor() if processor is None else processor)
            return cls(told["ceilings"] if same and told["version"] == 1 else ())
        except (OSError, ValueError, KeyError, TypeError):
            return cls()

    def with_doubtful(self):
        """As if nothing had disturbed any."""
        return Ceilings({**row, "is_ceiling": True} for row in self.rows)

    def best(self, columns):
        """The highest of the rows that have these columns, in their unit; None if there is none, or if it was disturbed:
        the next lower one would be another limit."""
        rows = [row for row in self.rows if all(row.get(name) == value for name, value in columns.items())]
        highest = max(rows, key=lambda row: row["best"], default={})
        return highest["best"] if highest.get("is_ceiling") else None
