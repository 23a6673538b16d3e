"""What ./lab worksheet prints. For choices only the number of right ones; the hand-in says which."""

import json

from notebook_file import InputError, in_quotes
from screen import wrapped
from worksheet.line import BY_HOW_MUCH, RIGHT, TOTAL, UNANSWERED, WAITING, WRONG, is_choice
from worksheet.lines_table import table_text


def choices_text(lines):
    choices = [line for line in lines if is_choice(line)]
    given = sum(line.state != UNANSWERED for line in choices)
    right = sum(line.state == RIGHT for line in choices)
    if given == 0:
        return ""
    if given < len(choices):
        return f"choices: {given} of {len(choices)} given; the score appears once all are answered\n"
    return f"choices: {right} of {len(choices)} right; your instructor knows which\n"


def paper_machine_text(sheet):
    if not sheet.authors:
        return "paper machine: write your names into worksheet.hpp first\n"
    return "\n".join(wrapped(f"paper machine of {sheet.authors}: {sheet.paper_machine}", indent="  ")) + "\n"


def how_many_answered(lines):
    asked = [line for line in lines if not line.is_sum]
    given = sum(line.state != UNANSWERED for line in asked)
    return f"{given} of {len(asked)} line{'' if len(asked) == 1 else 's'} answered"


def numbers_text(lines):
    """"; wrong: 3, 13; missing: 19". Wrong choices are not listed."""
    wrong = dict.fromkeys(line.number for line in lines if not is_choice(line) and line.state == WRONG)
    missing = dict.fromkeys(line.number for line in lines if line.state in (UNANSWERED, WAITING))
    return ((f"; wrong: {', '.join(wrong)}" if wrong else "") +
            (f"; missing or waiting: {', '.join(missing)}" if missing else ""))


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
    return (f"worksheet of {sheet.part}\n{paper_machine_text(sheet)}\n{table_text(lines)}\n"
            f"{how_many_answered(lines)}{numbers_text(lines) if begun else ''}\n"
            f"{choices_text(lines)}{next_step(lines, told)}")


def lines_of_question(sheet, number):
    lines = [line for line in sheet.lines if line.number == number]
    if not lines:
        raise InputError(f"{sheet.part} has no question {in_quotes(number)}; the last is {sheet.lines[-1].number}")
    return lines


def question_text(lines, told):
    """One question's lines. They omit choices, because a single one would reveal whether it is right."""
    return f"{table_text(lines)}\n{how_many_answered(lines)}\n{next_step(lines, told)}"


def told_lines(sheet, all_of_it=False):
    """The lines as dicts, for a file. Whether a choice is right is only for the grader: `all_of_it`."""
    return [{"number": line.number, "question": line.question, "kind": line.kind, "answer": line.answer,
             "state": "answered" if is_choice(line) and line.state != UNANSWERED and not all_of_it else line.state,
             "words": line.words, "points": line.points} for line in sheet.lines]


def worksheet_json(sheet):
    text = json.dumps({"part": sheet.part, "authors": sheet.authors, "lines": told_lines(sheet)}, indent=2, ensure_ascii=False)
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace") + "\n"
