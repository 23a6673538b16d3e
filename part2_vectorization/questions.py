"""What worksheet.hpp beside this file asks, and how answers are judged."""

import math

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
)

# Tolerances, relative.
EXACT_COUNT = 0.005  # one operation of 40 is 2.5 %; N instead of N - 1 is 0.1 %
EXACTLY = 1e-06  # a whole number
BY_HAND = 0.02  # three digits, rounded
HERE = 0.05  # clocks drift by that

BODIES_WITH_A_TAIL = 1019
FLOPS_OF_LITERATURE = 20


def machine(draw: Draw) -> dict[str, float]:
    """draw(31) is a number from 0 to 30, made from the authors' names."""
    lanes = 4 * (1, 2, 4)[draw(3)]
    ports = 1 + draw(4)
    estimate_slots = 1 + draw(4)
    root_and_division = 7 + draw(17)
    return {
        "lanes": lanes,
        "ports": ports,
        "estimate_slots": estimate_slots,
        "root_and_division": root_and_division,
    }


def tail(w: Worksheet) -> float:
    return BODIES_WITH_A_TAIL % w.paper.lanes


# fmt: off
QUESTIONS = Questions(
    part="part2",
    machine=HypotheticalMachine(
        machine,
        "{lanes} lanes of float, ports {ports}, an approximate 1/sqrt takes {estimate_slots} slots, "
        "root and division of a batch {root_and_division} cycles"
    ),
    names=("mine",),
    hidden_counts=HiddenCounts(until_right=("3",)),
    questions=(
        Text("0", "authors", "authors"),
        Choice("1", "why a structure of arrays", "why_structure_of_arrays", seal=0x3224127d),
        Choice("2", "omp simd reduction permits", "reduction_permits", seal=0x038f86cf),
        Choice("2", "-fno-math-errno permits", "no_math_errno_permits", seal=0x3337b13e),
        Choice("2", "-fno-trapping-math permits", "no_trapping_math_permits", seal=0x2f3d99bc),
        Choice("2", "a selection permits", "selection_permits", seal=0x108cc78b),
        Count("3", EXACT_COUNT, unit="operations", sum="flops of naive, all", classes=(
            Counted("flops of naive: add, subtract", "naive_add", lambda w: w.counted("add")),
            Counted("multiply", "naive_mul", lambda w: w.counted("mul")),
            Counted("divide", "naive_div", lambda w: w.counted("div")),
            Counted("sqrt", "naive_sqrt", lambda w: w.counted("sqrt")),
        )),
        Exact("4", "lanes of double, AVX2", "avx2_doubles", lambda w: 4, EXACTLY, unit="lanes_of_double"),
        Exact("4", "lanes of float, AVX-512", "avx512_floats", lambda w: 16, EXACTLY, unit="lanes_of_float"),
        Follows("4", "full batches of 1019 bodies", "full_batches",
            lambda w: math.floor(BODIES_WITH_A_TAIL / w.paper.lanes), EXACTLY, "question 0"),
        Follows("4", "bodies left over", "left_over", tail, EXACTLY, "question 0"),
        Follows("4", "extra bodies in the last batch", "fillers",
            lambda w: w.paper.lanes - tail(w), EXACTLY, "question 0"),
        Follows("5", "bound of root and division, per cycle", "bound_of_root_and_division",
            lambda w: w.paper.lanes / w.paper.root_and_division, BY_HAND, "question 0", unit="a_cycle"),
        Choice("6", "why reduce_add after the loop", "why_not_add_up_in_the_loop", seal=0x2c503ed0),
        Choice("7", "the approximation without a Newton step", "raw_estimate", seal=0x3bcd2c0e),
        Exact("7", "steps from 12 bits to float", "steps_from_12_to_float", lambda w: 1, EXACTLY),
        Exact("7", "steps from 14 bits to float", "steps_from_14_to_float", lambda w: 1, EXACTLY),
        Exact("7", "steps from 14 bits to double", "steps_from_14_to_double", lambda w: 2, EXACTLY),
        Exact("8", "instructions without the approximation", "instructions", lambda w: 14, EXACTLY),
        Follows("8", "bound on paper, per cycle", "bound",
            lambda w: w.paper.lanes * w.paper.ports / (w.instructions + w.paper.estimate_slots),
            BY_HAND, "question 0 and the instructions", unit="a_cycle"),
        Recorded("9", "bodies i at once", "bodies_i"),
        Recorded("9", "predicted gain", "bodies_i_predicted"),
        Recorded("9", "measured gain", "bodies_i_measured"),
        Recorded("9", "spread of the two, %", "bodies_i_spread"),
        Choice("9", "is it a difference", "bodies_i_differ",
            truth=lambda w: "a" if abs(100 * (w.bodies_i_measured - 1)) > w.bodies_i_spread else "b",
            waits_for="gain and spread"),
        Exact("10", "third law: instructions", "third_law_instructions", lambda w: 18, EXACTLY),
        Follows("10", "bound on paper, per cycle", "third_law_bound",
            lambda w: 2 * w.paper.lanes * w.paper.ports / (w.third_law_instructions + w.paper.estimate_slots),
            BY_HAND, "question 0 and the instructions", unit="a_cycle"),
        Choice("10", "why is it not twice as fast", "third_law_why", seal=0x1f1c4fc7),
        Recorded("11", "speed-up with 256 bodies", "speed_up_at_256"),
        Recorded("11", "speed-up with 10000 bodies", "speed_up_at_10000"),
        Recorded("11", "threads pay from n =", "threads_pay_from"),
        Recorded("12", "double, predicted", "double_predicted"),
        Recorded("12", "double, measured", "double_measured"),
        Choice("12", "why more than 2", "double_why", seal=0xafaf57aa),
        Count("13", EXACT_COUNT, unit="operations", classes=(
            Counted("flops of {mine}", "mine_flops", lambda w: w.counted("flops", of=w.text("mine"))),
        )),
        Count("13", EXACT_COUNT, unit="fma", classes=(
            Counted("fma of {mine}", "mine_fma", lambda w: w.counted("fma", of=w.text("mine"))),
        )),
        Recorded("13", "10^9 interactions/s", "interactions_here"),
        Recorded("13", "clock, GHz", "clock_here"),
        Recorded("13", "bound here, interactions per cycle", "bound_here"),
        Follows("13", "share of the bound, %", "reached_percent",
            lambda w: 100 * w.interactions_here / (w.clock_here * w.bound_here),
            HERE, "speed, clock and bound", unit="percent"),
        NotebookRows("14", wanted=6),
        Recorded("15", "peak of a core, Gflop/s", "peak_here",
            truth=lambda w: w.ceiling(where="cpu", kind="flops", precision="float", threads=1) / 1e9,
            tolerance=HERE, unit="gflops_of_fma"),
        Follows("15", "share of it at 20 flops, %", "peak_percent",
            lambda w: 100 * FLOPS_OF_LITERATURE * w.interactions_here / w.peak_here,
            HERE, "speed and peak", unit="percent"),
        Recorded("16", "cycles per interaction, before", "cycles_before"),
        Recorded("16", "with one instruction fewer, predicted", "cycles_predicted"),
        Recorded("16", "measured", "cycles_after"),
        Follows("16", "the gain", "measured_gain",
            lambda w: w.cycles_before / w.cycles_after, BY_HAND, "cycles before and after", unit="ratio"),
        Choice("16", "why fewer jumps gain nothing", "jump_for_free", seal=0xd136b030),
        Exact("17", "additions of 1 that change a sum", "terms_of_one_sum", lambda w: 2 ** 24, EXACTLY),
        Follows("17", "with a sum in each lane", "terms_of_all_lanes",
            lambda w: w.paper.lanes * w.terms_of_one_sum, EXACTLY, "question 0 and one sum"),
        Choice("17", "what a long sum loses", "lost_in_a_sum", seal=0x6e1dec86),
    ),
)
# fmt: on
