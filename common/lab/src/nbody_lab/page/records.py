"""The records of other rooms, as the page shows them: with their age, and in words."""

from functools import cached_property

from pydantic import Field, computed_field

from nbody_lab.core.bound_file import Bound
from nbody_lab.core.model import LabModel
from nbody_lab.core.results import Ceiling, Ceilings, Point, Roofline
from nbody_lab.core.words import plural
from nbody_lab.notebook.kept_results import Profile, Verdict
from nbody_lab.programs.quick_bench import busy_words
from nbody_lab.roofline.text import BUSY_MACHINE, explain_limiters, short_limiter
from nbody_lab.worksheet.sheet import KeptSheet, format_progress

# The machine.


class TabledCeiling(Ceiling):
    """With its row and column in a table."""

    @computed_field
    @cached_property
    def label(self) -> str:
        """L1 load, AVX2 -> L1, AVX2: the column says which operation."""
        if self.kind != "bandwidth":
            return self.name
        return self.name.replace(f" {self.operation},", ",").removesuffix(f", {self.operation}")

    @computed_field
    @cached_property
    def column(self) -> str:
        what = self.operation if self.kind == "bandwidth" else self.precision
        return f"{what}, {plural(self.threads, 'thread')}" if self.threads else what


class MachineCeilings(Ceilings):
    ceilings: tuple[TabledCeiling, ...]


# Records of a source that may have changed since.


class Aged(LabModel):
    stale: bool = Field(default=False, description="its source has changed since")


class KeptVerdict(Verdict, Aged):
    pass


class KeptProfile(Profile, Aged):
    pass


class KeptBound(Bound, Aged):
    pass


class JudgedSheet(KeptSheet, Aged):
    @computed_field
    @cached_property
    def progress(self) -> str:
        """In the words of ./lab worksheet."""
        return format_progress(self.lines)


class RooflinePoint(Point, Aged):
    @computed_field
    @cached_property
    def limiter_in_short(self) -> str:
        return short_limiter(self.limiter, self.busy_machine)

    @computed_field
    @cached_property
    def doubt(self) -> str:
        """Why its limiter is not known, in a sentence; else empty."""
        return busy_words([self.name]) if self.limiter_in_short == BUSY_MACHINE else ""


class PartRoofline(Roofline):
    """The roofline of one setting. The page stores the ceilings once."""

    points: tuple[RooflinePoint, ...]
    ceilings: Ceilings = Field(exclude=True)

    @computed_field
    @cached_property
    def setting(self) -> tuple[str, str]:
        return self.precision, "all" if self.threads > 1 else "one"

    @computed_field
    @cached_property
    def remarks(self) -> list[str]:
        busy = [point.name for point in self.points if point.busy_machine]
        waits = any(point.limiter_in_short == "waiting" for point in self.points)
        return [*explain_limiters(self.part, busy, waits), *self.notes]

    def find(self, name: str) -> RooflinePoint | None:
        """The last of this name."""
        return {point.name: point for point in self.points}.get(name)

    def is_of_setting(self, precision: str, threads: int | None) -> bool:
        """A GPU has no threads."""
        same_threads = self.where != "cpu" or self.threads == threads
        return self.precision == precision and same_threads
