"""Stores results of commands in build/, each with the seal of its source, for the page of ./lab report.

    build/verdicts/PART_NAME.json        the last ./lab check or ./lab try of an implementation
    build/worksheets/PART.json           the last ./lab worksheet
    build/profile_lines/PART_NAME.json   the last ./lab profile: functions and their shares

docs/file_formats.md says what is in them. If they cannot be written, the command continues without them.
"""

import contextlib
import datetime
import hashlib
import json
import os
from pathlib import Path

from nbody_lab.core.whole_file import write_text

VERSION = 1
MOST_FAILED = 3  # failed cases stored with a verdict


def seal_of(source):
    """SHA-256 of a file; empty if it cannot be read."""
    try:
        return hashlib.sha256(Path(source).read_bytes()).hexdigest()
    except OSError:
        return ""


def keep(file, what, source, seal, **found):
    """Writes one record. `source`: path from the lab's root; `seal`: of the judged text, since the file may have changed."""
    record = {
        "what": what,
        "version": VERSION,
        "date": f"{datetime.datetime.now().astimezone():%Y-%m-%dT%H:%M:%S%z}",
        "source": str(source),
        "source_sha256": seal,
        **found,
    }
    with contextlib.suppress(OSError):
        write_text(file, json.dumps(record, indent=1) + "\n")


def take_json(options):
    """The file given with --json, or None."""
    for word, following in zip(options, [*options[1:], ""]):
        if word == "--json":
            return Path(following)
        if word.startswith("--json="):
            return Path(word[len("--json=") :])
    return None


def without_json(options):
    """The options that can change a verdict; --json cannot."""
    return [
        word
        for word, before in zip(options, ["", *options])
        if before != "--json" and not word.startswith("--json")
    ]


class Asked:
    """The file to which a program writes its result: the user's --json, or a temporary file that is removed at the end."""

    def __init__(self, folder, options):
        self.own = take_json(options)
        self.file = self.own or Path(folder) / f".said_{os.getpid()}.json"
        self.words = [] if self.own else ["--json", str(self.file)]

    def __enter__(self):
        if not self.own:
            self.file.parent.mkdir(parents=True, exist_ok=True)
        self.before = self.stamp()
        return self

    def __exit__(self, *_):
        if not self.own:
            self.file.unlink(missing_ok=True)

    def stamp(self):
        return self.file.stat().st_mtime_ns if self.file.exists() else None

    def said(self):
        """The program's result; None if it wrote nothing."""
        try:
            return (
                json.loads(self.file.read_text(encoding="utf-8"))
                if self.stamp() != self.before
                else None
            )
        except (OSError, ValueError):
            return None


def keep_verdicts(folder, said, seals, options):
    """Stores every verdict. `said`: what check --json wrote; `seals`: {name: (source, seal before the build)}."""
    for row in (said or {}).get("implementations", []):
        source, seal = seals.get(row["name"], ("", ""))
        failed = [case for case in row["cases"] if case["verdict"] == "failed"]
        keep(
            folder / f"{row['part']}_{row['name']}.json",
            "verdict",
            source,
            seal,
            part=row["part"],
            name=row["name"],
            verdict=row["verdict"],
            as_expected=row["as_expected"],
            worst_share_of_limit=row["worst_share_of_limit"],
            tolerance=said["tolerance"],
            precision=said["precision"],
            options=without_json(options),
            cases=len(row["cases"]),
            failed=len(failed),
            examples=failed[:MOST_FAILED],
        )
