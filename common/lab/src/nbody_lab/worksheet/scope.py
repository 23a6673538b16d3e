"""The names and functions in a questions file's expressions, evaluated for one student."""

from collections import namedtuple

from nbody_lab.worksheet.answers import SIZES, Pair
from nbody_lab.worksheet.expression import MISSING, value
from nbody_lab.worksheet.notebook_rows import functions_of

# The data to judge by. answers: at both sizes; counted: counts.Counted; notebook: its right rows; ceilings:
# own_machine.Ceilings; divided: names of the answers whose text divides whole numbers.
Given = namedtuple("Given", "answers counted notebook ceilings divided", defaults=(frozenset(),))


class Scope:
    """The names at one of the two sizes."""

    def __init__(self, part, given, which=0):
        self.part, self.given, self.which = part, given, which
        self.answers, self.n = given.answers[which], SIZES[which]
        self.functions = {
            "counted": self.counted,
            "ceiling": self.ceiling,
            **functions_of(given.notebook),
        }
        self.paper = None

    def __getitem__(self, name):
        part = self.part
        if name == "n":
            return self.n
        if name in part.formulas:
            return self.value(part.formulas[name])
        if name in part.tolerances:
            return part.tolerances[name]
        if name.startswith("paper."):
            return self.paper_constants().get(name[len("paper.") :], MISSING)
        return self.answers.found("texts" if name in part.text_names() else "numbers", name)

    def paper_constants(self):
        """The constants of the authors' paper machine; {} without authors."""
        if self.paper is None:
            authors = self.answers.found("texts", "authors")
            self.paper = self.part.paper_machine.of(authors) if authors else {}
        return self.paper

    def counted(self, kind, function="compute_accelerations", of="naive"):
        """counted('add'), counted('loads', 'largest_time_step'), counted('flops', of=mine)."""
        found = self.given.counted.at(self.n, of, kind, function) if of else None
        return MISSING if found is None else found

    def ceiling(self, **columns):
        """ceiling(kind='flops', precision='float'): the highest value in ceilings.json of the rows with these columns."""
        found = self.given.ceilings.best(columns)
        return MISSING if found is None else found

    def value(self, expression):
        return value(expression, self, self.functions)


def at_both_sizes(part, given, expression):
    return Pair(*(Scope(part, given, which).value(expression) for which in range(len(SIZES))))
