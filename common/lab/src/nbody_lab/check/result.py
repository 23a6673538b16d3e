"""The result of a check: its file (docs/fields.md), and how it follows from what bin/check answers."""

import math
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
    error: float | None = Field(default=None, description="null: not finite")
    limit: float | None = None
    verdict: Literal["passed", "failed"]
    answer: Literal["given", "not finite", "late", "missing"] = Field(
        default="given", description="late: not in time"
    )
    detail: str = ""
    mistake: str = Field(default="", description="its name in [the list](mistakes.md)")
    diagnosis: str = Field(default="", description="the same in a sentence")

    @property
    def title(self) -> str:
        return f"{self.group}, {self.scene}, N = {self.n}, seed {self.seed}"

    @property
    def share_of_limit(self) -> float:
        if self.error == 0:
            return 0
        return self.error / self.limit if self.error and self.limit else math.inf


class CheckedProgram(_Written):
    """A program, and what was found."""

    part: str = ""
    name: str = ""
    verdict: str = Field(description="passed, FAILED, ... or skipped and why")
    as_expected: bool = Field(description="right, or wrong as an exhibit should be")
    sentence: str = Field(default="", description="what is wrong, from the case that says most")
    worst_share_of_limit: float | None = Field(default=None, description="above 1 fails")
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
    force_limit: float = Field(default=0, description="of the sum of the magnitudes of all a_ij")
    precision: str
    seed: int = 0
    seeds: int = Field(default=1, description="this one and those that follow it")
    implementations: tuple[CheckedProgram, ...]


# --- from what bin/check answers ---


NO_DOUBLE = "double: --no-double"
_NOT_COMPILED = Case(
    group="in double",
    scene="build",
    verdict="failed",
    answer="missing",
    detail="the program for double does not compile; see above",
    mistake="not_compiled",
    diagnosis="right in float, but it does not compile for double: see above",
)


def _verdict(passed: bool, mistake: str, expect: str) -> tuple[str, bool]:
    """In words, and whether it is as expected: an exhibit fails, with its own mistake."""
    if not expect:
        return ("passed" if passed else "FAILED"), passed
    if passed:
        return "PASSED, but should fail", False
    if mistake in expect.split("|"):
        return "fails as expected", True
    return "FAILED, unexpected diagnosis", False


class Answers:
    """What bin/check said of a plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._known: dict[int, dict[str, Any]] = {}  # its last line about each program, by place
        self.not_compiled: set[int] = set()  # for double: the places of the programs

    def hear(self, line: dict[str, Any]) -> None:
        """One of its lines."""
        if "cases" in line:
            self._known[line["program"]] = line

    def _checked(self, subject: Subject, place: int) -> CheckedProgram:
        line, asked, row = self._known[place], self._plan.asked, subject.row
        on_cpu = subject.program.parent.name == f"{row.part}_on_cpu"
        typed = f"{row.part} {row.name}{' --on-cpu' * on_cpu}"
        # Diagnoses do not know which program they are about: "./lab check PART NAME --sanitize ...".
        cases = [
            Case.model_validate({**case, "diagnosis": said.replace("PART NAME", typed)})
            for case in line["cases"]
            for said in [case.get("diagnosis", "")]
        ]
        telling, left_out = line["most_informative_case"], line["left_out"]
        if place in self.not_compiled and all(case.verdict == "passed" for case in cases):
            telling = len(cases)
            cases.append(_NOT_COMPILED.model_copy(update={"seed": self._plan.seed}))
        if on_cpu:
            left_out = [*left_out, "races between thread blocks: --sanitize looks for them"]
        if asked.no_double and asked.precision == "float":
            left_out = [*left_out, NO_DOUBLE]
        most = None if telling is None else cases[telling]
        passed = bool(cases) and all(case.verdict == "passed" for case in cases)
        expect = subject.row.expect or line["expect"]
        verdict, as_expected = _verdict(passed, most.mistake if most else "", expect)
        worst = max((case.share_of_limit for case in cases), default=0.0)
        return CheckedProgram(
            part=subject.row.part,
            name=subject.name,
            verdict=verdict,
            as_expected=as_expected,
            sentence=(most.diagnosis or most.detail or most.title) if most else "",
            worst_share_of_limit=worst if math.isfinite(worst) else None,
            most_informative_case=telling,
            left_out=tuple(left_out),
            cases=tuple(cases),
        )

    def result(self) -> CheckResult | None:
        """None: it did not come to its end."""
        plan, places = self._plan, count()
        if len(self._known) < len(plan.checked):
            return None
        found = [
            self._checked(one, next(places))
            if not one.why_not
            else CheckedProgram(
                part=one.row.part,
                name=one.name,
                verdict=f"skipped: {one.why_not}",
                as_expected=True,
                worst_share_of_limit=0,
            )
            for one in plan.subjects
        ]
        first = next(iter(self._known.values()), {})
        return CheckResult(
            tolerance=first.get("tolerance", plan.asked.tolerance),
            force_limit=first.get("force_limit", 0),
            precision=plan.asked.precision,
            seed=plan.seed,
            seeds=plan.seeds,
            implementations=tuple(found),
        )
