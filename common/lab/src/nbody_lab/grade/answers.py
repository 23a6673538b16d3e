"""The questions that people read: what each student wrote below a question in NOTEBOOK.md, and what it got so far."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.clean_text import LOG, harmless
from nbody_lab.grade.decisions import ManualRow, plain, rows_by_submission
from nbody_lab.grade.models import HandedIn, Marks, Results
from nbody_lab.grade.rubric import Rubric


@dataclass(frozen=True)
class Answer:
    marks: Marks
    text: str
    is_found: bool  # False: the question was not found, so the text is all that is written there
    is_open: bool
    points: float | None
    comment: str


@dataclass(frozen=True)
class Question:
    part: str
    number: int
    question: str
    maximum: float
    answers: list[Answer]

    @property
    def file(self) -> str:
        return f"{self.part}_{self.number}.html"

    @property
    def csv_name(self) -> str:
        return f"manual_{self.part}_{self.number}.csv"

    @property
    def comments(self) -> list[str]:
        return sorted({one.comment for one in self.answers if one.comment})


def _pattern_of(question: str) -> re.Pattern[str]:
    """However its lines are wrapped, and whatever emphasises it."""
    return re.compile(r"[\s>*_]+".join(map(re.escape, question.split())) + r"[*_]*", re.I)


_HEADING = re.compile(r"^#{1,6} ", re.M)
_WORDS = re.compile(r"^## Words\b.*$", re.M)
_TABLE, _END_OF_TABLE = "<!-- table ", "<!-- end of table"


def _without_table(text: str) -> str:
    """Without the table of ./lab try. Each search goes on after the last: students write the text."""
    before, begin, rest = text.partition(_TABLE)
    _, end, after = rest.partition(_END_OF_TABLE)
    _, close, after = after.partition("-->")
    return before + after if begin and end and close else text


def find_answer(text: str, question: str, others: Sequence[str] = ()) -> tuple[str, bool]:
    """What stands below a question, up to the next heading or question, and True; all that is written, and False, if
    the question is not there."""
    found = _pattern_of(question).search(text)
    if found is None:
        words = _WORDS.search(text)
        return (text[words.end() :] if words else _without_table(text)).strip(), False
    nexts = [_HEADING, *map(_pattern_of, others)]
    ends = [end.start() for pattern in nexts if (end := pattern.search(text, found.end()))]
    return text[found.end() : min(ends, default=len(text))].strip(), True


def without_given(text: str, given: str) -> str:
    """Without the lines that the handout's notebook has, which nobody wrote; headings stay."""
    lines = {line.strip() for line in given.splitlines()} - {""}
    kept = [line for line in text.splitlines() if line.strip() not in lines or line[:1] == "#"]
    return "\n".join(kept).strip()


def _given_notebook(part: str) -> str:
    files = (folder / "NOTEBOOK.md" for folder in ROOT.glob(f"{part}_*"))
    return next((file.read_text(encoding="utf-8") for file in files if file.is_file()), "")


def _read_notebook(out: Path, name: str, part: str) -> str:
    for folder in ROOT.glob(f"{part}_*"):
        file = out / "taken" / name / folder.name / "NOTEBOOK.md"
        if file.is_file() and not file.is_symlink():
            return file.read_bytes().decode("utf-8", "replace")
    return ""


def find_questions(
    out: Path, results: Results, rubric: Rubric, manual: Sequence[ManualRow] = ()
) -> list[Question]:
    """The manual items of the rubric with the answers of the class, where a person decides or has decided."""
    who = [
        HandedIn(name=one.name, authors=one.authors, student_id=one.student_id)
        for one in results.submissions
    ]
    by_hand = rows_by_submission(manual, who)
    asked = [one for rule in rubric.parts.values() for one, _ in rule.by_hand()]

    def answers_to(part: str, question: str) -> Iterator[Answer]:
        others = [one for one in asked if one != question]
        given = _given_notebook(part)
        for marks in results.submissions:
            rows = by_hand[marks.name]
            row = rows.get(plain(question)) or rows.get(plain(f"{part}: {question}"))
            for mark in marks.items:
                if mark.key == (part, question) and (mark.is_open or row):
                    text, is_found = find_answer(
                        _read_notebook(out, marks.name, part), question, others
                    )
                    yield Answer(
                        marks=marks,
                        text=harmless(without_given(text, given), LOG),
                        is_found=is_found,
                        is_open=mark.is_open,
                        points=mark.points,
                        comment=harmless(row.comment) if row else "",
                    )

    found = [
        Question(part, number, question, points, list(answers_to(part, question)))
        for part, rule in rubric.parts.items()
        for number, (question, points) in enumerate(rule.by_hand(), 1)
    ]
    return [one for one in found if one.answers]
