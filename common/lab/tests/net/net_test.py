"""The record of what the lab does: what is masked, and that a change is seen in each group."""

import copy

import pytest

from tests.net import net

RECORD = {group: {"a case": {"status": "0", "out": "usage\nmore"}} for group in net.GROUPS}


@pytest.fixture(autouse=True)
def intended(monkeypatch):
    """Nothing was changed on purpose; a test may add rows."""
    monkeypatch.setitem(net.CASES, "intended", [])
    return net.CASES["intended"]


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("took 5.4 us, 541.9 ns per iteration", "took TIME, TIME per iteration"),
        ("speed 0.18 x 10^9", "speed NUMBER x 10^9"),
        (f"{net.ROOT}/docs", "ROOT/docs"),
        ("at 0a1b2c3, 0.1234567", "at REVISION, 0.1234567"),
        ("building part1 ... 3 s\ndone", "done"),
        ("built on 2026-11-25", "built on DATE"),
        ("32 bodies, 7 steps", "32 bodies, 7 steps"),
    ],
)
def test_what_varies_is_masked(text, masked):
    assert net.masked(text) == masked


@pytest.mark.parametrize("group", net.GROUPS)
def test_a_change_is_seen_in_each_group(group):
    after = copy.deepcopy(RECORD)
    after[group]["a case"]["out"] = "usage\nchanged"
    assert list(net.differences(RECORD, RECORD)) == []
    seen = [f"{group}: a case: out\n    -more\n    +changed"]
    assert list(net.differences(RECORD, after)) == seen
    gone = {**RECORD, group: {}}
    assert list(net.differences(RECORD, gone)) == [f"{group}: a case: gone"]
    assert list(net.differences(gone, RECORD)) == [f"{group}: a case: new"]
    only_here = {name: cases for name, cases in RECORD.items() if name != group}
    assert list(net.differences(only_here, after)) == []


@pytest.mark.parametrize(
    ("group", "case", "is_meant"),
    [("counts", "count part1", True), ("bare", "help count", True), ("bare", "demo", False)],
)
def test_what_is_intended_is_not_told(group, case, is_meant, intended):
    """The help of a command counts as the command."""
    intended.append(["*", "count*", "it became better"])
    assert net.is_intended(group, case) == is_meant
