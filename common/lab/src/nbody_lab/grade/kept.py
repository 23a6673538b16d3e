"""What OUT keeps of a class: its submissions (grading.json) and a record of each measured one. A record stays valid
while the archive, the lab and the requested speeds are unchanged."""

import json
import re
from pathlib import Path

from nbody_lab.core.clean_text import harmless_data
from nbody_lab.core.messages import say
from nbody_lab.core.whole_file import write_text
from nbody_lab.grade.archives import checksum
from nbody_lab.grade.results_schema import MEASURED, SUBMISSION, check
from nbody_lab.notebook.file import InputError, in_quotes, shown

NOWHERE = {
    "machine": {"cpu": "", "cores": 0, "compiler": "", "gpu": ""},
    "isolation": {"kind": "", "banner": ""},
}
NOT_YET = "not measured yet: ./lab grade continues there"
AGAIN = "a record that cannot be read: ./lab grade measures it again"


def list_of(out):
    """The contents of grading.json; {} without it."""
    file = out / "grading.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def keep_list(out, **told):
    """Adds to grading.json, which contains the secret of the class."""
    file = out / "grading.json"
    write_text(file, json.dumps({**list_of(out), **told}, indent=1) + "\n")
    file.chmod(0o600)


def submissions_to_keep(out, found, asked):
    """All submissions found; with --only, those of this run and of earlier ones."""
    before = [one["name"] for one in list_of(out).get("submissions", [])]
    return [one for one in found if len(asked) == len(found) or one in asked or one.name in before]


def read_record(file, name):
    """(record, ""), or (None, why it cannot be used)."""
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None, NOT_YET
    except (OSError, ValueError, RecursionError) as fault:
        return None, f"{AGAIN} ({str(fault)[:80]})"
    wrong = check(record, MEASURED)
    if not wrong and record["submission"]["name"] != name:
        wrong = [f"it belongs to {in_quotes(record['submission']['name'])}"]
    return (None, f"{AGAIN} ({wrong[0]})") if wrong else (record, "")


def records_in(out):
    """A record for each submission of the class; where there is none, an empty one with the reason."""
    told = list_of(out).get("submissions") or [
        {"name": file.stem} for file in sorted((out / "measured").glob("*.json"))
    ]
    read = [
        (one, *read_record(out / "measured" / f"{one['name']}.json", one["name"])) for one in told
    ]
    beside = next((record for _, record, _ in read if record), NOWHERE)
    return [record or not_measured(one, why, beside) for one, record, why in read]


def not_measured(told, why, beside):
    """The record of a submission that could not be measured. `beside`: another record of the class."""
    blank = {key: [] if key == "authors" else "" for key in SUBMISSION if not key.endswith("?")}
    return {
        "version": 1,
        "submission": {**blank, **told},
        "machine": beside["machine"],
        "isolation": beside["isolation"],
        "seed": 0,
        "date": "",
        "lab": "",
        "seconds": {},
        "taken": [],
        "ignored": [],
        "problems": [{"stage": "measure", "text": why}],
        "parts": {},
    }


def why_again(record, course, submission):
    """Why a record is out of date; empty if it is not."""
    had, wanted = record.get("timings") or {}, course.timings()
    new = [part for part in wanted if part not in record["parts"]]
    if record["submission"]["checksum"] != checksum(submission):
        return "another archive" if record["submission"]["checksum"] else "it could not be read"
    if record["lab"] != course.lab:
        return "another version of the lab"
    if new:
        return f"{' and '.join(new)} was not requested before"
    return (
        ""
        if all(one in had.get(part, ()) for part, some in wanted.items() for one in some)
        else "the rubric times something else"
    )


def put_aside(course, name):
    """Moves the record to OUT/earlier, so that no measurement is lost. Returns its path."""
    file, date = course.measured(name), ""
    record, _ = read_record(file, name)
    date = record["date"].replace(":", "") if record else "unreadable"
    kept = course.out / "earlier" / f"{name}_{date}.json"
    kept.parent.mkdir(exist_ok=True)
    file.replace(kept)
    return kept


def drop_stale(course, submissions):
    """Removes out-of-date records, so that they are measured again."""
    for one in submissions:
        for file in (course.measured(one.name), course.judged(one.name)):
            if not file.exists():
                continue
            # A judged record is not complete yet, so it is read without the check.
            record, why = (
                read_record(file, one.name)
                if file == course.measured(one.name)
                else (json.loads(file.read_text(encoding="utf-8")), "")
            )
            why = why_again(record, course, one) if record else "its record cannot be read"
            if why:
                say(f"{one.name}: measured again: {why}")
                if file == course.measured(one.name):
                    put_aside(course, one.name)
                course.judged(one.name).unlink(missing_ok=True)


# Remembers the files that a class was scored with.
FILES = ("rubric", "manual", "late", "moodle", "earlier")  # options that OUT remembers


def as_before(out, options):
    """Fills in options left out with the files of the last run, so that a forgotten option loses no manual points;
    `none` drops them. Returns what OUT should remember: {option: [file]}."""
    told = list_of(out).get("files", {})
    for name in FILES:
        given = getattr(options, name)
        words = given if isinstance(given, list) else [given] if given else []
        if not words and told.get(name):
            words = told[name]
            say(
                f"--{name} {' '.join(shown(Path(word)) for word in words)}, as before (--{name} none: without)"
            )
        told[name] = [] if words == ["none"] else [str(Path(word).resolve()) for word in words]
        setattr(options, name, told[name] if isinstance(given, list) else "".join(told[name]))
    return told


# Reads the grader's files: OUT/results.json, OUT/measured/NAME.json, OUT/evidence.json.
VERSION = 1
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,120}")  # a safe file name


def read_json(file):
    """Raises InputError."""
    try:
        data = json.loads(Path(file).read_text(encoding="utf-8", errors="replace"))
    except OSError as fault:
        raise InputError(f"{shown(file)}: cannot be read: {fault.strerror}") from None
    except (ValueError, RecursionError) as fault:
        raise InputError(f"{shown(file)}: not valid JSON: {str(fault)[:80]}") from None
    return harmless_data(data)


def read_results(out):
    """The results with harmless text. Raises InputError."""
    file = Path(out) / "results.json"
    data = read_json(file)
    if (
        not isinstance(data, dict)
        or data.get("version") != VERSION
        or not isinstance(data.get("submissions"), list)
    ):
        raise InputError(
            f"{shown(file)}: not a results file of version {VERSION}: ./lab grade --rescore writes a new one"
        )
    names = [submission.get("name", "") for submission in data["submissions"]]
    for name in names:
        if not NAME.fullmatch(name):
            raise InputError(f"{shown(file)}: {in_quotes(name)} cannot be the name of a submission")
    if len({name.casefold() for name in names}) < len(names):
        raise InputError(f"{shown(file)}: two submissions have the same name")
    for submission in data["submissions"]:
        if not submission["maximum"]:
            submission["points"] = None  # nothing of it is graded, which is not a zero
    return data


def read_measured(out, name):
    """The measurements of one submission; if they cannot be read, a record with that problem."""
    record, why = read_record(Path(out) / "measured" / f"{name}.json", name)
    return harmless_data(record or {"problems": [{"stage": "measure", "text": why}]})


def read_evidence(out):
    """The evidence; None if there is none. Raises InputError."""
    file = Path(out) / "evidence.json"
    return read_json(file) if file.exists() else None
