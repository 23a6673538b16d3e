"""./lab count: the work of the code, by running it with numbers that count."""

from nbody_lab.building.arguments import Bodies, Name, PartName, Ranks
from nbody_lab.building.lab import Lab, show_built
from nbody_lab.building.ranks import has_ranks, words_to_start
from nbody_lab.core.console import show
from nbody_lab.core.errors import LabError, say, tell
from nbody_lab.core.model import load
from nbody_lab.core.run import run_program
from nbody_lab.measure.count_file import CountFile
from nbody_lab.measure.count_file import count as count_work
from nbody_lab.measure.count_text import format_counts
from nbody_lab.tasks.counting import (
    build_worksheet,
    count_to_file,
    counts_of,
    has_worksheet,
)
from nbody_lab.tasks.judge import reason_to_hide_counts


def count(
    part: PartName,
    name: Name = "naive",
    bodies: Bodies = None,
    ranks: Ranks = None,
) -> None:
    """flops and memory accesses of one iteration, by class

    By running the code with numbers that count; one sentence names a line that cannot be counted. In part 4: messages and
    bytes of each rank.

    ./lab count part1 mine
    ./lab count part4 mine --ranks 4
    """
    lab = Lab(part)
    lab.begin()
    if lab.has_kernels():  # they are counted on the CPU
        lab.begin_on_cpu([name])
    lab.demand_name(name)
    row = lab.find(name)
    if has_ranks(lab):
        if name == "naive":
            _require_shown_counts(lab, name)
        show_built(lab.build(f"{part}/{name}", lab.program(name)))
        options = ["-n", str(bodies or 1000), "-i", "1", "--profile"]
        words = words_to_start(lab, name, options, ranks)
        lab.unlock()
        raise SystemExit(run_program(words))
    if ranks:
        raise LabError("count: --ranks is for part 4")
    if row and row.count is None:
        raise LabError(f"{part}/{name} is not counted: its types take plain numbers only")
    if why := count_to_file(lab, name):
        tell([why])
        raise SystemExit(1)
    _require_shown_counts(lab, name)
    counts = load(CountFile, counts_of(lab, name))
    program = lab.build_dir / f"bin/{part}/{name}_count"
    lab.unlock()
    if bodies:
        counts = count_work(program, bodies)
    show(*format_counts(counts))


def _require_shown_counts(lab: Lab, name: str) -> None:
    """The counts of the given code are an answer, so only students who have found it see them."""
    if not has_worksheet(lab) or (name != "naive" and name not in lab.names("mine")):
        return
    if reason := reason_to_hide_counts(name, *build_worksheet(lab)):
        say(reason)
        raise SystemExit(1)
