"""Which program of an implementation runs on this processor: of several instruction sets, the best one that it has."""

import cpuinfo

# As the launcher asks them (common/simulator/launcher.cpp), in words of /proc/cpuinfo; worst first.
FEATURES = {
    "sse2": "sse2",
    "avx2": "avx2 fma",
    "avx512": "avx512f avx512cd avx512dq avx512bw avx512vl fma",
    "neon": "asimd",
}


def features_of_processor(text=None):
    """The set of features that /proc/cpuinfo lists."""
    told = cpuinfo.fields(text)
    return set((told.get("flags") or told.get("Features", "")).split())


def best_program(programs, precision="float", instruction_set="", features=None):
    """The row of `programs` (a manifest row's) that is run for a precision, or that of the instruction set asked for;
    None where there is none."""
    features = features_of_processor() if features is None else features
    of_precision = [row for row in programs if row["precision"] == precision]
    if instruction_set:
        return next((row for row in of_precision if row["instruction_set"] == instruction_set), None)
    runs = [row for row in of_precision if set(FEATURES.get(row["instruction_set"], "").split()) <= features]
    return runs[-1] if runs else None
