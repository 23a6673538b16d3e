"""Submission times from the offline grading list that Moodle exports with the files.

Its dates have no time zone: they are read in this machine's. Dates in other languages than English are ignored: the
file's date is used instead.
"""

import csv
import datetime
import io
import re

FORMATS = ["%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M", "%d %B %Y, %I:%M %p", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M"]
IDENTIFIER, MODIFIED = "Identifier", "Last modified (submission)"
LARGEST = 4 << 20  # bytes


def time_of(text):
    """ISO 8601; empty if it cannot be read."""
    for form in FORMATS:
        try:
            return datetime.datetime.strptime(text.strip(), form).astimezone().isoformat(timespec="seconds")
        except (ValueError, OverflowError):
            continue
    return ""


def times_of(text):
    """{participant number: time}"""
    try:
        rows = list(csv.DictReader(io.StringIO(text.lstrip("\ufeff"), newline="")))
    except csv.Error:
        return {}
    found = {}
    for row in rows:
        number = re.fullmatch(r"\D*(\d+)", row.get(IDENTIFIER) or "")
        time = time_of(row.get(MODIFIED) or "")
        if number and time:
            found[number[1]] = time
    return found


def times_in(folder):
    """The times in all such lists in this folder."""
    found = {}
    for file in sorted(folder.glob("*.csv")):
        if file.is_file() and not file.is_symlink() and file.stat().st_size <= LARGEST:
            found.update(times_of(file.read_text(encoding="utf-8", errors="replace")))
    return found
