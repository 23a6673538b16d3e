"""The names and functions of a worksheet's expressions, evaluated for one student."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from nbody_lab.measure.count_file import FORCES
from nbody_lab.worksheet.evidence import Evidence, functions_for
from nbody_lab.worksheet.expression import Expression, Functions, Missing, evaluate, is_missing
from nbody_lab.worksheet.program import SIZES, Numbers, is_answered
from nbody_lab.worksheet.questions import Questions


class Scope:
    """The names at one of the two sizes."""

    def __init__(self, part: Questions, evidence: Evidence, which: int = 0) -> None:
        self.part, self.evidence = part, evidence
        self.answers, self.n = evidence.answers[which], SIZES[which]
        self.functions: Functions = {
            "counted": self._counted,
            "ceiling": self._ceiling,
            **functions_for(evidence.notebook or (), evidence.versions),
        }
        self.asked_ceilings: list[Mapping[str, object]] = []

    def __getitem__(self, name: str) -> Any:
        part = self.part
        if name == "n":
            return self.n
        if name == "paper":
            return self._hypothetical_machine()
        if name in part.tolerances:
            return part.tolerances[name].value
        if name in part.text_names():
            return self.answers.text(name)
        formula = part.formulas.get(name)
        number = self.value(formula) if formula else self.answers.number(name)
        if not is_answered(number):
            raise Missing
        return number

    def _hypothetical_machine(self) -> SimpleNamespace:
        authors = self.answers.text("authors")
        if not authors:
            raise Missing
        return SimpleNamespace(**self.part.hypothetical_machine.constants_of(authors))

    def _counted(self, kind: str, function: str = FORCES, of: str = "naive") -> float:
        """counted('add'), counted('loads', 'largest_time_step'), counted('flops', of=mine)."""
        counts = self.evidence.counts
        found = counts.at(self.n, of, kind, function) if of and counts else None
        if found is None:
            raise Missing
        return found

    def _ceiling(self, **columns: object) -> float:
        """ceiling(kind='flops', precision='float'): the highest value in ceilings.json of the rows with these columns."""
        self.asked_ceilings.append(columns)
        found = self.evidence.ceilings.best(columns)
        if found is None:
            raise Missing
        return found

    def value(self, expression: Expression) -> Any:
        return evaluate(expression, self, self.functions)


def evaluate_at_both_sizes(
    part: Questions, evidence: Evidence, expression: Expression
) -> Numbers | None:
    """None if a value is missing."""
    first, second = (Scope(part, evidence, which).value(expression) for which in range(len(SIZES)))
    return None if is_missing(first) or is_missing(second) else (first, second)
