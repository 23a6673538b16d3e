"""Checks the built programs of a submission, counts their operations and judges the worksheet. The checker and the
judge belong to the lab and run outside the sandbox; the student's programs inside only answer.
"""

import json
import shutil

from nbody_lab.core.messages import UserError
from nbody_lab.grade.box import read_written
from nbody_lab.grade.building import boxed_manifest
from nbody_lab.grade.limits import too_much
from nbody_lab.notebook import notebook
from nbody_lab.worksheet.answers import NoAnswers, parse_answers
from nbody_lab.worksheet.counts import FORCES, Counts, polynomials_in
from nbody_lab.worksheet.judge import judge_sheet
from nbody_lab.worksheet.lines import SHEET, Detail
from nbody_lab.worksheet.notebook_rows import parse_rows
from nbody_lab.worksheet.questions import load_questions
from nbody_lab.worksheet.scope import Evidence

NO_CASES = {"cases": 0, "failed": 0, "worst_share_of_limit": None, "first_failures": []}
NOT_BUILT = {"verdict": "not checked", **NO_CASES, "problem": "it was not built"}
GIVEN = {"flops": "", "problem": "not counted: it is unchanged"}
MOST_FAILURES = 5  # cases that are reported
CHECK_S = 40  # wall time for one row: ten times the usual; a single answer has ANSWER_S
ANSWER_S = 10
NOT_IN_TIME = "no answer in time"  # as the checker's diagnosis begins
COUNT_S, WORKSHEET_S = 10, 5  # processor time; counting naive takes two


def last_words(said):
    """The last line of a program that is not about its progress: such lines begin with two blanks."""
    return next(
        (
            line
            for line in reversed(said.splitlines())
            if line.strip() and not line.startswith("  ")
        ),
        "",
    )


def check(allowance, words, file):
    """(`check` of a row, as in the measured file; whether it only failed on time). `words`: the checker's command line."""
    file.unlink(missing_ok=True)
    status, said, why = allowance.run([*words, "--timeout", ANSWER_S, "--json", file], CHECK_S)
    if status is None:
        return {
            "verdict": "not checked" if why == allowance.used_up else "failed",
            **NO_CASES,
            "problem": why,
        }, why != allowance.used_up
    try:
        told = json.loads(file.read_text(encoding="utf-8"))["implementations"][0]
    except (OSError, ValueError, KeyError, IndexError):
        return {
            "verdict": "not checked",
            **NO_CASES,
            "problem": why or last_words(said) or "the check printed nothing",
        }, False
    wrong = [case for case in told["cases"] if case["verdict"] != "passed"]
    keep = ("group", "scene", "n", "error", "limit", "detail", "diagnosis")
    first = [{key: case[key] for key in keep} for case in striking(wrong)[:MOST_FAILURES]]
    if why and first:
        first[0]["diagnosis"] = f"{why}: {first[0]['diagnosis']}"
    return {
        "verdict": "passed" if told["verdict"] == "passed" else "failed",
        "cases": len(told["cases"]),
        "failed": len(wrong),
        "worst_share_of_limit": told["worst_share_of_limit"],
        "problem": "",
        "first_failures": first,
    }, only_late(wrong)


def only_late(wrong):
    """Whether missing answers are the only failures, ignoring cases that were skipped because of them."""
    asked = [case for case in wrong if case["verdict"] == "failed"]
    return bool(asked) and all(case["diagnosis"].startswith(NOT_IN_TIME) for case in asked)


def checker(course, manifest, part, name, seed):
    return [course.programs / "check", part, name, "--manifest", manifest, "--seed", seed]


def check_alone(course, allowance, manifest, part, rows, seed, file):
    """Repeats the checks that failed on time only, with nothing else running."""
    for row in rows:
        if row["late"]:
            row["check"], _ = check(
                allowance, checker(course, manifest, part, row["name"], seed), file
            )
            if row["check"]["problem"] == allowance.used_up:
                row["check"]["problem"] = (
                    f"{NOT_IN_TIME}, and it was not repeated alone: {allowance.used_up}"
                )


def striking(cases):
    """The first failure of each kind."""
    found = {(case["group"], case["diagnosis"]): case for case in reversed(cases)}
    return [
        found[key] for key in dict.fromkeys((case["group"], case["diagnosis"]) for case in cases)
    ]


def remove(path):
    """Deletes a path, whatever a student's program made of it."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def count(box, isolation, limits, allowance, part, name, gpu):
    """Runs the count program and moves its result to the others, into a folder that no sandbox can write. Its messages
    come from the student's program."""
    program = box.program(part, f"{name}_count")
    if not program.is_file():
        return {"flops": "", "problem": "cannot be counted"}
    if not allowance.left():
        return {"flops": "", "problem": allowance.used_up}
    scratch = box.folder / "scratch"
    remove(scratch)
    scratch.mkdir()
    limits = limits._replace(cpu_s=COUNT_S, wall_s=min(2 * COUNT_S, allowance.left()))
    writable = [(str(scratch), str(scratch))]
    ended = isolation.run(
        [str(program), "--json", str(scratch / "count.json")],
        limits,
        box.to_run(),
        writable,
        folder="/",
        gpu=gpu,
    )
    text = read_written(scratch / "count.json")
    remove(scratch)
    try:
        flops = flops_of(text or "")
    except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError):
        last = (ended.stderr.decode("utf-8", "replace").strip().splitlines() or [""])[-1][:200]
        return {
            "flops": "",
            "problem": too_much(ended.why)
            if ended.why
            else last or "the count program wrote no counts",
        }
    (box.counts / part / f"{name}_count.json").write_text(text, encoding="utf-8")
    return {"flops": flops, "problem": ""}


def flops_of(text):
    """The flops in words. Raises an exception if the file is not a count."""
    for function in json.loads(text)["work"]:
        for polynomial in polynomials_in(text, function).values():
            sum(polynomial) / polynomial[-1]
    return flops_text(polynomials_in(text, FORCES))


class CountedHere(Counts):
    """Counts of the given code and of this submission's rows: `mine` in a worksheet may be any text."""

    def __init__(self, folder, names):
        super().__init__(folder)
        self.names = {"naive", *names}

    def polynomials(self, name, function=FORCES):
        return super().polynomials(name, function) if name in self.names else None


def flops_text(counted):
    """Flops of one iteration as a student would write them: 20 n^2 + 3 n."""
    polynomial = counted.get("flops")
    if not polynomial:
        return ""
    *terms, over = polynomial
    text = (
        " + ".join(
            f"{value / over:g}{unit}" for value, unit in zip(terms, (" n^2", " n", "")) if value
        )
        or "0"
    )
    return text.replace("+ -", "- ")


def judge_worksheet(box, isolation, limits, part, references, names):
    """`worksheet` of a part, as in the measured file. Questions about the student's machine are not judged, because
    that machine is not here."""
    empty = {"authors": "", "lines": [], "problem": ""}
    program = box.program(part, "worksheet_answers")
    if not program.is_file():
        return {**empty, "problem": "worksheet.hpp does not compile"}
    folder = box.tree / box.pristine.parts[part]
    ended = isolation.run(
        [str(program)],
        limits._replace(cpu_s=WORKSHEET_S, wall_s=2 * WORKSHEET_S),
        box.to_run(),
        [],
        folder="/",
    )
    naive = references.file.parent / "bin" / part / "naive_count.json"
    if naive.exists():
        shutil.copy(naive, box.counts / part / "naive_count.json")
    try:
        answers = parse_answers(ended.stdout.decode("utf-8", "surrogateescape"))
        try:
            rows = notebook.right_rows(folder)
        except UserError:
            rows = []
        evidence = Evidence(answers, CountedHere(box.counts / part, names), parse_rows(rows))
        questions = load_questions(folder / "questions.json")
        sheet = judge_sheet(questions, evidence, Detail.BY_HOW_MUCH)
        record = SHEET.dump_python(sheet, mode="json")
        return {**empty, "authors": record["authors"], "lines": record["lines"]}
    except NoAnswers:
        how = too_much(ended.why) if ended.why else f"it ended with status {ended.status}"
        return {**empty, "problem": f"worksheet.hpp gave no answers: {how}"}
    except UserError as fault:
        return {**empty, "problem": str(fault)}


def as_text(value):
    """A student's bytes need not be UTF-8."""
    return (
        value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        if isinstance(value, str)
        else value
    )


def read_notebook(folder):
    """`notebook` of a part: its rows, and the amount of text around them."""
    keep = ("row", "name", "idea", "expected", "measured", "verdict")
    try:
        rows = [{key: row.get(key) for key in keep} for row in notebook.rows(folder)]
        return {"rows": rows[:500], "problem": ""}
    except UserError as fault:
        return {"rows": [], "problem": str(fault)}


def judge_part(course, box, isolation, limits, allowance, part, rows, seed):
    """Fills in the rows and returns the rest of the part's entry in the measured file."""
    (box.counts / part).mkdir(parents=True)
    manifest = boxed_manifest(course, box, isolation, limits, part, rows)
    for row in rows:
        row["check"], row["late"] = (
            check(
                allowance,
                checker(course, manifest, part, row["name"], seed),
                box.folder / "check.json",
            )
            if row["built"]
            else (NOT_BUILT, False)
        )
    for row in rows:
        row["counts"] = (
            GIVEN
            if row["untouched"]
            else count(box, isolation, limits, allowance, part, row["name"], course.on_gpu(part))
        )
    return {
        "rows": rows,
        "worksheet": judge_worksheet(
            box, isolation, limits, part, course.references, [row["name"] for row in rows]
        ),
        "notebook": read_notebook(box.tree / box.pristine.parts[part]),
    }
