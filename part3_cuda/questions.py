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
GAIN_BY_HAND = 0.005  # gains are close to 1
HERE = 0.05  # clocks drift by that

BYTES_OF_BODY = 10 * 4
BYTES_OF_NEED = 7 * 4
TILE = 256
SLOTS = 13.3
SLOTS_OF_PAIR = 17.8
FLOPS_OF_LITERATURE = 20
TILED_INTENSITY = FLOPS_OF_LITERATURE / (4 * 4)


def machine(draw: Draw) -> dict[str, float]:
    """draw(31) is a number from 0 to 30, made from the authors' names."""
    multiprocessors = 40 + draw(101)
    float_units = (64, 128)[draw(2)]
    clock = 1.2 + 0.05 * draw(16)
    bandwidth = 300 + 50 * draw(25)
    copy_start_us = 5 + draw(11)
    bus = 8 + draw(17)
    launch_us = 2 + 0.5 * draw(9)
    kernels_few_us = 200 + 10 * draw(31)
    kernels_many_ms = 15 + draw(26)
    peak = 2 * clock * float_units * multiprocessors / 1e3
    return {
        "multiprocessors": multiprocessors,
        "float_units": float_units,
        "clock": clock,
        "bandwidth": bandwidth,
        "copy_start_us": copy_start_us,
        "bus": bus,
        "launch_us": launch_us,
        "kernels_few_us": kernels_few_us,
        "kernels_many_ms": kernels_many_ms,
        "peak": peak,
    }


def flops_of_naive(w: Worksheet) -> float:
    return w.naive_add + w.naive_mul + w.naive_div + w.naive_sqrt


def bytes_a_body(w: Worksheet) -> float:
    return (w.fixed_step_to_gpu + w.fixed_step_from_gpu) / w.n


def seconds_of_copies_few(w: Worksheet) -> float:
    return w.copies * w.paper.copy_start_us / 1e6 + bytes_a_body(w) * 1000 / (w.paper.bus * 1e9)


def seconds_of_copies_many(w: Worksheet) -> float:
    return w.copies * w.paper.copy_start_us / 1e6 + bytes_a_body(w) * 100000 / (w.paper.bus * 1e9)


# fmt: off
QUESTIONS = Questions(
    part="part3",
    machine=HypotheticalMachine(
        machine,
        "a GPU of {multiprocessors} multiprocessors with {float_units} float units each, {clock:.2f} "
        "GHz, memory {bandwidth:.0f} GB/s;\n  "
        "a copy takes {copy_start_us:.0f} us and {bus:.0f} GB/s, an empty kernel {launch_us:.1f} us; "
        "the kernels of an\n  "
        "iteration of naive take {kernels_few_us:.0f} us with 1000 bodies, {kernels_many_ms:.0f} ms "
        "with 100 000"
    ),
    names=("mine",),
    hidden_counts=HiddenCounts(until_right=("6", "8"), functions=("compute_accelerations", "largest_time_step")),
    questions=(
        Text("0", "authors", "authors"),
        Follows("1", "peak of the hypothetical GPU, Tflop/s", "peak",
            lambda w: w.paper.peak, BY_HAND, "question 0", unit="tflops"),
        Exact("2", "blocks of 128 for 1000 bodies", "blocks_of_128",
            lambda w: math.ceil(1000 / 128), EXACTLY),
        Exact("2", "idle threads of the last one", "idle_threads",
            lambda w: math.ceil(1000 / 128) * 128 - 1000, EXACTLY),
        Follows("2", "smallest n, blocks of 64", "smallest_n_of_64",
            lambda w: (w.paper.multiprocessors - 1) * 64 + 1, EXACTLY, "question 0"),
        Follows("2", "smallest n, blocks of 1024", "smallest_n_of_1024",
            lambda w: (w.paper.multiprocessors - 1) * 1024 + 1, EXACTLY, "question 0"),
        Exact("2", "blocks at once with 80 registers", "resident_blocks",
            lambda w: min(math.floor(65536 / (80 * 256)), math.floor(2048 / 256)), EXACTLY),
        Follows("2", "occupancy with them, %", "occupancy_percent",
            lambda w: 100 * w.resident_blocks * 256 / 2048, BY_HAND, "the blocks at once", unit="percent"),
        Choice("3", "an error in a kernel is reported by", "error_told_by", seal=0x42bf432c),
        Choice("3", "a clock stopped right after a launch", "clock_shows", seal=0x92c01b64),
        Count("4", EXACT_COUNT, unit="bytes", classes=(
            Counted("fixed step, bytes to the GPU", "fixed_step_to_gpu", lambda w: 2 * BYTES_OF_BODY * w.n),
            Counted("fixed step, bytes from the GPU", "fixed_step_from_gpu", lambda w: 2 * BYTES_OF_BODY * w.n),
        )),
        Count("4", EXACT_COUNT, unit="bytes", classes=(
            Counted("adaptive step, bytes to the GPU", "adaptive_step_to_gpu", lambda w: 3 * BYTES_OF_BODY * w.n),
            Counted("adaptive step, bytes from the GPU", "adaptive_step_from_gpu", lambda w: 2 * BYTES_OF_BODY * w.n + 4),
        )),
        Exact("4", "fixed step, copies", "copies", lambda w: 4, EXACTLY),
        Follows("5", "1000 bodies: share of copies, %", "few_copies_percent",
            lambda w: 100 * seconds_of_copies_few(w) / (seconds_of_copies_few(w) + w.paper.kernels_few_us / 1e6),
            BY_HAND, "questions 0 and 4", unit="percent"),
        Follows("5", "1000 bodies: gain without them", "few_gain",
            lambda w: 1 / (1 - w.few_copies_percent / 100), GAIN_BY_HAND, "the share", unit="ratio"),
        Follows("5", "100 000 bodies: share of copies, %", "many_copies_percent",
            lambda w: 100 * seconds_of_copies_many(w) / (seconds_of_copies_many(w) + w.paper.kernels_many_ms / 1e3),
            BY_HAND, "questions 0 and 4", unit="percent"),
        Follows("5", "100 000 bodies: gain without them", "many_gain",
            lambda w: 1 / (1 - w.many_copies_percent / 100), GAIN_BY_HAND, "the share", unit="ratio"),
        Count("6", EXACT_COUNT, unit="operations", sum="flops of naive, all", classes=(
            Counted("flops of naive: add, subtract", "naive_add", lambda w: w.counted("add")),
            Counted("multiply", "naive_mul", lambda w: w.counted("mul")),
            Counted("divide", "naive_div", lambda w: w.counted("div")),
            Counted("sqrt", "naive_sqrt", lambda w: w.counted("sqrt")),
        )),
        Choice("7", "fewer instructions, same time", "instructions_gone", seal=0xd58ff5e6),
        Count("8", EXACT_COUNT, unit="numbers", sum="forces: global, all", classes=(
            Counted("forces: global loads", "naive_global_loads", lambda w: w.counted("loads")),
            Counted("forces: global stores", "naive_global_stores", lambda w: w.counted("stores")),
        )),
        Count("8", EXACTLY, unit="numbers", sum="forces: shared, all", classes=(
            Counted("forces: shared loads", "naive_shared_loads", lambda w: w.counted("shared_loads")),
            Counted("forces: shared stores", "naive_shared_stores", lambda w: w.counted("shared_stores")),
        )),
        Count("8", EXACT_COUNT, unit="numbers", sum="time step: global, all", classes=(
            Counted("time step: global loads", "time_step_global_loads", lambda w: w.counted("loads", "largest_time_step")),
            Counted("time step: global stores", "time_step_global_stores", lambda w: w.counted("stores", "largest_time_step")),
        )),
        Count("8", EXACTLY, unit="numbers", sum="time step: shared, all", classes=(
            Counted("time step: shared loads", "time_step_shared_loads", lambda w: w.counted("shared_loads", "largest_time_step")),
            Counted("time step: shared stores", "time_step_shared_stores", lambda w: w.counted("shared_stores", "largest_time_step")),
        )),
        Choice("9", "nothing to coalesce", "why_no_coalescing", seal=0x5b91701d),
        Count("10", EXACT_COUNT, unit="numbers", classes=(
            Counted("tiles: global loads", "tile_global_loads", lambda w: 4 * w.n * w.n / TILE),
        )),
        Count("10", EXACT_COUNT, unit="numbers", classes=(
            Counted("tiles: shared stores", "tile_shared_stores", lambda w: 4 * w.n * w.n / TILE),
        )),
        Count("10", EXACT_COUNT, unit="numbers", classes=(
            Counted("tiles: shared loads", "tile_shared_loads", lambda w: 4 * w.n * w.n),
        )),
        Count("10", EXACT_COUNT, classes=(
            Counted("how often a body is loaded", "times_loaded", lambda w: w.n / TILE),
        )),
        Choice("11", "the first barrier", "first_barrier", seal=0x8ccc2917),
        Choice("11", "the second barrier", "second_barrier", seal=0x5a42c178),
        Choice("11", "return before the loop", "early_return", seal=0x65e929f4),
        Exact("12", "blocks, eight bodies per thread", "blocks_of_several",
            lambda w: 4096 / (8 * 256), EXACTLY),
        Follows("12", "multiprocessors with work, %", "busy_percent",
            lambda w: 100 * 2 / w.paper.multiprocessors, BY_HAND, "question 0", unit="percent"),
        Recorded("12", "several bodies pay from n =", "several_pay_from"),
        Follows("13", "threads per body", "threads_a_body",
            lambda w: math.ceil(2 * w.paper.multiprocessors / (4096 / 128)), EXACTLY, "question 0"),
        Follows("13", "steps per second by launches", "steps_by_launches",
            lambda w: 1e6 / (2 * w.paper.launch_us), BY_HAND, "question 0"),
        Recorded("13", "an empty kernel here, us", "empty_kernel_here"),
        Exact("14", "third law: most to gain", "third_law_gain",
            lambda w: 2 * SLOTS / SLOTS_OF_PAIR, BY_HAND, unit="ratio"),
        Follows("14", "bound, 10^9 interactions/s", "third_law_bound",
            lambda w: 1e3 * w.paper.peak / SLOTS_OF_PAIR, BY_HAND, "question 0"),
        Choice("14", "no atomic additions", "why_no_atomics", seal=0x09cfc944),
        Follows("15", "flop/byte, each number once", "intensity",
            lambda w: flops_of_naive(w) / (BYTES_OF_NEED * w.n), BY_HAND, "question 6", unit="flop_per_byte"),
        Follows("15", "flop/byte, as written", "intensity_as_written",
            lambda w: flops_of_naive(w) / (4 * (w.naive_global_loads + w.naive_global_stores)),
            BY_HAND, "questions 6 and 8", unit="flop_per_byte"),
        Follows("15", "ridge point of the hypothetical GPU", "ridge",
            lambda w: 1e3 * w.peak / w.paper.bandwidth, BY_HAND, "questions 0 and 1"),
        Exact("15", "tiles: flop/byte asked for", "tile_intensity",
            lambda w: TILED_INTENSITY, BY_HAND, unit="flop_per_byte"),
        Exact("15", "tiles: flop/byte delivered", "tile_intensity_delivered",
            lambda w: 32 * TILED_INTENSITY, BY_HAND, unit="flop_per_byte"),
        Choice("16", "what limits naive, 1000 bodies", "limit_of_few", seal=0xb3e5edf2),
        Choice("16", "what limits naive, 100 000", "limit_of_many", seal=0x7174b07a),
        Exact("17", "at most this share of the peak, %", "most_percent",
            lambda w: 100 * FLOPS_OF_LITERATURE / (2 * SLOTS), BY_HAND, unit="percent"),
        Exact("17", "the same with the third law, %", "most_percent_of_third_law",
            lambda w: 100 * FLOPS_OF_LITERATURE / SLOTS_OF_PAIR, BY_HAND, unit="percent"),
        Choice("17", "above the peak", "why_above_the_peak", seal=0x80eca24e),
        Count("18", EXACT_COUNT, unit="operations", classes=(
            Counted("flops of {mine}", "mine_flops", lambda w: w.counted("flops", of=w.text("mine"))),
        )),
        Count("18", EXACT_COUNT, unit="numbers", sum="global of {mine}, all", classes=(
            Counted("global loads of {mine}", "mine_global_loads", lambda w: w.counted("loads", of=w.text("mine"))),
            Counted("global stores of {mine}", "mine_global_stores", lambda w: w.counted("stores", of=w.text("mine"))),
        )),
        Count("18", EXACT_COUNT, unit="numbers", sum="shared of {mine}, all", classes=(
            Counted("shared loads of {mine}", "mine_shared_loads", lambda w: w.counted("shared_loads", of=w.text("mine"))),
            Counted("shared stores of {mine}", "mine_shared_stores", lambda w: w.counted("shared_stores", of=w.text("mine"))),
        )),
        Recorded("19", "1000 bodies, 10^9 interactions/s", "few_here"),
        Recorded("19", "100 000 bodies, 10^9 interactions/s", "many_here"),
        Recorded("19", "measured peak of this GPU, Tflop/s", "peak_here",
            truth=lambda w: w.ceiling(where="gpu 0", kind="flops", operation="fma", precision="float") / 1e12,
            tolerance=HERE, unit="tflops"),
        Follows("19", "share of it at 20 flops, %", "reached_percent",
            lambda w: 100 * FLOPS_OF_LITERATURE * w.many_here / (1e3 * w.peak_here),
            HERE, "speed and peak", unit="percent"),
        NotebookRows("20", wanted=6),
        Recorded("21", "best block size, predicted", "block_predicted"),
        Recorded("21", "best block size, measured", "block_measured"),
        Recorded("21", "gain over the second best, %", "block_gain_percent"),
        Recorded("21", "spread of the two, %", "block_spread"),
        Choice("21", "is it a difference", "blocks_differ",
            truth=lambda w: "a" if w.block_gain_percent > w.block_spread else "b", waits_for="gain and spread"),
        Recorded("22", "instructions per interaction, before", "instructions_before"),
        Recorded("22", "instructions per interaction, after", "instructions_after"),
        Follows("22", "the gain, at most", "slot_gain",
            lambda w: w.instructions_before / w.instructions_after, BY_HAND, "both of them", unit="ratio"),
        Choice("22", "one integer instruction fewer", "integer_instruction", seal=0x1cd9fe98),
    ),
)
# fmt: on
