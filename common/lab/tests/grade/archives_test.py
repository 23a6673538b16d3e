"""Hostile archives: nothing is written outside the folder, no link is made, the limits hold, and good files are taken."""

import gzip
import hashlib
import os
import random
import re
import tarfile
import time
import zipfile
import zlib
from pathlib import Path

import pytest

from nbody_lab.grade.archives import Unpacker, UnpackLimits, checksum, unpack
from nbody_lab.grade.submissions import find_submissions
from tests.grade.made_class.made_archives import (
    locked,
    tar_of,
    tar_of_kind,
    write_files,
    zip_info,
    zip_link,
    zip_of,
)

GOOD = ("part1/mine.hpp", b"good")
SMALL = UnpackLimits(file_bytes=1000, written_bytes=5000, read_bytes=100_000, members=50, files=20)


class Class:
    """A folder with one submission, and where it is unpacked."""

    def __init__(self, top: Path) -> None:
        self.students, self.out, self.secret = top / "class", top / "out/here", top / "secret"
        self.students.mkdir(parents=True)
        self.secret.write_text("secret")
        self.top = top

    def hand_in(self, content: bytes, name: str = "anna.zip") -> Path:
        write_files(self.students, {name: content})
        return self.students / name

    def checksum(self) -> str:
        return checksum(find_submissions(self.students)[0])

    def unpack(self, limits=SMALL) -> tuple[dict[str, bytes], str]:
        """(files, problems); in no case anything else is written, and no link."""
        self.unpacked = unpack(find_submissions(self.students)[0], self.out, limits)
        problems = self.unpacked.problems
        assert sorted(one.name for one in self.top.iterdir()) == ["class", "out", "secret"]
        assert os.listdir(self.out.parent) == ["here"]
        assert self.secret.read_text() == "secret"
        found = list(self.out.rglob("*"))
        assert not any(path.is_symlink() for path in found)
        assert not any(re.search(r"[\x00-\x1f\x7f]", one) for one in problems)
        files = {str(one.relative_to(self.out)): one.read_bytes() for one in found if one.is_file()}
        return files, "\n".join(problems)


@pytest.fixture
def students(tmp_path) -> Class:
    return Class(tmp_path)


# --- archives: (bytes, their files, words of the one problem) ---

ODD = ["Übung 1/mine.hpp", "李/mine one.hpp", "q'\"$(id)/x.hpp", "ü" * 120 + ".hpp"]
ODD += ["/".join("abcdefgh") + "/x.hpp", os.fsdecode(b"m\xfcller/mine.hpp")]
ODD_FILES = [(name, b"x") for name in ODD]
NOISE = ("__MACOSX/part1/._mine.hpp", ".DS_Store", ".git/config", "build/x.o", "Thumbs.db")
TAKEN = {
    "zip": (zip_of(GOOD), [GOOD]),
    "tar.gz": (tar_of(GOOD), [GOOD]),
    "tar": (tar_of(GOOD, packed=False), [GOOD]),
    "odd names in pax": (tar_of(*ODD_FILES, form=tarfile.PAX_FORMAT), ODD_FILES),
    "odd names of GNU": (tar_of(*ODD_FILES), ODD_FILES),
    "backslashes": (zip_of(("part1\\mine.hpp", b"good")), [GOOD]),
    "noise": (zip_of(*((name, b"x" * 2000) for name in NOISE), GOOD), [GOOD]),
}
BAD_NAMES = [
    *((name, "leads out") for name in ("../../secret", "a/../../../secret", "..\\..\\secret")),
    *((name, "absolute") for name in ("/etc/nbody", "C:\\x.hpp", "c:x.hpp", "\\\\host\\x")),
    ("a\nb\x1b[31m.hpp", "control character"),
    ("x" * 256, "too long"),
    ("/".join("a" * 14), "deeper"),
]
BAD_KINDS = [
    (tarfile.SYMTYPE, "symbolic link"),
    (tarfile.LNKTYPE, "hard link"),
    (tarfile.CHRTYPE, "device"),
    (tarfile.BLKTYPE, "device"),
    (tarfile.FIFOTYPE, "pipe"),
    (tarfile.GNUTYPE_SPARSE, "unknown kind"),
]
BIG, CONTENT, UP = ("big.hpp", b"0" * 50_000), bytes(range(256)), "../../../secret"
LZMA = zipfile.ZipInfo("x.hpp")
LZMA.compress_type = zipfile.ZIP_LZMA
STORED = zip_of(("x.hpp", CONTENT), GOOD, compression=zipfile.ZIP_STORED)
REFUSED = [
    *((pack((name, b"bad"), GOOD), why) for name, why in BAD_NAMES for pack in (tar_of, zip_of)),
    *((tar_of(tar_of_kind("a.hpp", kind, UP), GOOD), why) for kind, why in BAD_KINDS),
    (tar_of(tar_of_kind("part1", tarfile.SYMTYPE, "../.."), GOOD), "symbolic link"),
    (zip_of(zip_link("part1/a.hpp", "../../secret"), GOOD), "symbolic link"),
    (zip_of((zip_info("part1/a.hpp", 0o010666), b""), GOOD), "not a regular file"),
    (zip_of(("part1/mineX.txt", b"bad"), GOOD).replace(b"mineX", b"mine\0"), "control character"),
    (tar_of(GOOD, ("part1/mine.hpp/x", b"bad")), "a file and a folder at once"),
    (tar_of(GOOD, ("part1/mine.hpp", b"bad")), "appears twice"),
    (zip_of(GOOD, ("Part1/MINE.hpp", b"bad")), "another case"),
    (zip_of(BIG, GOOD), "larger than"),
    (tar_of(BIG, GOOD), "larger than"),
    (zip_of(BIG, GOOD).replace((50_000).to_bytes(4, "little"), b"\t\0\0\0"), "damaged"),
    (locked(zip_of(("locked.hpp", b"x"), GOOD)), "encrypted"),
    (STORED.replace(CONTENT, CONTENT[::-1]), "x.hpp: is damaged"),
    (zip_of((LZMA, "x" * 300), GOOD), "uses a compression"),
]


@pytest.mark.parametrize(("data", "wanted"), TAKEN.values(), ids=TAKEN)
def test_what_is_taken_without_a_word(students, data, wanted):
    students.hand_in(data)
    assert students.unpack() == (dict(wanted), "")


@pytest.mark.parametrize(("data", "why"), REFUSED)
def test_a_member_is_refused_with_its_reason(students, data, why):
    """And the good one beside it is taken."""
    students.hand_in(data)
    files, problems = students.unpack()
    assert files == dict([GOOD]), problems
    assert why in problems and len(problems.splitlines()) == 1


# --- archives that grow, lie or are damaged: (bytes, most files, words of a problem) ---


def after_good(header: bytes, rest: bytes = bytes(2048)) -> bytes:
    """A tar in which this header comes after a good file."""
    return tar_of(GOOD, packed=False)[:1024] + header + rest


def negative(kind: bytes) -> bytes:
    header = bytearray(tar_of_kind("x", kind).tobuf())
    header[124:136] = b"\xff" * 12
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header)


def claims(kind: bytes, size: int) -> bytes:
    return tar_of_kind("big.hpp", kind, size=size).tobuf(tarfile.GNU_FORMAT)


MANY = [(f"{k}.hpp", b"0" * 900) for k in range(15)]
EMPTY = [(f"{k}.hpp", b"") for k in range(200)]
FOLDERS = [tar_of_kind(f"{k}", tarfile.DIRTYPE) for k in range(100)]
WITHOUT_SIZE = (tarfile.REGTYPE, tarfile.XHDTYPE, tarfile.DIRTYPE)
NAMES = (tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.XGLTYPE)
TOO_MUCH = [
    (zip_of(*MANY), 5, "unpacks to more than"),
    (tar_of(*MANY), 5, "unpacks to more than"),
    (zip_of(*EMPTY), 0, "more than 50 members"),
    (tar_of(*EMPTY), 20, "more than 20 files"),
    (zip_of(GOOD, *((f"{k}/", b"") for k in range(100))), 0, "more than 50 members"),
    (tar_of(GOOD, *FOLDERS), 1, "more than 50 members"),
    # Its bytes count even when nothing is written.
    (tar_of(GOOD, *((f"{k}.bin", b"0" * 20_000) for k in range(30))), 1, "unpacks to more than"),
    (gzip.compress(after_good(claims(tarfile.REGTYPE, 1 << 50), bytes(200_000))), 1, "unpacks to"),
    *((gzip.compress(after_good(claims(kind, 1 << 40))), 1, "too long") for kind in NAMES),
    *((after_good(negative(kind)), 1, "damage") for kind in WITHOUT_SIZE),
    (zip_of(GOOD, ("b.hpp", b"b"))[:-30], 0, "damage"),
    (b"PK\3\4", 0, "damage"),
    (b"\x1f\x8b", 0, "damage"),
    (tar_of(GOOD)[:-20], 1, "damage"),
    (tar_of(GOOD, packed=False)[:1024], 1, "damage"),
    (gzip.compress(b"no tar" * 200), 0, "damage"),
    (gzip.compress(zlib.compress(b"x")), 0, "damage"),
    (zip_of(GOOD, ("more.zip", zip_of(GOOD))), 2, "more.zip: is an archive in an archive"),
    (tar_of(*((f"../{k}", b"") for k in range(40))), 0, "and 20 more"),
]


@pytest.mark.parametrize(("data", "most_files", "why"), TOO_MUCH)
def test_a_limit_on_the_whole_archive(students, data, most_files, why):
    """What came before it is taken."""
    students.hand_in(data)
    files, problems = students.unpack()
    assert len(files) <= most_files and why in problems
    assert len(problems.splitlines()) <= 21


def test_the_clock(students):
    students.hand_in(zip_of(GOOD))
    files, problems = students.unpack(SMALL._replace(seconds=-1))
    assert files == {} and "takes longer" in problems


def test_members_are_counted_before_their_list_is_read(students, monkeypatch):
    students.hand_in(zip_of(*((f"{k}", b"") for k in range(60))))
    monkeypatch.delattr(zipfile, "ZipFile")
    assert "more than 50 members" in students.unpack()[1]


def test_sizes_declared_and_real(tmp_path):
    """A declared size is enough to refuse; a real one is counted while it is read."""

    def unread():
        raise AssertionError
        yield b""

    unpacker = Unpacker(tmp_path, SMALL)
    unpacker.put("a", unread(), 10**9)
    unpacker.put("b", iter(lambda: b"0" * 100, b""), 10)
    assert unpacker.problems == ["a: is larger than 0 kB", "b: is larger than 0 kB"]


@pytest.mark.parametrize("pack", [zip_of, tar_of, lambda *members: tar_of(*members, packed=False)])
def test_any_damage_ends_in_a_sentence(tmp_path, pack):
    draw, whole = random.Random(7), pack(GOOD, ("x" * 150, b"w" * 300))
    for number in range(150):
        data = bytearray(whole)
        for _ in range(draw.randint(1, 8)):
            data[draw.randrange(4, len(data))] = draw.randrange(256)
        students = Class(tmp_path / str(number))
        students.hand_in(bytes(data))
        students.unpack()


@pytest.mark.parametrize(
    ("data", "lost", "cut"),
    [
        (STORED.replace(CONTENT, CONTENT[::-1]), {"x.hpp": "x.hpp: is damaged"}, ""),
        (tar_of(GOOD)[:-20], {}, "anna.zip: is damaged: what came before the damage was used"),
    ],
)
def test_what_is_lost_is_known(students, data, lost, cut):
    """Members by their names, and an archive that breaks off by its own."""
    students.hand_in(data)
    students.unpack()
    assert (students.unpacked.lost, students.unpacked.cut) == (lost, cut)


# --- nothing ---


@pytest.mark.parametrize(
    "data", [zip_of(), tar_of(), zip_of(("build/x.o", b"x"), (".DS_Store", b"x"))]
)
def test_an_archive_without_a_file_says_so(students, data):
    students.hand_in(data)
    assert students.unpack() == ({}, "the upload is empty: there is no file in it")


# --- folders ---


def test_links_pipes_and_size_in_a_folder(students):
    students.hand_in(b"good", "anna/part1/mine.hpp")
    students.hand_in(b"0" * 2000, "anna/big.hpp")
    os.mkfifo(students.students / "anna/pipe.hpp")
    (students.students / "anna/part1/worksheet.hpp").symlink_to("../../../secret")
    (students.students / "anna/part2").symlink_to("/etc")
    files, problems = students.unpack()
    assert files == dict([GOOD])
    assert sorted(problems.splitlines()) == [
        "big.hpp: is larger than 0 kB",
        "part1/worksheet.hpp: is a symbolic link",
        "part2: is a symbolic link",
        "pipe.hpp: is not a regular file",
    ]


PACKED = zip_of(GOOD)


@pytest.mark.parametrize(
    ("handed_in", "files", "why"),
    [
        ({"lab.zip": PACKED, "report.pdf": b"%PDF"}, {"part1/mine.hpp", "report.pdf"}, ""),
        ({"a.zip": PACKED, "b.zip": PACKED}, {"a.zip/part1/mine.hpp", "b.zip/part1/mine.hpp"}, ""),
        (
            {"part1/mine.hpp": b"good", "old.zip": zip_of(("part1/mine.hpp", b"bad"))},
            {"part1/mine.hpp", "old.zip"},
            "old.zip: is an archive",
        ),
    ],
)
def test_archives_in_a_folder(students, handed_in, files, why):
    """They are opened, apart from each other; beside sources they are copies."""
    for name, content in handed_in.items():
        students.hand_in(content, f"anna/{name}")
    found, problems = students.unpack()
    assert (set(found), bool(problems)) == (files, bool(why)) and why in problems
    assert {one for name, one in found.items() if name.endswith("mine.hpp")} == {b"good"}


def test_the_checksum(students):
    """That of one file is sha256sum's; unpacking leaves the class as it is, and a change is seen."""
    one = students.hand_in(b"PK\3\4")
    assert students.checksum() == "sha256:" + hashlib.sha256(b"PK\3\4").hexdigest()
    one.unlink()
    students.hand_in(b"good", "anna/part1/mine.hpp")
    before = students.checksum()
    students.unpack()
    assert students.checksum() == before
    students.hand_in(b"Good", "anna/part1/mine.hpp")
    assert students.checksum() != before


@pytest.mark.slow
def test_a_hole_of_a_terabyte_takes_no_time(students):
    """Beyond what is taken only the size counts, of one file and of many."""
    sums, start = set(), time.process_time()
    for size in (1 << 40, (1 << 40) + 1):
        for number in range(20):
            os.truncate(students.hand_in(b"", f"anna/{number}.bin"), size)
        sums.add(students.checksum())
    assert len(sums) == 2
    assert time.process_time() - start < 60
