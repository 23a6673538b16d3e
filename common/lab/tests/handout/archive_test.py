"""Does the same input give the same bytes, and does the archive unpack to what went in?"""

import io
import tarfile
import time
import zipfile

import pytest

from nbody_lab.handout.archive import Member, pack_tar, pack_zip

MEMBERS = {
    "b/two.txt": Member(b"two\n"),
    "lab": Member(b"#!/bin/sh\n", True),
    "b/\u00e9.hpp": Member(b""),
}
UNPACKED = {f"top/{path}": (member.content, member.mode) for path, member in MEMBERS.items()}


def unpack_tar(content):
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        infos = tar.getmembers()
        assert {(info.uid, info.gid, info.uname, info.mtime) for info in infos} == {
            (0, 0, "", 315532800)
        }
        return {info.name: (tar.extractfile(info).read(), info.mode) for info in infos}


def unpack_zip(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {
            info.filename: (archive.read(info), info.external_attr >> 16 & 0o777)
            for info in archive.infolist()
        }


@pytest.mark.parametrize(("pack", "unpack"), [(pack_tar, unpack_tar), (pack_zip, unpack_zip)])
def test_what_was_packed_is_unpacked_from_the_same_bytes_each_time(pack, unpack, monkeypatch):
    """At another time, from another order."""
    assert UNPACKED["top/lab"][1] == 0o755
    first = pack("top", MEMBERS)
    assert unpack(first) == UNPACKED
    monkeypatch.setattr(time, "time", lambda: 2e9)
    assert pack("top", dict(reversed(MEMBERS.items()))) == first
    assert pack("top", {**MEMBERS, "lab": Member(b"#!/bin/sh\n")}) != first
