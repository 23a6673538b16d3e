"""Judges what was found in a case: the cause and the line."""

from enum import Enum

from nbody_lab.cases.catalogue import NumberedCase
from nbody_lab.core.messages import UserError


class Verdict(Enum):
    RIGHT = "right"
    ONLY_CAUSE = "the cause is right, the line is not"
    ONLY_LINE = "the line is right, the cause is not"
    NEITHER = "neither cause nor line"


def judge(case: NumberedCase, cause: int, line: int) -> Verdict:
    """Raises UserError for a cause or a line that there is not."""
    offered, last = len(case.facts.causes), case.source.count("\n")
    if not 1 <= cause <= offered:
        raise UserError(f"case {case.number} has causes 1 to {offered}, and no {cause}")
    if not 1 <= line <= last:
        raise UserError(f"case {case.number} has lines 1 to {last}, and no {line}")
    if cause == case.facts.cause:
        return Verdict.RIGHT if line in case.lines else Verdict.ONLY_CAUSE
    return Verdict.ONLY_LINE if line in case.lines else Verdict.NEITHER


def nudge(case: NumberedCase, verdict: Verdict, cause: int) -> str:
    """What helps after an answer that is not right."""
    if verdict is Verdict.ONLY_CAUSE:
        return f"That is the cause, but it lies in another line. {case.facts.where}"
    why_not = case.facts.causes[cause - 1].nudge or ""
    if verdict is Verdict.ONLY_LINE:
        return f"That is the line, but what is wrong with it? Not this: {why_not}"
    return f"Not yet. {why_not}"
