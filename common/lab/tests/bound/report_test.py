"""The text of ./lab bound."""

from typing import Any

import pytest

from nbody_lab.bound.report import format_bound, format_bounds, format_full
from nbody_lab.bound.speed import Speed, with_speed
from nbody_lab.bound.work import Work
from nbody_lab.core.bound_file import Beside, Bound
from tests.bound.bounds_for_tests import make_bound, make_kernel_bound, make_loop

MEASURED = Speed(4e9, 3.2e9)
UNKNOWN = (
    "if an interaction takes one root (it cannot be counted: set it with --interactions K),"
    " and more words"
)


def make_with(speed: Speed = MEASURED, update: dict[str, Any] | None = None, **more: Any) -> Bound:
    return with_speed(make_bound(**more).model_copy(update=update or {}), speed)


def with_beside() -> Bound:
    beside = [(4.0, 2.0, "front end"), (2.0, 1.5, "5"), (None, None, None)]
    rows = [Beside(instructions=12, times=t, cycles=c, limit=lim) for t, c, lim in beside]
    taken = {"front end": 8.0, "0": 6.0}
    return make_with(update={"beside": tuple(rows), "taken_by": taken})


BOUNDS = {
    "measured": make_with(),
    "without a clock": make_with(Speed()),
    "above its bound": make_with(Speed(4e9, 7.4e9)),
    "a busy machine": make_with(Speed(4e9, 3.2e9, busy_machine=True)),
    "of a GPU": with_speed(
        make_kernel_bound(), Speed(4e9, None, "the bench says: WRONG", 16896, "a GPU")
    ),
    "counted by llvm-mca": make_with(tool="llvm-mca 14.0.6", chain_cycles=None),
    "a core that OSACA does not know": make_with(tool="llvm-mca 14.0.6", core="Vendor Core"),
    "another core's ports": make_with(instead_of="Zen 5"),
    "one of each": make_with(why=UNKNOWN, interactions=1, borrowed={"minss": "HSW"}),
    "unknown": make_with(unknown=["lock cmpxchg %r8d,(%rdi)", "lock cmpxchg %r8d,(%rdi)"]),
    "calls": make_with(loop=make_loop("call 900 <powf@plt>", calls=["powf"]), work=Work()),
    "hidden": make_with(hidden=True),
    "loops beside it": with_beside(),
    "the chain limits": make_with(chain_cycles=19.0, chain=["a", "b", "c", "d", "e"]),
    "several are full": make_with(chain_cycles=9.0),
}


@pytest.mark.parametrize("case", BOUNDS)
def test_one_fits_the_screen(case: str) -> None:
    text = format_bound(BOUNDS[case])
    assert max(map(len, text.splitlines())) <= 100


def test_hidden() -> None:
    """Neither the file nor the text has what the worksheet asks for."""
    bound = BOUNDS["hidden"]
    assert "multiply" not in format_bound(bound) and "one root" not in format_bound(bound)
    assert (bound.loop.by_kind, bound.loop.operations, bound.loop.text) == ({}, {}, ())
    assert bound.counted == {}


def test_a_table_fits_the_screen() -> None:
    text = format_bounds(list(BOUNDS.values()))
    assert max(map(len, text.splitlines())) <= 100


def test_main_limit() -> None:
    """With its share of the time, if loops beside the hot one have another."""
    assert format_full(with_beside()) == "front end 57 %"
    assert format_full(BOUNDS["measured"]) == "0"
