"""Reads OUT/results.json, OUT/measured/NAME.json and OUT/evidence.json for pages."""

import json
import re
from pathlib import Path

from nbody_lab.core.clean_text import harmless_data
from nbody_lab.core.messages import UserError
from nbody_lab.grade.kept import read_record
from nbody_lab.notebook.file import InputError, in_quotes, shown

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
    try:
        return read_record(Path(out) / "measured" / f"{name}.json", name).model_dump(mode="json")
    except UserError as fault:
        return {"problems": [{"stage": "measure", "text": str(fault)}]}


def read_evidence(out):
    """The evidence; None if there is none. Raises InputError."""
    file = Path(out) / "evidence.json"
    return read_json(file) if file.exists() else None
