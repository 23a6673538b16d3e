"""The limits of a program: the interactions/s that each unit allows, from counted work and measured rates."""

from collections import namedtuple

from roofline_ceilings import HAVE_FMA, bandwidth, in_bytes, instructions, is_gpu, unit

# What the source cannot tell. fma: does the compiler fuse? units: {("div", "sse2"): results per interaction} in the
# machine code, with the operations of time_of_units() and "arithmetic"; None: as in the source. pow_seconds: spent in
# calls of pow per interaction; 0 without calls, since the compiler turns pow(x, 2) into a square. begin_seconds:
# needed per interaction to issue its instructions; 0: unknown.
Code = namedtuple("Code", "instruction_set fma units pow_seconds begin_seconds", defaults=(None, 0.0, 0.0))


def plain_code(instruction_set):
    """Defaults for a program whose machine code is not examined."""
    return Code(instruction_set, instruction_set in HAVE_FMA)


def seconds(amount, rate):
    """0 without work; None if the rate was not measured."""
    if not amount:
        return 0.0
    return amount / rate if rate else None


def added(times):
    return None if None in times else sum(times)


def fewest_instructions(work, fused):
    """The fewest instructions for additions and multiplications. At best, fusing saves the smaller of the two
    counts."""
    multiplied = work["mul"] + work["pow"]
    apart = max(work["add"], multiplied) if fused else work["add"] + multiplied
    return apart + work["fma"]


def time_of_units(ceilings, work, code, operations, precision, threads):
    """Square roots and divisions share a unit, so their times add up."""
    done = code.units
    if done is None:
        done = {(operation, code.instruction_set): work[operation] for operation in ("sqrt", "div", "rsqrt")}
    return added([seconds(amount, unit(ceilings, operation, width, precision, threads))
                  for (operation, width), amount in done.items() if operation in operations])


def arithmetic_of(work, code):
    """{instruction set: results per interaction}. If the hot loop does less than half of the source's arithmetic, other
    loops do the rest: then the source counts."""
    asked = fewest_instructions(work, code.fma)
    done = {width: amount for (operation, width), amount in (code.units or {}).items() if operation == "arithmetic"}
    return done if sum(done.values()) >= asked / 2 else {code.instruction_set: asked}


def time_of_arithmetic(ceilings, work, code, precision, threads):
    """The time of additions, multiplications and fma, each one instruction on the same ports."""
    return added([seconds(amount, instructions(ceilings, width, precision, threads)) for width, amount in arithmetic_of(work, code).items()])


def time_in_l1(ceilings, work, instruction_set, precision, threads):
    """The time of loads or of stores, whichever is longer: they have separate ports. Half of a copy's bytes are
    stores."""
    loaded = seconds(work["loads"] * in_bytes(precision), bandwidth(ceilings, instruction_set, precision, threads))
    stored = seconds(work["stores"] * in_bytes(precision), bandwidth(ceilings, instruction_set, precision, threads, "copy") / 2)
    return None if loaded is None else max(loaded, stored or 0.0)


def times_of_processor(ceilings, work, code, precision, threads):
    """{limit: seconds per interaction}; None: not measured."""
    return {
        "square root and division": time_of_units(ceilings, work, code, ("sqrt", "div"), precision, threads),
        "adding and multiplying": time_of_arithmetic(ceilings, work, code, precision, threads),
        "estimate of 1/sqrt": time_of_units(ceilings, work, code, ("rsqrt",), precision, threads),
        "loads from L1": time_in_l1(ceilings, work, code.instruction_set, precision, threads),
        "calls of pow": code.pow_seconds / threads,
        "issuing instructions": code.begin_seconds / threads}


def times_of_gpu(ceilings, work, precision):
    """{limit: seconds per interaction}; None: not measured. On a GPU, square root and division are routines of a dozen
    instructions, measured as a whole; each uses the special function unit at least once. Global memory is at best
    served by L1, the same memory as shared memory."""
    special = work["sqrt"] + work["div"] + work["rsqrt"]
    issued = bandwidth(ceilings, "", precision, 0)
    return {
        "square root and division": time_of_units(ceilings, work, plain_code(""), ("sqrt", "div"), precision, 0),
        "adding and multiplying": seconds(fewest_instructions(work, True), instructions(ceilings, "", precision, 0)),
        "special functions (MUFU)": seconds(special, unit(ceilings, "rsqrt", "", precision, 0)),
        "loads from shared memory": seconds((work["shared_loads"] + work["shared_stores"]) * in_bytes(precision), issued),
        "loads from global memory": seconds((work["loads"] + work["stores"]) * in_bytes(precision), issued)}


def limits_of(ceilings, work, code, precision, threads):
    """[{"name", "interactions_per_s"}], without limits that take no time or were not measured."""
    times = times_of_gpu(ceilings, work, precision) if is_gpu(ceilings) else \
        times_of_processor(ceilings, work, code, precision, threads)
    return [{"name": name, "interactions_per_s": 1 / time} for name, time in times.items() if time]
