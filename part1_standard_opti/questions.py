"""What worksheet.hpp beside this file asks, and how answers are judged."""

from nbody_lab.tasks.questions import (
    Choice,
    Count,
    Counted,
    Draw,
    Exact,
    Follows,
    HiddenCounts,
    HypotheticalMachine,
    NotebookRows,
    Questions,
    Recorded,
    Text,
    Worksheet,
    round_half_away_from_zero,
)

# Tolerances, relative.
EXACT_COUNT = 0.005  # one operation of 40 is 2.5 %; N instead of N - 1 is 0.1 %
COUNT_IN_REGISTERS = 0.01  # loading row i once or twice, counting i = j or not: 0.1 % each
BY_HAND = 0.02  # three digits, rounded
HERE = 0.05  # ceilings repeat within that
PERCENT_POINTS = 0.01  # 75 and not 74
SPEED_UP_BY_HAND = 0.015  # 1.33 is 4 / 3
TIME_MEASURED = 0.25  # leaves room for start-up and noise; 20 and 8000 are far away

BYTES_OF_FLOAT = 4


def machine(draw: Draw) -> dict[str, float]:
    """draw(31) is a number from 0 to 30, made from the authors' names."""
    peak = 4 + 0.2 * draw(31)
    peak_with_fma = 2 * peak
    bend = (0.25, 0.8, 2.5)[draw(3)] * (1 + 0.01 * draw(21))
    bandwidth = round_half_away_from_zero(peak / bend * 10) / 10
    return {"peak": peak, "peak_with_fma": peak_with_fma, "bend": bend, "bandwidth": bandwidth}


def flops_of_naive(w: Worksheet) -> float:
    return w.naive_add + w.naive_mul + w.naive_div + w.naive_sqrt + w.naive_pow


def memops_in_registers(w: Worksheet) -> float:
    return w.naive_loads_in_registers + w.naive_stores_in_registers


def below_peak(w: Worksheet) -> float:
    return w.paper.peak * (1 - BY_HAND)


def bound_on_paper(w: Worksheet) -> str:
    """By memory (below the peak) as written and in registers, or by the peak."""
    in_registers = w.attainable_on_paper_in_registers < below_peak(w)
    if w.attainable_on_paper < below_peak(w):
        return "b" if in_registers else "c"
    return "d" if in_registers else "a"


def peak_here(w: Worksheet) -> float:
    scalar = {"instruction_set": "scalar", "precision": "float", "threads": 1}
    return w.ceiling(where="cpu", kind="flops", operation="mul_add", **scalar) / 1e9


def bandwidth_here(w: Worksheet) -> float:
    scalar = {"instruction_set": "scalar", "precision": "", "threads": 1}
    return w.ceiling(where="cpu", kind="bandwidth", operation="load", level="L1", **scalar) / 1e9


def drift_from_memory(w: Worksheet) -> float:
    """A structure of ten floats is read and written back whole, though the step needs nine floats and changes three."""
    copy = w.ceiling(where="cpu", kind="bandwidth", operation="copy", level="DRAM", threads=1)
    return copy / (2 * 10 * BYTES_OF_FLOAT) / 1e9


# fmt: off
QUESTIONS = Questions(
    part="part1",
    machine=HypotheticalMachine(
        machine,
        "peak {peak:.1f} Gflop/s, with fma {peak_with_fma:.1f} Gflop/s, bandwidth {bandwidth:.1f} "
        "GB/s"
    ),
    names=("mine", "before_third_law", "third_law"),
    hidden_counts=HiddenCounts(until_right=("3", "4")),
    questions=(
        Text("0", "authors", "authors"),
        Recorded("1", "profile: forces, %", "forces_percent", usually=78, within=15, unit="percent"),
        Recorded("1", "profile: nearest neighbours, %", "neighbours_percent",
            usually=22, within=15, unit="percent"),
        Follows("2", "speed-up if forces cost nothing", "speed_up_without_forces",
            lambda w: 1 / (1 - w.forces_percent / 100), BY_HAND, "question 1", unit="ratio"),
        Count("3", EXACT_COUNT, unit="operations", sum="flops of naive, all", classes=(
            Counted("flops of naive: add, subtract", "naive_add", lambda w: w.counted("add")),
            Counted("multiply", "naive_mul", lambda w: w.counted("mul")),
            Counted("divide", "naive_div", lambda w: w.counted("div")),
            Counted("sqrt", "naive_sqrt", lambda w: w.counted("sqrt")),
            Counted("pow", "naive_pow", lambda w: w.counted("pow")),
        )),
        Count("4", EXACT_COUNT, unit="numbers", sum="memops of naive, all", classes=(
            Counted("memops of naive: loads", "naive_loads", lambda w: w.counted("loads")),
            Counted("stores", "naive_stores", lambda w: w.counted("stores")),
        )),
        Count("5", COUNT_IN_REGISTERS, unit="numbers", sum="memops in registers, all", classes=(
            Counted("loads, body i and sums in registers", "naive_loads_in_registers", lambda w: 4 * w.n * w.n),
            Counted("stores, body i and sums in registers", "naive_stores_in_registers", lambda w: 3 * w.n),
        )),
        Follows("6", "flop/byte as written, float", "intensity",
            lambda w: flops_of_naive(w) / (BYTES_OF_FLOAT * (w.naive_loads + w.naive_stores)),
            BY_HAND, "questions 3 and 4", unit="flop_per_byte"),
        Follows("6", "flop/byte in registers, float", "intensity_in_registers",
            lambda w: flops_of_naive(w) / (BYTES_OF_FLOAT * memops_in_registers(w)),
            BY_HAND, "questions 3 and 5", unit="flop_per_byte"),
        Follows("7", "hypothetical machine, as written, Gflop/s", "attainable_on_paper",
            lambda w: min(w.paper.peak, w.intensity * w.paper.bandwidth),
            BY_HAND, "questions 0 and 6", unit="gflops"),
        Follows("7", "hypothetical machine, in registers, Gflop/s", "attainable_on_paper_in_registers",
            lambda w: min(w.paper.peak, w.intensity_in_registers * w.paper.bandwidth),
            BY_HAND, "questions 0 and 6", unit="gflops"),
        Choice("8", "hypothetical machine: bound by", "bound_on_paper",
            truth=bound_on_paper,
            waits_for="question 7"),
        Recorded("9", "this machine: peak, Gflop/s", "peak_here",
            truth=peak_here,
            tolerance=HERE, unit="gflops"),
        Recorded("9", "this machine: bandwidth, GB/s", "bandwidth_here",
            truth=bandwidth_here,
            tolerance=HERE),
        Follows("9", "this machine: attainable, Gflop/s", "attainable_here",
            lambda w: min(w.peak_here, w.intensity * w.bandwidth_here), HERE, "questions 6 and 9", unit="gflops"),
        Recorded("10", "naive, measured, Gflop/s", "naive_gflops_here"),
        Follows("10", "share of attainable, %", "reached_percent",
            lambda w: 100 * w.naive_gflops_here / w.attainable_here, HERE, "questions 9 and 10", unit="percent"),
        Choice("10", "what limits it", "limited_by", seal=0x72310661),
        Choice("11", "interactions/s with more bodies", "with_more_bodies", seal=0xcd9b48f3),
        Choice("11", "what explains it", "with_more_bodies_why", seal=0x86aee3b9),
        Exact("12", "time with 20000 bodies over 1000", "time_ratio",
            lambda w: 20 * 20, TIME_MEASURED, unit="ratio"),
        Count("13", EXACT_COUNT, unit="operations", classes=(
            Counted("flops of {mine}", "mine_flops", lambda w: w.counted("flops", of=w.text("mine"))),
        )),
        Count("13", EXACT_COUNT, unit="numbers", sum="memops of {mine}, all", classes=(
            Counted("loads of {mine}", "mine_loads", lambda w: w.counted("loads", of=w.text("mine"))),
            Counted("stores of {mine}", "mine_stores", lambda w: w.counted("stores", of=w.text("mine"))),
        )),
        NotebookRows("14", wanted=4),
        Follows("15", "third law: flops over those before", "third_law_flops_ratio",
            lambda w: w.counted("flops", of=w.text("third_law")) / w.counted("flops", of=w.text("before_third_law")),
            BY_HAND, "the counted flops of the two versions you named", unit="ratio"),
        Choice("16", "why is it not twice as fast", "third_law_why", seal=0x47e0a4a0),
        Exact("17", "share of pairs in the first block, %", "first_block_percent",
            lambda w: 75, PERCENT_POINTS, unit="percent"),
        Exact("17", "best speed-up of two blocks", "best_speed_up_of_blocks",
            lambda w: 4 / 3, SPEED_UP_BY_HAND, unit="ratio"),
        Recorded("18", "threads", "threads"),
        Recorded("18", "speed-up with them", "speed_up_with_threads"),
        Follows("18", "serial fraction", "serial_fraction",
            lambda w: (1 / w.speed_up_with_threads - 1 / w.threads) / (1 - 1 / w.threads),
            BY_HAND, "threads and speed-up", unit="share"),
        Recorded("19", "largest error of the race", "error_of_race"),
        Choice("19", "which of them pass the check", "which_pass", seal=0x83792d76),
        Recorded("20", "cycles per interaction, before", "cycles_before"),
        Recorded("20", "with one instruction fewer, predicted", "cycles_predicted"),
        Recorded("20", "measured", "cycles_after"),
        Follows("20", "the gain", "measured_gain",
            lambda w: w.cycles_before / w.cycles_after, BY_HAND, "cycles before and after", unit="ratio"),
        Choice("20", "removed from a port that is not full", "other_port", seal=0xf71c89be),
        Recorded("21", "drift from DRAM, 10^9 bodies/s", "drift_from_memory",
            truth=drift_from_memory,
            tolerance=HERE, unit="structures"),
    ),
)
# fmt: on
