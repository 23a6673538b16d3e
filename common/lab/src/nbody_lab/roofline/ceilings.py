"""Finds rows of ceilings.json (docs/file_formats.md) by their properties. Pure functions, no files."""

# From narrow to wide.
SETS = ("scalar", "sse2", "avx2", "avx512f", "neon")
HAVE_FMA = ("avx2", "avx512f", "neon")


def in_bytes(precision):
    return 8 if precision == "double" else 4


def here(ceilings, where):
    """The rows of the processor, or of one GPU."""
    return [row for row in ceilings if row["where"] == where]


def is_gpu(ceilings):
    return any(row["where"].startswith("gpu") for row in ceilings)


def matching(ceilings, **wanted):
    """The rows with these values. Those that vary too much count only if there are no others."""
    rows = [
        row for row in ceilings if all(row.get(field) == value for field, value in wanted.items())
    ]
    return [row for row in rows if row["is_ceiling"]] or rows


def best(ceilings, **wanted):
    """The highest rate of the matching rows; 0 if there are none."""
    return max((row["best"] for row in matching(ceilings, **wanted)), default=0.0)


def peak(ceilings, instruction_set, precision, threads, fma):
    """The peak in flop/s. Without fma it is half as high on most processors."""
    of_set = {
        "kind": "flops",
        "instruction_set": instruction_set,
        "precision": precision,
        "threads": threads,
    }
    apart = best(ceilings, operation="mul_add", **of_set)
    fused = best(ceilings, operation="fma", **of_set)
    return max(apart, fused) if fma or not apart else apart


def instructions(ceilings, instruction_set, precision, threads):
    """Additions, multiplications or fma per second; an fma counts once."""
    of_set = {
        "kind": "flops",
        "instruction_set": instruction_set,
        "precision": precision,
        "threads": threads,
    }
    return max(
        best(ceilings, operation="mul_add", **of_set), best(ceilings, operation="fma", **of_set) / 2
    )


def unit(ceilings, operation, instruction_set, precision, threads):
    """Square roots, divisions or estimates per second."""
    return best(
        ceilings,
        kind="unit",
        operation=operation,
        instruction_set=instruction_set,
        precision=precision,
        threads=threads,
    )


def level_of_issued(ceilings):
    """The memory level that serves the core's loads and stores: L1. On a GPU, shared memory and L1 are the same
    memory."""
    return "shared" if is_gpu(ceilings) else "L1"


def bandwidth(ceilings, instruction_set, precision, threads, operation="load"):
    """The bandwidth between core and L1 in byte/s, with loads as wide as the program's own. A scalar load of a double
    moves twice as much, so it has its own row."""
    wanted = {
        "kind": "bandwidth",
        "level": level_of_issued(ceilings),
        "operation": operation,
        "instruction_set": instruction_set,
        "threads": threads,
    }
    return best(ceilings, precision=precision, **wanted) or best(ceilings, precision="", **wanted)


def thread_counts(ceilings):
    """The thread counts measured on the processor: 1, and all."""
    return sorted({row["threads"] for row in ceilings if row["where"] == "cpu"})


def widest(ceilings):
    """The widest instruction set measured; '' on a GPU."""
    sets = {row["instruction_set"] for row in ceilings if row["kind"] == "flops"}
    return max(sets & set(SETS), key=SETS.index, default="")
