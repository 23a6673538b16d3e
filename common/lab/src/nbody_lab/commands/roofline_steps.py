"""What ./lab roofline does: measures what is missing, reports where each program lies under the roof, and draws it."""

import json
from collections.abc import Sequence
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.build.lab import Lab
from nbody_lab.build.ranks import demand_one_process
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.model import Precision
from nbody_lab.core.whole_file import write_text
from nbody_lab.core.words import plural
from nbody_lab.draw import pictures
from nbody_lab.draw.pictures import Request, What
from nbody_lab.hardware.ceilings import (
    known_ceilings,
    measure_ceilings,
    with_gpu_rows,
    write_ceilings,
)
from nbody_lab.measure.results import Ceilings, NoInput, Roofline, read_roofline
from nbody_lab.roofline.ceilings import thread_counts
from nbody_lab.roofline.points import Setting, gather, names_to_place
from nbody_lab.roofline.stored import stored_roofline
from nbody_lab.roofline.text import (
    ceiling_lines,
    drawn_ceilings,
    file_stem,
    format_csv,
    format_roofline,
)

FOLDER = ROOT / "build/roofline"
SIZE, _SIZE_ON_GPU = 5000, 131072  # bodies


def _show(data: Roofline, stem: str) -> int:
    """Prints the text and replaces JSON, CSV and picture in build/roofline; the status of drawing."""
    file = FOLDER / f"{stem}.json"
    write_text(file, json.dumps(data.as_json(), indent=1) + "\n")
    write_text(FOLDER / f"{stem}.csv", format_csv(data))
    place = file.relative_to(ROOT)
    print(f"{format_roofline(data)}\n\n{place} and .csv")
    if not pictures.can_draw():
        say(f"no picture: {pictures.BRING}; then: ./lab roofline {data.part} --from {place}")
        return 0
    return pictures.draw(What.ROOFLINE, Request(str(file), FOLDER, again=True))


def _stem_beside(stem: str, data: Roofline) -> str:
    """The stem, or another one if a selection would overwrite a roofline with more points."""
    try:
        kept = {point.name for point in read_roofline(FOLDER / f"{stem}.json").points}
    except NoInput:
        return stem  # nothing worth keeping
    return f"{stem}_selection" if kept - {point.name for point in data.points} else stem


def show_again(part: str, file: Path) -> int:
    """What the command wrote before. Raises LabError if it is of another part."""
    data = read_roofline(file)
    if data.part != part:
        raise LabError(f"{file} is for {data.part}, not {part}")
    return _show(data, file.stem)


def measure_again(lab: Lab) -> None:
    """Measures the ceilings and shows those of float, of the processor with one thread."""
    lab.begin()
    ceilings = measure_ceilings(lab)
    with_gpu = with_gpu_rows(lab, ceilings)
    if with_gpu != ceilings:
        write_ceilings(with_gpu)
    for where in sorted({row.where for row in with_gpu.ceilings}):
        rows = with_gpu.of_place(where)
        print(f"{where}, float{', 1 thread' if where == 'cpu' else ''}")
        threads = min(row.threads for row in rows)
        print("\n".join(ceiling_lines(*drawn_ceilings(rows, "float", threads))))


def _ceilings_of(lab: Lab, where: str) -> Ceilings:
    """The stored ceilings of this machine; measures what is missing."""
    ceilings = known_ceilings(lab)
    if where != "cpu" and not ceilings.of_place(where):
        ceilings = with_gpu_rows(lab, ceilings)
        write_ceilings(ceilings)
    if not ceilings.of_place(where):
        raise LabError(f"no ceiling for {where} was measured: ./lab roofline --measure")
    return ceilings


def _choose_threads(threads: str, ceilings: Ceilings) -> int:
    counts = thread_counts(ceilings.ceilings)
    if threads == "all":
        return counts[-1]
    if int(threads) not in counts:
        measured = " or ".join(map(str, counts))
        raise LabError(
            f"roofline: --threads takes {measured} (their ceilings were measured) or all, not '{threads}'"
        )
    return int(threads)


def _roofline_here(
    lab: Lab, names: Sequence[str], precision: Precision, threads: str, n: int | None
) -> tuple[Roofline, str]:
    """The roofline of this machine, and the stem of its file."""
    where = "gpu 0" if lab.on_gpu() else "cpu"
    to_place = names_to_place(lab, names)
    demand_one_process(lab, "roofline")
    ceilings = _ceilings_of(lab, where)
    count = _choose_threads(threads, ceilings) if where == "cpu" else 0
    setting = Setting(where, precision, count, n or (SIZE if where == "cpu" else _SIZE_ON_GPU))
    stem, programs = file_stem(lab.part, precision, count > 1), len(to_place)
    say(f"{plural(programs, 'program')} of {lab.part} to build, to count and to time")
    return gather(lab, to_place, setting, ceilings, bool(names)), stem


def place(lab: Lab, names: Sequence[str], precision: Precision, threads: str, n: int | None) -> int:
    """Of this machine, or without a GPU of the stored figures; the status of drawing."""
    lab.begin()
    if lab.on_gpu() and not lab.gpu():
        if n or threads != "1":
            raise LabError(
                "no GPU answers here, so stored figures (data/results) are shown: leave out -n and --threads"
            )
        data = stored_roofline(lab, names, precision)
        stem = file_stem(lab.part, precision, False)
    else:
        data, stem = _roofline_here(lab, names, precision, threads, n)
        lab.unlock()
    return _show(data, _stem_beside(stem, data) if names else stem)
