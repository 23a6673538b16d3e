"""Does the same input give the same bytes, and does the archive unpack to what went in?"""

import io
import tarfile
import time
import unittest
import zipfile
from unittest import mock

from nbody_lab.handout.archive import Member, tar_gz, zipped

MEMBERS = {
    "b/two.txt": Member(b"two\n"),
    "lab": Member(b"#!/bin/sh\n", True),
    "b/\u00e9.hpp": Member(b""),
}


class ArchiveTest(unittest.TestCase):
    def test_the_same_bytes_at_another_time_in_another_order(self):
        for pack in (tar_gz, zipped):
            first = pack("top", MEMBERS)
            with mock.patch.object(time, "time", return_value=2e9):
                self.assertEqual(pack("top", dict(reversed(MEMBERS.items()))), first, pack)
            self.assertNotEqual(
                pack("top", {**MEMBERS, "lab": Member(b"#!/bin/sh\n")}), first, pack
            )

    def test_a_tar_file_unpacks(self):
        with tarfile.open(fileobj=io.BytesIO(tar_gz("top", MEMBERS))) as tar:
            found = {
                info.name: (tar.extractfile(info).read(), info.mode, info.uid, info.uname)
                for info in tar
            }
        self.assertEqual(
            found,
            {
                "top/b/two.txt": (b"two\n", 0o644, 0, ""),
                "top/lab": (b"#!/bin/sh\n", 0o755, 0, ""),
                "top/b/\u00e9.hpp": (b"", 0o644, 0, ""),
            },
        )

    def test_a_zip_file_unpacks(self):
        with zipfile.ZipFile(io.BytesIO(zipped("top", MEMBERS))) as archive:
            found = {
                info.filename: (archive.read(info), info.external_attr >> 16 & 0o777)
                for info in archive.infolist()
            }
        self.assertEqual(
            found,
            {
                "top/b/two.txt": (b"two\n", 0o644),
                "top/lab": (b"#!/bin/sh\n", 0o755),
                "top/b/\u00e9.hpp": (b"", 0o644),
            },
        )
