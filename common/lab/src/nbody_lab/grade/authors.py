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


def split_names(answer: str) -> list[str]:
    """["Ada Lovelace", "Charles Babbage"]: each once, in the first spelling."""
    found: dict[frozenset[str], str] = {}
    for part in _BETWEEN.split(answer[:1000]):
        name = " ".join(printable(part).split())[:_LONGEST].strip()
        found.setdefault(_words(name), name)
    return [name for words, name in found.items() if words][:_MOST]


def is_named(name: str, authors: Iterable[str]) -> bool:
    """Whether `name` is an author, with or without a middle name or a group's name in front."""
    words = _words(name)
    return any(words <= _words(one) or words >= _words(one) for one in authors)


def identified(who: HandedIn, sheets: Iterable[JudgedWorksheet | None]) -> tuple[HandedIn, str]:
    """(with its authors, what a person should look at)"""
    authors = split_names(", ".join(sheet.authors for sheet in sheets if sheet))
    if not authors:
        return who, ""
    told = ", ".join(name for name in who.authors if name != "Participant")  # of blind marking
    problem = f"handed in by {told}, but the worksheet names {', '.join(authors)}"
    is_strange = told and not any(is_named(name, authors) for name in who.authors)
    return who.model_copy(update={"authors": tuple(authors)}), problem if is_strange else ""
