"""What ./lab check prints of a result."""

from typing import Any

import pytest

from nbody_lab.check.result import Case, CheckedProgram, CheckResult
from nbody_lab.check.tables import check_text
from nbody_lab.core.console import render

RACE = "threads write to the same place without synchronisation: a data race"
PASSED = Case(
    group="forces", scene="equal masses", n=7, seed=1, error=1e-6, limit=1e-5, verdict="passed"
)


def case(**changes: Any) -> Case:
    return PASSED.model_copy(update=changes)


def failed(**changes: Any) -> Case:
    usual = {"error": 1e-2, "verdict": "failed", "detail": "body 3: expected 1, got 2"}
    return case(**{**usual, **changes})


IN_DOUBLE = {"group": "in double", "scene": "5 steps"}
NOT_RUN = case(group="steps", scene="5 steps", error=None, verdict="not run", answer="missing")
STEPS = [failed(group="steps", scene=f"{k} steps", diagnosis="half a step") for k in range(9)]


def program(*cases: Case, name: str = "mine", verdict: str = "FAILED") -> CheckedProgram:
    return CheckedProgram(
        part="part1",
        name=name,
        verdict=verdict,
        as_expected=verdict in ("passed", "fails as expected"),
        most_informative_case=next(
            (k for k, one in enumerate(cases) if one.verdict == "failed"), None
        ),
        left_out=("memory leaks",),
        cases=cases,
    )


def lines(*programs: CheckedProgram, verbose: bool = False, seeds: int = 1) -> list[str]:
    """Of the text that is printed, each without the width of its columns."""
    result = CheckResult(
        tolerance="standard",
        force_limit=1e-5,
        precision="float",
        seed=5,
        seeds=seeds,
        implementations=programs,
    )
    text = "\n".join(
        one if isinstance(one, str) else render(one, 96) for one in check_text(result, verbose)
    )
    assert max(map(len, text.splitlines())) <= 100
    return [" ".join(line.split()) for line in text.splitlines()]


@pytest.mark.parametrize(
    ("cases", "shown", "hidden"),
    [
        (  # right in both precisions
            [PASSED, case(n=17), case(**IN_DOUBLE, error=1e-15, limit=1e-13)],
            [
                "part1/mine in float: passed",
                "forces 2 1.0e-06 0.10 ok",
                "part1/mine in double: passed",
                "in double 1 1.0e-15 0.01 ok",
                "part1/mine 3 0 0.10 passed",
                "not checked: memory leaks",
            ],
            ["FAILED", "For example", "diagnosis", "equal masses"],
        ),
        (  # wrong in double alone
            [PASSED, failed(**IN_DOUBLE, diagnosis="float for real")],
            [
                "part1/mine in float: passed",
                "part1/mine in double: FAILED",
                "in double: 5 steps 1.0e-02 1.0e-05 FAILED 1 of 1",
                "1 of 2 cases fail. For example in double, 5 steps, N = 7, seed 1:",
                "diagnosis: float for real",
                "part1/mine: FAILED",
            ],
            [],
        ),
        (  # a few kinds of each group
            [PASSED, *STEPS, NOT_RUN],
            [
                "steps 10 1.0e-02 no answer FAILED 9 of 10, 1 not run",
                "steps: 2 steps 1.0e-02 1.0e-05 FAILED 1 of 1",
                "steps: 6 more (-v)",
                "9 of 11 cases fail, 1 were not run. For example steps, 0 steps, N = 7, seed 1:",
            ],
            ["steps: 3 steps", "forces: "],
        ),
        (  # if forces are wrong, the rest follows from them
            [failed(diagnosis=RACE), PASSED, *STEPS],
            [
                "forces: equal masses 1.0e-02 1.0e-05 FAILED 1 of 2",
                "body 3: expected 1, got 2",
                f"diagnosis: {RACE}",
            ],
            ["steps: ", "half a step"],
        ),
        (
            [failed(error=None, answer="not finite"), PASSED],
            ["forces 2 not finite not finite FAILED 1 of 2"],
            ["diagnosis"],
        ),
        (
            [failed(error=None, detail="late", answer="missing")],
            ["forces 1 - no answer FAILED 1 of 1", "late"],
            [],
        ),
        ([failed(error=None), PASSED], ["forces 2 > 10^99 > 10^6 FAILED 1 of 2"], []),
        ([], ["part1/mine 0 0 FAILED"], ["in float"]),
        (  # a remark on what passed: the worst
            [
                case(group="many bodies", scene="galaxy", detail="beyond 1e-5"),
                case(group="many bodies", scene="disk", error=5e-6, detail="far beyond 1e-5"),
            ],
            ["mine, disk: far beyond 1e-5"],
            ["galaxy"],
        ),
    ],
)
def test_one_program(cases: list[Case], shown: list[str], hidden: list[str]) -> None:
    is_wrong = not cases or any(one.verdict == "failed" for one in cases)
    found = lines(program(*cases, verdict="FAILED" if is_wrong else "passed"))
    assert found[0] == "tolerance standard (1e-05 of sum |a_ij|), float, --seed 5"
    assert [line for line in shown if line not in found] == [], "\n".join(found)
    assert [text for text in hidden if any(text in line for line in found)] == []


def test_every_kind_and_every_case_on_request() -> None:
    found = lines(program(PASSED, failed(diagnosis=RACE), *STEPS[:4], NOT_RUN), verbose=True)
    assert "steps: 3 steps 1.0e-02 1.0e-05 FAILED 1 of 1" in found
    assert "steps: 5 steps - - not run 1 of 1" in found
    assert "forces equal masses 7 1 1.0e-06 1.0e-05 ok" in found
    assert "steps 3 steps 7 1 1.0e-02 1.0e-05 FAILED body 3: expected 1, got 2" in found


def test_of_many_programs_only_what_fails() -> None:
    right = [program(PASSED, name=f"rung{k}", verdict="passed") for k in range(4)]
    wrong = program(failed(diagnosis=RACE), *STEPS, verdict="fails as expected")
    found = lines(*right, wrong, seeds=2)
    assert found[0].endswith("--seed 5 --seeds 2")
    assert "part1/rung3: passed" not in found and "part1/rung3 1 0 0.10 passed" in found
    assert f"diagnosis: {RACE}" in found and "part1/mine: fails as expected" in found
    summary = [line for line in found if line.startswith("part1/mine 10 10 1000.00 ")]
    assert summary and "threads write to the same place" in summary[0]
    assert not any("in float:" in line or line.startswith("not checked") for line in found)
    few = lines(*(program(failed(diagnosis=RACE), name=f"mine{k}") for k in range(4)))
    assert sum("threads write" in line for line in few) == 4  # each once
