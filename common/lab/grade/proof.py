"""Before a class is graded: the given code, handed in as a submission, must build, be right and be asked in the sandbox.
A folder that the sandbox cannot reach, or a broken tool, stops here and not in a hundred marks.
"""

import time

from grade import building, judging
from grade.allowance import Allowance
from grade.box import Box
from grade.isolation import COMPILE
from messages import say, stop


def given_files(course, folder):
    """mine of each part, changed by a comment so that it is not taken for untouched."""
    files = {}
    for part, place in course.pristine.parts.items():
        for source in (course.pristine.tree / place).glob("mine.*"):
            if part in course.parts and not course.reason_against(part):
                copy = folder / place / source.name
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_text(source.read_text(encoding="utf-8") + "// as it was given\n", encoding="utf-8")
                files[f"{place}/{source.name}"] = copy
    return files


def what_failed(box, isolation, limits, course, part):
    allowance = Allowance(isolation.to_watch(limits))
    rows, problems = building.build(box, isolation, COMPILE, allowance, part)
    row = rows[0]
    if not row["built"]:
        return f"{part}/mine as it is given does not build in the sandbox: {row['build_problem'] or problems}"
    told = judging.judge_part(course, box, isolation, limits, allowance, part, rows, 1)
    if row["check"]["verdict"] != "passed":
        case = (row["check"]["first_failures"] or [{}])[0]
        return f"{part}/mine as it is given does not pass in the sandbox: {row['check']['problem'] or case.get('diagnosis', row['check']['verdict'])}"
    return told["worksheet"]["problem"] and f"{part}: {told['worksheet']['problem']}"


def prove(course, limits):
    start, folder = time.monotonic(), course.out / "work/_given"
    files = given_files(course, folder / "files")
    with course.own_isolation() as isolation:
        for part in course.parts:
            if not course.reason_against(part):
                box = Box(folder / part, course.pristine)
                box.fill(files)
                failed = what_failed(box, isolation, limits, course, part)
                box.remove()
                if failed:
                    stop(f"the grader does not work here, so nothing was graded: {failed}")
    say(f"the given code passes in the sandbox ({course.isolation.kind}; {time.monotonic() - start:.0f} s)")
