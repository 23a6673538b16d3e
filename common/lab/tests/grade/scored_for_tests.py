"""Measured files of a made-up class, as measuring writes them, and their records and marks."""

from pathlib import Path

from nbody_lab.core.model import parse
from nbody_lab.grade.models import Record, Results
from nbody_lab.grade.rubric import read_rubric
from nbody_lab.grade.score import score

RUBRIC = read_rubric(Path(__file__).resolve().parent / "rubric_for_tests.json")
EVIL = "</script><script>alert(1)</script>"
BACKWARDS = "\u202egnp.exe"  # a right-to-left override

SUBMITTED = "2026-11-20T21:14:00+00:00"
FAILURE = {
    "group": "forces",
    "scene": "equal masses",
    "n": 7,
    "error": 1e-2,
    "limit": 1e-5,
    "detail": "worst body 3: expected a = (1, 2, 3), got (0, 0, 0)",
    "diagnosis": "the last body is skipped",
}
PASSED = {
    "verdict": "passed",
    "worst_share_of_limit": 0.31,
    "cases": 249,
}
FAILED = {
    **PASSED,
    "verdict": "failed",
    "worst_share_of_limit": 1000.0,
    "failed": 3,
    "first_failures": [FAILURE],
}


def speed(share=0.71, threads=1, **other):
    """On a machine with 1.2e9 interactions/s for the single-threaded solution and 1.4e8 for naive."""
    solution, naive = 1.2e9 * threads, 1.4e8
    rate = share * solution
    return {
        "threads": threads,
        "n": 2000,
        "scene": "plummer",
        "interactions_per_s": rate,
        "spread": 0.03,
        "rounds": 7,
        "verdict": "right",
        "times_naive": rate / naive,
        "share_of_solution": share,
        "naive_interactions_per_s": naive,
        "solution": "third_law",
        "solution_interactions_per_s": solution,
        "bound_interactions_per_s": 6e9,
        **other,
    }


def row(name="mine", part="part1", **other):
    return {
        "name": name,
        "source": f"{part}_standard_opti/{name}.hpp",
        "flags": "-O3 -fopenmp",
        "built": True,
        "check": PASSED,
        "counts": {"flops": "20*n^2", "problem": ""},
        "speed": [speed(), speed(0.6, 2)],
        **other,
    }


def wrong(name="mine", **other):
    return row(name, check=FAILED, speed=[], not_timed="wrong", **other)


def line(number, state="right", words="", points=1, kind="exact"):
    found = {"number": number, "question": "flops of naive", "kind": kind, "answer": "20 n^2"}
    return found | {"state": state, "words": words, "points": points}


def sheet(*lines, problem=""):
    return {"authors": "Anna Smith", "lines": list(lines), "problem": problem}


def tried(number, idea="locals", expected=1.5, measured=1.42, verdict="as expected"):
    found = {"row": number, "name": "mine", "idea": idea, "expected": expected}
    return found | {"measured": measured, "verdict": verdict}


def notebook(*rows, problem=""):
    return {"rows": list(rows), "problem": problem}


def good_sheet():
    return sheet(
        line("0", "noted", kind="text"), *(line(str(k)) for k in range(1, 5)), line("5", "wrong")
    )


def good_notebook():
    return notebook(*(tried(k, f"idea {k}") for k in range(1, 5)))


def part(*rows, **other):
    return {
        "state": "measured",
        "reason": "",
        "rows": list(rows),
        "worksheet": good_sheet(),
        "notebook": good_notebook(),
        **other,
    }


def no_part(state="nothing handed in", reason=""):
    return {"state": state, "reason": reason, "rows": [], "worksheet": None, "notebook": None}


def measured(
    name="smith_anna",
    authors=("Anna Smith",),
    problems=(),
    submitted=SUBMITTED,
    student_id="12345",
    **parts,
):
    """A submission; every default for parts 1 and 2 is good."""
    parts = parts or {"part1": part(row()), "part2": part(row(part="part2"))}
    return {
        "version": 1,
        "submission": {
            "name": name,
            "authors": list(authors),
            "student_id": student_id,
            "source": f"{name}.zip",
            "kind": "zip",
            "submitted": submitted,
            "checksum": "sha256:00",
        },
        "machine": {
            "cpu": "Intel(R) Xeon(R) Processor",
            "cores": 2,
            "compiler": "g++ 12.2.0",
            "gpu": "",
        },
        "isolation": {"kind": "bubblewrap", "banner": ""},
        "seed": 7711,
        "date": "2026-11-22T20:00:00+00:00",
        "lab": "1900bc0",
        "seconds": {"unpack": 0.1, "build": 3.2},
        "taken": ["part1_standard_opti/mine.hpp"],
        "ignored": [{"file": "common/check/main.cpp", "why": "belongs to the lab"}],
        "problems": [{"stage": stage, "text": text} for stage, text in problems],
        "parts": parts,
    }


def untouched(part="part1"):
    return row("mine", part, untouched=True, check=PASSED, speed=[], not_timed="the same as given")


def class_of_all_kinds():
    """{kind of problem: a measured file}, for tests that show results."""
    broken = row(
        built=False,
        check=None,
        counts=None,
        speed=[],
        build_problem="mine.hpp:12: expected ';'",
        build_log="12 | int a\n",
    )
    cases = {
        "honest": {"part1": part(row(), row("mine_openmp")), "part2": part(row(part="part2"))},
        "untouched": {"part1": part(untouched()), "part2": no_part()},
        "broken_part2": {"part1": part(row()), "part2": part(broken)},
        "wrong": {"part1": part(wrong()), "part2": no_part()},
        "noisy": {"part1": part(row(speed=[speed(noisy=True, spread=0.22)])), "part2": no_part()},
        "too_fast": {"part1": part(row(speed=[speed(6, above_bound=True)])), "part2": no_part()},
        "no_gpu": {"part1": part(row()), "part2": no_part("not graded here", "needs a GPU")},
        "only_paper": {"part1": part(), "part2": no_part()},
        "unicode_\u00f8": {"part1": part(row("mine_\u00e4")), "part2": no_part()},
    }
    made = {
        what: measured(what, [f"{what} <b>&=1"], student_id=str(k), **parts)
        for k, (what, parts) in enumerate(cases.items())
    }
    made["group"] = measured("group", ["Ada", "Bo"], student_id="100")
    made["unreadable"] = measured(
        "unreadable",
        [],
        [("unpack", "lab.zip: no zip file")],
        student_id="101",
        part1=no_part(),
        part2=no_part(),
    )
    return made


def records_of(files) -> list[Record]:
    return [parse(Record, one, "a test") for one in files]


def results_of(*files, rubric=RUBRIC, **more) -> Results:
    return score(records_of(files), rubric, date="2026-11-22T20:30:00+00:00", **more)


def hostile():
    """Submissions whose texts try to become code, formulas or commands of a terminal."""
    bad_row = row(
        f"mine_{EVIL}",
        built=False,
        check=None,
        speed=[],
        build_problem=EVIL,
        build_log=f"{EVIL}\n{BACKWARDS}\n\x1b[31;1merror:\x1b[0m \x1b]0;title\x07no such name\n",
    )
    evil = part(
        bad_row,
        worksheet=sheet(line(EVIL, words=EVIL), problem=""),
        notebook=notebook(tried(1, f"{EVIL} & 'quotes'")),
    )
    yield measured("evil_eve", [f"Eve {EVIL}"], [("build", EVIL)], part1=evil, part2=no_part())
    yield measured("formula_fred", ["=1+1", "-1+cmd|' /C calc'!A0", "x;=1+1"], student_id="@SUM(1)")
    flood = measured("flood_fritz", [f"Fritz {BACKWARDS}"])
    flood["ignored"] = [{"file": f"junk/{k}", "why": EVIL} for k in range(3000)]
    yield flood
