"""Does the rule name the right limit, and does every figure of a point agree with a computation by hand?"""

import json
from pathlib import Path

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.limits.roofline import (
    WAITING,
    Code,
    Place,
    Program,
    find_limiter,
    limits_of,
    lowest_limit,
    make_point,
    plain_code,
)
from nbody_lab.measure.results import Ceiling, Limit, Point, Work
from tests.limits import roofline_for_tests as made

# 3 GHz; per cycle 2 loads, 2 additions, 1/4 root, 1/4 division, 1 estimate
CPU = made.ceilings_of_processor().ceilings
ONE, TWO, DOUBLE = Place(CPU, "float", 1), Place(CPU, "float", 2), Place(CPU, "double", 1)
GPU = Place(made.ceilings_like_h200().ceilings, "float", 0)
SCALAR, WIDE = plain_code("scalar"), plain_code("avx512f")
# Three of the divisions share an instruction of four lanes.
SHARED = {("div", "scalar"): 1, ("div", "sse2"): 4, ("sqrt", "scalar"): 1}
ROOTS, ADDS, ESTIMATES = "square root and division", "adding and multiplying", "estimate of 1/sqrt"
L1 = "loads from L1"
MUFU, SHARED_LOADS = "special functions (MUFU)", "loads from shared memory"
GLOBAL_LOADS = "loads from global memory"
SHARING = Code("sse2", False, {**SHARED, ("arithmetic", "sse2"): 16})
LITTLE_OF_IT, NO_CODE = Code("sse2", False, {("arithmetic", "sse2"): 2}), plain_code("")
ON_GPU = made.work(add=9, mul=10, div=1, sqrt=1, loads=7)
SHARED_ON_GPU = made.work(rsqrt=1, shared_loads=4)
WITHOUT_DIVISION = Place(tuple(row for row in CPU if row.operation != "div"), "float", 1)


@pytest.mark.parametrize(
    ("place", "work", "code", "limits"),
    [
        # 7 divisions and a root of 4 cycles each; 9 + 10 operations, two per cycle; 14 loads, two per cycle.
        (ONE, made.NAIVE, SCALAR, {ROOTS: 3e9 / 32, ADDS: 3e9 / 9.5, L1: 3e9 / 7}),
        (TWO, made.NAIVE, SCALAR, {ROOTS: 6e9 / 32, ADDS: 6e9 / 9.5, L1: 6e9 / 7}),
        # 9 of the 11 products can be fused with additions: 11 instructions, two per cycle, for 16 lanes.
        (ONE, made.NEWTON, WIDE, {ADDS: 48e9 / 5.5, ESTIMATES: 48e9, L1: 48e9 / 2}),
        # The bandwidth of L1 is in bytes, and half as many lanes hold twice as many of them.
        (DOUBLE, made.NEWTON, WIDE, {ADDS: 24e9 / 5.5, ESTIMATES: 24e9, L1: 24e9 / 2}),
        # A copy moves 10 bytes per cycle, half of them stored: 4 numbers take 3.2 cycles, loading them 2.
        (ONE, made.work(loads=4, stores=4), SCALAR, {L1: 3e9 / 3.2}),
        (ONE, made.NAIVE, SHARING, {ROOTS: 3e9 / 12, ADDS: 3e9 / 2, L1: 12e9 / 7}),
        # The hot loop does less than half of the arithmetic: others do the rest.
        (ONE, made.work(add=9, mul=7), LITTLE_OF_IT, {ADDS: 12e9 / 8}),
        (GPU, ON_GPU, NO_CODE, {ROOTS: 1e12, ADDS: 3e12, MUFU: 2e12, GLOBAL_LOADS: 1.2e14 / 28}),
        (GPU, SHARED_ON_GPU, NO_CODE, {MUFU: 4e12, SHARED_LOADS: 1.2e14 / 16}),
        # What was not measured limits nothing, and does not make its unit faster.
        (WITHOUT_DIVISION, made.NAIVE, SCALAR, {ADDS: 3e9 / 9.5, L1: 3e9 / 7}),
    ],
)
def test_limits_by_hand(place: Place, work: Work, code: Code, limits: dict[str, float]) -> None:
    got = {limit.name: limit.interactions_per_s for limit in limits_of(place, work, code)}
    assert got == pytest.approx(limits)


LIMITS = [Limit(name="a", interactions_per_s=2e8), Limit(name="b", interactions_per_s=1e8)]


@pytest.mark.parametrize(
    ("speed", "name"), [(0.9e8, "b"), (0.61e8, "b"), (0.59e8, WAITING), (1.1e8, "b")]
)
def test_the_rule(speed: float, name: str) -> None:
    """The lowest limit, unless the program gets less than 60 % out of it."""
    assert find_limiter(speed, LIMITS) == (name, pytest.approx(speed / 1e8))
    assert find_limiter(speed, []) == ("", 0.0)


def point(
    work: Work = made.FUSED,
    code: Code = SCALAR,
    speed: float = 3e8,
    place: Place = ONE,
) -> Point:
    return make_point(1, place, Program("one", "rung", work, code, speed), 5000)


BY_HAND = {
    "intensity": 18 / 16,
    "flops_per_s": 5.4e9,
    "roof_flops_per_s": 6e9,
    "share_of_roof": 0.9,
    "compulsory_bytes_per_interaction": 28 / 5000,
    "compulsory_intensity": 18 * 5000 / 28,
}


@pytest.mark.parametrize(
    ("one", "fields"),
    [
        (point(), {**BY_HAND, "bound_by": "computing", "limiter": ROOTS, "above_roof": False}),
        # Doubles move twice as much.
        (point(place=DOUBLE), {"intensity": 18 / 32, "compulsory_bytes_per_interaction": 0.0112}),
        # Left of the ridge memory decides.
        (
            point(made.work(add=1, loads=4), speed=1e9),
            {"bound_by": "memory", "limiter": L1, "roof_flops_per_s": 1.5e9},
        ),
        # A loop without memory is bound by computing.
        (point(made.work(fma=1), speed=1e9), {"intensity": None, "bound_by": "computing"}),
        # Above the roof by more than 5 %.
        (point(speed=6.2e9 / 18), {"above_roof": False}),
        (point(speed=6.4e9 / 18), {"above_roof": True}),
    ],
)
def test_figures_by_hand(one: Point, fields: dict[str, object]) -> None:
    found = {field: getattr(one, field) for field in fields}
    numbers = {field for field, value in fields.items() if type(value) is float}
    assert found == {f: pytest.approx(v) if f in numbers else v for f, v in fields.items()}


def test_the_lowest_limit_is_in_flops() -> None:
    assert lowest_limit(point()) == pytest.approx(3e9 / 8 * 18)


def test_without_a_peak_there_is_no_point() -> None:
    with pytest.raises(LabError, match=r"^no ceiling for neon in float was measured$"):
        point(code=plain_code("neon"))


def test_what_spreads_counts_only_if_there_is_nothing_else() -> None:
    """And then its roof is marked."""
    wild = tuple(
        row.model_copy(update={"best": 9e9, "is_ceiling": False})
        for row in CPU
        if row.name == "scalar" and row.precision == "float"
    )
    others = tuple(row for row in CPU if row.name not in ("scalar", "scalar FMA"))
    good, doubtful = (point(place=Place(rows + wild, "float", 1)) for rows in (CPU, others))
    assert (good.roof_flops_per_s, good.disturbed) == (6e9, False)
    assert (doubtful.roof_flops_per_s, doubtful.disturbed) == (9e9, True)


# Loops that were built to hit one limit each, as measured once beside their ceilings.
FILE = Path(__file__).resolve().parent / "limit_kernels_measured.json"
KERNELS: dict[str, dict[str, float]] = {  # operations of an element, by the source
    ROOTS: {"sqrt": 1, "div": 1},
    ADDS: {"fma": 1},
    ESTIMATES: {"rsqrt": 1},
    L1: {"loads": 4, "add": 1},
    "latency": {"fma": 1},  # each waits for the one before
}


def test_each_loop_hits_what_it_was_built_to_hit() -> None:
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    place = Place([Ceiling.model_validate(row) for row in kept["rows"]], "float", 1)
    seconds = {one["hits"]: one["seconds_an_element"] for one in kept["kernels"]}
    assert seconds.keys() == KERNELS.keys()
    for name, element_s in seconds.items():
        limits = limits_of(place, made.work(**KERNELS[name]), SCALAR)
        limiter, share = find_limiter(1 / element_s, limits)
        assert limiter == (WAITING if name == "latency" else name)
        assert name == "latency" or 0.5 <= share <= 1.15
