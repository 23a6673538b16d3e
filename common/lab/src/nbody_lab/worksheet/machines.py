"""The machines that questions ask about: one on paper, hashed from the authors' names, as are the seals of choices; and
this one.

A paper machine cannot be measured, and classmates have different ones.
"""

from pathlib import Path

from nbody_lab.core import cpuinfo
from nbody_lab.notebook.file import InputError
from nbody_lab.worksheet.expression import BadExpression, value
from nbody_lab.worksheet.roofline_inputs import MEASURE, NoInput, read_ceilings, shown


def fnv(data, start, prime, bits):
    """The FNV-1a hash."""
    for byte in data:
        start = (start ^ byte) * prime % 2**bits
    return start


def hash_of_authors(authors):
    """The hash of the names, from letters only, ignoring case; bytes that are not ASCII count as letters."""
    data = authors.encode("utf-8", "surrogateescape").lower()
    letters = bytes(byte for byte in data if 0x61 <= byte <= 0x7A or byte >= 0x80)
    if not letters:
        raise InputError("question 0 of the worksheet: the authors' names have no letters")
    number = fnv(letters, 14695981039346656037, 1099511628211, 64)
    return number ^ (number >> 29)


def seal_of(answer, letter):
    """The hash of a choice's right letter, so that it cannot be read in the questions file; computing all four breaks
    it. The letter comes first, to affect every bit; the name gives questions with the same letter different seals."""
    return fnv(
        f"{letter} is the answer to {answer}".encode("utf-8", "surrogateescape"),
        2166136261,
        16777619,
        32,
    )


class Drawn:
    """draw(31) returns a number from 0 to 30, independent of earlier draws."""

    def __init__(self, number):
        self.left = number

    def draw(self, count):
        self.left, drawn = divmod(self.left, count)
        return drawn


class PaperMachine:
    """`constants`: {name: Expression}, in order; each may use earlier ones. `text`: a line about the machine, with
    constants as {peak:.1f}."""

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
            raise BadExpression(f"its text or a constant cannot be computed: {fault}") from None


# The ceilings of this machine: build/ceilings.json, which ./lab roofline --measure writes (docs/file_formats.md).
NO_NAME = "unknown CPU"  # as in common/machine/machine.cpp


def name_of_processor(text=None):
    """The processor's name from the kernel; NO_NAME if it gives none. `text`: /proc/cpuinfo of another machine."""
    return cpuinfo.fields(text).get("model name") or NO_NAME


class Ceilings:
    """The rows of the file. None if it is missing, invalid or of another machine: `why_none` gives the reason."""

    def __init__(self, rows=(), why_none=""):
        self.rows, self.why_none = list(rows), why_none

    @classmethod
    def of_this_machine(cls, file, processor=None):
        if not Path(file).exists():
            return cls()
        try:
            told = read_ceilings(file)
        except NoInput as fault:
            return cls(why_none=str(fault))
        if told["machine"]["cpu"] != (name_of_processor() if processor is None else processor):
            return cls(
                why_none=f"{shown(file)} is for another processor ({told['machine']['cpu']}): {MEASURE} measures this one"
            )
        return cls(told["ceilings"])

    def with_doubtful(self):
        """The same, with disturbed rows as if nothing had disturbed them."""
        return Ceilings({**row, "is_ceiling": True} for row in self.rows)

    def best(self, columns):
        """The highest value of the rows with these columns, in their unit. None if there is none or if it was
        disturbed, because the next lower one would be a different limit."""
        rows = [
            row
            for row in self.rows
            if all(row.get(name) == value for name, value in columns.items())
        ]
        highest = max(rows, key=lambda row: row["best"], default={})
        return highest["best"] if highest.get("is_ceiling") else None
