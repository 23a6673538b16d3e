"""Writes the grader's own class into a folder: what programs/*.txt and files.txt store, and generated submissions.

make_class.py OUT [--quick] [--only NAME ...]

OUT must be new or empty. The result is the same each time, byte by byte. Archives, links and odd names are generated,
not stored, so that viewing this folder or unpacking the lab is harmless.
"""

import argparse
import json
import re
import shutil
import sys
from pathlib import Path

from tests.grade.made_class.made_archives import write_files
from tests.grade.made_class.made_submissions import MADE
from tests.grade.made_class.stored_programs import read_files, read_programs, write_program

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[4]

FOLDERS = {"part1": "part1_standard_opti", "part4": "part4_mpi"}
HALF = "half_the_work.hpp"  # what several cheats share


def read_expected():
    return json.loads((HERE / "expected.json").read_text(encoding="utf-8"))


def rows_of_class():
    """An entry that a row does not name is called like the row, and is of part 1; who is honest needs no isolation."""
    return [
        {
            "entry": row["name"],
            "part": "part1",
            "kind": "hostile" if "without_isolation" in row else "honest",
            "quick": False,
            **row,
        }
        for row in read_expected()["rows"]
    ]


def stored_names():
    return sorted({*read_files(), *read_programs()})


def filled_in(given, changes):
    """A worksheet.hpp: the given one with the code and the answers of a worksheet.changes file, separated by ---."""
    code, _, answers = changes.partition("---\n")
    text = given.replace("namespace nbody {", f"{code}\nnamespace nbody {{", 1)
    for name, answer in (line.split(" = ", 1) for line in answers.splitlines()):
        text, count = re.subn(
            rf"( {name} =) [^;]*;", lambda found, answer=answer: f"{found[1]} {answer};", text
        )
        if count != 1:
            raise ValueError(f"the worksheet has no answer {name}")
    return text


def make_class(out, rows):
    """Raises FileExistsError if `out` is not empty."""
    out.mkdir(parents=True, exist_ok=True)
    if any(out.iterdir()):
        raise FileExistsError(f"{out}: not empty; name a new folder")
    programs, files = read_programs(), read_files()
    for row in rows:
        if row["name"] in MADE:
            MADE[row["name"]](out / row["entry"])
            continue
        if row["name"] in programs:
            write_program(
                programs[row["name"]], row["tries"], out / row["entry"] / FOLDERS[row["part"]]
            )
        write_files(out / row["entry"], files.get(row["name"], {}))
        for mine in list((out / row["entry"]).rglob("mine.hpp")):
            if HALF in mine.read_text(encoding="utf-8"):
                shutil.copy(HERE / "programs" / HALF, mine.with_name(HALF))
        for changes in list((out / row["entry"]).rglob("worksheet.changes")):
            given = (ROOT / changes.parent.name / "worksheet.hpp").read_text(encoding="utf-8")
            changes.with_name("worksheet.hpp").write_text(
                filled_in(given, changes.read_text(encoding="utf-8")), encoding="utf-8"
            )
            changes.unlink()


def main():
    parser = argparse.ArgumentParser(
        description="Writes the grader's own class into a folder: all submissions, hostile ones too, unless an option chooses."
    )
    parser.add_argument("out", type=Path, help="a new folder")
    parser.add_argument("--quick", action="store_true", help="a representative third")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these rows")
    asked = parser.parse_args()
    rows = [row for row in rows_of_class() if row["quick"] or not asked.quick]
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
