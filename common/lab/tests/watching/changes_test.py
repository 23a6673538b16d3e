"""Does the watch tell what is new, all of it, and nothing else?"""

import json
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from nbody_lab.core.messages import UserError
from nbody_lab.watching.changes import (
    changes_of_check,
    changes_of_sheet,
    headline_of_check,
    headline_of_sheet,
)
from nbody_lab.watching.results import (
    NO_VERDICT,
    CheckOutcome,
    SheetOutcome,
    read_check,
    read_sheet,
)
from nbody_lab.watching.saves import concerns_check

PASSED = CheckOutcome("passed")
FAILED = CheckOutcome(
    "FAILED", (("forces", "3 of 9"),), "2 of 66 bodies are NaN", ("forces", "not_finite", "")
)
OTHER_SEED = CheckOutcome(
    "FAILED", (("forces", "4 of 9"),), "7 of 90 bodies are NaN", ("forces", "not_finite", "")
)
OTHER_KIND = CheckOutcome(
    "FAILED", (("steps", "1 of 2"),), "half of dt", ("steps", "half_kick", "")
)
BROKEN = CheckOutcome(NO_VERDICT, message="mine.hpp: line 3")
WARNED = CheckOutcome("passed", warnings=("m:3: warning: a\n    code",))
FURTHER_DOWN = CheckOutcome("passed", warnings=("m:5: warning: a\n    code", "m:6: b"))


def test_a_morning_of_checks(snapshot: SnapshotAssertion):
    """Only what differs from the check before is told."""
    morning = [PASSED, PASSED, FAILED, OTHER_SEED, OTHER_KIND, PASSED, BROKEN, BROKEN, PASSED]
    morning += [WARNED, FURTHER_DOWN, PASSED]
    text = "".join(
        "\n  ".join([headline_of_check(before, now), *changes_of_check(before, now)]) + "\n"
        for before, now in zip([None, *morning], morning)
    )
    assert text == snapshot
    assert headline_of_check(None, FAILED) == "FAILED" and len(changes_of_check(None, FAILED)) == 2


def test_a_flood():
    """A long message is cut, and says so."""
    long = CheckOutcome(NO_VERDICT, message="\n".join(map(str, range(100))))
    assert changes_of_check(None, long)[-2:] == ["19", "and 80 more lines"]


@pytest.mark.parametrize(
    ("before", "now", "lines"),
    [
        (None, "right wrong -", ["wrong: 1"]),
        ("right", "right", []),
        ("wrong -", "right right", ["right now: 0, 1"]),
        ("right right", "wrong -", ["wrong: 0", "open again: 1"]),
    ],
)
def test_a_worksheet(before: str | None, now: str, lines: list[str]):
    first, second = (
        None if states is None else sheet(states.replace("-", "").split(" "))
        for states in (before, now)
    )
    assert second and changes_of_sheet(first, second) == lines


def sheet(states: list[str]) -> SheetOutcome:
    return SheetOutcome(tuple((str(k), state) for k, state in enumerate(states)))


def test_headlines_of_worksheets():
    some = sheet(["right", "right", "wrong", "answered", ""])
    assert headline_of_sheet(some) == "2 right, 1 wrong, 1 recorded or waiting, 1 open"
    assert headline_of_sheet(SheetOutcome(message="line 7")) == "not judged"


@pytest.mark.parametrize(
    ("files", "concerns"),
    [
        ("mine_fast.hpp mine_fast.cuh flags.txt vectors.h", True),
        ("mine.hpp naive.hpp worksheet.hpp README.md", False),
        ("mine_fast.hpp~ .mine_fast.hpp.swp .#mine_fast.hpp", False),
    ],
)
def test_which_files_belong_to_a_version(files: str, concerns: bool):
    assert {concerns_check(file, "mine_fast") for file in files.split()} == {concerns}


# --- the files ----------------------------------------------------------------------------------

PROGRAM = {"verdict": "FAILED", "as_expected": False, "sentence": "half of dt"}


def written(folder: Path, *programs: dict[str, Any]) -> Path:
    file = folder / "check.json"
    data = {"tolerance": "standard", "precision": "float", "implementations": programs}
    file.write_text(json.dumps(data), encoding="utf-8")
    return file


def test_what_a_check_writes(tmp_path: Path):
    """Kinds that fail with their counts, the sentence, and the warnings about this file alone."""
    rows = [("forces", "passed"), ("steps", "failed"), ("steps", "passed"), ("threads", "not run")]
    cases = [{"group": group, "verdict": verdict} for group, verdict in rows]
    lines = {
        "mine.hpp": ["mine.hpp:3: warning: a", "    code", "mine.hpp:4: b"],
        "other.hpp": ["other.hpp:1: c"],
    }
    warnings = tmp_path / "warnings.json"
    kept = {name: {"digest": "", "lines": some} for name, some in lines.items()}
    warnings.write_text(json.dumps(kept), encoding="utf-8")
    cases[1]["mistake"] = "half_kick"
    program = {**PROGRAM, "cases": cases, "most_informative_case": 1}
    file = written(tmp_path, program)
    assert read_check(file, "", warnings, "mine.hpp") == CheckOutcome(
        "FAILED",
        (("steps", "1 of 2"),),
        "half of dt",
        ("steps", "half_kick", ""),
        ("mine.hpp:3: warning: a\n    code", "mine.hpp:4: b"),
    )


@pytest.mark.parametrize("programs", [[], [PROGRAM, PROGRAM], [{"verdict": "passed"}]])
def test_what_is_no_check(tmp_path: Path, programs: list[dict[str, Any]]):
    """Names the file."""
    with pytest.raises(UserError, match=r"check\.json"):
        read_check(written(tmp_path, *programs), "", tmp_path / "none", "mine.hpp")


def test_nothing_written(tmp_path: Path):
    """What was printed is the reason, without the lines of progress."""
    printed = "building part1/mine ... 3/4, about 2 s left\njudging ... failed\n\nlab: line 3\n"
    none = tmp_path / "none"
    assert read_check(none, printed, none, "") == CheckOutcome(NO_VERDICT, message="lab: line 3")
    assert read_sheet(none, printed) == SheetOutcome(message="lab: line 3")


# --- the command --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["watch"], "watch needs a part"),
        (["watch", "part9"], "there is no part 'part9'"),
        (["watch", "part1", "mine_none"], "part1 has no file mine_none.hpp"),
        (["watch", "part1", "mine", "--json"], "watch: there is no option --json"),
    ],
)
def test_refused(refusal_of: Any, words: list[str], error: str):
    assert refusal_of(*words).startswith(error)
