"""A question, and the questions of a part: what questions.json says, after it was read (questions_file.py)."""

from dataclasses import dataclass, field

from worksheet.expression import Expression
from worksheet.line import BY_HOW_MUCH
from worksheet.paper_machine import PaperMachine


@dataclass
class Asked:
    """A class of a count."""
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
    unit: str = "none"  # whose slips are named
    points: float = 1.0  # each line of it
    waits_for: str = ""  # what `truth` follows from, in words
    seal: int = 0  # choice: of the right letter
    usually: float = None  # recorded: farther off than `within` is worth a look
    within: float = 0.0
    notebook: Expression = None  # recorded: near one of these numbers?
    wanted: int = 0  # rows of the notebook
    classes: list = field(default_factory=list)  # of a count, told about together
    sum: str = ""  # of the classes, if it is shown
    most_told: int = BY_HOW_MUCH


@dataclass
class PartQuestions:
    part: str
    questions: list
    paper_machine: PaperMachine
    names: list  # texts of worksheet.hpp that no question asks for
    formulas: dict  # {name: Expression}
    tolerances: dict  # {name: number}
    asks_for_counts: list  # numbers of the questions that ask for counts of the naive
    counted_functions: list  # and the functions that they are about

    def text_names(self):
        return {*self.names, *(one.answer for one in self.questions if one.kind == "text")}

    def answer_names(self):
        """What the part's worksheet.hpp has to declare."""
        asked = [name for one in self.questions for name in [one.answer, *(each.answer for each in one.classes)]]
        return [*self.names, *filter(None, asked)]
