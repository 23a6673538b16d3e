"""Writes the grader's own class into a folder: what submissions/ stores, and what is made.

make_class.py OUT [--only NAME ...]

OUT must be new or empty. The result is the same each time, byte by byte. Archives, links and odd names are made, not
stored, so that viewing this folder or unpacking the lab is harmless.
"""

import argparse
import json
import shutil
import sys
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
    parser = argparse.ArgumentParser(
        description="Writes the grader's own class into a folder: all submissions, hostile ones too, unless an option chooses."
    )
    parser.add_argument("out", type=Path, help="a new folder")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these rows")
    asked = parser.parse_args()
    rows = rows_of_class()
    if asked.only:
        unknown = sorted(set(asked.only) - {row["name"] for row in rows})
        if unknown:
            print(f"error: there is no {unknown[0]} in expected.json", file=sys.stderr)
            return 2
        rows = [row for row in rows if row["name"] in asked.only]
    try:
        make_class(asked.out, rows)
    except OSError as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 2
    print(f"{len(rows)} submission{'s' * (len(rows) != 1)} in {asked.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
