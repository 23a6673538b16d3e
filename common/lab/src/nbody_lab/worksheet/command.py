"""./lab worksheet: judges the answers that the program with the student's worksheet.hpp writes.

Status 0: nothing is wrong, though answers may be missing; 1: something is wrong, or counts stay hidden; 2: bad input.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

from nbody_lab.core.whole_file import write_text
from nbody_lab.notebook.file import InputError, printable
from nbody_lab.worksheet.counts import Counted
from nbody_lab.worksheet.judge import judged_sheet, reason_to_hide_counts
from nbody_lab.worksheet.machines import Ceilings, seal_of
from nbody_lab.worksheet.question import BY_HOW_MUCH, TOTAL, WHICH, any_wrong
from nbody_lab.worksheet.questions_file import read_questions
from nbody_lab.worksheet.scope import Given
from nbody_lab.worksheet.sheet_text import (
    lines_of_question,
    question_text,
    worksheet_json,
    worksheet_text,
)
from nbody_lab.worksheet.slips import whole_numbers_divided
from nbody_lab.worksheet.student_program import SECONDS, ask


@dataclass
class Desk:
    """The paths of everything about a part's worksheet."""

    questions: Path
    answers: Path  # the program with the answers
    counts: Path  # folder with the files of the count programs
    ceilings: Path
    notebook: list  # the student's right rows
    seconds: float = SECONDS

    def given(self):
        """(the part's questions, what they are judged by). Passes on what the student's code printed."""
        part = read_questions(self.questions)
        answers, printed = ask(self.answers, self.seconds)
        sys.stderr.buffer.write(printed)
        sys.stderr.flush()
        return part, Given(
            answers,
            Counted(self.counts),
            self.notebook,
            Ceilings.of_this_machine(self.ceilings),
            self.divided(),
        )

    def divided(self):
        """Names of answers that may divide whole numbers. It only helps to explain slips, so a missing file does no
        harm."""
        try:
            return whole_numbers_divided(
                self.questions.with_name("worksheet.hpp").read_text(
                    encoding="utf-8", errors="replace"
                )
            )
        except OSError:
            return frozenset()


VALUES = {"--json": ["FILE"], "--question": ["N"], "--seal": ["ANSWER", "LETTER"]}
FLAGS = {"--which": WHICH, "--by-how-much": BY_HOW_MUCH}


def options_in(words):
    """({option: its words}, how much to tell)"""
    words, found, told = list(words), {}, TOTAL
    while words:
        word = words.pop(0)
        if word in FLAGS:
            told = max(told, FLAGS[word])
        elif word not in VALUES:
            raise InputError(f"there is no option {word}; --help lists the options")
        else:
            count = len(VALUES[word])
            if len(words) < count:
                raise InputError(f"{word} needs {' '.join(VALUES[word])} after it")
            found[word], words = words[:count], words[count:]
    return found, told


def write_file(name, text):
    """Writes a temporary file and renames it, so that no half-written file is left. Raises InputError."""
    file = Path(name)
    if not file.parent.exists():
        raise InputError(
            f"{file}: cannot be written (no folder {file.parent}): create it or choose another place"
        )
    try:
        write_text(file, text)
    except OSError as fault:
        raise InputError(
            f"{file}: cannot be written ({fault.strerror}): choose another place or make room"
        ) from None


def print_text(text):
    """A student's names need not be UTF-8."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
    sys.stdout.flush()


def judge(desk, words):
    options, told = options_in(words)
    if "--seal" in options:
        print(f"0x{seal_of(*options['--seal']):08x}")
        return 0
    part, given = desk.given()
    if given.ceilings.why_none:
        print(
            f"worksheet: {given.ceilings.why_none}; until then answers about this machine are not judged",
            file=sys.stderr,
        )
    sheet = judged_sheet(part, given, told)
    if "--json" in options:
        write_file(options["--json"][0], worksheet_json(sheet))
    if "--question" in options:
        lines = lines_of_question(sheet, options["--question"][0])
        print_text(question_text(lines, told))
        return 1 if any_wrong(lines) else 0
    print_text(worksheet_text(sheet, told))
    return 1 if any_wrong(sheet.lines) else 0


def complained(work, *arguments):
    """The exit status of `work`; bad input becomes one line on standard error."""
    try:
        return work(*arguments)
    except InputError as fault:
        print(f"worksheet: {printable(str(fault))}", file=sys.stderr)
        return 2


def read(desk):
    """Only checks that the questions can be read."""
    read_questions(desk.questions)
    return 0


def run(desk, words):
    return complained(judge, desk, words)


def may_show(desk, name):
    """0 if the counts of this implementation may be shown."""

    def asked():
        reason = reason_to_hide_counts(name, *desk.given())
        if reason:
            print(f"lab: {reason}", file=sys.stderr)
        return 1 if reason else 0

    return complained(asked)


def hidden_among(desk, names):
    """The implementations whose counts must stay hidden; all of them if the worksheet cannot be judged."""
    try:
        part, answers = read_questions(desk.questions), ask(desk.answers, desk.seconds)[0]
        given = Given(answers, Counted(desk.counts), desk.notebook, Ceilings())
        return [name for name in names if reason_to_hide_counts(name, part, given)]
    except InputError:
        return list(names)
