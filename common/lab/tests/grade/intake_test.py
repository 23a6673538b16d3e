"""Who handed in what, under each platform's file names, which files are taken, and hostile uploads: limits hold, and whatever it is ends in a sentence."""

import gzip
import os
import random
import tarfile
import zipfile

import pytest

from nbody_lab import ROOT
from nbody_lab.grade import archives, intake
from nbody_lab.grade.intake import find_submissions, identified, part_folders, take_in
from nbody_lab.grade.models import HandedIn, JudgedWorksheet
from tests import write_files
from tests.grade.made_class.make_class import (
    locked,
    tar_of,
    tar_of_kind,
    zip_info,
    zip_of,
)

PARTS = part_folders(ROOT)
P1, P2, P3 = "part1_standard_opti", "part2_vectorization", "part3_cuda"
TAR = tar_of((f"{P1}/mine.hpp", b"x"))
ZIP = zip_of((f"{P1}/mine.hpp", b"x"), (f"build/{P1}/mine.hpp", b"noise"))
RUBRIC = "common/lab/tests/grade/rubric_for_tests.json"
FILE = "assignsubmission_file_"
# the files of a class: {submission: its number, authors, and what is taken}
CLASSES = [
    (
        {
            f"Ada Lovelace_20001_{FILE}/lab.zip": ZIP,
            f"Anna Smith_12345_{FILE}lab.zip": ZIP,
            f"Anna Smith_7_{FILE}part1/mine.hpp": "x",
            "Ben Kim_8_assignsubmission_onlinetext_/onlinetext.html": "text",
        },
        {
            "ada_lovelace": "20001 Ada Lovelace: mine.hpp",
            "anna_smith_12345": "12345 Anna Smith: mine.hpp",
            "anna_smith_7": "7 Anna Smith: mine.hpp",
            "ben_kim": "8 Ben Kim: ",
        },
    ),
    (
        {
            "smithanna_LATE_12345_67890_mine-1.hpp": "x",
            "smithanna_12345_67891_worksheet.hpp": "x",
            "kimben_54321_67892_lab-12.tar.gz": TAR,
        },
        {"kimben": "54321: mine.hpp", "smithanna": "12345 late: mine.hpp worksheet.hpp"},
    ),
    (
        {"ada/part1/mine.hpp": "x", "ben.tar.gz": TAR, "cleo.zip": TAR, "12345.hpp": "x"},
        {"12345_hpp": ": 12345.hpp", "ada": ": mine.hpp", "ben": ": mine.hpp", "cleo": ": mine.hpp"},
    ),
    ({"José/a": "", "jose/a": ""}, {"jose_3c15": ": ", "jose_8de6": ": "}),
    ({"李/a": "", "=1+1": ""}, {"1_1": ": ", "student_c166": ": "}),
    (dict.fromkeys((".DS_Store", "__MACOSX/x", "late.csv", "rubric.json", "README.txt"), ""), {}),
]  # fmt: skip


@pytest.mark.parametrize(("files", "wanted"), CLASSES)
def test_who_handed_in_what(tmp_path, files, wanted):
    write_files(tmp_path / "class", files)
    told = {}
    for one in find_submissions(tmp_path / "class"):
        who = " ".join([one.who.student_id, *one.who.authors, "late" * one.who.late])
        taken = take_in(one, tmp_path / one.name, ["part1"], PARTS)
        names = " ".join(file.name for file in taken.files.values())
        told[one.name] = f"{' '.join(who.split())}: {names}"
    assert told == wanted


def of(*names):
    return dict.fromkeys(names, "x")


GIVEN = {f"{P1}/mine.hpp": (ROOT / P1 / "mine.hpp").read_bytes()}
MINE = of(f"{P1}/mine.hpp")
ALL = of(*(f"{P1}/{name}" for name in ("NOTEBOOK.md", "flags.txt", "mine_b.hpp", "tiles.h")))
TAKEN = {
    "exact places": (ALL | MINE, ALL | MINE),
    "below any folder": (of("lab/part1/mine.hpp", f"a/b/{P3}/mine.cuh"), MINE | of(f"{P3}/mine.cuh")),
    "a name of one part alone": (of("anna/mine.cuh", "tiles.hpp"), of(f"{P3}/mine.cuh")),
    "no version": (MINE | of(f"{P1}/notebook/003_mine.hpp", f"{P1}/mine.cuh", f"{P1}/mine_a b.hpp"), MINE),
    "the same twice": (MINE | of(f"old/{P1}/mine.hpp"), MINE),
    "the whole lab": (of(f"lab/{P1}/mine.hpp", f"lab/{P1}/naive.hpp", "lab/CMakeLists.txt"), MINE),
    "original copies": (of(f"lab/{P1}/mine.hpp") | {f"lab/common/given/{P1}/mine.hpp": "y"}, MINE),
    "a solution": (MINE | {f"solutions/{P1}/mine.hpp": "solution"}, MINE),
    "the given one": (GIVEN | of(f"{P1}/README.md"), MINE),
}  # fmt: skip
# What is taken beside what a person is asked; and what may be an accident.
ASKED = {
    "two that differ": (MINE | {f"old/{P1}/mine.hpp": "old"}, {}, "2 versions of"),
    "a name of several parts": (of("worksheet.hpp"), {}, "which part is it for?"),
    "an empty version": ({f"{P1}/mine.hpp": ""}, {}, "is empty"),
    "a name with an error": (of(f"{P1}/mine.cpp"), {}, f"meant to be {P1}/mine.cpp?"),
    "a worksheet downloaded twice": (MINE | of(f"{P1}/worksheet (1).hpp"), MINE, "worksheet (1)"),
    "a notebook": (ALL | MINE | of("notebook_anna.csv"), ALL | MINE, "notebook_anna.csv?"),
    "beside the given one": (GIVEN | of(f"{P1}/a/b.cu"), MINE, f"meant to be {P1}/a/b.cu?"),
    "nothing": (of("build/a.o"), {}, "the upload is empty: there is no file in it"),
    "another file": (of("notes.docx"), {}, "no file in it is one that is handed in"),
    "an archive": (MINE | of("lab.rar"), MINE, "lab.rar: no zip or tar(.gz)"),
    "one inside another": (
        MINE | {"a.zip": zip_of(("lab.zip", ZIP))},
        MINE,
        "lab.zip: an archive inside an archive is not opened",
    ),
}


@pytest.mark.parametrize(
    ("files", "used", "why"),
    [*((*one, "") for one in TAKEN.values()), *ASKED.values()],
    ids=[*TAKEN, *ASKED],
)
def test_what_is_taken_and_what_a_person_is_asked(tmp_path, files, used, why):
    write_files(tmp_path / "class/anna", files)
    (one,) = find_submissions(tmp_path / "class")
    taken = take_in(one, tmp_path / "out", [part.name for part in PARTS], PARTS)
    assert set(taken.files) == set(used)
    told = [*taken.questions, *taken.problems]
    assert len(told) == (why != "") and why in "".join(told)


def test_a_class_is_listed_without_running_it(run_lab, tmp_path):
    """With --only each file."""
    files = {f"ada/{P1}/{name}": "x" for name in ("mine_b.hpp", "notebook.csv", "notes.txt")}
    write_files(tmp_path / "class", files | {"empty.zip": zip_of()})
    words = ["grade", tmp_path / "class", "--dry-run", "--rubric", RUBRIC]
    ada, empty, why, _ = run_lab(*words).output.splitlines()
    assert ada == f"ada: {P1}/mine_b.hpp, {P1}/notebook.csv"
    assert empty == "empty: nothing" and why.startswith("  for a person: the upload is empty")
    assert f"  {P1}/notes.txt: not a file to hand in\n" in run_lab(*words, "--only", "ada").output
    said = run_lab(*words, "--only", "adda")[2]
    assert said.startswith("lab: there is no submission 'adda'; did you mean ada?")


@pytest.mark.parametrize(
    ("told", "sheets", "authors", "problem"),
    [
        ("Anna Smith", ["Smith Anna, Ben Kim"], ["Smith Anna", "Ben Kim"], ""),
        ("Anna Smith", ["Anna-Maria Smith", ""], ["Anna-Maria Smith"], ""),
        ("Participant", ["José and  JOSE & 李小龙;, "], ["José", "李小龙"], ""),
        ("Anna Smith", ["Ben"], ["Ben"], "handed in by Anna Smith, but the worksheet names Ben"),
        ("", ["=cmd\x1b[31m\u202e", "---"], ["=cmd\\u001b[31m\\u202e"], ""),
        ("", [",".join(f"name{k}" for k in range(99))], [f"name{k}" for k in range(10)], ""),
    ],
)
def test_the_worksheet_comes_first(told, sheets, authors, problem):
    judged = [JudgedWorksheet.model_construct(authors=one) for one in sheets]
    who, said = identified(HandedIn(name="a", authors=[told] if told else []), [None, *judged])
    assert (list(who.authors), said) == (authors, problem)


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


STORED = zip_of((SHEET, b"0123456789"), GOOD, compression=zipfile.ZIP_STORED)
LZMA = zip_info(SHEET)
LZMA.compress_type = zipfile.ZIP_LZMA
STRANGE = ("../../secret", "C:\\x", "a\nb\x1b[31m.txt", "a/" * 200 + "x", f"{P1}/../../x")
NOT_USED = {
    **{repr(name): (zip_of((name, b"bad"), GOOD), "not a file to hand in") for name in STRANGE},
    "bytes that are no text": (tar_of((os.fsdecode(b"m\xfcller"), b""), GOOD), "not a file to"),
    "a link in a zip": (zip_of((zip_info(SHEET, 0o120777), b"../../secret"), GOOD), "a link"),
    "a password": (locked(zip_of((SHEET, b"x"), GOOD)), "encrypted"),
    "damage": (STORED.replace(b"0123456789", b"0123456780"), "Bad CRC"),
    "a compression without a limit": (zip_of((LZMA, "x" * 300), GOOD), "unpacks without a limit"),
    "a large file": (zip_of((SHEET, b"0" * 100_001), GOOD), "larger than 100 kB"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "why"), NOT_USED.values(), ids=NOT_USED)
def test_a_member_that_is_not_used(take, data, why):
    files, told = take(data)
    assert files == dict([GOOD]) and any(why in line for line in told)


def claims(kind, size):
    """A tar in which this comes after a good file."""
    header = tar_of_kind(SHEET, kind, size=size).tobuf(tarfile.GNU_FORMAT)
    return tar_of(GOOD, packed=False)[:1024] + header + bytes(2048)


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
    "a sparse file": (claims(tarfile.GNUTYPE_SPARSE, 0), "claims too much"),
    "a sparse file of pax": (tar_of((SPARSE, b"1\n"), form=tarfile.PAX_FORMAT), "sparse"),
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
