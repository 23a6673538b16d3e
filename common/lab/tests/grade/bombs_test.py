"""Archives that lie about their size, grow or are damaged: the limits hold, and a sentence says why."""

import gzip
import io
import random
import tarfile
import zipfile
import zlib
from unittest import mock

from nbody_lab.grade.archive_members import TooMuch, zip_members
from nbody_lab.grade.archives import Unpacker
from tests.grade.archives_for_tests import GOOD, SMALL, Unpacking, special, tar_of, zip_of


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

    def test_many_folders(self):
        for pack in (zip_of, tar_of):
            data = (
                pack([GOOD, *[(f"{k}/", b"") for k in range(100)]])
                if pack is zip_of
                else tar_of([GOOD, *[special(f"{k}", tarfile.DIRTYPE) for k in range(100)]])
            )
            self.assertIn("more than 50 members", self.unpacked(data)[1])
            self.again()

    def test_members_are_counted_before_their_list_is_read(self):
        file = self.top / "class/anna.zip"
        file.write_bytes(zip_of([(f"{k}", b"") for k in range(60)]))
        with mock.patch("zipfile.ZipFile", side_effect=AssertionError), self.assertRaises(TooMuch):
            next(zip_members(file, SMALL))

    def test_sizes_declared_and_real(self):
        def endless():
            while True:
                yield b"0" * 100

        def unread():
            raise AssertionError
            yield b""

        unpacker = Unpacker(self.top / "out", SMALL)
        unpacker.put("a", unread(), 10**9)
        unpacker.put("b", endless(), 10)
        self.assertEqual(unpacker.problems, ["a: is larger than 0 kB", "b: is larger than 0 kB"])

    def test_a_tar_that_never_ends(self):
        """Its bytes count even when nothing is written."""
        files, problems = self.unpacked(
            tar_of([GOOD, *[(f"{k}.bin", b"0" * 20_000) for k in range(30)]])
        )
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
            files, problems = self.unpacked(
                gzip.compress(
                    tar_of([GOOD], "w")[:1024] + header.tobuf(tarfile.GNU_FORMAT) + b"0" * 4096
                )
            )
            self.assertEqual(files, dict([GOOD]))
            self.assertIn("name that is too long", problems)

    def test_a_negative_size(self):
        for kind in (tarfile.REGTYPE, tarfile.XHDTYPE, tarfile.DIRTYPE):
            header = bytearray(special("x", kind).tobuf())
            header[124:136] = b"\xff" * 12
            header[148:156] = b" " * 8
            header[148:156] = b"%06o\0 " % sum(header)
            files, problems = self.unpacked(
                tar_of([GOOD], "w")[:1024] + bytes(header) + bytes(2048)
            )
            self.assertEqual(files, dict([GOOD]))
            self.assertIn("damage", problems)
            self.again()

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
        self.refuses(out.getvalue(), "uses a compression")

    def test_cut_off(self):
        for data in (
            zip_of([GOOD, ("b.hpp", b"b")])[:-30],
            b"PK\3\4",
            b"\x1f\x8b",
            tar_of([GOOD])[:-20],
            gzip.compress(b"no tar" * 200),
            gzip.compress(zlib.compress(b"x")),
        ):
            _, problems = self.unpacked(data)
            self.assertIn("damage", problems)
            self.again()

    def test_any_damage_ends_in_a_sentence(self):
        draw = random.Random(7)
        for whole in (
            zip_of([GOOD, ("part1/worksheet.hpp", b"w" * 300)]),
            tar_of([GOOD, ("x" * 150, b"w" * 300)], "w"),
            tar_of([GOOD, ("part1/worksheet.hpp", b"w" * 300)]),
        ):
            for _ in range(150):
                data = bytearray(whole)
                for _ in range(draw.randint(1, 8)):
                    data[draw.randrange(4, len(data))] = draw.randrange(256)
                self.unpacked(bytes(data))
                self.again()

    def test_archive_in_an_archive_stays_closed(self):
        files, problems = self.unpacked(
            zip_of([GOOD, ("more.zip", zip_of([("part1/worksheet.hpp", b"")]))])
        )
        self.assertEqual(sorted(files), ["more.zip", "part1/mine.hpp"])
        self.assertIn("more.zip: is an archive in an archive", problems)
