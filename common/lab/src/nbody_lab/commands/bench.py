"""./lab bench: how fast is it? And the studies."""

import subprocess
import tempfile
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from nbody_lab import ROOT
from nbody_lab.arguments import (
    Names,
    OptionalPart,
    numbers_up_to,
    option,
    parse_regular_expression,
    parse_result_file,
    parse_scene,
)
from nbody_lab.benchmark.compare import compare_text
from nbody_lab.benchmark.report import bench_text
from nbody_lab.core.bench_file import TUNED, read_result
from nbody_lab.core.command_line import forwarded
from nbody_lab.core.console import show
from nbody_lab.core.handed_out import demand_baseline
from nbody_lab.core.manifest import Manifest
from nbody_lab.core.messages import Failure, UserError, say
from nbody_lab.core.running import run_and_tell
from nbody_lab.core.whole_file import write_bytes
from nbody_lab.draw import pictures
from nbody_lab.handout import references
from nbody_lab.programs.counting import forget_old_counts, names_with_hidden_counts
from nbody_lab.studies import compilers, copies, energy, studies
from nbody_lab.workshop import Workshop

_MOST_BODIES, _MOST_THREADS, _MOST_GRID, _MOST_RANKS = 1 << 24, 4096, 65535, 65536

Measurement = Callable[[Path | None], int]  # writes the file, returns a status

# The options of ./lab bench that a study takes; those of studies.json take all.
_OPTIONS_OF_STUDIES = {
    "energy": {"--json": "--json FILE", "--plot": "--plot FOLDER"},
    "copies": {"--plot": "--plot FOLDER"},
}


class Precisions(str, Enum):
    FLOAT = "float"
    DOUBLE = "double"
    BOTH = "float,double"
    BOTH_TOO = "double,float"


def _study_names(context: typer.Context, incomplete: str) -> list[str]:
    part = str(context.params.get("part") or "").split("_")[0]
    return [name for name in studies.names_of_studies(part) if name.startswith(incomplete)]


def _numbers(words: str, metavar: str, help_text: str, most: int, what: str) -> Any:
    return option(words, metavar, help_text, parser=numbers_up_to(most, what))


def bench(
    context: typer.Context,
    part: OptionalPart = None,
    names: Names = None,
    bodies: Annotated[
        str | None,
        _numbers(
            "-n",
            "N",
            "bodies, one number or several: 500,1000,2000 (default 5000)",
            _MOST_BODIES,
            "numbers of bodies",
        ),
    ] = None,
    threads: Annotated[
        str | None,
        _numbers(
            "--threads",
            "T",
            "one number or several: 1,2,4 (default 1)",
            _MOST_THREADS,
            "numbers of threads",
        ),
    ] = None,
    precision: Annotated[
        Precisions | None, option("--precision", "P", "float (default), double, or float,double")
    ] = None,
    arch: Annotated[
        str | None,
        option("--arch", "NAMES", "instruction sets, for example sse2,avx2 (default: best)"),
    ] = None,
    block: Annotated[
        str | None,
        _numbers(
            "--block",
            "K",
            "threads per block, one number or several (part 3)",
            _MOST_THREADS,
            "threads per block",
        ),
    ] = None,
    unroll: Annotated[
        str | None,
        _numbers(
            "--unroll",
            "K",
            "unroll factor of the inner loop (part 3)",
            _MOST_THREADS,
            "unroll factors",
        ),
    ] = None,
    grid: Annotated[
        str | None,
        _numbers(
            "--grid", "B", "blocks of a grid-stride loop (part 3)", _MOST_GRID, "numbers of blocks"
        ),
    ] = None,
    ranks: Annotated[
        str | None,
        _numbers(
            "--ranks",
            "P",
            "processes, one number or several (part 4)",
            _MOST_RANKS,
            "numbers of processes",
        ),
    ] = None,
    name_filter: Annotated[
        str | None,
        option(
            "--filter",
            "REGEX",
            "only names that this regular expression matches",
            parser=parse_regular_expression,
        ),
    ] = None,
    scene: Annotated[
        str | None,
        option("--scene", "NAME", "what is simulated (default plummer)", parser=parse_scene),
    ] = None,
    vdt: Annotated[bool, option("--vdt", None, "adaptive time step (Eq. 7)")] = False,
    rounds: Annotated[
        int | None, option("--rounds", "K", "repeats (default 7)", min=1, max=1000)
    ] = None,
    quick: Annotated[bool, option("--quick", None, "3 rounds of short runs: a first look")] = False,
    wait: Annotated[
        float | None,
        option("--wait", "S", "wait for free cores, in all at most S seconds", min=0, max=86400),
    ] = None,
    seed: Annotated[
        int | None,
        option("--seed", "K", "repeat the measurement that had this seed", min=0, hidden=True),
    ] = None,
    timeout: Annotated[
        float | None,
        option("--timeout", "S", "time limit per answer, s", min=0.01, max=1e6, hidden=True),
    ] = None,
    json: Annotated[
        Path | None,
        option(
            "--json",
            "FILE",
            "write everything to this file, as Google Benchmark does",
            parser=parse_result_file,
        ),
    ] = None,
    compare: Annotated[
        tuple[Path, Path] | None,
        option("--compare", "FILE", "measure nothing: compare two such files"),
    ] = None,
    study: Annotated[
        str | None,
        option(
            "--study",
            "NAME",
            f"a study of its own: compilers or energy; on a GPU energy or {', '.join(studies.read_studies('part3'))}",
            autocompletion=_study_names,
        ),
    ] = None,
    plot: Annotated[Path | None, option("--plot", "FOLDER", "draw into this folder")] = None,
) -> None:
    """how fast is it?

    Times programs in turn, in random order. Without names: all of the part.

    ./lab bench part1 naive mine -n 500,1000,2000
    ./lab bench part1 --study energy
    """
    options = forwarded(context, leave_out=("study", "plot", "json"))
    if compare:
        _compare(compare, alone=len(options) == 3 and not (part or study or plot or json))
        return
    if not part:
        raise UserError("bench needs a part; for example: ./lab bench part1 mine")
    lab, names = Workshop(part), names or []
    lab.refuse_without_gpu()
    if study:
        given = [*options, *(["--json"] if json else []), *(["--plot"] if plot else [])]
        _require_study(lab, study, names, given)
    if not names or "naive" in names:
        demand_baseline(ROOT, part)
    if plot:
        pictures.require_folder(plot)
    lab.begin()
    in_double = precision not in (None, Precisions.FLOAT)
    if study == "energy":
        measure = _prepare_energy(lab, names[0] if names else "naive")
    elif study == "compilers":
        measure = _prepare_compilers(lab, options)
    elif study == "copies":
        _study_copies(lab, names[0] if names else "naive", plot)
        return
    else:
        measure = _prepare(lab, study, names, options, in_double)
    status = pictures.measured_and_drawn(measure, part, plot, json)
    if status == 0 and study not in ("energy", "compilers"):
        references.show(ROOT, part)
    raise Failure(status)


def _compare(files: tuple[Path, Path], alone: bool) -> None:
    if not alone:
        raise UserError("bench --compare FILE FILE measures nothing: leave out everything else")
    show(compare_text(*map(read_result, files)))


def _require_study(lab: Workshop, study: str, names: Sequence[str], options: Sequence[str]) -> None:
    """Refuses before anything is built what the study does not take."""
    studies.require_study(lab.part, study)
    if study == "compilers" and names:
        raise UserError(
            "bench --study compilers takes naive, mine and the best: leave out the names"
        )
    if study in _OPTIONS_OF_STUDIES and len(names) > 1:
        raise UserError(f"bench --study {study} takes one implementation (without a name: naive)")
    taken = _OPTIONS_OF_STUDIES.get(study, {})
    for word in options if taken else ():
        if word.startswith("-") and word.split("=")[0] not in taken:
            raise UserError(
                f"bench --study {study} takes no {word}; it has {' and '.join(taken.values())}"
            )


def _prepare_compilers(lab: Workshop, options: Sequence[str]) -> Measurement:
    lab.demand_part()
    lab.demand_targets("the bench program", "bin/bench")
    manifest = compilers.build_all(ROOT, lab.part, lab.manifest)
    lab.unlock()
    return _call_bench(lab, ["--manifest", str(manifest), *options])


def _prepare_energy(lab: Workshop, name: str) -> Measurement:
    lab.demand_name(name)
    programs = [lab.program(name), *lab.targets(name, "double")]
    lab.demand_targets(f"{lab.part}/{name}", *programs)
    lab.unlock()

    def measure(file: Path | None) -> int:
        by_precision = {"float": lab.build / programs[0], "double": lab.build / programs[-1]}
        otherwise = ROOT / "build/study" / f"energy_{lab.part}.json"
        energy.study(lab.part, name, by_precision, file or otherwise)
        return 0

    return measure


def _study_copies(lab: Workshop, name: str, plot: Path | None) -> None:
    lab.demand_name(name)
    gpu = lab.demand_gpu()
    lab.demand_targets(f"{lab.part}/{name}", lab.program(name))
    lab.unlock()
    copies.study(lab.part, name, lab.build, gpu, plot)


def _build(lab: Workshop, names: Sequence[str], in_double: bool) -> None:
    if not names:
        doubles = [f"{lab.part}_in_double"] if in_double else []
        if not lab.build_targets(lab.part, lab.part, "bin/bench", *doubles):
            say("continuing without what did not compile")
        return
    targets = ["bin/bench"]
    for name in names:
        targets += lab.targets(name, "float")
        if in_double and "/" not in name:
            targets += lab.targets(name, "double")
    lab.demand_targets(f"{lab.part}/{' '.join(names)}", *targets)


def _output_of(*words: str | Path) -> str:
    """Empty if there is no such program."""
    try:
        return subprocess.run(words, capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""


def _require_tunable(
    part: str, names: Sequence[str], programs: Sequence[Path], options: Sequence[str]
) -> None:
    """Refuses a sweep of a launch that none of the named programs leaves to the command line."""
    tuning = {f"--{field}" for field in TUNED}
    for swept in tuning & {word.split("=")[0] for word in options}:
        if programs and not any(f" {swept} " in _output_of(file, "-h") for file in programs):
            which = f"{' and '.join(names)} {'takes' if len(names) == 1 else 'take'}"
            raise UserError(f"bench {part}: {which} no {swept}, so there is nothing to compare")


def _call_bench(lab: Workshop, words: Sequence[object]) -> Measurement:
    """What measures, shows its result, and writes it to a file: after Ctrl-C or at the end of a job's time as well, what
    was measured until then."""

    def measure(file: Path | None) -> int:
        if file and file.is_file():
            say(f"{file} already exists and will be replaced")
        with tempfile.TemporaryDirectory() as folder:
            written = Path(folder) / "result.json"
            argv = [lab.build / "bin/bench", lab.part, *words, "--progress", "--json", written]
            status = run_and_tell(argv, "bench", "", f"measuring {lab.part}")
            if written.exists():
                show(bench_text(read_result(written)))
                if file:
                    write_bytes(file, written.read_bytes())
        return status

    return measure


def _prepare(
    lab: Workshop, study: str | None, names: list[str], options: list[str], in_double: bool
) -> Measurement:
    """Builds the programs of a part, or of a row of its studies.json."""
    lab.demand_part()
    if study:
        row = studies.read_studies(lab.part)[study]
        names = studies.names_to_study(Manifest(lab.manifest), lab.part, row, names)
        options = [*row.options_here(), *options]
        in_double = in_double or "double" in row.options
    for name in names:
        if "/" not in name:  # otherwise of another part
            lab.demand_name(name)
    gpu = lab.demand_gpu()
    _build(lab, names, in_double)
    programs = [lab.build / lab.program(name) for name in names]
    _require_tunable(lab.part, names, programs, options)
    forget_old_counts(lab)
    revision = _output_of("git", "-C", str(ROOT), "describe", "--always", "--dirty").strip()
    words = [*names, "--manifest", lab.manifest, "--revision", revision]
    if gpu:
        peak = lab.ask_devices("--peak")
        words += ["--device", gpu, *(["--device-peak", peak] if peak else [])]
    hidden = names_with_hidden_counts(lab)
    words += ["--hide-counts", ",".join(hidden)] if hidden else []
    lab.unlock()
    return _call_bench(lab, [*words, *options])
