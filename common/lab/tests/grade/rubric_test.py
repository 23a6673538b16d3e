"""What a rubric means; a mistake in it is one line with its place."""

from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.grade.rubric import PUBLISHED, read_rubric

TEXT = (Path(__file__).parent / "rubric_for_tests.json").read_text(encoding="utf-8")
ALL = '"threads": "all", "n": 2000, "points": 5, "measure": "times_naive"'


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"gates": true', '"gate": true', "parts.part1.correctness.gate is not known here"),
        ('"title": "A rubric of tests", ', "", "title is missing"),
        ('"maximum": 100', '"maximum": "100"', "maximum should be a valid number"),
        ('"maximum": 100', '"maximum": 90', "the items add up to 100 points, not to 90"),
        ('"points": 10, "gates"', '"points": -1, "gates"', "correctness.points needs at least 0"),
        ('"threads": 1,', '"threads": true,', "speed[0].threads"),
        ("[0.2, 2], [0.5, 5]", "[0.7, 2], [0.5, 5]", "parts.part1.speed[0] bands must ascend"),
        ("[0.9, 10]", "[0.9, 9]", "speed[0] the last band gives 9 points, the item has 10"),
        (ALL, ALL.replace('"all"', "1").replace("times_naive", "share_of_solution"), "two items"),
        ('"part2": {', '"part7": {', "parts.part7 is no part; did you mean part"),
        ("23:59:00+01:00", "23:59:00", "deadline"),
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
    for name, part in rubric.parts.items():
        notebook = next(ROOT.glob(f"{name}_*/NOTEBOOK.md")).read_text(encoding="utf-8")
        assert part.correctness.gates
        assert all(one.question in notebook for one in part.manual if not one.oral)
    speed = sum(one.points for part in rubric.parts.values() for one in part.speed)
    assert speed <= 0.3 * rubric.maximum
