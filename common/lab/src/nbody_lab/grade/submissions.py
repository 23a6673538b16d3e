"""Who handed in what: the submissions in a class folder, whatever platform wrote it, and their authors."""

import contextlib
import csv
import io
import os
import re
import stat
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from nbody_lab.core.clean_text import file_name, fingerprint, folded, printable
from nbody_lab.core.words import nearest
from nbody_lab.grade.models import HandedIn


class Submission(NamedTuple):
    who: HandedIn  # without a checksum, which takes long; its name is unique, an ASCII file name
    files: Sequence[tuple[Path, str]] = ()  # its files with their names inside
    problem: str = ""  # why it is broken

    @property
    def name(self) -> str:
        return self.who.name


class _Entry(NamedTuple):
    """What one file or folder of the class says."""

    path: Path
    key: tuple[str, str]  # joins the files of one student: the platform, and his number there
    author: str
    inside: str
    late: bool = False
    is_file: bool = True  # else text typed into Moodle


_MOODLE = re.compile(
    r"(?P<who>.+)_(?P<id>\d+)_assignsubmission_(?P<word>[a-z]+)(?:_(?P<inside>.*))?", re.DOTALL
)
_CANVAS = re.compile(
    r"(?P<who>[^_]+)_(?P<late>(?:LATE|late)_)?(?P<id>\d{2,})_(?P<file>\d{2,})_(?P<inside>.+)",
    re.DOTALL,
)
_ENDING = re.compile(r"(\.tar)?\.(zip|tar|gz|tgz|bz2|xz|rar|7z)$", re.IGNORECASE)
# Canvas: mine-1.hpp is a later upload of mine.hpp
_AGAIN = re.compile(r"-\d{1,2}(?=(\.[A-Za-z0-9]+){0,2}$)")
_NO_SUBMISSION = re.compile(r".*\.(csv|json|txt|md|log)", re.IGNORECASE)
# What desktops and editors leave in a folder.
_LEFT_BEHIND = re.compile(
    r"__MACOSX|\._.*|\.(git|svn|Trash.*|Trashes|fseventsd|Spotlight.*|vscode|idea|ipynb_checkpoints)"
)


def kind_of(path: Path) -> str:
    """ "folder", "zip", "tar", "file" or "broken", by content, not by name."""
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


# --- when: Moodle's offline grading list; the date of a file is only that of its last copy ---

# Its dates have no time zone: they are read in this machine's. Dates in other languages than English are ignored.
_FORMATS = (
    *("%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M", "%d %B %Y, %I:%M %p"),
    *("%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M"),
)
_IDENTIFIER, _MODIFIED = "Identifier", "Last modified (submission)"
_LARGEST_LIST = 4 << 20  # bytes


def parse_time(text: str) -> str:
    """ISO 8601; "" if it cannot be read."""
    for form in _FORMATS:
        try:
            time = datetime.strptime(text.strip(), form).astimezone()
        except (ValueError, OverflowError):
            continue
        return time.isoformat(timespec="seconds")
    return ""


def times_in(lists: Iterable[Path]) -> dict[str, str]:
    """{participant number: time}"""
    found = {}
    for file in lists:
        if file.is_symlink() or not file.is_file() or file.stat().st_size > _LARGEST_LIST:
            continue
        text = file.read_text(encoding="utf-8-sig", errors="replace")
        with contextlib.suppress(csv.Error):
            for row in csv.DictReader(io.StringIO(text, newline="")):
                number = re.fullmatch(r"\D*(\d+)", row.get(_IDENTIFIER) or "")
                time = parse_time(row.get(_MODIFIED) or "")
                if number and time:
                    found[number[1]] = time
    return found


# --- who and what ---


def _is_submission(path: Path) -> bool:
    """False for lists, notes and what desktops leave. Each folder is one, also a hidden one: its owner waits for
    points."""
    name = path.name
    if _LEFT_BEHIND.fullmatch(name):
        return False
    if name.startswith("."):
        return kind_of(path) in ("folder", "zip", "tar")
    from_platform = _MOODLE.fullmatch(name) or _CANVAS.fullmatch(name)
    return bool(path.is_dir() or from_platform or not _NO_SUBMISSION.fullmatch(name))


def _read_entry(path: Path) -> _Entry:
    name = path.name
    moodle = _MOODLE.fullmatch(name)
    if moodle:
        key, inside = ("moodle", moodle["id"]), moodle["inside"] or name
        return _Entry(path, key, moodle["who"], inside, is_file=moodle["word"] == "file")
    canvas = None if path.is_dir() else _CANVAS.fullmatch(name)
    if canvas:
        key, inside = ("canvas", canvas["id"]), _AGAIN.sub("", canvas["inside"])
        return _Entry(path, key, canvas["who"], inside, late=bool(canvas["late"]))
    author = name if kind_of(path) == "folder" else _ENDING.sub("", name)
    return _Entry(path, ("plain", name), author, name)


def _names_inside(entries: Sequence[_Entry]) -> list[tuple[Path, str]]:
    """Files of the same name are kept apart, so that they do not replace each other."""
    names = [one.inside.casefold() for one in entries]
    return [
        (one.path, one.inside if names.count(name) == 1 else f"{number}/{one.inside}")
        for number, (one, name) in enumerate(zip(entries, names), 1)
    ]


def _judge_kind(files: Sequence[tuple[Path, str]]) -> tuple[str, str]:
    """(kind, problem)"""
    if not files:
        return "broken", "only text was handed in, no file"
    kinds = [kind_of(path) for path, _ in files]
    if "broken" in kinds:
        name = printable(files[kinds.index("broken")][1])
        return "broken", f"{name}: a link, a device, or a file that may not be read"
    if len(files) > 1 or kinds[0] == "folder":
        return "folder", ""
    if kinds[0] == "file" and _ENDING.search(files[0][1]):
        name = printable(files[0][1])
        return "broken", f"{name}: neither a zip nor a tar(.gz): hand in one of these"
    return "folder" if kinds[0] == "file" else kinds[0], ""


def _join(entries: Sequence[_Entry], times: dict[str, str], class_folder: Path) -> Submission:
    platform, number = entries[0].key
    is_moodle, is_plain = platform == "moodle", platform == "plain"
    files = _names_inside([one for one in entries if one.is_file])
    kind, problem = _judge_kind(files)
    who = HandedIn(
        name=file_name(entries[0].author),
        authors=(entries[0].author,) if is_moodle else (),
        student_id="" if is_plain else number,
        source=str((files[0][0] if files else entries[0].path).relative_to(class_folder)),
        kind=kind,
        submitted=times.get(number, "") if is_moodle else "",
        late=any(one.late for one in entries),
    )
    return Submission(who, tuple(files), problem)


def _make_names_unique(submissions: Sequence[Submission]) -> list[Submission]:
    """Submissions of the same name each get their number or a fingerprint, so that the order does not matter."""
    names = [one.name for one in submissions]
    unique: dict[str, Submission] = {}
    for one in submissions:
        name = one.name
        if names.count(name) > 1 or not name:
            name = f"{name or 'student'}_{one.who.student_id or fingerprint(one.who.source)}"
        while name in unique:
            name = f"{name}_{fingerprint(f'{one.who.source}{name}')}"
        unique[name] = one._replace(who=one.who.model_copy(update={"name": name}))
    return [unique[name] for name in sorted(unique)]


def find_submissions(class_folder: Path) -> list[Submission]:
    """Submissions sorted by name; reads only the first bytes of files. Raises OSError for a missing folder."""
    students: dict[tuple[str, str], list[_Entry]] = {}
    for path in sorted(class_folder.iterdir(), key=os.fsencode):
        if _is_submission(path):
            entry = _read_entry(path)
            students.setdefault(entry.key, []).append(entry)
    times = times_in(sorted(class_folder.glob("*.csv")))
    return _make_names_unique([_join(found, times, class_folder) for found in students.values()])


_MOST_NAMES = 3


def nearest_name(word: str, names: Sequence[str]) -> str:
    """'; did you mean ...?' for part of a name, an author or a slip; or ''."""
    part = file_name(word)
    found = [name for name in names if part and part in name]
    if 0 < len(found) <= _MOST_NAMES:
        return f"; did you mean {' or '.join(found)}?"
    return nearest(word, names)


# --- the wrong folder: the one above a class ---

_PART_OR_FILE = re.compile(r"(?i)part\d+([_ -].*)?|(part\d+[_-])?(mine|worksheet)\b.*\.(hpp|cuh)")
_FEWEST = 3  # in a class that is recognised: one may hand in two archives


def _names_in(folder: Path) -> list[str]:
    """None of a link, which nobody follows, and of a folder that may not be read."""
    try:
        return [] if folder.is_symlink() or not folder.is_dir() else os.listdir(folder)
    except OSError:
        return []


def _has_work(folder: Path) -> bool:
    return any(map(_PART_OR_FILE.fullmatch, _names_in(folder)))


def _looks_handed_in(one: Submission, class_folder: Path) -> bool:
    """By its kind, by its platform, or by what lies in it or one folder below."""
    if one.who.student_id or one.who.kind in ("zip", "tar"):
        return True
    path = class_folder / one.who.source
    return _has_work(path) or any(_has_work(path / name) for name in _names_in(path))


def class_below(folder: Path, found: Sequence[Submission]) -> tuple[Path, int] | None:
    """The class in this folder and its size, if that has more submissions than the folder itself, of which `found` are
    the submissions."""
    for one in found:
        below = folder / one.who.source
        if not _names_in(below) or one.who.student_id or _has_work(below):
            continue
        inside = sum(_looks_handed_in(other, below) for other in find_submissions(below))
        beside = sum(_looks_handed_in(other, folder) for other in found if other is not one)
        if inside >= _FEWEST and inside > beside:
            return below, inside
    return None


# --- the authors: the names in the worksheets, read as text, because compiling them would run a stranger's code ---

_MOST_AUTHORS, _LONGEST_NAME, MOST_READ = 10, 80, 64 << 10
# Lengths are bounded, so that no crafted text takes minutes.
COMMENT_OR_STRING = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)|R"([^()\\\s"]{0,16})\((.{0,1000}?)\)\1"|"(?:[^"\\\n]|\\.){0,1000}"|'(?:[^'\\\n]|\\.)'""",
    re.DOTALL,
)
_ANSWER = re.compile(r"\bauthors\s*(?:=|\{|\()[\s{(]*((?:\x00\d+\x00\s*)+)")
_ESCAPE = re.compile(
    r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", re.DOTALL
)
_BETWEEN = re.compile(r"\s*(?:[,;&/+\n]|\band\b|\bund\b|\bet\b)\s*")


def _unescape(found: re.Match[str]) -> str:
    word = found[1]
    try:
        if word[0] in "uUx":
            return chr(int(word[1:], 16))
        return chr(int(word, 8)) if word[0] in "01234567" else {"n": "\n", "t": " "}.get(word, word)
    except (ValueError, OverflowError):
        return ""


def find_answer(text: str) -> str:
    """The text of `authors`; empty if it is not answered."""
    strings: list[str] = []

    def take_out(found: re.Match[str]) -> str:
        if found[0][0] in "/'":
            return " "
        strings.append(found[2] if found[2] is not None else _ESCAPE.sub(_unescape, found[0][1:-1]))
        return f"\x00{len(strings) - 1}\x00"

    found = _ANSWER.search(COMMENT_OR_STRING.sub(take_out, text[:MOST_READ].replace("\x00", " ")))
    return "".join(strings[int(number)] for number in re.findall(r"\d+", found[1])) if found else ""


def split_names(answer: str) -> list[str]:
    """["Ada Lovelace", "Charles Babbage"]"""
    names = [
        " ".join(printable(one).split())[:_LONGEST_NAME].strip()
        for one in _BETWEEN.split(answer[:1000])
    ]
    return _each_once(names)[:_MOST_AUTHORS]


def _each_once(names: Iterable[str]) -> list[str]:
    """Without duplicates, in the first spelling."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(key_of(name), name)
    return [name for key, name in found.items() if key]


def key_of(name: str) -> str:
    """The same for "Anna Smith", "Smith Anna" and "SMITH, Anná"."""
    return " ".join(sorted(re.findall(r"[^\W_]+", folded(name))))


def _authors_in(files: Mapping[str, Path]) -> list[tuple[str, list[str]]]:
    """[(target, [names])] of the worksheets with authors."""
    found = []
    for target, path in sorted(files.items()):
        if target.endswith("/worksheet.hpp"):
            names = split_names(find_answer(path.read_bytes().decode("utf-8", "replace")))
            found += [(target, names)] if names else []
    return found


def identified(submission: Submission, files: Mapping[str, Path]) -> tuple[Submission, list[str]]:
    """(the submission with its authors, problems). The names in worksheets count; without any, the platform's."""
    found, problems = _authors_in(files), []
    authors = _each_once([one for _, names in found for one in names])
    sets = {frozenset(map(key_of, names)) for _, names in found}
    if len(sets) > 1:
        problems.append(
            "the worksheets name different authors: "
            + "; ".join(f"{target}: {', '.join(one)}" for target, one in found)
        )
    told = [one for one in submission.who.authors if key_of(one) != "participant"]
    if found and told and not any(is_named(one, authors) for one in told):
        problems.append(
            f"handed in by {', '.join(map(printable, told))}, but the worksheet names {', '.join(authors)}"
        )
    if authors:
        who = submission.who.model_copy(update={"authors": tuple(authors)})
        submission = submission._replace(who=who)
    return submission, problems


def is_named(name: str, authors: Iterable[str]) -> bool:
    """Whether `name` is an author, with or without a middle name or a group's name in front."""
    words = set(key_of(name).split())
    return any(
        words <= set(key.split()) or set(key.split()) <= words for key in map(key_of, authors)
    )
