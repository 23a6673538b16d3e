"""What is made of submissions, and not stored: archives, links, and worksheets, which are the given one with changes."""

import re
import tarfile

from nbody_lab import ROOT
from tests.grade.made_class.made_archives import (
    HEADER,
    HONEST,
    MEGABYTE,
    tar_of_kind,
    write_files,
    write_tar,
    write_zip,
)

UP = 8 * "../"
SHEET = "part1_standard_opti/worksheet.hpp"
ANSWERS = {
    "naive_loads_in_registers": "4 * n * n",
    "naive_stores_in_registers": "3 * n",
    "forces_percent": "80",
    "neighbours_percent": "20",
}


def write_sheet(path, **answers):
    """The given worksheet with these answers."""
    text = (ROOT / SHEET).read_text(encoding="utf-8")
    for name, answer in answers.items():
        text, count = re.subn(
            rf"( {name} =) [^;]*;", lambda found, answer=answer: f"{found[1]} {answer};", text
        )
        if count != 1:
            raise ValueError(f"the worksheet has no answer {name}")
    write_files(path, {SHEET: text})


def whole_lab(path):
    names = ("README.md", "CMakeLists.txt", "lab", "part1_standard_opti/naive.hpp")
    files = [(f"lab/{name}", (ROOT / name).read_bytes()) for name in names]
    write_tar(path, [*files, (f"lab/{HEADER}", HONEST)])


def from_moodle(path):
    path.mkdir()
    write_zip(path / "lab.zip", [(f"lab/{HEADER}", HONEST)])


def escapes_and_bomb(path):
    of_the_lab = ("common/check/main.cpp", "CMakeLists.txt", "lab", "part1_standard_opti/naive.hpp")
    write_tar(
        path,
        [
            (HEADER, HONEST),
            (tar_of_kind("part2_vectorization", tarfile.SYMTYPE, "/tmp"), b""),
            ("part2_vectorization/attack_proof_link", b"x"),
            (
                tar_of_kind("part2_vectorization/mine.hpp", tarfile.LNKTYPE, UP + "etc/passwd"),
                b"",
            ),
            (UP + "tmp/attack_proof_dotdot", b"x"),
            ("/tmp/attack_proof_absolute", b"x"),
            (tar_of_kind("part2_vectorization/flags.txt", tarfile.FIFOTYPE), b""),
            (tar_of_kind("part2_vectorization/notebook.csv", tarfile.CHRTYPE), b""),
            *((name, b"attack_proof: not the file of the lab") for name in of_the_lab),
            ("part1_standard_opti/questions.py", b"attack_proof: not the file of the lab"),
            ("part1_standard_opti/NOTEBOOK.md", bytes(40 * MEGABYTE)),
        ],
    )


NAMES = "=HYPERLINK(\\\"http://192.0.2.1/\\\"&A1), <script>alert('attack_proof')</script>, \\033[31mRed\\007"
MADE = {
    "whole_lab": whole_lab,
    "moodle_folder": from_moodle,
    "escapes_and_bomb": escapes_and_bomb,
    "worksheet_only": lambda path: write_sheet(
        path, authors='"Ada Lovelace, Charles Babbage"', **ANSWERS
    ),
    "worksheet_broken": lambda path: write_sheet(
        path, **{**ANSWERS, "forces_percent": "80 percent"}
    ),
    "counts_calls": lambda path: write_sheet(path, authors=f'"{NAMES}"'),
}
