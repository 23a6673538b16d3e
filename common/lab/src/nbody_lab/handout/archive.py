"""Reproducible archives: fixed times, order and owners give the same bytes each time."""

import gzip
import io
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from nbody_lab.building.arguments import option, parse_result_file
from nbody_lab.core.errors import LabError

_TIME = 315532800  # 1980: to some tools, a file of 1970 is not there


class Member(NamedTuple):
    content: bytes
    mode: int = 0o644


def _parse(text: str) -> Path:
    if not text.endswith(".tar.gz"):
        raise LabError(f"{text}: the archive must be a .tar.gz")
    return parse_result_file(text)


ARCHIVE_FILE = option("-o", "FILE.tar.gz", "the archive", parser=_parse)


def pack_tar(folder: str, members: Mapping[str, Member]) -> bytes:
    """The bytes of a .tar.gz with `folder` at its top. `members`: by path."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for path, member in sorted(members.items()):
            info = tarfile.TarInfo(f"{folder}/{path}")
            info.size, info.mtime, info.mode = len(member.content), _TIME, member.mode
            tar.addfile(info, io.BytesIO(member.content))
    return gzip.compress(archive.getvalue(), mtime=0)
