"""Reproducible archives: fixed times, order, owners and headers give the same bytes each time."""

import gzip
import hashlib
import io
import tarfile
import zipfile
from collections import namedtuple

Member = namedtuple("Member", "content executable", defaults=(False,))

TIME = 315532800  # 1 January 1980, the first day a zip file can store
DAY = (1980, 1, 1, 0, 0, 0)


def mode_of(member):
    return 0o755 if member.executable else 0o644


def tar_gz(folder, members):
    """The bytes of a .tar.gz with `folder` at its top; `members`: {path below it: Member}."""
    tar_bytes = io.BytesIO()
    with tarfile.open(fileobj=tar_bytes, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(members):
            info = tarfile.TarInfo(f"{folder}/{path}")
            info.size, info.mtime, info.mode = (
                len(members[path].content),
                TIME,
                mode_of(members[path]),
            )
            tar.addfile(info, io.BytesIO(members[path].content))
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=packed, mode="wb", compresslevel=9, mtime=0) as out:
        out.write(tar_bytes.getvalue())
    return packed.getvalue()


def zipped(folder, members):
    """The same as a zip file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted(members):
            info = zipfile.ZipInfo(f"{folder}/{path}", DAY)
            info.compress_type, info.create_system = (
                zipfile.ZIP_DEFLATED,
                3,
            )  # always marked as made on Unix
            info.external_attr = (0o100000 | mode_of(members[path])) << 16
            archive.writestr(info, members[path].content, compresslevel=9)
    return packed.getvalue()


def checksum(content):
    return hashlib.sha256(content).hexdigest()
