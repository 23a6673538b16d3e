"""Does the rule name the right limit, do a point's figures agree with a computation by hand, and is it said what stands out?"""

from typing import Any

import pytest

from nbody_lab.core.console import render
from nbody_lab.core.errors import LabError
from nbody_lab.limits.roofline import (
    WAITING,
    Code,
    Place,
    Program,
    limits_of,
    make_point,
    plain_code,
)
from nbody_lab.limits.roofline_text import format_roofline
from nbody_lab.measure.results import Point, Roofline, Work
from tests.limits import roofline_for_tests as made

# 3 GHz; per cycle 2 loads, 2 additions, 1/4 root, 1/4 division, 1 estimate
CPU = made.ceilings_of_processor().ceilings
ONE, TWO, DOUBLE = Place(CPU, "float", 1), Place(CPU, "float", 2), Place(CPU, "double", 1)
GPU = Place(made.ceilings_like_h200().ceilings, "float", 0)
SCALAR, WIDE, NO_CODE = plain_code("scalar"), plain_code("avx512f"), plain_code("")
ROOTS, ADDS, ESTIMATES = "square root and division", "adding and multiplying", "approximate 1/sqrt"
L1, MUFU = "loads from L1", "special functions (MUFU)"
SHARED_LOADS, GLOBAL_LOADS = "loads from shared memory", "loads from global memory"
# Three of the divisions share an instruction of four lanes.
SHARED = {("div", "scalar"): 1, ("div", "sse2"): 4, ("sqrt", "scalar"): 1}
SHARING = Code("sse2", False, {**SHARED, ("arithmetic", "sse2"): 16})
LITTLE_OF_IT = Code("sse2", False, {("arithmetic", "sse2"): 2})
ON_GPU = made.work(add=9, mul=10, div=1, sqrt=1, loads=7)
WITHOUT_DIVISION = Place(tuple(row for row in CPU if row.operation != "div"), "float", 1)


@pytest.mark.parametrize(
    ("place", "work", "code", "limits"),
    [
        # 7 divisions and a root of 4 cycles each; 9 + 10 operations, two per cycle; 14 loads, two per cycle.
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
        (GPU, made.work(rsqrt=1, shared_loads=4), NO_CODE, {MUFU: 4e12, SHARED_LOADS: 7.5e12}),
        # What was not measured limits nothing, and does not make its unit faster.
        (WITHOUT_DIVISION, made.NAIVE, SCALAR, {ADDS: 3e9 / 9.5, L1: 3e9 / 7}),
    ],
)
def test_limits_by_hand(place: Place, work: Work, code: Code, limits: dict[str, float]) -> None:
    got = {limit.name: limit.interactions_per_s for limit in limits_of(place, work, code)}
    assert got == pytest.approx(limits)


def point(work: Work = made.FUSED, speed: float = 3e8, place: Place = ONE) -> Point:
    return make_point(1, place, Program("one", "rung", work, SCALAR, speed), 5000)


BY_HAND = {"intensity": 18 / 16, "flops_per_s": 5.4e9, "roof_flops_per_s": 6e9}
BY_HAND |= {"compulsory_bytes_per_interaction": 28 / 5000, "share_of_roof": 0.9}
LEFT_OF_THE_RIDGE = {"bound_by": "memory", "limiter": L1, "roof_flops_per_s": 1.5e9}


@pytest.mark.parametrize(
    ("one", "fields"),
    [
        (point(), {**BY_HAND, "bound_by": "computing", "limiter": ROOTS, "above_roof": False}),
        (point(made.work(add=1, loads=4), 1e9), LEFT_OF_THE_RIDGE),
        (point(made.work(fma=1), 1e9), {"intensity": None, "bound_by": "computing"}),
        # The lowest limit, unless the program gets less than 60 % out of it.
        (point(speed=0.61 * 3e9 / 8), {"limiter": ROOTS, "share_of_limit": 0.61}),
        (point(speed=0.59 * 3e9 / 8), {"limiter": WAITING}),
        # Above the roof by more than 5 %.
        (point(speed=6.4e9 / 18), {"above_roof": True}),
    ],
)
def test_figures_by_hand(one: Point, fields: dict[str, Any]) -> None:
    found = {field: getattr(one, field) for field in fields}
    assert found == {f: pytest.approx(v) if type(v) is float else v for f, v in fields.items()}


def test_without_a_peak_there_is_no_point() -> None:
    with pytest.raises(LabError, match=r"^no ceiling for neon in float was measured$"):
        make_point(1, ONE, Program("one", "rung", made.FUSED, plain_code("neon"), 3e8), 5000)


def odd(speed: float, **more: Any) -> Roofline:
    data = made.roofline([("odd", "rung", made.NAIVE, "scalar", speed)])
    points = tuple(one.model_copy(update=more) for one in data.points)
    return data.model_copy(update={"points": points})


VARIED = made.doubt(odd(1e8), lambda row: row.name == "scalar")


@pytest.mark.parametrize(
    ("data", "said", "not_said"),
    [
        (odd(5e8), ["4821 13.5 !225 % computing", "! odd lies 125 % over its roof"], ["faster"]),
        # Points are compared with it, so it must be visible.
        (VARIED, ["scalar 6.00 Gflop/s?", "?: it varied too much"], []),
        (odd(1e7), ["computing waiting "], ["busy machine"]),
        # A busy machine is blamed before the program.
        (odd(1e7, busy_machine=True), ["odd: the machine was busy, so it may be"], ["waiting"]),
    ],
)
def test_what_stands_out_is_said(data: Roofline, said: list[str], not_said: list[str]) -> None:
    texts = (one if isinstance(one, str) else render(one) for one in format_roofline(data))
    text = " ".join(" ".join(texts).split())
    assert [one for one in said if one not in text] == [], text
    assert [one for one in not_said if one in text] == [], text
