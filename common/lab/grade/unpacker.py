"""Writes files from archives and folders below one folder of ours, within the limits."""

import os
import time
import zipfile
import zlib
from collections import namedtuple

from grade.folder_files import files_below, pieces_of_file
from grade.member import TooMuch
from grade.member_names import Names, Refused, is_noise, parts_of, shown_name
from grade.tar_members import tar_members
from grade.zip_members import zip_members

# archive_bytes: of the archive itself; read_bytes: unpacked to look at; written_bytes: written to files; file_bytes:
# per file; members: looked at; files: written; seconds: for all of it.
UnpackLimits = namedtuple("UnpackLimits", "archive_bytes read_bytes written_bytes file_bytes members files seconds",
                          defaults=[128 << 20, 512 << 20, 32 << 20, 1 << 20, 20000, 2000, 20])
READERS = {"zip": zip_members, "tar": tar_members}
BROKEN = (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError)


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
            raise TooMuch(f"unpacks to more than {self.limits.written_bytes >> 20} MB: the rest was left out")
        return content

    def archive(self, path, kind, below=()):
        """Unpacks an archive. `below`: its own folder, if there are several archives."""
        if path.stat().st_size > self.limits.archive_bytes:
            raise TooMuch(f"is larger than {self.limits.archive_bytes >> 20} MB: leave out the folder build/")
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
