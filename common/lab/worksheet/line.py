"""One line of a judged worksheet."""

from dataclasses import dataclass

# States, as they are told.
UNANSWERED = ""
WAITING = "waits"  # for an earlier answer, or for something to be counted
RIGHT, WRONG = "right", "wrong"
NOTED = "noted"  # it is enough that it is there
HIDDEN = "answered"  # part of a group that tells less than it knows

# How much of a wrong count is told: too many or too few; which class; by how much.
TOTAL, WHICH, BY_HOW_MUCH = range(3)


@dataclass
class Line:
    number: str
    question: str
    kind: str  # text, exact, follows, choice or recorded
    answer: str = ""
    state: str = UNANSWERED
    words: str = ""  # what else there is to say
    is_count: bool = False
    is_sum: bool = False  # of the lines above, not an answer of its own
    points: float = 1.0


def is_choice(line):
    return line.kind == "choice"


def any_wrong(lines):
    """Choices are left out."""
    return any(line.state == WRONG and not is_choice(line) for line in lines)
