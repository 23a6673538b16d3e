"""Hostile archives: nothing is written outside the folder, no link is made, the limits hold, and good files are taken."""

import gzip
import hashlib
import io
import os
import random
import re
import tarfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nbody_lab.grade.archive_members import TooMuch, read_members
from nbody_lab.grade.archives import Unpacker, UnpackLimits, checksum, unpack
from nbody_lab.grade.submissions import find_submissions

Members = list[Any]  # (name or ZipInfo, content), or TarInfo
GOOD = ("part1/mine.hpp", b"good")
SMALL = UnpackLimits(file_bytes=1000, written_bytes=5000, read_bytes=100_000, members=50, files=20)


def tar_of(members: Members, how: Any = "w:gz", form: int = tarfile.PAX_FORMAT) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=how, format=form) as tar:
        for one in members:
            info = one if isinstance(one, tarfile.TarInfo) else tarfile.TarInfo(one[0])
            content = b"" if isinstance(one, tarfile.TarInfo) else one[1]
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return out.getvalue()


def zip_of(members: Members, compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return out.getvalue()


def special(name: str, kind: bytes, target: str = "", size: int = 0) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, target, size
    return info


def after_good(header: bytes, rest: bytes = bytes(2048)) -> bytes:
    """A tar in which this header comes after a good file."""
    return tar_of([GOOD], "w")[:1024] + header + rest


def zip_info(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, mode << 16
    return info


class Class:
    """A folder with one submission, and where it is unpacked."""

    def __init__(self, top: Path) -> None:
        self.students, self.out, self.secret = top / "class", top / "out/here", top / "secret"
        self.students.mkdir()
        self.secret.write_text("secret")
        self.top = top

    def hand_in(self, name: str, content: bytes) -> Path:
        file = self.students / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        return file

    def checksum(self) -> str:
        return checksum(find_submissions(self.students)[0])

    def unpack(self, limits: UnpackLimits = SMALL) -> tuple[dict[str, bytes], str]:
        """(files, problems); in no case anything else is written, and no link."""
        problems = unpack(find_submissions(self.students)[0], self.out, limits)
        assert sorted(one.name for one in self.top.iterdir()) == ["class", "out", "secret"]
        assert os.listdir(self.out.parent) == ["here"]
        assert self.secret.read_text() == "secret"
        found = [Path(place, one) for place, a, b in os.walk(self.out) for one in a + b]
        assert not any(path.is_symlink() for path in found)
        assert not any(re.search(r"[\x00-\x1f\x7f]", one) for one in problems)
        files = {os.path.relpath(one, self.out): one.read_bytes() for one in found if one.is_file()}
        return files, "\n".join(problems)


@pytest.fixture
def students(tmp_path: Path) -> Class:
    return Class(tmp_path)


def odd_names() -> Members:
    long = "ü" * 120 + ".hpp"
    names = ["Übung 1/mine.hpp", "李/mine one.hpp", "q'\"$(id)/x.hpp", long]
    names += ["/".join("abcdefgh") + "/x.hpp", os.fsdecode(b"m\xfcller/mine.hpp")]
    return [(name, b"x") for name in names]


NOISE = ("__MACOSX/part1/._mine.hpp", ".DS_Store", ".git/config", "build/x.o", "Thumbs.db")


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        (zip_of([GOOD]), [GOOD]),
        (tar_of([GOOD]), [GOOD]),
        (tar_of([GOOD], "w"), [GOOD]),
        (tar_of(odd_names()), odd_names()),
        (tar_of(odd_names(), form=tarfile.GNU_FORMAT), odd_names()),
        (zip_of([("part1\\mine.hpp", b"good")]), [GOOD]),
        (zip_of([*((name, b"x" * 2000) for name in NOISE), GOOD]), [GOOD]),
    ],
)
def test_what_is_taken_without_a_word(students: Class, data: bytes, wanted: Members) -> None:
    students.hand_in("anna.zip", data)
    assert students.unpack() == (dict(wanted), "")


_BAD_NAMES = [
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
]
_TYPES = [
    (tarfile.SYMTYPE, "symbolic link"),
    (tarfile.LNKTYPE, "hard link"),
    (tarfile.CHRTYPE, "device"),
    (tarfile.BLKTYPE, "device"),
    (tarfile.FIFOTYPE, "pipe"),
    (tarfile.GNUTYPE_SPARSE, "unknown kind"),
]


def _encrypted() -> bytes:
    data = bytearray(zip_of([("locked.hpp", b"x"), GOOD]))
    data[6] |= 1
    data[data.index(b"PK\1\2") + 8] |= 1
    return bytes(data)


def _refusals() -> Iterator[tuple[bytes, str]]:
    for name, why in _BAD_NAMES:
        yield tar_of([(name, b"bad"), GOOD]), why
        yield zip_of([(name, b"bad"), GOOD]), why
    for kind, why in _TYPES:
        yield tar_of([special("part1/worksheet.hpp", kind, "../../../secret"), GOOD]), why
    yield zip_of([(zip_info("part1/a.hpp", 0o120777), "../../secret"), GOOD]), "symbolic link"
    yield zip_of([(zip_info("part1/a.hpp", 0o010666), ""), GOOD]), "not a regular file"
    zero = zip_of([("part1/mineX.hpp.txt", b"bad"), GOOD]).replace(b"mineX", b"mine\0")
    yield zero, "control character"
    yield tar_of([GOOD, ("part1/mine.hpp/x", b"bad")]), "a file and a folder at once"
    yield tar_of([GOOD, ("part1/mine.hpp", b"bad")]), "appears twice"
    yield zip_of([GOOD, ("Part1/MINE.hpp", b"bad")]), "another case"
    big = ("big.hpp", b"0" * 50_000)
    yield zip_of([big, GOOD]), "larger than"
    yield tar_of([big, GOOD]), "larger than"
    size, lie = (50_000).to_bytes(4, "little"), (9).to_bytes(4, "little")
    yield zip_of([big, GOOD]).replace(size, lie), "damaged"
    yield _encrypted(), "encrypted"
    content = bytes(range(256))
    stored = zip_of([("x.hpp", content), GOOD], zipfile.ZIP_STORED)
    yield stored.replace(content, content[::-1]), "x.hpp: is damaged"
    mixed = io.BytesIO()
    with zipfile.ZipFile(mixed, "w") as archive:
        archive.writestr("x.hpp", "x" * 300, zipfile.ZIP_LZMA)
        archive.writestr(*GOOD)
    yield mixed.getvalue(), "uses a compression"


@pytest.mark.parametrize(("data", "why"), list(_refusals()))
def test_a_member_is_refused_with_its_reason(students: Class, data: bytes, why: str) -> None:
    """And the good one beside it is taken."""
    students.hand_in("anna.zip", data)
    files, problems = students.unpack()
    assert files == dict([GOOD]), problems
    assert why in problems and len(problems.splitlines()) == 1


def test_nothing_is_written_through_a_link(students: Class) -> None:
    link = special("part1", tarfile.SYMTYPE, str(students.top))
    students.hand_in("anna.tar", tar_of([link, ("part1/secret", b"bad")]))
    files, problems = students.unpack()
    assert files == {"part1/secret": b"bad"} and "symbolic link" in problems


# --- archives that grow, lie or are damaged ---


def _negative(kind: bytes) -> bytes:
    header = bytearray(special("x", kind).tobuf())
    header[124:136] = b"\xff" * 12
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header)


def _claims(kind: bytes, size: int) -> bytes:
    return special("big.hpp", kind, size=size).tobuf(tarfile.GNU_FORMAT)


_MANY = [(f"{k}.hpp", b"0" * 900) for k in range(15)]
_EMPTY = [(f"{k}.hpp", b"") for k in range(200)]


@pytest.mark.parametrize(
    ("data", "most_files", "why"),
    [
        (zip_of(_MANY), 5, "unpacks to more than"),
        (tar_of(_MANY), 5, "unpacks to more than"),
        (zip_of(_EMPTY), 0, "more than 50 members"),
        (tar_of(_EMPTY), 20, "more than 20 files"),
        (zip_of([GOOD, *((f"{k}/", b"") for k in range(100))]), 0, "more than 50 members"),
        (
            tar_of([GOOD, *(special(f"{k}", tarfile.DIRTYPE) for k in range(100))]),
            1,
            "more than 50 members",
        ),
        # Its bytes count even when nothing is written.
        (
            tar_of([GOOD, *((f"{k}.bin", b"0" * 20_000) for k in range(30))]),
            1,
            "unpacks to more than the limit",
        ),
        (
            gzip.compress(after_good(_claims(tarfile.REGTYPE, 1 << 50), bytes(200_000))),
            1,
            "unpacks to more than the limit",
        ),
        *(
            (gzip.compress(after_good(_claims(kind, 1 << 40))), 1, "name that is too long")
            for kind in (tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.XGLTYPE)
        ),
        *(
            (after_good(_negative(kind)), 1, "damage")
            for kind in (tarfile.REGTYPE, tarfile.XHDTYPE, tarfile.DIRTYPE)
        ),
        (zip_of([GOOD, ("b.hpp", b"b")])[:-30], 0, "damage"),
        (b"PK\3\4", 0, "damage"),
        (b"\x1f\x8b", 0, "damage"),
        (tar_of([GOOD])[:-20], 1, "damage"),
        (tar_of([GOOD], "w")[:1024], 1, "damage"),
        (gzip.compress(b"no tar" * 200), 0, "damage"),
        (gzip.compress(zlib.compress(b"x")), 0, "damage"),
        (zip_of([GOOD, ("more.zip", zip_of([GOOD]))]), 2, "more.zip: is an archive in an archive"),
        (tar_of([(f"../{k}", b"") for k in range(40)]), 0, "and 20 more"),
    ],
)
def test_a_limit_on_the_whole_archive(
    students: Class, data: bytes, most_files: int, why: str
) -> None:
    """What came before it is taken."""
    students.hand_in("anna.zip", data)
    files, problems = students.unpack()
    assert len(files) <= most_files and why in problems
    assert len(problems.splitlines()) <= 21


def test_the_clock(students: Class) -> None:
    students.hand_in("anna.zip", zip_of([GOOD]))
    files, problems = students.unpack(SMALL._replace(seconds=-1))
    assert files == {} and "takes longer" in problems


def test_members_are_counted_before_their_list_is_read(
    students: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = students.hand_in("anna.zip", zip_of([(f"{k}", b"") for k in range(60)]))
    monkeypatch.delattr(zipfile, "ZipFile")
    with pytest.raises(TooMuch):
        next(read_members(file, "zip", SMALL.members, SMALL.read_bytes))


def test_sizes_declared_and_real(tmp_path: Path) -> None:
    """A declared size is enough to refuse; a real one is counted while it is read."""

    def unread() -> Iterator[bytes]:
        raise AssertionError
        yield b""

    unpacker = Unpacker(tmp_path, SMALL)
    unpacker.put("a", unread(), 10**9)
    unpacker.put("b", iter(lambda: b"0" * 100, b""), 10)
    assert unpacker.problems == ["a: is larger than 0 kB", "b: is larger than 0 kB"]


@pytest.mark.parametrize("pack", [zip_of, tar_of, lambda members: tar_of(members, "w")])
def test_any_damage_ends_in_a_sentence(tmp_path: Path, pack: Callable[[Members], bytes]) -> None:
    draw, whole = random.Random(7), pack([GOOD, ("x" * 150, b"w" * 300)])
    for number in range(150):
        data = bytearray(whole)
        for _ in range(draw.randint(1, 8)):
            data[draw.randrange(4, len(data))] = draw.randrange(256)
        folder = tmp_path / str(number)
        folder.mkdir()
        students = Class(folder)
        students.hand_in("anna.zip", bytes(data))
        students.unpack()


# --- folders ---


def test_links_pipes_and_size_in_a_folder(students: Class) -> None:
    students.hand_in("anna/part1/mine.hpp", b"good")
    students.hand_in("anna/big.hpp", b"0" * 2000)
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


@pytest.mark.parametrize(
    ("handed_in", "files", "why"),
    [
        (
            {"lab.zip": zip_of([GOOD]), "report.pdf": b"%PDF"},
            {"part1/mine.hpp", "report.pdf"},
            "",
        ),
        (
            {"a.zip": zip_of([GOOD]), "b.zip": zip_of([GOOD])},
            {"a.zip/part1/mine.hpp", "b.zip/part1/mine.hpp"},
            "",
        ),
        (
            {"part1/mine.hpp": b"good", "old.zip": zip_of([("part1/mine.hpp", b"bad")])},
            {"part1/mine.hpp", "old.zip"},
            "old.zip: is an archive",
        ),
    ],
)
def test_archives_in_a_folder(
    students: Class, handed_in: dict[str, bytes], files: set[str], why: str
) -> None:
    """They are opened, apart from each other; beside sources they are copies."""
    for name, content in handed_in.items():
        students.hand_in(f"anna/{name}", content)
    found, problems = students.unpack()
    assert (set(found), bool(problems)) == (files, bool(why)) and why in problems
    assert {one for name, one in found.items() if name.endswith("mine.hpp")} == {b"good"}


def test_the_class_stays_as_it_is_and_a_change_is_seen(students: Class) -> None:
    students.hand_in("anna/part1/mine.hpp", b"good")
    before = students.checksum()
    students.unpack()
    assert students.checksum() == before
    students.hand_in("anna/part1/mine.hpp", b"Good")
    assert students.checksum() != before


def test_the_checksum_of_one_file_is_that_of_sha256sum(students: Class) -> None:
    students.hand_in("anna.zip", b"PK\3\4")
    assert students.checksum() == "sha256:" + hashlib.sha256(b"PK\3\4").hexdigest()


@pytest.mark.slow
def test_a_hole_of_a_terabyte_takes_no_time(students: Class) -> None:
    """Beyond what is taken only the size counts, of one file and of many."""
    sums, start = set(), time.monotonic()
    for size in (1 << 40, (1 << 40) + 1):
        for number in range(20):
            with students.hand_in(f"anna/{number}.bin", b"").open("r+b") as file:
                file.truncate(size)
        sums.add(students.checksum())
    assert len(sums) == 2
    assert time.monotonic() - start < 60
