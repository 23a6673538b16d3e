"""Loops that were built to hit one limit each, which the rule must name (roofline_model_test.py)."""

from collections.abc import Iterable

from nbody_lab.limits.ceilings import Place
from nbody_lab.limits.roofline import WAITING, find_limiter, limits_of, plain_code
from nbody_lab.measure.results import Ceiling, Limit
from tests.limits import roofline_for_tests as made

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
