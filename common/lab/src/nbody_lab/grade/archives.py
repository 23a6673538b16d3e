"""The members of an archive or a folder, whose author may be hostile. They are read one by one, under limits, and nothing
is unpacked to the disk: so no name leads anywhere, and no link or device comes to be."""

import gzip
import io
import os
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from nbody_lab.core.clean_text import in_one_line

LARGEST = 64 << 20  # bytes of an archive, and of what a gzip unpacks to
MEMBERS = 5000  # of an archive or a folder
_HEADER_BYTES = 64 << 10  # of a long name and the like
# What the libraries raise when bytes are damaged, locked or made to deceive.
BROKEN = (
    *(OSError, EOFError, ValueError, RuntimeError, NotImplementedError, struct.error),
    *(zlib.error, zipfile.BadZipFile, tarfile.TarError),
)
# What no student means to hand in.
_NOISE = {"__macosx", "__pycache__", "build", "node_modules", "thumbs.db", "desktop.ini"}


class Refused(Exception):
    """Why an archive is not used, in a line: nobody knows what it holds beside what was read."""


class Member(NamedTuple):
    name: str  # may hold anything
    # Its first so many bytes, before the next member is asked for. Raises one of BROKEN.
    read: Callable[[int], bytes]


def read_plain(path: Path, most: int) -> bytes:
    """The first `most` bytes of a file. Raises OSError for a link and for what is no file, which is not opened."""
    if path.is_symlink() or not path.is_file():
        raise OSError("is a link" if path.is_symlink() else "is not a plain file")
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        return file.read(most)


def kind_of(path: Path) -> str:
    """ "folder", "zip", "tar", "file" or "broken", by content, not by name."""
    if path.is_dir() and not path.is_symlink():
        return "folder"
    try:
        return kind_of_bytes(read_plain(path, 512))
    except OSError:
        return "broken"


def kind_of_bytes(start: bytes) -> str:
    """ "zip", "tar" or "file", by the first 512."""
    if start[:4] in (b"PK\3\4", b"PK\5\6"):
        return "zip"
    return "tar" if start[:2] == b"\x1f\x8b" or start[257:262] == b"ustar" else "file"


def _is_noise(name: str) -> bool:
    parts = re.split(r"[/\\]", name.casefold())
    return any(part in _NOISE or re.match(r"\.[^.]", part) for part in parts)


def files_below(folder: Path) -> Iterator[Path]:
    """In order, without build/ and the like. Links are listed, not followed."""
    for place, folders, files in os.walk(folder):
        links = [name for name in folders if Path(place, name).is_symlink()]
        folders[:] = sorted(name for name in folders if not _is_noise(name))
        yield from (Path(place, name) for name in sorted(files + links) if not _is_noise(name))


def _in_folder(folder: Path) -> Iterator[Member]:
    """With the members of archives at its top, as platforms export an upload."""
    for path in files_below(folder):
        if path.parent == folder:
            yield from members(path, path.name)
        else:
            yield Member(str(path.relative_to(folder)), partial(read_plain, path))


def _in_zip(data: bytes) -> Iterator[Member]:
    if data.count(b"PK\1\2") > MEMBERS:  # before zipfile makes an object of each entry
        raise ValueError(f"lists more than {MEMBERS} members")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:

        def read(info: zipfile.ZipInfo, size: int) -> bytes:
            if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
                raise ValueError("is a link, or no plain file")
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise ValueError("is compressed in a way that zipfile unpacks without a limit")
            with archive.open(info) as file:
                return file.read(size)

        for info in archive.infolist():
            yield Member(info.filename, partial(read, info))


class _Header(tarfile.TarInfo):
    """Refuses what tarfile would read whole, or for hours, before it does."""

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        most = LARGEST if self.isreg() else _HEADER_BYTES
        if not 0 <= self.size <= most or self.type == tarfile.GNUTYPE_SPARSE:
            raise ValueError("has a header that claims too much")
        found: tarfile.TarInfo = super()._proc_member(archive)  # type: ignore[misc]
        return found


def _in_tar(data: bytes) -> Iterator[Member]:
    if data.startswith(b"\x1f\x8b"):
        with gzip.open(io.BytesIO(data)) as file:
            data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(f"unpacks to more than {LARGEST >> 20} MB: leave out the folder build/")
    if b"GNU.sparse." in data:
        raise ValueError("holds a sparse file")  # whose map may have no end
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:", tarinfo=_Header) as archive:

        def read(header: tarfile.TarInfo, size: int) -> bytes:
            file = archive.extractfile(header) if header.isreg() else None
            if file is None:  # extractfile() would follow a link
                raise ValueError("is a link, or no plain file")
            return file.read(size)

        while header := archive.next():
            archive.members.clear()  # type: ignore[attr-defined]  # else it keeps each, with a copy of all that is said of the rest
            yield Member(header.name + "/" * header.isdir(), partial(read, header))
        # Damage is no end of the archive, which is a block of zeros; tarfile takes it for one.
        rest = data[archive.offset :]
        if len(rest) < tarfile.BLOCKSIZE or rest.strip(b"\0"):
            raise ValueError("is damaged, or cut off")


def members(path: Path, name: str) -> Iterator[Member]:
    """The files in a folder or an archive; else the file itself, under this name. Raises Refused."""
    kind = kind_of(path)
    if kind not in ("folder", "zip", "tar"):
        yield Member(name, partial(read_plain, path))
        return
    try:
        if kind == "folder":
            found = _in_folder(path)
        else:
            data = read_plain(path, LARGEST + 1)
            if len(data) > LARGEST:
                raise ValueError(f"is larger than {LARGEST >> 20} MB: leave out the folder build/")
            found = _in_zip(data) if kind == "zip" else _in_tar(data)
        for number, member in enumerate(found):
            if number >= MEMBERS:
                raise ValueError(f"has more than {MEMBERS} members")
            if not _is_noise(member.name) and not member.name.endswith(("/", "\\")):
                yield member
    except BROKEN as fault:
        raise Refused(in_one_line(f"{path.name}: {fault}")) from fault
