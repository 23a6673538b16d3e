"""Reads the results that other commands left into the model of the page; measures nothing.

A missing file is None, or missing in a tuple; an unreadable one adds a line to the page's `problems`.
"""

import contextlib
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from nbody_lab.core.bench_file import BenchResult
from nbody_lab.core.manifest import Manifest, ManifestError
from nbody_lab.core.messages import UserError
from nbody_lab.core.model import load
from nbody_lab.core.words import is_own
from nbody_lab.draw.bench import largest_setup, read_measured, values
from nbody_lab.notebook import notebook
from nbody_lab.notebook.kept_results import now, seal_of
from nbody_lab.page.part import Bench, BenchRow, Missing, Page, Part
from nbody_lab.page.records import (
    Aged,
    JudgedSheet,
    KeptBound,
    KeptProfile,
    KeptVerdict,
    MachineCeilings,
    PartRoofline,
)
from nbody_lab.roofline.text import file_stem

_MEASURE = Missing(what="how fast this machine can be", command="./lab roofline --measure")
Read = TypeVar("Read")
AgedRecord = TypeVar("AgedRecord", bound=Aged)


class _Reader:
    """Reads what lies under the lab's root."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.problems: list[str] = []

    def complain(self, problem: object) -> None:
        self.problems.append(str(problem).replace(f"{self.root}/", ""))

    def read(self, file: Path, reader: Callable[[Path], Read]) -> Read | None:
        if not file.exists():
            return None
        try:
            return reader(file)
        except UserError as error:
            self.complain(error)
            return None

    # Does a stored record still match its source? Unknown for those without a seal.

    def is_gone(self, record: Any) -> bool:
        return bool(record.source) and not (self.root / record.source).is_file()

    def with_age(self, record: Any) -> Any:
        if not record.source:
            return record
        is_stale = seal_of(self.root / record.source) != record.source_sha256
        return record.model_copy(update={"stale": is_stale})

    def read_all(self, model: type[AgedRecord], folder: str, part: str) -> list[AgedRecord]:
        """The records of a part, sorted by name."""
        files = sorted((self.root / "build" / folder).glob(f"{part}_*.json"))
        found = [self.read(file, partial(load, model)) for file in files]
        return [self.with_age(one) for one in found if one]

    def still_there(self, records: Iterable[AgedRecord]) -> tuple[AgedRecord, ...]:
        """Those whose source still exists."""
        return tuple(one for one in records if not self.is_gone(one))

    def read_roofline(self, part: str, precision: str, all_threads: bool) -> PartRoofline | None:
        """That of this setting. Files with other names, left by --from, belong to another time."""
        file = self.root / "build/roofline" / f"{file_stem(part, precision, all_threads)}.json"
        drawn = self.read(file, partial(load, PartRoofline))
        if not drawn:
            return None
        if (drawn.part, *drawn.setting) != (part, precision, "all" if all_threads else "one"):
            self.complain(f"{file}: its settings do not match its name")
            return None
        points = map(self.with_age, self.still_there(drawn.points))
        return drawn.model_copy(update={"points": tuple(points)})

    def read_bench_results(self) -> list[BenchResult]:
        """Those in build/pictures, newest first; other kinds of studies are skipped."""
        files = list((self.root / "build/pictures").glob("*/result*.json"))
        found = []
        for file in sorted(files, key=lambda file: -file.stat().st_mtime):
            with contextlib.suppress(UserError):
                found.append(read_measured(file))
        return found


def _find_naive(rows: Sequence[Any], part: str) -> Any:
    return next((row for row in rows if row.name in ("naive", f"{part}/naive")), None)


def bench_of(result: BenchResult) -> Bench:
    """Its rows with their speed-ups over the first row and over naive, if that was measured too."""
    rows = largest_setup(result)
    naive = _find_naive(rows, result.context.part)
    return Bench(
        adaptive=result.context.adaptive,
        naive=naive.name if naive else None,
        rows=tuple(
            BenchRow(
                source="bench",
                day=result.context.day,
                name=row.name,
                n=row.n,
                threads=row.threads,
                precision=row.precision,
                rounds=row.rounds,
                interactions_per_s=row.speed,
                times_first=row.shown_ratio(rows[0]),
                times_naive=row.ratio(naive) if naive else None,
                spread=row.spread,
                is_right=row.is_right,
                verdict=row.verdict,
                doubtful=row.leaves_out_ratio(naive) if naive else row.is_wide,
            )
            for row in rows
        ),
    )


def _sort_results(results: Sequence[BenchResult], part: str) -> dict[str, BenchResult]:
    """For each picture, ladder, sizes and threads, the newest result that fits it best: a ladder has one's own row."""
    own = [result for result in results if result.context.part == part]
    several = [one for one in own if len(one.summary) > 1]
    with_naive = [one for one in several if _find_naive(one.summary, part)]
    with_own = [one for one in with_naive if any(is_own(row.name) for row in one.summary)]
    sweeps = [one for one in own if len(values(one, "n")) > 1]
    found = {
        "ladder": with_own or with_naive or several or own,
        "sizes": [one for one in sweeps if len(values(one, "threads")) == 1] or sweeps,
        "threads": [one for one in own if len(values(one, "threads")) > 1],
    }
    return {name: some[0] for name, some in found.items() if some}


def _read_title(folder: Path, name: str) -> str:
    """The first heading of the part's handout."""
    file = folder / "README.md"
    text = file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""
    heading = re.search(r"^# (.+)$", text, re.M)
    return heading[1] if heading else name


def _read_part(reader: _Reader, name: str, results: Sequence[BenchResult]) -> Part:
    root = reader.root
    folder = next(iter(sorted(root.glob(f"{name}_*/"))), root / name)
    manifest = None
    with contextlib.suppress(ManifestError):  # there is none yet
        manifest = Manifest(root / "build/release/manifest.json")
    known = manifest.of_part(name) if manifest else []
    verdicts = reader.read_all(KeptVerdict, "verdicts", name)
    rows: list[Any] = [*known, *verdicts]
    gone = frozenset(row.name for row in rows if reader.is_gone(row))
    own = _sort_results(results, name)
    ladder = own.get("ladder")
    about = manifest.part(name) if manifest else None
    on_gpu = (about and about.device == "gpu") or (ladder and ladder.context.device)
    book = reader.read(folder, notebook.load)
    sheet = reader.read(root / f"build/worksheets/{name}.json", partial(load, JudgedSheet))
    settings = [(precision, many) for precision in ("float", "double") for many in (False, True)]
    drawn = [reader.read_roofline(name, *setting) for setting in settings]
    bounds = reader.still_there(reader.read_all(KeptBound, "bound", name))
    return Part(
        name=name,
        title=_read_title(folder, name),
        device="gpu" if on_gpu else "cpu",
        has_questions=(folder / "worksheet.hpp").exists(),
        known=tuple(known),
        gone=gone,
        bench=bench_of(ladder) if ladder else None,
        verdicts=reader.still_there(verdicts),
        rooflines=tuple(filter(None, drawn)),
        bounds=tuple(bound for bound in bounds if bound.name not in gone),
        profiles=reader.still_there(reader.read_all(KeptProfile, "profile_lines", name)),
        notebook=tuple(book.rows) if book else (),
        worksheet=reader.with_age(sheet) if sheet else None,
        **own,
    )


def collect(root: Path, parts: Sequence[str]) -> Page:
    """`parts`: names, in order."""
    reader = _Reader(root)
    ceilings = reader.read(root / "build/ceilings.json", partial(load, MachineCeilings))
    results = reader.read_bench_results()
    of_bench = results[0].context.model_dump() if results else {}
    machine = {name: of_bench.get(name, "") for name in ("cpu", "compiler")}
    if ceilings:
        machine = {**ceilings.machine.model_dump(), "clock_hz": ceilings.clock_hz}
    return Page(
        date=now(),
        ceilings=ceilings,
        machine=machine,
        parts=tuple(_read_part(reader, name, results) for name in parts),
        missing=() if ceilings else (_MEASURE,),
        problems=tuple(reader.problems),
    )
