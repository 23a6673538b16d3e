"""What follows from the records of a part: its implementations side by side, the student's best, what is missing.

The templates get the fields of these models; the page carries them as JSON (docs/file_formats.md).
"""

from functools import cached_property
from typing import Any, Literal

from pydantic import Field, computed_field

from nbody_lab.core.manifest import Implementation
from nbody_lab.core.model import LabModel
from nbody_lab.core.words import is_own, plural
from nbody_lab.notebook.columns import Row
from nbody_lab.notebook.gain import BUSY, TOO_NOISY
from nbody_lab.page.records import (
    JudgedSheet,
    KeptBound,
    KeptProfile,
    KeptVerdict,
    MachineCeilings,
    PartRoofline,
    RooflinePoint,
)


class Speed(LabModel):
    source: Literal["bench", "notebook", "roofline"]
    day: str
    n: int | None
    threads: int | None = Field(description="None on a GPU")
    precision: str
    interactions_per_s: float | None
    times_naive: float | None = Field(
        description="None: without a naive of the same setting, or too few rounds can be compared"
    )
    stale: bool = False
    doubtful: bool = Field(default=False, description="too noisy to be compared")
    row: int | None = Field(default=None, description="of the notebook")


class BenchRow(Speed):
    name: str
    times_first: float | None = Field(
        description="None: the rounds do not agree on it, or too few count"
    )
    spread: float
    is_right: bool
    verdict: str
    rounds: int


class Bench(LabModel):
    """The rows of the largest N, as the ladder shows them: the first is what they are compared with."""

    adaptive: bool
    rows: tuple[BenchRow, ...]
    naive: str | None


class ImplementationRow(LabModel):
    """What check, bench, notebook and roofline say about an implementation."""

    name: str
    kind: str
    summary: str
    flags: str
    verdict: KeptVerdict | None
    bench: BenchRow | None
    attempt: Row | None = Field(description="the last one")
    has_point: bool
    elsewhere: Speed | None = Field(description="the newest, unless the bench has it")


class Headline(LabModel):
    """The student's best."""

    name: str
    speed: Speed
    is_earlier: bool = Field(
        description="of an attempt before the last; what follows is not known of it"
    )
    verdict: KeptVerdict | None
    point: RooflinePoint | None = Field(description="in the roofline of the speed's setting")
    other_settings: str = Field(description="with a point, if this one has none")
    command: str = Field(description="makes that roofline")


class Missing(LabModel):
    what: str
    command: str


# What a part may have, by the name of its field, and the command that makes it.
_PIECES = (
    ("verdicts", "verdicts of the checker", "./lab check {part}"),
    ("bench", "your speed compared with naive", "./lab bench {part}"),
    (
        "notebook",
        "your ideas, predicted and measured",
        './lab try {part} {name} "an idea" --expect 1.5',
    ),
    ("rooflines", "the roofline", "./lab roofline {part}"),
    ("bounds", "the bound of the innermost loop", "./lab bound {part} {name}"),
    ("sizes", "speed by number of bodies", "./lab bench {part} naive {name} -n 500,1000,2000,4000"),
    ("profiles", "where the time goes", "./lab profile {part} {name}"),
    ("threads", "speed by number of threads", "./lab bench {part} naive {name} --threads 1,2"),
    ("worksheet", "the worksheet, judged", "./lab worksheet {part}"),
)
_NOT_ON_A_GPU = ("profiles", "threads")


def roofline_command(part: str, precision: str, all_threads: bool) -> str:
    double = " --double" if precision == "double" else ""
    return f"./lab roofline {part}{double}{' --threads all' if all_threads else ''}"


def _honest_and_fast(speed: Speed) -> tuple[float, ...]:
    times = speed.times_naive
    kept = speed.source != "roofline"
    return times is not None, not speed.doubtful, kept, times or 0, speed.interactions_per_s or 0


class Part(LabModel):
    """The results of a part, and what follows from them."""

    name: str
    title: str = ""
    device: Literal["cpu", "gpu"] = "cpu"
    has_questions: bool = False
    known: tuple[Implementation, ...] = Field(default=(), exclude=True)
    gone: frozenset[str] = Field(default=frozenset(), description="without a file", exclude=True)
    bench: Bench | None = None
    # Results of bench to draw.
    ladder: Any = Field(default=None, exclude=True)
    sizes: Any = Field(default=None, exclude=True)
    threads: Any = Field(default=None, exclude=True)
    verdicts: tuple[KeptVerdict, ...] = ()
    rooflines: tuple[PartRoofline, ...] = ()
    bounds: tuple[KeptBound, ...] = ()
    profiles: tuple[KeptProfile, ...] = ()
    notebook: tuple[Row, ...] = ()
    worksheet: JudgedSheet | None = None

    @property
    def begun(self) -> bool:
        """Is there anything to show?"""
        answers = self.worksheet.lines if self.worksheet else ()
        known = (field for field, _, _ in _PIECES if field != "worksheet")
        return any(line.answer for line in answers) or any(getattr(self, name) for name in known)

    @computed_field
    @cached_property
    def implementations(self) -> list[ImplementationRow]:
        """Those of the student and naive; others only if something is known about them."""
        if not (self.verdicts or self.bench or self.notebook or self.rooflines):
            return []
        judged = [verdict.name for verdict in self.verdicts]
        judged += [row.name for row in self.bench.rows] if self.bench else []
        points = [point.name for roofline in self.rooflines for point in roofline.points]
        measured = {*judged, *points, *(bound.name for bound in self.bounds)}
        about = {
            row.name: row
            for row in self.known
            if row.kind in ("naive", "mine") or row.name in measured
        }
        names = dict.fromkeys([*about, *judged])
        return [self._row(name, about.get(name)) for name in names if name not in self.gone]

    def _row(self, name: str, about: Implementation | None) -> ImplementationRow:
        bench = self._bench_row(name)
        return ImplementationRow(
            name=name,
            kind=about.kind if about else "",
            summary=about.summary if about else "",
            flags=" ".join(about.flags) if about else "",
            verdict={verdict.name: verdict for verdict in self.verdicts}.get(name),
            bench=bench,
            attempt=self._attempt(name),
            has_point=any(roofline.find(name) for roofline in self.rooflines),
            elsewhere=None if bench else self._newest_elsewhere(name),
        )

    def _bench_row(self, name: str) -> BenchRow | None:
        """The last one."""
        return {row.name: row for row in self.bench.rows}.get(name) if self.bench else None

    def _attempt(self, name: str) -> Row | None:
        """The last one."""
        tried = [row for row in self.notebook if row.is_right or row.verdict]
        return {row.name: row for row in tried}.get(name)

    def _notebook_speed(self, row: Row | None) -> Speed | None:
        if not row or not row.is_right:
            return None
        return Speed(
            source="notebook",
            day=row.date,
            n=row.n,
            threads=row.threads,
            precision=row.precision,
            interactions_per_s=row.interactions_per_s,
            times_naive=row.times_naive,
            doubtful=row.verdict.startswith((TOO_NOISY, BUSY)),
            row=row.row,
        )

    def _roofline_speed(self, name: str) -> Speed | None:
        """All points are of right programs, timed together. Of several, that in float on one thread counts."""
        found = [(one, point) for one in self.rooflines if (point := one.find(name))]
        if not found:
            return None
        drawn, point = min(found, key=lambda one: (one[0].precision != "float", one[0].threads))
        naive = next((one for one in drawn.points if one.kind == "naive"), None)
        return Speed(
            source="roofline",
            day=drawn.date,
            n=drawn.n,
            threads=drawn.threads if drawn.where == "cpu" else None,
            precision=point.precision,
            interactions_per_s=point.interactions_per_s,
            times_naive=point.interactions_per_s / naive.interactions_per_s if naive else None,
            stale=point.stale,
        )

    def _newest_elsewhere(self, name: str) -> Speed | None:
        """That of the last attempt or of the roofline; the attempt if both are of one day."""
        speeds = filter(
            None, (self._notebook_speed(self._attempt(name)), self._roofline_speed(name))
        )
        return max(speeds, key=lambda speed: speed.day[:10], default=None)

    def _best_speed(self, name: str) -> Speed | None:
        """The fastest that can be trusted. Points of a roofline are timed one after the other, so they come last."""
        bench = self._bench_row(name)
        attempts = [self._notebook_speed(row) for row in self.notebook if row.name == name]
        right = bench if bench and bench.is_right else None
        known = filter(None, (right, *attempts, self._roofline_speed(name)))
        return max(known, key=_honest_and_fast, default=None)

    @computed_field
    @cached_property
    def headline(self) -> Headline | None:
        own = [one for one in self.implementations if one.kind == "mine" or is_own(one.name)]
        found = [(speed, row) for row in own if (speed := self._best_speed(row.name))]
        if not found:
            return None
        speed, row = max(found, key=lambda one: _honest_and_fast(one[0]))
        is_earlier = (
            speed.source == "notebook" and row.attempt is not None and speed.row != row.attempt.row
        )
        points = (
            one.find(row.name)
            for one in self.rooflines
            if not is_earlier and one.is_of_setting(speed.precision, speed.threads)
        )
        point = next(filter(None, points), None)
        return Headline(
            name=row.name,
            speed=speed,
            is_earlier=is_earlier,
            verdict=None if is_earlier else row.verdict,
            point=point,
            other_settings="" if point or is_earlier else self._settings_drawn(row.name),
            command=roofline_command(self.name, speed.precision, (speed.threads or 1) > 1),
        )

    def _settings_drawn(self, name: str) -> str:
        """float with 1 thread and double with 1 thread"""
        drawn = [one for one in self.rooflines if one.find(name)]
        return " and ".join(
            f"{one.precision} with {plural(one.threads, 'thread')}" for one in drawn
        )

    @computed_field
    @cached_property
    def missing(self) -> list[Missing]:
        left_out = list(_NOT_ON_A_GPU) if self.device == "gpu" else []
        left_out += [] if self.has_questions else ["worksheet"]
        own = next((row.name for row in self.known if row.kind == "mine"), "mine")
        return [
            Missing(what=what, command=command.format(part=self.name, name=own))
            for field, what, command in _PIECES
            if field not in left_out and not getattr(self, field)
        ]


class Page(LabModel):
    what: Literal["report"] = "report"
    version: Literal[1] = 1
    date: str
    ceilings: MachineCeilings | None
    machine: dict[str, Any] = Field(description="facts as in the ceilings; else a few of a bench")
    parts: tuple[Part, ...]
    missing: tuple[Missing, ...]
    problems: tuple[str, ...]
