"""./lab grade --board: a page of prizes for those of a graded class who want to be on it, by pseudonyms."""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from nbody_lab.core.clean_text import folded, harmless
from nbody_lab.core.console import show
from nbody_lab.core.html import in_digits, in_percent
from nbody_lab.core.messages import UserError
from nbody_lab.core.model import load
from nbody_lab.core.whole_file import write_text
from nbody_lab.grade.decisions import UNKNOWN_TIME, BoardRow, find_submission, plain, read_board
from nbody_lab.grade.kept import read_records
from nbody_lab.grade.models import HandedIn, Record, Results, Row, Speed
from nbody_lab.grade.pages import render_page
from nbody_lab.grade.score_items import NO_ROWS

_FEWEST_PREDICTIONS = 3
_PLACES = 3


class Prize(NamedTuple):
    title: str
    what: str
    text: Callable[[float], str]
    value_of: Callable[[Record], float | None]  # the largest wins


class Place(NamedTuple):
    pseudonym: str
    value: str


def _sound_speeds(record: Record) -> list[Speed]:
    """Of rows that passed; what a person has to look at first wins nothing."""
    rows: list[Row] = [row for part in record.parts.values() for row in part.rows]
    passed = [row for row in rows if row.check and row.check.verdict == "passed"]
    return [one for row in passed for one in row.speed if one.outcome == "right" and one.is_sound]


def _share_of_bound(record: Record) -> float | None:
    shares = [
        one.interactions_per_s / one.bound_interactions_per_s
        for one in _sound_speeds(record)
        if one.interactions_per_s and one.bound_interactions_per_s
    ]
    return max(shares, default=None)


def _over_naive(record: Record) -> float | None:
    return max((one.times_naive for one in _sound_speeds(record) if one.times_naive), default=None)


def _prediction(record: Record) -> float | None:
    """How near the usual prediction came: 1 is exact, 0.5 is twice or half of what was measured."""
    books = [part.notebook for part in record.parts.values() if part.notebook]
    misses = [
        abs(math.log(row.measured / row.expected))
        for book in books
        for row in book.rows
        if row.expected and row.measured and min(row.expected, row.measured) > 0
    ]
    return math.exp(-median(misses)) if len(misses) >= _FEWEST_PREDICTIONS else None


PRIZES = (
    Prize(
        "Closest to the bound",
        "the largest share of the speed that the machine allows",
        lambda value: f"{in_percent(value)} %",
        _share_of_bound,
    ),
    Prize(
        "Furthest from naive",
        "the largest gain over naive, timed beside it",
        lambda value: f"{in_digits(value)} times",
        _over_naive,
    ),
    Prize(
        "Best prophet",
        f"the median of the notebook's predictions, of {_FEWEST_PREDICTIONS} at least",
        lambda value: f"off by a factor of {in_digits(1 / value)}",
        _prediction,
    ),
)


def pseudonyms_of(rows: Sequence[BoardRow], submissions: Sequence[HandedIn]) -> dict[str, str]:
    """By the submission's name; "" if one of its authors has no row. Raises UserError."""
    groups = {one.name: {plain(who) for who in one.authors} for one in submissions}
    found: dict[str, dict[str, BoardRow]] = defaultdict(dict)
    for row in rows:
        name = find_submission(row, submissions)
        who = plain(row.who) if len(groups[name]) > 1 else ""
        if who and who not in groups[name]:
            raise UserError(f"{row.where}: {name} is of several authors: write a row for each")
        before = next(iter(found[name].values()), row)
        if who in found[name]:
            raise UserError(
                f"{row.where}: {name} is in {found[name][who].where}, too: keep one of them"
            )
        if row.pseudonym != before.pseudonym:
            raise UserError(
                f"{row.where}: another author of {name} has '{harmless(before.pseudonym)}' in "
                f"{before.where}: choose one for both"
            )
        found[name][who] = row
    return {
        name: "" if len(ones) < len(groups[name]) else harmless(next(iter(ones.values())).pseudonym)
        for name, ones in found.items()
    }


def _words_of(*texts: str) -> set[str]:
    """Its words, and what they are without blanks: no capitals, accents and underscores."""
    found = set()
    for text in texts:
        words = re.findall(r"[^\W_]+", folded(text))
        found |= {*words, "".join(words)}
    return found - {""}


def places(prize: Prize, records: Sequence[Record], pseudonyms: dict[str, str]) -> list[Place]:
    """The best of those who are on the board."""
    found = [
        (value, pseudonyms[record.submission.name])
        for record in records
        if record.submission.name in pseudonyms and (value := prize.value_of(record)) is not None
    ]
    found.sort(key=lambda one: (-one[0], one[1]))
    return [Place(name, prize.text(value)) for value, name in found[:_PLACES]]


def board_page(title: str, records: Sequence[Record], pseudonyms: dict[str, str]) -> str:
    """Who is flagged has no pseudonym here. Raises UserError if a pseudonym says who it is."""
    students = [one.submission for one in records]
    names = _words_of(
        *(text for one in students for text in (*one.authors, one.student_id, one.name))
    )
    for submission, pseudonym in pseudonyms.items():
        if names & _words_of(pseudonym):
            raise UserError(f"board.csv: the pseudonym of {submission} names a student")
    if len(set(map(plain, pseudonyms.values()))) < len(pseudonyms):
        raise UserError("board.csv: two have the same pseudonym: choose another")
    won = [(prize, places(prize, records, pseudonyms)) for prize in PRIZES]
    contents = {f"prize{number}": prize.title for number, (prize, _) in enumerate(won, 1)}
    return render_page("board.html.j2", f"{title}: the board", contents, "", prizes=won)


def write_board(graded: Path) -> None:
    results, records = load(Results, graded / "results.json"), read_records(graded)
    chosen = pseudonyms_of(read_board(graded / "board.csv"), [one.submission for one in records])
    whole = {name: pseudonym for name, pseudonym in chosen.items() if pseudonym}
    usual = {UNKNOWN_TIME, NO_ROWS}
    flagged = {one.name for one in results.submissions if set(one.flags) - usual}
    kept = {name: pseudonym for name, pseudonym in whole.items() if name not in flagged}
    write_text(graded / "board.html", board_page(results.title, records, kept))
    told = [f"{len(kept)} on it"]
    if len(kept) < len(whole):
        told.append(f"{len(whole) - len(kept)} left out until their flags are decided")
    if len(whole) < len(chosen):
        names = ", ".join(name for name in chosen if name not in whole)
        told.append(f"left out because an author has no row: {names}")
    show(f"written: {graded / 'board.html'}: {', '.join(told)}")
