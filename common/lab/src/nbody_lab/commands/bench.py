"""./lab bench: how fast is it?"""

import subprocess
import tempfile
from collections.abc import Callable, Sequence
from enum import Enum
from json import dumps
from pathlib import Path
from typing import Annotated, Any

import typer

from nbody_lab import ROOT
from nbody_lab.benchmark.compare import compare_text
from nbody_lab.benchmark.report import bench_text
from nbody_lab.build.arguments import (
    Names,
    OptionalPart,
    numbers_up_to,
    option,
    parse_result_file,
    parse_scene,
)
from nbody_lab.build.handed_out import demand_baseline
from nbody_lab.build.lab import Lab
from nbody_lab.core.command_line import forwarded
from nbody_lab.core.console import show
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.model import load
from nbody_lab.core.run import run_program
from nbody_lab.core.whole_file import write_bytes, write_text
from nbody_lab.draw import pictures
from nbody_lab.draw.pictures import Request, What
from nbody_lab.handout import references
from nbody_lab.measure.bench_file import TUNED, read_result
from nbody_lab.measure.results import shown
from nbody_lab.measure.study_results import Simulated
from nbody_lab.programs.counting import forget_old_counts, names_with_hidden_counts
from nbody_lab.studies import simulate
from nbody_lab.studies.simulated import is_simulated, show_result

_MOST_BODIES, _MOST_THREADS, _MOST_GRID, _MOST_RANKS = 1 << 24, 4096, 65535, 65536

Measurement = Callable[[Path | None], int]  # writes the file, returns a status


class Precisions(str, Enum):
    FLOAT = "float"
    DOUBLE = "double"
    BOTH = "float,double"
    BOTH_TOO = "double,float"


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
            "unroll factor (parts 2 and 3)",
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
    simulated: simulate.OnNetwork = None,
    per_rank: simulate.PerRank = None,
    rate: simulate.Rate = None,
    compare: Annotated[
        tuple[Path, Path] | None,
        option("--compare", "FILE", "measure nothing: compare two such files"),
    ] = None,
    stored: Annotated[
        Path | None,
        option("--from", "FILE", "measure nothing: show and draw what --json wrote"),
    ] = None,
    plot: Annotated[Path | None, option("--plot", "FOLDER", "draw into this folder")] = None,
) -> None:
    """how fast is it?

    Times programs in turn, in random order. Without names: all of the part.

    ./lab bench part1 naive mine -n 500,1000,2000
    --simulated runs NAME on a cluster that is simulated, with up to 256 ranks, one iteration on each
    number of them: how fast, and who waits?

    ./lab bench part4 mine --simulated ib --ranks 1,16,256
    """
    options = forwarded(context, leave_out=("plot", "json", "simulated", "per_rank", "rate"))
    if compare:
        _compare(compare, alone=len(options) == 3 and not (part or plot or json))
        return
    if stored:
        if len(options) != 2 or part or json:
            raise LabError("bench --from FILE measures nothing: leave out all but --plot FOLDER")
        _show_again(stored, plot)
        return
    if not part:
        raise LabError("bench needs a part; for example: ./lab bench part1 mine")
    lab, names = Lab(part), names or []
    lab.refuse_without_gpu()
    if simulated:
        _require_simulated(names, options, bodies, per_rank)
        counts = tuple(sorted(map(int, (ranks or "1,4,16,64").split(","))))
        total = int(bodies) if bodies else None
        _simulate(
            lab, names[0], simulate.Cluster(simulated, counts, total, per_rank, rate), json, plot
        )
        return
    if per_rank or rate:
        raise LabError("bench: --per-rank and --rate are for --simulated")
    if not names or "naive" in names:
        demand_baseline(ROOT, part)
    if plot:
        pictures.require_folder(plot)
    lab.begin()
    in_double = precision not in (None, Precisions.FLOAT)
    measure = _prepare(lab, names, options, in_double)
    status = pictures.measured_and_drawn(measure, part, plot, json)
    if status == 0:
        references.show(ROOT, part)
    raise SystemExit(status)


def _compare(files: tuple[Path, Path], alone: bool) -> None:
    if not alone:
        raise LabError("bench --compare FILE FILE measures nothing: leave out everything else")
    show(compare_text(*map(read_result, files)))


def _show_again(file: Path, plot: Path | None) -> None:
    """The tables of a result, and its pictures in a folder of its own."""
    folder = plot or ROOT / "build/pictures" / file.stem
    if is_simulated(file):
        what = What.SIMULATED
        show_result(load(Simulated, file))
    else:
        what = What.BENCH
        show(bench_text(read_result(file)))
    if pictures.can_draw():
        pictures.draw(what, Request(str(file), folder, if_any=True))
    elif plot:
        say(f"no picture: {pictures.BRING}")


def _require_simulated(
    names: Sequence[str], options: Sequence[str], bodies: str | None, per_rank: int | None
) -> None:
    """Refuses before anything is built what a simulated cluster does not take."""
    if len(names) != 1:
        raise LabError(
            "bench --simulated takes one name; for example: ./lab bench part4 mine --simulated gbe"
        )
    for word in options:
        if word.startswith("-") and word.split("=")[0] not in ("-n", "--ranks"):
            raise LabError(f"bench --simulated takes no {word}")
    if bodies and per_rank:
        raise LabError("bench --simulated: -n or --per-rank: bodies in all, or for each rank")
    if bodies and "," in bodies:
        raise LabError(f"bench --simulated takes one number of bodies, not {bodies}")


def _simulate(
    lab: Lab, name: str, cluster: simulate.Cluster, json: Path | None, plot: Path | None
) -> None:
    """Shows, keeps and draws what is simulated."""
    cluster.require_few()
    if plot:
        pictures.require_folder(plot)
    lab.begin()
    result = simulate.simulate(lab, name, cluster)
    show_result(result)
    file = json or simulate.PLACE / f"{name}_{result.network}.json"
    write_text(file, dumps(result.model_dump()) + "\n")
    show(f"\n{shown(file)}")
    if pictures.can_draw():
        pictures.draw(What.SIMULATED, Request(str(file), plot or simulate.PLACE))


def _build(lab: Lab, names: Sequence[str], in_double: bool) -> None:
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
            raise LabError(f"bench {part}: {which} no {swept}, so there is nothing to compare")


def _call_bench(lab: Lab, words: Sequence[object]) -> Measurement:
    """What measures, shows its result, and writes it to a file: after Ctrl-C or at the end of a job's time as well, what
    was measured until then."""

    def measure(file: Path | None) -> int:
        if file and file.is_file():
            say(f"{file} already exists and will be replaced")
        with tempfile.TemporaryDirectory() as folder:
            written = Path(folder) / "result.json"
            argv = [lab.build / "bin/bench", lab.part, *words, "--progress", "--json", written]
            status = run_program(argv, "bench", "", f"measuring {lab.part}")
            if written.exists():
                show(bench_text(read_result(written)))
                if file:
                    write_bytes(file, written.read_bytes())
        return status

    return measure


def _prepare(lab: Lab, names: list[str], options: list[str], in_double: bool) -> Measurement:
    """Builds the programs of a part."""
    lab.demand_part()
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
