"""Whose submission is it, and how does its source lose its author? Reads the names in its worksheets as text, because
compiling them would run a stranger's code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from nbody_lab.core.clean_text import clean, folded, printable

if TYPE_CHECKING:
    from nbody_lab.grade.overlay import Taken
    from nbody_lab.grade.submissions import Submission

_MOST_AUTHORS, _LONGEST_NAME, MOST_READ = 10, 80, 64 << 10
# Lengths are bounded, so that no crafted text takes minutes.
_COMMENT_OR_STRING = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)|R"([^()\\\s"]{0,16})\((.{0,1000}?)\)\1"|"(?:[^"\\\n]|\\.){0,1000}"|'(?:[^'\\\n]|\\.)'""",
    re.DOTALL,
)
_ANSWER = re.compile(r"\bauthors\s*(?:=|\{|\()[\s{(]*((?:\x00\d+\x00\s*)+)")
_ESCAPE = re.compile(
    r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", re.DOTALL
)
_BETWEEN = re.compile(r"\s*(?:[,;&/+\n]|\band\b|\bund\b|\bet\b)\s*")


def _unescape(found: re.Match[str]) -> str:
    word = found[1]
    try:
        if word[0] in "uUx":
            return chr(int(word[1:], 16))
        return chr(int(word, 8)) if word[0] in "01234567" else {"n": "\n", "t": " "}.get(word, word)
    except (ValueError, OverflowError):
        return ""


def find_answer(text: str) -> str:
    """The text of `authors`; empty if it is not answered."""
    strings: list[str] = []

    def take_out(found: re.Match[str]) -> str:
        if found[0][0] in "/'":
            return " "
        strings.append(found[2] if found[2] is not None else _ESCAPE.sub(_unescape, found[0][1:-1]))
        return f"\x00{len(strings) - 1}\x00"

    found = _ANSWER.search(_COMMENT_OR_STRING.sub(take_out, text[:MOST_READ].replace("\x00", " ")))
    return "".join(strings[int(number)] for number in re.findall(r"\d+", found[1])) if found else ""


def split_names(answer: str) -> list[str]:
    """["Ada Lovelace", "Charles Babbage"]"""
    names = [
        " ".join(printable(one).split())[:_LONGEST_NAME].strip()
        for one in _BETWEEN.split(answer[:1000])
    ]
    return _each_once(names)[:_MOST_AUTHORS]


def _each_once(names: Iterable[str]) -> list[str]:
    """Without duplicates, in the first spelling."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(key_of(name), name)
    return [name for key, name in found.items() if key]


def key_of(name: str) -> str:
    """The same for "Anna Smith", "Smith Anna" and "SMITH, Anná"."""
    return " ".join(sorted(re.findall(r"[^\W_]+", folded(name))))


def _authors_in(taken: Taken) -> list[tuple[str, list[str]]]:
    """[(target, [names])] of the worksheets with authors."""
    found = []
    for target, path in sorted(taken.files.items()):
        if target.endswith("/worksheet.hpp"):
            names = split_names(find_answer(path.read_bytes().decode("utf-8", "replace")))
            found += [(target, names)] if names else []
    return found


def identified(submission: Submission, taken: Taken) -> tuple[Submission, list[str]]:
    """(the submission with its authors, problems). The names in worksheets count; without any, the platform's."""
    found, problems = _authors_in(taken), []
    authors = _each_once([one for _, names in found for one in names])
    sets = {frozenset(map(key_of, names)) for _, names in found}
    if len(sets) > 1:
        problems.append(
            "the worksheets name different authors: "
            + "; ".join(f"{target}: {', '.join(one)}" for target, one in found)
        )
    told = [one for one in submission.who.authors if key_of(one) != "participant"]
    if found and told and not any(is_named(one, authors) for one in told):
        problems.append(
            f"handed in by {', '.join(map(printable, told))}, but the worksheet names {', '.join(authors)}"
        )
    if authors:
        who = submission.who.model_copy(update={"authors": tuple(authors)})
        submission = submission._replace(who=who)
    return submission, problems


def is_named(name: str, authors: Iterable[str]) -> bool:
    """Whether `name` is an author, with or without a middle name or a group's name in front."""
    words = set(key_of(name).split())
    return any(
        words <= set(key.split()) or set(key.split()) <= words for key in map(key_of, authors)
    )


# --- removing the author from source text, as far as a program can ---

# Comments and strings with these go. All repetitions are bounded: a text of 200 kB takes less than a second.
_E_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}\.\w")
_PATH = re.compile(r"(?<![\w.])(/(home|Users|root|mnt|media|tmp|afs|scratch)/|~/|[A-Za-z]:\\)")
_SIGNED = re.compile(
    r"@author|\bauthors?\s{0,9}[:=]|\b(written|made|coded) by\b|\bcopyright\b|\(c\)\s{0,9}\d{4}",
    re.IGNORECASE,
)
_SHORTEST_NAME = 3  # letters: "Bo" would hide too many comments
_INCLUDE = re.compile(r'^([ \t]*#[ \t]*include[ \t]*)"([^"\n]+)"', re.MULTILINE)
_MARK = "\x00"  # stands for an include while strings are looked at


class Names:
    """What identifies a submission: words of its authors' names, its number, and full names of the rest of the class."""

    def __init__(self, own: Iterable[str], number: str, everybody: Iterable[str]) -> None:
        self.words = {
            word
            for name in own
            for word in re.findall(r"[^\W\d_]+", folded(name))
            if len(word) >= _SHORTEST_NAME
        }
        full = {
            r"\s{1,9}".join(map(re.escape, folded(name).split()))
            for name in everybody
            if len(name.split()) > 1
        }
        patterns = sorted({*self.words, *full, *([re.escape(number)] if number else [])})
        self._any = re.compile(rf"(?<![^\W_])(?:{'|'.join(patterns) or '(?!)'})(?![^\W_])")

    def give_away(self, text: str) -> bool:
        return any(one.search(text) for one in (_E_MAIL, _PATH, _SIGNED)) or bool(
            self._any.search(folded(text))
        )

    def left_in(self, code: str) -> list[str]:
        """Identifiers that contain a name, such as AnnasLoop: renaming could break the code, so a person looks at them."""
        return sorted(
            word
            for word in set(re.findall(r"[A-Za-z_]\w*", code))
            if any(
                part in self.words or (part.endswith("s") and part[:-1] in self.words)
                for part in map(str.lower, re.findall(r"[A-Z]?[a-z]+|[A-Z]+", word))
            )
        )


def remove_author(text: str, names: Names, headers: Mapping[str, str]) -> str:
    """The text without what names.give_away(), on the same lines. `headers`: {name of an own file: its new name}."""
    text = clean(text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4).replace(_MARK, " "))
    included: list[str] = []

    def keep_include(found: re.Match[str]) -> str:
        included.append(f'{found[1]}"{headers.get(found[2].rpartition("/")[2], found[2])}"')
        return f"{_MARK}{len(included) - 1}{_MARK}"

    def judge(found: re.Match[str]) -> str:
        if not names.give_away(found[0]):
            return found[0]
        lines = "\n" * found[0].count("\n")
        return lines if found[0][0] == "/" else f'"removed"{lines}'

    text = _COMMENT_OR_STRING.sub(judge, _INCLUDE.sub(keep_include, text))
    text = re.sub(f"{_MARK}(\\d+){_MARK}", lambda found: included[int(found[1])], text)
    return "\n".join(line.rstrip(" \t") for line in text.split("\n"))


def without_comments(text: str) -> str:
    """Nor strings."""
    return _COMMENT_OR_STRING.sub(" ", text)
