"""Marks: each rule of grading, on made-up measurements."""

import pytest

from nbody_lab.grade.decisions import UNKNOWN_TIME, LateRow, ManualRow
from nbody_lab.grade.models import Mark, Marks
from tests.grade.scored_for_tests import (
    FAILED,
    QUESTION,
    QUESTION_2,
    RUBRIC,
    broken,
    changed_rubric,
    class_of_all_kinds,
    line,
    measured,
    no_part,
    not_checked,
    notebook,
    only_part1,
    part,
    results_of,
    row,
    sheet,
    speed,
    tried,
    untouched,
    wrong,
)

ONE = "speed, 1 thread, 2000 bodies"
NO_GPU = no_part("not graded here", "needs a GPU")


def marks(one, **more):
    return results_of(one, **more).submissions[0]


def items(part1, problems=(), **more):
    """{item: its mark} of part 1."""
    found = marks(measured(problems=problems, parts={"part1": part1, "part2": no_part()}), **more)
    return {mark.item: mark for mark in found.items if mark.part == "part1"}


def text_of(found, *names):
    """A line for each item whose name begins so."""
    return "\n".join(
        f"{mark.points} of {mark.maximum:g}, {mark.state}: {name}: {mark.why}"
        for name, mark in found.items()
        if name.startswith(names)
    )


def fails(*failures):
    return wrong(check=FAILED | {"first_failures": list(failures)})


UNKNOWN = {"share_of_solution": None, "times_naive": None, "interactions_per_s": None}
TOO_BUSY = speed(noisy=True, outcome="busy", verdict="too busy to measure", **UNKNOWN)
ALONE = speed(share_of_solution=None, solution_interactions_per_s=None, solution="")
WRONG_WHILE_TIMED = speed(outcome="wrong", verdict="WRONG: body 3 is off")
KNOWN = FAILED["first_failures"][0]
VECTORS = KNOWN | {
    "diagnosis": "",
    "detail": "worst body 0: expected a = (0.37, -1.8, -0.24), got (0, 0, 0)",
}
NO_SIZE = VECTORS | {"error": None, "limit": None, "detail": "the program ended: status 1"}
EDGES = (0.1, 0.2, 0.4999, 0.5, 0.899, 0.9)  # of the bands of points
NOISY_BEST = row("mine_b", speed=[speed(1.1, noisy=True)])
ROWS = {
    "right": [row()],
    "wrong, which gates the speed": [wrong(speed=[speed(5)])],
    "the diagnosis comes first, whichever case has one": [fails(VECTORS, KNOWN)],
    "without a diagnosis, where and by how much, not the vectors": [fails(VECTORS)],
    "without a size, what was told": [fails(NO_SIZE)],
    "untouched": [untouched()],
    "not handed in": [untouched(handed_in=False)],
    "untouched beside a right one": [untouched(), row("mine_b")],
    "not checked is not zero": [not_checked("it went away")],
    "does not compile": [broken("mine.hpp:1: no ;")],
    "of a compiler's words the first line, without the code and its carets": [
        broken("mine.hpp:1:4: error: no ;\n  1 | a\n    | ^\nmine.hpp:9: error: more")
    ],
    "words of students stay on a short line": [broken("b\x1b[31m\u202e" + 500 * "x")],
    "another name": [row("fast")],
    "no row": [],
    "all threads are those of the machine": [row(speed=[speed(0.6, 2), speed(0.1, 4)])],
    "the best right row counts": [
        *(row(speed=[speed(0.3)]), row("mine_a", speed=[speed(0.6)])),
        *(wrong("mine_b", speed=[speed(3)]), row("other", speed=[speed(2)])),
    ],
    "wrong while timed": [row(speed=[WRONG_WHILE_TIMED])],
    "noisy": [row(speed=[speed(noisy=True, spread=0.22)])],
    "a busy machine": [row(speed=[TOO_BUSY])],
    "a busy machine beside a slower row": [
        row(speed=[TOO_BUSY]),
        row("mine_old", speed=[speed(0.3)]),
    ],
    "a busy machine beside the best that is possible": [
        row(speed=[TOO_BUSY]),
        row("mine_b", speed=[speed(0.95)]),
    ],
    "a busy machine beside a wrong row": [
        row(speed=[WRONG_WHILE_TIMED]),
        row("mine_b", speed=[TOO_BUSY]),
    ],
    "above the bound": [row(speed=[speed(6, above_bound=True)])],
    "doubt that would give no more": [row(speed=[speed(0.95)]), NOISY_BEST],
    "doubt that would give less": [
        row(speed=[speed(0.6)]),
        row("mine_b", speed=[speed(0.3, noisy=True)]),
    ],
    "doubt that would give more": [row(speed=[speed(0.6)]), NOISY_BEST],
    "a doubt about the time": [row(speed=[speed(doubt="it used 7 cores")])],
    "its own fault": [row(speed=[], not_timed="the same as given")],
    "the grader's fault": [row(speed=[], not_timed="the grader failed")],
    "never timed": [row(speed=[])],
    "no solution beside it": [row(speed=[ALONE])],
    **{f"{share} of the solution": [row(speed=[speed(share)])] for share in EDGES},
}


# What is told of nearly every row.
USUAL = (
    "10.0 of 10, graded: correctness: part1/mine: all 249 cases pass, the worst at 31 % of its limit",
    "None of 5, not graded here: speed, all threads, 2000 bodies, over naive: nothing was timed with these threads and bodies",
)


def test_correctness_and_speed(match_table):
    def tell(rows):
        return text_of(items(part(*rows)), "correctness", "speed")

    match_table(ROWS, tell, USUAL)


def test_without_a_gate_a_person_decides_about_a_wrong_row():
    rubric = changed_rubric(correctness={"gates": False})
    assert items(part(wrong()), rubric=rubric)[ONE].state == "for a person"


SHEETS = {
    "missing or waiting": sheet(
        *(line("1", points=3), line("2", ""), line("3", "waits")),
        *(line("3", "noted", points=0), line("4", "noted")),
    ),
    "lines that could not be judged are not lost": sheet(
        *(line("1"), line("2", "wrong"), line("16", "answered")),
        line("13", "waits", "not counted; ./lab count says why"),
    ),
    "none": None,
    "does not compile": sheet(problem="it does not compile"),
}


def test_worksheet(match_table):
    match_table(SHEETS, lambda one: text_of(items(part(row(), worksheet=one)), "worksheet"))


def ideas(*numbers, **more):
    return notebook(*(tried(k, **more) for k in numbers))


NOTEBOOKS = {
    "less than expected": ideas(*range(4), verdict="less than expected"),
    "a copied row counts once": ideas(0, 1, 2, 0, 1, 2),
    "whatever its number": ideas(*range(4), idea="locals"),
    "more rows give no more points": ideas(*range(9)),
    "empty": ideas(),
    "a prediction is needed": ideas(*range(4), expected=None),
    "nothing was measured": ideas(*range(4), measured=None),
    "no idea": ideas(*range(4), idea=" "),
    "it cannot be read": notebook(problem="notebook.csv:3: it has 4 cells"),
}


def test_notebook(match_table):
    match_table(NOTEBOOKS, lambda one: text_of(items(part(row(), notebook=one)), "notebook"))


def test_predictions_are_needed_only_if_the_rubric_says_so():
    rubric = changed_rubric(notebook={"needs_prediction": False})
    book = ideas(*range(4), expected=None)
    assert items(part(row(), notebook=book), rubric=rubric)["notebook"].points == 10


# --- a submission ---


@pytest.mark.parametrize("what", class_of_all_kinds())
def test_sums(what):
    """The maximum is the class's for everybody, and what was not graded costs nothing."""
    one = marks(class_of_all_kinds()[what])
    graded = sum(mark.maximum for mark in one.items if mark.points is not None)
    not_here = sum(mark.maximum for mark in one.items if mark.state == "not graded here")
    assert graded + one.to_decide + not_here == one.maximum == 100
    points = sum(mark.points or 0 for mark in one.items)
    assert one.points + one.late.taken_off == pytest.approx(points)
    for mark in one.items:
        assert (mark.points is None) == (mark.state != "graded")
        assert mark.why and mark.why.isprintable()


SUBMISSIONS = {
    "a broken part 2 takes nothing of part 1": class_of_all_kinds()["broken_part2"],
    "not graded here is never zero, but what is on paper is graded": measured(
        parts={"part1": NO_GPU | {"worksheet": part()["worksheet"]}, "part2": part(row())}
    ),
    "a part that was not measured": measured(parts={"part1": part()}),
    "nothing handed in is zero": measured(parts={"part1": no_part(), "part2": part(row())}),
    "what cannot be read": class_of_all_kinds()["unreadable"],
    "a problem with one file takes no part": measured(problems=[("unpack", "a link")]),
    "a worksheet takes no part": measured(
        problems=[("worksheet", "broken")], parts={"part1": no_part(), "part2": no_part()}
    ),
}


def test_a_submission(match_table):
    def tell(given):
        one = marks(given)
        found = {f"{mark.part} {mark.item}": mark for mark in one.items}
        return f"{text_of(found, 'part')}\n{one.is_final=} {one.has_points=} {one.problems=}"

    match_table({"a good one": measured()}, tell)
    match_table(SUBMISSIONS, tell, tell(measured()).splitlines())


CHEAT = row(speed=[WRONG_WHILE_TIMED, speed(6, 2, above_bound=True)])
REQUEST = {"file": "part1_standard_opti/Regrade_request.md", "why": "no file of the lab"}
ANOTHER = {"cpu": "another", "cores": 2, "compiler": "g++ 12.2.0"}
FLAGGED = {
    "the strongest first, no author last": [
        measured("a", [], parts=only_part1(CHEAT)) | {"ignored": [REQUEST]}
    ],
    "none for what failed the check": [
        measured(parts=only_part1(wrong(speed=[WRONG_WHILE_TIMED])))
    ],
    "a notebook that is missing, if the rubric asks for one": [
        measured("a", ["Ada"], parts=only_part1(row(), notebook=notebook())),
        measured("b", ["Bo"], parts=only_part1(row(), notebook=None)),
        measured("c", ["Cy"], parts=only_part1(row(), notebook=notebook(problem="no table"))),
        measured("d", ["Di"], parts={"part1": no_part(), "part2": part(row(), notebook=None)}),
    ],
    "an author of two submissions": [measured("a", ["Ada", "Bo"]), measured("b", ["bo"])],
    "another machine": [measured("a", ["Ada"]), measured("b", ["Bo"]) | {"machine": ANOTHER}],
}


def test_flags(match_table):
    """Right where it is checked and wrong where it is timed is the strongest sign; no author is the weakest."""

    def tell(given):
        is_other = any(one["machine"] == ANOTHER for one in given)
        rubric = RUBRIC.model_copy(update={"calibrated_on": ANOTHER["cpu"] * is_other})
        found = results_of(*given, rubric=rubric).submissions
        return "\n".join(f"{one.name}: {flag}" for one in found for flag in one.flags)

    match_table(FLAGGED, tell)


def test_a_late_mark_names_the_row_that_takes_something_off():
    one = measured("ada", submitted="", late=True)
    assert "in late.csv (--late), 'ada,1' means one day" in marks(one).flags[0]
    for days in (1, "excused"):
        assert marks(one, late=[LateRow("ada", days)]).flags == ()


def test_an_unknown_time_is_flagged_where_there_is_a_deadline():
    one = measured("ada", submitted="")
    assert marks(one).flags == (UNKNOWN_TIME,)
    assert marks(one, rubric=RUBRIC.model_copy(update={"deadline": ""})).flags == ()
    assert marks(one, late=[LateRow("ada", "excused")]).flags == ()


def test_parts_that_nobody_asked_for_and_their_points_by_hand_wait():
    manual = [ManualRow("smith_anna", QUESTION_2, 1), ManualRow("smith_anna", QUESTION, 5)]
    results = results_of(measured(), manual=manual, parts=["part1"])
    one = results.submissions[0]
    left_out = [mark for mark in one.items if mark.part == "part2"]
    assert {(mark.points, mark.state) for mark in left_out} == {(None, "not asked for (--part)")}
    assert left_out[0].why == "part1 alone was asked for"
    assert left_out[-1].why.endswith("1 of 10 by hand pending")
    assert not set(left_out) & set(one.asked_for)
    assert (results.maximum, one.maximum, one.is_final) == (60, 60, True)


def test_the_order_of_the_class_does_not_matter():
    everyone = list(class_of_all_kinds().values())
    assert results_of(*everyone) == results_of(*everyone[::-1])


# --- what to try next ---


def counted(flops, share):
    return row(counts={"flops": flops, "problem": ""}, speed=[speed(share)])


NEXT = {
    "untouched": untouched(),
    "it does not compile": broken(""),
    "wrong": wrong(),
    "more flops than needed": counted("28*n^2", 0.45),
    "no extra flops": counted("20 n^2 + 3 n", 0.45),
    "not counted": counted("", 0.45),
    "threads bring little": row(speed=[speed(0.95), speed(0.57, 2)]),
    "nearly there": row(speed=[speed(0.71)]),
    "as fast as the reference": row(speed=[speed(0.95)]),
    "what is too fast is not praised": row(speed=[speed(6, above_bound=True)]),
    "not timed": row(speed=[]),
    "no solution was timed beside it": row(speed=[ALONE]),
    "nor beside threads that bring little": row(speed=[ALONE, ALONE | {"threads": 2}]),
    "not checked": not_checked("x"),
}


def test_what_to_try_next(match_table):
    match_table(NEXT, lambda one: "\n".join(marks(measured(parts=only_part1(one))).next))


@pytest.mark.parametrize(("maximum", "is_open"), [(0, False), (0.5, True)])
def test_what_is_worth_nothing_waits_for_nobody(maximum, is_open):
    def mark(**more):
        return Mark(part="part1", item="correctness", why="", **more)

    flagged = mark(points=None, maximum=maximum, state="flagged")
    marks = Marks.model_construct(items=(mark(points=3, maximum=4), flagged))
    assert (flagged.is_open, marks.is_final) == (is_open, not is_open)
