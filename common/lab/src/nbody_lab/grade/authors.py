"""Whose a submission is: the names in its worksheets count; without any, the platform's."""

import re
from collections.abc import Iterable

from nbody_lab.core.clean_text import folded, printable
from nbody_lab.grade.models import HandedIn, JudgedWorksheet

_BETWEEN = re.compile(r"\s*(?:[,;&/+\n]|\band\b|\bund\b|\bet\b)\s*")
_MOST, _LONGEST = 10, 80


def _words(name: str) -> frozenset[str]:
    """The same for "Anna Smith", "Smith Anna" and "SMITH, Anná"."""
    return frozenset(re.findall(r"[^\W_]+", folded(name)))


def identified(who: HandedIn, sheets: Iterable[JudgedWorksheet | None]) -> tuple[HandedIn, str]:
    """(with its authors, each once in the first spelling; what a person should look at)"""
    found: dict[frozenset[str], str] = {}
    for part in _BETWEEN.split(", ".join(sheet.authors for sheet in sheets if sheet)[:1000]):
        name = " ".join(printable(part).split())[:_LONGEST].strip()
        found.setdefault(_words(name), name)
    found.pop(frozenset(), None)
    authors = list(found.values())[:_MOST]
    told = [name for name in who.authors if name != "Participant"]  # of blind marking
    # With or without a middle name or a group's name in front.
    fits = any(_words(name) <= words or _words(name) >= words for name in told for words in found)
    who = who.model_copy(update={"authors": tuple(authors)}) if authors else who
    if fits or not (told and authors):
        return who, ""
    return who, f"handed in by {', '.join(told)}, but the worksheet names {', '.join(authors)}"
