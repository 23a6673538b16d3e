"""What ./lab check prints of a result."""

from typing import Any

import pytest

from nbody_lab.check.result import Case, CheckedProgram, CheckResult
from nbody_lab.check.tables import check_text
from nbody_lab.core.console import render

PASSED = Case(
    group="forces", scene="equal masses", n=7, seed=1, error=1e-6, limit=1e-5, verdict="passed"
)
IN_DOUBLE = {"group": "in double", "scene": "5 steps"}


def case(**changes: Any) -> Case:
    return PASSED.model_copy(update=changes)


def failed(**changes: Any) -> Case:
    usual = {"error": 1e-2, "verdict": "failed", "detail": "body 3: expected 1, got 2"}
    return case(**{**usual, **changes})


def program(*cases: Case) -> CheckedProgram:
    wrong = [k for k, one in enumerate(cases) if one.verdict == "failed"]
    return CheckedProgram(
        part="part1",
        name="mine",
        verdict="FAILED" if wrong else "passed",
        as_expected=not wrong,
        most_informative_case=wrong[0] if wrong else None,
        left_out=("memory leaks",),
        cases=cases,
    )


def lines(*programs: CheckedProgram, verbose: bool = False) -> list[str]:
    """Of the text that is printed, each without the width of its columns."""
    result = CheckResult(
        tolerance="standard", force_limit=1e-5, precision="float", seed=5, implementations=programs
    )
    text = "\n".join(
        one if isinstance(one, str) else render(one, 96) for one in check_text(result, verbose)
    )
    assert max(map(len, text.splitlines())) <= 100
    return [" ".join(line.split()) for line in text.splitlines()]


STEPS = [failed(group="steps", scene=f"{k} steps", diagnosis="half a step") for k in range(9)]
RIGHT = [PASSED, case(n=17), case(**IN_DOUBLE, error=1e-15, limit=1e-13)]
SHOWN_OF_RIGHT = """tolerance standard (1e-05 of sum |a_ij|), float, --seed 5
part1/mine in float: passed
forces 2 1.0e-06 0.10 ok
part1/mine in double: passed
in double 1 1.0e-15 0.01 ok
part1/mine 3 0 0.10 passed
not checked: memory leaks"""
SHOWN_OF_STEPS = """2 steps 1 1.0e-02 1000.00 FAILED 1 of 1
6 more (-v)"""
EVERY_CASE = """forces equal masses 7 1 1.0e-06 1.0e-05 ok
steps 8 steps 7 1 1.0e-02 1.0e-05 FAILED body 3: expected 1, got 2"""
NOT_FINITE = failed(error=None, answer="not finite")


@pytest.mark.parametrize(
    ("cases", "verbose", "shown", "hidden"),
    [
        (RIGHT, False, SHOWN_OF_RIGHT, ["FAILED", "diagnosis", "equal masses"]),
        ([PASSED, *STEPS], False, SHOWN_OF_STEPS, ["3 steps", "equal masses"]),
        ([PASSED, *STEPS], True, EVERY_CASE, []),
        ([NOT_FINITE, PASSED], False, "forces 2 not finite not finite FAILED 1 of 2", []),
    ],
)
def test_one_program(cases: list[Case], verbose: bool, shown: str, hidden: list[str]) -> None:
    found = lines(program(*cases), verbose=verbose)
    assert [line for line in shown.splitlines() if line not in found] == [], "\n".join(found)
    assert [text for text in hidden if any(text in line for line in found)] == []
