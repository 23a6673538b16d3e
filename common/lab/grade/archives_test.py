#!/usr/bin/env python3
"""Archives of people who mean harm: nothing outside, no more than the limits, and what is fine is taken."""

import gzip
import hashlib
import io
import os
import random
import shutil
import sys
import tarfile
import tempfile
import unittest
import zipfile
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from grade.archives import UnpackLimits, checksum, unpack  # noqa: E402
from grade.submissions import find_submissions  # noqa: E402

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
        """(files {name: content}, problems as one text)"""
        (self.students / name).write_bytes(data)
        return self.results(limits)

    def results(self, limits=SMALL):
        problems = unpack(find_submissions(self.students)[0], self.out, limits)
        self.assertEqual(sorted(one.name for one in self.top.iterdir()), ["class", "out", "secret"])
        self.assertEqual(os.listdir(self.out.parent), ["here"])
        self.assertEqual(self.outside.read_text(), "secret")
        for place, folders, names in os.walk(self.out):
            for one in folders + names:
                self.assertFalse(os.path.islink(os.path.join(place, one)))
        for one in problems:
            self.assertNotRegex(one, r"[\x00-\x1f\x7f]")
        files = {os.path.relpath(os.path.join(place, one), self.out): Path(place, one).read_bytes()
                 for place, _, names in os.walk(self.out) for one in names}
        return files, "\n".join(problems)

    def refuses(self, data, words, **limits):
        files, problems = self.unpacked(data, SMALL._replace(**limits))
        self.assertEqual(files, dict([GOOD]), problems)
        self.assertIn(words, problems)
        self.assertEqual(len(problems.splitlines()), 1, problems)


class Fine(Unpacking):
    def test_zip_tar_and_tar_gz(self):
        for data in (zip_of([GOOD]), tar_of([GOOD]), tar_of([GOOD], "w")):
            self.assertEqual(self.unpacked(data), (dict([GOOD]), ""))
            self.again()

    def test_odd_names_survive(self):
        long = "ü" * 120 + ".hpp"
        names = ["Übung 1/mine.hpp", "李/mine one.hpp", "q'\"$(id)/x.hpp", long, "/".join("abcdefgh") + "/x.hpp"]
        for how in (tarfile.PAX_FORMAT, tarfile.GNU_FORMAT):
            with self.subTest(how=how):
                out = io.BytesIO()
                with tarfile.open(fileobj=out, mode="w:gz", format=how) as tar:
                    for name in names:
                        tar.addfile(tarfile.TarInfo(name))
                files, problems = self.unpacked(out.getvalue())
                self.assertEqual((sorted(files), problems), (sorted(names), ""))
                self.again()

    def test_bytes_that_are_no_unicode(self):
        info = tarfile.TarInfo(os.fsdecode(b"m\xfcller/mine.hpp"))
        files, problems = self.unpacked(tar_of([info]))
        self.assertEqual((list(files), problems), ([os.fsdecode(b"m\xfcller/mine.hpp")], ""))

    def test_backslashes_of_windows(self):
        self.assertEqual(self.unpacked(zip_of([("part1\\mine.hpp", b"good")])), (dict([GOOD]), ""))

    def test_noise_is_passed_over(self):
        noise = ["__MACOSX/part1/._mine.hpp", ".DS_Store", ".git/config", "build/release/x.o", "part1/._mine.hpp", "Thumbs.db"]
        self.assertEqual(self.unpacked(zip_of([(name, b"x" * 2000) for name in noise] + [GOOD])), (dict([GOOD]), ""))


class LeadingOut(Unpacking):
    def test_paths(self):
        for name, words in (("../../secret", "leads out"), ("a/../../../secret", "leads out"), ("..\\..\\secret", "leads out"),
                            ("/etc/nbody", "absolute"), ("C:\\x.hpp", "absolute"), ("c:x.hpp", "absolute"), ("\\\\host\\x", "absolute"),
                            ("a\nb\x1b[31m.hpp", "control character"), ("x" * 256, "too long"), ("/".join("a" * 14), "deeper")):
            for data in (tar_of([(name, b"bad"), GOOD]), zip_of([(name, b"bad"), GOOD])):
                with self.subTest(name=name):
                    self.refuses(data, words)
                    self.again()

    def test_links_and_devices_of_a_tar(self):
        for kind, words in ((tarfile.SYMTYPE, "symbolic link"), (tarfile.LNKTYPE, "hard link"), (tarfile.CHRTYPE, "device"),
                            (tarfile.BLKTYPE, "device"), (tarfile.FIFOTYPE, "pipe")):
            with self.subTest(words=words):
                self.refuses(tar_of([special("part1/worksheet.hpp", kind, "../../../secret"), GOOD]), words)
                self.again()

    def test_nothing_is_written_through_a_link(self):
        link = special("part1", tarfile.SYMTYPE, str(self.top))
        files, problems = self.unpacked(tar_of([link, ("part1/secret", b"bad")]))
        self.assertEqual(files, {"part1/secret": b"bad"})
        self.assertIn("symbolic link", problems)

    def test_link_in_a_zip(self):
        info = zipfile.ZipInfo("part1/worksheet.hpp")
        info.create_system, info.external_attr = 3, 0o120777 << 16
        self.refuses(zip_of([(info, "../../secret"), GOOD]), "symbolic link")

    def test_zero_byte_in_a_name(self):
        data = zip_of([("part1/mineX.hpp.txt", b"bad"), GOOD]).replace(b"mineX", b"mine\0")
        self.refuses(data, "control character")

    def test_a_file_that_is_a_folder_too(self):
        self.refuses(tar_of([GOOD, ("part1/mine.hpp/x", b"bad")]), "a file and a folder at once")

    def test_twice_and_with_another_case(self):
        self.refuses(tar_of([GOOD, ("part1/mine.hpp", b"bad")]), "there twice")
        self.again()
        self.refuses(zip_of([GOOD, ("Part1/MINE.hpp", b"bad")]), "another case")


class Bombs(Unpacking):
    def test_one_large_file(self):
        self.refuses(zip_of([("big.hpp", b"0" * 50_000), GOOD]), "larger than")
        self.again()
        self.refuses(tar_of([("big.hpp", b"0" * 50_000), GOOD]), "larger than")

    def test_a_size_that_is_a_lie(self):
        data = zip_of([("big.hpp", b"0" * 50_000), GOOD])
        true = (50_000).to_bytes(4, "little")
        self.assertEqual(data.count(true), 2)
        self.refuses(data.replace(true, (9).to_bytes(4, "little")), "damaged")

    def test_many_files_of_some_size(self):
        for pack in (zip_of, tar_of):
            files, problems = self.unpacked(pack([(f"{k}.hpp", b"0" * 900) for k in range(15)]))
            self.assertEqual(len(files), 5)
            self.assertIn("unpacks to more than", problems)
            self.again()

    def test_many_members(self):
        for pack in (zip_of, tar_of):
            files, problems = self.unpacked(pack([(f"{k}.hpp", b"") for k in range(200)]))
            self.assertLessEqual(len(files), SMALL.files)
            self.assertRegex(problems, "more than (50 members|20 files)")
            self.again()

    def test_a_tar_that_never_ends(self):
        """Its bytes are counted also where nothing is written."""
        files, problems = self.unpacked(tar_of([GOOD, *[(f"{k}.bin", b"0" * 20_000) for k in range(30)]]))
        self.assertEqual(files, dict([GOOD]))
        self.assertIn("unpacks to more than the limit", problems)

    def test_headers_that_claim(self):
        header = tarfile.TarInfo("big.hpp")
        header.size = 1 << 50
        huge = tar_of([GOOD], "w")[:1024] + header.tobuf(tarfile.GNU_FORMAT) + b"0" * 200_000
        files, problems = self.unpacked(gzip.compress(huge))
        self.assertEqual(files, dict([GOOD]))
        self.assertIn("larger than", problems)
        self.assertIn("unpacks to more than the limit", problems)
        for kind in (tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.XGLTYPE):
            self.again()
            header = special("x", kind)
            header.size = 1 << 40
            files, problems = self.unpacked(gzip.compress(tar_of([GOOD], "w")[:1024] + header.tobuf(tarfile.GNU_FORMAT) + b"0" * 4096))
            self.assertEqual(files, dict([GOOD]))
            self.assertIn("name that is too long", problems)

    def test_a_negative_size(self):
        header = bytearray(tarfile.TarInfo("x").tobuf())
        header[124:136] = b"\xff" * 12
        header[148:156] = b" " * 8
        header[148:156] = b"%06o\0 " % sum(header)
        files, problems = self.unpacked(tar_of([GOOD], "w")[:1024] + bytes(header))
        self.assertEqual(files, dict([GOOD]))
        self.assertIn("damage", problems)

    def test_clock(self):
        files, problems = self.unpacked(zip_of([GOOD]), SMALL._replace(seconds=-1))
        self.assertEqual(files, {})
        self.assertIn("takes longer", problems)

    def test_hundreds_of_problems_are_a_few_sentences(self):
        _, problems = self.unpacked(tar_of([(f"../{k}", b"") for k in range(40)]))
        self.assertEqual(len(problems.splitlines()), 21)
        self.assertIn("and 20 more", problems)


class Damaged(Unpacking):
    def test_encrypted(self):
        data = bytearray(zip_of([("locked.hpp", b"x"), GOOD]))
        data[6] |= 1
        data[data.index(b"PK\1\2") + 8] |= 1
        self.refuses(bytes(data), "encrypted")

    def test_wrong_checksum(self):
        content = bytes(range(256))
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr("x.hpp", content)
            archive.writestr(*GOOD)
        self.refuses(out.getvalue().replace(content, content[::-1]), "x.hpp: is damaged")

    def test_packed_otherwise(self):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr("x.hpp", "x" * 300, zipfile.ZIP_LZMA)
            archive.writestr(*GOOD)
        self.refuses(out.getvalue(), "packed in a way")

    def test_cut_off(self):
        for data in (zip_of([GOOD, ("b.hpp", b"b")])[:-30], b"PK\3\4", b"\x1f\x8b", tar_of([GOOD])[:-20],
                     gzip.compress(b"no tar" * 200), gzip.compress(zlib.compress(b"x"))):
            _, problems = self.unpacked(data)
            self.assertIn("damage", problems)
            self.again()

    def test_any_damage_ends_in_a_sentence(self):
        draw = random.Random(7)
        for whole in (zip_of([GOOD, ("part1/worksheet.hpp", b"w" * 300)]), tar_of([GOOD, ("x" * 150, b"w" * 300)], "w"),
                      tar_of([GOOD, ("part1/worksheet.hpp", b"w" * 300)])):
            for _ in range(150):
                data = bytearray(whole)
                for _ in range(draw.randint(1, 8)):
                    data[draw.randrange(4, len(data))] = draw.randrange(256)
                self.unpacked(bytes(data))
                self.again()

    def test_archive_in_an_archive_stays_closed(self):
        files, problems = self.unpacked(zip_of([GOOD, ("more.zip", zip_of([("part1/worksheet.hpp", b"")]))]))
        self.assertEqual(sorted(files), ["more.zip", "part1/mine.hpp"])
        self.assertIn("more.zip: is an archive in an archive", problems)


class Folders(Unpacking):
    def put(self, name, content):
        file = self.students / "anna" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)

    def test_links_pipes_and_size(self):
        self.put(*GOOD)
        self.put("big.hpp", b"0" * 2000)
        os.mkfifo(self.students / "anna/pipe.hpp")
        (self.students / "anna/part1/worksheet.hpp").symlink_to("../../../secret")
        (self.students / "anna/part2").symlink_to("/etc")
        files, problems = self.results()
        self.assertEqual(files, dict([GOOD]))
        for words in ("big.hpp: is larger", "pipe.hpp: is no regular", "part1/worksheet.hpp: is a symbolic", "part2: is a symbolic"):
            self.assertIn(words, problems)
        self.assertEqual(len(problems.splitlines()), 4)

    def test_the_archive_of_a_moodle_folder_is_opened(self):
        self.put("lab.zip", zip_of([GOOD]))
        self.put("report.pdf", b"%PDF")
        self.assertEqual(self.results(), ({**dict([GOOD]), "report.pdf": b"%PDF"}, ""))

    def test_two_archives_lie_apart(self):
        self.put("a.zip", zip_of([GOOD]))
        self.put("b.zip", zip_of([GOOD]))
        self.assertEqual(sorted(self.results()[0]), ["a.zip/part1/mine.hpp", "b.zip/part1/mine.hpp"])

    def test_an_archive_beside_sources_is_a_copy(self):
        self.put(*GOOD)
        self.put("old.zip", zip_of([("part1/mine.hpp", b"bad")]))
        files, problems = self.results()
        self.assertEqual(files["part1/mine.hpp"], b"good")
        self.assertIn("old.zip: is an archive", problems)

    def test_the_class_stays_as_it_is(self):
        self.put(*GOOD)
        before = checksum(find_submissions(self.students)[0])
        self.results()
        self.assertEqual(checksum(find_submissions(self.students)[0]), before)
        self.put("part1/mine.hpp", b"Good")
        self.assertNotEqual(checksum(find_submissions(self.students)[0]), before)


class Checksums(Unpacking):
    def test_of_one_file_it_is_that_of_sha256sum(self):
        (self.students / "anna.zip").write_bytes(b"PK\3\4")
        self.assertEqual(checksum(find_submissions(self.students)[0]),
                         "sha256:" + hashlib.sha256(b"PK\3\4").hexdigest())


if __name__ == "__main__":
    unittest.main()
