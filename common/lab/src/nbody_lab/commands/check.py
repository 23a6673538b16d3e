"""./lab check."""

import subprocess
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Literal

import typer

from nbody_lab import ROOT
from nbody_lab.building.arguments import (
    JsonFile,
    Names,
    OnCpu,
    PartName,
    flag,
    option,
)
from nbody_lab.building.handed_out import warn_if_edited
from nbody_lab.building.lab import Lab, gpu_answers, show_built
from nbody_lab.building.manifest import Manifest
from nbody_lab.check.kept import keep_verdicts
from nbody_lab.check.plan import LARGEST, MOST_SEEDS, Asked, plan_of
from nbody_lab.check.run import as_expected, build_in_double, run
from nbody_lab.check.sanitize import sanitize as sanitize_program
from nbody_lab.check.tables import check_text
from nbody_lab.core.command_line import given
from nbody_lab.core.console import show
from nbody_lab.core.errors import LabError, say, tell
from nbody_lab.core.model import Precision
from nbody_lab.core.whole_file import write_text

_SAVED = (".hpp", ".cuh", ".h", ".txt")  # headers, and flags.txt
# A check asks for up to a thousand steps at once; the slowest programs need a minute.
_ON_CPU_S = 200
Tolerance = Literal["standard", "approximate"]  # how exact a result must be (common/check)


def check(
    context: typer.Context,
    part: PartName,
    names: Names = None,
    sanitize: Annotated[
        bool,
        flag(
            "--sanitize",
            "one name only: addresses, undefined behaviour, data races, with their lines",
        ),
    ] = False,
    on_cpu: OnCpu = False,
    tolerance: Annotated[
        Tolerance | None, option("--tolerance", "NAME", "standard (default) or approximate")
    ] = None,
    precision: Annotated[
        Precision | None, option("--precision", "P", "float (default) or double")
    ] = None,
    arch: Annotated[
        Literal["sse2", "avx2", "avx512", "neon"] | None,
        option("--arch", "NAME", "the programs for sse2, avx2, ...; others are skipped"),
    ] = None,
    seed: Annotated[
        int | None,
        option(
            *("--seed", "K", "asks what the run with this seed asked (default: drawn)"),
            min=0,
            max=LARGEST,
        ),
    ] = None,
    seeds: Annotated[
        int | None,
        option(
            *("--seeds", "K", "the questions of this many seeds (default 1, thorough: 5)"),
            min=1,
            max=MOST_SEEDS,
        ),
    ] = None,
    largest: Annotated[
        int | None, option("--largest", "N", "skip cases of more than N bodies", min=2, max=LARGEST)
    ] = None,
    timeout: Annotated[
        float | None,
        option("--timeout", "S", "time limit per answer, s (default 20)", min=0.01, max=1e9),
    ] = None,
    json: JsonFile = None,
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
    lab, names = Lab(part), names or []
    if watch:
        _watch(lab.folder(), [word for word in context.obj if word != "--watch"])
        return
    if sanitize and (len(names) != 1 or given(context) - {"part", "names", "sanitize", "on_cpu"}):
        raise LabError(
            f"check --sanitize takes one name and nothing else: ./lab check {part} mine --sanitize"
        )
    if lab.has_kernels() and not on_cpu:
        typed = " ".join(names)
        if sanitize:
            raise LabError(
                f"{part} runs on a GPU: compute-sanitizer --tool memcheck build/release/bin/{part}/{typed} -n 1000 -i 2 "
                f"(or racecheck); without one: ./lab check {part} {typed} --on-cpu --sanitize"
            )
        if not gpu_answers():
            say(
                f"no GPU answers here: {part} is compiled, but not checked; ./lab check {part} {typed or 'mine'} --on-cpu "
                "runs kernels on the processor: slowly, but it finds wrong indices and missing barriers"
            )
    lab.begin()
    if on_cpu:
        lab.begin_on_cpu(names)
    lab.demand_names(names)
    if sanitize:
        if not sanitize_program(lab, names[0]):
            raise SystemExit(1)
        return
    from nbody_lab.tasks.counting import seal_fields  # the worksheet's models, which help needs not

    seals = {name: seal_fields(lab, name) for name in names or lab.names()}
    warn_if_edited(ROOT, part)
    # Of kernels on the CPU, the check builds nothing itself.
    in_double = precision == "double" or (on_cpu and names)
    precisions = ["float", "double"] if in_double else ["float"]
    with_naive = lab.names("naive") if names else []  # with it they are compared
    beside = [one for name in with_naive for kind in precisions for one in lab.targets(name, kind)]
    all_built = show_built(lab.build_for(names, precisions, "bin/check", *beside))
    lab.unlock()
    if on_cpu:
        say("kernels run on the CPU, one thread after another: results count, times mean nothing")
    # Its options have the names of Asked's fields; one that was not typed is as there.
    options = {one.name: context.params[one.name] for one in fields(Asked)}
    options["timeout"] = timeout or (_ON_CPU_S if on_cpu else None)
    asked = Asked(**{name: value for name, value in options.items() if value is not None})
    plan = plan_of(Manifest(lab.manifest), part, names, asked)
    # Programs with kernels on the CPU are built for double, too.
    result = run(lab.build_dir / "bin/check", plan, None if on_cpu else build_in_double)
    show(*check_text(result, verbose))
    keep_verdicts(result, seals, _asked_words(context))
    tell(lab.remarks(list(seals)))
    if json:
        write_text(json, result.model_dump_json(indent=2) + "\n")
    if not all_built:
        say(f"some of {part} did not compile; see above")
    raise SystemExit(0 if all_built and as_expected(result) else 1)


def _asked_words(context: typer.Context) -> list[str]:
    """The options that change what is asked."""
    words = []
    for parameter in context.command.params:
        name = str(parameter.name)
        if name in given(context) - {"part", "names", "json", "verbose"}:
            value = context.params[name]
            words += [parameter.opts[0], *([] if value is True else [str(value)])]
    return words


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
    )
    for number, changes in enumerate(saves):
        if changes or number == 0:
            subprocess.run([ROOT / "lab", "check", *words], check=False)
            say("checks again when you save; Ctrl-C ends it")
