"""What an instructor may want to see before talking to students: similar sources, how notebooks grew, worksheets that
fit a classmate's machine. It is evidence, never a verdict, and changes no mark.
"""

import csv
import math
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

from pydantic import Field

from nbody_lab import ROOT
from nbody_lab.core.clean_text import printable
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import LabModel
from nbody_lab.core.whole_file import write_text
from nbody_lab.core.words import plural
from nbody_lab.grade.feedback import csv_text
from nbody_lab.grade.intake import Part, part_folders
from nbody_lab.grade.models import Record, Text
from nbody_lab.grade.similarity import Group, Pair, compare, grouped, owner_of
from nbody_lab.notebook.notebook import parse_csv
from nbody_lab.tasks.evidence import Evidence as EvidenceOfWorksheet
from nbody_lab.tasks.program import Answers
from nbody_lab.tasks.questions import (
    Count,
    Exact,
    NotebookRows,
    Questions,
    Worksheet,
    load_questions,
)
from nbody_lab.tasks.sheet import Line, State
from nbody_lab.tasks.slips import matches

HEAD = "evidence, never a verdict: look at both files and ask their authors"
_SAME = 0.9  # of the tokens: nearly the same code, whatever was renamed
_ALIKE, _MOST_PAIRS = 0.3, 500  # smallest share reported; most pairs per part
_BOTH_FROM_ONE = 0.5  # if both share this much with a third file, it may explain the similarity
_COLUMNS = "part first second share tokens longest_run first_lines second_lines both_resemble"
_FEWEST = 2  # answers that fit the same classmate
_ROUNDED = 0.0006  # measured lines have four digits


class Sign(LabModel):
    """Of `wrong` answers, `numbers` are right for the machine of another submission, `fits`."""

    part: str
    submission: str
    fits: str
    numbers: int
    wrong: int
    machines: int = Field(description="how many machines in class they fit equally well")


class NotebookHistory(LabModel):
    """What a notebook says about the work: how many tries, when, and whether the last one was handed in."""

    submission: str
    part: str
    rows: int = 0
    first: str = Field(default="", description="day of the first row")
    last: str = ""
    dates: int = 0
    kept: int = Field(default=0, description="sources; ./lab try keeps one for each row")
    rows_without_source: int = 0
    last_kept_is_handed_in: bool | None = Field(
        default=None, description="None: nothing was kept, or no file of that name was handed in"
    )
    problem: str = ""


class Evidence(LabModel):
    version: Literal[1] = 1
    what: str = HEAD
    pairs: tuple[Pair, ...] = ()
    notebooks: tuple[NotebookHistory, ...] = ()
    hypothetical_machines: tuple[Sign, ...] = ()
    problems: tuple[Text, ...] = ()

    def same_code(self, names: Container[str]) -> Iterator[str]:
        """A line for each file of the class that is nearly equal to one of somebody else, an earlier year or the
        solutions, unless a third has all that they share."""
        for pair in self.pairs:
            sides = sorted((pair.first, pair.second), key=lambda side: owner_of(side) not in names)
            is_own = pair.share >= _SAME > pair.explained
            if is_own and owner_of(sides[0]) in names:
                share = f"{100 * pair.share:.0f} % the same"
                yield f"{pair.part}: {sides[0]} is {share} as {sides[1]}"

    def groups(self) -> tuple[list[Group], list[Pair]]:
        """Nearly the same code, in groups; the other pairs."""
        return grouped(self.pairs, _SAME)

    def without_sources(self, name: str) -> Iterator[str]:
        """./lab try keeps the source of each row that it adds."""
        for one in self.notebooks:
            if one.submission == name and one.rows_without_source:
                rows = f"{one.rows_without_source} of the notebook's {plural(one.rows, 'row')}"
                yield f"{one.part}: no source was kept for {rows}"


# --- notebooks ---


def _number_of(kept: Path) -> int:
    return int(kept.name.split("_", 1)[0])


def is_handed_in(kept: Path, folder: Path) -> bool | None:
    """The first line of a kept source holds the conditions of the measurement. None: no such file was handed in."""
    handed_in = folder / kept.name.split("_", 1)[1]
    if not handed_in.is_file():
        return None
    return kept.read_bytes().partition(b"\n")[2].strip() == handed_in.read_bytes().strip()


def read_history(name: str, part: Part, folder: Path) -> NotebookHistory:
    """Of a part of a stored submission."""
    rows, problem, file = [], "", folder / "notebook.csv"
    if file.is_file():
        try:
            text = file.read_bytes().decode("utf-8", "replace").replace("\0", " ")
            rows = [row.cells() for row in parse_csv(text, f"{part.folder}/{file.name}").rows]
        except (LabError, csv.Error) as fault:
            problem = printable(fault)
    dates = sorted({printable(row["date"])[:10] for row in rows if row["date"]})
    sources = (folder / "notebook").glob("[0-9]*_mine*")
    kept = sorted(sources, key=lambda path: (_number_of(path), path))
    numbers = {str(_number_of(path)) for path in kept}
    last = kept[-1] if kept else None
    return NotebookHistory(
        submission=name,
        part=part.name,
        rows=len(rows),
        first=dates[0] if dates else "",
        last=dates[-1] if dates else "",
        dates=len(dates),
        kept=len(kept),
        rows_without_source=sum(row["row"].strip().lstrip("0") not in numbers for row in rows),
        last_kept_is_handed_in=is_handed_in(last, folder) if last else None,
        problem=problem,
    )


# --- sources ---


def _compared_files(folder: Path) -> list[Path]:
    """The files with the student's code below a part's folder."""
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".hpp", ".cuh")
        and path.name != "worksheet.hpp"
        and path.is_file()
        and not path.is_symlink()
        and path.parent.name != "notebook"
    ]


def _files_of_others(folders: Iterable[Path], part: Part) -> dict[str, Path]:
    """Those of earlier years and of solutions for a part, found by the name of their folder."""
    found = {}
    for folder in folders:
        for path in _compared_files(folder):
            inside = path.relative_to(folder)
            if part.folder in inside.parts or part.name in inside.parts:
                found[printable(f"{folder.name}/{inside}")] = path
    return found


def _find_alike(
    part: Part, taken: Path, names: Iterable[str], others: Iterable[Path]
) -> list[Pair]:
    """Similar pairs. `both_resemble`: older files that may explain the similarity."""
    new = {
        f"{name}: {path.name}": path
        for name in names
        for path in _compared_files(taken / name / part.folder)
    }
    old = _files_of_others(others, part)
    given = [
        part.root / part.folder / name
        for name in sorted(part.given)
        if name.startswith(("naive", "mine"))
    ]
    found = compare(new, old, given)
    sources: dict[str, dict[str, Pair]] = defaultdict(dict)
    for pair in found:
        if pair.second in old and pair.share >= _BOTH_FROM_ONE:
            sources[pair.first][pair.second] = pair

    def explain(pair: Pair) -> Pair:
        one, other = sources[pair.first], sources[pair.second]
        least = {file: min(one[file].share, other[file].share) for file in set(one) & set(other)}
        both = sorted(least, key=lambda file: (-least[file], file))
        most = max((min(one[file].tokens, other[file].tokens) for file in both), default=0)
        explained = round(min(1, most / pair.tokens), 3)
        told = {"part": part.name, "both_resemble": tuple(both[:3]), "explained": explained}
        return pair.model_copy(update=told)

    return [explain(pair) for pair in found if pair.share >= _ALIKE]


def pairs_csv(pairs: Iterable[Pair]) -> str:
    rows: list[list[str | float | None]] = [
        [
            *(pair.part, pair.first, pair.second, pair.share, pair.tokens, pair.longest_run),
            f"lines {pair.runs[0].first_lines[0]}-{pair.runs[0].first_lines[1]}",
            f"lines {pair.runs[0].second_lines[0]}-{pair.runs[0].second_lines[1]}",
            "; ".join(pair.both_resemble),
        ]
        for pair in pairs
    ]
    return f"# {HEAD}\n" + csv_text([_COLUMNS.split(), *rows])


# --- whose hypothetical machine do a worksheet's answers fit? ---

# It depends on the authors' names, so answers that are wrong for their own machine but right for a classmate's may be
# copied. A single such answer is often chance.


def personal_questions(questions: Questions) -> list[Exact]:
    """Those whose truth needs the hypothetical machine, directly or through a formula."""
    names = questions.answer_names()
    texts = {**dict.fromkeys(questions.text_names(), ""), "authors": "Ada Lovelace"}
    answers = Answers(dict.fromkeys(names, 2.0), dict.fromkeys(names, "a"), texts)
    found = []
    for one in questions.questions:
        if isinstance(one, Exact):
            worksheet = Worksheet(questions, EvidenceOfWorksheet((answers, answers)))
            worksheet.value(one.truth)
            found += [one] if worksheet.asked_paper else []
    return found


def _numbers_in(questions: Questions, lines: Iterable[Line]) -> dict[str, float]:
    """The measured lines of a worksheet by the names of the answers."""
    names: dict[tuple[str, str], str] = {}
    for one in questions.questions:
        if isinstance(one, Count):
            names |= {(one.number, counted.text): counted.answer for counted in one.classes}
        elif not isinstance(one, NotebookRows):
            names[one.number, one.text] = one.answer
    numbers = dict.fromkeys(questions.answer_names(), math.nan)
    for line in lines:
        with suppress(KeyError, ValueError):  # no line of this part, or no number
            numbers[names[line.number, line.question]] = float(line.answer)
    return numbers


def _fits(questions: Questions, question: Exact, numbers: dict[str, float], authors: str) -> bool:
    texts = {**dict.fromkeys(questions.text_names(), ""), "authors": authors}
    answers = Answers(numbers=numbers, letters=dict.fromkeys(numbers, " "), texts=texts)
    try:
        truth = Worksheet(questions, EvidenceOfWorksheet((answers, answers))).value(question.truth)
    except LabError:
        return False
    tolerance = max(question.tolerance, _ROUNDED)
    return (
        isinstance(truth, (int, float))
        and math.isfinite(truth)
        and matches(numbers[question.answer], truth, tolerance)
    )


def _find_signs(part: Part, records: Mapping[str, Record]) -> list[Sign]:
    """Signs of copying among the worksheets of a class."""
    questions = load_questions(part.root / part.folder)
    judged = {
        name: record.parts[part.name].worksheet
        for name, record in records.items()
        if part.name in record.parts
    }
    sheets = {name: one for name, one in judged.items() if one and one.authors and one.lines}
    personal, signs = personal_questions(questions), []
    for name, sheet in sheets.items():
        numbers = _numbers_in(questions, sheet.lines)
        are_wrong = {(one.number, one.question) for one in sheet.lines if one.state == State.WRONG}
        wrong = [
            one
            for one in personal
            if (one.number, one.text) in are_wrong and math.isfinite(numbers[one.answer])
        ]
        if len(wrong) < _FEWEST:
            continue
        fitting = {
            other: sum(_fits(questions, one, numbers, neighbour.authors) for one in wrong)
            for other, neighbour in sheets.items()
            if neighbour.authors != sheet.authors
        }
        most = max(fitting.values(), default=0)
        best = [other for other, fits in fitting.items() if fits == most >= _FEWEST]
        signs += [
            Sign(
                part=part.name,
                submission=name,
                fits=other,
                numbers=most,
                wrong=len(wrong),
                machines=len(best),
            )
            for other in best[:3]
        ]
    return signs


# --- all of it ---


def evidence(out: Path, records: Mapping[str, Record], others: Sequence[Path] = ()) -> Evidence:
    """Writes evidence.json and evidence.csv. `others`: folders of earlier years, and solutions/."""
    pairs: list[Pair] = []
    notebooks: list[NotebookHistory] = []
    signs: list[Sign] = []
    problems: list[str] = []
    for part in part_folders(ROOT):
        try:
            alike = _find_alike(part, out / "taken", records, others)
            if len(alike) > _MOST_PAIRS:
                listed = f"{len(alike)} similar pairs, of which {_MOST_PAIRS} are listed"
                problems.append(f"{part.name}: {listed}")
            pairs += alike[:_MOST_PAIRS]
        except LabError as fault:
            problems.append(f"{part.name}: {fault}")
        try:
            signs += _find_signs(part, records)
        except LabError as fault:
            problems.append(printable(fault))
        folders = {name: out / "taken" / name / part.folder for name in records}
        notebooks += [
            read_history(name, part, folder) for name, folder in folders.items() if folder.is_dir()
        ]
    found = Evidence(
        pairs=tuple(pairs),
        notebooks=tuple(notebooks),
        hypothetical_machines=tuple(signs),
        problems=tuple(dict.fromkeys(problems)),
    )
    write_text(out / "evidence.json", found.model_dump_json(indent=1) + "\n")
    write_text(out / "evidence.csv", pairs_csv(found.pairs))
    return found
