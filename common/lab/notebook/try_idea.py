"""./lab try: predict, then check and measure; the notebook gets a row.

The program `attempt` judges and times. This module chooses the row to compare with and keeps the results.
"""

import argparse
import json
import re
import tempfile
import time
from pathlib import Path

import notebook
from messages import Failure
from notebook_columns import NAMES, number, written
from notebook_file import InputError, printable, shown
from notebook_kept import free_number, keep_program, keep_source, kept_program
from running import run_program

MEASURED = ("expected", "measured", "times_naive", "interactions_per_s", "spread", "lower", "upper", "n", "threads", "verdict",
            "step", "scene", "precision", "device", "flags")


# --- what is typed -------------------------------------------------------------------------------


def whole_number(least, most):
    def read(text):
        if re.fullmatch(r"[0-9]{1,9}", text) and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(f"{printable(text)} is not a whole number from {least} to {most}")
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
        raise InputError("--expect is missing: predict first, then measure; --expect 1.5 means 1.5 times as fast as "
                         "the row it is compared with")
    if not 0.01 <= (number(text) or 0) <= 1000:
        raise InputError("--expect needs a factor from 0.01 to 1000, such as 1.5 for 1.5 times as fast; "
                         f"not '{printable(text)}'")


def parse(name, words):
    """The options of ./lab try. Raises InputError."""
    options = parser().parse_intermixed_args(words)
    demand_expectation(options.expect)
    if options.against == "":
        raise InputError("--against is empty: give the number or name of a row, or naive")
    if name == "naive":
        raise InputError("naive is the baseline: try a version of your own")
    if len(options.idea) > 1:
        raise InputError(f"'{printable(options.idea[1])}' is one word too many: put the idea in quotes, starting with a word")
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
        raise InputError(f"--again measures a row as it was measured before: leave out {printable(more[0])}")
    return typed


# --- what is measured ----------------------------------------------------------------------------


def options_of_before(before, programs):
    """Options of `attempt` about the row to compare with; `programs`: the folder of kept programs."""
    if before is None:
        return []
    words = ["--before-row", before["row"], "--before-name", before["name"], "--before-times-naive", number(before["times_naive"]),
             "--before-spread", number(before["spread"]) or 0]
    program = kept_program(programs, before)
    if program:
        words += ["--before-program", program]
        if re.fullmatch("[1-9][0-9]{0,3}", before["threads"]):
            words += ["--before-threads", before["threads"]]
    return words


def measure(words):
    """(status, data of the row) from the program `attempt`, which prints the result and any complaint itself."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "row.json")
        status = run_program([*words, "--json", file], become=False)
        if not file.exists():
            raise Failure(status or 2)
        return status, json.loads(file.read_text(encoding="utf-8"))


def measured(told):
    """The columns of a row that a measurement fills; empty without a number."""
    row = {column: written(told[column]) if column in told else "" for column in NAMES if column in MEASURED}
    return {**row, "estimated": "yes" if told.get("estimated") else ""}


def new_row(told, options, name, before):
    return {**measured(told), "name": name, "idea": options.idea, "date": time.strftime("%Y-%m-%d", time.gmtime()),
            "against": before["row"] if before else "naive"}


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
    print(f"\nrow {row['row']} is in {shown(folder / notebook.MARKDOWN)}, its source in {row['source']} beside it")
    if copy:
        print(f"  note      the table there was changed by hand; it is rewritten from {notebook.CSV},\n"
              f"            and the old text is in notebook/{copy.name}")
    return row


def row_before(folder, name, options):
    """The row to compare with; None: naive. Raises InputError, also for a notebook that cannot be written."""
    book = notebook.load(folder)
    return notebook.row_against(book, options.against) if options.against else notebook.row_before(book, name)


def against_in_words(before):
    return f"row {before['row']}, {before['name']}" if before else "naive"


def waiting(options):
    return ["--wait", options.wait] if options.wait else []


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
        raise InputError(f"--again {asked}: row {asked} has no kept program: it was wrong, or build/ was removed; try its idea anew: "
                         f"./lab try {part_of(folder)} {printable(row['name'])} \"idea\" --expect {printable(row['expected'])}")
    before = None if row["against"] == "naive" else notebook.row_against(book, row["against"])
    return row, program, before


def try_again(folder, options, attempt, programs):
    """Measures a row of the notebook again, with its kept program, and replaces its numbers. `attempt`: the command line
    of its program for an implementation. Returns the status."""
    row, program, before = row_again(folder, options.again, programs)
    words = ["--program", program, "--expect", row["expected"], *options_of_before(before, programs), *waiting(options)]
    words += ["--ranks", options.ranks] if options.ranks else []
    words += ["--threads", row["threads"]] if re.fullmatch("[1-9][0-9]{0,3}", row["threads"]) else []
    words += ["--vdt"] if row["step"] == "adaptive" else []
    status, told = measure([*attempt(row["name"]), *words, "-n", row["n"]])
    file = shown(folder / notebook.MARKDOWN)
    if status == 0 and "measured" not in told:
        print(f"\nrow {row['row']} of {file} stays as it was")
        return status
    book = notebook.load(folder)
    rows = [{**one, **measured(told)} if one["row"] == row["row"] else one for one in book.rows]
    notebook.save(folder, notebook.Notebook(rows, book.own))
    print(f"\nrow {row['row']} of {file} was measured again, compared with {against_in_words(before)}")
    return status


def try_idea(folder, name, source, options, attempt, programs, keep_verdict):
    """Runs one try and returns its status. `attempt`: the command line of its program; `programs`: the folder of kept
    programs; `keep_verdict`: gets the result of the check."""
    before = row_before(folder, name, options)
    optional = [*(["--threads", options.threads] if options.threads else []), *(["--ranks", options.ranks] if options.ranks else []), *(["--vdt"] if options.vdt else []),
                *(["-n", options.n] if options.n else []), *waiting(options)]
    status, told = measure([*attempt, "--expect", options.expect, *optional, *options_of_before(before, programs)])
    keep_verdict(told["check"])
    against = against_in_words(before)
    row = write_row(folder, new_row(told, options, name, before), source, f"{told['conditions']}; compared with {against}")
    if status == 0:
        keep_program(programs, row, told["program"])
    if status == 0 and not row["measured"]:
        print(f"  note      measure it again when the machine is quiet: ./lab try {part_of(folder)} --again {row['row']} --wait 120")
    return status
