"""What ./lab check prints of a result: tables of its cases, what is wrong, and what was not checked."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from nbody_lab.check.result import Case, CheckedProgram, CheckResult
from nbody_lab.core.console import format_table, width, wrapped

_MOST_IN_FULL = 4  # programs; of more, only failures are shown
_MOST_KINDS = 3  # of one group
_MOST_IN_TABLE = 60  # characters of a diagnosis
_IN_DOUBLE = "in double"  # the group of the cases that are asked of the program for double
_WORDS = {"passed": "ok", "failed": "FAILED"}


def _passed(cases: Sequence[Case]) -> bool:
    return all(case.verdict == "passed" for case in cases)


def _grouped(cases: Sequence[Case], key: Callable[[Case], str]) -> dict[str, list[Case]]:
    """In the order in which the groups first appear."""
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(key(case), []).append(case)
    return groups


def _by_group(cases: Sequence[Case]) -> dict[str, list[Case]]:
    return _grouped(cases, lambda case: case.group)


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
        others = f", {not_run} not run" if not_run else ""
        return f"FAILED {failed} of {len(cases)}{others}"
    return f"not run {not_run} of {len(cases)}" if not_run else "ok"


def _groups_table(cases: Sequence[Case]) -> str:
    rows = [
        (group, len(found), _error_and_limit(found)[0], _share(found), _verdict(found))
        for group, found in _by_group(cases).items()
    ]
    columns = ["what", ">cases", ">worst error", ">worst/limit", "verdict"]
    return format_table(columns, rows, indent=4)


def _kinds_table(cases: Sequence[Case], verbose: bool) -> str:
    """Every kind of case; or a few of each group that are not ok. Empty if all are."""
    rows: list[tuple[str, ...]] = []
    for group, of_group in _by_group(cases).items():
        kinds = [
            (f"{group}: {scene}", *_error_and_limit(found), _verdict(found))
            for scene, found in _grouped(of_group, lambda case: case.scene).items()
            if verbose or not _passed(found)
        ]
        most = len(kinds) if verbose else _MOST_KINDS
        rows += kinds[:most]
        if len(kinds) > most:
            rows.append((f"{group}: {len(kinds) - most} more (-v)", "", "", ""))
    return format_table(["what", ">worst", ">limit", "verdict"], rows, indent=4) if rows else ""


def _cases_table(cases: Sequence[Case]) -> str:
    columns: list[str] = ["group", "scene", ">N", ">seed"]
    columns += [">error", ">limit", "verdict", "detail"]
    rows = [
        (
            *(case.group, case.scene, case.n, case.seed, *_error_and_limit([case])),
            *(_WORDS.get(case.verdict, case.verdict), case.detail),
        )
        for case in cases
    ]
    return format_table(columns, rows, indent=4)


def _tables(cases: Sequence[Case], verbose: bool) -> Iterator[str]:
    yield _groups_table(cases)
    # If forces are wrong, most of what else fails follows from them.
    forces_passed = _passed([case for case in cases if case.group == "forces"])
    first = cases[0].group
    shown = [case for case in cases if verbose or forces_passed or case.group == first]
    kinds = _kinds_table(shown, verbose)
    if kinds:
        yield f"\n{kinds}"
    if verbose:
        yield f"\n{_cases_table(shown)}"


def _fitted(text: str, indent: str = "") -> str:
    """On a terminal, no word is broken."""
    if not sys.stdout.isatty():
        return f"{indent}{text}"
    room = width() - len(indent)
    return "\n".join(f"{indent}{line}" for line in wrapped(text, "", room))


def _failure(program: CheckedProgram) -> Iterator[str]:
    """What is wrong: the most informative case with its worst body, and the diagnosis."""
    case = program.most_informative
    if case is None:
        return
    counts = Counter(one.verdict for one in program.cases)
    not_run = f", {counts['not run']} were not run" if counts["not run"] else ""
    example = f"{case.group}, {case.scene}, N = {case.n}, seed {case.seed}"
    count = f"{counts['failed']} of {len(program.cases)} cases fail{not_run}"
    yield _fitted(f"{count}. For example {example}:", "  ")
    yield _fitted(case.detail, "    ")
    if case.diagnosis:
        yield _fitted(f"diagnosis: {case.diagnosis}", "  ")


def _program_text(program: CheckedProgram, precision: str, in_full: bool, verbose: bool) -> str:
    lines: list[str] = []
    failure = list(_failure(program))
    if in_full:
        in_double = [case for case in program.cases if case.group == _IN_DOUBLE]
        others = [case for case in program.cases if case.group != _IN_DOUBLE]
        for cases, name in ((others, precision), (in_double, "double")):
            if cases:
                verdict = "passed" if _passed(cases) else "FAILED"
                lines += [f"{program.title} in {name}: {verdict}", *_tables(cases, verbose)]
        lines += failure
    lines.append(f"{program.title}: {program.verdict}")
    lines += [] if in_full else failure
    return "\n".join([*lines, ""])


def _shortened(diagnosis: str) -> str:
    """For a table: the whole text is beside its program."""
    if len(diagnosis) <= _MOST_IN_TABLE:
        return diagnosis
    cut = diagnosis.rfind(" ", 0, _MOST_IN_TABLE - 3)
    return f"{diagnosis[:cut] if cut > 0 else diagnosis} ..."


def _diagnosis(program: CheckedProgram) -> str:
    case = program.most_informative
    return case.diagnosis if case else ""


def _notes(programs: Sequence[CheckedProgram]) -> Iterator[str]:
    """Remarks on passed cases, and what was not checked."""
    left_out: set[str] = set()
    for program in programs:
        remarks = [
            case
            for case in program.cases
            if case.group == "many bodies" and case.verdict == "passed" and case.detail
        ]
        if remarks:
            worst = max(remarks, key=lambda case: case.error or 0)
            yield _fitted(f"{program.name}, {worst.scene}: {worst.detail}", "  ")
        for what in program.left_out:
            if what not in left_out:
                left_out.add(what)
                yield _fitted(f"not checked: {what}", "  ")


def _summary(programs: Sequence[CheckedProgram]) -> str:
    """A line of each program; of many also its diagnosis, which has left the screen."""
    many = len(programs) > _MOST_IN_FULL
    columns = ["implementation", ">cases", ">failed", ">worst/limit", "verdict"]
    columns += ["diagnosis"] if many else []
    rows = [
        (
            *(program.title, len(program.cases), len(program.failed), _share(program.cases)),
            *(program.verdict, *([_shortened(_diagnosis(program))] if many else [])),
        )
        for program in programs
    ]
    notes = [] if many else _notes(programs)
    return "\n".join([format_table(columns, rows, indent=2), *notes])


def check_text(result: CheckResult, verbose: bool = False) -> Iterator[str]:
    """Parts of the text, each as soon as it is known: a title, each program, and a summary when all are judged."""
    seeds = f" --seeds {result.seeds}" if result.seeds > 1 else ""
    limit = f"tolerance {result.tolerance} ({result.force_limit:.0e} of sum |a_ij|)"
    yield f"{limit}, {result.precision}, --seed {result.seed}{seeds}\n"
    in_full = verbose or result.programs <= _MOST_IN_FULL
    for program in result.implementations:
        yield _program_text(program, result.precision, in_full, verbose)
    if len(result.implementations) == result.programs:
        yield _summary(result.implementations)
