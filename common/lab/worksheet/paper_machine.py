"""What is made of the authors' names and of letters by hashes: a machine on paper, and the seals of choices.

A paper machine cannot be measured, and neighbours have different ones.
"""

from notebook_file import InputError
from worksheet.expression import BadExpression, value


def fnv(data, start, prime, bits):
    """FNV-1a."""
    for byte in data:
        start = (start ^ byte) * prime % 2 ** bits
    return start


def hash_of_authors(authors):
    """Only letters count, and not their case; what is not ASCII counts as it is."""
    data = authors.encode("utf-8", "surrogateescape").lower()
    letters = bytes(byte for byte in data if 0x61 <= byte <= 0x7A or byte >= 0x80)
    if not letters:
        raise InputError("question 0 of the worksheet: the authors' names have no letters")
    number = fnv(letters, 14695981039346656037, 1099511628211, 64)
    return number ^ (number >> 29)


def seal_of(answer, letter):
    """Seals a choice's right letter, so that it cannot be read in the questions file. It is no protection from one
    who computes all four. The letter comes first, so that it changes every bit; the name makes the seals of two
    questions with the same letter differ."""
    return fnv(f"{letter} is the answer to {answer}".encode("utf-8", "surrogateescape"), 2166136261, 16777619, 32)


class Drawn:
    """draw(31) is a number from 0 to 30, independent of those drawn before."""

    def __init__(self, number):
        self.left = number

    def draw(self, count):
        self.left, drawn = divmod(self.left, count)
        return drawn


class PaperMachine:
    """`constants`: {name: Expression}, in order; each may use those before it. `text`: one line about it, in which
    {peak:.1f} is a constant."""

    def __init__(self, constants, text):
        self.constants, self.text = constants, text

    def of(self, authors):
        """{name: value}"""
        drawn, found = Drawn(hash_of_authors(authors)), {}
        for name, expression in self.constants.items():
            found[name] = value(expression, found, {"draw": drawn.draw})
        return found

    def about(self, authors):
        return self.text.format(**self.of(authors))

    def check(self):
        """Raises BadExpression."""
        try:
            self.about("Ada Lovelace")
        except (KeyError, IndexError, ValueError, TypeError, AttributeError) as fault:
            raise BadExpression(f"its text or a constant cannot be made: {fault}") from None
