"""Marks: each rule of grading, on made-up measurements."""

import pytest

from tests.grade.scored_for_tests import (
    BROKEN,
    FAILED,
    NO_GPU,
    QUESTION,
    UNTOUCHED,
    WRONG,
    changed_rubric,
    class_of_all_kinds,
    line,
    measured,
    only_part1,
    part,
    results_of,
    row,
    speed,
    tried,
)

ONE, ALL = "speed, 1 thread, 2000 bodies", "speed, all threads, 2000 bodies, over naive"
PERSON, FLAGGED, NOT_HERE = "for a person", "flagged", "not graded here"
UNKNOWN = {"share_of_solution": None, "times_naive": None, "interactions_per_s": None}
BUSY = speed(noisy=True, outcome="busy", verdict="too busy to measure", **UNKNOWN)
WRONG_WHILE_TIMED = speed(outcome="wrong", verdict="WRONG: body 3 is off")
KNOWN = FAILED["first_failures"][0]
UNKNOWN_FIRST = FAILED | {"first_failures": [KNOWN | {"diagnosis": "", "detail": "x"}, KNOWN]}
NOT_CHECKED = row(check={"verdict": "not checked: it went away", "cases": 249})
LONG = "b\x1b[31m\u202e" + 500 * "x" + "\n 1 | a"
NOISY_BEST = row("mine_b", speed=[speed(1.1, noisy=True)])


def sheet(*lines, problem=""):
    return {"lines": lines, "problem": problem}


def item_of(part1, name, **more):
    """The mark of an item of part 1."""
    (one,) = results_of(measured(parts={"part1": part1}), **more).submissions
    return next(mark for mark in one.items if (mark.part, mark.item) == ("part1", name))


@pytest.mark.parametrize(
    ("rows", "got", "why"),
    [  # the best row speaks
        ([row()], 10, "part1/mine: all 249 cases pass, the worst at 31 % of its"),
        ([row(**WRONG | {"check": UNKNOWN_FIRST})], 0, "3 of 249 cases wrong: the last body is"),
        ([row(**UNTOUCHED)], 0, "the given file, unchanged"),
        ([row(**UNTOUCHED), row("mine_b")], 10, "part1/mine_b"),
        ([row("fast")], 0, "no mine*.hpp that counts"),
        ([NOT_CHECKED], PERSON, "it went away"),
        ([row(**BROKEN, build_problem=LONG)], 0, "does not compile: b?xxx"),
    ],
)
def test_correctness(rows, got, why):
    mark = item_of(part(*rows), "correctness")
    assert (mark.points_or_state, why in mark.why) == (got, True), mark.why
    assert mark.why.isprintable() and len(mark.why) < 400


def timed(*speeds, **more):
    return row(speed=list(speeds), **more)


@pytest.mark.parametrize(
    ("rows", "got", "why"),
    [
        ([row(**WRONG | {"speed": [speed(5)]})], 0, "no speed points without a right row"),
        ([NOT_CHECKED], PERSON, "counts if a person finds the row right"),
        ([timed(speed(0.1))], 0, "; 2 points from 0.2"),
        ([timed(speed(0.899))], 5, "; 10 points from 0.9"),
        ([timed(speed(0.9))], 10, "; the highest band"),
        ([timed(speed(0.3)), timed(speed(0.6), name="mine_a")], 5, "part1/mine_a"),
        ([timed(WRONG_WHILE_TIMED)], 0, "not right while it was timed: WRONG"),
        # What could not be timed is never zero; what a person must look at has no points yet.
        ([timed(speed(noisy=True, spread=0.22))], PERSON, "by 22 %, too much to score"),
        ([timed(BUSY)], PERSON, "too busy"),
        ([timed(BUSY), timed(speed(0.3), name="mine_b")], PERSON, "to time it; part1/mine_b"),
        ([timed(BUSY), timed(speed(0.95), name="mine_b")], 10, "mine_b"),
        ([timed(WRONG_WHILE_TIMED), timed(BUSY, name="mine_b")], PERSON, "mine_b"),
        ([timed(speed(6, above_bound=True))], FLAGGED, "faster than this machine"),
        ([timed(speed(doubt="it used 7 cores"))], FLAGGED, "it used 7 cores"),
        ([timed(speed(0.95)), NOISY_BEST], 10, "part1/mine:"),
        ([timed(speed(0.6)), NOISY_BEST], PERSON, "mine_b"),
        ([timed(not_timed="the same as given")], 0, "the same as given"),
        ([timed(not_timed="the grader failed")], PERSON, "the grader failed"),
        ([timed()], PERSON, "not timed yet"),
        ([timed(speed(share_of_solution=None))], NOT_HERE, "it has no share_of_solution"),
    ],
)
def test_speed(rows, got, why):
    mark = item_of(part(*rows), ONE)
    assert (mark.points_or_state, why in mark.why) == (got, True), mark.why


def test_speed_over_naive_with_all_threads():
    mark = item_of(part(timed(speed(0.6, 2), speed(0.1, 4))), ALL)
    assert mark.points == 5 and "10.3 times as fast as naive" in mark.why


def test_without_a_gate_a_person_decides_about_a_wrong_row():
    rubric = changed_rubric(correctness={"gates": False})
    assert item_of(part(row(**WRONG)), ONE, rubric=rubric).state == PERSON


NOT_COUNTED = sheet(line("1"), line("13", "waits", "not counted; ./lab count says why"))


@pytest.mark.parametrize(
    ("lines", "is_admitted"),
    [
        ([line("1", points=3), line("2", "wrong")], True),
        ([line("1"), line("2", "")], False),
        ([line("1"), line("2", "waits", "not counted; ./lab count says why")], True),
        ([line("1"), line("0", "")], True),  # which is left out
    ],
)
def test_a_worksheet_that_admits_costs_no_points_but_leaves_the_rest_to_a_person(
    lines, is_admitted
):
    rubric = changed_rubric(worksheet={"points": 0, "admits_from": 0.75})
    part1 = part(row(), worksheet=sheet(*lines))
    for name in ("correctness", "notebook", ONE):
        mark = item_of(part1, name, rubric=rubric)
        assert (mark.state == "graded") == is_admitted
        assert is_admitted or mark.why.startswith("not admitted: 50 % of the worksheet is right")
    assert item_of(part1, "worksheet", rubric=rubric).points == 0


def test_a_worksheet_that_could_not_be_judged_leaves_the_rest_to_a_person():
    """And a notebook that cannot be read is a flag."""
    rubric = changed_rubric(worksheet={"points": 0, "admits_from": 0.75})
    broken = {"authors": "", "problem": "worksheet.hpp does not compile"}
    damaged = {"problem": "notebook.csv, line 2: no number"}
    part1 = part(row(), worksheet=broken, notebook=damaged)
    mark = item_of(part1, "correctness", rubric=rubric)
    assert mark.state == PERSON and "does not compile; else 10: " in mark.why
    found = results_of(measured(parts={"part1": part1})).submissions[0].flags
    assert "part1: the notebook could not be read: notebook.csv, line 2: no number" in found


def test_what_is_asked_aloud_is_not_looked_for_in_the_notebook():
    rubric = changed_rubric(manual={"oral": True})
    mark = item_of(part(row()), QUESTION.removeprefix("part1: "), rubric=rubric)
    assert (mark.state, mark.why, mark.is_question) == (PERSON, "asked aloud", False)


@pytest.mark.parametrize(
    ("worksheet", "item", "got", "of", "why"),
    [
        (
            sheet(line("1", points=3), line("2", ""), line("3", "waits"), line("4", "wrong")),
            *("worksheet", 7.5, 15, "3 of 6 points of the sheet; wrong: 4; missing: 2; waits: 3"),
        ),
        (sheet(line("0", "wrong"), line("1")), "worksheet", 15, 15, "1 of 1"),  # left out
        (NOT_COUNTED, "worksheet, lines not judged", PERSON, 7.5, "not be judged here: 13"),
        (None, "worksheet", 0, 15, "no worksheet.hpp was handed in"),
        (sheet(problem="does not compile"), "worksheet", PERSON, 15, "does not compile"),
    ],
)
def test_worksheet(worksheet, item, got, of, why):
    mark = item_of(part(row(), worksheet=worksheet), item)
    assert (mark.points_or_state, mark.maximum, why in mark.why) == (got, of, True), mark.why


def ideas(*numbers, **more):
    return {"rows": [tried(k, **more) for k in numbers]}


@pytest.mark.parametrize(
    ("book", "got"),
    [
        (ideas(*range(9), verdict="less than expected"), 10),
        (ideas(0, 1, 2, 0, 1, 2), 7.5),  # a copied row counts once
        (ideas(*range(4), idea="locals"), 2.5),
        (ideas(*range(4), expected=None), 0),
        (ideas(*range(4), measured=None), 0),
        ({"problem": "notebook.csv:3: it has 4 cells"}, PERSON),
    ],
)
def test_notebook(book, got):
    assert item_of(part(row(), notebook=book), "notebook").points_or_state == got


# --- a submission ---


@pytest.mark.parametrize("what", class_of_all_kinds())
def test_sums(what):
    """The maximum is the class's for everybody, and what was not graded costs nothing."""
    (one,) = results_of(class_of_all_kinds()[what]).submissions
    graded = sum(mark.maximum for mark in one.items if mark.points is not None)
    not_here = sum(mark.maximum for mark in one.items if mark.state == NOT_HERE)
    assert graded + one.to_decide + not_here == one.maximum == 100
    assert one.points == pytest.approx(sum(mark.points or 0 for mark in one.items))


@pytest.mark.parametrize(
    ("given", "states"),
    [
        # A broken part takes nothing of another; what is on paper is judged without a GPU.
        (class_of_all_kinds()["broken_part2"], {"part1: correctness": 10, "part2: correctness": 0}),
        (
            measured(parts={"part1": NO_GPU | {"worksheet": part()["worksheet"]}}),
            {"part1: worksheet": 12, "part1: correctness": NOT_HERE, "part2: correctness": NOT_HERE},
        ),
        (class_of_all_kinds()["unreadable"], {"part1: correctness": PERSON, f"part1: {ONE}": PERSON}),
        (measured(problems=[("unpack", "a link")], parts=only_part1(row())), {"part1: correctness": 10, "part2: correctness": 0}),
    ],
)  # fmt: skip
def test_a_submission(given, states):
    (one,) = results_of(given).submissions
    found = {mark.title: mark.points_or_state for mark in one.items}
    assert {title: found[title] for title in states} == states


@pytest.mark.parametrize(
    ("one", "flags"),
    [
        (measured(), []),
        (measured(parts=only_part1(timed(WRONG_WHILE_TIMED))), ["WRONG while timed"]),
        (measured(parts=only_part1(timed(speed(above_bound=True)))), ["faster than"]),
        (measured(parts=only_part1(timed(speed(doubt="7 cores")))), ["7 cores: a person"]),
        (measured(authors=["Other"]), ["Other is an author of b as well"]),
        (measured(late=True), ["the platform marked it late"]),
    ],
)
def test_what_a_person_should_look_at(one, flags):
    found = results_of(one, measured("b", ["Other"])).submissions[1].flags
    assert [words in flag for words, flag in zip(flags, found)] == [True] * len(flags)
    assert len(found) == len(flags)
