"""Schemas of measured/NAME.json and results.json, version 1; docs/grading_formats.md explains each field."""

from nbody_lab.grade.schema import NUMBER, TEXT, TRUTH, WHOLE, MapOf, Maybe, path_text, problems_at

MACHINE = {"cpu": TEXT, "cores": WHOLE, "compiler": TEXT, "gpu": TEXT, "no_bound?": TEXT}
ISOLATION = {"kind": TEXT, "banner": TEXT}
FAILURE = {
    "group": TEXT,
    "scene": TEXT,
    "n": Maybe(WHOLE),
    "error": Maybe(NUMBER),
    "limit": Maybe(NUMBER),
    "detail": TEXT,
    "diagnosis": TEXT,
}
CHECK = {
    "verdict": TEXT,
    "worst_share_of_limit": Maybe(NUMBER),
    "cases": WHOLE,
    "failed": WHOLE,
    "first_failures": [FAILURE],
    "problem": TEXT,
}
SPEED = {
    "threads": WHOLE,
    "n": WHOLE,
    "scene": TEXT,
    "interactions_per_s": Maybe(NUMBER),
    "spread": Maybe(NUMBER),
    "rounds": WHOLE,
    "verdict": TEXT,
    "noisy": TRUTH,
    "times_naive": Maybe(NUMBER),
    "share_of_solution": Maybe(NUMBER),
    "naive_interactions_per_s": Maybe(NUMBER),
    "solution": TEXT,
    "solution_interactions_per_s": Maybe(NUMBER),
    "bound_interactions_per_s": Maybe(NUMBER),
    "above_bound": TRUTH,
}
ROW = {
    "name": TEXT,
    "source": TEXT,
    "flags": TEXT,
    "untouched": TRUTH,
    "built": TRUTH,
    "build_problem": TEXT,
    "build_log": TEXT,
    "check": Maybe(CHECK),
    "counts": Maybe({"flops": TEXT, "problem": TEXT}),
    "speed": [SPEED],
    "not_timed": TEXT,
}
LINE = {
    "number": TEXT,
    "question": TEXT,
    "kind": TEXT,
    "answer": TEXT,
    "state": ("", "waits", "right", "wrong", "noted", "answered"),
    "words": TEXT,
    "points": NUMBER,
}
TRY = {
    "row": Maybe(WHOLE),
    "name": TEXT,
    "idea": TEXT,
    "expected": Maybe(NUMBER),
    "measured": Maybe(NUMBER),
    "verdict": TEXT,
}
PART = {
    "state": ("measured", "nothing handed in", "not graded here"),
    "reason": TEXT,
    "rows": [ROW],
    "worksheet": Maybe({"authors": TEXT, "lines": [LINE], "problem": TEXT}),
    "notebook": Maybe({"rows": [TRY], "problem": TEXT}),
}
SUBMISSION = {
    "name": TEXT,
    "authors": [TEXT],
    "student_id": TEXT,
    "source": TEXT,
    "kind": TEXT,
    "submitted": TEXT,
    "checksum": TEXT,
    "group?": TEXT,
    "late?": TRUTH,
}

MEASURED = {
    "version": (1,),
    "submission": SUBMISSION,
    "machine": MACHINE,
    "isolation": ISOLATION,
    "seed": WHOLE,
    "date": TEXT,
    "lab": TEXT,
    "timings?": MapOf([{"threads": WHOLE, "n": WHOLE, "scene": TEXT}]),
    "seconds": MapOf(NUMBER),
    "taken": [TEXT],
    "ignored": [{"file": TEXT, "why": TEXT}],
    "problems": [{"stage": TEXT, "text": TEXT}],
    "parts": MapOf(PART),
}

ITEM = {
    "part": TEXT,
    "item": TEXT,
    "points": Maybe(NUMBER),
    "maximum": NUMBER,
    "state": ("graded", "not graded here", "not asked for (--part)", "for a person", "flagged"),
    "why": TEXT,
}
MARKS = {
    "name": TEXT,
    "authors": [TEXT],
    "student_id": TEXT,
    "points": NUMBER,
    "maximum": NUMBER,
    "to_decide": NUMBER,
    "late": {"days": NUMBER, "taken_off": NUMBER, "why": TEXT},
    "items": [ITEM],
    "flags": [TEXT],
    "next": [TEXT],
    "problems": [TEXT],
    "measured": TEXT,
}

RESULTS = {
    "version": (1,),
    "title": TEXT,
    "maximum": NUMBER,
    "date": TEXT,
    "rubric_checksum": TEXT,
    "machine": Maybe(MACHINE),
    "isolation": Maybe(ISOLATION),
    "submissions": [MARKS],
}


def check(document, schema):
    """Lines that say what is wrong; none if the document follows the schema."""
    return [
        f"{path_text(path) or 'the document'}: {what}"
        for path, what in problems_at(document, schema)
    ]
