"""Grades the grader's own class (made_class) and compares the measurements with expected.json.

class_suite.py [--no-timing] [NAME ...]: without names all of it; on a busy machine without timing.
"""

import glob
import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nbody_lab import ROOT
from nbody_lab.core.model import load
from nbody_lab.grade.models import PartRecord, Record, Row
from tests.grade.made_class.make_class import make_class, read_expected

# A class for each part, as a file without a folder is of the only part that is asked.
OUT = ROOT / "build/test_grader"
BANDS = [[0.4, 4], [0.6, 8], [0.9, 10]]
SPEED = {"threads": 1, "n": 2000, "points": 10, "measure": "share_of_solution", "bands": BANDS}
RULE = {"correctness": {"points": 20}, "speed": [SPEED]}
GAIN = 1.5  # times naive: less is no gain
BUSY_LOAD = 1.5  # per core; the suite itself makes about 1
VICTIM = Path("/tmp/lab_victim")  # a forged log of a build tries to have it removed


def count_calls(port: int, calls: list[object]) -> None:
    """Connections to a port of this machine, from now on."""
    server = socket.create_server(("127.0.0.1", port))

    def accept() -> None:
        while True:
            calls.append(server.accept()[0].close())

    threading.Thread(target=accept, daemon=True).start()


def digest_all() -> str:
    """Of the lab and the class."""
    argv = ["git", "-C", str(ROOT), "ls-files", "-z"]
    names = subprocess.run(argv, capture_output=True, check=True).stdout.decode().split("\0")
    files = [ROOT / name for name in [*names, "build/release/bin/check", "build/release/bin/bench"]]
    found = hashlib.sha256()
    for file in sorted([*files, *OUT.glob("part*/class/**/*")]):
        if file.is_file() and not file.is_symlink():
            found.update(str(file).encode("utf-8", "surrogateescape") + file.read_bytes())
    return found.hexdigest()


def harm(intact: Mapping[str, Any], calls: list[object], before: str) -> Iterator[str]:
    """Damage done, in sentences."""
    for pattern in intact["paths"]:
        yield from (f"{path} was written" for path in glob.glob(pattern))
    argv = ["pgrep", f"^{intact['process']}"]
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


def facts_of(row: Row, wanted: Mapping[str, Any]) -> dict[str, object]:
    # Other programs have the cores.
    is_late = "no answer in time" in row.check.problem
    found = wanted.get("check") if is_late else row.check.verdict
    return {"built": row.built, "untouched": row.untouched, "check": found}


def faults(record: Record, part: str, expected: Mapping[str, Any]) -> Iterator[str]:
    """Differences from what is expected, in sentences."""
    judged, who = record.parts.get(part, PartRecord(state="measured")), record.submission
    rows = {row.name: row for row in judged.rows}
    mine = rows.get("mine", Row(name="", source=""))
    problems = "\n".join(one.text for one in record.problems)
    sheet = judged.worksheet
    has_points = any(one.state.value in ("right", "noted") for one in sheet.lines[1:])
    is_busy = max(os.getloadavg()) > BUSY_LOAD * (os.cpu_count() or 1)
    sound = [one.doubt or one.verdict for one in mine.speed if not one.noisy]
    gains = [one.times_naive or 0 for one in mine.speed if one.outcome == "right"]
    kinds = {"answers": sheet.lines, "problem": sheet.problem, "no points": not has_points}
    found: dict[str, object] = {
        **facts_of(mine, expected),
        "rows": {
            name: {key: facts_of(rows[name], wanted)[key] for key in wanted}
            for name, wanted in expected.get("rows", {}).items()
        },
        "why": mine.build_problem + problems,
        "speed": "timed" if is_busy or {one.verdict for one in mine.speed} == {"right"} else "none",
        "gains": "nothing" if max(gains, default=0) <= GAIN else "something",
        "doubt": sound[0] if sound else expected.get("doubt"),
        "counts": mine.counts.flops or (mine.counts.problem and "problem"),
        "worksheet": [kind for kind, there in kinds.items() if there],
        "ignored": " ".join(one.file for one in record.ignored),
        "problems": problems,
        "authors": list(who.authors),
        "student_id": who.student_id,
        "unclear": judged.unclear,
    }
    for key, wanted in expected.items():
        text, words = found.get(key), wanted if isinstance(wanted, list) else [wanted]
        is_in = isinstance(text, str | list) and all(word in text for word in words)
        if key == "nowhere":
            yield from (f"{word} is there" for word in wanted if word in record.model_dump_json())
        elif text != wanted and not is_in:
            yield f"{key}: not {wanted}, but {text}: {record.model_dump_json()[:2000]}"
    if any(one.stage == "grader" for one in record.problems):
        yield f"the grader failed: {problems[:200]}"


def main(names: list[str]) -> int:
    timing = ["--no-timing"] * ("--no-timing" in names)
    names = [name for name in names if name not in timing]
    intact, rows = read_expected()
    rows = [row for row in rows if row["name"] in names or not names]
    parts = sorted({row["part"] for row in rows})
    shutil.rmtree(OUT, ignore_errors=True)
    for part in parts:
        make_class(OUT / part / "class", [row for row in rows if row["part"] == part])
        rubric = {"version": 1, "title": part, "maximum": 30, "parts": {part: RULE}}
        (OUT / part / "rubric.json").write_text(json.dumps(rubric), encoding="utf-8")
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
        argv += ["--rubric", OUT / part / "rubric.json", *timing]
        if status := subprocess.run(argv, check=False).returncode:
            wrong.append(f"./lab grade ended with status {status}")
    wrong += harm(intact, calls, before)
    records = [load(Record, file) for file in OUT.glob("part*/out/measured/*.json")]
    found = {Path(one.submission.source).parts[0]: one for one in records}
    for row in rows:
        one = found.get(row["entry"])
        said = faults(one, row["part"], row["expected"]) if one else ["no record"]
        wrong += [f"{row['name']}, which {row['tries']} {fault}" for fault in said]
    print("\n".join([*wrong, f"{len(rows)} submissions, {len(wrong)} not as expected"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
