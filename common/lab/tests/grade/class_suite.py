"""Grades the grader's own class (made_class) and compares the measurements with expected.json.

class_suite.py [--all] [--only NAME ...] [--keep]

It is never skipped. Writes build/test_grader/table.md.
"""

import argparse
import glob
import hashlib
import json
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path

from nbody_lab import ROOT
from tests.grade.made_class.make_class import make_class, read_expected, rows_of_class

TEST = ROOT / "common/lab/tests/grade/made_class"
OUT = ROOT / "build/test_grader"
VICTIM = Path("/tmp/lab_victim")  # forges_the_log tries to remove it
GAIN = 1.5  # times naive: less is no gain


# --- what must be unchanged ---


class Listener:
    """Counts connections to a port of this machine."""

    def __init__(self, port):
        self.calls, self.socket = 0, socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self.count, daemon=True).start()

    def count(self):
        while True:
            self.socket.accept()[0].close()
            self.calls += 1


def digest(files):
    found = hashlib.sha256()
    for file in sorted(files):
        if file.is_file() and not file.is_symlink():
            found.update(str(file).encode("utf-8", "surrogateescape") + file.read_bytes())
    return found.hexdigest()


def the_lab():
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, check=True
    ).stdout
    return [ROOT / name.decode() for name in listed.split(b"\0") if name] + [
        ROOT / "build/release/bin" / name for name in ("check", "bench")
    ]


def harm(intact, listener, before, submissions):
    """Damage done, in sentences."""
    found = [f"{path} was written" for pattern in intact["paths"] for path in glob.glob(pattern)]
    if (
        subprocess.run(
            ["pgrep", "-f", f"^{intact['process']}"], capture_output=True, check=False
        ).returncode
        == 0
    ):
        found.append(f"a process {intact['process']} is left")
    shared = subprocess.run(["ipcs", "-m"], capture_output=True, text=True, check=False).stdout
    if intact["shared_memory"] in shared:
        found.append("shared memory is left")
    if not VICTIM.exists():
        found.append(f"{VICTIM} was removed")
    VICTIM.unlink(missing_ok=True)
    if listener.calls:
        found.append(f"something connected to port {intact['port']}")
    if before != (digest(the_lab()), digest((OUT / "class").rglob("*"))):
        found.append("the lab or the class is no longer what it was")
    missing = [row["name"] for row in submissions if row["measured"] is None]
    return found + [f"{name} has no row" for name in missing]


# --- what each row expects ---


def mine_of(part, name="mine"):
    return next((row for row in part["rows"] if row["name"] == name), None)


def right_speeds(row):
    return [one for one in row["speed"] if one["verdict"] == "right"]


def row_faults(row, wanted):
    """Errors in the fields built, check and untouched of one implementation."""
    if row is None:
        return ["there is no such row"]
    found = []
    for key in ("built", "untouched"):
        if key in wanted and row[key] != wanted[key]:
            found.append(f"{key} is {row[key]}: {row['build_problem'][:120]}")
    if "check" in wanted and (row["check"] or {}).get("verdict") != wanted["check"]:
        case = ((row["check"] or {}).get("first_failures") or [{}])[0]
        found.append(
            f"check: {(row['check'] or {}).get('verdict')} {(row['check'] or {}).get('problem')} {case.get('diagnosis', '')}"[
                :200
            ]
        )
    return found


def speed_faults(row, wanted):
    found = []
    if wanted.get("speed") == "timed" and not (
        row["speed"] and all(one["verdict"] == "right" for one in row["speed"])
    ):
        found.append(f"not timed: {row['not_timed']} {[one['verdict'] for one in row['speed']]}")
    if wanted.get("speed") == "none" and right_speeds(row):
        found.append("a speed was measured")
    if wanted.get("gains") == "nothing" and any(
        one["times_naive"] > GAIN for one in right_speeds(row)
    ):
        found.append(
            f"it gains: {[round(one['times_naive'], 2) for one in row['speed']]} times naive"
        )
    most = wanted.get("times_naive_at_most")
    if most and any(one["times_naive"] > most for one in right_speeds(row)):
        found.append(f"faster than {most} times naive")
    if "above_bound" in wanted and any(
        one["above_bound"] != wanted["above_bound"] for one in row["speed"]
    ):
        found.append(
            "above the bound of this machine"
            if not wanted["above_bound"]
            else "not seen to be above the bound"
        )
    return found


def worksheet_faults(worksheet, wanted):
    lines = (worksheet or {}).get("lines", [])
    states = [line["state"] for line in lines if line["number"] != "0"]
    good = {
        "answers": bool(lines),
        "problem": bool((worksheet or {}).get("problem")),
        "no points": "right" not in states and "noted" not in states,
    }
    return (
        []
        if good[wanted]
        else [f"worksheet: {(worksheet or {}).get('problem')!r}, {states.count('right')} right"]
    )


def faults(told, expected, text):
    """Differences from what is expected, in sentences. `text`: the measured file."""
    part = told["parts"]["part1"]
    mine = mine_of(part)
    found = []
    if {"built", "check", "untouched"} & set(expected):
        found += row_faults(mine, expected)
    for name, wanted in expected.get("rows", {}).items():
        found += [f"{name}: {one}" for one in row_faults(mine_of(part, name), wanted)]
    if mine and {"speed", "gains", "times_naive_at_most", "above_bound"} & set(expected):
        found += speed_faults(mine, expected)
    problems = json.dumps(told["problems"], ensure_ascii=False)
    if (
        "why" in expected
        and expected["why"]
        not in (mine["build_problem"] + mine["build_log"] if mine else "") + problems
    ):
        found.append(f"'{expected['why']}' is not told")
    if "worksheet" in expected:
        found += worksheet_faults(part["worksheet"], expected["worksheet"])
    if expected.get("counts") == "problem" and not (mine and mine["counts"]["problem"]):
        found.append("it was counted")
    if "state" in expected and part["state"] != expected["state"]:
        found.append(f"state: {part['state']}")
    for name in expected.get("ignored", []):
        if not any(one["file"].endswith(name) for one in told["ignored"]):
            found.append(f"{name} is not among what is ignored")
    for word in expected.get("problems", []):
        if word not in problems:
            found.append(f"no problem says '{word}': {problems[:200]}")
    for key in ("authors", "student_id"):
        if key in expected and told["submission"][key] != expected[key]:
            found.append(f"{key}: {told['submission'][key]}")
    found += [f"'{word}' came out" for word in expected.get("nowhere", []) if word in text]
    if expected.get("small_log") and len(text) > 1_000_000:
        found.append("the file is larger than 1 MB")
    if sum(told["seconds"].values()) > expected.get("seconds_at_most", 600):
        found.append(f"it took {sum(told['seconds'].values()):.0f} s")
    if any(one["stage"] == "grader" for one in told["problems"]):
        found.append(f"the grader itself failed: {problems[:200]}")
    return found


def escaping_faults(name):
    """Errors in pages, tables and exports of a submission that tries to inject text."""
    found = []
    for file in [
        OUT / "out/index.html",
        *(OUT / "out/students").glob("*.html"),
        OUT / "out/grades.csv",
        OUT / "out/moodle.csv",
    ]:
        text = file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""
        if "\x1b" in text or (file.suffix == ".html" and "<script>alert" in text):
            found.append(f"{file.name} contains {name} unescaped")
        if file.suffix == ".csv" and any(
            cell.startswith("=")
            for line in text.splitlines()
            for cell in line.replace('"', "").split(",")
        ):
            found.append(f"{file.name} contains a formula")
    return found


# --- the run ---


def measured_by_entry():
    found = {}
    for file in (OUT / "out/measured").glob("*.json"):
        text = file.read_text(encoding="utf-8")
        told = json.loads(text)
        found[Path(told["submission"]["source"]).parts[0]] = (told, text)
    return found


def line_of(row, told, said):
    seconds = sum(told["seconds"].values()) if told else 0
    return f"| {row['name']} | {row['tries']} | {'as expected' if not said else '; '.join(said)} | {seconds:.0f} s |".replace(
        "\n", " "
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--keep", action="store_true", help="judges what was measured before")
    asked = parser.parse_args()
    intact = read_expected()["intact"]
    rows = [
        row
        for row in rows_of_class()
        if (row["name"] in asked.only if asked.only else asked.all or row["quick"])
    ]
    if not asked.keep:
        shutil.rmtree(OUT, ignore_errors=True)
        make_class(OUT / "class", rows)
    listener = Listener(intact["port"])
    # The same targets as the grader, built before any damage is possible.
    subprocess.run([ROOT / "lab", "build", "part1", "naive"], stdout=subprocess.DEVNULL, check=True)
    subprocess.run(
        ["ninja", "-C", ROOT / "build/release", "bin/check", "bin/bench"],
        stdout=subprocess.DEVNULL,
        check=True,
    )
    before = digest(the_lab()), digest((OUT / "class").rglob("*"))
    VICTIM.write_text("must stay", encoding="utf-8")
    status = 0
    if not asked.keep:
        status = subprocess.run(
            [
                ROOT / "lab",
                "grade",
                OUT / "class",
                "-o",
                OUT / "out",
                "--part",
                "part1",
                "--rubric",
                TEST / "rubric.json",
            ],
            check=False,
        ).returncode
    found = measured_by_entry()
    told = [{**row, "measured": found.get(row["entry"])} for row in rows]
    wrong = harm(intact, listener, before, told) + (
        [f"./lab grade ended with status {status}"] if status else []
    )
    table = ["| submission | what it tries | outcome | time |", "|---|---|---|---|"]
    for row in told:
        said = (
            faults(row["measured"][0], row["expected"], row["measured"][1])
            if row["measured"]
            else ["no row"]
        )
        said += escaping_faults(row["name"]) if row["expected"].get("escaped") else []
        wrong += [f"{row['name']}: {one}" for one in said]
        table.append(line_of(row, row["measured"] and row["measured"][0], said))
    (OUT / "table.md").write_text("\n".join(table) + "\n", encoding="utf-8")
    print("\n".join(wrong))
    print(
        f"{len(rows)} submissions, {len(wrong)} not as expected: the table is in {OUT / 'table.md'}"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
