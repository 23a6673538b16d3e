"""Reads the members of an archive. A declared size of a zip is a reason to stop early, but is not trusted otherwise."""

import gzip
import stat
import tarfile
import zipfile
import zlib
from collections import namedtuple

# What the two readers yield and raise.

# kind: file, folder or other; why: the reason for other; size: declared, in bytes; pieces: the bytes, to be read once.
Member = namedtuple("Member", "name kind why size pieces")


class TooMuch(Exception):
    """A limit on the whole archive was exceeded; the message ends a sentence."""


class Damaged(Exception):
    """The archive cannot be read any further."""

    def __init__(self):
        super().__init__("is damaged: what came before the damage was used")


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
    except (
        zipfile.BadZipFile,
        ValueError,
        NotImplementedError,
        EOFError,
        zlib.error,
        OSError,
    ) as fault:
        raise Damaged from fault
    with archive:
        for info in archive.infolist():
            kind, why = kind_of(info)
            # The stored name: zipfile cuts it at a zero byte.
            yield Member(info.orig_filename, kind, why, info.file_size, pieces_of(archive, info))


# Reads the members of a tar or tar.gz block by block: no declared size is trusted before its bytes are there.
#
# Python's tarfile reads as much into memory as a header claims, and its filter against hostile archives needs a
# newer Python than ours. Here it only decodes single headers.
BLOCK = 512
LARGEST_EXTENSION = 64 << 10  # bytes of a long name or of pax records
FILES, FOLDER = (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE), tarfile.DIRTYPE
OTHER = {
    tarfile.SYMTYPE: "is a symbolic link",
    tarfile.LNKTYPE: "is a hard link",
    tarfile.CHRTYPE: "is a device",
    tarfile.BLKTYPE: "is a device",
    tarfile.FIFOTYPE: "is a pipe",
}


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
        key, _, value = rest[: size - 1].partition(b"=")
        found[key.decode("utf-8", "surrogateescape")] = value.decode("utf-8", "surrogateescape")
        data = rest[size:]
    return found


def extension(header, stream):
    """What an extension says about the next member: {"path": ..., "size": ...}"""
    if header.size > LARGEST_EXTENSION:
        raise TooMuch("holds a name that is too long")
    padded = -(-header.size // BLOCK) * BLOCK
    data = stream.read(padded)[: header.size]
    if header.type == tarfile.GNUTYPE_LONGNAME:
        return {"path": data.rstrip(b"\0").decode("utf-8", "surrogateescape")}
    return records_of(data) if header.type == tarfile.XHDTYPE else {}


def kind_of_tar(header):
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
        if header.type in (
            tarfile.GNUTYPE_LONGNAME,
            tarfile.GNUTYPE_LONGLINK,
            tarfile.XHDTYPE,
            tarfile.XGLTYPE,
        ):
            said.update(extension(header, stream))
            continue
        size = int(said.get("size", header.size)) if header.type in FILES else header.size
        if size < 0:
            raise ValueError("a negative size")
        kind, why = kind_of_tar(header)
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
