"""What ./lab check prints of a result: tables of its cases, what is wrong, and what was not checked."""

import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from nbody_lab.check.result import Case, CheckedProgram, CheckResult
from nbody_lab.core.console import LabTable, width, wrapped

_MOST_IN_FULL = 4  # programs; of more, only failures are shown
_MOST_KINDS = 3  # of one group
_MOST_IN_TABLE = 60  # characters of a diagnosis
_IN_DOUBLE = "in double"  # the group of the cases that are asked of the program for double


def _passed(cases: Sequence[Case]) -> bool:
    return all(case.verdict == "passed" for case in cases)


def _grouped(cases: Sequence[Case], key: Callable[[Case], str]) -> dict[str, list[Case]]:
    """In the order in which the groups first appear."""
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(key(case), []).append(case)
    return groups


def _number(value: float | None) -> str:
    return f"{value:.1e}" if value is not None and value <= 1e99 else "> 10^99"


def _share(cases: Sequence[Case]) -> str:
    """The largest error, of its limit."""
    answers = {case.answer for case in cases}
    if "not finite" in answers:
        return "not finite"
    if answers & {"late", "missing"}:
        return "no answer"
    share = max((case.share_of_limit for case in cases), default=None)
    if share is None:
        return ""
    return f"{share:.2f}" if share <= 1e6 else "> 10^6"


def _error_and_limit(cases: Sequence[Case]) -> tuple[str, str]:
    """Of the case that misses its limit by most, among those with an answer: limits differ within a kind."""
    if any(case.answer == "not finite" for case in cases):
        return "not finite", _number(max(case.limit or 0 for case in cases))
    given = [case for case in cases if case.answer == "given"]
    if not given:
        return "-", "-"
    worst = max(given, key=lambda case: case.share_of_limit)
    return _number(worst.error), _number(worst.limit)


def _verdict(cases: Sequence[Case]) -> str:
    counts = Counter(case.verdict for case in cases)
    failed, not_run = counts["failed"], counts["not run"]
    if failed:
        return f"FAILED {failed} of {len(cases)}" + (f", {not_run} not run" if not_run else "")
    return f"not run {not_run} of {len(cases)}" if not_run else "ok"


def _groups_table(cases: Sequence[Case]) -> LabTable:
    rows = [
        (group, len(found), _error_and_limit(found)[0], _share(found), _verdict(found))
        for group, found in _grouped(cases, lambda case: case.group).items()
    ]
    return LabTable(["what", ">cases", ">worst error", ">worst/limit", "verdict"], rows, indent=4)


def _kinds_table(cases: Sequence[Case], verbose: bool) -> LabTable:
    """Every kind of case; or a few of each group that are not ok."""
    rows: list[tuple[str, ...]] = []
    for group, of_group in _grouped(cases, lambda case: case.group).items():
        kinds = [
            (f"{group}: {scene}", *_error_and_limit(found), _verdict(found))
            for scene, found in _grouped(of_group, lambda case: case.scene).items()
            if verbose or not _passed(found)
        ]
        most = len(kinds) if verbose else _MOST_KINDS
        rows += kinds[:most]
        if len(kinds) > most:
            rows.append((f"{group}: {len(kinds) - most} more (-v)", "", "", ""))
    return LabTable(["what", ">worst", ">limit", "verdict"], rows, indent=4)


def _cases_table(cases: Sequence[Case]) -> LabTable:
    words = {"passed": "ok", "failed": "FAILED", "not run": "not run"}
    rows = [
        (
            *(case.group, case.scene, case.n, case.seed),
            *(*_error_and_limit([case]), words[case.verdict], case.detail),
        )
        for case in cases
    ]
    columns = ["group", "scene", ">N", ">seed", ">error", ">limit", "verdict", "detail"]
    return LabTable(columns, rows, indent=4)


def _tables(title: str, cases: Sequence[Case], verbose: bool) -> Iterator[str | LabTable]:
    """Of the cases that one program was asked."""
    if not cases:
        return
    yield f"{title}: {'passed' if _passed(cases) else 'FAILED'}"
    yield _groups_table(cases)
    # If forces are wrong, most of what else fails follows from them.
    if not verbose and not _passed([case for case in cases if case.group == "forces"]):
        cases = [case for case in cases if case.group == cases[0].group]
    kinds = _kinds_table(cases, verbose)
    if kinds.rows:
        yield ""
        yield kinds
    if verbose:
        yield ""
        yield _cases_table(cases)


def _fitted(text: str, indent: str) -> str:
    """On a terminal, no word is broken."""
    if not sys.stdout.isatty():
        return indent + text
    return textwrap.indent("\n".join(wrapped(text, columns=width() - len(indent))), indent)


def _failure(program: CheckedProgram) -> Iterator[str]:
    """What is wrong: the most informative case with its worst body, and the diagnosis."""
    case = program.most_informative
    if case is None:
        return
    not_run = sum(one.verdict == "not run" for one in program.cases)
    fail = f"{len(program.failed)} of {len(program.cases)} cases fail"
    fail += f", {not_run} were not run" if not_run else ""
    example = f"{case.group}, {case.scene}, N = {case.n}, seed {case.seed}"
    yield _fitted(f"{fail}. For example {example}:", "  ")
    yield _fitted(case.detail, "    ")
    if case.diagnosis:
        yield _fitted(f"diagnosis: {case.diagnosis}", "  ")


def _summary_table(programs: Sequence[CheckedProgram], with_diagnosis: bool) -> LabTable:
    """A line of each program."""
    columns = ["implementation", ">cases", ">failed", ">worst/limit", "verdict"]
    rows: list[list[object]] = []
    for one in programs:
        cases, failed = len(one.cases), len(one.failed)
        rows.append([one.title, cases, failed, _share(one.cases), one.verdict])
        if with_diagnosis:
            diagnosis = one.most_informative.diagnosis if one.most_informative else ""
            rows[-1].append(textwrap.shorten(diagnosis, _MOST_IN_TABLE, placeholder=" ..."))
    return LabTable(columns + ["diagnosis"] * with_diagnosis, rows, indent=2)


def _notes(programs: Sequence[CheckedProgram]) -> Iterator[str]:
    """Remarks on passed cases, and what was not checked."""
    for program in programs:
        remarks = [
            case
            for case in program.cases
            if case.group == "many bodies" and case.verdict == "passed" and case.detail
        ]
        if remarks:
            worst = max(remarks, key=lambda case: case.error or 0)
            yield f"{program.name}, {worst.scene}: {worst.detail}"
    for what in dict.fromkeys(what for program in programs for what in program.left_out):
        yield f"not checked: {what}"


def check_text(result: CheckResult, verbose: bool = False) -> Iterator[str | LabTable]:
    """A few programs in full, of many only what fails; then all of them in one table."""
    programs = result.implementations
    seeds = f" --seeds {result.seeds}" if result.seeds > 1 else ""
    limit = f"tolerance {result.tolerance} ({result.force_limit:.0e} of sum |a_ij|)"
    yield f"{limit}, {result.precision}, --seed {result.seed}{seeds}\n"
    in_full = verbose or len(programs) <= _MOST_IN_FULL
    for program in programs:
        failure, verdict = list(_failure(program)), f"{program.title}: {program.verdict}"
        if in_full:
            in_double = [case for case in program.cases if case.group == _IN_DOUBLE]
            others = [case for case in program.cases if case.group != _IN_DOUBLE]
            yield from _tables(f"{program.title} in {result.precision}", others, verbose)
            yield from _tables(f"{program.title} in double", in_double, verbose)
            yield from (*failure, verdict, "")
        elif failure:
            yield from (verdict, *failure, "")
    yield _summary_table(programs, with_diagnosis=not in_full)
    if in_full:
        for note in _notes(programs):
            yield _fitted(note, "  ")
