"""Zips and tars as a student or an attacker would make them: the same bytes every time."""

import gzip
import io
import stat
import tarfile
import warnings
import zipfile
from pathlib import Path

WHEN = (2026, 11, 20, 12, 0, 0)
HEADER = "part1_standard_opti/mine.hpp"
STORED = Path(__file__).resolve().with_name("submissions")
HONEST = (STORED / "locals" / HEADER).read_bytes()


def zip_info(name, mode=stat.S_IFREG | 0o644):
    info = zipfile.ZipInfo("x", WHEN)
    info.filename = name  # unchanged: the constructor would clean it
    info.create_system, info.external_attr = 3, mode << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def zip_of(*members, compression=zipfile.ZIP_DEFLATED):
    """members: (name or ZipInfo, content)"""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # duplicate names are intended
        for name, content in members:
            info = zip_info(name) if isinstance(name, str) else name
            archive.writestr(info, content, compression if isinstance(name, str) else None)
    return out.getvalue()


def write_files(folder, files):
    """files: {name: text or bytes}"""
    for name, content in dict(files).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())


def tar_of(*members, packed=True, form=tarfile.GNU_FORMAT):
    """members: (name, content) or a TarInfo; gzipped if packed."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=form) as archive:
        for one in members:
            name, content = one if isinstance(one, tuple) else (one, b"")
            info = tarfile.TarInfo(name) if isinstance(name, str) else name
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return gzip.compress(raw.getvalue(), mtime=0) if packed else raw.getvalue()


def tar_of_kind(name, kind, target="", size=0):
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, target, size
    return info


def locked(data):
    """The zip with only the flag of a password, on its first member."""
    data = bytearray(data)
    for magic, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(magic) + flags] |= 1
    return bytes(data)
