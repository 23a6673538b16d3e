"""Reads the members of a tar or tar.gz block by block: no declared size is trusted before its bytes are there.

Python's tarfile reads as much into memory as a header claims, and its filter against hostile archives needs a newer
Python than ours. Here it only decodes single headers.
"""

import gzip
import tarfile
import zlib

from grade.member import Damaged, Member, TooMuch

BLOCK = 512
LARGEST_EXTENSION = 64 << 10  # bytes of a long name or of pax records
FILES, FOLDER = (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE), tarfile.DIRTYPE
OTHER = {tarfile.SYMTYPE: "is a symbolic link", tarfile.LNKTYPE: "is a hard link", tarfile.CHRTYPE: "is a device",
         tarfile.BLKTYPE: "is a device", tarfile.FIFOTYPE: "is a pipe"}


class Stream:
    """The bytes of a tar; stops at the limit on unpacked bytes."""

    def __init__(self, file, limit):
        self.file, self.left = file, limit

    def read(self, size):
        """Exactly `size` bytes, at most 1 MB. Raises EOFError, TooMuch."""
        self.left -= size
        if self.left < 0:
            raise TooMuch("unpacks to more than the limit")
        data = self.file.read(size)
        if len(data) < size:
            raise EOFError
        return data

    def pieces(self, size):
        while size > 0:
            piece = self.read(min(size, 1 << 16))
            size -= len(piece)
            yield piece


def records_of(data):
    """{key: text} of pax records. Raises ValueError."""
    found = {}
    while data.rstrip(b"\0"):
        length, _, rest = data.partition(b" ")
        size = int(length) - len(length) - 1
        if not 1 < size <= len(rest):
            raise ValueError("a record of pax")
        key, _, value = rest[:size - 1].partition(b"=")
        found[key.decode("utf-8", "surrogateescape")] = value.decode("utf-8", "surrogateescape")
        data = rest[size:]
    return found


def extension(header, stream):
    """What an extension says about the next member: {"path": ..., "size": ...}"""
    if header.size > LARGEST_EXTENSION:
        raise TooMuch("holds a name that is too long")
    padded = -(-header.size // BLOCK) * BLOCK
    data = stream.read(padded)[:header.size]
    if header.type == tarfile.GNUTYPE_LONGNAME:
        return {"path": data.rstrip(b"\0").decode("utf-8", "surrogateescape")}
    return records_of(data) if header.type == tarfile.XHDTYPE else {}


def kind_of(header):
    if header.type == FOLDER or (header.type in FILES and header.name.endswith("/")):
        return "folder", ""
    if header.type in FILES:
        return "file", ""
    return "other", OTHER.get(header.type, "is of an unknown kind")


def members_in(stream):
    said = {}
    while True:
        try:
            header = tarfile.TarInfo.frombuf(stream.read(BLOCK), "utf-8", "surrogateescape")
        except tarfile.EOFHeaderError:
            return
        if header.size < 0:
            raise ValueError("a negative size")
        if header.type in (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE):
            said.update(extension(header, stream))
            continue
        size = int(said.get("size", header.size)) if header.type in FILES else header.size
        if size < 0:
            raise ValueError("a negative size")
        kind, why = kind_of(header)
        # Only files and unknown kinds have bytes, whatever the header claims.
        size = size if kind == "file" or header.type not in (*OTHER, FOLDER) else 0
        pieces = stream.pieces(size)
        yield Member(said.get("path", header.name), kind, why, size, pieces)
        for _ in pieces:
            pass
        stream.read(-size % BLOCK)
        said = {}


def tar_members(path, limits):
    """Yields Member. Raises TooMuch or Damaged."""
    with path.open("rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        with gzip.GzipFile(fileobj=raw) if packed else raw as file:
            try:
                yield from members_in(Stream(file, limits.read_bytes))
            except (EOFError, zlib.error, ValueError, tarfile.TarError, OSError) as fault:
                raise Damaged from fault
