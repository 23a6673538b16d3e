"""The result of a check: its file (docs/file_formats.md), and how it follows from what bin/check answers."""

import math
from collections.abc import Sequence
from itertools import count
from typing import Any, Literal

from pydantic import ConfigDict, Field

from nbody_lab.check.plan import Plan, Subject
from nbody_lab.core.model import LabModel


class _Written(LabModel):
    model_config = ConfigDict(extra="ignore")


class Case(_Written):
    """One question of the check and its answer."""

    group: str
    scene: str = ""
    n: int = 0
    seed: int = 0
    error: float | None = Field(default=None, description="None: not finite")
    limit: float | None = None
    verdict: Literal["passed", "failed", "not run"]
    answer: Literal["given", "not finite", "late", "missing"] = "given"
    detail: str = ""
    mistake: str = Field(default="", description="its name, if the check knows it")
    diagnosis: str = ""

    @property
    def share_of_limit(self) -> float:
        if self.error == 0:
            return 0
        return self.error / self.limit if self.error and self.limit else math.inf


class CheckedProgram(_Written):
    part: str = ""
    name: str = ""
    verdict: str
    as_expected: bool
    sentence: str = ""
    worst_share_of_limit: float | None = None
    most_informative_case: int | None = Field(default=None, description="its place in cases")
    left_out: tuple[str, ...] = Field(default=(), description="what was not checked")
    cases: tuple[Case, ...] = ()

    @property
    def title(self) -> str:
        return f"{self.part}/{self.name}"

    @property
    def most_informative(self) -> Case | None:
        """The failure that says most about what is wrong; None if all passed."""
        place = self.most_informative_case
        return None if place is None else self.cases[place]

    @property
    def failed(self) -> list[Case]:
        return [case for case in self.cases if case.verdict == "failed"]


class CheckResult(_Written):
    tolerance: str
    force_limit: float = Field(default=0, description="of sum |a_ij|")
    precision: str
    seed: int = 0
    seeds: int = Field(default=1, description="this one and those that follow it")
    programs: int = Field(default=0, description="how many")
    implementations: tuple[CheckedProgram, ...]


# --- from what bin/check answers ---


class Answer(_Written):
    """Its last line about a program."""

    program: int = Field(description="its place in the plan")
    tolerance: str
    force_limit: float
    expect: str = Field(description="of a row of the table of mistakes: its name; else empty")
    most_informative_case: int | None
    left_out: tuple[str, ...]
    cases: tuple[Case, ...]


# Why there is no program in double although there should be one.
NotInDouble = Literal["not built", "saved meanwhile"]

_NOT_COMPILED = Case(
    group="in double",
    scene="build",
    verdict="failed",
    answer="missing",
    detail="the program for double does not compile; see above",
    mistake="not_compiled",
    diagnosis="right in float, but it does not compile for double: see above",
)
_SAVED_MEANWHILE = "double: the source was saved during the check, so check again"


def _all_passed(cases: Sequence[Case]) -> bool:
    return bool(cases) and all(case.verdict == "passed" for case in cases)


def _sentence(telling: Case | None) -> str:
    """What is wrong; empty if nothing is."""
    if telling is None:
        return ""
    where = f"{telling.group}: {telling.scene} of {telling.n} bodies"
    return telling.diagnosis or telling.detail or where


def _verdict(cases: Sequence[Case], telling: Case | None, expect: str) -> tuple[str, bool]:
    """In words, and whether it is as expected: an exhibit fails, with its own mistake."""
    passed = _all_passed(cases)
    if not expect:
        return ("passed" if passed else "FAILED"), passed
    if passed:
        return "PASSED, but should fail", False
    if telling and telling.mistake == expect:
        return "fails as expected", True
    return "FAILED, unexpected diagnosis", False


def checked_program(
    subject: Subject, answer: Answer, not_in_double: NotInDouble | None = None
) -> CheckedProgram:
    # Diagnoses do not know which program they are about: "./lab check PART NAME --sanitize ...".
    cases = [
        case.model_copy(update={"diagnosis": case.diagnosis.replace("PART NAME", subject.as_typed)})
        for case in answer.cases
    ]
    place, left_out = answer.most_informative_case, list(answer.left_out)
    if not_in_double and _all_passed(cases):
        if not_in_double == "not built":
            place = len(cases)
            cases.append(_NOT_COMPILED.model_copy(update={"seed": cases[0].seed}))
        else:
            left_out.append(_SAVED_MEANWHILE)
    telling = None if place is None else cases[place]
    verdict, as_expected = _verdict(cases, telling, subject.row.expect or answer.expect)
    worst = max((case.share_of_limit for case in cases), default=0.0)
    return CheckedProgram(
        part=subject.row.part,
        name=subject.name,
        verdict=verdict,
        as_expected=as_expected,
        sentence=_sentence(telling),
        worst_share_of_limit=worst if math.isfinite(worst) else None,
        most_informative_case=place,
        left_out=tuple(left_out),
        cases=tuple(cases),
    )


def _skipped(subject: Subject) -> CheckedProgram:
    return CheckedProgram(
        part=subject.row.part,
        name=subject.name,
        verdict=f"skipped: {subject.why_not}",
        as_expected=True,
        worst_share_of_limit=0,
    )


class Answers:
    """What bin/check said of a plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._known: dict[int, Answer] = {}
        self.not_in_double: dict[int, NotInDouble] = {}  # by the place of the program

    def hear(self, line: dict[str, Any]) -> None:
        """One of its lines."""
        if "cases" in line:
            answer = Answer.model_validate(line)
            self._known[answer.program] = answer

    def result(self) -> CheckResult | None:
        """None: it did not come to its end."""
        plan, asked, places = self._plan, self._plan.asked, count()
        if len(self._known) < len(plan.programs):
            return None
        found = []
        for subject in plan.subjects:
            if subject.why_not:
                found.append(_skipped(subject))
            else:
                place = next(places)
                answer, why = self._known[place], self.not_in_double.get(place)
                found.append(checked_program(subject, answer, why))
        first = next(iter(self._known.values()), None)
        return CheckResult(
            tolerance=first.tolerance if first else asked.tolerance,
            force_limit=first.force_limit if first else 0,
            precision=asked.precision,
            seed=plan.seed,
            seeds=plan.seeds,
            programs=len(found),
            implementations=tuple(found),
        )
