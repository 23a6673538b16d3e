"""Hostile archives: nothing is written outside the folder, no link is made, and good files are taken."""

import hashlib
import io
import os
import tarfile
import zipfile

from nbody_lab.grade.archives import checksum
from nbody_lab.grade.submissions import find_submissions
from tests.grade.archives_for_tests import GOOD, Unpacking, special, tar_of, zip_of


class Fine(Unpacking):
    def test_zip_tar_and_tar_gz(self):
        for data in (zip_of([GOOD]), tar_of([GOOD]), tar_of([GOOD], "w")):
            self.assertEqual(self.unpacked(data), (dict([GOOD]), ""))
            self.again()

    def test_odd_names_survive(self):
        long = "ü" * 120 + ".hpp"
        names = [
            "Übung 1/mine.hpp",
            "李/mine one.hpp",
            "q'\"$(id)/x.hpp",
            long,
            "/".join("abcdefgh") + "/x.hpp",
        ]
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
        noise = [
            "__MACOSX/part1/._mine.hpp",
            ".DS_Store",
            ".git/config",
            "build/release/x.o",
            "part1/._mine.hpp",
            "Thumbs.db",
        ]
        self.assertEqual(
            self.unpacked(zip_of([(name, b"x" * 2000) for name in noise] + [GOOD])),
            (dict([GOOD]), ""),
        )


class LeadingOut(Unpacking):
    def test_paths(self):
        for name, words in (
            ("../../secret", "leads out"),
            ("a/../../../secret", "leads out"),
            ("..\\..\\secret", "leads out"),
            ("/etc/nbody", "absolute"),
            ("C:\\x.hpp", "absolute"),
            ("c:x.hpp", "absolute"),
            ("\\\\host\\x", "absolute"),
            ("a\nb\x1b[31m.hpp", "control character"),
            ("x" * 256, "too long"),
            ("/".join("a" * 14), "deeper"),
        ):
            for data in (tar_of([(name, b"bad"), GOOD]), zip_of([(name, b"bad"), GOOD])):
                with self.subTest(name=name):
                    self.refuses(data, words)
                    self.again()

    def test_links_and_devices_of_a_tar(self):
        for kind, words in (
            (tarfile.SYMTYPE, "symbolic link"),
            (tarfile.LNKTYPE, "hard link"),
            (tarfile.CHRTYPE, "device"),
            (tarfile.BLKTYPE, "device"),
            (tarfile.FIFOTYPE, "pipe"),
        ):
            with self.subTest(words=words):
                self.refuses(
                    tar_of([special("part1/worksheet.hpp", kind, "../../../secret"), GOOD]), words
                )
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
        self.refuses(tar_of([GOOD, ("part1/mine.hpp", b"bad")]), "appears twice")
        self.again()
        self.refuses(zip_of([GOOD, ("Part1/MINE.hpp", b"bad")]), "another case")


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
        for words in (
            "big.hpp: is larger",
            "pipe.hpp: is not a regular",
            "part1/worksheet.hpp: is a symbolic",
            "part2: is a symbolic",
        ):
            self.assertIn(words, problems)
        self.assertEqual(len(problems.splitlines()), 4)

    def test_the_archive_of_a_moodle_folder_is_opened(self):
        self.put("lab.zip", zip_of([GOOD]))
        self.put("report.pdf", b"%PDF")
        self.assertEqual(self.results(), ({**dict([GOOD]), "report.pdf": b"%PDF"}, ""))

    def test_two_archives_lie_apart(self):
        self.put("a.zip", zip_of([GOOD]))
        self.put("b.zip", zip_of([GOOD]))
        self.assertEqual(
            sorted(self.results()[0]), ["a.zip/part1/mine.hpp", "b.zip/part1/mine.hpp"]
        )

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
        self.assertEqual(
            checksum(find_submissions(self.students)[0]),
            "sha256:" + hashlib.sha256(b"PK\3\4").hexdigest(),
        )
