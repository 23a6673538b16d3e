"""Are the ten cases complete, judged strictly, and silent about what is wrong with them?"""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from nbody_lab import ROOT
from nbody_lab.cases.catalogue import CASES, Catalogue, NumberedCase, read_cases
from nbody_lab.cases.judge import Verdict, judge, nudge
from nbody_lab.core.messages import UserError
from nbody_lab.core.model import parse
from nbody_lab.handout.leaks import find_leaks

ALL = read_cases()
GIVE_AWAY = re.compile(
    r"wrong|mistake|bug|broken|fault|error|fix|todo|xxx|hack|oops|forg[eo]t|missing|should|careful|case",
    re.IGNORECASE,
)


def each_case() -> Any:
    return pytest.mark.parametrize("case", ALL, ids=lambda case: case.file_name)


@each_case()
def test_the_accepted_lines_are_there(case: NumberedCase):
    """Each once, and it is code."""
    written = [line.strip() for line in case.source.splitlines()]
    assert [written.count(line) for line in case.facts.lines] == [1] * len(case.facts.lines)
    assert all(line.endswith(";") for line in case.facts.lines)


@each_case()
def test_the_source_gives_nothing_away(case: NumberedCase):
    """No word, comment or name in it says that something is wrong, or what."""
    assert GIVE_AWAY.findall(case.source) == []
    plain = re.sub(r"[_\W]", "", case.source).lower()
    assert case.facts.mistake.replace("_", "") not in plain
    assert case.facts.diagnosis not in case.source


def test_a_word_that_gives_away_is_seen():
    assert GIVE_AWAY.findall("// wrong: fixme") == ["wrong", "fix"]


@each_case()
def test_only_cause_and_line_together_are_right(case: NumberedCase):
    """Every other cause and every other line is refused, with a nudge that does not tell the answer."""
    right, lines = case.facts.cause, case.lines
    others = [k for k in range(1, len(case.facts.causes) + 1) if k != right]
    elsewhere = [k for k in range(1, case.source.count("\n") + 1) if k not in lines]
    assert all(judge(case, right, line) is Verdict.RIGHT for line in lines)
    assert {judge(case, right, line) for line in elsewhere} == {Verdict.ONLY_CAUSE}
    assert {judge(case, other, lines[0]) for other in others} == {Verdict.ONLY_LINE}
    assert {judge(case, other, elsewhere[0]) for other in others} == {Verdict.NEITHER}
    answer = case.facts.causes[right - 1].text
    for other in others:
        text = nudge(case, Verdict.NEITHER, other)
        assert text.removeprefix("Not yet. ")
        assert answer not in text
    assert not any(line in case.facts.where for line in case.facts.lines)


def test_the_right_cause_is_not_always_the_same():
    assert len({case.facts.cause for case in ALL}) >= 5


def of_first(change: dict[str, Any]) -> dict[str, Any]:
    data = json.loads(CASES.read_text(encoding="utf-8"))
    data["cases"][0].update(change)
    return data


CAUSE = {"text": "a", "nudge": "b"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"causes": [CAUSE] * 6}, "exactly one cause is right"),
        ({"causes": [CAUSE] * 5}, r"cases\[0\].causes"),
        ({"lines": []}, r"cases\[0\].lines"),
        ({"fails": {"colours": "1 of 2"}}, r"cases\[0\].fails"),
        ({"lesson": ""}, r"cases\[0\].lesson"),
        ({"hint": "no"}, "is not known here"),
    ],
)
def test_faults_in_the_data(change: dict[str, Any], words: str):
    with pytest.raises(UserError, match=words):
        parse(Catalogue, of_first(change), "cases.json")


def texts_of(files: Iterable[Path]) -> dict[str, str]:
    return {
        str(file.relative_to(ROOT)): file.read_text(encoding="utf-8")
        for file in files
        if file.is_file()
    }


def test_they_give_no_solution_away():
    """As ./lab handout looks for it: no name and no code of a rung."""
    solutions = texts_of(ROOT.glob("solutions/**/*.?pp"))
    if not solutions:
        pytest.skip("this copy of the lab has no solutions")
    patterns = ("part*/*", "common/simulator/*.hpp", "docs/checking.md")
    given = texts_of(file for pattern in patterns for file in ROOT.glob(pattern))
    shown = {case.file_name: case.source for case in ALL}
    shown["cases.json"] = CASES.read_text(encoding="utf-8")
    assert find_leaks(solutions, shown, given) == []
