"""What a roofline needs of other results: counted work, limits that ./lab bound found, what pow costs."""

from pathlib import Path

from nbody_lab.core.errors import LabError
from nbody_lab.core.model import load
from nbody_lab.measure.bound_file import Bound
from nbody_lab.measure.count_file import CountFile
from nbody_lab.measure.results import Ceilings, Limit, NoInput, Work


def work_of(file: Path, n: int) -> Work:
    """The operations per interaction of one iteration with a fixed step, from the output of NAME_count --json."""
    try:
        counted = CountFile.model_validate_json(file.read_bytes()).work["fixed_step"]
        classes = {name: counted[name] for name in Work.model_fields if name in counted}
        return Work(**{name: found.per_interaction(n) for name, found in classes.items()})
    except OSError as error:
        raise NoInput(f"{file} cannot be read: {error.strerror}") from error
    except (KeyError, ValueError) as error:
        raise NoInput(f"{file} was not written by a count program") from error


def limits_of_kernel(file: Path, precision: str, program: Path) -> list[Limit]:
    """How fast a GPU starts the instructions that ./lab bound found in a kernel. Empty if the file belongs to another
    program."""
    if not file.exists() or (program.exists() and program.stat().st_mtime > file.stat().st_mtime):
        return []
    try:
        bound = load(Bound, file)
    except LabError as error:
        raise NoInput(f"{error}: ./lab bound PART NAME writes it again") from error
    if bound.precision != precision or not f"/{program.as_posix()}".endswith(f"/{bound.program}"):
        return []
    speed = bound.bound_interactions_per_s
    if bound.limit != ("slots",) or not speed:
        return []
    return [Limit(name="issuing instructions", interactions_per_s=speed)]


def pow_seconds(ceilings: Ceilings, precision: str) -> float:
    """Seconds per call of pow, by its measured cost; 0 without one."""
    for cost in ceilings.prices:
        if (cost.operation, cost.precision) == ("pow", precision) and cost.one_every_cycles:
            return cost.one_every_cycles.median / ceilings.clock_hz
    return 0.0
