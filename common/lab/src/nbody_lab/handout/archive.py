"""Reproducible archives: fixed times, order, owners and headers give the same bytes each time."""

import gzip
import io
import tarfile
import zipfile
from collections.abc import Mapping
from typing import NamedTuple

_TIME = 315532800  # 1 January 1980, the day that zipfile stores


class Member(NamedTuple):
    content: bytes
    mode: int = 0o644


Members = Mapping[str, Member]  # by path


def pack_tar(folder: str, members: Members) -> bytes:
    """The bytes of a .tar.gz with `folder` at its top."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path, member in sorted(members.items()):
            info = tarfile.TarInfo(f"{folder}/{path}")
            info.size, info.mtime, info.mode = len(member.content), _TIME, member.mode
            tar.addfile(info, io.BytesIO(member.content))
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=packed, mode="wb", compresslevel=9, mtime=0) as out:
        out.write(archive.getvalue())
    return packed.getvalue()


def pack_zip(folder: str, members: Members) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path, member in sorted(members.items()):
            info = zipfile.ZipInfo(f"{folder}/{path}")
            info.external_attr = (0o100000 | member.mode) << 16
            archive.writestr(info, member.content, zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()
