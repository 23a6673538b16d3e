"""Does the same input give the same bytes, and does the archive unpack to what went in?"""

import io
import tarfile
import time
import zipfile

import pytest

from nbody_lab.handout.archive import Member, pack_tar, pack_zip

MEMBERS = {"b/two.txt": Member(b"two\n"), "lab": Member(b"#!\n", 0o755), "b/\u00e9": Member(b"")}


def unpack_tar(content):
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        infos = tar.getmembers()
        assert {(one.uid, one.uname, one.mtime) for one in infos} == {(0, "", 315532800)}
        return {one.name: (tar.extractfile(one).read(), one.mode) for one in infos}


def unpack_zip(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        infos = archive.infolist()
        return {one.filename: (archive.read(one), one.external_attr >> 16 & 0o777) for one in infos}


@pytest.mark.parametrize(("pack", "unpack"), [(pack_tar, unpack_tar), (pack_zip, unpack_zip)])
def test_what_was_packed_is_unpacked_from_the_same_bytes_each_time(pack, unpack, monkeypatch):
    """At another time, from another order."""
    first = pack("top", MEMBERS)
    assert unpack(first) == {
        f"top/{path}": (one.content, one.mode) for path, one in MEMBERS.items()
    }
    monkeypatch.setattr(time, "time", lambda: 2e9)
    assert pack("top", dict(reversed(MEMBERS.items()))) == first
