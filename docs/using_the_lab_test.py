"""The ten broken programs of docs/using_the_lab.md: each is shown, its answer is a line of it; and the table of points."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "docs/using_the_lab.md").read_text(encoding="utf-8")
CASES = TEXT.partition("## Ten broken programs")[2].split("\n### ")[1:]


def test_there_are_ten():
    files = ROOT.glob("common/check/zoo/cases/case_*.hpp")
    assert len(CASES) == len(list(files)) == 10


@pytest.mark.parametrize("number", range(1, 11))
def test_a_case(number):
    """Its program is linked and listed, and the answer shows one line of it."""
    text = CASES[number - 1]
    file = f"common/check/zoo/cases/case_{number}.hpp"
    assert text.startswith(f"{number} ")
    assert f"(../{file})" in text
    question, _, answer = text.partition("<details>\n<summary>Answer</summary>\n")
    listing = re.findall(r"```cpp\n(.*?)\n```", answer, re.S)
    assert len(listing) == 1
    assert f"<!-- listing {file} -->" in question
    assert [line.strip() for line in question.splitlines()].count(listing[0]) == 1


def test_the_students_table_has_the_rubrics_bands():
    text = (ROOT / "docs/using_the_lab.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (part \d), .*\((\d+)(?: points)?\) \| (\d+) % \| (\d+) % \|$", text, re.M
    )
    wanted = [
        (f"part {part[-1]}", *(f"{x:g}" for x in (rule["points"], *ends)))
        for file in sorted(ROOT.glob("data/rubric*.json"))
        for part, rules in json.loads(file.read_text(encoding="utf-8"))["parts"].items()
        for rule in rules["speed"]
        for ends in [(100 * rule["bands"][0][0], 100 * rule["bands"][-1][0])]
    ]
    assert rows == wanted
