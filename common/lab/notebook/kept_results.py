"""What commands found out, kept in build/ with the text that it was said of: the page of ./lab report reads it.

    build/verdicts/PART_NAME.json        the last ./lab check or ./lab try of an implementation
    build/worksheets/PART.json           the last ./lab worksheet
    build/profile_lines/PART_NAME.json   the last ./lab profile: functions and their shares

docs/file_formats.md says what is in them. If they cannot be written, the command continues without them.
"""

import datetime
import hashlib
import json
import os
from pathlib import Path

from whole_file import write_text

VERSION = 1
MOST_FAILED = 3  # cases of a verdict that are kept


def seal_of(source):
    """SHA-256 of a file; empty where there is none."""
    try:
        return hashlib.sha256(Path(source).read_bytes()).hexdigest()
    except OSError:
        return ""


def keep(file, what, source, seal, **found):
    """Writes one record. `source`: its path from the lab's root; `seal`: of the text that was judged, which may be
    another by now."""
    record = {"what": what, "version": VERSION, "date": f"{datetime.datetime.now().astimezone():%Y-%m-%dT%H:%M:%S%z}",
              "source": str(source), "source_sha256": seal, **found}
    try:
        write_text(file, json.dumps(record, indent=1) + "\n")
    except OSError:
        pass


def take_json(options):
    """The file of --json, if the options name one."""
    for word, following in zip(options, [*options[1:], ""]):
        if word == "--json":
            return Path(following)
        if word.startswith("--json="):
            return Path(word[len("--json="):])
    return None


def without_json(options):
    """Options that change a verdict: where it is written does not."""
    return [word for word, before in zip(options, ["", *options]) if before != "--json" and not word.startswith("--json")]


class Asked:
    """The file in which a program says what it found: that of its user, or one of our own, which goes again."""

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
        """None where the program wrote nothing."""
        try:
            return json.loads(self.file.read_text(encoding="utf-8")) if self.stamp() != self.before else None
        except (OSError, ValueError):
            return None


def keep_verdicts(folder, said, seals, options):
    """`said`: what check --json wrote; `seals`: {name: (source, seal before it was built)}."""
    for row in (said or {}).get("implementations", []):
        source, seal = seals.get(row["name"], ("", ""))
        failed = [case for case in row["cases"] if case["verdict"] == "failed"]
        keep(folder / f"{row['part']}_{row['name']}.json", "verdict", source, seal, part=row["part"], name=row["name"],
             verdict=row["verdict"], as_it_should=row["as_it_should"], worst_share_of_limit=row["worst_share_of_limit"],
             tolerance=said["tolerance"], precision=said["precision"], options=without_json(options),
             cases=len(row["cases"]), failed=len(failed), examples=failed[:MOST_FAILED])
