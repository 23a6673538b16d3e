"""One line of a judged worksheet."""

from dataclasses import dataclass

# The states, as they are shown.
UNANSWERED = ""
WAITING = "waits"  # for an earlier answer, or for a count
RIGHT, WRONG = "right", "wrong"
NOTED = "noted"  # any answer will do
HIDDEN = "answered"  # in a group that reveals less than is known

# How much of a wrong count is revealed: too many or too few; which class; by how much.
TOTAL, WHICH, BY_HOW_MUCH = range(3)


@dataclass
class Line:
    number: str
    question: str
    kind: str  # text, exact, follows, choice or recorded
    answer: str = ""
    state: str = UNANSWERED
    words: str = ""  # further explanation
    is_count: bool = False
    is_sum: bool = False  # a sum of the lines above, not an answer
    points: float = 1.0


def is_choice(line):
    return line.kind == "choice"


def any_wrong(lines):
    """Whether any line is wrong; choices do not count."""
    return any(line.state == WRONG and not is_choice(line) for line in lines)
