"""GPUs for ./lab machine: what they have, and how fast GPU 0 can be, measured by bin/devices and judged here."""

from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any

from nbody_lab.building.gpus import Gpu, run_devices
from nbody_lab.building.lab import Lab
from nbody_lab.core.console import format_table
from nbody_lab.core.model import parse
from nbody_lab.core.turns import turn
from nbody_lab.measure.results import Ceiling, judged

_EFFORT = {"warm_up_s": 0.3, "least_s": 0.02, "repeats": 15}
_BLOCKS = (16, 32, 64, 128, 256, 512, 1024)
# The right one is farther away: its data passes, or could pass, through the left one.
_NEIGHBOURS = (
    ("shared", "L2"),
    ("L2", "device memory"),
    ("device memory", "host to device, pinned"),
    ("device memory", "device to host, pinned"),
    ("host to device, pinned", "host to device, pageable"),
    ("device to host, pinned", "device to host, pageable"),
)
_TENTH = 0.1  # smaller differences do not count
_IN_WORDS = {
    "flop/s": ("{:.2f} Tflop/s", 1e12),
    "byte/s": ("{:.1f} GB/s", 1e9),
    "operation/s": ("{:.1f} x 10^9/s", 1e9),
}


def ceiling_of(row: dict[str, Any], rates: Sequence[float], device: str) -> Ceiling:
    ordered, quarter = sorted(rates), len(rates) // 4
    middle = median(ordered)
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


def _doubts(rows: Sequence[Ceiling], gpu: Gpu) -> Iterator[tuple[Ceiling, str]]:
    """(row, why it is no ceiling)."""
    for row in rows:
        if not row.spread <= _TENTH:
            differs = f"The middle half of its repeats differs by {100 * row.spread:.0f} %"
            yield row, f"{differs}: measure again when nothing else runs."
        if row.level == "device memory" and row.array_bytes < 4 * gpu.l2_bytes:
            yield row, "The free memory has no room for an array four times as large as L2."
    fastest = {row.level: row.best for row in sorted(rows, key=lambda row: row.best)}
    for near, far in _NEIGHBOURS:
        if fastest.get(near, 0) < (1 - _TENTH) * fastest.get(far, 0):
            yield from (
                (row, f"It came out slower than {far}.") for row in rows if row.level == near
            )


def judge(rows: Sequence[Ceiling], gpu: Gpu) -> list[Ceiling]:
    return judged(rows, _doubts(rows, gpu))


def measure_gpu(lab: Lab) -> list[Ceiling]:
    """In about a dozen seconds; nothing if no GPU answers or nothing can be built for it. Raises LabError."""
    if not lab.gpu():
        return []
    with turn("the GPU"):
        lines = run_devices(lab.build_dir, _EFFORT)
    gpu = parse(Gpu, lines[0], "bin/devices")
    found = [(line, line.pop("rates")) for line in lines if "rates" in line]
    return judge([ceiling_of(line, rates, gpu.name) for line, rates in found], gpu)


def _facts(gpu: Gpu) -> str:
    units = {kind: peak / 2 / gpu.clock_hz for kind, peak in gpu.peaks.items() if kind != "memory"}
    in_all = ", ".join(f"{count:.0f} units for {kind}" for kind, count in units.items())
    peaks = [f"{kind} {gpu.peaks[kind] / 1e12:.2f} Tflop/s" for kind in units]
    size, grid = (" x ".join(map(str, most)) for most in (gpu.largest_block, gpu.largest_grid))
    rows = {
        "multiprocessors": f"{gpu.multiprocessors} (SM); {in_all or 'units unknown'}",
        "clock": f"{gpu.clock_hz / 1e6:.0f} MHz at most",
        "memory": f"{gpu.memory_bytes >> 20} MiB, {gpu.free_bytes >> 20} free; "
        f"{gpu.memory_clock_hz / 1e6:.0f} MHz, {gpu.memory_bus_bits} bits wide",
        "L2 cache": f"{gpu.l2_bytes >> 20} MiB",
        "each SM": f"{gpu.threads_per_multiprocessor} threads, {gpu.blocks_per_multiprocessor} blocks, "
        f"{gpu.registers_per_multiprocessor} registers, "
        f"{gpu.shared_bytes_per_multiprocessor >> 10} KiB shared memory",
        "a block": f"{gpu.threads_per_block} threads at most ({size}), {gpu.registers_per_block} registers, "
        f"{gpu.shared_bytes_per_block >> 10} KiB shared memory",
        "a grid": f"{grid} blocks at most",
        "constant memory": f"{gpu.constant_bytes >> 10} KiB",
        "driver": f"{gpu.driver}; built with CUDA {gpu.cuda_runtime}",
        "by its clock": ", ".join([*peaks, f"memory {gpu.peaks['memory'] / 1e9:.0f} GB/s"]),
    }
    return "\n".join(f"  {what:<17}{value}" for what, value in rows.items())


def gpus_text(gpus: Sequence[Gpu]) -> str:
    """What each has, and how many bodies keep it busy."""
    parts = []
    for number, gpu in enumerate(gpus):
        table = format_table(
            [">block", ">a block on each SM", ">blocks at once on an SM", ">the whole GPU full"],
            [
                (
                    block,
                    (gpu.multiprocessors - 1) * block + 1,
                    gpu.blocks_at_once(block),
                    gpu.bodies_to_fill(block),
                )
                for block in _BLOCKS
            ],
            2,
        )
        parts.append(
            f"GPU {number}: {gpu.name}, compute capability {gpu.compute_capability}\n{_facts(gpu)}\n\n"
            f"  smallest number of bodies, one thread each, for\n{table}\n"
            "  full where neither registers nor shared memory are the limit"
        )
    return "\n\n".join(parts)


def _rate(rate: float | None, unit: str) -> str:
    words, scale = _IN_WORDS[unit]
    return words.format(rate / scale) if rate else ""


def gpu_ceilings_text(rows: Sequence[Ceiling], gpu: Gpu) -> str:
    """Beside the peaks by the clock, with the reasons why rows are no ceilings."""

    def by_clock(row: Ceiling) -> str:
        if row.level == "device memory":
            return _rate(gpu.peaks["memory"], row.unit)
        return _rate(gpu.peaks.get(row.precision), row.unit) if row.kind == "flops" else ""

    table = format_table(
        ["measured", ">best", ">spread", ">by its clock"],
        [
            (row.name, _rate(row.best, row.unit), f"{100 * row.spread:.1f} %", by_clock(row))
            for row in rows
        ],
        2,
    )
    doubts = [f"  no ceiling: {row.name}. {row.why_not}" for row in rows if not row.is_ceiling]
    return "\n".join([table, *doubts])
