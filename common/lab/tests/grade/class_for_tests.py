"""A graded class, with honest and hostile submissions, as OUT/results.json and OUT/measured/*.json."""

import json
import shutil
import tempfile
from pathlib import Path

# Made-up measurements of submissions, in the grader's format; the figures belong to no real machine.
MACHINE = {"cpu": "A made-up processor", "cores": 2, "compiler": "g++ 12.2.0", "gpu": ""}
SOLUTION, NAIVE, BOUND = 1.2e9, 1.4e8, 6.0e9
FAILURES = [
    {
        "group": "forces",
        "scene": "equal masses",
        "n": 7,
        "error": 1e-2,
        "limit": 1e-5,
        "diagnosis": "the last body is skipped",
        "detail": "worst body 3: expected a = (0.125, -0.25, 3.5), got (0.125, -0.25, 3.25)",
    },
    {
        "group": "energy",
        "scene": "two bodies",
        "n": 2,
        "error": 0.3,
        "limit": 1e-3,
        "diagnosis": "",
        "detail": "energy grows by 30 %",
    },
]


def speed(share, threads=1, **more):
    rate = share * SOLUTION * threads**0.9
    return {
        "threads": threads,
        "n": 2000,
        "scene": "plummer",
        "interactions_per_s": rate,
        "spread": 0.03,
        "rounds": 7,
        "verdict": "right",
        "noisy": False,
        "times_naive": rate / NAIVE,
        "share_of_solution": share,
        "naive_interactions_per_s": NAIVE,
        "solution": "split_loop",
        "solution_interactions_per_s": SOLUTION * threads**0.9,
        "bound_interactions_per_s": BOUND * threads,
        "above_bound": rate > BOUND * threads,
        **more,
    }


def check(failures=(), verdict=""):
    return {
        "verdict": verdict or ("failed" if failures else "passed"),
        "worst_share_of_limit": 1000.0 if failures else 0.31,
        "cases": 249,
        "failed": len(failures),
        "first_failures": list(failures),
        "problem": "",
    }


def row(name="mine", shares=(0.71, 0.6), failures=(), **more):
    speeds = [] if failures else [speed(share, threads) for threads, share in enumerate(shares, 1)]
    return {
        "name": name,
        "source": f"part1_standard_opti/{name}.hpp",
        "flags": "-O3 -fopenmp",
        "untouched": False,
        "built": True,
        "build_problem": "",
        "build_log": "",
        "check": check(failures),
        "counts": {"flops": "20*n^2", "problem": ""},
        "speed": speeds,
        "not_timed": "wrong" if failures else "",
        **more,
    }


def unbuilt(log, name="mine"):
    return row(
        name,
        (),
        built=False,
        build_problem="does not compile",
        build_log=log,
        check=check(verdict="not checked: it does not compile"),
        counts={"flops": "", "problem": "it does not compile"},
        not_timed="not built",
    )


def worksheet(authors="Anna Smith", state="wrong", answer="21"):
    lines = [
        ("1a", "additions of one interaction", "exact", "6", "right", ""),
        (
            "1b",
            "multiplications of one interaction",
            "exact",
            answer,
            state,
            "" if state == "right" else "too many",
        ),
        (
            "2",
            "flops of one iteration at n = 1000",
            "follows",
            "2e7",
            "waits",
            "not judged yet: it depends on 1",
        ),
        ("3", "what limits naive?", "choice", "b", "answered", ""),
        ("19", "your name's machine", "text", "", "", ""),
    ]
    keys = ("number", "question", "kind", "answer", "state", "words")
    return {
        "authors": authors,
        "lines": [{**dict(zip(keys, line)), "points": 1.0} for line in lines],
        "problem": "",
    }


def notebook(idea="locals instead of members"):
    return {
        "rows": [
            {
                "row": 1,
                "name": "mine",
                "idea": idea,
                "expected": 1.5,
                "measured": 1.42,
                "verdict": "as expected",
            },
            {
                "row": 2,
                "name": "mine",
                "idea": "one division less",
                "expected": 2.0,
                "measured": 1.1,
                "verdict": "less than expected",
            },
        ],
        "problem": "",
    }


def part(*rows, state="measured", reason="", sheet=None, book=None):
    return {
        "state": state,
        "reason": reason,
        "rows": list(rows),
        "worksheet": sheet or worksheet(),
        "notebook": book or notebook(),
    }


NO_PART = {
    "state": "nothing handed in",
    "reason": "",
    "rows": [],
    "worksheet": {"authors": "", "lines": [], "problem": ""},
    "notebook": {"rows": [], "problem": ""},
}
NO_GPU = {**NO_PART, "state": "not graded here", "reason": "needs a GPU"}


def measured(name, authors, student_id, parts, **more):
    return {
        "version": 1,
        "submission": {
            "name": name,
            "authors": authors,
            "student_id": student_id,
            "source": f"{name}.zip",
            "kind": "zip",
            "submitted": "2026-11-20T21:14:00+00:00",
            "checksum": "sha256:00",
        },
        "machine": MACHINE,
        "isolation": {"kind": "bubblewrap", "banner": ""},
        "seed": 7711,
        "date": "2026-11-22T20:00:00+00:00",
        "lab": "1900bc0",
        "seconds": {"unpack": 0.1, "build": 3.2, "check": 2.0, "timing": 6.0},
        "taken": ["part1_standard_opti/mine.hpp", "part1_standard_opti/worksheet.hpp"],
        "ignored": [{"file": "common/check/main.cpp", "why": "belongs to the lab"}],
        "problems": [],
        "parts": parts,
        **more,
    }


EVIL = "</script><script>alert(1)</script>"
BACKWARDS = "\u202egnp.exe"  # a right-to-left override
COLOURED = "\x1b[31;1merror:\x1b[0m \x1b]0;title\x07no such name\n"
FORMULA = '=HYPERLINK("http://localhost","click")'
NEXT = "part1: ./lab bound part1 mine names the unit that limits it"
LONG_LOG = 10_000_000
ERRORS = "mine.hpp:12:5: error: 'sqroot' was not declared in this scope\n   12 |     sqroot(r2);\n      |     ^~~~~~\n"


def item(points, maximum, name, why, part_name="part1", state="graded"):
    return {
        "part": part_name,
        "item": name,
        "points": points,
        "maximum": maximum,
        "state": state,
        "why": why,
    }


def items(correct, one, two, state="graded"):
    """Items of part 1; `one`, `two`: speed points with one and two threads, None if a person decides."""
    why = "0.71 of the solution's speed (8.7e8 of 1.2e9 interactions/s): band from 0.5 gives 5; 10 from 0.9"
    return [
        item(
            correct,
            10,
            "correctness",
            "all 249 cases are right" if correct else "2 of 249 cases are wrong",
        ),
        item(one, 10, "speed, 1 thread", why, state=state if one is None else "graded"),
        item(
            two,
            5,
            "speed, all threads",
            "3.1 x naive: band from 2 gives 1",
            state=state if two is None else "graded",
        ),
        item(12, 15, "worksheet", "12 of 15 lines"),
        item(7.5, 10, "notebook", "3 of 4 rows with a prediction"),
        item(
            None,
            10,
            "why is third law not twice as fast",
            "a person reads the answer",
            state="for a person",
        ),
    ]


NOT_HERE = item(None, 40, "correctness", "needs a GPU", "part3", "not graded here")


def submission(name, authors, student_id, lines, late=None, flags=()):
    graded = [one for one in lines if one["points"] is not None]
    points = round(sum(one["points"] for one in graded) - (late or {}).get("taken_off", 0), 2)
    return {
        "name": name,
        "authors": authors,
        "student_id": student_id,
        "points": points,
        "maximum": sum(one["maximum"] for one in graded),
        "to_decide": sum(
            one["maximum"] for one in lines if one["state"] in ("for a person", "flagged")
        ),
        "late": late or {"days": 0, "taken_off": 0, "why": ""},
        "items": lines,
        "flags": list(flags),
        "next": [NEXT] if graded else [],
        "problems": [],
        "measured": f"measured/{name}.json",
    }


def graded(name, authors, student_id, lines, parts, late=None, flags=(), **more):
    return submission(name, authors, student_id, lines, late, flags), measured(
        name, authors, student_id, parts, **more
    )


def honest():
    good = {"part1": part(row(), row("mine_two", (0.4, 0.35))), "part3": NO_GPU}
    yield graded(
        "smith_anna",
        ["Anna Smith", "Björn Ångström"],
        "12345",
        [*items(10, 5, 1), NOT_HERE],
        good,
        {"days": 1, "taken_off": 3.55, "why": "10 % a day"},
    )
    yield graded(
        "fast_eva",
        ["Eva Fast"],
        "12346",
        [*items(10, 10, 5), NOT_HERE],
        {"part1": part(row(shares=(0.97, 0.95)), sheet=worksheet("Eva Fast", "right"))},
    )
    yield graded(
        "blank_carl",
        ["Carl Blank"],
        "12347",
        items(10, 0, 0),
        {"part1": part(row(shares=(0.116, 0.117), untouched=True))},
    )
    yield graded(
        "syntax_dora", ["Dora Syntax"], "12348", items(0, 0, 0), {"part1": part(unbuilt(ERRORS))}
    )
    yield graded(
        "wrong_emil",
        ["Emil Wrong"],
        "12349",
        items(0, 0, 0),
        {"part1": part(row(failures=FAILURES))},
    )
    noisy = row(speed=[speed(0.5, noisy=True, spread=0.4)])
    yield graded(
        "loud_grete",
        ["Grete Loud"],
        "12350",
        items(10, None, 1, "for a person"),
        {"part1": part(noisy)},
        flags=["part1/mine: too noisy to tell, timed twice"],
    )
    yield graded(
        "sheet_hans",
        ["Hans Sheet"],
        "12351",
        items(0, 0, 0),
        {"part1": {**part(), "state": "nothing handed in"}},
    )
    yield graded("khayyam_omar", ["عمر الخيام"], "12352", items(10, 5, 1), {"part1": part(row())})


def hostile():
    evil = part(
        row(f"mine_{EVIL}"),
        unbuilt(f"{EVIL}\n{BACKWARDS}\n"),
        sheet=worksheet(EVIL, answer=EVIL),
        book=notebook(f"{EVIL} & 'quotes'"),
    )
    yield graded(
        "evil_eve",
        [f"Eve {EVIL}"],
        "12353",
        items(10, 5, 1),
        {"part1": evil},
        flags=[f"part1/mine: {EVIL}"],
        ignored=[{"file": f"{EVIL}/{BACKWARDS}", "why": "no file of the lab"}],
    )
    flood = unbuilt(ERRORS + COLOURED * (LONG_LOG // len(COLOURED)) + "\nthe end of the log")
    yield graded(
        "flood_fritz",
        [f"Fritz {BACKWARDS}"],
        "12354",
        items(0, 0, 0),
        {"part1": part(flood)},
        ignored=[{"file": f"junk/{k}", "why": "no file of the lab"} for k in range(3000)],
    )
    yield graded(
        "formula_fred",
        [FORMULA, "-1+cmd|' /C calc'!A0", "x;=1+1"],
        "@SUM(1)",
        items(10, 5, 1),
        {"part1": part(row())},
    )
    above = row(speed=[speed(7.5)])
    yield graded(
        "cheat_clara",
        ["C" * 300],
        "12355",
        items(10, None, None, "flagged"),
        {"part1": part(above)},
        flags=["part1/mine: faster than this machine allows: a person should look"],
        isolation={"kind": "landlock", "banner": "weaker isolation: no bubblewrap here"},
    )
    nothing = [item(None, 60, "correctness", "nothing could be unpacked", state="for a person")]
    yield graded(
        "broken_bob",
        [],
        "",
        nothing,
        {"part1": NO_PART},
        problems=[{"stage": "unpack", "text": "lab.zip: no zip file"}],
    )


def results_of(submissions):
    return {
        "version": 1,
        "title": "N-body lab, autumn",
        "maximum": 60,
        "date": "2026-11-22T20:30:00+00:00",
        "rubric_checksum": "sha256:5ca1ab1e",
        "machine": MACHINE,
        "isolation": {"kind": "bubblewrap", "banner": ""},
        "submissions": submissions,
    }


EVIDENCE = {
    "version": 1,
    "pairs": [
        {"one": "fast_eva", "other": "smith_anna", "part": "part1", "share": 0.83, "lines": 41},
        {"one": "evil_eve", "other": EVIL, "part": "part1", "share": 0.6, "lines": 12},
    ],
}


def whole_class():
    """(results.json as a dict, {name: measured})"""
    both = [*honest(), *hostile()]
    return results_of([one for one, _ in both]), {one["name"]: found for one, found in both}


def many(count):
    """`count` submissions: the honest ones, repeated."""
    found, kept = [], {}
    while len(found) < count:
        for one, what in honest():
            name = f"{one['name']}_{len(found)}"
            found.append({**one, "name": name})
            kept[name] = what
    return results_of(found[:count]), kept


class Graded:
    """The OUT folder of a class, in a temporary folder."""

    def __init__(self, results=None, kept=None, evidence=None):
        if results is None:
            results, kept = whole_class()
        self.out = Path(tempfile.mkdtemp())
        self.write("results.json", results)
        for name, what in kept.items():
            self.write(f"measured/{name}.json", what)
        if evidence:
            self.write("evidence.json", evidence)

    def write(self, name, data):
        file = self.out / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(data), encoding="utf-8")

    def close(self):
        shutil.rmtree(self.out)
