"""Grades the grader's own class (made_class) and compares the measurements with expected.json.

class_suite.py [NAME ...]

Without names all of the class. It is never skipped.
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
from pathlib import Path
from typing import Any

from nbody_lab import ROOT
from nbody_lab.core.model import load
from nbody_lab.grade.models import PartRecord, Record, Row
from tests.grade.made_class.make_class import make_class, read_expected, rows_of_class

TEST = ROOT / "common/lab/tests/grade/made_class"
OUT = (
    ROOT / "build/test_grader"
)  # a class for each part, as a file without a folder is of the only part that is asked
GAIN = 1.5  # times naive: less is no gain
BUSY_LOAD = 1.5  # per core; the suite itself makes about 1
VICTIM = Path("/tmp/lab_victim")  # a forged log of a build tries to have it removed


# --- what must be unchanged ---


def count_calls(port: int, calls: list[object]) -> None:
    """Connections to a port of this machine, from now on."""
    server = socket.create_server(("127.0.0.1", port))

    def accept() -> None:
        while True:
            calls.append(server.accept()[0].close())

    threading.Thread(target=accept, daemon=True).start()


def digest(files: Iterable[Path]) -> str:
    found = hashlib.sha256()
    for file in sorted(files):
        if file.is_file() and not file.is_symlink():
            found.update(str(file).encode("utf-8", "surrogateescape") + file.read_bytes())
    return found.hexdigest()


def digest_all() -> str:
    """Of the lab and the class."""
    argv = ["git", "-C", str(ROOT), "ls-files", "-z"]
    names = subprocess.run(argv, capture_output=True, check=True).stdout.decode().split("\0")
    programs = (ROOT / "build/release/bin" / name for name in ("check", "bench"))
    return digest([*(ROOT / one for one in names if one), *programs, *OUT.glob("part*/class/**/*")])


def harm(intact: Mapping[str, Any], calls: list[object], before: str) -> Iterator[str]:
    """Damage done, in sentences."""
    for pattern in intact["paths"]:
        yield from (f"{path} was written" for path in glob.glob(pattern))
    argv = ["pgrep", "-f", f"^{intact['process']}"]
    if subprocess.run(argv, capture_output=True, check=False).returncode == 0:
        yield f"a process {intact['process']} is left"
    shared = subprocess.run(["ipcs", "-m"], capture_output=True, text=True, check=False).stdout
    if intact["shared_memory"] in shared:
        yield "shared memory is left"
    if not VICTIM.exists():
        yield f"{VICTIM} was removed"
    VICTIM.unlink(missing_ok=True)
    if calls:
        yield f"something connected to port {intact['port']}"
    if before != digest_all():
        yield "the lab or the class is no longer what it was"


# --- what each row expects ---


class Measured:
    """What was measured of a submission in one part."""

    def __init__(self, record: Record, part: str) -> None:
        self.record, self.part = record, record.parts.get(part, PartRecord(state="measured"))
        self.problems = "\n".join(one.text for one in record.problems)
        self.mine = self.row("mine")
        # Other programs have the cores: then a person decides about what was late, and about the speed.
        self.is_busy = max(os.getloadavg()) > BUSY_LOAD * (os.cpu_count() or 1)

    def row(self, name: str) -> Row:
        """An empty one if there is none."""
        return next((one for one in self.part.rows if one.name == name), Row(name="", source=""))

    def is_row(self, wanted: Mapping[str, Any], name: str = "mine") -> bool:
        row = self.row(name)
        verdict = row.check.verdict if row.check else None
        if row.check and "no answer in time" in row.check.problem:
            verdict = wanted.get("check")
        found = {"built": row.built, "untouched": row.untouched, "check": verdict}
        return bool(row.name) and wanted.items() <= found.items()

    def are_rows(self, wanted: Mapping[str, Mapping[str, Any]]) -> bool:
        return all(self.is_row(facts, name) for name, facts in wanted.items())

    def is_doubted(self, words: str) -> bool:
        found = [one.doubt or one.verdict for one in self.mine.speed if not one.noisy]
        return all(words in one or "too busy" in one for one in found)

    def has_worksheet(self, wanted: str) -> bool:
        sheet = self.part.worksheet
        assert sheet
        states = {line.state.value for line in sheet.lines if line.number != "0"}
        points = bool({"right", "noted"} & states)
        found = {"answers": bool(states), "problem": bool(sheet.problem), "no points": not points}
        return found[wanted]


def is_escaped() -> bool:
    """Whether a submission's text is harmless in all pages and tables."""
    for name in ("index.html", "students/*.html", "grades.csv", "moodle.csv"):
        for file in OUT.glob(f"part*/out/{name}"):
            text = file.read_text(encoding="utf-8", errors="replace")
            cells = text.replace('"', "").replace("\n", ",").split(",")
            is_formula = file.suffix == ".csv" and any(cell.startswith("=") for cell in cells)
            is_script = file.suffix == ".html" and "<script>alert" in text
            if "\x1b" in text or is_script or is_formula:
                return False
    return True


# key of expected: whether it is as wanted
CHECKS: dict[str, Callable[[Measured, Any], bool]] = {
    "built": lambda one, wanted: one.is_row({"built": wanted}),
    "check": lambda one, wanted: one.is_row({"check": wanted}),
    "untouched": lambda one, wanted: one.is_row({"untouched": wanted}),
    "rows": Measured.are_rows,
    "why": lambda one, words: words in one.mine.build_problem + one.mine.build_log + one.problems,
    "speed": lambda one, _: one.is_busy or {speed.verdict for speed in one.mine.speed} == {"right"},
    "gains": lambda one, _: all(
        (speed.times_naive or 0) <= GAIN for speed in one.mine.speed if speed.verdict == "right"
    ),
    "above_bound": lambda one, wanted: all(speed.above_bound == wanted for speed in one.mine.speed),
    "doubt": Measured.is_doubted,
    "counts": lambda one, _: bool(one.mine.counts and one.mine.counts.problem),
    "worksheet": Measured.has_worksheet,
    "ignored": lambda one, names: all(
        any(ignored.file.endswith(name) for ignored in one.record.ignored) for name in names
    ),
    "problems": lambda one, words: all(word in one.problems for word in words),
    "authors": lambda one, names: list(one.record.submission.authors) == names,
    "student_id": lambda one, wanted: one.record.submission.student_id == wanted,
    "nowhere": lambda one, words: not any(word in one.record.model_dump_json() for word in words),
    "escaped": lambda *_: is_escaped(),
    "seconds_at_most": lambda one, most: sum(one.record.seconds.values()) <= most,
}


def faults(one: Measured, expected: Mapping[str, Any]) -> Iterator[str]:
    """Differences from what is expected, in sentences."""
    for key, wanted in {"seconds_at_most": 600, **expected}.items():
        if not CHECKS[key](one, wanted):
            yield f"{key}: not {wanted}, but {one.record.model_dump_json()[:2000]}"
    if any(problem.stage == "grader" for problem in one.record.problems):
        yield f"the grader itself failed: {one.problems[:200]}"


# --- the run ---


def main(names: list[str]) -> int:
    intact = read_expected()["intact"]
    rows = [row for row in rows_of_class() if row["name"] in names or not names]
    parts = sorted({row["part"] for row in rows})
    shutil.rmtree(OUT, ignore_errors=True)
    for part in parts:
        make_class(OUT / part / "class", [row for row in rows if row["part"] == part])
    calls: list[object] = []
    count_calls(intact["port"], calls)
    # The same targets as the grader, built before any damage is possible.
    for part in parts:
        subprocess.run([ROOT / "lab", "build", part, "naive"], check=True)
    subprocess.run(["ninja", "-C", ROOT / "build/release", "bin/check", "bin/bench"], check=True)
    before, wrong = digest_all(), []
    VICTIM.write_text("must stay", encoding="utf-8")
    for part in parts:
        argv = [ROOT / "lab", "grade", OUT / part / "class", "-o", OUT / part / "out"]
        argv += ["--part", part, "--rubric", TEST / "rubric.json"]
        if status := subprocess.run(argv, check=False).returncode:
            wrong.append(f"./lab grade ended with status {status}")
    wrong += harm(intact, calls, before)
    records = [load(Record, file) for file in OUT.glob("part*/out/measured/*.json")]
    found = {Path(one.submission.source).parts[0]: one for one in records}
    for row in rows:
        one = found.get(row["entry"])
        said = faults(Measured(one, row["part"]), row["expected"]) if one else ["no record"]
        wrong += [f"{row['name']}, which {row['tries']} {fault}" for fault in said]
    print("\n".join([*wrong, f"{len(rows)} submissions, {len(wrong)} not as expected"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
