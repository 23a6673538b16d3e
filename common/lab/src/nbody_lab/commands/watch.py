"""./lab watch."""

import sys
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.arguments import Name, OnCpu, PartName
from nbody_lab.core.messages import UserError
from nbody_lab.workshop import Workshop


def watch(part: PartName, name: Name = "mine", on_cpu: OnCpu = False) -> None:
    """check at each save of your file, and show what changed

    Stays beside your editor: builds and checks whenever you save, and prints only what is new:
    the verdict, kinds of cases that fail or are right again, the diagnosis, new warnings. When
    you save worksheet.hpp, it judges your answers.

    Keys: h the next hint, t try, n next, w the worksheet, q or Ctrl-C the end.

    ./lab watch part1
    """
    from nbody_lab.watching.terminal import has_keys
    from nbody_lab.watching.watch import Watched
    from nbody_lab.watching.watch import watch as start

    lab = Workshop(part)
    file = _file_of(lab, name)
    start(
        Watched(
            part=part,
            name=name,
            folder=file.parent,
            source=str(file.relative_to(ROOT)),
            warnings=lab.build / "warnings.json",
            lab=(sys.executable, str(ROOT / "common/lab/src")),
            options=("--on-cpu",) if on_cpu else (),
        ),
        has_keys(),
    )


def _file_of(lab: Workshop, name: str) -> Path:
    """The student's file. Raises UserError if there is none."""
    folder = lab.folder()
    for ending in ("hpp", "cuh"):
        if (folder / f"{name}.{ending}").is_file():
            return folder / f"{name}.{ending}"
    raise UserError(f"{lab.part} has no file {name}.hpp{lab.advice_on(name)}")
