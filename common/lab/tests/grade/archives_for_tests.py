"""For tests: archives as others make them, and what unpacking them yields."""

import io
import os
import shutil
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

from nbody_lab.grade.archives import UnpackLimits, unpack
from nbody_lab.grade.submissions import find_submissions

GOOD = ("part1/mine.hpp", b"good")
SMALL = UnpackLimits(file_bytes=1000, written_bytes=5000, read_bytes=100_000, members=50, files=20)


def tar_of(members, how="w:gz"):
    """`members`: (name, content) or TarInfo."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=how) as tar:
        for one in members:
            info = one if isinstance(one, tarfile.TarInfo) else tarfile.TarInfo(one[0])
            content = b"" if isinstance(one, tarfile.TarInfo) else one[1]
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return out.getvalue()


def special(name, kind, target=""):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def zip_of(members):
    """`members`: (name or ZipInfo, content)."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return out.getvalue()


class Unpacking(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = Path(folder.name)
        self.students, self.out = self.top / "class", self.top / "out/here"
        self.students.mkdir()
        self.outside = self.top / "secret"
        self.outside.write_text("secret")

    def again(self):
        shutil.rmtree(self.out)

    def unpacked(self, data, limits=SMALL, name="anna.zip"):
        """(files {name: content}, problems in one text)"""
        (self.students / name).write_bytes(data)
        return self.results(limits)

    def results(self, limits=SMALL):
        problems = unpack(find_submissions(self.students)[0], self.out, limits)
        self.assertEqual(sorted(one.name for one in self.top.iterdir()), ["class", "out", "secret"])
        self.assertEqual(os.listdir(self.out.parent), ["here"])
        self.assertEqual(self.outside.read_text(), "secret")
        for place, inside, names in os.walk(self.out):
            for one in inside + names:
                self.assertFalse(os.path.islink(os.path.join(place, one)))
        for one in problems:
            self.assertNotRegex(one, r"[\x00-\x1f\x7f]")
        files = {
            os.path.relpath(os.path.join(place, one), self.out): Path(place, one).read_bytes()
            for place, _, names in os.walk(self.out)
            for one in names
        }
        return files, "\n".join(problems)

    def refuses(self, data, words, **limits):
        files, problems = self.unpacked(data, SMALL._replace(**limits))
        self.assertEqual(files, dict([GOOD]), problems)
        self.assertIn(words, problems)
        self.assertEqual(len(problems.splitlines()), 1, problems)
