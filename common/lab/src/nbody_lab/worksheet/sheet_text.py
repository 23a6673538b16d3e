"""What ./lab worksheet prints. For choices only the number of right ones; the hand-in says which."""

import json

from nbody_lab.core.screen import GAP, SCREEN, wrapped
from nbody_lab.notebook.file import InputError, in_quotes
from nbody_lab.worksheet.question import (
    BY_HOW_MUCH,
    RIGHT,
    TOTAL,
    UNANSWERED,
    WAITING,
    WRONG,
    is_choice,
)

# The lines of a judged worksheet as a table. A long verdict continues below.
INDENT, NARROWEST = 2, 20
TITLES = ("no", "question", "kind", "answer", "verdict")
TO_THE_RIGHT = ("no", "answer")


def verdict_of(line):
    """The verdict; hidden for a choice."""
    told = not is_choice(line) or line.state == UNANSWERED or line.words
    name = line.state if told else "answered"
    return ": ".join(word for word in (name, line.words) if word)


def cells_of(lines):
    """The table's rows. A question's number appears in its first row only."""
    before = [None, *(line.number for line in lines)]
    return [
        (
            "" if line.number == number else line.number,
            line.question,
            line.kind,
            line.answer,
            verdict_of(line),
        )
        for number, line in zip(before, lines)
    ]


def with_rows_below(rows, widths):
    left = SCREEN - INDENT - sum(width + GAP for width in widths[:-1])
    for *cells, last in rows:
        first, *more = wrapped(last, width=max(left, NARROWEST)) or [""]
        yield [*cells, first]
        yield from ([""] * len(cells) + [line] for line in more)


def table_text(lines):
    rows = cells_of(lines)
    kept = [k for k in range(len(TITLES)) if any(row[k] for row in rows)]
    titles = [TITLES[k] for k in kept]
    rows = [[row[k] for k in kept] for row in rows]
    rows = list(with_rows_below(rows, [max(map(len, column)) for column in zip(titles, *rows)]))
    widths = [max(map(len, column)) for column in zip(titles, *rows)]
    text = ""
    for row in [titles, ["-" * width for width in widths], *rows]:
        cells = [
            cell.rjust(width) if title in TO_THE_RIGHT else cell.ljust(width)
            for title, width, cell in zip(titles, widths, row)
        ]
        text += (" " * INDENT + (" " * GAP).join(cells)).rstrip(" ") + "\n"
    return text


def choices_text(lines):
    choices = [line for line in lines if is_choice(line)]
    given = sum(line.state != UNANSWERED for line in choices)
    right = sum(line.state == RIGHT for line in choices)
    if given == 0:
        return ""
    if given < len(choices):
        return (
            f"choices: {given} of {len(choices)} given; the score appears once all are answered\n"
        )
    return f"choices: {right} of {len(choices)} right; your instructor knows which\n"


def paper_machine_text(sheet):
    if not sheet.authors:
        return "paper machine: write your names into worksheet.hpp first\n"
    return (
        "\n".join(wrapped(f"paper machine of {sheet.authors}: {sheet.paper_machine}", indent="  "))
        + "\n"
    )


def how_many_answered(lines):
    asked = [line for line in lines if not line.is_sum]
    given = sum(line.state != UNANSWERED for line in asked)
    return f"{given} of {len(asked)} line{'' if len(asked) == 1 else 's'} answered"


def numbers_text(lines):
    """ "; wrong: 3, 13; missing: 19". Wrong choices are not listed."""
    wrong = dict.fromkeys(
        line.number for line in lines if not is_choice(line) and line.state == WRONG
    )
    missing = dict.fromkeys(line.number for line in lines if line.state in (UNANSWERED, WAITING))
    return (f"; wrong: {', '.join(wrong)}" if wrong else "") + (
        f"; missing or waiting: {', '.join(missing)}" if missing else ""
    )


def next_step(lines, told):
    """A hint on what to ask next when a count is wrong."""
    if told == BY_HOW_MUCH or not any(line.is_count and line.state == WRONG for line in lines):
        return ""
    if told == TOTAL:
        return "a count is wrong; look again, then --which tells which class\n"
    return "look again, then --by-how-much tells the difference\n"


def worksheet_text(sheet, told):
    """The whole worksheet: paper machine, table of lines, progress."""
    lines = sheet.lines
    begun = any(not line.is_sum and line.state != UNANSWERED for line in lines)
    return (
        f"worksheet of {sheet.part}\n{paper_machine_text(sheet)}\n{table_text(lines)}\n"
        f"{how_many_answered(lines)}{numbers_text(lines) if begun else ''}\n"
        f"{choices_text(lines)}{next_step(lines, told)}"
    )


def lines_of_question(sheet, number):
    lines = [line for line in sheet.lines if line.number == number]
    if not lines:
        raise InputError(
            f"{sheet.part} has no question {in_quotes(number)}; the last is {sheet.lines[-1].number}"
        )
    return lines


def question_text(lines, told):
    """One question's lines. They omit choices, because a single one would reveal whether it is right."""
    return f"{table_text(lines)}\n{how_many_answered(lines)}\n{next_step(lines, told)}"


def told_lines(sheet, all_of_it=False):
    """The lines as dicts, for a file. Whether a choice is right is only for the grader: `all_of_it`."""
    return [
        {
            "number": line.number,
            "question": line.question,
            "kind": line.kind,
            "answer": line.answer,
            "state": "answered"
            if is_choice(line) and line.state != UNANSWERED and not all_of_it
            else line.state,
            "words": line.words,
            "points": line.points,
        }
        for line in sheet.lines
    ]


def worksheet_json(sheet):
    text = json.dumps(
        {"part": sheet.part, "authors": sheet.authors, "lines": told_lines(sheet)},
        indent=2,
        ensure_ascii=False,
    )
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace") + "\n"
