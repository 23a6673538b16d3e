"""Who handed in what, under each platform's file names, and which of their files are taken."""

import pytest

from nbody_lab import ROOT
from nbody_lab.grade.authors import identified
from nbody_lab.grade.intake import find_submissions, part_folders, take_in, times_in
from nbody_lab.grade.models import HandedIn, JudgedWorksheet
from tests.grade.made_class.made_archives import tar_of, write_files, zip_of

PARTS = part_folders(ROOT)
P1, P2, P3 = "part1_standard_opti", "part2_vectorization", "part3_cuda"
TAR = tar_of((f"{P1}/mine.hpp", b"x"))
ZIP = zip_of((f"{P1}/mine.hpp", b"x"), (f"build/{P1}/mine.hpp", b"noise"))
RUBRIC = "common/lab/tests/grade/rubric_for_tests.json"
FILE = "assignsubmission_file_"
# the files of a class: {submission: its kind, number, authors, and what is taken}
CLASSES = [
    (
        {
            f"Ada Lovelace_20001_{FILE}/lab.zip": ZIP,
            f"Anna Smith_12345_{FILE}lab.zip": ZIP,
            f"Anna Smith_7_{FILE}part1/mine.hpp": "x",
            "Ben Kim_8_assignsubmission_onlinetext_/onlinetext.html": "text",
        },
        {
            "ada_lovelace": "folder 20001 Ada Lovelace: mine.hpp",
            "anna_smith_12345": "zip 12345 Anna Smith: mine.hpp",
            "anna_smith_7": "folder 7 Anna Smith: mine.hpp",
            "ben_kim": "folder 8 Ben Kim: ",
        },
    ),
    (
        {
            "smithanna_LATE_12345_67890_mine-1.hpp": "x",
            "smithanna_12345_67891_worksheet.hpp": "x",
            "kimben_54321_67892_lab-12.tar.gz": TAR,
        },
        {"kimben": "tar 54321: mine.hpp", "smithanna": "folder 12345 late: mine.hpp worksheet.hpp"},
    ),
    (
        {"ada/part1/mine.hpp": "x", "ben.tar.gz": TAR, "cleo.zip": TAR, "12345.hpp": "x"},
        {"12345_hpp": "folder: 12345.hpp", "ada": "folder: mine.hpp", "ben": "tar: mine.hpp", "cleo": "tar: mine.hpp"},
    ),
    ({"José/a": "", "jose/a": ""}, {"jose_3c15": "folder: ", "jose_8de6": "folder: "}),
    ({"李/a": "", "=1+1": ""}, {"1_1": "folder: ", "student_c166": "folder: "}),
    (dict.fromkeys((".DS_Store", "__MACOSX/x", "late.csv", "rubric.json", "README.txt"), ""), {}),
]  # fmt: skip


@pytest.mark.parametrize(("files", "wanted"), CLASSES)
def test_who_handed_in_what(tmp_path, files, wanted):
    write_files(tmp_path / "class", files)
    told = {}
    for one in find_submissions(tmp_path / "class"):
        who = " ".join([one.who.kind, one.who.student_id, *one.who.authors, "late" * one.who.late])
        taken = take_in(one, tmp_path / one.name, ["part1"], PARTS)
        names = " ".join(file.name for file in taken.files.values())
        told[one.name] = f"{' '.join(who.split())}: {names}"
    assert told == wanted


# --- which files are taken ---


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
    "a solution": (MINE | {f"solutions/{P1}/mine.hpp": "solution"}, MINE),
    "the given one": (GIVEN | of(f"{P1}/README.md"), MINE),
}  # fmt: skip
ASKED = {
    "two that differ": (MINE | {f"old/{P1}/mine.hpp": "old"}, {}, "2 versions of"),
    "a name of several parts": (of("worksheet.hpp"), {}, "which part is it for?"),
    "an empty version": ({f"{P1}/mine.hpp": ""}, {}, "is empty"),
    "a name with an error": (of(f"{P1}/mine.cpp"), {}, f"meant to be {P1}/mine.cpp?"),
    "a worksheet downloaded twice": (MINE | of(f"{P1}/worksheet (1).hpp"), MINE, "worksheet (1)"),
    "a notebook": (ALL | MINE | of("notebook_anna.csv"), ALL | MINE, "notebook_anna.csv?"),
    "beside the given one": (GIVEN | of(f"{P1}/a/b.cu"), MINE, f"meant to be {P1}/a/b.cu?"),
}
ACCIDENTS = [
    (of("build/a.o"), ["the upload is empty: there is no file in it"]),
    (of("notes.docx"), ["no file in it is one that is handed in"]),
    (MINE | of("lab.rar"), ["lab.rar: not opened: no zip or tar(.gz), or in another archive"]),
    (of(f"{P2}/mine.hpp"), []),  # a part that is not asked for
]


@pytest.fixture
def take(tmp_path):
    def take(files, *parts):
        write_files(tmp_path / "class/anna", files)
        (one,) = find_submissions(tmp_path / "class")
        return take_in(one, tmp_path / "out", parts or [part.name for part in PARTS], PARTS)

    return take


@pytest.mark.parametrize(("files", "wanted"), TAKEN.values(), ids=TAKEN)
def test_what_is_taken(take, files, wanted):
    taken = take(files)
    assert (set(taken.files), taken.questions, taken.problems) == (set(wanted), [], [])


@pytest.mark.parametrize(("files", "used", "why"), ASKED.values(), ids=ASKED)
def test_what_a_person_is_asked(take, files, used, why):
    taken = take(files)
    (asked,) = taken.questions
    assert set(taken.files) == set(used) and why in asked and taken.problems == []


@pytest.mark.parametrize(("files", "problems"), ACCIDENTS)
def test_an_upload_that_may_be_an_accident(take, files, problems):
    taken = take(files, "part1")
    assert (taken.problems, taken.questions) == (problems, [])


def test_a_class_is_listed_without_running_it(run_lab, tmp_path):
    """With --only each file."""
    files = {f"ada/{P1}/{name}": "x" for name in ("mine_b.hpp", "notebook.csv", "notes.txt")}
    write_files(tmp_path / "class", files | {"empty.zip": zip_of()})
    words = ["grade", tmp_path / "class", "--dry-run", "--rubric", RUBRIC]
    ada, empty, why, _ = run_lab(*words).output.splitlines()
    assert ada == f"ada (folder): {P1}/mine_b.hpp, {P1}/notebook.csv"
    assert empty == "empty (zip): nothing" and why.startswith("  for a person: the upload is empty")
    assert f"  {P1}/notes.txt: not a file to hand in\n" in run_lab(*words, "--only", "ada").output


# --- whose it is, once the worksheets were judged ---


@pytest.mark.parametrize(
    ("told", "sheets", "authors", "problem"),
    [
        ("Anna Smith", ["Smith Anna, Ben Kim"], ["Smith Anna", "Ben Kim"], ""),
        ("Anna Smith", ["Anna-Maria Smith", ""], ["Anna-Maria Smith"], ""),
        ("Anna Smith", [], ["Anna Smith"], ""),
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


@pytest.mark.parametrize(
    ("cell", "time"),
    [
        ("Friday, 20 November 2026, 11:30 PM", "2026-11-20T23:30:00"),
        ("Wednesday, 1 July 2026, 12:05 AM", "2026-07-01T00:05:00"),
        ("Freitag, 20. November 2026, 22:10", "2026-11-20T22:10:00"),
        ("20. Nov. 2026, 09:05", "2026-11-20T09:05:00"),
        ("22.11.2026 01:30", "2026-11-22T01:30:00"),
        ("viernes, 20 de noviembre de 2026, 23:30", "2026-11-20T23:30:00"),
        ("mercredi 1 juillet 2026, 12:05", "2026-07-01T12:05:00"),
        ("2026-11-20 23:30", "2026-11-20T23:30:00"),
        ("31.02.2026 10:00", None),
        ("5 Foo 2026, 10:00", None),
        ("-", None),
    ],
)
def test_a_time_of_moodle_in_any_language(tmp_path, cell, time):
    """It has no zone, so that it is in the deadline's."""
    file = tmp_path / "list.csv"
    file.write_text(f'ID,Name,Zuletzt\nTeilnehmer 20001,Ada,"{cell}"\n')
    assert times_in([file]).get("20001") == time


def test_the_whole_lab_in_an_archive(tmp_path):
    """As it was handed out: with original copies, and the grader's own words in it."""
    words = (ROOT / "common/lab/src/nbody_lab/grade/archives.py").read_bytes()
    given = f"lab/common/given/{P1}/mine.hpp"
    tar = tar_of((f"lab/{P1}/mine.hpp", b"x"), (given, b"y"), ("lab/common/a.py", words))
    write_files(tmp_path / "class", {"ada.tar.gz": tar})
    (one,) = find_submissions(tmp_path / "class")
    taken = take_in(one, tmp_path / "taken", ["part1"], PARTS)
    assert list(taken.files) == [f"{P1}/mine.hpp"] and not taken.unclear and not taken.problems
