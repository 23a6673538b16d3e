"""Made-up measurements of submissions, in the grader's format; the figures belong to no real machine."""

MACHINE = {"cpu": "A made-up processor", "cores": 2, "compiler": "g++ 12.2.0", "gpu": ""}
SOLUTION, NAIVE, BOUND = 1.2e9, 1.4e8, 6.0e9
FAILURES = [{"group": "forces", "scene": "equal masses", "n": 7, "error": 1e-2, "limit": 1e-5, "diagnosis": "the last body is skipped",
             "detail": "worst body 3: expected a = (0.125, -0.25, 3.5), got (0.125, -0.25, 3.25)"},
            {"group": "energy", "scene": "two bodies", "n": 2, "error": 0.3, "limit": 1e-3, "diagnosis": "", "detail": "energy grows by 30 %"}]


def speed(share, threads=1, **more):
    rate = share * SOLUTION * threads ** 0.9
    return {"threads": threads, "n": 2000, "scene": "plummer", "interactions_per_s": rate, "spread": 0.03, "rounds": 7, "verdict": "right",
            "noisy": False, "times_naive": rate / NAIVE, "share_of_solution": share, "naive_interactions_per_s": NAIVE, "solution": "split_loop",
            "solution_interactions_per_s": SOLUTION * threads ** 0.9, "bound_interactions_per_s": BOUND * threads, "above_bound": rate > BOUND * threads,
            **more}


def check(failures=(), verdict=""):
    return {"verdict": verdict or ("failed" if failures else "passed"), "worst_share_of_limit": 1000.0 if failures else 0.31, "cases": 249,
            "failed": len(failures), "first_failures": list(failures), "problem": ""}


def row(name="mine", shares=(0.71, 0.6), failures=(), **more):
    speeds = [] if failures else [speed(share, threads) for threads, share in enumerate(shares, 1)]
    return {"name": name, "source": f"part1_standard_opti/{name}.hpp", "flags": "-O3 -fopenmp", "untouched": False, "built": True,
            "build_problem": "", "build_log": "", "check": check(failures), "counts": {"flops": "20*n^2", "problem": ""}, "speed": speeds,
            "not_timed": "wrong" if failures else "", **more}


def unbuilt(log, name="mine"):
    return row(name, (), built=False, build_problem="does not compile", build_log=log, check=check(verdict="not checked: it does not compile"),
               counts={"flops": "", "problem": "it does not compile"}, not_timed="not built")


def worksheet(authors="Anna Smith", state="wrong", answer="21"):
    lines = [("1a", "additions of one interaction", "exact", "6", "right", ""), ("1b", "multiplications of one interaction", "exact", answer, state,
             "" if state == "right" else "too many"), ("2", "flops of one iteration at n = 1000", "follows", "2e7", "waits", "judged once there is 1"),
             ("3", "what limits naive?", "choice", "b", "answered", ""), ("19", "your name's machine", "text", "", "", "")]
    keys = ("number", "question", "kind", "answer", "state", "words")
    return {"authors": authors, "lines": [{**dict(zip(keys, line)), "points": 1.0} for line in lines], "problem": ""}


def notebook(idea="locals instead of members"):
    return {"rows": [{"row": 1, "name": "mine", "idea": idea, "expected": 1.5, "measured": 1.42, "verdict": "as expected"},
                     {"row": 2, "name": "mine", "idea": "one division less", "expected": 2.0, "measured": 1.1, "verdict": "less than expected"}],
            "problem": ""}


def part(*rows, state="measured", reason="", sheet=None, book=None):
    return {"state": state, "reason": reason, "rows": list(rows), "worksheet": sheet or worksheet(), "notebook": book or notebook()}


NO_PART = {"state": "nothing handed in", "reason": "", "rows": [], "worksheet": {"authors": "", "lines": [], "problem": ""},
           "notebook": {"rows": [], "problem": ""}}
NO_GPU = {**NO_PART, "state": "not graded here", "reason": "needs a GPU"}


def measured(name, authors, student_id, parts, **more):
    return {"version": 1, "submission": {"name": name, "authors": authors, "student_id": student_id, "source": f"{name}.zip", "kind": "zip",
                                         "submitted": "2026-11-20T21:14:00+00:00", "checksum": "sha256:00"},
            "machine": MACHINE, "isolation": {"kind": "bubblewrap", "banner": ""}, "seed": 7711, "date": "2026-11-22T20:00:00+00:00",
            "lab": "1900bc0", "seconds": {"unpack": 0.1, "build": 3.2, "check": 2.0, "timing": 6.0},
            "taken": ["part1_standard_opti/mine.hpp", "part1_standard_opti/worksheet.hpp"],
            "ignored": [{"file": "common/check/main.cpp", "why": "belongs to the lab"}], "problems": [], "parts": parts, **more}
