"""Ceilings and rooflines as files: a bad one gets one line, which names the field and the command."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nbody_lab.measure.results import NoInput, format_ceilings, read_ceilings, read_roofline
from tests.limits.roofline_for_tests import ceilings_of_processor, roofline_json

GOOD = ceilings_of_processor().as_json()
ROW = GOOD["ceilings"][0]
MACHINE = GOOD["machine"]
PRICE = {**GOOD["prices"][0], "one_every_cycles": 3}
CEILINGS, ROOFLINE = "./lab roofline --measure", "./lab roofline PART"


def test_ceilings_are_read_as_they_are_written(tmp_path: Path) -> None:
    file = tmp_path / "ceilings.json"
    file.write_text(format_ceilings(ceilings_of_processor()))
    assert read_ceilings(file) == ceilings_of_processor()


@pytest.mark.parametrize(
    ("read", "content", "words"),
    [
        (read_ceilings, "{", " is not JSON"),
        (read_ceilings, {"what": "prices"}, f" was not written by {CEILINGS}"),
        (read_ceilings, {**GOOD, "version": 2}, f": version 2, not 1: measure again ({CEILINGS})"),
        (read_ceilings, {**GOOD, "clock_hz": "fast"}, f": clock_hz * measure again ({CEILINGS})"),
        (read_ceilings, {**GOOD, "clock_hz": 0}, ": clock_hz *"),
        (read_ceilings, {**GOOD, "date": 3}, ": date *"),
        (read_ceilings, {k: GOOD[k] for k in GOOD if k != "prices"}, ": prices is missing*"),
        (read_ceilings, {**GOOD, "machine": []}, ": machine *"),
        (read_ceilings, {**GOOD, "machine": {**MACHINE, "cores": True}}, ": machine.cores *"),
        (read_ceilings, {**GOOD, "ceilings": [ROW, {**ROW, "best": None}]}, ": ceilings[1].best *"),
        (read_ceilings, {**GOOD, "ceilings": [{**ROW, "best": -1}]}, ": ceilings[0].best *"),
        (read_ceilings, {**GOOD, "ceilings": [7]}, ": ceilings[0] *"),
        (read_ceilings, {**GOOD, "prices": [PRICE]}, ": prices[0].one_every_cycles *"),
        (read_roofline, GOOD, f" was not written by {ROOFLINE}"),
        (read_roofline, {**roofline_json(), "points": [{}]}, ": points[0].number is missing*"),
        (
            read_roofline,
            {"what": "roofline", "version": 1},
            f": part is missing: measure again ({ROOFLINE})",
        ),
    ],
)
def test_a_bad_file_is_one_line(
    tmp_path: Path, read: Callable[[Path], Any], content: Any, words: str
) -> None:
    """`words` follow the file's name; * is any text."""
    file = tmp_path / "x.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(NoInput) as refused:
        read(file)
    message, (before, star, after) = str(refused.value), words.partition("*")
    assert message.startswith(f"{file}{before}") and message.endswith(after)
    assert star or message == f"{file}{before}"
    assert "\n" not in message


def test_no_file() -> None:
    with pytest.raises(NoInput, match=r"^/no/such/file cannot be read: No such file"):
        read_ceilings("/no/such/file")
