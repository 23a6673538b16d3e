"""Measured files of a made-up class, as measuring writes them, and their records and marks. All begin with honest.json."""

import csv
import io
import json
from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace

from nbody_lab.core.model import parse
from nbody_lab.grade.by_hand import ManualRow
from nbody_lab.grade.course import Course
from nbody_lab.grade.models import Machine, Record, Results
from nbody_lab.grade.rubric import PartRule, Rubric, read_rubric
from nbody_lab.grade.score import score
from tests.grade.made_class.made_archives import write_files

_HERE = Path(__file__).resolve().parent
RUBRIC = read_rubric(_HERE / "rubric_for_tests.json")
QUESTION = "part1: Why is the third law not twice as fast?"
QUESTION_2 = "part2: Say what stopped the vectoriser, and how you know."
P1 = "part1_standard_opti"
EVIL = "</script><script>alert(1)</script>"

HONEST = json.loads((_HERE / "honest.json").read_text())
_PART = HONEST["parts"]["part1"]
_ROW = _PART["rows"][0]
_FAILURE = {"group": "forces", "scene": "equal masses", "n": 7, "error": 1e-2, "limit": 1e-5}
_FAILURE["detail"] = "worst body 3: expected a = (1, 2, 3), got (0, 0, 0)"
_FAILURE["diagnosis"] = "the last body is skipped"
FAILED = {"verdict": "failed", "worst_share_of_limit": 1000.0, "cases": 249, "failed": 3}
FAILED["first_failures"] = [_FAILURE]


def speed(share=0.71, threads=1, **other):
    """On a machine with 1.2e9 interactions/s for the single-threaded solution and 1.4e8 for naive."""
    solution = 1.2e9 * threads
    rate = share * solution
    timed = {"threads": threads, "interactions_per_s": rate, "times_naive": rate / 1.4e8}
    beside = {"share_of_solution": share, "solution_interactions_per_s": solution}
    return _ROW["speed"][0] | timed | beside | other


def row(name="mine", part="part1", **other):
    source = f"{part}_standard_opti/{name}.hpp"
    speeds = [speed(), speed(0.6, 2)]
    return deepcopy(_ROW) | {"name": name, "source": source, "speed": speeds} | other


def wrong(name="mine", **other):
    return row(name, **{"check": FAILED, "speed": [], "not_timed": "wrong"} | other)


def untouched(**more):
    return row(untouched=True, speed=[], not_timed="the same as given", **more)


def broken(words, log=""):
    return row(built=False, check=None, counts=None, speed=[], build_problem=words, build_log=log)


def not_checked(words):
    return row(check={"verdict": f"not checked: {words}", "cases": 249})


def line(number, state="right", words="", points=1):
    found = _PART["worksheet"]["lines"][1] | {"number": number, "points": points}
    return found | {"state": state, "words": words}


def sheet(*lines, problem=""):
    return {"authors": "Anna Smith", "lines": list(lines), "problem": problem}


def tried(number, **other):
    return _PART["notebook"]["rows"][0] | {"idea": f"idea {number}"} | other


def notebook(*rows, problem=""):
    return {"rows": list(rows), "problem": problem}


def part(*rows, **other):
    return deepcopy(_PART) | {"rows": list(rows)} | other


def no_part(state="nothing handed in", reason=""):
    return {"state": state, "reason": reason}


def measured(name="smith_anna", authors=("Anna Smith",), problems=(), parts=None, **submission):
    """A submission; every default for parts 1 and 2 is good."""
    found = deepcopy(HONEST)
    found["submission"] |= {"name": name, "authors": list(authors), "source": f"{name}.zip"}
    found["submission"] |= submission
    found["problems"] = [{"stage": stage, "text": text} for stage, text in problems]
    found["parts"] = parts or {"part1": part(row()), "part2": part(row(part="part2"))}
    return found


def only_part1(*rows, **other):
    """The parts of who handed in only part 1."""
    return {"part1": part(*rows, **other), "part2": no_part()}


def class_of_all_kinds():
    """{kind of problem: a measured file}, for tests that show results."""
    words = "mine.hpp:12: expected ';'\n12 | int a\n   |      ^"
    nothing = {"part1": no_part(), "part2": no_part()}
    cases = {
        "honest": {"part1": part(row(), row("mine_openmp")), "part2": part(row(part="part2"))},
        "untouched": only_part1(untouched()),
        "broken_part2": {"part1": part(row()), "part2": part(broken(words, "12 | int a\n"))},
        "wrong": only_part1(wrong()),
        "noisy": only_part1(row(speed=[speed(noisy=True, spread=0.22)])),
        "too_fast": only_part1(row(speed=[speed(6, above_bound=True)])),
        "cheats": only_part1(row(speed=[speed(outcome="wrong", verdict="WRONG: body 3 is off")])),
        "no_gpu": {"part1": part(row()), "part2": no_part("not graded here", "needs a GPU")},
        "unreadable": nothing,
    }
    made = {
        what: measured(what, [f"{what} <b>&=1"], student_id=str(k), parts=parts)
        for k, (what, parts) in enumerate(cases.items())
    }
    made["unreadable"]["problems"] = [{"stage": "unpack", "text": "lab.zip: no zip file"}]
    return made


def hostile():
    """Submissions whose texts try to become code, formulas or commands of a terminal."""
    log = f"{EVIL}\n\u202egnp.exe\n\x1b[31;1merror:\x1b[0m \x1b]0;title\x07no such name\n"
    bad_row = broken(EVIL, log) | {"name": f"mine_{EVIL}"}
    parts = only_part1(bad_row, worksheet=sheet(line(EVIL, words=EVIL)))
    eve = measured("evil_eve", [f"Eve {EVIL}"], [("build", EVIL)], parts)
    why = "the grader failed here, not the submission's fault: no space left: '/srv/out'"
    formulas = ["=1+1", "-1+cmd|' /C calc'!A0", "x;=1+1"]
    fred = measured("formula_fred", formulas, [("grader", why)], student_id="@SUM(1)")
    fred["submission"]["source"] = "/srv/class/fred.zip"
    return [eve, fred | {"parts": {}}]


def changed_rubric(**changes) -> Rubric:
    """`changes`: {item of part 1: {field: value}}; of its speeds the first is changed."""
    data = RUBRIC.model_dump()
    part1 = data["parts"]["part1"]
    for item, fields in changes.items():
        (part1[item][0] if item == "speed" else part1[item]).update(fields)
    data["maximum"] = sum(PartRule.model_validate(one).points for one in data["parts"].values())
    return Rubric.model_validate(data)


def records_of(files) -> list[Record]:
    return [parse(Record, one, "a test") for one in files]


def results_of(*files, rubric=RUBRIC, **more) -> Results:
    return score(records_of(files), rubric, date="2026-11-22T20:30:00+00:00", **more)


def course_in(out: Path, rubric=RUBRIC, parts=("part1",), lab="1", timed=True) -> Course:
    """A class of which nothing is built here."""
    none = SimpleNamespace(part=lambda _: None)
    return Course(out, none, none, Path(), none, rubric, list(parts), Machine(), lab, timed)


class Graded:
    """The folder OUT of a graded class, with what was handed in for part 1."""

    def __init__(self, out: Path) -> None:
        self.out = out
        (out / "measured").mkdir(parents=True)

    def add(self, one, files=()):
        name = one["submission"]["name"]
        (self.out / f"measured/{name}.json").write_text(json.dumps(one))
        found = [json.loads(file.read_text()) for file in sorted(self.out.glob("measured/*"))]
        listed = {"submissions": [one["submission"] for one in found]}
        (self.out / "grading.json").write_text(json.dumps(listed))
        write_files(self.out / "taken" / name / P1, files)

    def submissions(self) -> list[dict]:
        """As results.json has them."""
        return json.loads((self.out / "results.json").read_text())["submissions"]


# --- what people decide ---


def given(who, question=QUESTION, points=5, comment=""):
    """A row of answers.csv."""
    return ManualRow(who=who, question=question, points=points, comment=comment)


def final(*names, comment=""):
    """Rows of answers.csv that make these submissions final."""
    return [given(name, one, comment=comment) for name in names for one in (QUESTION, QUESTION_2)]


def table_of(text):
    return list(csv.DictReader(io.StringIO(text.lstrip("\ufeff"), newline=""), strict=True))
