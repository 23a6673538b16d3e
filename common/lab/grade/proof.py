"""Before a class is graded: the given code, handed in as a submission, must build, be right and be asked in the sandbox.
A folder that the sandbox cannot reach, or a broken tool, stops here and not in a hundred marks.
"""

import time

from grade import building, judging
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


def what_failed(box, isolation, limits, course, parts):
    rows, _, problems = building.build(box, isolation, COMPILE, parts)
    for part in parts:
        row = rows[part][0]
        if not row["built"]:
            return f"{part}/mine as it is given does not build in the sandbox: {row['build_problem'] or problems}"
        told, _ = judging.judge_part(box, isolation, limits, part, rows[part], course.references, course.programs, course.seed)
        check = told["rows"][0]["check"]
        if check["verdict"] != "passed":
            case = (check.get("first_failures") or [{}])[0]
            return f"{part}/mine as it is given does not pass in the sandbox: {check['problem'] or case.get('diagnosis', check['verdict'])}"
        if told["worksheet"]["problem"]:
            return f"{part}: {told['worksheet']['problem']}"
    return ""


def prove(course, limits):
    start, folder = time.monotonic(), course.out / "work/_given"
    files = given_files(course, folder / "files")
    parts = [part for part in course.parts if not course.reason_against(part)]
    box = Box(folder / "box", course.pristine)
    box.fill(files)
    with course.own_isolation() as isolation:
        failed = what_failed(box, isolation, limits, course, parts) if parts else ""
    box.remove()
    if failed:
        stop(f"the grader does not work here, so nothing was graded: {failed}")
    say(f"the given code passes in the sandbox ({course.isolation.kind}; {time.monotonic() - start:.0f} s)")
