"""Records of a made-up class, as measuring writes them, and their marks."""

from pathlib import Path
from types import SimpleNamespace

from nbody_lab.core.model import parse
from nbody_lab.grade.course import Course
from nbody_lab.grade.models import Machine, Record, Results
from nbody_lab.grade.rubric import PartRule, Rubric, read_rubric
from nbody_lab.grade.score import ManualRow, score

RUBRIC = read_rubric(Path(__file__).resolve().with_name("rubric_for_tests.json"))
QUESTION = "part1: Why is the third law not twice as fast?"
QUESTION_2 = "part2: Say what stopped the vectoriser, and how you know."
P1 = "part1_standard_opti"
EVIL = "</script><script>alert(1)</script>"

PASSED = {"verdict": "passed", "worst_share_of_limit": 0.31, "cases": 249}
FAILED = {"verdict": "failed", "worst_share_of_limit": 1000.0, "cases": 249, "failed": 3}
FAILED |= {"mistake": "the last body is skipped"}


def speed(share=0.71, threads=1, **other):
    """On a machine with 1.2e9 interactions/s for the single-threaded solution and 1.4e8 for naive."""
    solution = 1.2e9 * threads
    timed = {"threads": threads, "n": 2000, "outcome": "right", "verdict": "right", "spread": 0.03}
    timed |= {"interactions_per_s": share * solution, "times_naive": share * solution / 1.4e8}
    beside = {"share_of_solution": share, "solution_interactions_per_s": solution}
    return timed | beside | {"solution": "third_law", "naive_interactions_per_s": 1.4e8} | other


def row(name="mine", **other):
    made = {"name": name, "source": f"{P1}/{name}.hpp", "built": True, "check": PASSED}
    return made | {"speed": [speed(), speed(0.6, 2)]} | other


# What a row may be, instead.
WRONG = {"check": FAILED, "speed": []}
UNTOUCHED = {"untouched": True, "speed": []}
BROKEN = {"built": False, "check": {}, "speed": []}


def line(number, state="right", words="", points=1):
    asked = {"question": "flops of naive", "kind": "exact", "answer": "20 n^2"}
    return {"number": number, "points": points, "state": state, "words": words} | asked


def tried(number, **other):
    said = {"expected": 1.5, "measured": 1.42, "verdict": "as expected"}
    return {"row": number, "name": "mine", "idea": f"idea {number}"} | said | other


def part(*rows, **other):
    lines = [line(str(k), "wrong" if k == 5 else "right") for k in range(6)]
    made = {"state": "measured", "rows": list(rows), "worksheet": {"lines": lines}}
    return made | {"notebook": {"rows": [tried(1), tried(2)]}} | other


NOTHING = {"state": "nothing handed in"}
NO_GPU = {"state": "not graded here", "reason": "needs a GPU"}


def measured(name="smith_anna", authors=("Anna Smith",), problems=(), parts=None, **submission):
    """A submission; every default for parts 1 and 2 is good."""
    who = {"name": name, "authors": list(authors), "student_id": "12345", "source": f"{name}.zip"}
    return {
        "submission": who | submission,
        "machine": {"cpu": "Intel(R) Xeon(R) Processor", "cores": 2, "compiler": "g++ 12.2.0"},
        "seed": 7711,
        "problems": [{"stage": stage, "text": text} for stage, text in problems],
        "parts": parts or {"part1": part(row()), "part2": part(row())},
    }


def only_part1(*rows, **other):
    """The parts of who handed in only part 1."""
    return {"part1": part(*rows, **other), "part2": NOTHING}


def class_of_all_kinds():
    """{kind of problem: a record}, for tests that show results."""
    broken = row(**BROKEN, build_problem="mine.hpp:12: expected ';'\n12 | int a\n   |      ^")
    cases = {
        "honest": {"part1": part(row(), row("mine_openmp")), "part2": part(row())},
        "broken_part2": {"part1": part(row()), "part2": part(broken)},
        "wrong": only_part1(row(**WRONG)),
        "no_gpu": {"part1": part(row()), "part2": NO_GPU},
    }
    made = {what: measured(what, [f"{what} <b>&=1"], parts=one) for what, one in cases.items()}
    problems = [("unpack", "lab.zip: no zip file")]
    nothing = {"part1": NOTHING, "part2": NOTHING}
    return made | {"unreadable": measured("unreadable", [], problems, nothing)}


def hostile():
    """A submission whose texts try to become code or commands of a terminal."""
    log = f"{EVIL}\n\u202egnp.exe\n\x1b[31;1merror:\x1b[0m \x1b]0;title\x07no such name\n"
    bad_row = row(f"mine_{EVIL}", **BROKEN, build_problem=f"{EVIL}\n{log}")
    parts = only_part1(bad_row, worksheet={"lines": [line(EVIL, words=EVIL)]})
    problems = [("build", EVIL), ("grader", "the grader failed here: no space left: '/srv/out'")]
    return measured("evil_eve", [f"Eve {EVIL}"], problems, parts, source="/srv/class/eve.zip")


def changed_rubric(item, **fields) -> Rubric:
    """With other values of an item of part 1; of a list the first is changed."""
    data = RUBRIC.model_dump()
    rule = data["parts"]["part1"][item]
    (rule if isinstance(rule, dict) else rule[0]).update(fields)
    data["maximum"] = sum(PartRule.model_validate(one).points for one in data["parts"].values())
    return Rubric.model_validate(data)


def records_of(files) -> list[Record]:
    return [parse(Record, one, "a test") for one in files]


def results_of(*files, rubric=RUBRIC, **more) -> Results:
    return score(records_of(files), rubric, **more)


def course_in(out: Path, rubric=RUBRIC, parts=("part1",), lab="1", timed=True) -> Course:
    """A class of which nothing is built here."""
    none = SimpleNamespace(part=lambda _: None)
    return Course(out, none, none, Path(), rubric, list(parts), Machine(), lab, timed)


def final(*names, comment=""):
    """Rows of answers.csv that make these submissions final."""
    return [
        ManualRow(who=name, question=one, points=5, comment=comment)
        for name in names
        for one in (QUESTION, QUESTION_2)
    ]
