"""./lab roofline PART NAME --counters: counted work beside the processor's own counters, by perf stat.

It needs hardware counters, so no virtual machine. Flops are measured only on Intel, whose events count an fma twice and
every lane of a vector, masked or not.
"""

from collections.abc import Iterator

from nbody_lab.core import cpuinfo
from nbody_lab.core.messages import UserError
from nbody_lab.core.results import Work
from nbody_lab.hardware.counters import Counts, count_events, require_counters
from nbody_lab.programs.counting import count_to_file, counts_of
from nbody_lab.roofline.inputs import work_of
from nbody_lab.roofline.model import compulsory_bytes
from nbody_lab.roofline.points import hidden_counts, hidden_reason
from nbody_lab.workshop import Workshop

_ITERATIONS = 20
_LINE = 64  # bytes of a cache line
MISSES = "LLC-load-misses"
_KINDS = {"float": ("single", 4), "double": ("double", 2)}  # word in event names, lanes of 128 bits


def flop_events(precision: str) -> dict[str, int]:
    """{event: flops per count}"""
    word, lanes = _KINDS[precision]
    widths = (("scalar", 1), *((f"{128 * k}b_packed", k * lanes) for k in (1, 2, 4)))
    return {f"fp_arith_inst_retired.{width}_{word}": flops for width, flops in widths}


def measured_flops(counts: Counts, precision: str) -> float | None:
    """None if an event was not counted, since the sum of the others would mislead."""
    flops = 0.0
    for event, each in flop_events(precision).items():
        if event not in counts or counts[event].value is None:
            return None
        flops += each * (counts[event].value or 0)
    return flops


def _measured_bytes(counts: Counts) -> float | None:
    value = counts[MISSES].value if MISSES in counts else None
    return None if value is None else _LINE * value


def compare_lines(work: Work, counts: Counts, precision: str, n: int) -> Iterator[str]:
    """The lines of the table, per interaction."""
    needed = compulsory_bytes(n, 8 if precision == "double" else 4)
    yield f"  {'per interaction':<20}{'counted':>12}{'measured':>12}"
    for what, counted, measured in (
        ("flops", work.flops, measured_flops(counts, precision)),
        ("bytes from memory", needed, _measured_bytes(counts)),
    ):
        each = "not here" if measured is None else f"{measured / (n * n * _ITERATIONS):.3g}"
        yield f"  {what:<20}{counted:>12.3g}{each:>12}"


def _counted_work(lab: Workshop, name: str, n: int) -> Work:
    count_to_file(lab, name)
    if not counts_of(lab, name).exists():
        raise UserError(
            f"{lab.part}/{name} cannot be counted (./lab count {lab.part} {name} says why)"
        )
    if name in hidden_counts(lab):
        raise UserError(f"{lab.part}/{name}: {hidden_reason(lab.part)}")
    return work_of(counts_of(lab, name), n)


def compare(lab: Workshop, name: str, precision: str, n: int) -> None:
    """Prints the counted work of one program beside what the processor counts."""
    if lab.has_kernels() or lab.on_gpu():
        raise UserError(
            f"these counters are the processor's; for the GPU's: ./lab profile {lab.part} {name} --ncu"
        )
    require_counters()
    lab.begin()
    lab.demand_name(name)
    lab.demand_targets(f"{lab.part}/{name}", *lab.targets(name, precision))
    work = _counted_work(lab, name, n)
    lab.unlock()
    # perf fails completely on an unknown event
    intel = cpuinfo.fields().get("vendor_id") == "GenuineIntel"
    events = flop_events(precision) if intel else {}
    argv = [lab.build / lab.program(name), "-n", n, "-i", _ITERATIONS, "--precision", precision]
    counts = count_events(f"{lab.part}/{name}", argv, [*events, MISSES])
    print(f"{lab.part}/{name} in {precision}: {n} bodies, {_ITERATIONS} iterations")
    print("\n".join(compare_lines(work, counts, precision, n)))
