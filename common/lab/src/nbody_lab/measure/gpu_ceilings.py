"""GPUs for ./lab machine: what they have, and how fast GPU 0 can be, measured by bin/devices and judged here."""

from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any

from nbody_lab.building.gpus import Gpu, run_devices
from nbody_lab.building.lab import Lab
from nbody_lab.core.console import LabTable
from nbody_lab.core.model import parse
from nbody_lab.core.turns import turn
from nbody_lab.measure.results import Ceiling, judged

_EFFORT = {"warm_up_s": 0.3, "least_s": 0.02, "repeats": 15}
_BLOCKS = (16, 32, 64, 128, 256, 512, 1024)
# From near to far: the data of each passes, or could pass, through those before it.
_CHAINS = (
    ("shared", "L2", "device memory", "host to device, pinned", "host to device, pageable"),
    ("device memory", "device to host, pinned", "device to host, pageable"),
)
_IN_WORDS = {
    "flop/s": ("{:.2f} Tflop/s", 1e12),
    "byte/s": ("{:.1f} GB/s", 1e9),
    "operation/s": ("{:.1f} x 10^9/s", 1e9),
}


def ceiling_of(row: dict[str, Any], rates: Sequence[float], device: str) -> Ceiling:
    """The spread is that of the middle half."""
    ordered, quarter, middle = sorted(rates), len(rates) // 4, median(rates)
    measured = {
        "where": "gpu 0",
        "device": device,
        "instruction_set": "",
        "lanes": 0,
        "threads": 0,
        "best": ordered[-1],
        "median": middle,
        "spread": (ordered[-1 - quarter] - ordered[quarter]) / middle,
    }
    return parse(Ceiling, row | measured, "bin/devices")


def judge(rows: Sequence[Ceiling], gpu: Gpu) -> list[Ceiling]:
    no_room = {"why_not": "the free memory has no room for an array four times as large as L2"}
    found = [
        row.model_copy(update=no_room)
        if row.level == "device memory" and row.array_bytes < 4 * gpu.l2_bytes
        else row
        for row in rows
    ]
    return judged(found, *_CHAINS)


def measure_gpu(lab: Lab) -> list[Ceiling]:
    """In about a dozen seconds; nothing if no GPU answers or nothing can be built for it. Raises LabError."""
    if not lab.gpu():
        return []
    with turn("the GPU"):
        lines = run_devices(lab.build_dir, _EFFORT)
    gpu = parse(Gpu, lines[0], "bin/devices")
    found = [(line, line.pop("rates")) for line in lines if "rates" in line]
    return judge([ceiling_of(line, rates, gpu.name) for line, rates in found], gpu)


def _facts(gpu: Gpu) -> LabTable:
    units = {kind: peak / 2 / gpu.clock_hz for kind, peak in gpu.peaks.items() if kind != "memory"}
    in_all = ", ".join(f"{count:.0f} units for {kind}" for kind, count in units.items())
    peaks = [f"{kind} {gpu.peaks[kind] / 1e12:.2f} Tflop/s" for kind in units]
    rows = {
        "multiprocessors": f"{gpu.multiprocessors} (SM); {in_all or 'units unknown'}",
        "clock": f"{gpu.clock_hz / 1e6:.0f} MHz at most",
        "memory": f"{gpu.memory_bytes >> 20} MiB, {gpu.free_bytes >> 20} free; "
        f"{gpu.memory_clock_hz / 1e6:.0f} MHz, {gpu.memory_bus_bits} bits wide",
        "L2 cache": f"{gpu.l2_bytes >> 20} MiB",
        "each SM": f"{gpu.threads_per_multiprocessor} threads, {gpu.blocks_per_multiprocessor} blocks, "
        f"{gpu.registers_per_multiprocessor} registers, "
        f"{gpu.shared_bytes_per_multiprocessor >> 10} KiB shared memory",
        "a block": f"{gpu.threads_per_block} threads at most, {gpu.registers_per_block} registers, "
        f"{gpu.shared_bytes_per_block >> 10} KiB shared memory",
        "driver": f"{gpu.driver}; built with CUDA {gpu.cuda_runtime}",
        "by its clock": ", ".join([*peaks, f"memory {gpu.peaks['memory'] / 1e9:.0f} GB/s"]),
    }
    return LabTable([f"{gpu.name}, compute capability {gpu.compute_capability}", ""], rows.items())


def gpu_card(gpu: Gpu) -> Iterator[str | LabTable]:
    """What it has, and how many bodies keep it busy."""
    rows = [
        (
            block,
            (gpu.multiprocessors - 1) * block + 1,
            gpu.blocks_at_once(block),
            gpu.bodies_to_fill(block),
        )
        for block in _BLOCKS
    ]
    columns = [">block", ">a block on each SM", ">blocks at once on an SM", ">the whole GPU full"]
    yield from ("", _facts(gpu), "\n  smallest number of bodies, one thread each, for")
    yield LabTable(columns, rows, 2)
    yield "  full where neither registers nor shared memory are the limit"


def gpu_ceilings_text(rows: Sequence[Ceiling]) -> Iterator[str | LabTable]:
    """With the reasons why rows are no ceilings."""
    cells = []
    for row in rows:
        words, scale = _IN_WORDS[row.unit]
        cells.append((row.name, words.format(row.best / scale), f"{100 * row.spread:.1f} %"))
    yield from ("", LabTable(["measured", ">best", ">spread"], cells, 2))
    yield from (f"  no ceiling: {row.name}. {row.why_not}" for row in rows if not row.is_ceiling)
