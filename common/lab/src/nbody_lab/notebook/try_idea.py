"""./lab try: predict, then check and measure; the notebook gets a row.

trial.py judges and times. This module chooses the row to compare with and keeps the results.
"""

import argparse
import re
import time

from nbody_lab.notebook import notebook
from nbody_lab.notebook.columns import NAMES, number, written
from nbody_lab.notebook.file import InputError, printable, shown
from nbody_lab.notebook.kept import free_number, keep_program, keep_source, kept_program
from nbody_lab.notebook.trial import Question, columns_of

MEASURED = (
    "expected",
    "measured",
    "times_naive",
    "interactions_per_s",
    "spread",
    "lower",
    "upper",
    "n",
    "threads",
    "verdict",
    "step",
    "scene",
    "precision",
    "device",
    "flags",
)


# --- what is typed -------------------------------------------------------------------------------


def whole_number(least, most):
    def read(text):
        if re.fullmatch(r"[0-9]{1,9}", text) and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(
            f"{printable(text)} is not a whole number from {least} to {most}"
        )

    return read


class Parser(argparse.ArgumentParser):
    def error(self, message):
        said = message.replace("argument ", "", 1) if message.startswith("argument ") else message
        raise InputError(f"{said}; ./lab try -h lists the options")


def parser():
    options = Parser(prog="./lab try", add_help=False, allow_abbrev=False)
    options.add_argument("idea", nargs="*")
    options.add_argument("--expect", metavar="FACTOR")
    options.add_argument("--against", metavar="ROW")
    options.add_argument("--threads", metavar="T", type=whole_number(1, 4096))
    options.add_argument("--ranks", metavar="P", type=whole_number(1, 4096))
    options.add_argument("--vdt", action="store_true")
    options.add_argument("--wait", metavar="S", type=whole_number(0, 86400))
    options.add_argument("-n", "--n", metavar="N", type=whole_number(16, 1_000_000))
    return options


def one_line(text):
    """The text with control characters replaced by blanks."""
    return re.sub(r"[\x00-\x1f\x7f]", " ", text).strip()


def demand_expectation(text):
    if text is None:
        raise InputError(
            "--expect is missing: predict first, then measure; --expect 1.5 means 1.5 times as fast as "
            "the row it is compared with"
        )
    if not 0.01 <= (number(text) or 0) <= 1000:
        raise InputError(
            "--expect needs a factor from 0.01 to 1000, such as 1.5 for 1.5 times as fast; "
            f"not '{printable(text)}'"
        )


def parse(name, words):
    """The options of ./lab try. Raises InputError."""
    options = parser().parse_intermixed_args(words)
    demand_expectation(options.expect)
    if options.against == "":
        raise InputError("--against is empty: give the number or name of a row, or naive")
    if name == "naive":
        raise InputError("naive is the baseline: try a version of your own")
    if len(options.idea) > 1:
        raise InputError(
            f"'{printable(options.idea[1])}' is one word too many: put the idea in quotes, starting with a word"
        )
    options.idea = one_line("".join(options.idea))
    if not options.idea:
        raise InputError('what is the idea? One sentence in quotes, for example "sums in locals"')
    return options


def parse_again(words):
    """The options of ./lab try PART --again ROW. Raises InputError."""
    options = Parser(prog="./lab try", add_help=False, allow_abbrev=False)
    options.add_argument("--again", metavar="ROW", required=True)
    options.add_argument("--ranks", metavar="P", type=whole_number(1, 4096))
    options.add_argument("--wait", metavar="S", type=whole_number(0, 86400))
    typed, more = options.parse_known_args(words)
    if more:
        raise InputError(
            f"--again measures a row as it was measured before: leave out {printable(more[0])}"
        )
    return typed


# --- what is measured ----------------------------------------------------------------------------


def measured(trial):
    """The columns of a row that a measurement fills; empty without a number."""
    found = columns_of(trial)
    row = {
        column: written(found[column]) if column in found else ""
        for column in NAMES
        if column in MEASURED
    }
    return {**row, "estimated": "yes" if trial.over_before and trial.over_before.estimated else ""}


def new_row(trial, options, name, before):
    return {
        **measured(trial),
        "name": name,
        "idea": options.idea,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "against": before["row"] if before else "naive",
    }


def write_row(folder, row, source, conditions):
    """Adds the row to the notebook, read again since the student may have edited it meanwhile. Returns the row with its
    number and source."""
    book = notebook.load(folder)
    row = {**dict.fromkeys([*NAMES, *book.own], ""), **row}
    row["row"] = str(free_number(folder, notebook.next_number(book)))
    row["source"] = keep_source(folder, row, source, conditions)
    try:
        copy = notebook.save(folder, notebook.Notebook([*book.rows, row], book.own))
    except InputError:
        (folder / row["source"]).unlink()
        raise
    print(
        f"\nrow {row['row']} is in {shown(folder / notebook.MARKDOWN)}, its source in {row['source']} beside it"
    )
    if copy:
        print(
            f"  note      the table there was changed by hand; it is rewritten from {notebook.CSV},\n"
            f"            and the old text is in notebook/{copy.name}"
        )
    return row


def row_before(folder, name, options):
    """The row to compare with; None: naive. Raises InputError, also for a notebook that cannot be written."""
    book = notebook.load(folder)
    return (
        notebook.row_against(book, options.against)
        if options.against
        else notebook.row_before(book, name)
    )


def against_in_words(before):
    return f"row {before['row']}, {before['name']}" if before else "naive"


def part_of(folder):
    return folder.name.split("_")[0]


def row_again(folder, asked, programs):
    """(row to measure again, its kept program, row to compare with or None). Raises InputError."""
    book = notebook.load(folder)
    found = [row for row in book.rows if row["row"] == asked]
    if not found:
        raise InputError(f"--again {printable(asked)}: the notebook has no row with that number")
    row = found[-1]
    program = kept_program(programs, row)
    if not program:
        raise InputError(
            f"--again {asked}: row {asked} has no kept program: it was wrong, or build/ was removed; try its idea anew: "
            f'./lab try {part_of(folder)} {printable(row["name"])} "idea" --expect {printable(row["expected"])}'
        )
    before = None if row["against"] == "naive" else notebook.row_against(book, row["against"])
    return row, program, before


def try_again(folder, options, try_it, programs):
    """Measures a row of the notebook again, with its kept program, and replaces its numbers. `try_it`: judges and times
    what a Question asks. Returns the status."""
    row, program, before = row_again(folder, options.again, programs)
    threads = int(row["threads"]) if re.fullmatch("[1-9][0-9]{0,3}", row["threads"]) else 0
    trial = try_it(
        Question(
            row["name"],
            number(row["expected"]),
            before,
            before and kept_program(programs, before),
            program,
            threads,
            options.ranks or 0,
            row["step"] == "adaptive",
            int(row["n"]),
            options.wait or 0,
        )
    )
    status = 1 if trial.wrong else 0
    file = shown(folder / notebook.MARKDOWN)
    if not trial.wrong and not trial.over_before:
        print(f"\nrow {row['row']} of {file} stays as it was")
        return status
    book = notebook.load(folder)
    rows = [{**one, **measured(trial)} if one["row"] == row["row"] else one for one in book.rows]
    notebook.save(folder, notebook.Notebook(rows, book.own))
    print(
        f"\nrow {row['row']} of {file} was measured again, compared with {against_in_words(before)}"
    )
    return status


def try_idea(folder, name, source, options, try_it, programs, keep_verdict):
    """Runs one try and returns its status. `try_it`: judges and times what a Question asks, and keeps the program of its
    name; `programs`: the folder of kept programs; `keep_verdict`: gets the result of the check."""
    before = row_before(folder, name, options)
    trial = try_it(
        Question(
            name,
            number(options.expect),
            before,
            before and kept_program(programs, before),
            None,
            options.threads or 0,
            options.ranks or 0,
            options.vdt,
            options.n or 0,
            options.wait or 0,
        )
    )
    keep_verdict(trial.check)
    conditions = "; ".join(
        [str(trial.conditions), *([trial.conditions.before] if trial.conditions.before else [])]
    )
    row = write_row(
        folder,
        new_row(trial, options, name, before),
        source,
        f"{conditions}; compared with {against_in_words(before)}",
    )
    if trial.wrong:
        return 1
    if trial.program:
        keep_program(programs, row, trial.program)
    if not row["measured"]:
        print(
            f"  note      measure it again when the machine is quiet: ./lab try {part_of(folder)} --again {row['row']} --wait 120"
        )
    return 0
