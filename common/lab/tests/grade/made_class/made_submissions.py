"""Generated submissions: one function each, which writes the class's entry at a path."""

import os
import tarfile

from nbody_lab import ROOT
from tests.grade.made_class.made_archives import (
    HEADER,
    HONEST,
    MEGABYTE,
    cut_off,
    locked,
    tar_bomb,
    tar_of_kind,
    write_files,
    write_tar,
    write_zip,
    zip_link,
    zip_of,
    zip_that_lies,
)

LAB = ROOT
NOTEBOOK = "part1_standard_opti/NOTEBOOK.md"
UP = 8 * "../"


def zipped(*members):
    return lambda path: write_zip(path, members)


def tarred(*members):
    return lambda path: write_tar(path, members)


def with_link(path, name, target):
    (path / name).parent.mkdir(parents=True, exist_ok=True)
    os.symlink(target, path / name)


def with_pipe(path):
    (path / HEADER).parent.mkdir(parents=True)
    os.mkfifo(path / HEADER)


def huge_files(path):
    """50 MB each, sparse: they use no disk space."""
    for name in (HEADER, NOTEBOOK, "part1_standard_opti/worksheet.hpp"):
        write_files(path, {name: b""})
        os.truncate(path / name, 50 * MEGABYTE)


def whole_lab(path):
    files = [
        (f"lab/{name}", (LAB / name).read_bytes())
        for name in ("README.md", "CMakeLists.txt", "lab", "part1_standard_opti/naive.hpp")
    ]
    write_tar(path, [*files, (f"lab/{HEADER}", HONEST)])


def from_moodle(path):
    path.mkdir()
    write_zip(path / "lab.zip", [(f"lab/{HEADER}", HONEST)])


def path_as_mine(path):
    """A worksheet that gives a path as the row to count."""
    sheet = (LAB / "part1_standard_opti/worksheet.hpp").read_bytes()
    sheet = sheet.replace(
        b'std::string mine = "mine"', f'std::string mine = "{UP}etc/passwd"'.encode()
    )
    write_files(path, {HEADER: HONEST, "part1_standard_opti/worksheet.hpp": sheet})


def two_worksheets(path):
    sheet = (LAB / "part1_standard_opti/worksheet.hpp").read_bytes()
    names = ("part1_standard_opti/worksheet.hpp", "old/part1_standard_opti/worksheet.hpp")
    write_files(
        path, {HEADER: HONEST, names[0]: sheet + b"// new\n", names[1]: sheet + b"// old\n"}
    )


def copied_with_a_table(path):
    table = b"inline const int filler[] = {" + b"0, " * 20_000 + b"};\n"
    write_files(path, {HEADER: HONEST + table})


MADE = {
    "untouched": lambda path: write_files(path, {HEADER: (LAB / HEADER).read_bytes()}),
    "windows_lines": lambda path: write_files(
        path, {HEADER: b"\xef\xbb\xbf" + HONEST.replace(b"\n", b"\r\n")}
    ),
    "empty_folder": lambda path: path.mkdir(),
    "empty_zip": zipped(),
    "no_archive": lambda path: path.write_bytes(b"My solution is on my other computer.\n"),
    "cut_off_zip": cut_off,
    "zip_with_password": lambda path: path.write_bytes(locked(zip_of((HEADER, HONEST)))),
    "zip_in_zip": zipped(("inner.zip", zip_of((HEADER, HONEST)))),
    "zip_unicode": zipped(
        ("Übung 1/Zoë Ångström 數學/part1_standard_opti/mine.hpp", HONEST),
        ("__MACOSX/Übung 1/._mine.hpp", b"\0\5\26\7"),
        ("Übung 1/.DS_Store", b"\0\0\0\1Bud1"),
    ),
    "zip_backslashes": zipped(("lab\\part1_standard_opti\\mine.hpp", HONEST)),
    "whole_lab": whole_lab,
    "flat_file": lambda path: path.write_bytes(HONEST),
    "moodle_folder": from_moodle,
    "canvas_file": lambda path: path.write_bytes(HONEST),
    "canvas_late": lambda path: path.write_bytes(HONEST),
    "zip_links": zipped(
        zip_link(HEADER, "/etc/passwd"),
        zip_link("part2_vectorization", "/tmp"),
        ("part2_vectorization/attack_proof_zip_link", b"x"),
    ),
    "tar_links": tarred(
        (tar_of_kind("part1_standard_opti", tarfile.SYMTYPE, "/tmp"), b""),
        ("part1_standard_opti/attack_proof_tar_link", b"x"),
        (tar_of_kind("mine.hpp", tarfile.LNKTYPE, UP + "etc/passwd"), b""),
    ),
    "zip_dotdot": zipped(
        (UP + "tmp/attack_proof_zip_dotdot", b"x"),
        ("..\\..\\attack_proof_backslash", b"x"),
        (HEADER, HONEST),
    ),
    "tar_dotdot": tarred(
        (UP + "tmp/attack_proof_tar_dotdot", b"x"), (f"a/../../../{HEADER}", b"x"), (HEADER, HONEST)
    ),
    "zip_absolute": zipped(
        ("/tmp/attack_proof_zip_absolute", b"x"), ("C:\\attack_proof", b"x"), (HEADER, HONEST)
    ),
    "tar_absolute": tarred(("/tmp/attack_proof_tar_absolute", b"x"), (HEADER, HONEST)),
    "zip_bomb": zipped((HEADER, HONEST), (NOTEBOOK, bytes(256 * MEGABYTE))),
    "tar_bomb": tar_bomb,
    "zip_many_members": lambda path: write_zip(
        path, ((f"part1_standard_opti/{k}.hpp", b"") for k in range(25000))
    ),
    "zip_that_lies": zip_that_lies,
    "zip_twice": zipped(
        (HEADER, HONEST),
        (HEADER, b"#error attack_proof\n"),
        (HEADER.replace("mine", "MINE"), b"#error attack_proof\n"),
    ),
    "zip_odd_names": zipped(
        ("part1_standard_opti/mine_\x1b[31m.hpp", HONEST),
        ("part1_standard_opti/mine_\n.hpp", HONEST),
        ("part1_standard_opti/mine_${CMAKE_COMMAND}.hpp", HONEST),
        ("part1_standard_opti/mine_;$(id).hpp", HONEST),
        ("part1_standard_opti/" + 300 * "m" + ".hpp", HONEST),
        (20 * "a/" + "mine.hpp", HONEST),
        (HEADER, HONEST),
    ),
    "tar_devices": tarred(
        (tar_of_kind(HEADER, tarfile.FIFOTYPE), b""), (tar_of_kind(NOTEBOOK, tarfile.CHRTYPE), b"")
    ),
    "folder_links": lambda path: with_link(path, HEADER, "/etc/passwd"),
    "link_to_another": lambda path: os.symlink("locals", path),
    "folder_pipe": with_pipe,
    "huge_files": huge_files,
    "worksheet_path": path_as_mine,
    "two_worksheets": two_worksheets,
    "copied_with_a_table": copied_with_a_table,
    "name_of_a_table": lambda path: write_files(path, {HEADER: HONEST}),
    "name_of_an_option": lambda path: write_files(path, {HEADER: HONEST}),
}
