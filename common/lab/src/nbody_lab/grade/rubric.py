"""A rubric as models; a mistake in its file is one line, FILE:LINE: what is wrong."""

import hashlib
import itertools
import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import pydantic
from pydantic import AfterValidator, Field, PlainValidator

from nbody_lab import ROOT
from nbody_lab.building.lab import known_parts
from nbody_lab.core.clean_text import printable, shown
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import LabModel, fault_in, place_of
from nbody_lab.core.words import nearest, plural
from nbody_lab.tasks.questions import load_questions

PUBLISHED = ROOT / "data/rubric.json"

Place = tuple[int | str, ...]
Positive = Annotated[float, Field(gt=0)]


def _threads(value: object) -> int | str:
    if value == "all":
        return "all"
    if type(value) is int and value >= 1:
        return value
    raise ValueError('must be a whole number, at least 1, or "all"')


def parse_moment(text: str) -> datetime | None:
    """An ISO 8601 time, or None. Python before 3.11 does not know Z for UTC."""
    try:
        return datetime.fromisoformat(text[:-1] + "+00:00" if text.endswith("Z") else text)
    except ValueError:
        return None


def _check_deadline(text: str) -> str:
    moment = parse_moment(text)
    if moment is None or moment.tzinfo is None:
        raise ValueError("must be a time with its zone, like 2026-11-20T23:59:59+01:00")
    return text


class _Rule(LabModel):
    model_config = pydantic.ConfigDict(strict=True, allow_inf_nan=False)


class CorrectnessRule(_Rule):
    points: float = Field(ge=0, description="0: only a gate")
    gates: bool = Field(default=True, description="no points for speed without a right row")


class WorksheetRule(_Rule):
    points: Positive
    leave_out: tuple[str, ...] = ()


class NotebookRule(_Rule):
    points: Positive
    rows_for_all: int = Field(ge=1)
    needs_prediction: bool = True


_TITLES = {
    "share_of_solution": "",
    "times_naive": ", over naive",
    "interactions_per_s": ", interactions/s",
}


class SpeedRule(_Rule):
    threads: Annotated[int | str, PlainValidator(_threads)]
    n: int = Field(ge=1)
    scene: str = "plummer"
    points: Positive
    measure: Literal["share_of_solution", "times_naive", "interactions_per_s"]
    bands: tuple[tuple[Positive, Positive], ...] = Field(
        min_length=1, description="(from, points), ascending"
    )
    rows: tuple[str, ...] | None = Field(default=None, description="None: those of the part")

    @property
    def item(self) -> str:
        """The item's name: "speed, 1 thread, 2000 bodies", unique within a part."""
        threads = "all threads" if self.threads == "all" else plural(int(self.threads), "thread")
        scene = "" if self.scene == "plummer" else f", {self.scene}"
        bodies = plural(self.n, "body", "bodies")
        return f"speed, {threads}, {bodies}{scene}{_TITLES[self.measure]}"

    def threads_of(self, cores: int, processes: int) -> int:
        """Of each process: "all" shares the cores out to the ranks, as a program does by itself."""
        if self.threads == "all":
            return max(1, cores // max(1, processes))
        return int(self.threads)

    def points_for(self, value: float) -> float:
        return max((points for begin, points in self.bands if value >= begin), default=0)


class ManualRule(_Rule):
    question: str
    points: Positive


class PartRule(_Rule):
    rows: tuple[str, ...] = Field(default=("mine", "mine_*"), min_length=1)
    correctness: CorrectnessRule | None = None
    worksheet: WorksheetRule | None = None
    notebook: NotebookRule | None = None
    speed: tuple[SpeedRule, ...] = ()
    manual: tuple[ManualRule, ...] = ()

    @pydantic.model_validator(mode="after")
    def _give_rows(self) -> "PartRule":
        """A speed without rows has those of its part."""
        speed = (
            one if one.rows else one.model_copy(update={"rows": self.rows}) for one in self.speed
        )
        object.__setattr__(self, "speed", tuple(speed))
        return self

    def automatic(self) -> list[tuple[str, float]]:
        """(name, points) of each item but the manual ones."""
        on_paper = [
            (name, rule.points)
            for name in ("correctness", "worksheet", "notebook")
            if (rule := getattr(self, name))
        ]
        return [*on_paper, *((speed.item, speed.points) for speed in self.speed)]

    def by_hand(self) -> list[tuple[str, float]]:
        return [(one.question, one.points) for one in self.manual]

    def items(self) -> list[tuple[str, float]]:
        return self.automatic() + self.by_hand()

    @property
    def points(self) -> float:
        return sum(points for _, points in self.items())


class LateRule(_Rule):
    per_day_percent: float = Field(default=0, ge=0, le=100)
    free_days: float = Field(default=0, ge=0)


class Rubric(_Rule):
    version: Literal[1]
    title: str
    maximum: float
    parts: dict[str, PartRule] = Field(min_length=1)
    deadline: Annotated[str, AfterValidator(_check_deadline)] = ""
    late: LateRule = LateRule()
    calibrated_on: str = ""
    _checksum: str = ""

    @property
    def checksum(self) -> str:
        return self._checksum


# --- mistakes in a rubric whose shape is right: (place, what is wrong) ---

Faults = Iterator[tuple[Place, str]]


def _faults_of_bands(speed: SpeedRule, place: Place) -> Faults:
    for k, (before, band) in enumerate(itertools.pairwise(speed.bands), 1):
        for what, now, then in zip(("it begins at", "its points,"), band, before):
            if now <= then:
                above = f"{now:g}, not above {then:g} of the previous one"
                yield (*place, k), f"bands must ascend, but {what} {above}"
    last = speed.bands[-1][1]
    if last != speed.points:
        gives = f"the last band gives {last:g} points, the item has {speed.points:g}"
        yield (*place, len(speed.bands) - 1), f"{gives}: make them equal"


def _questions_of(part: str) -> list[str]:
    """The numbers of a part's questions."""
    folders = [file.parent for file in ROOT.glob(f"{part}_*/questions.py")]
    return [one.number for folder in folders for one in load_questions(folder).questions]


def _faults_of_part(name: str, part: PartRule, place: Place) -> Faults:
    questions = _questions_of(name) if part.worksheet else []
    there = f"it has {questions[0]} to {questions[-1]}" if questions else "it has none"
    for k, number in enumerate(part.worksheet.leave_out if part.worksheet else ()):
        if number not in questions:
            where = (*place, "worksheet", "leave_out", k)
            yield where, f"{name} has no question '{number}'; {there}"
    seen = set()
    for k, speed in enumerate(part.speed):
        where = (*place, "speed", k)
        yield from _faults_of_bands(speed, (*where, "bands"))
        key = (speed.threads, speed.n, speed.scene, speed.measure)
        if key in seen:
            yield where, "another speed has the same threads, n, scene and measure: join them"
        seen.add(key)


def _faults_of_meaning(rubric: Rubric, parts: Sequence[str]) -> Faults:
    questions: dict[str, str] = {}
    for name, part in rubric.parts.items():
        place = ("parts", name)
        if name not in parts:
            close = nearest(name, parts) or "; there are " + ", ".join(parts)
            yield place, f"there is no part '{name}'{close}"
        yield from _faults_of_part(name, part, place)
        for k, one in enumerate(part.manual):  # a row of manual.csv names only the question
            key = " ".join(one.question.split()).lower()
            if key in questions:
                where = (*place, "manual", k, "question")
                yield where, f"{questions[key]} already has this question: reword it"
            questions[key] = name
    total = sum(part.points for part in rubric.parts.values())
    if abs(total - rubric.maximum) > 1e-9:
        sums = f"the points of all items add up to {total:g}, not to {rubric.maximum:g}"
        yield ("maximum",), sums


# --- reading ---

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s,:\[\]{}"]+')


def _lines_of(text: str) -> dict[Place, int]:
    """The line of each key and element of JSON that json accepts. Raises LabError for a key given twice: LINE: what."""
    lines: dict[Place, int] = {(): 1}
    path: list[int | str] = []
    before = ""
    for token in _TOKEN.finditer(text):
        word, line = token[0], text.count("\n", 0, token.start()) + 1
        if word in "]}":
            path.pop()
        elif word == "," and isinstance(path[-1], int):
            path[-1] += 1
        elif before in ("{", ",") and path and not isinstance(path[-1], int):
            path[-1] = json.loads(word)
            if tuple(path) in lines:
                first = lines[tuple(path)]
                raise LabError(f"{line}: '{path[-1]}' is given twice: first in line {first}")
            lines[tuple(path)] = line
        elif word not in ",:":
            lines.setdefault(tuple(path), line)
        if word in "[{":
            path.append(0 if word == "[" else "")
        before = word
    return lines


_KEYS = {
    name
    for model in (Rubric, PartRule, CorrectnessRule, WorksheetRule, NotebookRule, SpeedRule)
    for name in model.model_fields
}


def _fault_of_shape(error: pydantic.ValidationError) -> tuple[Place, str]:
    """A key that is not known says more than the one that is missing for it."""
    unknown = [one["loc"] for one in error.errors() if one["type"] == "extra_forbidden"]
    if unknown:
        return unknown[0], f"is not known here{nearest(str(unknown[0][-1]), _KEYS)}"
    first = error.errors()[0]
    place = first["loc"]
    if "bands" in place and first["type"] != "greater_than":
        return place, "needs bands of two numbers: [from, points]"
    return place, fault_in(error).removeprefix(place_of(place)).strip()


def _parse(content: bytes, parts: Sequence[str]) -> Rubric:
    """Raises LabError for the first mistake: LINE: where and what."""
    try:
        text = content.decode("utf-8-sig")
        json.loads(text)
        lines = _lines_of(text)
    except UnicodeDecodeError as fault:
        line = content.count(10, 0, fault.start) + 1
        raise LabError(f"{line}: not UTF-8: save it as UTF-8") from fault
    except json.JSONDecodeError as fault:
        what = f"{fault.msg[0].lower()}{fault.msg[1:]}, in column {fault.colno}"
        raise LabError(f"{fault.lineno}: not valid JSON: {what}") from fault
    except RecursionError as fault:
        raise LabError("1: nested too deeply") from fault
    try:
        rubric = Rubric.model_validate_json(text)
        found = next(_faults_of_meaning(rubric, parts), None)
    except pydantic.ValidationError as error:
        found = _fault_of_shape(error)
    if found:
        place, what = found
        parents = (place[:k] for k in range(len(place), -1, -1))
        line = next(lines[parent] for parent in parents if parent in lines)
        raise LabError(f"{line}: {f'{place_of(place)}: ' if place else ''}{what}")
    return rubric


def read_named(file: Path | str) -> bytes:
    """What a file holds that somebody named. Raises LabError."""
    try:
        return Path(file).read_bytes()
    except OSError as fault:
        why = f"cannot be read ({fault.strerror}): check the name"
        raise LabError(f"{printable(file)}: {why}") from fault


def read_rubric(file: Path | str, parts: Sequence[str] | None = None) -> Rubric:
    """Raises LabError for the first mistake."""
    content = read_named(file)
    try:
        rubric = _parse(content, parts or known_parts())
    except LabError as fault:
        raise LabError(f"{shown(file)}:{fault}") from fault
    rubric._checksum = f"sha256:{hashlib.sha256(content).hexdigest()}"
    return rubric
