"""A mark: its points or why it has none, and a sentence that explains it."""

from collections import namedtuple

GRADED, NOT_HERE, NOT_ASKED, FOR_A_PERSON, FLAGGED = (
    "graded",
    "not graded here",
    "not asked for (--part)",
    "for a person",
    "flagged",
)

LONGEST_QUOTE = 160

# points: None unless the state is GRADED; maximum: from the rubric
Mark = namedtuple("Mark", "item points maximum state why")


def graded(item, points, maximum, why):
    return Mark(item, rounded(points), maximum, GRADED, why)


def ungraded(item, maximum, state, why):
    """A mark for what could not be graded: never zero points."""
    return Mark(item, None, maximum, state, why)


def rounded(points):
    return round(points + 1e-9, 2)


def quoted(text):
    """A student's or compiler's words on one line, safe for a terminal. HTML and CSV have their own escaping."""
    line = " ".join(text.split())
    line = "".join(one if one.isprintable() else "?" for one in line)
    return line if len(line) <= LONGEST_QUOTE else f"{line[:LONGEST_QUOTE].rstrip()} ..."


def rate(interactions_per_s):
    return f"{interactions_per_s / 1e9:.3g}"
