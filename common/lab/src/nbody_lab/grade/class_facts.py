"""What the pages of a class show: a row per submission, what a person should see first and read, statistics by item."""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import Any

from nbody_lab import ROOT
from nbody_lab.core.clean_text import LOG, harmless
from nbody_lab.grade.decisions import ManualRow, plain, rows_by_submission
from nbody_lab.grade.evidence import Evidence
from nbody_lab.grade.models import (
    Marks,
    Outcome,
    PartRecord,
    Record,
    Results,
    Speed,
    best_row,
)
from nbody_lab.grade.outputs import item_columns
from nbody_lab.grade.rubric import Rubric
from nbody_lab.grade.score import SOFT_FLAGS, TOO_FAST, WRONG_WHILE_TIMED

STAGES = ("unpack", "build", "check", "timing")

# --- the questions that people read: what each student wrote below one in NOTEBOOK.md, and what it got so far ---


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


def _read_notebook(tree: Path, part: str) -> str:
    """Empty if there is none."""
    files = [file for file in tree.glob(f"{part}_*/NOTEBOOK.md") if not file.is_symlink()]
    return files[0].read_bytes().decode("utf-8", "replace") if files else ""


def find_questions(
    out: Path, results: Results, rubric: Rubric, manual: Sequence[ManualRow] = ()
) -> list[Question]:
    """The manual items of the rubric with the answers of the class, where a person decides or has decided."""
    by_hand = rows_by_submission(manual, results.submissions)
    asked = [one for rule in rubric.parts.values() for one, _ in rule.by_hand()]

    def answers_to(part: str, question: str) -> Iterator[Answer]:
        others = [one for one in asked if one != question]
        given = _read_notebook(ROOT, part)
        for marks in results.submissions:
            rows = by_hand[marks.name]
            row = rows.get(plain(question)) or rows.get(plain(f"{part}: {question}"))
            for mark in marks.items:
                if mark.key == (part, question) and (mark.is_open or row):
                    notebook = _read_notebook(out / "taken" / marks.name, part)
                    text, is_found = find_answer(notebook, question, others)
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


# --- the class as rows ---


@dataclass(frozen=True)
class Row:
    """A submission."""

    marks: Marks
    record: Record

    def points_of(self, part: str) -> float | None:
        graded = [one.points for one in self.marks.items if one.part == part]
        known = [points for points in graded if points is not None]
        return sum(known) if known else None

    @property
    def verdicts(self) -> dict[str, str]:
        return {name: _verdict_of(part) for name, part in self.record.parts.items()}

    @property
    def gains(self) -> list[Speed]:
        """Of each part the largest over naive, and in `shares` that of the solution; their threads may differ."""
        return self._largest(lambda one: one.times_naive)

    @property
    def shares(self) -> list[Speed]:
        return self._largest(lambda one: one.share_of_solution)

    def _largest(self, of: Callable[[Speed], float | None]) -> list[Speed]:
        """The correct speed of each part in which this is largest."""
        parts = [
            [one for row in part.rows for one in row.speed if one.outcome == "right"]
            for part in self.record.parts.values()
        ]
        return [max(right, key=lambda one: of(one) or 0) for right in parts if right]

    @property
    def all_seconds(self) -> float:
        return sum(self.record.seconds.get(stage, 0) for stage in STAGES)


def _verdict_of(part: PartRecord) -> str:
    """The state of the part's best row, in a word or two."""
    if part.state != "measured":
        return part.state
    best = best_row(part.rows)
    return (best.outcome if best else Outcome.NOT_CHECKED).value


@dataclass(frozen=True)
class Look:
    """Why a person should look at a submission."""

    marks: Marks
    reasons: list[str]
    sources: list[str]


def _doubtful_sources(record: Record) -> list[str]:
    return [
        row.source
        for part in record.parts.values()
        for row in part.rows
        if any(speed.above_bound or speed.doubt for speed in row.speed)
    ]


def _open_items(marks: Marks, usual: Container[tuple[str, str]]) -> Iterator[str]:
    """What a person decides, but for the usual; items with the same reason together."""
    same: dict[tuple[str, str, str], list[str]] = {}
    for mark in marks.items:
        if mark.is_open and mark.key not in usual:
            same.setdefault((mark.part, mark.state, mark.why), []).append(mark.item)
    for (part, state, why), items in same.items():
        yield f"{part}, {'; '.join(items)}: {state}. {why}"


def _rank_of(look: Look) -> int:
    """The strongest signs of cheating first, then other speeds that are doubtful."""
    signs = (WRONG_WHILE_TIMED, TOO_FAST)
    others = len(signs) + (0 if look.sources else 1)
    return min((k for k, sign in enumerate(signs) if sign in look.reasons[0]), default=others)


def find_reasons(
    rows: Sequence[Row], questions: Sequence[Question], evidence: Evidence
) -> tuple[list[Look], list[tuple[str, list[str]]]]:
    """What a person looks at first: by submission, and grouped what concerns many or is no hint by itself."""
    many = Counter(mark.key for row in rows for mark in row.marks.items if mark.is_open)
    common = {key for key, count in many.items() if 2 * count > len(rows) > 2}
    asked = {(one.part, one.question) for one in questions}
    without = {row.marks.name: list(evidence.without_sources(row.marks.name)) for row in rows}
    sourceless = [name for name, found in without.items() if found]
    # What most lack says more of the course than of a student.
    is_usual = 2 * len(sourceless) > len(rows) > 2
    look = []
    for row in rows:
        marks = row.marks
        reasons = [
            *(flag for flag in marks.flags if flag not in SOFT_FLAGS),
            *marks.problems,
            *([] if is_usual else without[marks.name]),
            *_open_items(marks, common | asked),
        ]
        if reasons:
            look.append(Look(marks, reasons, _doubtful_sources(row.record)))
    look.sort(key=_rank_of)
    grouped = [
        (f"{part}, {item}", [f"for a person in {many[part, item]} submissions"])
        for part, item in sorted(common - asked)
    ]
    soft = {
        flag: [row.marks.name for row in rows if flag in row.marks.flags] for flag in SOFT_FLAGS
    }
    alike = list(evidence.same_code({row.marks.name for row in rows}))
    grouped += [("Nearly the same code", alike)] if alike else []
    grouped += [("No source was kept for rows of the notebook", sourceless)] if is_usual else []
    grouped += [(f"{flag[0].upper()}{flag[1:]}", names) for flag, names in soft.items() if names]
    return look, grouped


@dataclass(frozen=True)
class ItemStatistics:
    """Of the submissions in which the item has points."""

    part: str
    item: str
    maximum: float
    points: Sequence[float]

    @property
    def mean(self) -> float | None:
        return mean(self.points) if self.points else None

    def share_between(self, least: float, most: float) -> float | None:
        found = [least <= one <= most for one in self.points]
        return mean(found) if found else None


def item_statistics(results: Results) -> list[ItemStatistics]:
    marks = [mark for one in results.submissions for mark in one.items if mark.points is not None]
    return [
        ItemStatistics(*key, most, [mark.points or 0 for mark in marks if mark.key == key])
        for key, most in item_columns(results).items()
        if most
    ]


def class_facts(results: Results, rows: Sequence[Row]) -> dict[str, Any]:
    points = [row.marks.points for row in rows if row.marks.has_points]
    bars = [0] * 10
    for one in points:
        share = one / results.maximum if results.maximum else 0
        bars[min(max(int(10 * share + 1e-9), 0), 9)] += 1
    return {
        "authors": sum(max(len(row.marks.authors), 1) for row in rows),
        "median": median(points) if points else None,
        "best": max(points, default=None),
        "final": sum(row.marks.is_final for row in rows),
        "to_decide": sum(row.marks.to_decide for row in rows),
        "seconds": sum(row.all_seconds for row in rows),
        "median_seconds": median(row.all_seconds for row in rows) if rows else None,
        "bars": bars,
        "highest_bar": max(bars),
    }
