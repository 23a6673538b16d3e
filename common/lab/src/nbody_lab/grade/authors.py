"""Whose a submission is: the names in its worksheets count; without any, the platform's."""

import re
from collections import defaultdict
from collections.abc import Iterable

from nbody_lab.core.clean_text import folded, printable
from nbody_lab.grade.models import HandedIn, JudgedWorksheet, Marks

Person = frozenset[str]
_BETWEEN = re.compile(r"\s*(?:[,;&/+\n]|\band\b|\bund\b|\bet\b)\s*")
_MOST, _LONGEST = 10, 80


def person(name: str) -> Person:
    """The words of a name: the same for "Anna Smith", "Smith Anna" and "SMITH, Anná"."""
    return frozenset(re.findall(r"[^\W_]+", folded(name)))


def identified(who: HandedIn, sheets: Iterable[JudgedWorksheet | None]) -> tuple[HandedIn, str]:
    """(with its authors, each once in the first spelling; what a person should look at)"""
    found: dict[Person, str] = {}
    for part in _BETWEEN.split(", ".join(sheet.authors for sheet in sheets if sheet)[:1000]):
        name = " ".join(printable(part).split())[:_LONGEST].strip()
        found.setdefault(person(name), name)
    found.pop(frozenset(), None)
    authors = list(found.values())[:_MOST]
    told = [name for name in who.authors if name != "Participant"]  # of blind marking
    # With or without a middle name or a group's name in front.
    fits = any(person(name) <= words or person(name) >= words for name in told for words in found)
    who = who.model_copy(update={"authors": tuple(authors)}) if authors else who
    if fits or not (told and authors):
        return who, ""
    return who, f"handed in by {', '.join(told)}, but the worksheet names {', '.join(authors)}"


def submissions_of(everybody: Iterable[HandedIn | Marks]) -> dict[Person, list[str]]:
    """{author: names of submissions}. In several, which of them counts is for a person to decide."""
    found: dict[Person, list[str]] = defaultdict(list)
    for one in everybody:
        for author in {person(author) for author in one.authors} - {frozenset()}:
            found[author].append(one.name)
    return found
