"""Programs of several processes: the number of ranks, and their command line (manifest: `launcher`, `ranks`)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nbody_lab.core.errors import LabError
from nbody_lab.core.words import asks_for_double

if TYPE_CHECKING:
    from nbody_lab.building.lab import Lab

PLACEHOLDER = "RANKS"


def has_ranks(lab: "Lab") -> bool:
    return PLACEHOLDER in (lab.of_part("launcher") or ())


def demand_one_process(lab: "Lab", command: str) -> None:
    """For commands that can only examine one process."""
    if has_ranks(lab):
        raise LabError(
            f"{command} works on one process, but {lab.part} runs as several: ./lab count {lab.part} NAME shows their messages, "
            f"./lab bench {lab.part} NAME --simulated gbe shows who waits"
        )


def words_to_start(
    lab: "Lab", name: str, options: Sequence[str], ranks: int | None = None
) -> list[str]:
    """The command line of PART/NAME. `ranks`: None for the part's own number."""
    row = lab.find(name)
    program, arguments = lab.program(name), row.arguments if row else ()
    if not has_ranks(lab):
        if ranks not in (None, 1):
            raise LabError(f"--ranks: {lab.part} runs as one process; part 4 runs as several")
        return [str(lab.build_dir / program), *arguments, *options]
    if asks_for_double(options):  # a program of its own: a started rank cannot switch
        program = lab.targets(name, "double")[0]
    count = str(ranks or lab.of_part("ranks"))
    launcher = [word.replace(PLACEHOLDER, count) for word in lab.of_part("launcher")]
    return [*launcher, str(lab.build_dir / program), *arguments, *options]
