"""Does the watch tell what is new, all of it, and nothing else?"""

import json
from pathlib import Path
from typing import Any

import pytest

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
    without_progress,
)
from nbody_lab.watching.saves import concerns_check

PASSED = CheckOutcome("passed")
FAILED = CheckOutcome("FAILED", (("forces", "3 of 9"),), "2 of 66 bodies are NaN")
BROKEN = CheckOutcome(NO_VERDICT, message="mine.hpp: line 3")


def warned(*warnings: str) -> CheckOutcome:
    return CheckOutcome("passed", warnings=warnings)


CHECKS = {
    "first, passed": (None, PASSED, "passed", []),
    "first, failed": (
        None,
        FAILED,
        "FAILED",
        ["fails now: forces (3 of 9)", "diagnosis: 2 of 66 bodies are NaN"],
    ),
    "nothing": (PASSED, PASSED, "passed, as before", []),
    "another seed, other numbers": (
        FAILED,
        CheckOutcome("FAILED", (("forces", "4 of 9"),), "7 of 90 bodies are NaN"),
        "FAILED, as before",
        [],
    ),
    "another kind": (
        FAILED,
        CheckOutcome("FAILED", (("steps", "1 of 2"),), "half of dt"),
        "FAILED",
        ["fails now: steps (1 of 2)", "right again: forces", "diagnosis: half of dt"],
    ),
    "mended": (FAILED, PASSED, "passed", ["right again: forces"]),
    "does not compile": (FAILED, BROKEN, "no verdict", ["mine.hpp: line 3"]),
    "still does not compile": (BROKEN, BROKEN, "no verdict, as before", []),
    "compiles again": (BROKEN, PASSED, "passed", []),
    "a warning": (
        PASSED,
        warned("m:3: warning: a\n    code"),
        "passed",
        ["m:3: warning: a", "    code"],
    ),
    "the same in another line": (
        warned("m:3: warning: a"),
        warned("m:5: warning: a"),
        "passed, as before",
        [],
    ),
    "two are gone": (warned("m:3: a", "m:4: b"), PASSED, "passed", ["2 warnings are gone"]),
}


@pytest.mark.parametrize("name", CHECKS)
def test_a_check(name: str):
    before, now, headline, lines = CHECKS[name]
    assert changes_of_check(before, now) == lines
    assert headline_of_check(before, now) == headline


def test_a_flood():
    """A long message is cut, and says so."""
    long = CheckOutcome(NO_VERDICT, message="\n".join(map(str, range(100))))
    assert changes_of_check(None, long)[-2:] == ["19", "and 80 more lines"]


SHEETS = {
    "first": (None, {"1": "right", "2": "wrong", "3": ""}, ["wrong: 2"]),
    "nothing": ({"1": "right"}, {"1": "right"}, []),
    "better": ({"1": "wrong", "2": ""}, {"1": "right", "2": "right"}, ["right now: 1, 2"]),
    "worse": ({"1": "right", "2": "right"}, {"1": "wrong", "2": ""}, ["wrong: 1", "open again: 2"]),
}


@pytest.mark.parametrize("name", SHEETS)
def test_a_worksheet(name: str):
    before, now, lines = SHEETS[name]
    first = None if before is None else SheetOutcome(tuple(before.items()))
    assert changes_of_sheet(first, SheetOutcome(tuple(now.items()))) == lines


def test_headlines_of_worksheets():
    states = ("right", "right", "wrong", "answered", "")
    sheet = SheetOutcome(tuple((str(k), state) for k, state in enumerate(states)))
    assert headline_of_sheet(sheet) == "2 right, 1 wrong, 1 recorded or waiting, 1 open"
    assert headline_of_sheet(SheetOutcome(message="line 7")) == "not judged"


def test_progress_is_no_message():
    printed = (
        "building part1/mine ... 3/4, about 2 s left\nbuilding part1/mine ... failed\n\nline 3\n"
    )
    assert without_progress(printed) == "line 3"


@pytest.mark.parametrize(
    ("file", "concerns"),
    [
        ("mine_fast.hpp", True),
        ("mine_fast.cuh", True),
        ("flags.txt", True),
        ("vectors.h", True),
        ("mine.hpp", False),
        ("naive.hpp", False),
        ("worksheet.hpp", False),
        ("mine_fast.hpp~", False),
        (".mine_fast.hpp.swp", False),
        (".#mine_fast.hpp", False),
        ("README.md", False),
    ],
)
def test_which_files_belong_to_a_version(file: str, concerns: bool):
    assert concerns_check(file, "mine_fast") is concerns


# --- the files ----------------------------------------------------------------------------------


def program(**change: Any) -> dict[str, Any]:
    return {"verdict": "FAILED", "as_expected": False, "sentence": "half of dt", **change}


def written(folder: Path, *programs: dict[str, Any]) -> Path:
    file = folder / "check.json"
    data = {"tolerance": "standard", "precision": "float", "implementations": programs}
    file.write_text(json.dumps(data), encoding="utf-8")
    return file


def test_what_a_check_writes(tmp_path: Path):
    """Kinds that fail with their counts, the sentence, and the warnings about this file alone."""
    rows = [("forces", "passed"), ("steps", "failed"), ("steps", "passed"), ("threads", "not run")]
    cases = [{"group": group, "verdict": verdict} for group, verdict in rows]
    kept = {
        "mine.hpp": {
            "digest": "",
            "lines": ["mine.hpp:3: warning: a", "    code", "mine.hpp:4: b"],
        },
        "other.hpp": {"digest": "", "lines": ["other.hpp:1: c"]},
    }
    warnings = tmp_path / "warnings.json"
    warnings.write_text(json.dumps(kept), encoding="utf-8")
    read = read_check(written(tmp_path, program(cases=cases)), "", warnings, "mine.hpp")
    assert read == CheckOutcome(
        "FAILED",
        (("steps", "1 of 2"),),
        "half of dt",
        ("mine.hpp:3: warning: a\n    code", "mine.hpp:4: b"),
    )


@pytest.mark.parametrize("programs", [[], [program(), program()], [{"verdict": "passed"}]])
def test_what_is_no_check(tmp_path: Path, programs: list[dict[str, Any]]):
    """Names the file."""
    with pytest.raises(UserError, match=r"check\.json"):
        read_check(written(tmp_path, *programs), "", tmp_path / "none", "mine.hpp")


def test_nothing_written(tmp_path: Path):
    """What was printed is the reason."""
    printed = "judging ... failed\nlab: line 3\n"
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
        (["watch", "part1", "mine", "--json"], "there is no option --json"),
    ],
)
def test_refused(run_lab: Any, nothing_is_built: None, words: list[str], error: str):
    ended = run_lab(*words)
    assert ended.status == 2
    assert error in ended.error
    assert ended.error.count("\n") == 1
