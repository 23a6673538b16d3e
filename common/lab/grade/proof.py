"""Tests the grader before it grades: the given code, as a submission, must build, pass and answer in the sandbox. So an
unreachable folder or a broken tool stops here and does not cost a hundred marks.
"""

import shutil
import time

from grade.measure import box_of, judge_part
from messages import say, stop

GIVEN = "_given"  # no submission has this name
MARK = "this very file was compiled"


def given_files(course, folder):
    """mine of each part, marked with a text that shows whether the submitted file was compiled."""
    files = {}
    for part, place in course.pristine.parts.items():
        for source in (course.pristine.tree / place).glob("mine.*"):
            if part in course.parts and not course.reason_against(part):
                copy = folder / place / source.name
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_text(source.read_text(encoding="utf-8") + f'[[gnu::used]] static const char proof[] = "{MARK}";\n', encoding="utf-8")
                files[f"{place}/{source.name}"] = copy
    return files


def what_failed(course, isolation, part, files):
    record = {"submission": {"name": GIVEN}, "seed": 1, "seconds": {}, "problems": [], "parts": {part: {}}}
    judge_part(course, isolation, record, part, files, {})
    told = record["parts"][part]
    row, worksheet = told["rows"][0], told["worksheet"]["problem"]
    if not row["built"]:
        return f"{part}/mine as handed out does not build in the sandbox: {row['build_problem'] or record['problems']}"
    if MARK.encode() not in box_of(course, record, part).program(part, "mine").read_bytes():
        return f"{part}/mine was not built from what was handed in"
    if row["check"]["verdict"] != "passed":
        case = (row["check"]["first_failures"] or [{}])[0]
        return f"{part}/mine as handed out does not pass in the sandbox: {row['check']['problem'] or case.get('diagnosis', row['check']['verdict'])}"
    return worksheet and f"{part}: {worksheet}"


def prove(course):
    start, folder = time.monotonic(), course.out / "work" / GIVEN
    files = given_files(course, folder / "files")
    with course.own_isolation() as isolation:
        for part in course.parts:
            failed = "" if course.reason_against(part) else what_failed(course, isolation, part, files)
            if failed:
                stop(f"the grader does not work here, so nothing was graded: {failed}")
    shutil.rmtree(folder, ignore_errors=True)
    say(f"the given code passes in the sandbox ({course.isolation.kind}; {time.monotonic() - start:.0f} s)")
