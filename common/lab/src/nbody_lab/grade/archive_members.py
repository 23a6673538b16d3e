"""Reads the members of an archive, which may lie: no declared size is believed before its bytes are there.

Python's tarfile reads as much into memory as a header claims, and its filter against hostile archives needs a newer
Python than ours: here it only decodes single headers. bsdtar in a sandbox would unpack as well, but --dry-run works
where no sandbox starts, and each member that is left out needs its own reason.
"""

from __future__ import annotations

import gzip
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

BROKEN = (
    *(OSError, EOFError, zlib.error, zipfile.BadZipFile, tarfile.TarError),
    *(NotImplementedError, RuntimeError, ValueError),
)
_PIECE = 1 << 16


class Member(NamedTuple):
    name: str
    kind: str  # "file", "folder" or "other"
    why: str  # the reason for "other"
    size: int  # declared, in bytes
    pieces: Iterator[bytes]  # to be read once


class TooMuch(Exception):
    """A limit on the whole archive was exceeded; the message ends a sentence."""


class Damaged(Exception):
    """The archive cannot be read any further."""

    def __init__(self) -> None:
        super().__init__("is damaged: what came before the damage was used")


def read_members(path: Path, kind: str, most_members: int, most_bytes: int) -> Iterator[Member]:
    """`kind`: "zip" or "tar". `most_bytes`: unpacked, to look at. Raises TooMuch or Damaged; a damaged member of a zip
    raises when its pieces are read."""
    try:
        if kind == "zip":
            yield from _read_zip(path, most_members)
        else:
            yield from _read_tar(path, most_bytes)
    except BROKEN as fault:
        raise Damaged from fault


# --- zip ---

_ENTRY = b"PK\1\2"  # each member has one in the list at the end
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1


def _count_entries(path: Path) -> int:
    """An upper bound, found without building the list of members in memory."""
    found, before = 0, b""
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            found += (before + piece).count(_ENTRY)
            before = piece[-3:]
    return found


def _kind_in_zip(info: zipfile.ZipInfo) -> tuple[str, str]:
    mode = info.external_attr >> 16
    if info.flag_bits & _ENCRYPTED:
        return "other", "is encrypted"
    if stat.S_ISLNK(mode):
        return "other", "is a symbolic link"
    if info.filename.endswith(("/", "\\")):
        return "folder", ""
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "other", "is not a regular file"
    if info.compress_type not in _PACKINGS:
        return "other", "uses a compression that is not supported"
    return "file", ""


def _pieces_in_zip(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[bytes]:
    with archive.open(info) as file:
        yield from iter(lambda: file.read(_PIECE), b"")


def _read_zip(path: Path, most_members: int) -> Iterator[Member]:
    if _count_entries(path) > most_members:
        raise TooMuch(f"has more than {most_members} members")
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            # The stored name: zipfile cuts it at a zero byte.
            name, pieces = info.orig_filename, _pieces_in_zip(archive, info)
            yield Member(name, *_kind_in_zip(info), info.file_size, pieces)


# --- tar and tar.gz ---

_BLOCK = 512
_LARGEST_EXTENSION = 64 << 10  # bytes of a long name or of pax records
_FILES, _FOLDER = (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE), tarfile.DIRTYPE
_LONG_NAME, _PAX = tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE
_EXTENSIONS = (_LONG_NAME, tarfile.GNUTYPE_LONGLINK, _PAX, tarfile.XGLTYPE)
_OTHER = {
    tarfile.SYMTYPE: "is a symbolic link",
    tarfile.LNKTYPE: "is a hard link",
    tarfile.CHRTYPE: "is a device",
    tarfile.BLKTYPE: "is a device",
    tarfile.FIFOTYPE: "is a pipe",
}


class _Stream:
    """The bytes of a tar; stops at the limit on unpacked bytes."""

    def __init__(self, file: BinaryIO | gzip.GzipFile, most_bytes: int) -> None:
        self.file, self.left = file, most_bytes

    def read(self, size: int) -> bytes:
        """Exactly `size` bytes. Raises EOFError, TooMuch."""
        self.left -= size
        if self.left < 0:
            raise TooMuch("unpacks to more than the limit")
        data = self.file.read(size)
        if len(data) < size:
            raise EOFError
        return data

    def pieces(self, size: int) -> Iterator[bytes]:
        while size > 0:
            piece = self.read(min(size, _PIECE))
            size -= len(piece)
            yield piece


def _parse_pax(data: bytes) -> dict[str, str]:
    """The records of an extension. Raises ValueError."""
    found = {}
    while data.rstrip(b"\0"):
        length, _, rest = data.partition(b" ")
        size = int(length) - len(length) - 1
        if not 1 < size <= len(rest):
            raise ValueError("a record of pax")
        key, _, value = rest[: size - 1].partition(b"=")
        found[key.decode("utf-8", "surrogateescape")] = value.decode("utf-8", "surrogateescape")
        data = rest[size:]
    return found


def _read_extension(header: tarfile.TarInfo, stream: _Stream) -> dict[str, str]:
    """What it says about the next member: "path", "size"."""
    if header.size > _LARGEST_EXTENSION:
        raise TooMuch("holds a name that is too long")
    data = stream.read(header.size + -header.size % _BLOCK)[: header.size]
    if header.type == _LONG_NAME:
        return {"path": data.rstrip(b"\0").decode("utf-8", "surrogateescape")}
    return _parse_pax(data) if header.type == _PAX else {}


def _kind_in_tar(header: tarfile.TarInfo) -> tuple[str, str]:
    if header.type == _FOLDER or (header.type in _FILES and header.name.endswith("/")):
        return "folder", ""
    if header.type in _FILES:
        return "file", ""
    return "other", _OTHER.get(header.type, "is of an unknown kind")


def _members_in(stream: _Stream) -> Iterator[Member]:
    extension: dict[str, str] = {}
    while True:
        try:
            header = tarfile.TarInfo.frombuf(stream.read(_BLOCK), "utf-8", "surrogateescape")
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
            return
        size = int(extension.get("size", header.size)) if header.type in _FILES else header.size
        if min(size, header.size) < 0:
            raise ValueError("a negative size")
        if header.type in _EXTENSIONS:
            extension.update(_read_extension(header, stream))
            continue
        kind, why = _kind_in_tar(header)
        # Only files and unknown kinds have bytes, whatever the header claims.
        size = size if kind == "file" or header.type not in (*_OTHER, _FOLDER) else 0
        pieces = stream.pieces(size)
        yield Member(extension.get("path", header.name), kind, why, size, pieces)
        for _ in pieces:
            pass
        stream.read(-size % _BLOCK)
        extension = {}


def _read_tar(path: Path, most_bytes: int) -> Iterator[Member]:
    with path.open("rb") as raw:
        is_packed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        with gzip.GzipFile(fileobj=raw) if is_packed else raw as file:
            yield from _members_in(_Stream(file, most_bytes))
