"""./lab count: the work of the code, by running it with numbers that count."""

import sys
from typing import Annotated

import typer

from nbody_lab import ROOT
from nbody_lab.building.arguments import Bodies, JsonFile, Name, PartName
from nbody_lab.building.lab import Lab
from nbody_lab.building.ranks import count_messages, has_ranks
from nbody_lab.commands.build import Ranks
from nbody_lab.core.command_line import forwarded
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.model import Precision
from nbody_lab.core.run import run_program
from nbody_lab.tasks.counting import (
    build_worksheet,
    count_to_file,
    counts_of,
    has_worksheet,
    stored_counts,
    why_uncountable,
)
from nbody_lab.tasks.judge import reason_to_hide_counts


def count(
    context: typer.Context,
    part: PartName,
    name: Name = "naive",
    bodies: Bodies = None,
    ranks: Ranks = None,
    precision: Annotated[
        Precision | None, typer.Option(metavar="P", help="part 4: float (default) or double")
    ] = None,
    integrator: Annotated[
        str | None, typer.Option(metavar="NAME", help="part 4: how a time step is computed")
    ] = None,
    vdt: Annotated[bool, typer.Option("--vdt", help="part 4: adaptive time step (Eq. 7)")] = False,
    json: JsonFile = None,
) -> None:
    """flops and memory accesses of one iteration, by class

    By running the code with numbers that count; one sentence names a line that cannot be counted. In part 4: messages and
    bytes of each rank.

    ./lab count part1 mine
    ./lab count part4 mine --ranks 4
    """
    lab, options = Lab(part), forwarded(context, leave_out=("ranks",))
    lab.begin()
    lab.demand_name(name)
    row = lab.find(name)
    if has_ranks(lab):
        if name == "naive":
            _require_shown_counts(lab, name)
        raise SystemExit(count_messages(lab, name, options, ranks))
    if ranks or precision or integrator or vdt:
        raise LabError("count: --ranks, --precision, --integrator and --vdt are for part 4")
    if row and row.count is None:
        raise LabError(f"{part}/{name} is not counted: its types take plain numbers only")
    program = f"bin/{part}/{name}_count"
    label = f"building {part}/{name} with counting numbers"
    if not lab.works(label, "ninja", "-C", lab.build_dir, program):
        if why := why_uncountable(lab, name):
            print(why, file=sys.stderr)
            raise SystemExit(1)
        raise lab.failure()
    _require_shown_counts(lab, name)
    log = lab.log.read_text(encoding="utf-8", errors="replace")
    if not counts_of(lab, name).exists() and "did not end in time" in log:
        source = lab.source(name).relative_to(ROOT)
        raise LabError(f"{source}: counting did not end in time: an endless loop?")
    lab.unlock()
    # Without a GPU the program shows these stored counts of GPU code.
    if lab.on_gpu() and stored_counts(lab, name).exists():
        options = ["--stored", str(stored_counts(lab, name)), *options]
    raise SystemExit(run_program([lab.build_dir / program, *options]))


def _require_shown_counts(lab: Lab, name: str) -> None:
    """The counts of the given code are an answer, so only students who have found it see them."""
    if not has_worksheet(lab) or (name != "naive" and name not in lab.names("mine")):
        return
    worksheet = build_worksheet(lab)
    count_to_file(lab, name)
    if reason := reason_to_hide_counts(name, *worksheet):
        say(reason)
        raise SystemExit(1)
