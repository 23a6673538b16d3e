"""./lab bench: how fast is it?"""

from dataclasses import replace
from json import dumps
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from nbody_lab import ROOT
from nbody_lab.building.arguments import (
    Names,
    OptionalPart,
    numbers,
    option,
    parse_result_file,
    parse_scene,
)
from nbody_lab.building.handed_out import demand_baseline
from nbody_lab.building.lab import Lab, show_built
from nbody_lab.core.clean_text import shown
from nbody_lab.core.command_line import given
from nbody_lab.core.console import show
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.model import load_if_whole
from nbody_lab.core.whole_file import write_text
from nbody_lab.draw import pictures
from nbody_lab.draw.pictures import What
from nbody_lab.handout import references
from nbody_lab.measure import simulated as simulate
from nbody_lab.measure.bench import run_bench
from nbody_lab.measure.bench_file import read_result
from nbody_lab.measure.bench_plan import QUICK, Asked, Clock
from nbody_lab.measure.bench_text import bench_text, compare_text
from nbody_lab.measure.simulated import Simulated, show_result
from nbody_lab.notebook import notebook
from nbody_lab.tasks.counting import forget_old_counts, names_with_hidden_counts

Precisions = Literal["float", "double", "float,double", "double,float"]


def bench(
    context: typer.Context,
    part: OptionalPart = None,
    names: Names = None,
    bodies: Annotated[Any, numbers("-n", "N", 1 << 24, "bodies (default 5000)")] = None,
    threads: Annotated[Any, numbers("--threads", "T", 4096, "(default 1)")] = None,
    precision: Annotated[
        Precisions | None, option("--precision", "P", "float (default), double, or float,double")
    ] = None,
    arch: Annotated[
        str | None, option("--arch", "NAMES", "sets: sse2,avx2 (default: best)")
    ] = None,
    block: Annotated[Any, numbers("--block", "K", 4096, "threads per block")] = None,
    unroll: Annotated[Any, numbers("--unroll", "K", 4096, "unroll factor")] = None,
    grid: Annotated[Any, numbers("--grid", "B", 65535, "blocks in all")] = None,
    ranks: Annotated[Any, numbers("--ranks", "P", 65536, "processes (part 4)")] = None,
    scene: Annotated[
        str | None, option("--scene", "NAME", "(default plummer)", parser=parse_scene)
    ] = None,
    vdt: Annotated[bool, option("--vdt", None, "adaptive time step (Eq. 7)")] = False,
    rounds: Annotated[int | None, option("--rounds", "K", "(default 7)", min=1, max=1000)] = None,
    quick: Annotated[bool, option("--quick", None, "3 rounds of short runs: a first look")] = False,
    wait: Annotated[
        float, option("--wait", "S", "for free cores, in all at most S seconds", min=0, max=86400)
    ] = 0,
    json: Annotated[
        Path | None,
        option("--json", "FILE", "as Google Benchmark writes it", parser=parse_result_file),
    ] = None,
    simulated: simulate.OnNetwork = None,
    rate: simulate.Rate = None,
    compare: Annotated[
        tuple[Path, Path] | None, option("--compare", "FILE", "measure nothing: compare two files")
    ] = None,
    stored: Annotated[
        Path | None, option("--from", "FILE", "measure nothing: show and draw a file of --json")
    ] = None,
    plot: Annotated[Path | None, option("--plot", "FOLDER", "draw into this folder")] = None,
) -> None:
    """how fast is it?

    Times programs in turn, in random order. Without names: all of the part. Where a number is asked
    for, several may be given: each is combined with each.

    ./lab bench part1 naive mine -n 500,1000,2000
    --simulated runs NAME on a cluster that is simulated, with up to 256 ranks, one iteration on each
    number of them: how fast, and who waits?

    ./lab bench part4 mine --simulated ib --ranks 1,16,256
    """
    names = names or []
    if compare or stored:
        if given(context) - {"compare", "stored", "plot"}:
            raise LabError("bench: --compare and --from measure nothing: leave out all but --plot")
        if compare:
            show(compare_text(*map(read_result, compare)))
        elif stored:
            _show_again(stored, plot)
        return
    if not part:
        raise LabError("bench needs a part; for example: ./lab bench part1 mine")
    lab = Lab(part)
    if (block or grid) and not lab.has_kernels():
        raise LabError("bench: --block and --grid launch kernels, which part3 has")
    lab.refuse_without_gpu()
    if plot:
        pictures.require_folder(plot)
    if simulated:
        own = {"part", "names", "bodies", "ranks", "json", "simulated", "rate", "plot"}
        if others := given(context) - own:
            raise LabError(f"bench --simulated takes no --{min(others)}")
        if len(names) != 1:
            raise LabError(
                f"bench --simulated takes one name: ./lab bench {part} mine --simulated gbe"
            )
        sizes = simulate.sizes_of(ranks or (1, 4, 16, 64), bodies or (65536,))
        result = simulate.simulate(lab, names[0], simulated, sizes, *_rate_of_a_rank(rate))
        show_result(result)
        file = json or simulate.PLACE / f"{result.name}_{result.network}.json"
        write_text(file, dumps(result.model_dump()) + "\n")
        show(f"\n{shown(file)}")
        if pictures.can_draw():
            pictures.draw(What.SIMULATED, file, plot or simulate.PLACE)
        else:
            pictures.say_how_to_draw(file)
        return
    if rate:
        raise LabError("bench: --rate is for --simulated")
    if not names or "naive" in names:
        demand_baseline(ROOT, part)
    lab.begin()
    lab.demand_names([name for name in names if "/" not in name])  # others are of other parts
    precisions = (precision or "float").split(",")
    if not show_built(lab.build_for(names, precisions, "bin/bench")):
        say("continuing without what did not compile")
    forget_old_counts(lab)
    clock = QUICK if quick else Clock()
    asked = Asked(
        names,
        bodies or [5000],
        threads=threads or [1],
        precision=precisions,
        block=block or [0],
        unroll=unroll or [0],
        grid=grid or [0],
        ranks=ranks or [0],
        arch=list(dict.fromkeys(arch.split(","))) if arch else (),
        scene=scene or "plummer",
        adaptive=vdt,
        clock=replace(clock, rounds=rounds or clock.rounds, wait_s=wait),
        hidden=names_with_hidden_counts(lab),
    )
    status = pictures.measured_and_drawn(lambda file: run_bench(lab, asked, file), part, plot, json)
    if status == 0:
        references.show(ROOT, part)
    raise SystemExit(status)


def _rate_of_a_rank(asked: float | None) -> tuple[float, str]:
    """(10^9 interactions/s, where it comes from)"""
    if asked:
        return asked, "as asked"
    if best := notebook.best_on_one_thread(ROOT, "part2"):
        return best / 1e9, "your best of part 2"
    return simulate.USUAL_RATE, "no row of part 2 in its notebook yet"


def _show_again(file: Path, plot: Path | None) -> None:
    """The tables of a result, and its pictures in a folder of its own."""
    result = load_if_whole(Simulated, file)
    if result:
        show_result(result)
    else:
        show(bench_text(read_result(file)))
    if pictures.can_draw():
        what = What.SIMULATED if result else What.BENCH
        pictures.draw(what, file, plot or ROOT / "build/pictures" / file.stem)
    elif plot:
        say(f"no picture: {pictures.BRING}")
