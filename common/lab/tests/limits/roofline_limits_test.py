"""Does the rule find a loop's limit where it is known? Times loops built to hit one limit each
(common/machine/limit_kernels.cpp) and the ceilings; the rule must name the right limit."""

import pytest

from nbody_lab.limits.ceilings import Place
from nbody_lab.limits.roofline import WAITING, find_limiter, limits_of, plain_code
from nbody_lab.measure.ceilings import operation_costs, rows_of_set, run_benchmarks
from nbody_lab.measure.machine_facts import Level
from nbody_lab.measure.results import Ceiling, Limit
from tests import BUILD
from tests.limits import roofline_for_tests as made

TRIES = 10  # another program may take the core in between
LOWEST, HIGHEST = 0.5, 1.15  # plausible shares of the limit

pytestmark = pytest.mark.weekly  # it measures


def read_row(row):
    return Ceiling.model_validate({**row, "is_ceiling": True})


# By the source: operations of an element, and fma of an element that wait for one another.
KERNELS = {
    "square root and division": ({"sqrt": 1, "div": 1}, 0),
    "adding and multiplying": ({"fma": 1}, 0),
    "estimate of 1-sqrt": ({"rsqrt": 1}, 0),
    "loads from L1": ({"loads": 4, "add": 1}, 0),
    "latency": ({"fma": 1}, 1),
}


class Measured:
    """The best of all measurements so far: other programs only slow things down, and not for long."""

    def __init__(self):
        self.rows, self.kernels, self.seconds, self.chain = {}, {}, {}, float("inf")

    def look_again(self):
        for row in rows_of_set(BUILD, "scalar", [0], [Level("L1", 16 << 10)], 0.1):
            before = self.rows.get((row.name, row.precision), row)
            self.rows[row.name, row.precision] = max(row, before, key=lambda one: one.best)
        measured = run_benchmarks(BUILD / "tests/limit_kernels", OMP_NUM_THREADS="1")
        for name, rates in measured.items():
            work, chain = KERNELS[name]
            seconds = min(1 / rates["best"], self.seconds.get(name, float("inf")))
            self.seconds[name] = seconds
            self.kernels[name] = {
                "hits": name.replace("1-sqrt", "1/sqrt"),
                "work": work,
                "chain_of_fma": chain,
                "seconds_an_element": seconds,
            }
        self.chain = min(self.chain, fma_chain(run_benchmarks(BUILD / "bin/operation_costs")))

    def verdicts(self):
        return verdicts([*self.rows.values()], [*self.kernels.values()], self.chain)


def fma_chain(measured):
    """The latency of an fma in seconds."""
    cycles = next(
        cost.latency_cycles.median
        for cost in operation_costs(measured)
        if (cost.operation, cost.precision) == ("fma", "float")
    )
    return cycles / measured["clock"]["median"]


def verdicts(ceilings, kernels, chain_seconds):
    """{the limit a kernel was built to hit: (the rule's limiter, share of it, the limiter without knowledge of
    chains)}"""
    place, found = Place(tuple(ceilings), "float", 1), {}
    for kernel in kernels:
        speed = 1 / kernel["seconds_an_element"]
        limits = limits_of(place, made.work(**kernel["work"]), plain_code("scalar"))
        without_chain = find_limiter(speed, limits)[0]
        if kernel["chain_of_fma"]:
            chain = 1 / (kernel["chain_of_fma"] * chain_seconds)
            limits.append(Limit(name="latency", interactions_per_s=chain))
        found[kernel["hits"]] = (*find_limiter(speed, limits), without_chain)
    return found


def problems(found):
    """Sentences about wrong verdicts; none if all are right."""
    wrong = [
        f"{wanted}: the rule says {name} ({share:.2f} of it)"
        for wanted, (name, share, _) in found.items()
        if name != wanted or not LOWEST <= share <= HIGHEST
    ]
    if found["latency"][2] != WAITING:
        wrong.append(f"a chain that is not known must be called waiting, not {found['latency'][2]}")
    return wrong


def test_each_loop_hits_what_it_was_built_to_hit():
    measured = Measured()
    for _ in range(TRIES):
        measured.look_again()
        found = measured.verdicts()
        assert len(found) >= 4  # not every machine has an estimate of a single number
        wrong = problems(found)
        if not wrong:
            return
    pytest.fail("; ".join(wrong))
