"""Unpacks a submission. Its author may be hostile: only plain files below our folder are written, within the limits.
Each refusal is reported in a sentence, and the good files are still taken.

"""

import hashlib
import os
import re
import time
import zipfile
import zlib
from collections import namedtuple

from nbody_lab.grade.archive_members import Damaged, TooMuch, tar_members, zip_members
from nbody_lab.grade.member_names import (
    Names,
    Refused,
    digest_of,
    files_below,
    is_noise,
    parts_of,
    pieces_of_file,
    problem_of,
    shown_name,
)
from nbody_lab.grade.submissions import kind_of

# Writes files from archives and folders below one folder of ours, within the limits.

# archive_bytes: of the archive itself; read_bytes: unpacked to look at; written_bytes: written to files; file_bytes:
# per file; members: looked at; files: written; seconds: for all of it.
UnpackLimits = namedtuple(
    "UnpackLimits",
    "archive_bytes read_bytes written_bytes file_bytes members files seconds",
    defaults=[128 << 20, 512 << 20, 32 << 20, 1 << 20, 20000, 2000, 20],
)
READERS = {"zip": zip_members, "tar": tar_members}
BROKEN = (
    OSError,
    EOFError,
    zlib.error,
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
    ValueError,
)


class Unpacker:
    """The only writer into one folder; keeps track of the limits."""

    def __init__(self, folder, limits):
        self.folder, self.limits = folder, limits
        self.names, self.problems, self.written, self.files, self.members = Names(), [], 0, 0, 0
        self.end = time.monotonic() + limits.seconds

    def refuse(self, name, why):
        self.problems.append(f"{shown_name(name)}: {why}")

    def count_member(self):
        self.members += 1
        if self.members > self.limits.members:
            raise TooMuch(f"has more than {self.limits.members} members")
        self.look_at_clock()

    def look_at_clock(self):
        if time.monotonic() > self.end:
            raise TooMuch(f"takes longer than {self.limits.seconds:g} s to unpack")

    def put(self, name, pieces, declared, below=()):
        """Writes one file, or refuses it. Raises TooMuch beyond a limit on the whole submission."""
        try:
            parts = parts_of(name)
            if is_noise(parts):
                return
            if declared > self.limits.file_bytes:
                raise Refused(f"is larger than {self.limits.file_bytes >> 10} kB")
            self.names.take([*below, *parts])
            self.write(self.folder.joinpath(*below, *parts), self.content(pieces))
        except Refused as why:
            self.refuse(name, why)
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            self.refuse(name, "is a file and a folder at once")

    def write(self, file, content):
        """Raises OSError if the disk is full, which is not the student's fault."""
        if self.files >= self.limits.files:
            raise TooMuch(f"has more than {self.limits.files} files: the rest was left out")
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
        with open(descriptor, "wb") as out:
            out.write(content)
        self.files += 1

    def content(self, pieces):
        """The whole content, limited by its actual size."""
        content = bytearray()
        try:
            for piece in pieces:
                content += piece
                self.look_at_clock()
                if len(content) > self.limits.file_bytes:
                    raise Refused(f"is larger than {self.limits.file_bytes >> 10} kB")
        except BROKEN:
            raise Refused("is damaged") from None
        self.written += len(content)
        if self.written > self.limits.written_bytes:
            raise TooMuch(
                f"unpacks to more than {self.limits.written_bytes >> 20} MB: the rest was left out"
            )
        return content

    def archive(self, path, kind, below=()):
        """Unpacks an archive. `below`: its own folder, if there are several archives."""
        if path.stat().st_size > self.limits.archive_bytes:
            raise TooMuch(
                f"is larger than {self.limits.archive_bytes >> 20} MB: leave out the folder build/"
            )
        for member in READERS[kind](path, self.limits):
            self.count_member()
            if member.kind == "file":
                self.put(member.name, member.pieces, member.size, below)
            elif member.kind == "other" and not is_noise(member.name.split("/")):
                self.refuse(member.name, member.why)

    def tree(self, top, left_out=()):
        for path, name, why in files_below(top):
            self.count_member()
            if path not in left_out:
                self.copy(path, name, why)

    def copy(self, path, name, why=""):
        if why:
            self.refuse(name, why)
        else:
            self.put(name, pieces_of_file(path), os.lstat(path).st_size)


MOST_SENTENCES = 20
HANDED_IN = re.compile(r"(part\d+_)?(mine|worksheet).*\.(hpp|cuh)", re.IGNORECASE)


def archives_at_top(folder):
    """The archives in a folder; [] if a handed-in file lies beside them, because then they are only copies."""
    if any(HANDED_IN.fullmatch(os.path.basename(name)) for _, name, _ in files_below(folder)):
        return []
    found = [
        one for one in folder.iterdir() if not is_noise([one.name]) and kind_of(one) in READERS
    ]
    return sorted(found, key=lambda one: os.fsencode(one.name))


def open_one(unpacker, path, name, several, left_out):
    """Takes one file of a submission: opens an archive, copies anything else."""
    kind = kind_of(path)
    try:
        if kind in READERS:
            unpacker.archive(path, kind, (path.name,) if several else ())
        elif kind == "folder":
            unpacker.tree(path, left_out)
        else:
            unpacker.copy(path, name, problem_of(path))
    except (TooMuch, Damaged) as why:
        unpacker.refuse(path.name, why)


def tell_of_nested(unpacker):
    """Reports archives inside archives, which are not opened."""
    for path, name, _ in files_below(unpacker.folder):
        if kind_of(unpacker.folder / path) in READERS:
            unpacker.refuse(
                name, "is an archive in an archive, or beside other files: it was not opened"
            )


def several_sentences(problems):
    more = len(problems) - MOST_SENTENCES
    return problems[:MOST_SENTENCES] + ([f"and {more} more such problems"] if more > 0 else [])


def unpack(submission, folder, limits=UnpackLimits()):
    """Unpacks into `folder`, which must be new or empty. Returns problems, a sentence each. Raises OSError if it cannot
    write."""
    folder.mkdir(parents=True, exist_ok=True)
    if submission.problem:
        return [submission.problem]
    files, archives = list(submission.files), []
    if len(files) == 1 and kind_of(files[0][0]) == "folder":
        archives = archives_at_top(files[0][0])
        files += [(path, path.name) for path in archives]
    several = sum(kind_of(path) in READERS for path, _ in files) > 1
    unpacker = Unpacker(folder, limits)
    for path, name in files:
        open_one(unpacker, path, name, several, [str(one) for one in archives])
    tell_of_nested(unpacker)
    return several_sentences(unpacker.problems)


def listed(path):
    """[(name below it, digest)]"""
    if path.is_dir() and not path.is_symlink():
        return [(name, digest_of(one)) for one, name, why in files_below(path) if not why]
    return [] if problem_of(path) else [("", digest_of(path))]


def checksum(submission):
    """ "sha256:..." of what was handed in; for a single file, the same as sha256sum prints."""
    found = [(outer, *one) for path, outer in submission.files for one in listed(path)]
    if len(found) == 1 and not found[0][1]:
        return f"sha256:{found[0][2]}"
    text = "\n".join("\0".join(one) for one in sorted(found))
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
