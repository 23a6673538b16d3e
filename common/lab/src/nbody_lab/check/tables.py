"""What ./lab check prints of a result: tables of its cases, what is wrong, and what was not checked."""

import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence

from nbody_lab.check.result import NO_DOUBLE, Case, CheckedProgram, CheckResult
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


def _worst(cases: Sequence[Case]) -> tuple[str, str, str]:
    """Error, limit and their ratio, of the case that misses its limit by most: limits differ within a kind."""
    if not cases:
        return "", "", ""
    worst = max(cases, key=lambda case: case.share_of_limit)
    limit, share = _number(worst.limit) if worst.limit else "-", worst.share_of_limit
    if worst.answer != "given":
        word = "not finite" if worst.answer == "not finite" else "no answer"
        return word, limit, word
    return _number(worst.error), limit, f"{share:.2f}" if share <= 1e6 else "> 10^6"


def _groups_table(cases: Sequence[Case]) -> LabTable:
    """With a few of the kinds of case that fail in each."""
    rows: list[tuple[object, ...]] = []

    def add(what: str, found: Sequence[Case]) -> None:
        error, _, share = _worst(found)
        failed = sum(case.verdict == "failed" for case in found)
        verdict = f"FAILED {failed} of {len(found)}" if failed else "ok"
        rows.append((what, len(found), error, share, verdict))

    for group, of_group in _grouped(cases, lambda case: case.group).items():
        add(group, of_group)
        kinds = _grouped(of_group, lambda case: case.scene).items()
        wrong = [(scene, found) for scene, found in kinds if not _passed(found)]
        for scene, found in wrong[:_MOST_KINDS]:
            add(f"  {scene}", found)
        if len(wrong) > _MOST_KINDS:
            rows.append((f"  {len(wrong) - _MOST_KINDS} more (-v)", "", "", "", ""))
    return LabTable(["what", ">cases", ">worst error", ">worst/limit", "verdict"], rows, indent=4)


def _cases_table(cases: Sequence[Case]) -> LabTable:
    columns = ["group", "scene", ">N", ">seed", ">error", ">limit", "verdict", "detail"]
    rows = [
        (
            *(case.group, case.scene, case.n, case.seed),
            *(*_worst([case])[:2], "ok" if case.verdict == "passed" else "FAILED", case.detail),
        )
        for case in cases
    ]
    return LabTable(columns, rows, indent=4)


def _tables(title: str, cases: Sequence[Case], verbose: bool) -> Iterator[str | LabTable]:
    """Of the cases that one program was asked."""
    if not cases:
        return
    yield f"{title}: {'passed' if _passed(cases) else 'FAILED'}"
    yield _groups_table(cases)
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
    if case := program.most_informative:
        fail = f"{len(program.failed)} of {len(program.cases)} cases fail"
        yield _fitted(f"{fail}. For example {case.title}:", "  ")
        yield _fitted(case.detail, "    ")
        if case.diagnosis:
            yield _fitted(f"diagnosis: {case.diagnosis}", "  ")


def _summary_table(programs: Sequence[CheckedProgram], with_diagnosis: bool) -> LabTable:
    """A line of each program."""
    columns = ["implementation", ">cases", ">failed", ">worst/limit", "verdict"]
    rows: list[list[object]] = []
    for one in programs:
        rows.append([one.title, len(one.cases), len(one.failed), _worst(one.cases)[2], one.verdict])
        if with_diagnosis:
            diagnosis = one.most_informative.diagnosis if one.most_informative else ""
            rows[-1].append(textwrap.shorten(diagnosis, _MOST_IN_TABLE, placeholder=" ..."))
    return LabTable(columns + ["diagnosis"] * with_diagnosis, rows, indent=2)


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
    for what in dict.fromkeys(what for program in programs for what in program.left_out):
        if in_full or what == NO_DOUBLE:
            yield _fitted(f"not checked: {what}", "  ")
