"""What a rubric means; a mistake in it is one line with file and line number."""

import json
from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.grade.rubric import PUBLISHED, read_rubric

TEXT = (Path(__file__).parent / "rubric_for_tests.json").read_text(encoding="utf-8")
KNOWN = ["part1", "part2", "part3"]

# what is replaced, by what, the message from its line on
MISTAKES = [
    ('"title": "A', '"titel": "A', "1: titel: is not known here; did you mean title?"),
    ('{"points": 10, "gates"', '{"point": 10, "gates"', "5: parts.part1.correctness.point: is not known here; did you mean points?"),
    ('"title": "A rubric of tests", ', "", "1: title: is missing"),
    ('"measure": "times_naive", ', "", "10: parts.part1.speed[1].measure: is missing"),
    ('"measure": "times_naive"', '"measure": "time_naive"', "10: parts.part1.speed[1].measure: should be 'share_of_solution', 'times_naive'"),
    ('"maximum": 100', '"maximum": "100"', "1: maximum: should be a valid number"),
    ('"maximum": 100', '"maximum": NaN', "1: maximum: should be a finite number"),
    ('"maximum": 100', '"maximum": 90', "1: maximum: the points of all items add up to 100, not to 90"),
    ('"version": 1', '"version": 2', "1: version: should be 1"),
    ('"gates": true', '"gates": 1', "5: parts.part1.correctness.gates: should be a valid boolean"),
    ('{"points": 10, "gates"', '{"points": -1, "gates"', "5: parts.part1.correctness.points: needs at least 0"),
    ('"notebook": {"points": 10', '"notebook": {"points": 0', "7: parts.part1.notebook.points: needs more than 0"),
    ('"rows": ["mine", "mine_*"]', '"rows": []', "4: parts.part1.rows: Tuple should have at least 1 item"),
    ("[0.2, 2], [0.5, 5]", "[0.7, 2], [0.5, 5]", "9: parts.part1.speed[0].bands[1]: bands must ascend, but it begins at 0.5, not above 0.7"),
    ("[0.5, 5], [0.9, 10]", "[0.5, 5],\n [0.6, 4], [0.9, 10]", "10: parts.part1.speed[0].bands[2]: bands must ascend, but its points, 4"),
    ("[0.9, 10]", "[0.9, 9]", "9: parts.part1.speed[0].bands[2]: the last band gives 9 points, the item has 10"),
    ("[0.2, 2]", "[0.2, 2, 3]", "9: parts.part1.speed[0].bands[0]: needs bands of two numbers"),
    ("[0.2, 2]", "[-0.2, 2]", "9: parts.part1.speed[0].bands[0][0]: needs more than 0"),
    ("[[2, 1], [10, 5]]", "[]", "10: parts.part1.speed[1].bands: needs bands of two numbers"),
    ('"leave_out": ["0"]', '"leave_out": ["99"]', "6: parts.part1.worksheet.leave_out[0]: part1 has no question '99'; it has 0 to"),
    ('"part2": {', '"part7": {', "12: parts.part7: there is no part 'part7'"),
    ("Say what stopped the vectoriser, and how you know.", "WHY is the third law not  twice as fast?", "15: parts.part2.manual[0].question: part1 already has this question"),
    ('"threads": "all", "n": 2000, "points": 5, "measure": "times_naive", "bands": [[2, 1], [10, 5]]', '"threads": 1, "n": 2000, "points": 5, "measure": "share_of_solution", "bands": [[2, 1], [10, 5]]', "10: parts.part1.speed[1]: another speed has the same threads"),
    ('"per_day_percent": 10', '"per_day_percent": 120', "16: late.per_day_percent: needs at most 100"),
    ('"free_days": 0', '"free_days": -1', "16: late.free_days: needs at least 0"),
    ("T23:59:00+01:00", "T23:59:00", "16: deadline: must be a time with its zone"),
    ("2026-11-20T23:59:00+01:00", "tomorrow", "16: deadline: must be a time with its zone"),
    (TEXT, '{"version": 1,\n "title": }', "2: not valid JSON: "),
    (TEXT, "", "1: not valid JSON: "),
    (TEXT, "[]", "1: should be an object"),
    (TEXT, '{"version": 1,\n "title": "a",\n "title": "b"}', "3: 'title' is given twice: first in line 2"),
    (TEXT, b'{"version": 1,\n "title": "\xe4"}', "2: not UTF-8"),
    (TEXT, "[" * 100000, "1: nested too deeply"),
]  # fmt: skip


def threads(value):
    return '"threads": 1,', f'"threads": {json.dumps(value)},', "9: parts.part1.speed[0].threads: must be a whole number, at least 1, or \"all\""  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [*MISTAKES, *map(threads, [0, -1, "every", 1.5, True])],
)
def test_a_mistake_is_one_line_with_its_place(tmp_path, old, new, message):
    assert old in TEXT
    file = tmp_path / "rubric.json"
    changed = new if old is TEXT else TEXT.replace(old, new, 1)
    file.write_bytes(changed if isinstance(changed, bytes) else changed.encode())
    with pytest.raises(LabError) as fault:
        read_rubric(file, KNOWN)
    assert "\n" not in str(fault.value)
    assert str(fault.value).partition("rubric.json:")[2].startswith(message)


def test_defaults_and_checksum(tmp_path):
    file = tmp_path / "rubric.json"
    file.write_text("\ufeff" + TEXT, encoding="utf-8")
    rubric = read_rubric(file, KNOWN)
    part = rubric.parts["part2"]
    assert part.rows == part.speed[0].rows == ("mine", "mine_*")
    assert part.speed[0].scene == "plummer" and part.correctness.gates
    assert rubric.checksum.startswith("sha256:") and len(rubric.checksum) == 71


# What comes with the lab, and its points by kind.
PUBLISHED_RUBRICS = [
    (PUBLISHED, {"worksheet": 25, "notebook": 25, "speed": 30, "manual": 20}),
    (
        PUBLISHED.with_name("rubric_part4.json"),
        {"worksheet": 14, "notebook": 11, "speed": 15, "manual": 10},
    ),
]


@pytest.mark.parametrize(
    ("file", "wanted"), PUBLISHED_RUBRICS, ids=lambda one: getattr(one, "stem", "")
)
def test_a_published_rubric(file, wanted):
    """Students find its questions for a person in their notebooks; speed is worth less than what cannot be copied."""
    points = dict.fromkeys(wanted, 0)
    for name, part in read_rubric(file).parts.items():
        notebook = next(ROOT.glob(f"{name}_*/NOTEBOOK.md")).read_text(encoding="utf-8")
        assert part.correctness.points == 0
        for kind in points:
            rules = getattr(part, kind)
            rules = rules if isinstance(rules, tuple) else [rules]
            points[kind] += sum(one.points for one in rules)
        assert all(one.question in notebook for one in part.manual)
    assert points == wanted


def test_every_part_that_needs_no_gpu_is_in_a_published_rubric():
    assert {part for file, _ in PUBLISHED_RUBRICS for part in read_rubric(file).parts} == {
        "part1",
        "part2",
        "part4",
    }
    assert {file for file, _ in PUBLISHED_RUBRICS} == {*(ROOT / "data").glob("rubric*.json")}
