"""A judged worksheet, and whether counts may be shown yet."""

from dataclasses import dataclass, field

from worksheet.judge import judge
from worksheet.question import RIGHT, TOTAL


@dataclass
class Sheet:
    part: str
    authors: str
    paper_machine: str = ""  # one line, from the authors' names
    lines: list = field(default_factory=list)


def judged_sheet(part, given, told=TOTAL):
    authors = given.answers.first.found("texts", "authors")
    lines = [line for question in part.questions for line in judge(question, part, given, told)]
    return Sheet(part.part, authors, part.paper_machine.about(authors) if authors else "", lines)


def counted_right(part, given):
    return all(line.state == RIGHT for line in judged_sheet(part, given).lines if line.number in part.asks_for_counts)


def once_right(numbers):
    """"questions 3 and 4 of worksheet.hpp are right" """
    one = len(numbers) == 1
    return f"question{'' if one else 's'} {' and '.join(numbers)} of worksheet.hpp {'is' if one else 'are'} right"


def reason_to_hide_counts(name, part, given):
    """Why an implementation's counts are not shown yet; empty if they may be. Naive's counts, and those of code that
    still does the same work, appear once the student has counted them by hand."""
    if counted_right(part, given):
        return ""
    for function in part.counted_functions:
        if name == "naive" or given.counted.of(name, function) == given.counted.of("naive", function):
            still = "" if name == "naive" else f"{name} still does the same work as naive; "
            return (f"{still}count by hand first: the numbers appear once {once_right(part.asks_for_counts)} "
                    f"(./lab worksheet {part.part})")
    return ""
