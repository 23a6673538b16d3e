"""What a machine reaches, as ./lab share writes it and data/results/machines keeps it (docs/machines.md).

People send these files to strangers: no field asks whose machine it is, and text that could hold a path or an address is
refused, by whoever reads the file as well.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from nbody_lab.core.model import LabModel, load
from nbody_lab.core.results import Ceiling, Count, MachineFacts, Number, Positive, format_rows
from nbody_lab.core.words import is_own, plural

# A slash only where systems, processors, operations and units have one: w/ Radeon, flop/s.
_PLAIN = re.compile(
    r"(?:[\w ()+.,:-]|@ ?[\d.]+ ?[GM]Hz|\b(?:GNU/Linux|w/ |1/sqrt|(?:flop|byte|operation)/s))*",
    re.ASCII,
)
_ADDRESS = re.compile(r"(?<!\d)(?:\d{1,3}\.){3}\d{1,3}(?!\d)|(?:[0-9a-fA-F]*:){2}")
# What a processor's name has beside its name.
_TRADE = re.compile(r"\([a-z]+\)|\b(?:cpu|processor|\d+-core)\b|@.*", re.I)

Day = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]


class Speed(LabModel):
    """One of the lab's own versions, in float with a fixed step."""

    part: Literal["part1", "part2", "part3"]
    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    n: Annotated[int, Field(gt=0, strict=True)] = Field(description="bodies")
    threads: Count = Field(description="that it was given; 0: a GPU")
    interactions_per_s: Positive = Field(description="the median of the rounds")
    spread: Number | None = Field(
        default=None, description="width of the middle half over the median; left out: not kept"
    )
    day: Day = Field(description="when it was measured")
    share_of_bound: Number | None = Field(
        default=None, description="that `./lab bound` found; left out: not measured"
    )
    share_of_roof: Number | None = Field(
        default=None, description="that `./lab roofline` found; left out: not measured"
    )

    @field_validator("name")
    @classmethod
    def _is_the_labs(cls, name: str) -> str:
        if is_own(name):
            raise ValueError(f"is '{name}': one's own versions are not shared")
        return name


def _texts(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """(place, text) of each text in the data."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _texts(one, f"{place}.{key}".lstrip("."))
    elif isinstance(value, (list, tuple)):
        for number, one in enumerate(value):
            yield from _texts(one, f"{place}[{number}]")


class Machine(LabModel):
    """data/results/machines/NAME.json."""

    what: Literal["machine"]
    version: Literal[1]
    lab: Annotated[str, Field(pattern=r"^\d+\.\d+\.\d+$")] = Field(
        description="the version of the lab that wrote the file"
    )
    date: Day = Field(description="of the newest measurement")
    machine: MachineFacts
    memory_bytes: Annotated[int, Field(gt=0, strict=True)] | None = Field(
        default=None, description="main memory; left out: not known"
    )
    gpu: str | None = Field(default=None, description="left out: none was measured")
    clock_hz: Positive = Field(description="of a core, while the ceilings were measured")
    ceilings: tuple[Ceiling, ...] = Field(
        min_length=1, description="in float, of the widest instruction set and of the GPU"
    )
    speeds: tuple[Speed, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _names_nobody(self) -> "Machine":
        for place, text in _texts(self.model_dump()):
            if not _PLAIN.fullmatch(text) or _ADDRESS.search(text):
                raise ValueError(f"{place}: '{text}' may name more than a machine")
        return self

    def to_json(self) -> str:
        """The text of the file."""
        return format_rows(self.model_dump(mode="json", exclude_none=True))

    @property
    def title(self) -> str:
        """Intel Xeon, 16 cores, NVIDIA H200"""
        cpu = " ".join(_TRADE.sub(" ", self.machine.cpu).split()) or "some processor"
        gpu = f", {self.gpu}" if self.gpu else ""
        return f"{cpu}, {plural(self.machine.cores, 'core')}{gpu}"

    def best(self, part: str, on_all_threads: bool = False) -> Speed | None:
        """The fastest of a part but naive: on one thread, on the most that were measured, or on a GPU. None: not
        measured."""
        rows = [row for row in self.speeds if row.part == part and row.name != "naive"]
        most = max((row.threads for row in rows), default=0)
        if on_all_threads and most < 2:
            return None
        threads = most if on_all_threads else min(1, most)
        fitting = [row for row in rows if row.threads == threads]
        return max(fitting, key=lambda row: row.interactions_per_s, default=None)

    def naive(self) -> Speed | None:
        """Part 1's, which runs on one thread, however many it was given."""
        rows = [row for row in self.speeds if (row.part, row.name) == ("part1", "naive")]
        return min(rows, key=lambda row: row.threads, default=None)


def read_machine(file: Path) -> Machine:
    """Raises UserError: the file, the place in it, and what is wrong."""
    return load(Machine, file)
