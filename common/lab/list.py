#!/usr/bin/env python3
"""./lab list: all implementations, from the manifest that CMake writes. It builds nothing.

    list.py MANIFEST [PART]
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from manifest import Manifest  # noqa: E402
from messages import ended, stop  # noqa: E402
from screen import table  # noqa: E402

COLUMNS = ("part", "implementation", "kind", "what it is", "flags")


def shown(entries, part):
    """The entries of a part; for None those of all, part by part, except the checker's own test simulators."""
    if part is not None:
        return [entry for entry in entries if entry["part"] == part]
    programs = [entry for entry in entries if entry["kind"] not in ("honest", "wrong")]
    parts = list(dict.fromkeys(entry["part"] for entry in programs))
    return sorted(programs, key=lambda entry: parts.index(entry["part"]))


def row_of(entry):
    return entry["part"], entry["name"], entry["kind"], entry["summary"], " ".join(entry["flags"])


def main(arguments):
    manifest, part = arguments[0], arguments[1] if len(arguments) > 1 else None
    rows = [row_of(entry) for entry in shown(Manifest(manifest).rows, part)]
    if not rows:
        stop(f"there is no part '{part}'")
    columns = len(COLUMNS) if part else len(COLUMNS) - 1
    print(table(COLUMNS[:columns], [row[:columns] for row in rows]))
    if not part:
        print("\nwith flags: ./lab list PART")
    return 0


if __name__ == "__main__":
    sys.exit(ended(main, sys.argv[1:]))
