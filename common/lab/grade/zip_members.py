"""Reads the members of a zip. A declared size is a reason to stop early, but is not trusted otherwise."""

import stat
import zipfile
import zlib

from grade.member import Damaged, Member, TooMuch

ENTRY = b"PK\1\2"  # each member has one in the list at the end
PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENCRYPTED = 0x1


def most_members(path):
    """An upper bound, found without building the list of members in memory."""
    found, before = 0, b""
    with path.open("rb") as file:
        while True:
            piece = file.read(1 << 20)
            if not piece:
                return found
            found += (before + piece).count(ENTRY)
            before = piece[-3:]


def kind_of(info):
    mode = info.external_attr >> 16
    if info.flag_bits & ENCRYPTED:
        return "other", "is encrypted"
    if stat.S_ISLNK(mode):
        return "other", "is a symbolic link"
    if info.filename.endswith(("/", "\\")):
        return "folder", ""
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "other", "is not a regular file"
    if info.compress_type not in PACKINGS:
        return "other", "uses a compression that is not supported"
    return "file", ""


def pieces_of(archive, info):
    with archive.open(info) as file:
        while True:
            piece = file.read(1 << 16)
            if not piece:
                return
            yield piece


def zip_members(path, limits):
    """Yields Member. Raises TooMuch or Damaged; a damaged member raises when its pieces are read."""
    if most_members(path) > limits.members:
        raise TooMuch(f"has more than {limits.members} members")
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError, zlib.error, OSError) as fault:
        raise Damaged from fault
    with archive:
        for info in archive.infolist():
            kind, why = kind_of(info)
            # The stored name: zipfile cuts it at a zero byte.
            yield Member(info.orig_filename, kind, why, info.file_size, pieces_of(archive, info))
