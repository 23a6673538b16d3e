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
        if file.name != "worksheet.hpp"
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


def _find_borrowed(
    part: questions.Questions, sheets: Mapping[str, JudgedWorksheet], flags: Flags
) -> None:
    """Wrong answers that are right for a classmate's machine may be copied."""
    asked = {(one.number, one.text): one for one in part.questions if hasattr(one, "answer")}
    for name, sheet in sheets.items():
        numbers, wrong = dict.fromkeys(part.answer_names(), math.nan), []
        for line in sheet.lines:
            question = asked.get((line.number, line.question))
            with suppress(ValueError):
                if question:
                    numbers[question.answer] = float(line.answer)
                if isinstance(question, questions.Exact) and line.state is State.WRONG:
                    wrong.append(question)
        others = []
        for other, authors in ((other, one.authors) for other, one in sheets.items()):
            texts = {**dict.fromkeys(part.text_names(), ""), "authors": authors}
            answers = Answers(dict(numbers), dict.fromkeys(numbers, " "), texts)
            theirs = questions.Worksheet(part, Evidence((answers, answers)))
            fitting = [
                one
                for one in wrong
                if math.isfinite(truth := theirs.value(one.truth))
                and matches(numbers[one.answer], truth, max(one.tolerance, _ROUNDED))
            ]
            if authors != sheet.authors and len(fitting) >= _FEWEST:
                others.append(other)
        if others:
            words = "wrong answers are right for the hypothetical machine of"
            flags[name].append(f"{part.part}: {words} {', '.join(others)}")


def find_similar(out: Path, records: Mapping[str, Record]) -> Flags:
    """Sentences for the flags of each submission."""
    flags: Flags = defaultdict(list)
    for file in sorted(ROOT.glob("part*_*/questions.py")):
        _find_copies(file.parent, out / "taken", records, flags)
        part = questions.load_questions(file.parent)
        found = {name: record.parts.get(part.part) for name, record in records.items()}
        sheets = {name: one.worksheet for name, one in found.items() if one and one.worksheet}
        _find_borrowed(part, {name: one for name, one in sheets.items() if one.authors}, flags)
    return flags
