"""Marks: each rule of grading on made-up measurements, what people decide, and the rubric; a mistake is one line with its place."""

from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.grade.rubric import PUBLISHED, read_rubric
from nbody_lab.grade.score import LateRow, ManualRow, find_similar, judge_lateness, read_decisions
from tests import write_files
from tests.grade.scored_for_tests import (
    BROKEN,
    NO_GPU,
    P1,
    QUESTION,
    RUBRIC,
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
)

ONE, ALL = "speed, 1 thread, 2000 bodies", "speed, all threads, 2000 bodies, over naive"
PERSON, NOT_HERE = "for a person", "not graded here"
UNKNOWN = {"share_of_solution": None, "times_naive": None, "interactions_per_s": None}
BUSY = speed(noisy=True, outcome="busy", verdict="too busy to measure", **UNKNOWN)
WRONG_WHILE_TIMED = speed(outcome="wrong", verdict="WRONG: body 3 is off")
NOT_CHECKED = row(check={"verdict": "not checked", "problem": "it went away", "cases": 249})
HELP = 60 * "help "
LONG = "b\x1b[31m\u202e" + 500 * "x" + "\n 1 | a"
NOISY_BEST = row("mine_b", speed=[speed(1.1, noisy=True)])


def item_of(part1, name, **more):
    """The mark of an item of part 1."""
    (one,) = results_of(measured(parts={"part1": part1}), **more).submissions
    return next(mark for mark in one.items if (mark.part, mark.item) == ("part1", name))


def timed(*speeds, **more):
    return row(speed=list(speeds), **more)


# of the best row: rows, points, and why
CORRECT = [
    ([row()], 35, "part1/mine: all 249 cases pass, the worst at 31 % of its"),
    ([row(**WRONG)], 0, "3 of 249 cases wrong: the last body is"),
    ([row(**UNTOUCHED)], 0, "the given file, unchanged"),
    ([row(**UNTOUCHED), row("mine_b")], 35, "part1/mine_b"),
    ([], 0, "no mine*.hpp that counts"),
    ([NOT_CHECKED], PERSON, "it went away"),
    ([row(**BROKEN, build_problem=f"{HELP}at last")], 0, f"{HELP}at last"),
    ([row(**BROKEN, build_problem=LONG)], 0, "does not compile: b?xxx"),
]
# What could not be timed is never zero; what a person must look at has no points yet.
FAST = [
    ([row(**WRONG | {"speed": [speed(5)]})], 0, "no speed points without a version that is right"),
    ([NOT_CHECKED], PERSON, "counts if a person finds the row right"),
    ([timed(speed(0.1))], 0, "part1/mine: 0.1 times the speed of the solution; 2 points from 0.2"),
    ([timed(speed(0.899))], 5, "; 10 points from 0.9"),
    ([timed(speed(0.9))], 10, "; the highest band"),
    ([timed(speed(0.3)), timed(speed(0.6), name="mine_a")], 5, "part1/mine_a"),
    ([timed(WRONG_WHILE_TIMED)], 0, "not right while it was timed: WRONG"),
    ([timed(speed(noisy=True, spread=0.22))], PERSON, "by 22 %, too much to score"),
    ([timed(BUSY)], PERSON, "too busy"),
    (
        [timed(BUSY), timed(speed(0.3), name="mine_b")],
        PERSON,
        "part1/mine: the machine was too busy",
    ),
    ([timed(BUSY), timed(speed(0.95), name="mine_b")], 10, "mine_b"),
    ([timed(WRONG_WHILE_TIMED), timed(BUSY, name="mine_b")], PERSON, "mine_b"),
    ([timed(speed(doubt="it used 7 cores"))], PERSON, "it used 7 cores"),
    ([timed(speed(0.95)), NOISY_BEST], 10, "part1/mine:"),
    ([timed(speed(0.6)), NOISY_BEST], PERSON, "mine_b"),
    ([timed(not_timed="the grader failed")], PERSON, "the grader failed"),
    ([timed()], "not timed yet", ""),
    ([timed(speed(share_of_solution=None))], NOT_HERE, "it has no share_of_solution"),
]
BY_NAIVE = (ALL, [timed(speed(0.6, 2), speed(0.1, 4))], 5, "10.3 times the speed of naive")


@pytest.mark.parametrize(
    ("item", "rows", "got", "why"),
    [*(("correctness", *one) for one in CORRECT), *((ONE, *one) for one in FAST), BY_NAIVE],
)
def test_correctness_and_speed(item, rows, got, why):
    mark = item_of(part(*rows), item)
    assert (mark.points_or_state, why in mark.why) == (got, True), mark.why
    assert mark.why.isprintable() and len(mark.why) < 600


ADMITTED = changed_rubric("worksheet", admits_from=0.75)


@pytest.mark.parametrize(
    ("sheet", "why"),
    [
        ({"lines": [line("1", points=3), line("2", "wrong")]}, ""),
        ({"lines": [line("1"), line("2", "")]}, "not admitted: 50 % of the worksheet is right"),
        # What could not be judged costs nothing; what is left out does not count.
        ({"lines": [line("1"), line("2", "not counted", "./lab count says why")]}, ""),
        ({"lines": [line("1"), line("0", "")]}, ""),
        ({"problem": "does not compile"}, "does not compile"),
    ],
)
def test_a_worksheet_admits_or_leaves_the_rest_to_a_person(sheet, why):
    for name, points in (("correctness", 35), (ONE, 5)):
        mark = item_of(part(row(), worksheet=sheet), name, rubric=ADMITTED)
        assert mark.points_or_state == (PERSON if why else points)
        assert mark.why.startswith(why) and (not why or f"; else {points}: part1/mine" in mark.why)


@pytest.mark.parametrize("rows", [[row()], [row(**UNTOUCHED)]])
def test_what_was_judged_without_a_file_is_left_to_a_person(rows):
    why = "2 versions of mine.hpp: which one?"
    mark = item_of(part(*rows, unclear=why), "correctness")
    assert mark.state == PERSON and mark.why.startswith(f"{why}; else ")


@pytest.mark.parametrize(
    ("given", "states"),
    [
        # A broken part takes nothing of another.
        (class_of_all_kinds()["broken_part2"], {"part1: correctness": 35, "part2: correctness": 0}),
        (measured(parts={"part1": NO_GPU}), dict.fromkeys(("part1: correctness", "part2: correctness"), NOT_HERE)),
        (class_of_all_kinds()["unreadable"], {"part1: correctness": PERSON, f"part1: {ONE}": PERSON}),
        (measured(problems=[("unpack", "a link")], parts=only_part1(row())), {"part1: correctness": 35, "part2: correctness": 0}),
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
        (measured(parts=only_part1(timed(speed(doubt="7 cores")))), ["7 cores: a person"]),
        (measured(parts=only_part1(row(), notebook={"problem": "line 2"})), ["could not be read: line 2"]),
        (measured(authors=["Other One"]), ["Other One is an author of b as well"]),
        (measured(late=True), ["the platform marked it late"]),
    ],
)  # fmt: skip
def test_what_a_person_should_look_at(one, flags):
    found = results_of(one, measured("b", ["ONE, Other"])).submissions[1].flags
    assert [words in flag for words, flag in zip(flags, found)] == [True] * len(flags)
    assert len(found) == len(flags)


GIVEN = (ROOT / P1 / "mine.hpp").read_text()
THIRD_LAW = (ROOT / "solutions" / P1 / "04_third_law.hpp").read_text()


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (THIRD_LAW, True),
        ("// mine\n" + THIRD_LAW.replace("dx", "DX").replace("\n", "\r\n\n"), True),
        (THIRD_LAW.replace("dx", "distance"), False),
        (THIRD_LAW + "/* " * 100_000, True),
    ],
)
def test_the_same_source_twice(tmp_path, other, same):
    """What was given is nobody's."""
    files = {f"ada/{P1}/mine.hpp": THIRD_LAW, f"bo/{P1}/mine_b.hpp": other}
    files |= {f"{name}/{P1}/mine_c.hpp": GIVEN for name in ("ada", "bo")}
    write_files(tmp_path, {f"taken/{name}": text for name, text in files.items()})
    found = find_similar(tmp_path, ["ada", "bo"])
    flags = {"ada": [f"{P1}/mine.hpp is a file of bo, too"]}
    assert found == (flags | {"bo": [f"{P1}/mine_b.hpp is a file of ada, too"]} if same else {})


HEAD = "who,question,answer,points,comment\n"


@pytest.fixture
def read(tmp_path):
    def read(model, content):
        (tmp_path / "table.csv").write_text(content, encoding="utf-8")
        return read_decisions(model, tmp_path / "table.csv")

    return read


@pytest.mark.parametrize(
    "text",
    [
        f'{HEAD}ada,{QUESTION},"a, b",7.5,"well,  ""so"""\n',
        f'\ufeffWho;Question;Points;Comment\r\n\r\nada;{QUESTION};7,5;"well, ""so"""\r\nbo;x;;\r\n',
        f'question\tpoints\twho\tcomment\n{QUESTION}\t7.5\tada\t"well, ""so"""',
    ],
)
def test_points_as_spreadsheets_write_them(read, text):
    """Rows without points are not marked yet."""
    (row,) = read(ManualRow, text)
    (one,) = results_of(measured("ada"), manual=[row, row]).submissions
    (mark,) = [mark for mark in one.items if mark.title == QUESTION]
    assert (mark.points, mark.why) == (7.5, '7.5 of 10 by hand: well, "so"')


@pytest.mark.parametrize(
    ("model", "text", "message"),
    [
        (ManualRow, f"{HEAD}eve,{QUESTION},,3", "row 2: no submission is called 'eve'"),
        (ManualRow, f"{HEAD}ada,part1: CORECTNESS,,3", "row 2: there is no question 'part1: CORECTNESS'; did you mean part1: corr"),
        (ManualRow, f"{HEAD}ada,{QUESTION[:-2]},,3", f"; did you mean {QUESTION}"),
        (ManualRow, f"{HEAD}ada,{QUESTION},,11", "row 2: 11 points, but there are 10 at most"),
        (ManualRow, f"{HEAD}ada,{QUESTION},,x", "row 2: points needs a number, not 'x'"),
        (ManualRow, f"{HEAD}ada,a,b,c,1,2", "row 2: too many cells"),
        (ManualRow, f'{HEAD}ada,"{QUESTION}', "unexpected end of data: give a CSV file in UTF-8"),
        (ManualRow, f"{HEAD}ada,{QUESTION},,3\nada,{QUESTION},,4", "row 3: another row gives 3"),
        (ManualRow, "who,question\n", "there is no column points"),
        (LateRow, "who,days\nada,1\nada,2\n", "row 3: "),
        (LateRow, "who,days\nada,1.5\n", "row 2: days needs a whole number, not '1.5'"),
    ],
)  # fmt: skip
def test_refused_in_one_line(read, model, text, message):
    with pytest.raises(LabError) as fault:
        rows = read(model, text)
        results_of(measured("ada"), **{"late" if model is LateRow else "manual": rows})
    assert message in str(fault.value) and "table.csv" in str(fault.value)
    assert "\n" not in str(fault.value)


def test_a_table_that_is_not_there(tmp_path):
    with pytest.raises(LabError) as fault:
        read_decisions(ManualRow, tmp_path / "none.csv")
    assert str(fault.value) == f"{tmp_path}/none.csv: No such file or directory"


@pytest.mark.parametrize(("parts", "points"), [((), 4), (["part1"], None)])
def test_points_by_hand_replace_what_was_measured_and_wait_for_their_part(read, parts, points):
    rows = read(ManualRow, f"{HEAD}ada,part2: correctness,,4,\n")
    (one,) = results_of(measured("ada"), manual=rows, parts=parts).submissions
    (mark,) = [mark for mark in one.items if mark.title == "part2: correctness"]
    assert (mark.points, mark.by_hand) == (points, 4)
    assert points is None or "4 of 10 by hand (before: part2/mine: all 249" in mark.why


def test_days_late(read):
    """Never more than all; 0 excuses who was marked late by the platform."""
    rows = read(LateRow, "who;days\nbo;\nada;2\ncarl;0\n")
    marked = [measured("ada"), measured("bo"), measured("carl", late=True)]
    ada, bo, carl = results_of(*marked, late=rows).submissions
    assert (ada.points, ada.late.days) == (63 - 12.6, 2)
    assert bo.points == carl.points == 63 and not any("late" in flag for flag in carl.flags)
    assert judge_lateness(60, [rows[0].model_copy(update={"days": 99})], RUBRIC).taken_off == 60


TEXT = (Path(__file__).parent / "rubric_for_tests.json").read_text(encoding="utf-8")
BY_ALL = '"threads": "all", "n": 2000, "points": 5, "measure": "times_naive"'


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"maximum": 100', '"maximum": 90', "the items add up to 100 points, not to 90"),
        ('["0"]', '["99"]', "parts.part1.worksheet.leave_out: the worksheet has no question 99"),
        ("[0.2, 2], [0.5, 5]", "[0.7, 2], [0.5, 5]", "parts.part1.speed[0] bands must ascend"),
        ("[0.9, 10]", "[0.9, 9]", "speed[0] the last band gives 9 points, the item has 10"),
        (
            BY_ALL,
            BY_ALL.replace('"all"', "1").replace("times_naive", "share_of_solution"),
            "two items",
        ),
        ('"part2": {', '"part7": {', "parts.part7 is no part; did you mean part"),
        (TEXT, '{"version": 1,\n "title": }', "expected value at line 2"),
    ],
)
def test_a_mistake_is_one_line_with_its_place(tmp_path, old, new, message):
    assert old in TEXT
    (tmp_path / "rubric.json").write_text(TEXT.replace(old, new, 1))
    with pytest.raises(LabError) as fault:
        read_rubric(tmp_path / "rubric.json")
    assert message in str(fault.value) and "rubric.json: " in str(fault.value)
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(
    "file", sorted(PUBLISHED.parent.glob("rubric*.json")), ids=lambda it: it.stem
)
def test_a_published_rubric(file):
    """Students find its questions for a person in their notebooks; speed is worth less than what cannot be copied."""
    rubric = read_rubric(file)
    for name, rule in rubric.parts.items():
        notebook = next(ROOT.glob(f"{name}_*/NOTEBOOK.md")).read_text(encoding="utf-8")
        assert all(one.question in notebook for one in rule.manual if not one.oral)
    fast = sum(one.points for rule in rubric.parts.values() for one in rule.speed)
    assert fast <= 0.3 * rubric.maximum
