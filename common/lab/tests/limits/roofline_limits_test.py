"""Does the rule find a loop's limit where it is known? Times loops built to hit one limit each
(common/machine/limit_kernels.cpp) and the ceilings; the rule must name the right limit."""

from collections.abc import Iterable

import pytest

from nbody_lab.limits.roofline import WAITING, Place, find_limiter, limits_of, plain_code
from nbody_lab.measure.ceilings import operation_costs, rows_of_set, run_benchmarks
from nbody_lab.measure.machine_facts import Level
from nbody_lab.measure.results import Ceiling, Limit
from tests import BUILD
from tests.limits import roofline_for_tests as made

TRIES = 10  # another program may take the core in between
LOWEST, HIGHEST = 0.5, 1.15  # plausible shares of the limit
# By the source: operations of an element. In the last loop the fma wait for one another.
KERNELS: dict[str, dict[str, float]] = {
    "square root and division": {"sqrt": 1, "div": 1},
    "adding and multiplying": {"fma": 1},
    "estimate of 1-sqrt": {"rsqrt": 1},
    "loads from L1": {"loads": 4, "add": 1},
    "latency": {"fma": 1},
}


def problems(rows: Iterable[Ceiling], seconds: dict[str, float], chain_s: float) -> list[str]:
    """Sentences about wrong verdicts. `seconds`: of an element, by kernel; `chain_s`: of an fma that waits."""
    place, wrong = Place(tuple(rows), "float", 1), []
    for name, element_s in seconds.items():
        wanted = name.replace("1-sqrt", "1/sqrt")
        limits = limits_of(place, made.work(**KERNELS[name]), plain_code("scalar"))
        if wanted == "latency":
            if (called := find_limiter(1 / element_s, limits)[0]) != WAITING:
                wrong.append(f"a chain that is not known must be called waiting, not {called}")
            limits.append(Limit(name="latency", interactions_per_s=1 / chain_s))
        limiter, share = find_limiter(1 / element_s, limits)
        if limiter != wanted or not LOWEST <= share <= HIGHEST:
            wrong.append(f"{wanted}: the rule says {limiter} ({share:.2f} of it)")
    return wrong


@pytest.mark.weekly  # it measures
def test_each_loop_hits_what_it_was_built_to_hit() -> None:
    """By the best of all measurements so far: other programs only slow things down, and not for long."""
    rows: dict[tuple[str, str], Ceiling] = {}
    seconds, chain_s, wrong = dict[str, float](), float("inf"), ["not measured"]
    for _ in range(TRIES):
        for row in rows_of_set(BUILD, "scalar", [0], [Level("L1", 16 << 10)], 0.1):
            key = (row.name, row.precision)
            rows[key] = max(row, rows.get(key, row), key=lambda one: one.best)
        for name, rates in run_benchmarks(
            BUILD / "tests/limit_kernels", OMP_NUM_THREADS="1"
        ).items():
            seconds[name] = min(1 / rates["best"], seconds.get(name, float("inf")))
        measured = run_benchmarks(BUILD / "bin/operation_costs")
        for cost in operation_costs(measured):
            if (cost.operation, cost.precision) == ("fma", "float") and cost.latency_cycles:
                latency = cost.latency_cycles.median / measured["clock"]["median"]
                chain_s = min(chain_s, latency)
        assert len(seconds) >= 4  # not every machine has an estimate of a single number
        if not (wrong := problems(rows.values(), seconds, chain_s)):
            return
    pytest.fail("; ".join(wrong))
