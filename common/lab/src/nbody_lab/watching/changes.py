"""What is new since the last time, in words."""

from collections.abc import Iterable, Sequence

from nbody_lab.watching.results import (
    NO_VERDICT,
    CheckOutcome,
    SheetOutcome,
    same_wherever,
)

_MOST_LINES = 20  # of a message; the rest is in the log


def _message(text: str) -> list[str]:
    lines = text.splitlines()
    left_out = len(lines) - _MOST_LINES
    return [*lines[:_MOST_LINES], *([f"and {left_out} more lines"] if left_out > 0 else [])]


def _listed(label: str, words: Sequence[str]) -> list[str]:
    return [f"{label}: {', '.join(words)}"] if words else []


def _new_warnings(warnings: Iterable[str], before: Iterable[str]) -> list[str]:
    known = {same_wherever(warning) for warning in before}
    return [warning for warning in warnings if same_wherever(warning) not in known]


def changes_of_check(before: CheckOutcome | None, now: CheckOutcome) -> list[str]:
    """Lines; none if all is as before."""
    before = before or CheckOutcome("")
    if now.verdict == NO_VERDICT:
        return [] if now.message == before.message else _message(now.message)
    failed_before = dict(before.failing)
    failing = dict(now.failing)
    lines = _listed(
        "fails now",
        [f"{kind} ({count})" for kind, count in now.failing if kind not in failed_before],
    )
    if before.verdict != NO_VERDICT:
        lines += _listed("right again", [kind for kind in failed_before if kind not in failing])
    if now.diagnosis and (not before.diagnosis or now.mistake != before.mistake):
        lines.append(f"diagnosis: {now.diagnosis}")
    for warning in _new_warnings(now.warnings, before.warnings):
        lines += warning.splitlines()
    gone = len(_new_warnings(before.warnings, now.warnings))
    if gone:
        lines.append(f"{gone} warning{'s are' if gone > 1 else ' is'} gone")
    return lines


def headline_of_check(before: CheckOutcome | None, now: CheckOutcome) -> str:
    """passed; FAILED, as before; no verdict"""
    changed = before is None or before.verdict != now.verdict or changes_of_check(before, now)
    return now.verdict if changed else f"{now.verdict}, as before"


def headline_of_sheet(now: SheetOutcome) -> str:
    """8 right, 1 wrong, 20 open"""
    if not now.states:
        return "not judged"
    states = [state for _, state in now.states]
    right, wrong, still_open = (states.count(state) for state in ("right", "wrong", ""))
    others = len(states) - right - wrong - still_open
    counted = [f"{right} right", f"{wrong} wrong"]
    counted += [f"{others} recorded or waiting"] if others else []
    return ", ".join([*counted, f"{still_open} open"])


def changes_of_sheet(before: SheetOutcome | None, now: SheetOutcome) -> list[str]:
    """Lines: the questions whose state is another one. At first, those that are wrong."""
    if now.message:
        return [] if before and now.message == before.message else _message(now.message)
    known = dict(before.states) if before else {}
    lines = []
    for state, label in (("right", "right now"), ("wrong", "wrong"), ("", "open again")):
        new = [name for name, now_is in now.states if now_is == state != known.get(name, "")]
        if before or state == "wrong":
            lines += _listed(label, new)
    return lines
