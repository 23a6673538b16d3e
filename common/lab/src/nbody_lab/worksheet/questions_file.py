"""Reads and checks the questions of a part, partX/questions.json (docs/file_formats.md).

An error in the file is one line, FILE: question N: what is wrong.
"""

import json

from nbody_lab.notebook.file import InputError, shown
from nbody_lab.worksheet.counts import FORCES
from nbody_lab.worksheet.expression import ARITHMETIC, BadExpression, is_missing, parsed, value
from nbody_lab.worksheet.machines import PaperMachine
from nbody_lab.worksheet.question import BY_HOW_MUCH, TOTAL, WHICH, Asked, PartQuestions, Question
from nbody_lab.worksheet.slips import SLIPS

# What a questions file may contain: the columns of each kind of question, and their types.
KINDS = {  # kind: (required columns, optional columns) besides number and kind
    "text": (("text", "answer"), ()),
    "exact": (("text", "answer", "truth", "tolerance"), ("unit", "points", "waits_for")),
    "follows": (("text", "answer", "truth", "tolerance", "waits_for"), ("unit", "points")),
    "choice": (("text", "answer"), ("seal", "truth", "waits_for", "points")),
    "recorded": (
        ("text", "answer"),
        ("truth", "tolerance", "usually", "within", "notebook", "unit", "points"),
    ),
    "count": (
        ("tolerance",),
        ("text", "answer", "truth", "classes", "sum", "unit", "points", "most_told"),
    ),
    "notebook": (("wanted",), ("text", "points")),
}

COLUMNS = {
    "number": str,
    "kind": str,
    "text": str,
    "answer": str,
    "truth": str,
    "tolerance": (str, float),
    "unit": str,
    "points": float,
    "waits_for": str,
    "seal": str,
    "usually": float,
    "within": float,
    "notebook": str,
    "wanted": int,
    "classes": list,
    "sum": str,
    "most_told": str,
}
OF_CLASS = {"text": str, "answer": str, "truth": str}
OF_FILE = {
    "what": str,
    "version": int,
    "part": str,
    "tolerances": dict,
    "formulas": dict,
    "paper_machine": dict,
    "names": list,
    "hidden_counts": dict,
    "questions": list,
}

WORDS = {str: "a text", float: "a number", int: "a whole number", list: "a list", dict: "an object"}


def is_of(value, types):
    types = types if isinstance(types, tuple) else (types,)
    if isinstance(value, bool):
        return False
    return isinstance(value, types) or (float in types and isinstance(value, int))


def complaint(row, columns, needed):
    """What is wrong with a row of JSON, or "". `columns`: {name: type, or several}."""
    if not isinstance(row, dict):
        return "it is not an object: { ... }"
    for name in needed:
        if name not in row:
            return f"it has no {name}"
    for name, content in row.items():
        if name not in columns:
            return f"it cannot have '{name}'; it may have {', '.join(columns)}"
        if not is_of(content, columns[name]):
            types = columns[name] if isinstance(columns[name], tuple) else (columns[name],)
            return f"its {name} is not {' or '.join(WORDS[one] for one in types)}"
    return ""


# Dummies of the functions that expressions may call besides ARITHMETIC, for truths and for the column `notebook`, with
# the signatures of scope.py: they reveal wrong calls when the file is read.
OF_TRUTHS = {
    "counted": lambda kind, function=FORCES, of="naive": 7.0,
    "ceiling": lambda **columns: 7.0,
}
OF_NOTEBOOK = {
    "expected_gains": list,
    "measured_gains": list,
    "speeds": lambda name="", n=0, threads=0: [],
    "speed_ups": lambda n=0, threads=0: [],
}
MOST_TOLD = {"total": TOTAL, "which": WHICH, "by how much": BY_HOW_MUCH}


class Reader:
    """Reads one file; `where` is the place named in error messages."""

    def __init__(self, file):
        self.file, self.where, self.known, self.texts = file, "", set(), set()

    def fail(self, what):
        raise InputError(f"{shown(self.file)}: {self.where}{what}")

    def expression(self, text, functions=OF_TRUTHS):
        try:
            found = parsed(text)
        except BadExpression as fault:
            return self.fail(fault)
        for name in sorted(found.names - self.known):
            self.fail(
                f"'{text}' needs {name}, which is neither an answer nor a formula, tolerance or constant above"
            )
        for name in sorted(found.functions - {*ARITHMETIC, *functions}):
            self.fail(
                f"'{text}' calls {name}(), which does not exist; choose from {', '.join(sorted({*ARITHMETIC, *functions}))}"
            )
        self.try_it(found, functions)
        return found

    def try_it(self, expression, functions):
        """Evaluates the expression with arbitrary answers."""
        try:
            values = {name: "mine" if name in self.texts else 2.0 for name in expression.names}
            return value(expression, values, functions)
        except BadExpression as fault:
            return self.fail(fault)

    def demand(self, row, columns, needed=()):
        """`columns`: {name: type}."""
        wrong = complaint(row, columns, needed)
        if wrong:
            self.fail(wrong)

    def tolerance(self, word, tolerances):
        if isinstance(word, str) and word not in tolerances:
            self.fail(
                f"there is no tolerance '{word}'; there are {', '.join(tolerances) or 'none'}"
            )
        return float(tolerances.get(word, word) if isinstance(word, str) else word)

    def seal(self, text):
        try:
            return int(text, 16)
        except ValueError:
            return self.fail(
                f"'{text}' is not a seal: ./lab worksheet PART --seal ANSWER LETTER prints it"
            )

    def question(self, row, tolerances):
        self.where = f"question {row.get('number', '?') if isinstance(row, dict) else '?'}: "
        self.demand(row, COLUMNS, ("number", "kind"))
        kind = row["kind"]
        if kind not in KINDS:
            self.fail(f"there is no kind '{kind}'; there are {', '.join(KINDS)}")
        needed, allowed = KINDS[kind]
        if kind == "count" and "classes" not in row:
            needed = (*needed, "text", "answer", "truth")
        if kind == "choice" and "seal" not in row:
            needed = (*needed, "truth", "waits_for")
        self.demand(
            row, {name: COLUMNS[name] for name in ("number", "kind", *needed, *allowed)}, needed
        )
        found = Question(**{"text": "", **row})
        if "unit" in row and row["unit"] not in SLIPS:
            self.fail(f"there is no unit '{row['unit']}'; there are {', '.join(SLIPS)}")
        if row.get("most_told", "which") not in MOST_TOLD:
            self.fail(f"most_told must be one of {', '.join(MOST_TOLD)}")
        found.most_told = MOST_TOLD[row.get("most_told", "by how much")]
        found.tolerance = self.tolerance(row.get("tolerance", 0), tolerances)
        found.points = float(found.points)
        found.seal = self.seal(row["seal"]) if "seal" in row else 0
        found.truth = self.truth(row["truth"], kind) if "truth" in row else None
        found.notebook = (
            self.expression(row["notebook"], OF_NOTEBOOK) if "notebook" in row else None
        )
        if kind == "count":
            found.classes = self.classes(row)
            found.text, found.answer = row.get("sum", ""), ""
        if kind == "notebook":
            found.text = found.text or "rows of the notebook"
        return found

    def truth(self, text, kind):
        found = self.expression(text)
        sample = self.try_it(found, OF_TRUTHS)
        fits = sample in tuple("abcd") if kind == "choice" else not isinstance(sample, str)
        if not fits and not is_missing(sample):
            self.fail(
                f"'{text}' gives {sample!r}, not {'a letter from a to d' if kind == 'choice' else 'a number'}"
            )
        return found

    def classes(self, row):
        rows = row.get("classes") or [{name: row[name] for name in OF_CLASS}]
        for one in rows:
            self.demand(one, OF_CLASS, tuple(OF_CLASS))
        return [
            Asked(one["text"], one["answer"], self.truth(one["truth"], "count")) for one in rows
        ]

    def answers_in(self, rows):
        """The declared names, each only once."""
        names = []
        for row in rows:
            row = row if isinstance(row, dict) else {}
            self.where = f"question {row.get('number', '?')}: "
            inner = row["classes"] if isinstance(row.get("classes"), list) else []
            for one in [row, *inner]:
                name = one.get("answer") if isinstance(one, dict) else None
                if isinstance(name, str) and not name.isidentifier():
                    self.fail(f"'{name}' is not the name of a member in worksheet.hpp")
                if name in names:
                    self.fail(f"another question has the answer {name} already")
                names += [name] if name else []
        return names

    def paper_machine(self, told):
        self.where, self.known, constants = "paper_machine: ", set(), {}
        self.demand(told, {"constants": dict, "text": str}, ("constants", "text"))
        for name, text in told["constants"].items():
            constants[name] = self.expression(text, {"draw": lambda count: 0})
            self.known.add(name)
        machine = PaperMachine(constants, told["text"])
        try:
            machine.check()
        except BadExpression as fault:
            self.fail(fault)
        return machine

    def formulas(self, told):
        """{name: Expression}. Each may use those above it."""
        found = {}
        for name, text in told.items():
            self.where = f"formulas: {name}: "
            found[name] = self.expression(text)
            self.known.add(name)
        return found

    def part(self, told):
        self.demand(told, OF_FILE, ("version", "part", "paper_machine", "questions"))
        if told["version"] != 1:
            self.fail(f"version {told['version']}, not 1")
        machine = self.paper_machine(told["paper_machine"])
        names, hidden = told.get("names", []), told.get("hidden_counts", {})
        tolerances = {}
        for name, row in told.get("tolerances", {}).items():
            self.where = f"tolerances: {name}: "
            self.demand(row, {"value": float, "why": str}, ("value", "why"))
            tolerances[name] = row["value"]
        answers, self.texts = self.answers_in(told["questions"]), {*names, "authors"}
        self.known = {
            "n",
            *answers,
            *names,
            *tolerances,
            *(f"paper.{name}" for name in machine.constants),
        }
        formulas = self.formulas(told.get("formulas", {}))
        questions = [self.question(row, tolerances) for row in told["questions"]]
        self.where = "hidden_counts: "
        self.demand(hidden, {"until_right": list, "functions": list})
        for number in hidden.get("until_right", []):
            if number not in [one.number for one in questions]:
                self.fail(f"there is no question {number}")
        return PartQuestions(
            told["part"],
            questions,
            machine,
            names,
            formulas,
            tolerances,
            hidden.get("until_right", []),
            hidden.get("functions", [FORCES]),
        )


def read_questions(file):
    """Raises InputError."""
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
    except OSError as fault:
        raise InputError(f"{shown(file)}: {fault.strerror}") from None
    except ValueError as fault:
        raise InputError(f"{shown(file)}: {fault}") from None
    return Reader(file).part(told)
