"""Writes the grader's own class into a folder: what submissions/ stores, and what is made.

make_class.py OUT [--only NAME ...]

OUT must be new or empty. The result is the same each time, byte by byte. Archives, links and odd names are made, not
stored, so that viewing this folder or unpacking the lab is harmless.
"""

import argparse
import json
import shutil
from pathlib import Path

from tests.grade.made_class.made_archives import STORED
from tests.grade.made_class.made_submissions import MADE

EXPECTED = STORED.with_name("expected.json")


def read_expected():
    return json.loads(EXPECTED.read_text(encoding="utf-8"))


def rows_of_class():
    """An entry that a row does not name is called like the row, and is of part 1; who is honest needs no isolation."""
    return [
        {
            "entry": row["name"],
            "part": "part1",
            "kind": "hostile" if "without_isolation" in row else "honest",
            **row,
        }
        for row in read_expected()["rows"]
    ]


def stored_names():
    return sorted(folder.name for folder in STORED.iterdir())


def make_class(out, rows):
    """Raises FileExistsError if `out` is not empty."""
    out.mkdir(parents=True, exist_ok=True)
    if any(out.iterdir()):
        raise FileExistsError(f"{out}: not empty; name a new folder")
    for row in rows:
        name, place = row["name"], out / row["entry"]
        if name in stored_names():
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
