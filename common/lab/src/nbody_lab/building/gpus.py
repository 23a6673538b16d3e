"""The GPUs that part 3 can use, as bin/devices describes them, and how fast they can be by their clock."""

import json
from pathlib import Path
from typing import Any

from nbody_lab.core.errors import LabError
from nbody_lab.core.model import LabModel, parse
from nbody_lab.core.run import capture, last_line

# Results per cycle of a multiprocessor in float and in double: CUDA C++ Programming Guide, "Arithmetic Instructions".
UNITS = {
    "sm_60": (64, 32),
    "sm_61": (128, 4),
    "sm_70": (64, 32),
    "sm_75": (64, 2),
    "sm_80": (64, 32),
    "sm_86": (128, 2),
    "sm_89": (128, 2),
    "sm_90": (128, 64),
    "sm_100": (128, 64),
    "sm_120": (128, 2),
}
WARP = 32


class Gpu(LabModel):
    """What one reports about itself."""

    description: str  # one line, with the software
    name: str
    compute_capability: str
    multiprocessors: int
    clock_hz: float  # the highest
    memory_clock_hz: float
    memory_bus_bits: int
    memory_bytes: int
    free_bytes: int
    l2_bytes: int
    threads_per_multiprocessor: int
    blocks_per_multiprocessor: int
    registers_per_multiprocessor: int  # of 32 bits
    shared_bytes_per_multiprocessor: int
    threads_per_block: int
    registers_per_block: int
    shared_bytes_per_block: int  # unless the kernel asks for more
    driver: str
    cuda_runtime: str  # that programs are built with

    @property
    def architecture(self) -> str:
        return "sm_" + self.compute_capability.replace(".", "")

    @property
    def peaks(self) -> dict[str, float]:
        """By the clock: flop/s, a multiply-add is two, where the units are known; byte/s of the memory, with two
        transfers per cycle."""
        units = UNITS.get(self.architecture, ())
        cycles = self.multiprocessors * self.clock_hz
        peaks = {kind: 2 * each * cycles for kind, each in zip(("float", "double"), units)}
        return peaks | {"memory": 2 * self.memory_clock_hz * self.memory_bus_bits / 8}

    def bodies_to_fill(self, block: int) -> int:
        """One thread each, where neither registers nor shared memory are the limit."""
        return self.blocks_at_once(block) * block * self.multiprocessors

    def blocks_at_once(self, block: int) -> int:
        """On a multiprocessor; a part of a warp takes the place of a whole one."""
        threads = -(-block // WARP) * WARP
        return min(self.threads_per_multiprocessor // threads, self.blocks_per_multiprocessor)


def run_devices(build: Path, plan: object = None) -> list[dict[str, Any]]:
    """The lines of bin/devices: each GPU, then what the plan asks for. Raises LabError."""
    program = build / "bin/devices"
    done = capture(program, input=json.dumps(plan))
    if done.returncode != 0:
        raise LabError(last_line(done.stderr, done.returncode))
    return [json.loads(line) for line in done.stdout.splitlines()]


def read_gpus(build: Path) -> list[Gpu]:
    """Raises LabError."""
    return [parse(Gpu, row, "bin/devices") for row in run_devices(build)]
