"""Hostile uploads: nothing is written but files that are handed in, limits hold, and whatever it is ends in a sentence."""

import gzip
import os
import random
import tarfile
import zipfile

import pytest

from nbody_lab import ROOT
from nbody_lab.grade import archives, intake
from nbody_lab.grade.intake import find_submissions, part_folders, take_in
from tests.grade.made_class.made_archives import (
    locked,
    tar_of,
    tar_of_kind,
    write_files,
    zip_info,
    zip_of,
)

PARTS = part_folders(ROOT)
P1 = "part1_standard_opti"
GOOD, SHEET = (f"{P1}/mine.hpp", b"good"), f"{P1}/worksheet.hpp"


@pytest.fixture
def take(tmp_path, monkeypatch):
    """Hands in a file, and takes what is in it under small limits: (the files, what is told)."""
    monkeypatch.setattr(archives, "LARGEST", 200_000)
    monkeypatch.setattr(archives, "MEMBERS", 50)
    monkeypatch.setattr(intake, "_MOST_FILES", 20)

    def take(content, name="anna.zip"):
        write_files(tmp_path, {f"class/{name}": content, "secret": "secret"})
        (one,) = find_submissions(tmp_path / "class")
        taken = take_in(one, tmp_path / "out", ["part1"], PARTS)
        assert {path.name for path in tmp_path.iterdir()} <= {"class", "out", "secret"}
        assert (tmp_path / "secret").read_text() == "secret"
        files = [path for path in (tmp_path / "out").rglob("*") if not path.is_dir()]
        assert not any(path.is_symlink() for path in files)
        told = [*taken.problems, *taken.questions, *(f"{i.file}: {i.why}" for i in taken.ignored)]
        assert all(line.isprintable() for line in told)
        return {str(f.relative_to(tmp_path / "out")): f.read_bytes() for f in files}, told

    return take


# --- a member that is not used, beside a good one that is ---

STORED = zip_of((SHEET, b"0123456789"), GOOD, compression=zipfile.ZIP_STORED)
LZMA = zip_info(SHEET)
LZMA.compress_type = zipfile.ZIP_LZMA
STRANGE = (
    "../../secret",
    "/etc/nbody",
    "C:\\x",
    "a\nb\x1b[31m.txt",
    "a/" * 200 + "x",
    f"{P1}/../../x",
)
NOT_USED = {
    **{repr(name): (zip_of((name, b"bad"), GOOD), "not a file to hand in") for name in STRANGE},
    "bytes that are no text": (tar_of((os.fsdecode(b"m\xfcller"), b""), GOOD), "not a file to"),
    "a link in a tar": (tar_of(tar_of_kind(SHEET, tarfile.SYMTYPE, "../../secret"), GOOD), "a link"),
    "a hard link": (tar_of(tar_of_kind(SHEET, tarfile.LNKTYPE, "../../secret"), GOOD), "a link"),
    "a folder that is a link": (tar_of(tar_of_kind(P1, tarfile.SYMTYPE, "/tmp"), GOOD), "not a"),
    "a link in a zip": (zip_of((zip_info(SHEET, 0o120777), b"../../secret"), GOOD), "a link"),
    "a password": (locked(zip_of((SHEET, b"x"), GOOD)), "encrypted"),
    "damage": (STORED.replace(b"0123456789", b"0123456780"), "Bad CRC"),
    "a compression without a limit": (zip_of((LZMA, "x" * 300), GOOD), "unpacks without a limit"),
    "a large file": (zip_of((SHEET, b"0" * 100_001), GOOD), "larger than 100 kB"),
    "an archive in it": (zip_of(("more.zip", zip_of(GOOD)), GOOD), "more.zip: not opened"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "why"), NOT_USED.values(), ids=NOT_USED)
def test_a_member_that_is_not_used(take, data, why):
    files, told = take(data)
    assert files == dict([GOOD]) and any(why in line for line in told)


# --- an archive that is refused: a part of it would be graded as if it were all ---


def after_good(header, rest=bytes(2048)):
    """A tar in which this comes after a good file."""
    return tar_of(GOOD, packed=False)[:1024] + header + rest


def claims(kind, size):
    return after_good(tar_of_kind(SHEET, kind, size=size).tobuf(tarfile.GNU_FORMAT))


MANY = [(f"{k}", b"") for k in range(60)]
SPARSE = tarfile.TarInfo(SHEET)
SPARSE.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0"}
REFUSED = {
    "many members of a zip": (zip_of(GOOD, *MANY), "lists more than 50"),
    "many members of a tar": (tar_of(GOOD, *MANY), "more than 50 members"),
    "many files": (zip_of(*((f"part1/mine_{k}.hpp", "x") for k in range(25))), "20 files"),
    "a bomb": (gzip.compress(bytes(1 << 20)), "unpacks to more than"),
    "a large zip": (zip_of(GOOD) + bytes(200_000), "is larger than"),
    "a file that claims a petabyte": (claims(tarfile.REGTYPE, 1 << 50), "claims too much"),
    "records that claim a terabyte": (claims(tarfile.XHDTYPE, 1 << 40), "claims too much"),
    "less than nothing": (claims(tarfile.REGTYPE, -512), "claims too much"),
    "a sparse file": (claims(tarfile.GNUTYPE_SPARSE, 0), "claims too much"),
    "a sparse file of pax": (tar_of((SPARSE, b"1\n"), form=tarfile.PAX_FORMAT), "sparse"),
    "a zip cut off": (zip_of(GOOD)[:-30], "not a zip file"),
    "a tar.gz cut off": (tar_of(GOOD)[:-20], "anna.zip: "),
    "a tar cut off": (tar_of(GOOD, packed=False)[:1024], "is damaged"),
    "a tar with a damaged header": (after_good(b"x" * 512), "is damaged"),
}


@pytest.mark.parametrize(("data", "why"), REFUSED.values(), ids=REFUSED)
def test_an_archive_that_is_refused(take, data, why):
    files, (told,) = take(data)
    assert files == {} and why in told


@pytest.mark.parametrize("pack", [zip_of, tar_of, lambda *members: tar_of(*members, packed=False)])
def test_any_damage_ends_in_a_sentence(take, pack):
    draw, whole = random.Random(7), pack(GOOD, (SHEET, b"w" * 300))
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(draw.randint(1, 8)):
            data[draw.randrange(4, len(data))] = draw.randrange(256)
        take(bytes(data))


def test_links_and_pipes_in_a_folder(take, tmp_path):
    (tmp_path / "class/anna/part1").mkdir(parents=True)
    (tmp_path / "class/anna/part1/worksheet.hpp").symlink_to("../../../secret")
    (tmp_path / "class/anna/part1/notebook").symlink_to("/etc")
    os.mkfifo(tmp_path / "class/anna/part1/flags.txt")
    files, told = take(b"good", "anna/part1/mine.hpp")
    assert files == dict([GOOD])
    assert "part1/worksheet.hpp: cannot be read: is a link" in told
    assert "part1/flags.txt: cannot be read: is not a plain file" in told
