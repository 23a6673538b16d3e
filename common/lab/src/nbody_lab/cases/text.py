"""What ./lab case shows."""

from collections.abc import Sequence
from typing import get_args

from nbody_lab.cases.catalogue import Kind, NumberedCase, Solved
from nbody_lab.core.console import Column, format_table, width, wrapped


def paragraph(text: str, indent: str = "") -> str:
    """The text in lines that fit; all but the first begin with `indent`."""
    return "\n".join(wrapped(text, indent, min(width(), 100)))


def overview(cases: Sequence[NumberedCase], solved: Solved) -> str:
    """The cases with their states, and what to do next."""
    days = solved.solved
    states = {number: f"solved {day:%Y-%m-%d}" for number, day in days.items()}
    rows = [(case.number, case.facts.title, states.get(case.number, "open")) for case in cases]
    table = format_table([Column("case", right=True), "what is seen", "state"], rows)
    still_open = [case.number for case in cases if case.number not in days]
    end = f"./lab case {still_open[0]} opens the next one" if still_open else "All are solved."
    return f"{table}\n\n{end}"


def _what_the_check_says(case: NumberedCase) -> str:
    def said(kind: Kind) -> str:
        return f"FAILED {case.facts.fails[kind]}" if kind in case.facts.fails else "ok"

    rows = [(kind, said(kind)) for kind in get_args(Kind)]
    return format_table(["what", "verdict"], rows, indent=4)


def symptom(case: NumberedCase, shown_as: str) -> str:
    """The case as it is opened: what is seen, the source, and the causes to choose from."""
    facts = case.facts
    numbered = [f"{k:>4}  {line}" for k, line in enumerate(case.source.splitlines(), 1)]
    causes = [
        paragraph(f"{k:>4}  {cause.text}", " " * 6) for k, cause in enumerate(facts.causes, 1)
    ]
    parts = [
        f"case {case.number}: {facts.title}",
        *(paragraph(text) for text in facts.symptom),
        _what_the_check_says(case),
        f"The program, also in {shown_as}:",
        "\n".join(line.rstrip() for line in numbered),
        "What is the cause, and in which line is it?",
        "\n".join(causes),
        f"Your answer: ./lab case {case.number} --cause K --line L",
    ]
    return "\n\n".join(parts)


def lesson(case: NumberedCase) -> str:
    """After the right answer."""
    line = case.source.splitlines()[case.lines[0] - 1].strip()
    right = case.facts.causes[case.facts.cause - 1].text
    found = f"Right: {right}.\n  line {case.lines[0]}: {line}"
    return f"{found}\n\n{paragraph(case.facts.lesson)}"
