"""./lab roofline PART NAME --counters: counted work beside the processor's own counters, by perf stat.

It needs hardware counters, so no virtual machine. Flops are measured only on Intel, whose events count an fma twice and
every lane of a vector, masked or not.
"""

from nbody_lab.core import cpuinfo
from nbody_lab.core.messages import stop
from nbody_lab.hardware.counters import ask, demand_counters
from nbody_lab.programs.counting import count_to_file, counts_of
from nbody_lab.roofline.model import compulsory_bytes
from nbody_lab.roofline.points import hidden, hidden_counts
from nbody_lab.worksheet.roofline_inputs import work_of

ITERATIONS = 20
LINE = 64  # bytes of a cache line
MISSES = "LLC-load-misses"
KINDS = {
    "float": ("single", 4),
    "double": ("double", 2),
}  # (word in the event names, lanes of 128 bits)


def is_intel():
    return cpuinfo.fields().get("vendor_id") == "GenuineIntel"


def flop_events(precision):
    """{event: flops per count}"""
    word, lanes = KINDS[precision]
    return {
        f"fp_arith_inst_retired.{width}_{word}": flops
        for width, flops in (
            ("scalar", 1),
            ("128b_packed", lanes),
            ("256b_packed", 2 * lanes),
            ("512b_packed", 4 * lanes),
        )
    }


def measured_flops(counts, precision):
    """The flops measured; None if an event was not counted, since the sum of the others would mislead."""
    values = [
        (counts[event].value if event in counts else None, flops)
        for event, flops in flop_events(precision).items()
    ]
    return (
        sum(value * flops for value, flops in values)
        if all(isinstance(value, float) for value, _ in values)
        else None
    )


def measured_bytes(counts):
    value = counts[MISSES].value if MISSES in counts else None
    return LINE * value if isinstance(value, float) else None


def table(work, counts, precision, n):
    """The lines of the table, per interaction."""
    interactions = n * n * ITERATIONS
    rows = [
        ("flops", work["flops"], measured_flops(counts, precision)),
        ("bytes from memory", compulsory_bytes(n, precision), measured_bytes(counts)),
    ]
    yield f"  {'per interaction':<20}{'counted':>12}{'measured':>12}"
    for what, counted, measured in rows:
        shown = "not here" if measured is None else f"{measured / interactions:.3g}"
        yield f"  {what:<20}{counted:>12.3g}{shown:>12}"


def counted_work(lab, name, n):
    count_to_file(lab, name)
    if not counts_of(lab, name).exists():
        stop(f"{lab.part}/{name} cannot be counted (./lab count {lab.part} {name} says why)")
    if name in hidden_counts(lab):
        stop(f"{lab.part}/{name}: {hidden(lab.part)}")
    return work_of(counts_of(lab, name), n)


def compare(lab, names, precision, n):
    if len(names) != 1:
        stop(f"roofline --counters takes one name: ./lab roofline {lab.part} mine --counters")
    lab.begin()
    if lab.on_gpu():
        stop(
            f"these counters are the processor's; for the GPU's: ./lab profile {lab.part} {names[0]} --ncu"
        )
    demand_counters()
    lab.demand_name(names[0])
    lab.demand_targets(f"{lab.part}/{names[0]}", *lab.targets(names[0], precision))
    work = counted_work(lab, names[0], n)
    lab.unlock()
    events = (
        flop_events(precision) if is_intel() else {}
    )  # perf fails completely on an unknown event
    counts, done = ask(
        [lab.build / lab.program(names[0]), "-n", n, "-i", ITERATIONS, "--precision", precision],
        [*events, MISSES],
    )
    if done.returncode != 0:
        stop(
            f"{lab.part}/{names[0]} stopped: {(done.stderr.strip().splitlines() or ['no message'])[-1]}"
        )
    print(f"{lab.part}/{names[0]} in {precision}: {n} bodies, {ITERATIONS} iterations")
    print("\n".join(table(work, counts, precision, n)))
    return 0
