"""A question, and a part's questions, as read from questions.json by questions_file.py; and a line of a judged
worksheet."""

from dataclasses import dataclass, field

from nbody_lab.worksheet.expression import Expression
from nbody_lab.worksheet.machines import PaperMachine

# One line of a judged worksheet.

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


@dataclass
class Asked:
    """One class of a count."""

    text: str
    answer: str
    truth: Expression


@dataclass
class Question:
    number: str
    text: str
    kind: str  # one of KINDS
    answer: str = ""  # its name in worksheet.hpp
    truth: Expression = None
    tolerance: float = 0.0  # relative
    unit: str = "none"  # selects the slips to look for
    points: float = 1.0  # for each of its lines
    waits_for: str = ""  # what `truth` depends on, in words
    seal: int = 0  # choice: the hash of the right letter
    usually: float = None  # recorded: a difference of more than `within` deserves a look
    within: float = 0.0
    notebook: Expression = None  # recorded: should be near one of these numbers
    wanted: int = 0  # required rows of the notebook
    classes: list = field(default_factory=list)  # of a count, judged together
    sum: str = ""  # name of the classes' sum, if it is shown
    most_told: int = BY_HOW_MUCH


@dataclass
class PartQuestions:
    part: str
    questions: list
    paper_machine: PaperMachine
    names: list  # texts of worksheet.hpp without a question
    formulas: dict  # {name: Expression}
    tolerances: dict  # {name: number}
    asks_for_counts: list  # numbers of the questions that ask for naive's counts
    counted_functions: list  # the functions they are about

    def text_names(self):
        return {*self.names, *(one.answer for one in self.questions if one.kind == "text")}

    def answer_names(self):
        """The names that the part's worksheet.hpp must declare."""
        asked = [
            name
            for one in self.questions
            for name in [one.answer, *(each.answer for each in one.classes)]
        ]
        return [*self.names, *filter(None, asked)]
