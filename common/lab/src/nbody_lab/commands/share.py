"""./lab share."""

from pathlib import Path
from typing import Annotated

import typer

from nbody_lab import ROOT
from nbody_lab.arguments import flag, option, parse_result_file
from nbody_lab.benchmark.machines import comparison, machine_card, measured_parts
from nbody_lab.benchmark.share import FOLDER, file_name, gather
from nbody_lab.core.console import show
from nbody_lab.core.machine_file import read_machine
from nbody_lab.core.messages import Failure, UserError
from nbody_lab.core.results import shown
from nbody_lab.core.running import run_program
from nbody_lab.core.whole_file import write_text
from nbody_lab.hardware.ceilings import known_ceilings, with_gpu_rows, write_ceilings
from nbody_lab.workshop import Workshop, known_parts

MACHINES = ROOT / "data/results/machines"
_SENDING = """
To send it, copy it to data/results/machines/ and open a pull request that adds this one file.
docs/make_tables.py then gives the machine its rows in docs/machines.md."""


def share(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE",
            help="with --compare: machines (default: those of data/results/machines)",
            show_default=False,
        ),
    ] = None,
    compare: Annotated[
        bool, flag("--compare", "write nothing: show this machine beside others")
    ] = False,
    measure: Annotated[
        bool,
        flag("--measure", "first measure ceilings and speeds that are missing: up to half an hour"),
    ] = False,
    sources: Annotated[
        list[Path] | None,
        option(
            "--from",
            "FILE",
            "a result of machine, bench, bound or roofline, instead of those kept here; repeatable",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        option("-o", "FILE", "where to (default build/share/)", parser=parse_result_file),
    ] = None,
) -> None:
    """what this machine reaches, as one file to compare with others'

    The ceilings of ./lab machine, and the speeds that ./lab bench measured of the lab's own versions
    (float, fixed step), with the shares that ./lab bound and ./lab roofline found. It measures nothing unless
    told to. The file is plain text that you can read first: it names no host, path or address, and leaves out
    versions whose names begin with mine.

    ./lab share --measure
    ./lab share --compare
    """
    if files and not compare:
        raise UserError("share takes files only with --compare; results to share: --from FILE")
    if measure and sources:
        raise UserError("share --from takes results as they are: leave out --measure")
    if compare and output:
        raise UserError("share --compare writes nothing: leave out -o")
    others = [
        read_machine(file) for file in files or (sorted(MACHINES.glob("*.json")) if compare else ())
    ]
    if measure:
        _measure_missing()
    machine = gather(sources or ())
    if compare:
        if not others:
            raise UserError(
                f"no other machines here: {shown(MACHINES)} is empty; name files to compare with"
            )
        show(*comparison([machine, *others]))
        return
    file = output or FOLDER / file_name(machine)
    show(*machine_card(machine))
    write_text(file, machine.to_json())
    show(f"written: {shown(file)}", *([_SENDING] if MACHINES.is_dir() else []))


def _parts_kept() -> set[str]:
    try:
        return measured_parts(gather())
    except UserError:
        return set()


def _measure_missing() -> None:
    """Its own results stay in build/share/results: without pictures, bench keeps none."""
    lab = Workshop()
    lab.begin()
    ceilings = known_ceilings(lab)
    gpu = lab.gpu()
    if gpu and not ceilings.device("gpu 0"):
        write_ceilings(with_gpu_rows(lab, ceilings))
    lab.unlock()
    cores, there = ceilings.machine.cores, _parts_kept()
    threads = ["--threads", f"1,{cores}" if cores > 1 else "1"]
    options = {"part1": threads, "part2": threads, **({"part3": ["-n", "131072"]} if gpu else {})}
    for part in sorted((options.keys() & known_parts()) - there):
        file = FOLDER / f"results/{part}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        argv = [ROOT / "lab", "bench", part, *options[part], "--json", file]
        status = run_program(argv, become=False)
        if status > 1:  # 1: a wrong result, which its row says
            raise Failure(status)
