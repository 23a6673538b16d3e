"""The option --on-cpu: runs a CUDA implementation with its kernels on the CPU (common/cuda/on_cpu).

These programs have their own manifest, which only check and run read, so no command measures them by mistake.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nbody_lab.core.errors import LabError

if TYPE_CHECKING:
    from nbody_lab.building.lab import Lab

OPTION = "--on-cpu"
# A check asks for up to a thousand steps at once; the slowest programs need a minute.
PATIENCE_S = 200
COMMANDS = ("check", "run")


def demand_command(command: str, words: Sequence[str]) -> None:
    if OPTION in words and command not in COMMANDS:
        raise LabError(
            f"{OPTION} is for check and run only: kernels on the CPU show what is right, not how fast"
        )


def begin(lab: "Lab", names: Sequence[str]) -> None:
    """Switches the lab to the programs for the CPU; call it after lab.begin()."""
    if not lab.has_kernels():
        raise LabError(f"{OPTION} is for CUDA kernels: {lab.part} has none")
    lab.use_cpu()
    if lab.known() is None:
        lab.step("finding out how to run kernels on the CPU", "cmake", "--preset", lab.preset)
    manifest = lab.known()
    if manifest is None:
        raise LabError(
            "kernels cannot run on the CPU here: that needs Linux, Python, and g++ 11 or clang 16"
        )
    lab.demand_part()
    for row in manifest.gpu_only:
        if row.part == lab.part and row.name in names:
            raise LabError(
                f"{row.part}/{row.name} uses {row.why}, which only a GPU has: it cannot run with {OPTION}"
            )
