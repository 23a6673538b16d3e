"""Marks: each rule of grading, on made-up measurements."""

import pytest

from nbody_lab.grade.decisions import LateRow, ManualRow
from nbody_lab.grade.rubric import PUBLISHED, Rubric, read_rubric
from tests.grade.scored_for_tests import (
    PASSED,
    RUBRIC,
    class_of_all_kinds,
    good_sheet,
    line,
    measured,
    no_part,
    notebook,
    part,
    results_of,
    row,
    sheet,
    speed,
    tried,
    untouched,
    wrong,
)

ONE, ALL = "speed, 1 thread, 2000 bodies", "speed, all threads, 2000 bodies, over naive"
BY_HAND = "Why is the third law not twice as fast?"
GRADED, PERSON, NOT_HERE = "graded", "for a person", "not graded here"
NO_GPU = no_part("not graded here", "needs a GPU")


def changed_rubric(part="part1", **changes) -> Rubric:
    """`changes`: {item: {field: value}}"""
    data = RUBRIC.model_dump()
    for item, fields in changes.items():
        data["parts"][part][item] |= fields
    return Rubric.model_validate(data)


def marks(one, rubric=RUBRIC, **more):
    return results_of(one, rubric=rubric, **more).submissions[0]


def items(part1, rubric=RUBRIC, **other):
    """{item: its mark} of part 1."""
    found = marks(measured(part1=part1, part2=no_part(), **other), rubric)
    return {mark.item: mark for mark in found.items if mark.part == "part1"}


def not_checked(words):
    return row(check={**PASSED, "verdict": f"not checked: {words}"})


def broken(words):
    return row(built=False, check=None, build_problem=words)


TOO_BUSY = speed(
    noisy=True,
    verdict="too busy to measure",
    share_of_solution=None,
    times_naive=None,
    interactions_per_s=None,
)
ALONE = speed(share_of_solution=None, solution_interactions_per_s=None, solution="")

# rows of part 1, item, points, state, what the reason holds
CASES = {
    "right": ([row()], "correctness", 10, GRADED, "part1/mine: all 249 cases pass, the worst at 31 % of its limit"),
    "wrong": (
        [wrong()],
        "correctness",
        0,
        GRADED,
        "part1/mine: 3 of 249 cases fail; the first: forces, equal masses, 7 bodies: "
        "error 0.01, limit 1e-05: the last body is skipped",
    ),
    "a wrong row gates its speed": (
        [wrong() | {"speed": [speed(5)]}],
        ONE,
        0,
        GRADED,
        "no speed points without a right row: part1/mine: 3 of 249",
    ),
    "untouched": ([untouched()], "correctness", 0, GRADED, "mine.hpp is unchanged"),
    "untouched has no speed": ([untouched()], ONE, 0, GRADED, "mine.hpp is unchanged"),
    "untouched beside a right one": ([untouched(), row("mine_b")], "correctness", 10, GRADED, "mine_b"),
    "not checked is not zero": ([not_checked("it went away")], "correctness", None, PERSON, "it went away"),
    "nor is its speed": ([not_checked("it went away")], ONE, None, PERSON, "it went away"),
    "does not compile": ([broken("mine.hpp:1: no ;")], "correctness", 0, GRADED, "it does not compile: mine.hpp:1: no ;"),
    "another name": ([row("fast")], "correctness", 0, GRADED, "no mine*.hpp that counts was handed in"),
    "no row": ([], ONE, 0, GRADED, "no mine*.hpp that counts was handed in"),
    "all threads are those of the machine": (
        [row(speed=[speed(0.71), speed(0.6, 2), speed(0.1, 4)])],
        ALL,
        5,
        GRADED,
        "10.3 times as fast as naive (1.44 against 0.14 x 10^9",
    ),
    "the best right row counts": (
        [row(speed=[speed(0.3)]), row("mine_a", speed=[speed(0.6)]), wrong("mine_b"), row("other", speed=[speed(2)])],
        ONE,
        5,
        GRADED,
        "part1/mine_a: 0.6 of",
    ),
    "wrong while timed": (
        [row(speed=[speed(verdict="WRONG: body 3 is off")])],
        ONE,
        0,
        GRADED,
        "the timed result was not right: WRONG: body 3 is off",
    ),
    "noisy": (
        [row(speed=[speed(noisy=True, spread=0.22)])],
        ONE,
        None,
        PERSON,
        "the repeats differ by 22 %, too much to score; 0.71 of the solution's speed (0.852 of 1.2 x 10^9 "
        "interactions/s, third_law) would give 5",
    ),
    "a busy machine": ([row(speed=[TOO_BUSY])], ONE, None, PERSON, "the machine was too busy to time it"),
    "a busy machine beside a slower row": (
        [row(speed=[TOO_BUSY]), row("mine_old", speed=[speed(0.3)])],
        ONE,
        None,
        PERSON,
        "part1/mine: the machine was too busy to time it; part1/mine_old: 0.3",
    ),
    "a busy machine beside the best that is possible": (
        [row(speed=[TOO_BUSY]), row("mine_b", speed=[speed(0.95)])],
        ONE,
        10,
        GRADED,
        "part1/mine_b: 0.95",
    ),
    "a busy machine beside a wrong row": (
        [row(speed=[speed(verdict="WRONG")]), row("mine_b", speed=[TOO_BUSY])],
        ONE,
        None,
        PERSON,
        "part1/mine_b: the machine was too busy to time it",
    ),
    "above the bound": (
        [row(speed=[speed(6, above_bound=True)])],
        ONE,
        None,
        "flagged",
        "faster than this machine allows, 6 x 10^9 interactions/s: not scored",
    ),
    "doubt that would give no more": (
        [row(speed=[speed(0.95)]), row("mine_b", speed=[speed(1.1, noisy=True)])],
        ONE,
        10,
        GRADED,
        "part1/mine: 0.95",
    ),
    "doubt that would give more": (
        [row(speed=[speed(0.6)]), row("mine_b", speed=[speed(1.1, noisy=True)])],
        ONE,
        None,
        PERSON,
        "part1/mine_b",
    ),
    "its own fault": ([row(speed=[], not_timed="the same as given")], ONE, 0, GRADED, "not timed: the same as given"),
    "the grader's fault": ([row(speed=[], not_timed="the grader failed")], ONE, None, PERSON, "the grader failed"),
    "never timed": ([row(speed=[])], ONE, None, NOT_HERE, "nothing was timed with these threads"),
    "no solution beside it": ([row(speed=[ALONE])], ONE, None, NOT_HERE, "no solution was timed"),
}  # fmt: skip


@pytest.mark.parametrize("what", CASES)
def test_correctness_and_speed(what):
    rows, item, points, state, words = CASES[what]
    mark = items(part(*rows))[item]
    assert (mark.points, mark.state) == (points, state), mark.why
    assert words in mark.why


@pytest.mark.parametrize(
    ("share", "points", "words"),
    [
        (0.1, 0, "below the first band, which gives 2 from 0.2"),
        (0.2, 2, "the band from 0.2 gives 2; 5 from 0.5"),
        (0.4999, 2, "5 from 0.5"),
        (0.5, 5, "the band from 0.5 gives 5; 10 from 0.9"),
        (0.899, 5, "10 from 0.9"),
        (0.9, 10, "the band from 0.9 gives 10, the maximum"),
        (2, 10, "the maximum"),
    ],
)
def test_bands(share, points, words):
    mark = items(part(row(speed=[speed(share)])))[ONE]
    assert mark.points == points and mark.why.endswith(words)


def test_without_a_gate_a_person_decides_about_a_wrong_row():
    rubric = changed_rubric(correctness={"gates": False})
    assert items(part(wrong()), rubric)[ONE].state == PERSON


def test_words_of_students_stay_on_a_short_line():
    why = items(part(broken("a\nb\x1b[31m\u202e" + 500 * "x")))["correctness"].why
    assert why.isprintable() and len(why) < 250


SHEET_1 = sheet(
    line("1", points=3),
    line("2", "", points=1),
    line("3", "waits"),
    line("3", "noted", points=0),
    line("4", "noted"),
)
SHEET_2 = sheet(
    line("1"),
    line("2", "wrong"),
    line("13", "waits", "not counted; ./lab count says why"),
    line("16", "answered"),
)


@pytest.mark.parametrize(
    ("given", "points", "maximum", "words"),
    [
        (good_sheet(), 12, 15, "4 of 5 points of the sheet; wrong: 5"),
        (SHEET_1, 10, 15, "4 of 6 points of the sheet; missing: 2; waits for another answer: 3"),
        (SHEET_2, 3.75, 7.5, "1 of 2 points of the sheet; wrong: 2"),
        (None, 0, 15, "no worksheet.hpp was handed in"),
        (sheet(problem="it does not compile"), None, 15, "it does not compile"),
    ],
)
def test_worksheet(given, points, maximum, words):
    mark = items(part(row(), worksheet=given))["worksheet"]
    assert (mark.points, mark.maximum) == (points, maximum) and words in mark.why


def test_lines_that_could_not_be_judged_are_not_lost():
    rest = items(part(row(), worksheet=SHEET_2))["worksheet, lines not judged"]
    assert (rest.points, rest.maximum) == (None, 7.5)
    assert rest.why == "could not be judged here: 13, 16"


def ideas(*numbers, **more):
    return [tried(k, f"idea {k}", **more) for k in numbers]


@pytest.mark.parametrize(
    ("rows", "points"),
    [
        (ideas(*range(4), verdict="less than expected"), 10),
        (ideas(0, 1, 2, 0, 1, 2), 7.5),  # a copied row counts once
        ([tried(k) for k in range(4)], 2.5),  # whatever its number
        (ideas(*range(9)), 10),  # more rows give no more points
        ([], 0),
        (ideas(*range(4), expected=None), 0),  # a prediction is needed
        (ideas(*range(4), measured=None), 0),
        ([tried(k, " ") for k in range(4)], 0),
    ],
)
def test_notebook(rows, points):
    assert items(part(row(), notebook=notebook(*rows)))["notebook"].points == points


def test_predictions_are_needed_only_if_the_rubric_says_so():
    rubric = changed_rubric(notebook={"needs_prediction": False})
    book = notebook(*ideas(*range(4), expected=None))
    assert items(part(row(), notebook=book), rubric)["notebook"].points == 10


def test_a_notebook_that_cannot_be_read():
    book = notebook(problem="notebook.csv:3: it has 4 cells")
    assert items(part(row(), notebook=book))["notebook"].state == PERSON


# --- a submission ---


@pytest.mark.parametrize("what", class_of_all_kinds())
def test_sums(what):
    """The maximum is the class's for everybody, and what was not graded costs nothing."""
    one = marks(class_of_all_kinds()[what])
    graded = sum(mark.maximum for mark in one.items if mark.points is not None)
    not_here = sum(mark.maximum for mark in one.items if mark.state == NOT_HERE)
    assert graded + one.to_decide + not_here == one.maximum == 100
    points = sum(mark.points or 0 for mark in one.items)
    assert one.points + one.late.taken_off == pytest.approx(points)
    for mark in one.items:
        assert (mark.points is None) == (mark.state != GRADED)
        assert mark.why and mark.why.isprintable()


def test_a_broken_part2_never_takes_part1():
    whole, alone = (
        class_of_all_kinds()["broken_part2"],
        measured(part1=part(row()), part2=no_part()),
    )
    of_part1 = [
        [mark for mark in marks(one).items if mark.part == "part1"] for one in (whole, alone)
    ]
    assert of_part1[0] == of_part1[1]


def test_not_graded_here_is_never_zero():
    one = marks(measured(part1=part(row()), part2=NO_GPU))
    speeds = [mark for mark in one.items if mark.part == "part2" and mark.state == NOT_HERE]
    assert [mark.points for mark in speeds] == [None, None]
    assert speeds[0].why == "not graded here: needs a GPU"
    assert (one.is_final, one.has_points) == (False, True)
    found = items({**NO_GPU, "worksheet": good_sheet()})
    assert (found["worksheet"].points, found["notebook"].state) == (12, NOT_HERE)


@pytest.mark.parametrize("given", [no_part(), NO_GPU, part(row())])
def test_items_have_one_order(given):
    order = ["correctness", "worksheet", "notebook", ONE, ALL, BY_HAND]
    assert list(items(given)) == order
    assert list(items(no_part(), problems=[("unpack", "x")])) == order


def test_a_part_that_was_not_measured():
    assert "part2 was not measured" in [mark.why for mark in marks(measured(part1=part())).items]


def test_nothing_handed_in_is_zero():
    found = items(no_part())
    assert {(mark.points, mark.state) for mark in found.values()} == {(0, GRADED)}
    assert found[ONE].why == "nothing was handed in for part1"


def test_what_cannot_be_read_has_a_row_with_the_reason():
    one = marks(class_of_all_kinds()["unreadable"])
    assert (one.points, one.has_points, one.to_decide) == (0, False, 100)
    assert one.items[0].why == "the submission could not be read: lab.zip: no zip file"
    assert one.problems == ("unpack: lab.zip: no zip file",)


def test_a_problem_with_one_file_takes_no_part():
    assert marks(measured(problems=[("unpack", "a link was left out")])).items[0].points == 10
    assert items(no_part(), problems=[("worksheet", "broken")])["correctness"].state == GRADED


def flags(one, *others, **more):
    return results_of(one, *others, **more).submissions[0].flags


def test_flags_begin_with_the_strongest():
    """Right where it is checked and wrong where it is timed is the strongest sign; no author is the weakest."""
    cheat = part(row(speed=[speed(verdict="WRONG"), speed(6, 2, above_bound=True)]))
    one = measured("a", [], part1=cheat, part2=no_part())
    one["isolation"]["banner"] = "weaker isolation"
    one["ignored"] = [
        {"file": "part1_standard_opti/Regrade_request.md", "why": "no file of the lab"}
    ]
    assert flags(one) == (
        "part1/mine: WRONG while timed although the check passed: a person should read it",
        "part1/mine: faster than this machine allows: a person should look",
        "asks for a new look: part1_standard_opti/Regrade_request.md",
        "weaker isolation",
        "no author is named",
    )


def test_no_flag_for_what_failed_the_check():
    assert flags(measured(part1=part(wrong() | {"speed": [speed(verdict="WRONG")]}))) == ()


def test_an_author_of_two_submissions_is_flagged_in_both():
    one, two = measured("a", ["Ada", "Bo"]), measured("b", ["bo"])
    found = [marks.flags for marks in results_of(one, two).submissions]
    assert found == [("Bo is an author of b as well",), ("bo is an author of a as well",)]


def test_flags_of_machines():
    one, two = measured("a", ["Ada"]), measured("b", ["Bo"])
    two["machine"]["cpu"] = "another"
    rubric = RUBRIC.model_copy(update={"calibrated_on": "another"})
    both = results_of(one, two, rubric=rubric).submissions
    assert "the bands were calibrated on another" in both[0].flags[0]
    assert "measured on a different machine" in both[1].flags[0]


def test_a_late_mark_names_the_row_that_takes_something_off():
    one = measured("ada", submitted="")
    one["submission"]["late"] = True
    assert "in late.csv (--late), 'ada,1' means one day" in flags(one)[0]
    for days in (1, "excused"):
        assert flags(one, late=[LateRow("ada", days)]) == ()


def test_parts_that_nobody_asked_for():
    results = results_of(measured(part1=part(row())), parts=["part1"])
    one = results.submissions[0]
    left_out = [mark for mark in one.items if mark.part == "part2"]
    assert {(mark.points, mark.state) for mark in left_out} == {(None, "not asked for (--part)")}
    assert left_out[0].why == "part1 alone was asked for"
    assert not set(left_out) & set(one.asked_for)
    assert results.maximum == one.maximum == 60


def test_points_by_hand_of_such_a_part_wait():
    question = "Say what stopped the vectoriser, and how you know."
    rows = [ManualRow("smith_anna", question, 1)]
    one = marks(measured(part1=part(row())), manual=rows, parts=["part1"])
    mark = next(mark for mark in one.items if mark.item == question)
    assert (mark.points, mark.state) == (None, "not asked for (--part)")
    assert "by hand pending" in mark.why


def test_the_order_of_the_class_does_not_matter():
    everyone = list(class_of_all_kinds().values())
    assert results_of(*everyone) == results_of(*everyone[::-1])


def test_the_published_rubric():
    one = marks(measured(), read_rubric(PUBLISHED))
    assert (one.maximum, one.to_decide, one.is_final) == (100, 20, False)
    assert (one.items[0].points, one.items[0].maximum) == (0, 0)


# --- what to try next ---


def counted(flops, share):
    return row(counts={"flops": flops, "problem": ""}, speed=[speed(share)])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (untouched(), "it is unchanged"),
        (broken(""), "the compiler's first error"),
        (wrong(), "first right, then fast: ./lab check part1 mine shows"),
        (counted("28*n^2", 0.45), "mine reaches 45 % of the reference and computes 28 flops"),
        (counted("20 n^2 + 3 n", 0.45), "with no extra flops (20 per interaction)"),
        (counted("", 0.45), "./lab roofline part1 shows what limits it"),
        (row(speed=[speed(0.95), speed(0.57, 2)]), "2 threads make mine 1.2 times as fast"),
        (row(speed=[speed(0.71)]), "./lab bound part1 mine names the unit"),
        (row(speed=[speed(0.95)]), "mine is as fast as the reference"),
        (row(speed=[speed(6, above_bound=True)]), None),  # what is too fast is not praised
        (row(speed=[]), None),
        (not_checked("x"), None),
    ],
)
def test_what_to_try_next(given, words):
    found = marks(measured(part1=part(given), part2=no_part())).next
    assert (words in found[0]) if words else found == ()
