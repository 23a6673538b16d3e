"""Writes the grader's own class into a folder: what submissions/ stores, and what is made: archives, links, and worksheets,
which are the given one with changes.

make_class.py OUT [--only NAME ...]

OUT must be new or empty. The result is the same each time, byte by byte. Archives, links and odd names are made, not
stored, so that viewing this folder or unpacking the lab is harmless.
"""

import argparse
import json
import re
import shutil
import tarfile
from pathlib import Path

from nbody_lab import ROOT
from tests.grade.made_class.made_archives import (
    HEADER,
    HONEST,
    STORED,
    tar_of,
    tar_of_kind,
    write_files,
    zip_of,
)

EXPECTED = STORED.with_name("expected.json")
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
        declared = re.search(rf" {name} = [^;]*;", text)[0]
        text = text.replace(declared, f" {name} = {answer};")
    write_files(path, {SHEET: text})


def whole_lab(path):
    names = ("README.md", "CMakeLists.txt", "lab", "part1_standard_opti/naive.hpp")
    files = [(f"lab/{name}", (ROOT / name).read_bytes()) for name in names]
    path.write_bytes(tar_of(*files, (f"lab/{HEADER}", HONEST)))


def from_moodle(path):
    write_files(path, {"lab.zip": zip_of((f"lab/{HEADER}", HONEST))})


def escapes_and_bomb(path):
    """Names and links that lead out, files of the lab, a pipe, a device, and 40 MB."""
    of_the_lab = ("common/check/main.cpp", "CMakeLists.txt", "lab", "part1_standard_opti/naive.hpp")
    of_the_lab += ("part1_standard_opti/questions.py",)
    packed = tar_of(
        (HEADER, HONEST),
        tar_of_kind("part2_vectorization", tarfile.SYMTYPE, "/tmp"),
        ("part2_vectorization/attack_proof_link", b"x"),
        tar_of_kind("part2_vectorization/mine.hpp", tarfile.LNKTYPE, UP + "etc/passwd"),
        (UP + "tmp/attack_proof_dotdot", b"x"),
        ("/tmp/attack_proof_absolute", b"x"),
        tar_of_kind("part2_vectorization/flags.txt", tarfile.FIFOTYPE),
        tar_of_kind("part2_vectorization/notebook.csv", tarfile.CHRTYPE),
        *((name, b"attack_proof: not the file of the lab") for name in of_the_lab),
        ("part1_standard_opti/NOTEBOOK.md", bytes(40 << 20)),
    )
    path.write_bytes(packed)


NAMES = "=HYPERLINK(\\\"http://192.0.2.1/\\\"&A1), <script>alert('attack_proof')</script>, \\033[31mRed\\007"
BROKEN = ANSWERS | {"forces_percent": "80 percent"}
MADE = {
    "whole_lab": whole_lab,
    "moodle_folder": from_moodle,
    "escapes_and_bomb": escapes_and_bomb,
    "worksheet_only": lambda path: write_sheet(
        path, authors='"Ada Lovelace, Charles Babbage"', **ANSWERS
    ),
    "worksheet_broken": lambda path: write_sheet(path, **BROKEN),
    "counts_calls": lambda path: write_sheet(path, authors=f'"{NAMES}"'),
}


def read_expected():
    return json.loads(EXPECTED.read_text(encoding="utf-8"))


def rows_of_class():
    """An entry that a row does not name is called like the row, and is of part 1."""
    return [{"entry": row["name"], "part": "part1", **row} for row in read_expected()["rows"]]


def make_class(out, rows):
    """Raises FileExistsError if `out` is not empty."""
    out.mkdir(parents=True, exist_ok=True)
    if any(out.iterdir()):
        raise FileExistsError(f"{out}: not empty; name a new folder")
    for row in rows:
        name, place = row["name"], out / row["entry"]
        if (STORED / name).is_dir():
            shutil.copytree(STORED / name, place)
        if name in MADE:
            MADE[name](place)


def main():
    rows = {row["name"]: row for row in rows_of_class()}
    parser = argparse.ArgumentParser(description="Writes the grader's own class into a folder.")
    parser.add_argument("out", type=Path, help="a new folder")
    parser.add_argument("--only", nargs="+", choices=rows, default=list(rows), metavar="NAME")
    asked = parser.parse_args()
    make_class(asked.out, [rows[name] for name in asked.only])
    print(f"{len(asked.only)} submissions in {asked.out}")


if __name__ == "__main__":
    main()
