"""Grades the grader's own class (made_class) and compares the measurements with expected.json.

class_suite.py [--keep] [NAME ...]

Without names all of the class; --keep judges what was measured before. It is never skipped. Writes
build/test_grader/table.md.
"""

import glob
import hashlib
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import eq
from pathlib import Path
from typing import Any

from nbody_lab import ROOT
from nbody_lab.core.model import load
from nbody_lab.grade.models import PartRecord, Record, Row, Speed
from tests.grade.made_class.make_class import make_class, read_expected, rows_of_class

TEST = ROOT / "common/lab/tests/grade/made_class"
OUT = ROOT / "build/test_grader"
GAIN = 1.5  # times naive: less is no gain
VICTIM = Path("/tmp/lab_victim")  # a forged log of a build tries to have it removed


# --- what must be unchanged ---


class Listener:
    """Counts connections to a port of this machine."""

    def __init__(self, port: int) -> None:
        self.calls, self.socket = 0, socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self.count, daemon=True).start()

    def count(self) -> None:
        while True:
            self.socket.accept()[0].close()
            self.calls += 1


def digest(files: Iterable[Path]) -> str:
    found = hashlib.sha256()
    for file in sorted(files):
        if file.is_file() and not file.is_symlink():
            found.update(str(file).encode("utf-8", "surrogateescape") + file.read_bytes())
    return found.hexdigest()


def digests() -> tuple[str, str]:
    """Of the lab, and of the class."""
    argv = ["git", "-C", str(ROOT), "ls-files", "-z"]
    names = subprocess.run(argv, capture_output=True, check=True).stdout.decode().split("\0")
    programs = (ROOT / "build/release/bin" / name for name in ("check", "bench"))
    return digest([*(ROOT / name for name in names if name), *programs]), digest(
        OUT.glob("part*/class/**/*")
    )


def harm(intact: Mapping[str, Any], listener: Listener, before: tuple[str, str]) -> Iterator[str]:
    """Damage done, in sentences."""
    for pattern in intact["paths"]:
        yield from (f"{path} was written" for path in glob.glob(pattern))
    left = subprocess.run(
        ["pgrep", "-f", f"^{intact['process']}"], capture_output=True, check=False
    )
    if left.returncode == 0:
        yield f"a process {intact['process']} is left"
    shared = subprocess.run(["ipcs", "-m"], capture_output=True, text=True, check=False).stdout
    if intact["shared_memory"] in shared:
        yield "shared memory is left"
    if not VICTIM.exists():
        yield f"{VICTIM} was removed"
    VICTIM.unlink(missing_ok=True)
    if listener.calls:
        yield f"something connected to port {intact['port']}"
    if before != digests():
        yield "the lab or the class is no longer what it was"


# --- what each row expects ---


class Measured:
    """What was measured of a submission in one part."""

    def __init__(self, file: Path, part: str) -> None:
        self.text = file.read_text(encoding="utf-8")
        self.record = Record.model_validate_json(self.text)
        self.part = self.record.parts.get(part) or PartRecord(state="nothing handed in")
        self.problems = "\n".join(one.text for one in self.record.problems)
        self.seconds = sum(self.record.seconds.values())
        self.mine = self.row("mine")

    def row(self, name: str) -> Row:
        """An empty one if there is none."""
        return next((one for one in self.part.rows if one.name == name), Row(name="", source=""))

    def words(self) -> str:
        return self.mine.build_problem + self.mine.build_log + self.problems

    def lacked_time(self) -> bool:
        """Other programs have the cores, so a person decides about the speed."""
        is_busy = max(os.getloadavg()) > BUSY_LOAD * (os.cpu_count() or 1)
        return is_busy and "was the machine busy" in self.mine.not_timed

    def gains(self) -> list[float]:
        """Of each speed that is right."""
        return [one.times_naive or 0 for one in self.mine.speed if one.verdict == "right"]

    def worksheet(self) -> tuple[str, list[str]]:
        sheet = self.part.worksheet
        lines = sheet.lines if sheet else ()
        states = [line.state.value for line in lines if line.number != "0"]
        return (sheet.problem if sheet else ""), states


def out_of(part: str) -> Path:
    """What was measured of the submissions of this part; each part is a class, as a file without a folder is of the only
    part that is asked."""
    return OUT / part / "out"


def entry_of(file: Path) -> str:
    """Of the class, from what was measured of it."""
    return Path(load(Record, file).submission.source).parts[0]


def of_row(row: Row) -> dict[str, Any]:
    verdict = row.check.verdict if row.check else None
    return {"built": row.built, "untouched": row.untouched, "check": verdict} if row.name else {}


def rows_are(one: Measured, wanted: Mapping[str, Mapping[str, Any]]) -> bool:
    """Where there was no answer in time, a busy machine has no verdict: then a person decides."""

    def found(name: str, check: object) -> dict[str, Any]:
        row = one.row(name)
        busy = row.check and "on a busy machine" in row.check.problem
        return {**of_row(row), "check": check} if busy else of_row(row)

    return all(
        facts.items() <= found(name, facts.get("check")).items() for name, facts in wanted.items()
    )


def is_timed(found: list[Speed], wanted: str) -> bool:
    right = [one.verdict == "right" for one in found]
    return bool(right) and all(right) if wanted == "timed" else not any(right)


def sheet_is(found: tuple[str, list[str]], wanted: str) -> bool:
    problem, states = found
    good = {
        "answers": bool(states),
        "problem": bool(problem),
        "no points": not {"right", "noted"} & set(states),
    }
    return good[wanted]


def files_that_run_text() -> list[str]:
    """The pages, tables and exports in which a submission's text is not escaped."""
    found = []
    names = ("index.html", "students/*.html", "grades.csv", "moodle.csv")
    for file in (file for name in names for file in OUT.glob(f"part*/out/{name}")):
        text = file.read_text(encoding="utf-8", errors="replace")
        cells = [cell for line in text.splitlines() for cell in line.replace('"', "").split(",")]
        if (
            "\x1b" in text
            or (file.suffix == ".html" and "<script>alert" in text)
            or (file.suffix == ".csv" and any(cell.startswith("=") for cell in cells))
        ):
            found.append(file.name)
    return found


ROW = ("built", "check", "untouched")  # of mine; "rows" has the same of others
# key of expected: (what was found, whether that is as wanted)
CHECKS: dict[str, tuple[Callable[[Measured], Any], Callable[[Any, Any], bool]]] = {
    "rows": (lambda one: one, rows_are),
    "why": (Measured.words, lambda found, wanted: wanted in found),
    "speed": (lambda one: one.mine.speed, is_timed),
    "gains": (Measured.gains, lambda found, _: all(gain <= GAIN for gain in found)),
    "above_bound": (
        lambda one: [speed.above_bound for speed in one.mine.speed],
        lambda found, wanted: all(one == wanted for one in found),
    ),
    "doubt": (
        lambda one: [
            speed.doubt or ("noisy" if speed.noisy else speed.verdict) for speed in one.mine.speed
        ],
        lambda found, words: (
            bool(found)
            and all(words in one or one == "noisy" or "too busy" in one for one in found)
        ),
    ),
    "counts": (
        lambda one: not one.mine.name or (one.mine.counts and one.mine.counts.problem),
        lambda found, _: bool(found),
    ),
    "worksheet": (Measured.worksheet, sheet_is),
    "ignored": (
        lambda one: [ignored.file for ignored in one.record.ignored],
        lambda found, names: all(any(file.endswith(name) for file in found) for name in names),
    ),
    "problems": (lambda one: one.problems, lambda found, words: all(one in found for one in words)),
    "authors": (lambda one: list(one.record.submission.authors), eq),
    "student_id": (lambda one: one.record.submission.student_id, eq),
    "nowhere": (lambda one: one.text, lambda text, words: not any(one in text for one in words)),
    "escaped": (lambda _: files_that_run_text(), lambda found, _: not found),
    "seconds_at_most": (lambda one: one.seconds, lambda seconds, most: seconds <= most),
}
OF_SPEED = ("speed", "doubt")  # no verdict on a busy machine
BUSY_LOAD = 1.5  # per core; the suite itself makes about 1


def faults(one: Measured, expected: Mapping[str, Any]) -> Iterator[str]:
    """Differences from what is expected, in sentences."""
    others = {key: wanted for key, wanted in expected.items() if key not in ROW}
    mine = {key: expected[key] for key in ROW if key in expected}
    rows = {**others.pop("rows", {}), **({"mine": mine} if mine else {})}
    for key, wanted in {"seconds_at_most": 600, "rows": rows, **others}.items():
        if key in OF_SPEED and one.lacked_time():
            continue
        look, good = CHECKS[key]
        found = look(one)
        if not good(found, wanted):
            text = f"{list(map(of_row, one.part.rows))} {one.words()}" if key == "rows" else found
            yield f"{key}: not {wanted}, but {str(text)[:300]}"
    if any(problem.stage == "grader" for problem in one.record.problems):
        yield f"the grader itself failed: {one.problems[:200]}"


# --- the run ---


def line_of(row: Mapping[str, Any], one: Measured | None, wrong: list[str]) -> str:
    outcome, seconds = "; ".join(wrong) or "as expected", one.seconds if one else 0
    return f"| {row['name']} | {row['tries']} | {outcome} | {seconds:.0f} s |".replace("\n", " ")


def grade(part: str) -> int:
    argv = [ROOT / "lab", "grade", OUT / part / "class", "-o", out_of(part)]
    argv += ["--part", part, "--rubric", TEST / "rubric.json"]
    return subprocess.run(argv, check=False).returncode


def main(words: list[str]) -> int:
    names = [word for word in words if not word.startswith("--")]
    keep, intact = "--keep" in words, read_expected()["intact"]
    rows = [row for row in rows_of_class() if row["name"] in names or not names]
    parts = sorted({row["part"] for row in rows})
    if not keep:
        shutil.rmtree(OUT, ignore_errors=True)
        for part in parts:
            make_class(OUT / part / "class", [row for row in rows if row["part"] == part])
    listener = Listener(intact["port"])
    # The same targets as the grader, built before any damage is possible.
    for argv in (
        *([ROOT / "lab", "build", part, "naive"] for part in parts),
        ["ninja", "-C", ROOT / "build/release", "bin/check", "bin/bench"],
    ):
        subprocess.run(argv, stdout=subprocess.DEVNULL, check=True)
    before = digests()
    VICTIM.write_text("must stay", encoding="utf-8")
    statuses = [0 if keep else grade(part) for part in parts]
    wrong = [f"./lab grade ended with status {status}" for status in statuses if status]
    wrong += harm(intact, listener, before)
    found = {entry_of(file): file for file in OUT.glob("part*/out/measured/*.json")}
    table = ["| submission | what it tries | outcome | time |", "|---|---|---|---|"]
    for row in rows:
        file = found.get(row["entry"])
        one = Measured(file, row["part"]) if file else None
        said = list(faults(one, row["expected"])) if one else ["no row"]
        wrong += [f"{row['name']}: {fault}" for fault in said]
        table.append(line_of(row, one, said))
    (OUT / "table.md").write_text("\n".join(table) + "\n", encoding="utf-8")
    print("\n".join(wrong))
    print(f"{len(rows)} submissions, {len(wrong)} not as expected: {OUT / 'table.md'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
