"""Unpacks a submission. Its author may be hostile: only plain files below our folder are written, within the limits.
Each refusal is reported in a sentence, and the good files are still taken."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import time
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from nbody_lab.core.clean_text import printable
from nbody_lab.grade.archive_members import BROKEN, Damaged, TooMuch, read_members
from nbody_lab.grade.submissions import Submission, kind_of

_ARCHIVES = ("zip", "tar")
_LONGEST_PART, _LONGEST_PATH, _DEEPEST = 255, 1000, 12  # bytes, bytes, folders
# Files that no student means to submit; skipped silently.
_NOISE = {"__macosx", "__pycache__", "build", "node_modules", "thumbs.db", "desktop.ini"}
_MOST_SENTENCES = 20
_HANDED_IN = re.compile(r"(part\d+_)?(mine|worksheet).*\.(hpp|cuh)", re.IGNORECASE)


class UnpackLimits(NamedTuple):
    archive_bytes: int = 128 << 20  # of the archive itself
    read_bytes: int = 512 << 20  # unpacked, to look at
    written_bytes: int = 32 << 20  # to files
    file_bytes: int = 1 << 20  # per file
    members: int = 20000  # looked at
    files: int = 2000  # written
    seconds: float = 20  # for all of it


_LIMITS = UnpackLimits()


class Unpacked(NamedTuple):
    problems: Sequence[str]  # a sentence each
    lost: Mapping[str, str] = {}  # files that were not taken, by name, and the sentence about each
    cut: str = ""  # why there may be others that nobody has seen


class _Refused(Exception):
    """Why, as the end of a sentence: "leads outside its folder"."""


# --- names ---


def _is_noise(parts: Iterable[str]) -> bool:
    return any(part.casefold() in _NOISE or part.startswith(".") for part in parts)


def _split_name(name: str) -> list[str]:
    """The parts of a member's path; some Windows programs write backslashes. Raises _Refused."""
    if any(unicodedata.category(one) == "Cc" for one in name):
        raise _Refused("has a control character in its name")
    name = name.replace("\\", "/")
    if name.startswith("/") or re.match(r"[A-Za-z]:", name):
        raise _Refused("has an absolute path")
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise _Refused("leads outside its folder")
    if not parts:
        raise _Refused("has no name")
    sizes = [len(part.encode("utf-8", "surrogateescape")) for part in parts]
    if max(sizes) > _LONGEST_PART or sum(sizes) + len(sizes) > _LONGEST_PATH:
        raise _Refused("has a name that is too long")
    if len(parts) > _DEEPEST:
        raise _Refused(f"lies deeper than {_DEEPEST} folders")
    return parts


def _shorten(name: str) -> str:
    """Short enough for a line."""
    text = printable(name)
    return text if len(text) <= 60 else f"{text[:28]}...{text[-28:]}"


def _ignore_case(parts: Sequence[str]) -> str:
    name = "/".join(parts).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return unicodedata.normalize("NFC", name).casefold()


# --- files below a folder that a student may have made: links are not followed, pipes are never opened ---


class Found(NamedTuple):
    path: Path
    name: str  # relative to the folder
    why: str  # why it is not a plain file, as the end of a sentence; "" if it is one


def read_pieces(path: Path) -> Iterator[bytes]:
    """Raises OSError for a link."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:
        yield from iter(lambda: file.read(1 << 16), b"")


def digest_of(path: Path, most_bytes: int = _LIMITS.archive_bytes) -> str:
    """SHA-256 in hexadecimal. Of a larger file, which is not taken, its beginning and its size count."""
    digest, left = hashlib.sha256(), most_bytes
    for piece in read_pieces(path):
        digest.update(piece[:left])
        left -= len(piece)
        if left < 0:
            digest.update(f"\0{path.lstat().st_size}".encode())
            break
    return digest.hexdigest()


def why_not_plain(path: Path) -> str:
    """As the end of a sentence; empty for a plain file."""
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return "is a symbolic link"
    return "" if stat.S_ISREG(mode) else "is not a regular file"


def files_below(top: Path) -> Iterator[Found]:
    """In order, without noise such as build/. A link to a folder is listed as well."""
    for place, folders, files in os.walk(top):
        here = Path(place).relative_to(top)
        links = [name for name in folders if Path(place, name).is_symlink()]
        is_deep = len(here.parts) >= _DEEPEST
        folders[:] = sorted(name for name in folders if not is_deep and not _is_noise([name]))
        for name in sorted(files + links):
            path = Path(place, name)
            if not _is_noise([name]):
                yield Found(path, str(here / name), why_not_plain(path))


# --- unpacking ---


class Unpacker:
    """The only writer into one folder; keeps track of the limits."""

    def __init__(self, folder: Path, limits: UnpackLimits = _LIMITS) -> None:
        self.folder, self.limits = folder, limits
        self.problems: list[str] = []
        self.lost: dict[str, str] = {}
        self.cut = ""
        self._names: set[str] = set()  # each only once, ignoring case
        self.files = 0  # written
        self._written = self._members = 0
        self._end = time.monotonic() + limits.seconds

    def refuse(self, name: str, why: object) -> None:
        self.problems.append(f"{_shorten(name)}: {why}")
        self.lost[name] = self.problems[-1]

    def refuse_rest(self, name: str, why: object) -> None:
        """Of an archive or folder that cannot be read any further."""
        self.cut = f"{_shorten(name)}: {why}"
        self.problems.append(self.cut)

    def _count_member(self) -> None:
        self._members += 1
        if self._members > self.limits.members:
            raise TooMuch(f"has more than {self.limits.members} members")
        self._look_at_clock()

    def _look_at_clock(self) -> None:
        if time.monotonic() > self._end:
            raise TooMuch(f"takes longer than {self.limits.seconds:g} s to unpack")

    def put(
        self, name: str, pieces: Iterable[bytes], declared: int, below: Sequence[str] = ()
    ) -> None:
        """Writes one file, or refuses it. Raises TooMuch beyond a limit on the whole submission."""
        try:
            parts = _split_name(name)
            if _is_noise(parts):
                return
            if declared > self.limits.file_bytes:
                raise _Refused(f"is larger than {self.limits.file_bytes >> 10} kB")
            key = _ignore_case([*below, *parts])
            if key in self._names:
                raise _Refused("appears twice, perhaps in another case: the first one was used")
            self._names.add(key)
            self._write(self.folder.joinpath(*below, *parts), self._content(pieces))
        except _Refused as why:
            self.refuse(name, why)
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            self.refuse(name, "is a file and a folder at once")

    def _write(self, file: Path, content: bytes) -> None:
        """Raises OSError if the disk is full, which is not the student's fault."""
        if self.files >= self.limits.files:
            raise TooMuch(f"has more than {self.limits.files} files: the rest was left out")
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
        with open(descriptor, "wb") as out:
            out.write(content)
        self.files += 1

    def _content(self, pieces: Iterable[bytes]) -> bytes:
        """The whole content, limited by its actual size."""
        content = bytearray()
        try:
            for piece in pieces:
                content += piece
                self._look_at_clock()
                if len(content) > self.limits.file_bytes:
                    raise _Refused(f"is larger than {self.limits.file_bytes >> 10} kB")
        except BROKEN:
            raise _Refused("is damaged") from None
        self._written += len(content)
        if self._written > self.limits.written_bytes:
            most = self.limits.written_bytes >> 20
            raise TooMuch(f"unpacks to more than {most} MB: the rest was left out")
        return bytes(content)

    def _unpack(self, path: Path, kind: str, below: Sequence[str]) -> None:
        most = self.limits.archive_bytes
        if path.stat().st_size > most:
            raise TooMuch(f"is larger than {most >> 20} MB: leave out the folder build/")
        for member in read_members(path, kind, self.limits.members, self.limits.read_bytes):
            self._count_member()
            if member.kind == "file":
                self.put(member.name, member.pieces, member.size, below)
            elif member.kind == "other" and not _is_noise(member.name.split("/")):
                self.refuse(member.name, member.why)

    def _copy(self, path: Path, name: str, why: str) -> None:
        if why:
            self.refuse(name, why)
        else:
            self.put(name, read_pieces(path), path.lstat().st_size)

    def take(self, path: Path, name: str, apart: bool, left_out: Collection[Path]) -> None:
        """One file of a submission: opens an archive, in a folder of its own if it is one of several; copies anything
        else."""
        kind = kind_of(path)
        try:
            if kind in _ARCHIVES:
                self._unpack(path, kind, (path.name,) if apart else ())
            elif kind != "folder":
                self._copy(path, name, why_not_plain(path))
            else:
                for found in files_below(path):
                    self._count_member()
                    if found.path not in left_out:
                        self._copy(*found)
        except (TooMuch, Damaged) as why:
            self.refuse_rest(path.name, why)


def _archives_at_top(folder: Path) -> list[Path]:
    """The archives in a folder; none if a handed-in file lies beside them, because then they are only copies."""
    if any(_HANDED_IN.fullmatch(os.path.basename(found.name)) for found in files_below(folder)):
        return []
    found = (one for one in folder.iterdir() if not _is_noise([one.name]))
    return sorted((one for one in found if kind_of(one) in _ARCHIVES), key=os.fsencode)


def unpack(submission: Submission, folder: Path, limits: UnpackLimits = _LIMITS) -> Unpacked:
    """Unpacks into `folder`, which must be new or empty. Raises OSError if it cannot write."""
    folder.mkdir(parents=True, exist_ok=True)
    if submission.problem:
        return Unpacked([submission.problem])
    files, archives = list(submission.files), []
    if len(files) == 1 and kind_of(files[0][0]) == "folder":
        archives = _archives_at_top(files[0][0])
        files += [(path, path.name) for path in archives]
    apart = sum(kind_of(path) in _ARCHIVES for path, _ in files) > 1
    unpacker = Unpacker(folder, limits)
    for path, name in files:
        unpacker.take(path, name, apart, archives)
    for found in files_below(folder):
        if kind_of(found.path) in _ARCHIVES:
            why = "is an archive in an archive, or beside other files: it was not opened"
            unpacker.refuse(found.name, why)
    if not unpacker.files and not unpacker.problems:
        return Unpacked(["the upload is empty: there is no file in it"])
    more = len(unpacker.problems) - _MOST_SENTENCES
    problems = unpacker.problems[:_MOST_SENTENCES]
    problems += [f"and {more} more such problems"] if more > 0 else []
    return Unpacked(problems, unpacker.lost, unpacker.cut)


def checksum(submission: Submission) -> str:
    """ "sha256:..." of what was handed in; for a single file, the same as sha256sum prints, if it is small enough to be
    taken. Reads no more than would be unpacked, since a file may be one large hole."""
    found: list[tuple[str, str, str]] = []
    left = _LIMITS.read_bytes
    for path, outer in submission.files:
        is_folder = path.is_dir() and not path.is_symlink()
        below = files_below(path) if is_folder else [Found(path, "", why_not_plain(path))]
        for one in below:
            if not one.why:
                most = min(left, _LIMITS.archive_bytes)
                found.append((outer, one.name, digest_of(one.path, most)))
                left -= min(most, one.path.lstat().st_size)
    if len(found) == 1 and not found[0][1]:
        return f"sha256:{found[0][2]}"
    text = "\n".join("\0".join(one) for one in sorted(found))
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
