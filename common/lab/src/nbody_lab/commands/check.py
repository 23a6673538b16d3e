"""./lab check."""

import subprocess
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from nbody_lab import ROOT
from nbody_lab.build import on_cpu as kernels_on_cpu
from nbody_lab.build.arguments import Names, OnCpu, PartName, flag, option
from nbody_lab.build.handed_out import warn_if_edited
from nbody_lab.build.lab import Lab, gpu_answers
from nbody_lab.check import kept_results
from nbody_lab.check.result import CheckResult
from nbody_lab.check.run import run_check
from nbody_lab.check.sanitize import of_gpu
from nbody_lab.check.sanitize import sanitize as sanitize_program
from nbody_lab.core.command_line import forwarded
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.model import Precision
from nbody_lab.core.run import spin_shortly
from nbody_lab.core.whole_file import why_not_writable, write_bytes
from nbody_lab.core.words import plural
from nbody_lab.programs.counting import sealed_source

VERDICTS = ROOT / "build/verdicts"
_SAVED = (".hpp", ".cuh", ".h", ".txt")  # headers, and flags.txt


class Tolerance(str, Enum):
    """How exact a result must be (common/check)."""

    STANDARD = "standard"
    APPROXIMATE = "approximate"


Sanitize = Annotated[
    bool,
    typer.Option(
        help="one name only: addresses, undefined behaviour, data races, with their lines"
    ),
]


def check(
    context: typer.Context,
    part: PartName,
    names: Names = None,
    sanitize: Sanitize = False,
    on_cpu: OnCpu = False,
    tolerance: Annotated[
        Tolerance | None, option("--tolerance", "NAME", "standard (default) or approximate")
    ] = None,
    precision: Annotated[
        Precision | None, option("--precision", "P", "float (default) or double")
    ] = None,
    arch: Annotated[
        str | None,
        option("--arch", "NAME", "the programs for sse2, avx2, ...; others are skipped"),
    ] = None,
    seed: Annotated[
        int | None,
        option("--seed", "K", "asks what the run with this seed asked (default: drawn)", min=0),
    ] = None,
    seeds: Annotated[
        int | None,
        option("--seeds", "K", "the questions of this many seeds (default 1, thorough: 5)", min=1),
    ] = None,
    largest: Annotated[
        int | None, option("--largest", "N", "skip cases of more than N bodies", min=2)
    ] = None,
    timeout: Annotated[
        float | None,
        option("--timeout", "S", "time limit per answer, s (default 20)", min=0.01),
    ] = None,
    json: Annotated[Path | None, option("--json", "FILE", "write every case to this file")] = None,
    no_double: Annotated[bool, flag("--no-double", "skip the cases in double")] = False,
    thorough: Annotated[
        bool,
        flag("--thorough", "takes a minute: more bodies, memory leaks, all thread counts"),
    ] = False,
    verbose: Annotated[bool, flag("-v", "show every kind and every case")] = False,
    watch: Annotated[bool, flag("--watch", "again at each save in the part's folder")] = False,
) -> None:
    """is it right?

    Judges programs against a direct sum in double. Without names: all of the part.

    ./lab check part1 mine
    ./lab check part1 mine --sanitize
    ./lab check part1 mine --watch
    """
    options = forwarded(context, leave_out=("sanitize", "on_cpu", "json", "verbose"))
    if json and (why := why_not_writable(json)):
        raise LabError(f"--json {json}: cannot be written: {why}")
    lab, names = Lab(part), names or []
    if watch:
        _watch(lab.folder(), [part, *names, *forwarded(context, leave_out=("watch",))])
    elif sanitize:
        if len(names) != 1 or options or json or verbose:
            raise LabError(
                f"check --sanitize takes one name and nothing else: ./lab check {part} mine --sanitize"
            )
        _sanitize(lab, names[0], on_cpu)
    else:
        _judge(lab, names, options, json, precision == "double", on_cpu, verbose)


def _watch(folder: Path, words: list[str]) -> None:
    """Checks now, and whenever a file of the folder is saved, until Ctrl-C."""
    import watchfiles

    def is_code(_: object, path: str) -> bool:
        file = Path(path)
        return file.suffix in _SAVED and file.name[0] != "." and file.name != "worksheet.hpp"

    # The watch begins before the first check, so that it sees what is saved meanwhile.
    saves = watchfiles.watch(
        folder,
        watch_filter=is_code,
        recursive=False,
        yield_on_timeout=True,
        rust_timeout=200,
        raise_interrupt=False,
    )
    for number, changes in enumerate(saves):
        if changes or number == 0:
            subprocess.run([ROOT / "lab", "check", *words], check=False)
            say("checks again when you save; Ctrl-C ends it")


def _sanitize(lab: Lab, name: str, on_cpu: bool) -> None:
    """Checks one program for memory errors, undefined behaviour and data races."""
    if lab.has_kernels() and not on_cpu:
        raise LabError(of_gpu(lab.part, name))
    _begin(lab, [name], on_cpu)
    lab.demand_name(name)
    lab.demand_targets(f"{lab.part}/{name}", lab.program(name))
    lab.unlock()
    if not sanitize_program(ROOT, lab.manifest, lab.part, name):
        raise SystemExit(1)


def _begin(lab: Lab, names: list[str], on_cpu: bool) -> None:
    lab.begin()
    if on_cpu:
        kernels_on_cpu.begin(lab, names)


def _build(lab: Lab, names: list[str], in_double: bool) -> bool:
    """True if all was built. For a whole part, one header that does not compile does not stop the others."""
    warn_if_edited(ROOT, lab.part)
    if not names:
        whole_part = lab.part + lab.made_for
        doubles = [f"{whole_part}_in_double"] if in_double else []
        return lab.build_targets(lab.part, whole_part, "bin/check", *doubles)
    targets = ["bin/check"]
    for name in (
        lab.names("naive") + names
    ):  # naive, if the part has one: others are compared with it
        targets += lab.targets(name, "float")
        if in_double or lab.made_for:
            targets += lab.targets(name, "double")
    lab.demand_targets(f"{lab.part}/{' '.join(names)}", *targets)
    return True


def _programs(lab: Lab, name: str) -> list[Path]:
    """Those that every ./lab builds before it checks; those in double may be built later, by the check itself."""
    row = lab.find(name)
    programs = row.programs if row else ()
    return [lab.build / one.program for one in programs if one.precision == "float"]


def _verdicts(
    lab: Lab,
    names: list[str],
    options: list[str],
    json: Path | None,
    on_cpu: bool,
    verbose: bool,
) -> tuple[int, CheckResult | None]:
    """Its status and verdicts."""
    how = kernels_on_cpu.how_to_check(options) if on_cpu else ["--builder", ROOT / "lab"]
    with kept_results.result_file(VERDICTS) as result:
        argv = [lab.build / "bin/check", lab.part, *names, "--manifest", lab.manifest, *how]
        status, verdicts = run_check([*argv, *options], result, verbose)
        if json and result.exists():
            write_bytes(json, result.read_bytes())
        return status, verdicts


def _still_as_judged(lab: Lab, before: dict[str, kept_results.Stamps]) -> list[str]:
    """The names whose programs nobody built anew meanwhile: a verdict on the others is of neither text."""
    names = [name for name, stamps in before.items() if stamps == kept_results.stamps_of(stamps)]
    for name in [name for name in before if name not in names]:
        say(
            f"another ./lab built {lab.part}/{name} while it was checked: this verdict is not kept; check again"
        )
    return names


def _announce(lab: Lab, names: list[str], options: list[str]) -> None:
    """Says what takes longer than some seconds: a whole part, or --thorough."""
    thorough, count = "--thorough" in options, len(names or lab.names())
    if thorough or not names:
        more = ", each with more bodies, on all numbers of threads, and for memory leaks"
        say(f"{plural(count, 'program')} of {lab.part} to check{more if thorough else ''}")


def _judge(
    lab: Lab,
    names: list[str],
    options: list[str],
    json: Path | None,
    in_double: bool,
    on_cpu: bool,
    verbose: bool,
) -> None:
    if lab.has_kernels() and not on_cpu and not gpu_answers():
        say(
            f"no GPU answers here: {lab.part} is compiled, but not checked; with --on-cpu kernels run on the processor"
        )
    _begin(lab, names, on_cpu)
    if not names:
        lab.demand_part()
        # Headers may have been added or removed: update the manifest.
        lab.step("looking at the headers", "ninja", "-C", lab.build, "build.ninja")
    for name in names:
        lab.demand_name(name)
    students = [name for name in lab.names("mine") if not names or name in names]
    seals = {name: sealed_source(lab, name) for name in names or lab.names()}
    all_built = _build(lab, names, in_double)
    no_gpu = lab.on_gpu() and not lab.gpu()
    built = {name: kept_results.stamps_of(_programs(lab, name)) for name in seals}
    lab.unlock()
    spin_shortly()
    _announce(lab, names, options)
    status, verdicts = _verdicts(lab, names, options, json, on_cpu, verbose)
    judged = _still_as_judged(lab, built)
    settings = [*options, *(["--on-cpu"] if on_cpu else [])]
    kept_results.keep_verdicts(VERDICTS, verdicts, {name: seals[name] for name in judged}, settings)
    if not all_built:
        say(f"some of {lab.part} did not compile; see above")
        status = status or 1
    lab.show_warnings_again(students)
    if no_gpu:
        kernels_on_cpu.advise(lab, names)
    raise SystemExit(status)
