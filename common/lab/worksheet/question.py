"""A question, and a part's questions, as read from questions.json by questions_file.py."""

from dataclasses import dataclass, field

from worksheet.expression import Expression
from worksheet.line import BY_HOW_MUCH
from worksheet.paper_machine import PaperMachine


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
        asked = [name for one in self.questions for name in [one.answer, *(each.answer for each in one.classes)]]
        return [*self.names, *filter(None, asked)]
