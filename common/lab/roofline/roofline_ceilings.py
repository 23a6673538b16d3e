"""Rows of ceilings.json (docs/file_formats.md), asked for by what they are of. Pure functions, no files."""

# From narrow to wide.
SETS = ("scalar", "sse2", "avx2", "avx512f", "neon")
HAVE_FMA = ("avx2", "avx512f", "neon")


def in_bytes(precision):
    return 8 if precision == "double" else 4


def here(ceilings, where):
    """Those of one place: the processor, or a GPU."""
    return [row for row in ceilings if row["where"] == where]


def is_gpu(ceilings):
    return any(row["where"].startswith("gpu") for row in ceilings)


def matching(ceilings, **wanted):
    """Rows whose fields have these values; those that spread too much only where there is no other."""
    rows = [row for row in ceilings if all(row.get(field) == value for field, value in wanted.items())]
    return [row for row in rows if row["is_ceiling"]] or rows


def best(ceilings, **wanted):
    """The highest rate of the rows that match; 0 without any."""
    return max((row["best"] for row in matching(ceilings, **wanted)), default=0.0)


def peak(ceilings, instruction_set, precision, threads, fma):
    """flop/s. A program without fma has half of it to reach on most processors."""
    of_set = {"kind": "flops", "instruction_set": instruction_set, "precision": precision, "threads": threads}
    apart = best(ceilings, operation="mul_add", **of_set)
    fused = best(ceilings, operation="fma", **of_set)
    return max(apart, fused) if fma or not apart else apart


def instructions(ceilings, instruction_set, precision, threads):
    """Additions, multiplications or fma per second, each counted as one."""
    of_set = {"kind": "flops", "instruction_set": instruction_set, "precision": precision, "threads": threads}
    return max(best(ceilings, operation="mul_add", **of_set), best(ceilings, operation="fma", **of_set) / 2)


def unit(ceilings, operation, instruction_set, precision, threads):
    """Roots, quotients or estimates per second."""
    return best(ceilings, kind="unit", operation=operation, instruction_set=instruction_set, precision=precision, threads=threads)


def level_of_issued(ceilings):
    """Where what the core asks for ends: L1. A GPU's shared memory and L1 are the same memory."""
    return "shared" if is_gpu(ceilings) else "L1"


def bandwidth(ceilings, instruction_set, precision, threads, operation="load"):
    """byte/s of what the core asks for, with loads as wide as the program's own. A scalar load of a double brings twice as
    much, and has a row of its own."""
    wanted = {"kind": "bandwidth", "level": level_of_issued(ceilings), "operation": operation, "instruction_set": instruction_set,
              "threads": threads}
    return best(ceilings, precision=precision, **wanted) or best(ceilings, precision="", **wanted)


def thread_counts(ceilings):
    """The processor's thread counts: 1, and all."""
    return sorted({row["threads"] for row in ceilings if row["where"] == "cpu"})


def widest(ceilings):
    """The widest instruction set that was measured; '' on a GPU."""
    sets = {row["instruction_set"] for row in ceilings if row["kind"] == "flops"}
    return max(sets & set(SETS), key=SETS.index, default="")
