"""Do the rung, part, scheme and question of contributing_example.py work with every command?"""

import os
import re
from pathlib import Path

import pytest

from tests import said_by

TREE = Path(os.environ.get("LAB_TREE", ""))
pytestmark = pytest.mark.skipif(
    "LAB_TREE" not in os.environ, reason="belongs to suite contributing"
)
HAS_SOLUTIONS = (TREE / "solutions").is_dir()
CHECK = "--largest 129 --seed 1"


@pytest.mark.parametrize(
    ("line", "shown", "of_solutions"),
    [
        (f"check part1 renamed {CHECK}", "part1/renamed: passed", True),
        ("list part1", "fused under another name", True),
        ("count part1 renamed", "compute_accelerations", True),
        (f"check part9 mine {CHECK}", "part9/mine: passed", False),
        ("run part9 naive -n 10 -i 2 --precision double", "precision   double", False),
        (f"check part9 twice {CHECK}", "part9/twice: passed", True),
        (
            "run part9 naive --scene two-body -i 100 --integrator halves",
            "integrator  halves: semi-implicit Euler, each step in two halves",
            False,
        ),
    ],
)
def test_rung_part_and_scheme(line, shown, of_solutions):
    if of_solutions and not HAS_SOLUTIONS:
        pytest.skip("this copy of the lab has no folder solutions/")
    status, out, err = said_by([TREE / "lab", *line.split()], stdin=-3)
    assert status == 0, out + err
    assert re.search(shown, out + err), out + err


@pytest.mark.parametrize(("answer", "status", "verdict"), [(40, 0, "right"), (7, 1, "wrong")])
def test_question(answer, status, verdict):
    sheet = TREE / "part1_standard_opti/worksheet.hpp"
    text = sheet.read_text(encoding="utf-8")
    answered = text.replace("bytes_of_body = unanswered", f"bytes_of_body = {answer}")
    sheet.write_text(answered, encoding="utf-8")
    try:
        ended, out, err = said_by([TREE / "lab", "worksheet", "part1", "22"], stdin=-3)
    finally:
        sheet.write_text(text, encoding="utf-8")
    assert ended == status, out + err
    assert re.search(rf"22 +bytes of a body +exact +{answer} +{verdict}", out)
