"""What is made from names: a hypothetical machine from the authors', and the seal of a choice from its own.

A hypothetical machine cannot be measured, and classmates have different ones.
"""

from collections.abc import Callable
from dataclasses import dataclass

from nbody_lab.core.errors import LabError


def _fnv(data: bytes, start: int, prime: int, bits: int) -> int:
    """The FNV-1a hash."""
    for byte in data:
        start = (start ^ byte) * prime % 2**bits
    return start


def _hash_authors(authors: str) -> int:
    """The hash of the names, from letters only, ignoring case; bytes that are not ASCII count as letters."""
    data = authors.encode().lower()
    letters = bytes(byte for byte in data if 0x61 <= byte <= 0x7A or byte >= 0x80)
    if not letters:
        raise LabError("question 0 of the worksheet: the authors' names have no letters")
    number = _fnv(letters, 14695981039346656037, 1099511628211, 64)
    return number ^ (number >> 29)


def seal_of(answer: str, letter: str) -> int:
    """The hash of a choice's right letter, so that it cannot be read in the questions file; computing all four breaks
    it. The letter comes first, to affect every bit; the name gives questions with the same letter different seals."""
    sealed = f"{letter} is the answer to {answer}".encode()
    return _fnv(sealed, 2166136261, 16777619, 32)


Draw = Callable[[int], int]
"""draw(31) returns a number from 0 to 30, independent of earlier draws."""


@dataclass(frozen=True)
class HypotheticalMachine:
    """A machine of each group's own, from the authors' names: its constants, and one line about them, in which
    `{peak:.1f}` is a constant."""

    constants: Callable[[Draw], dict[str, float]]
    text: str

    def constants_of(self, authors: str) -> dict[str, float]:
        left = _hash_authors(authors)

        def draw(count: int) -> int:
            nonlocal left
            left, drawn = divmod(left, count)
            return drawn

        return self.constants(draw)

    def describe(self, authors: str) -> str:
        return self.text.format(**self.constants_of(authors))
