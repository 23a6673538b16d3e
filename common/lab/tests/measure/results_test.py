"""Ceilings and rooflines as files: a bad one gets one line, which names the field and the command."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nbody_lab.measure.results import NoInput, format_ceilings, read_ceilings, read_roofline
from tests.limits.roofline_for_tests import ceilings_of_processor

GOOD = ceilings_of_processor().as_json()
AGAIN = r"measure again \(./lab roofline --measure\)$"


def test_ceilings_are_read_as_they_are_written(tmp_path: Path) -> None:
    file = tmp_path / "ceilings.json"
    file.write_text(format_ceilings(ceilings_of_processor()))
    assert read_ceilings(file) == ceilings_of_processor()


@pytest.mark.parametrize(
    ("read", "content", "words"),
    [
        (read_ceilings, "{", " is not JSON$"),
        (read_ceilings, {"what": "prices"}, " was not written by ./lab roofline --measure$"),
        (read_ceilings, {**GOOD, "version": 2}, f": version 2, not 1: {AGAIN}"),
        (read_ceilings, {**GOOD, "clock_hz": 0}, f": clock_hz .* {AGAIN}"),
        (
            read_ceilings,
            {**GOOD, "ceilings": [{**GOOD["ceilings"][0], "best": -1}]},
            r": ceilings\[0\].best ",
        ),
        (read_roofline, GOOD, " was not written by ./lab roofline PART$"),
        (read_roofline, {"what": "roofline", "version": 1}, ": part is missing: measure again"),
        (read_roofline, None, " cannot be read: No such file"),
    ],
)
def test_a_bad_file_is_one_line(
    tmp_path: Path, read: Callable[[Path], Any], content: Any, words: str
) -> None:
    file = tmp_path / "x.json"
    if content:
        file.write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(NoInput, match=f"^{re.escape(str(file))}{words}") as refused:
        read(file)
    assert "\n" not in str(refused.value)
