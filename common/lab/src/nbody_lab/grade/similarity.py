"""How much of one source occurs in another: runs of tokens that both share, found by winnowing. Names, numbers, blanks and
comments make no difference. Whatever occurs in the given code is removed first, and what repeats itself is cut."""

import re
import time
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from nbody_lab.core.errors import LabError
from nbody_lab.core.model import LabModel
from nbody_lab.grade.models import Text

# A run of at least _GRAM + _WINDOW - 1 tokens is always found.
_GRAM, _WINDOW = 20, 5
_FEWEST_TOKENS = 60  # of a file, besides given code: less is alike by chance
_LONGEST_PERIOD = 8  # tokens: a table of zeros has 2
_MOST_PLACES = 4  # per fingerprint and file
_MOST_RUNS = 5  # per pair
_LONGEST_TEXT = 256 << 10  # bytes: nothing longer can be handed in
_SECONDS = 120

_TOKEN = re.compile(
    r"""(?P<blank>\s+|//[^\n]*|/\*.*?(?:\*/|\Z)|\#[ \t]*include[^\n]*)
    |(?P<string>"(?:[^"\\\n]|\\.){0,1000}"|'(?:[^'\\\n]|\\.){1,9}')
    |(?P<number>\.?\d(?:[\w.']|(?<=[eEpP])[+-])*)
    |(?P<word>[^\W\d]\w*)
    |(?P<sign>->|::|[-+*/%&|^<>=!]=|\+\+|--|&&|\|\||<<|>>|<%|%>|<:|:>|%:|.)""",
    re.DOTALL | re.VERBOSE,
)
_KEYWORDS = frozenset(
    """auto bool break case catch class const constexpr continue do double else enum false float for if inline int long
    namespace new operator private public return short signed sizeof static struct switch template this throw true try
    typename unsigned using virtual void while""".split()
)
_SPELLED = {
    "<%": "{",
    "%>": "}",
    "<:": "[",
    ":>": "]",
    "%:": "#",
    "and": "&&",
    "or": "||",
    "not": "!",
    "not_eq": "!=",
    "bitand": "&",
    "bitor": "|",
}


class Run(LabModel):
    """Tokens that two files share, and their lines in each."""

    tokens: int
    first_lines: tuple[int, int]
    second_lines: tuple[int, int]


class Pair(LabModel):
    part: Text = ""
    first: Text
    second: Text
    share: float = Field(description="of the smaller file that occurs in the other, 0 to 1")
    tokens: int = Field(description="of all their runs")
    longest_run: int = 0
    both_resemble: tuple[Text, ...] = ()
    explained: float = Field(
        default=0, description="of its tokens, what both have in common with the same older file"
    )
    runs: tuple[Run, ...] = Field(default=(), description="the longest")


@dataclass(frozen=True)
class _Tokens:
    """A file as a text with one letter per token, and the line of each."""

    owner: str
    letters: str
    lines: Sequence[int]
    size: int  # without given code


_LETTERS: dict[str, str] = {}  # of each token
_GIVEN = "\0"  # stands for given code


def _cut_repetitions(letters: list[str], lines: list[int]) -> None:
    """If the last tokens came three times in a row, two are enough."""
    for period in range(1, _LONGEST_PERIOD + 1):
        last = letters[-period:]
        if last == letters[-2 * period : -period] == letters[-3 * period : -2 * period]:
            del letters[-period:], lines[-period:]
            return


def _read_tokens(path: Path) -> tuple[str, list[int]]:
    """One letter per token, and its line."""
    text = path.read_bytes()[:_LONGEST_TEXT].decode("utf-8", "replace")
    letters: list[str] = []
    lines: list[int] = []
    line = 1
    for found in _TOKEN.finditer(text):
        kind, token = found.lastgroup, found[0]
        if kind != "blank":
            token = _SPELLED.get(token, token)
            if kind == "word" and token not in _KEYWORDS and token[0].isidentifier():
                token = "name"
            elif kind in ("string", "number"):
                token = kind
            letters.append(_LETTERS.setdefault(token[:9], chr(0x100 + len(_LETTERS))))
            lines.append(line)
            _cut_repetitions(letters, lines)
        line += found[0].count("\n")
    return "".join(letters), lines


def owner_of(label: str) -> str:
    """The owner in "OWNER: FILE"; a label without a colon is its own owner."""
    return label.split(": ", 1)[0]


def _without_given(label: str, path: Path, given: frozenset[str]) -> _Tokens:
    letters, lines = _read_tokens(path)
    kept = list(letters)
    for at in range(len(letters) - _GRAM + 1):
        if letters[at : at + _GRAM] in given:
            kept[at : at + _GRAM] = _GIVEN * _GRAM
    size = len(kept) - kept.count(_GIVEN)
    return _Tokens(owner_of(label), "".join(kept), lines, size)


def _fingerprints(letters: str) -> Iterator[tuple[int, int]]:
    """(hash, place): the smallest hash of each window of grams."""
    grams = [letters[at : at + _GRAM] for at in range(len(letters) - _GRAM + 1)]
    hashes = [-1 if _GIVEN in gram else zlib.crc32(gram.encode()) for gram in grams]
    taken = -1
    for first in range(max(1, len(hashes) - _WINDOW + 1)):
        window = [(hashes[at], at) for at in range(first, min(first + _WINDOW, len(hashes)))]
        smallest, at = min((one for one in window if one[0] >= 0), default=(-1, -1))
        if smallest >= 0 and at != taken:
            taken = at
            yield smallest, at


def _shared_runs(
    one: _Tokens, other: _Tokens, places: Sequence[tuple[int, int]]
) -> list[tuple[int, int, int]]:
    """(tokens, place in one, place in the other) of each longest run around shared fingerprints."""
    runs = []
    ends: dict[int, int] = {}  # of the last run on each diagonal
    for at, place in sorted(places):
        if at < ends.get(at - place, 0):
            continue
        first, last, shift = at, at + _GRAM, place - at
        a, b = one.letters, other.letters
        while first and first + shift and a[first - 1] == b[first - 1 + shift] != _GIVEN:
            first -= 1
        while last < len(a) and last + shift < len(b) and a[last] == b[last + shift] != _GIVEN:
            last += 1
        ends[at - place] = last
        runs.append((last - first, first, first + shift))
    return sorted(runs, key=lambda run: (-run[0], run[1], run[2]))


def _pair_of(
    labels: tuple[str, str], files: Mapping[str, _Tokens], places: Sequence[tuple[int, int]]
) -> Pair:
    one, other = files[labels[0]], files[labels[1]]
    runs = _shared_runs(one, other, places)
    covered = [
        len({at for run in runs for at in range(run[which], run[which] + run[0])})
        for which in (1, 2)
    ]
    return Pair(
        first=labels[0],
        second=labels[1],
        share=round(min(1, min(covered) / min(one.size, other.size)), 3),
        tokens=min(covered),
        longest_run=runs[0][0],
        runs=tuple(
            Run(
                tokens=tokens,
                first_lines=(one.lines[at], one.lines[at + tokens - 1]),
                second_lines=(other.lines[place], other.lines[place + tokens - 1]),
            )
            for tokens, at, place in runs[:_MOST_RUNS]
        ),
    )


def compare(
    new: Mapping[str, Path],
    old: Mapping[str, Path],
    given: Sequence[Path],
    seconds: float = _SECONDS,
) -> list[Pair]:
    """Compares each new file with all others, but old ones not with each other, nor two of the same owner. The pairs are
    sorted, most similar first. Raises LabError if it takes longer."""
    until = time.monotonic() + seconds

    def require_time() -> None:
        if time.monotonic() > until:
            raise LabError(f"comparing took longer than {seconds:g} s: similarity was left out")

    grams = frozenset(
        letters[at : at + _GRAM]
        for letters, _ in map(_read_tokens, given)
        for at in range(len(letters) - _GRAM + 1)
    )
    files: dict[str, _Tokens] = {}
    where: dict[int, dict[str, list[int]]] = defaultdict(dict)
    for label, path in {**new, **old}.items():
        require_time()
        tokens = _without_given(label, path, grams)
        if tokens.size < _FEWEST_TOKENS:
            continue
        files[label] = tokens
        for fingerprint, at in _fingerprints(tokens.letters):
            where[fingerprint].setdefault(label, []).append(at)
    shared: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for places in where.values():
        require_time()
        for one, other in combinations(places, 2):
            if one in new and files[one].owner != files[other].owner:
                shared[one, other] += [
                    (at, place)
                    for at in places[one][:_MOST_PLACES]
                    for place in places[other][:_MOST_PLACES]
                    if files[one].letters[at : at + _GRAM]
                    == files[other].letters[place : place + _GRAM]
                ]
    pairs = [_pair_of(labels, files, places) for labels, places in shared.items() if places]
    return sorted(pairs, key=lambda pair: (-pair.share, -pair.tokens, pair.first, pair.second))


class Group(NamedTuple):
    """Files that are nearly the same, directly or through others."""

    part: str
    files: list[str]
    pairs: list[Pair]


def grouped(pairs: Sequence[Pair], least: float) -> tuple[list[Group], list[Pair]]:
    """(groups by pairs that share at least this, the pairs outside of them), each in order."""
    group_of: dict[tuple[str, str], set[str]] = {}
    for pair in pairs:
        if pair.share >= least:
            ends = [(pair.part, side) for side in (pair.first, pair.second)]
            joined = {file for end in ends for file in group_of.get(end, {end[1]})}
            group_of.update({(pair.part, file): joined for file in joined})
    found: dict[int, Group] = {}
    others = []
    for pair in pairs:
        files = group_of.get((pair.part, pair.first), set())
        if pair.second in files:
            group = found.setdefault(id(files), Group(pair.part, sorted(files), []))
            group.pairs.append(pair)
        else:
            others.append(pair)
    return list(found.values()), others
