"""Who handed in what: the submissions in a class folder, whatever platform wrote it."""

import csv
import datetime
import io
import os
import re
import stat
from collections import namedtuple
from pathlib import Path

from nbody_lab.core.clean_text import file_name, fingerprint, printable

# Submission times from the offline grading list that Moodle exports with the files.
#
# Its dates have no time zone: they are read in this machine's. Dates in other languages than English are ignored:
# the file's date is used instead.
FORMATS = [
    "%A, %d %B %Y, %I:%M %p",
    "%A, %d %B %Y, %H:%M",
    "%d %B %Y, %I:%M %p",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%d %H:%M",
]
IDENTIFIER, MODIFIED = "Identifier", "Last modified (submission)"
LARGEST = 4 << 20  # bytes


def time_of(text):
    """ISO 8601; empty if it cannot be read."""
    for form in FORMATS:
        try:
            return (
                datetime.datetime.strptime(text.strip(), form)
                .astimezone()
                .isoformat(timespec="seconds")
            )
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


# name: unique, an ASCII file name; authors: from the platform, may be []; source: its path in the class folder; kind:
# folder, tar, zip or broken; submitted: ISO 8601, "" if unknown; group: set by identity.py; files: ((path, its name
# inside), ...); late: marked by the platform; time_from: "Moodle's list" or "date of the file", which copying a class
# may have changed; problem: why it is broken.
Submission = namedtuple(
    "Submission",
    "name authors student_id source kind submitted group files late time_from problem",
    defaults=[(), False, "", ""],
)

# What one file or folder of the class says. `key` joins the files of one student; `word` is Moodle's plugin.
Entry = namedtuple("Entry", "key authors student_id inside late word path")

MOODLE = re.compile(
    r"(?P<who>.+)_(?P<id>\d+)_assignsubmission_(?P<word>[a-z]+)(?:_(?P<inside>.*))?", re.DOTALL
)
CANVAS = re.compile(
    r"(?P<who>[^_]+)_(?P<late>(?:LATE|late)_)?(?P<id>\d{2,})_(?P<file>\d{2,})_(?P<inside>.+)",
    re.DOTALL,
)
ENDING = re.compile(r"(\.tar)?\.(zip|tar|gz|tgz|bz2|xz|rar|7z)$", re.IGNORECASE)
AGAIN = re.compile(
    r"-\d{1,2}(?=(\.[A-Za-z0-9]+){0,2}$)"
)  # Canvas: mine-1.hpp is a later upload of mine.hpp
NO_SUBMISSION = re.compile(r".*\.(csv|json|txt|md)", re.IGNORECASE)


def kind_of(path):
    """The kind by content, not by name."""
    mode = path.lstat().st_mode
    if stat.S_ISDIR(mode):
        return "folder"
    if not stat.S_ISREG(mode):
        return "broken"
    try:
        with path.open("rb") as file:
            start = file.read(512)
    except PermissionError:
        return "broken"
    if start[:4] in (b"PK\3\4", b"PK\5\6"):
        return "zip"
    if start[:2] == b"\x1f\x8b" or start[257:262] == b"ustar":
        return "tar"
    return "file"


def entry_of(path):
    name = path.name
    moodle = MOODLE.fullmatch(name)
    if moodle:
        key = ("moodle", moodle["id"])
        return Entry(
            key,
            [moodle["who"]],
            moodle["id"],
            moodle["inside"] or name,
            False,
            moodle["word"],
            path,
        )
    canvas = None if path.is_dir() else CANVAS.fullmatch(name)
    if canvas:
        inside = AGAIN.sub("", canvas["inside"])
        return Entry(
            ("canvas", canvas["id"]),
            [canvas["who"]],
            canvas["id"],
            inside,
            bool(canvas["late"]),
            "file",
            path,
        )
    who = name if kind_of(path) == "folder" else ENDING.sub("", name)
    return Entry(("plain", name), [], "", name, False, "file", path)._replace(authors=[who])


def date_of(paths):
    """The time of the newest of these files."""
    dates = []
    for path in paths:
        inside = list(path.iterdir()) if path.is_dir() and not path.is_symlink() else []
        dates += [one.lstat().st_mtime for one in inside if not one.is_dir()] or [
            path.lstat().st_mtime
        ]
    try:
        return datetime.datetime.fromtimestamp(max(dates), datetime.timezone.utc).isoformat(
            timespec="seconds"
        )
    except (ValueError, OverflowError):  # a year outside the calendar
        return ""


def inside_of(entries):
    """((path, name inside), ...). Files of the same name are kept apart, so that they do not replace each other."""
    names = [one.inside.casefold() for one in entries]
    return tuple(
        (
            one.path,
            one.inside if names.count(one.inside.casefold()) == 1 else f"{number}/{one.inside}",
        )
        for number, one in enumerate(entries, 1)
    )


def kind_and_problem(files):
    if not files:
        return "broken", "only text was handed in, no file"
    kinds = [kind_of(path) for path, _ in files]
    if "broken" in kinds:
        return (
            "broken",
            f"{printable(files[kinds.index('broken')][1])}: a link, a device, or a file that may not be read",
        )
    if len(files) > 1 or kinds[0] == "folder":
        return "folder", ""
    if kinds[0] == "file" and ENDING.search(files[0][1]):
        return (
            "broken",
            f"{printable(files[0][1])}: neither a zip nor a tar(.gz): hand in one of these",
        )
    return ("folder", "") if kinds[0] == "file" else (kinds[0], "")


def submission_of(entries, times, class_folder):
    first = entries[0]
    files = inside_of([one for one in entries if one.word == "file"])
    kind, problem = kind_and_problem(files)
    told = times.get(first.student_id if first.key[0] == "moodle" else "", "")
    return Submission(
        name=file_name(first.authors[0]),
        authors=first.authors if first.key[0] == "moodle" else [],
        student_id=first.student_id,
        source=str((files[0][0] if files else first.path).relative_to(class_folder)),
        kind=kind,
        submitted=told or date_of([one.path for one in entries]),
        group="",
        files=files,
        late=any(one.late for one in entries),
        time_from="Moodle's list" if told else "date of the file",
        problem=problem,
    )


def with_unique_names(submissions):
    """Submissions of the same name each get their number or a fingerprint, so that the order does not matter."""
    names = [one.name for one in submissions]
    unique = []
    for one in submissions:
        if names.count(one.name) > 1 or not one.name:
            end = one.student_id or fingerprint(one.source)
            one = one._replace(name=f"{one.name or 'student'}_{end}")
        taken = {other.name for other in unique}
        while one.name in taken:
            one = one._replace(name=f"{one.name}_{fingerprint(one.source + one.name)}")
        unique.append(one)
    return unique


def is_submission(path):
    """False for lists, notes and files left by a desktop."""
    if path.name.startswith(".") or path.name == "__MACOSX":
        return False
    from_platform = MOODLE.fullmatch(path.name) or CANVAS.fullmatch(path.name)
    return bool(path.is_dir() or from_platform or not NO_SUBMISSION.fullmatch(path.name))


def find_submissions(class_folder):
    """Submissions sorted by name; reads only the first bytes of files. Raises OSError for a missing folder."""
    class_folder = Path(class_folder)
    students = {}
    for path in sorted(
        (Path(one) for one in os.scandir(class_folder)), key=lambda one: os.fsencode(one.name)
    ):
        if is_submission(path):
            entry = entry_of(path)
            students.setdefault(entry.key, []).append(entry)
    times = times_in(class_folder)
    found = [submission_of(entries, times, class_folder) for entries in students.values()]
    return sorted(with_unique_names(found), key=lambda one: one.name)
