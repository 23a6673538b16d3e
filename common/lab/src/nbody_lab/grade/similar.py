"""What somebody should look at before talking to two students: the same source twice, and answers that are right for a
classmate's hypothetical machine. It is evidence, never a verdict, and changes no mark. For more than exact copies, feed
OUT/taken to JPlag."""

import math
import re
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.grade.models import JudgedWorksheet, Record
from nbody_lab.tasks import questions
from nbody_lab.tasks.evidence import Evidence
from nbody_lab.tasks.program import Answers
from nbody_lab.tasks.sheet import State
from nbody_lab.tasks.slips import matches

_NO_CODE = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|\s+", re.DOTALL)
_FEWEST = 2  # answers that fit the same classmate: a single one is often chance
_ROUNDED = 0.0006  # judged lines have four digits

Flags = dict[str, list[str]]  # by submission


def _code_in(folder: Path) -> dict[str, str]:
    """{file: its code} without comments, white space and capitals."""
    return {
        file.name: _NO_CODE.sub("", file.read_text("utf-8", "replace")).lower()
        for file in sorted([*folder.glob("*.hpp"), *folder.glob("*.cuh")])
        if file.is_file() and not file.is_symlink() and file.name != "worksheet.hpp"
    }


def _find_copies(part: Path, taken: Path, names: Mapping[str, Record], flags: Flags) -> None:
    """Files of a part that two handed in, if they were not given."""
    given, found = set(_code_in(part).values()), defaultdict(list)
    for name in names:
        for file, code in _code_in(taken / name / part.name).items():
            if code not in given:
                found[code].append((name, file))
    for copies in found.values():
        for name, file in copies:
            if others := sorted({other for other, _ in copies} - {name}):
                flags[name].append(f"{part.name}/{file} is a file of {', '.join(others)}, too")


def _fits(
    part: questions.Questions, question: questions.Exact, numbers: Mapping[str, float], authors: str
) -> bool:
    """Whether an answer is right for the hypothetical machine of these authors."""
    texts = {**dict.fromkeys(part.text_names(), ""), "authors": authors}
    answers = Answers(dict(numbers), dict.fromkeys(numbers, " "), texts)
    truth = questions.Worksheet(part, Evidence((answers, answers))).value(question.truth)
    tolerance = max(question.tolerance, _ROUNDED)
    return math.isfinite(truth) and matches(numbers[question.answer], truth, tolerance)


def _find_borrowed(
    part: questions.Questions, sheets: Mapping[str, JudgedWorksheet], flags: Flags
) -> None:
    """Wrong answers that are right for a classmate's machine may be copied."""
    by_line = {
        (one.number, one.text): one
        for one in part.questions
        if not isinstance(one, (questions.Count, questions.NotebookRows))
    }
    for name, sheet in sheets.items():
        numbers, wrong = dict.fromkeys(part.answer_names(), math.nan), []
        for line in sheet.lines:
            question = by_line.get((line.number, line.question))
            with suppress(ValueError):
                if question:
                    numbers[question.answer] = float(line.answer)
                if isinstance(question, questions.Exact) and line.state is State.WRONG:
                    wrong.append(question)
        others = [
            other
            for other, one in sheets.items()
            if one.authors != sheet.authors
            and sum(_fits(part, question, numbers, one.authors) for question in wrong) >= _FEWEST
        ]
        if others:
            words = "wrong answers are right for the hypothetical machine of"
            flags[name].append(f"{part.part}: {words} {', '.join(others)}")


def find_similar(out: Path, records: Mapping[str, Record]) -> Flags:
    """Sentences for the flags of each submission."""
    flags: Flags = defaultdict(list)
    for file in sorted(ROOT.glob("part*_*/questions.py")):
        _find_copies(file.parent, out / "taken", records, flags)
        part = questions.load_questions(file.parent)
        sheets = {}
        for name, record in records.items():
            found = record.parts.get(part.part)
            if found and found.worksheet and found.worksheet.authors:
                sheets[name] = found.worksheet
        _find_borrowed(part, sheets, flags)
    return flags
