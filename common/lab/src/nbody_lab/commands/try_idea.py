"""./lab try: predict, check, measure; a row in the notebook."""

from typing import Annotated

import typer

from nbody_lab import ROOT
from nbody_lab.building.arguments import Name, PartName, option
from nbody_lab.building.handed_out import demand_baseline
from nbody_lab.building.lab import Lab, show_built
from nbody_lab.building.ranks import has_ranks
from nbody_lab.core.clean_text import in_one_line, printable, shown
from nbody_lab.core.console import show
from nbody_lab.core.errors import LabError, tell
from nbody_lab.core.whole_file import read_text
from nbody_lab.draw import pictures
from nbody_lab.draw.pictures import What
from nbody_lab.notebook import notebook
from nbody_lab.notebook.text import describe
from nbody_lab.notebook.trial import Question, run_trial


def _factor(text: str) -> float:
    try:
        factor = float(text)
    except ValueError:
        factor = 0
    if not 0.01 <= factor <= 1000:
        raise LabError(
            "--expect needs a factor from 0.01 to 1000, such as 1.5 for 1.5 times the speed; "
            f"not '{printable(text)}'"
        )
    return factor


# Each with the help text of ./lab try -h.
Idea = Annotated[str | None, typer.Argument(metavar="IDEA", help="one sentence in quotes")]
Surplus = Annotated[list[str] | None, typer.Argument(hidden=True)]
_EXPECT = "predicted speed-up over the row it is compared with"
Factor = Annotated[float | None, option("--expect", "FACTOR", _EXPECT, parser=_factor)]
_AGAINST = (
    "row to compare with: its number, a name, or naive (default: the last right row of the same "
    "name, else the last right row)"
)
Against = Annotated[str | None, option("--against", "ROW", _AGAINST)]
_THREADS = "default: the program's own, all cores"
Threads = Annotated[int | None, option("--threads", "T", _THREADS, min=1, max=4096)]
_RANKS = "processes (part 4; default: as its part starts them)"
Ranks = Annotated[int | None, option("--ranks", "P", _RANKS, min=1, max=4096)]
_WAIT = "on a busy machine, wait for free cores at most S seconds (default: 30)"
Wait = Annotated[int, option("--wait", "S", _WAIT, min=0, max=86400)]
# As data/rubric*.json measure.
BODIES = {"part1": 2000, "part2": 2000, "part3": 131072, "part4": 5000}
_BODIES = "bodies to measure with (default: 2000; part 3: 131072, part 4: 5000)"
Bodies = Annotated[int | None, option("-n --n", "N", _BODIES, min=16, max=1_000_000)]


def try_idea(
    part: PartName,
    name: Name,
    idea: Idea = None,
    more: Surplus = None,
    expect: Factor = None,
    against: Against = None,
    threads: Threads = None,
    ranks: Ranks = None,
    wait: Wait = 30,
    bodies: Bodies = None,
) -> None:
    """predict, check, measure: adds a row to the notebook

    Builds NAME, checks it, and times it with naive and an earlier row of your notebook.
    A wrong prediction costs nothing: the row says what was expected and what was measured.

    ./lab try part1 mine "sums in locals" --expect 1.5
    """
    if name == "naive":
        raise LabError("naive is the baseline: try a version of your own")
    if expect is None:
        raise LabError(
            "--expect is missing: predict first, then measure; --expect 1.5 means 1.5 times the speed "
            "of the row it is compared with"
        )
    if more:
        raise LabError(
            f"'{printable(more[0])}' is one word too many: put the idea in quotes, starting with a word"
        )
    if not (idea := in_one_line(idea or "")):
        raise LabError('what is the idea? One sentence in quotes, for example "sums in locals"')
    lab = Lab(part)
    lab.refuse_without_gpu()
    demand_baseline(ROOT, part)
    folder, programs = lab.folder(), lab.build_dir / "notebook" / part
    # Complains before minutes of building.
    before = notebook.load(folder).row_before(name, against)
    program_before = notebook.kept_program(programs, before) if before else None
    # Locked to the end: a build would spoil the measurement, and a second try would write to the same notebook.
    lab.begin()
    lab.demand_name(name)
    if ranks and not has_ranks(lab):
        raise LabError(f"--ranks: {part} runs as one process; part 4 runs as several")
    gpu, whose, suffix = lab.demand_gpu(), f"{part}/{name}", lab.source(name).suffix
    source = read_text(lab.source(name))  # that is built: it may be edited meanwhile
    show_built(
        lab.build(whose, f"bin/{part}/{name}", f"bin/{part}/naive", "bin/check", "bin/bench")
    )
    question = Question(
        name=name,
        idea=idea,
        expected=expect,
        before=before,
        before_program=program_before,
        n=bodies or BODIES.get(part, 2000),
        adaptive=lab.of_part("default_step") == "adaptive",
        threads=threads,
        ranks=(ranks or lab.of_part("ranks")) if has_ranks(lab) else None,
        device=gpu,
        flags=" ".join(made.flags if (made := lab.find(name)) else ()),
        wait_s=wait,
    )
    trial = run_trial(lab, question)
    show(describe(trial, whose))
    row = notebook.add(
        folder,
        trial.row(),
        source,
        suffix,
        f"{question.conditions}; compared with {question.before_in_words}",
        programs,
        lab.build_dir / lab.program(name),
    )
    show(
        f"\nrow {row.row} is in {shown(folder / notebook.MARKDOWN)}, its source in {row.source} beside it"
    )
    if pictures.can_draw():
        pictures.draw(What.NOTEBOOK, folder, folder / "notebook")
    tell(lab.remarks([name]))
    if trial.wrong:
        raise SystemExit(1)
