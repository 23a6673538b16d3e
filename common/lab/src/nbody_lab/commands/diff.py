"""./lab diff."""

import sys

from nbody_lab.arguments import Name, OptionalName, PartName
from nbody_lab.core.manifest import Manifest
from nbody_lab.tasks.diff import Ladder, format_diff
from nbody_lab.workshop import Workshop


def diff(part: PartName, name: Name, other: OptionalName = None) -> None:
    """what a rung changes: each function beside the one it replaces

    Compares NAME with the implementation that it comes from, or with OTHER.

    ./lab diff part1 openmp
    """
    lab = Workshop(part)
    lab.begin()
    lab.demand_part()
    lab.unlock()
    ladder = Ladder(Manifest(lab.manifest), part)
    print("\n".join(format_diff(ladder, name, other, colours=sys.stdout.isatty())))
