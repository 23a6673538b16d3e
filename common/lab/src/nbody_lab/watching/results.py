"""What a check and a worksheet came to, from the JSON files that they write."""

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from nbody_lab.core.messages import UserError
from nbody_lab.core.model import load
from nbody_lab.explain.compiler_warnings import load_warnings
from nbody_lab.notebook.results import Case, CheckResult
from nbody_lab.worksheet.sheet import Sheet

PASSED, NO_VERDICT = "passed", "no verdict"
# Lines of progress in what ./lab prints; their times differ from run to run.
_PROGRESS = re.compile(r" \.\.\. (failed|\d+ s( so far)?|\d+/\d+.*)$")
_PLACE = re.compile(r":\d+(:\d+)?:")


@dataclass(frozen=True)
class CheckOutcome:
    """What a check of the student's file came to."""

    verdict: str
    failing: tuple[tuple[str, str], ...] = ()  # (kind of case, "3 of 209")
    diagnosis: str = ""
    # What the diagnosis is about, but for numbers, which differ from seed to seed.
    mistake: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    message: str = ""  # why there is no verdict


@dataclass(frozen=True)
class SheetOutcome:
    """What the answers came to."""

    states: tuple[tuple[str, str], ...] = ()  # ("3 (divide)", right, wrong, ...; "" if open)
    message: str = ""  # why it was not judged


def without_progress(printed: str) -> str:
    """What was printed, less the lines that tell how far it is."""
    lines = (line.rstrip() for line in printed.splitlines())
    return "\n".join(line for line in lines if line and not _PROGRESS.search(line))


def same_wherever(warning: str) -> str:
    """A warning without its line number, which changes when code above it grows."""
    return _PLACE.sub(":", warning, count=1)


def _warnings(file: Path, source: str) -> tuple[str, ...]:
    """One text for each warning: its line, the code, a word of help."""
    kept = load_warnings(file).get(source)
    found: list[str] = []
    for line in kept.lines if kept else ():
        if found and line.startswith(" "):
            found[-1] += f"\n{line}"
        else:
            found.append(line)
    return tuple(found)


def _mistake_of(case: Case | None) -> tuple[str, ...]:
    if case is None:
        return ()
    own_words = case.diagnosis if case.mistake in ("stopped", "died") else ""
    return case.group, case.mistake, own_words


def read_check(file: Path, printed: str, warnings: Path, source: str) -> CheckOutcome:
    """`printed` explains why there is no file: what does not compile, what is missing."""
    if not file.exists():
        return CheckOutcome(NO_VERDICT, message=without_progress(printed))
    judged = load(CheckResult, file).implementations
    if len(judged) != 1:
        raise UserError(f"{file}: has {len(judged)} implementations instead of one")
    program = judged[0]
    asked = Counter(case.group for case in program.cases)
    failed = Counter(case.group for case in program.failed)
    return CheckOutcome(
        program.verdict,
        tuple((kind, f"{failed[kind]} of {asked[kind]}") for kind in asked if failed[kind]),
        "" if program.verdict == PASSED else program.sentence,
        _mistake_of(program.most_informative),
        _warnings(warnings, source),
    )


def read_sheet(file: Path, printed: str) -> SheetOutcome:
    if not file.exists():
        return SheetOutcome(message=without_progress(printed))
    lines = load(Sheet, file).lines
    return SheetOutcome(
        tuple((f"{line.number} ({line.question})", line.state.value) for line in lines)
    )
