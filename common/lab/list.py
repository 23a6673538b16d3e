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


def rows_of(entries, part):
    """One row per implementation; the checker's own test simulators only on request."""
    rows = []
    for entry in entries:
        zoo = entry["kind"] in ("honest", "wrong")
        if zoo if part is None else entry["part"] != part:
            continue
        rows.append((entry["part"], entry["name"], entry["kind"], entry["summary"], " ".join(entry["flags"])))
    return rows


def main(arguments):
    manifest, part = arguments[0], arguments[1] if len(arguments) > 1 else None
    rows = rows_of(Manifest(manifest).rows, part)
    if not rows:
        stop(f"there is no part '{part}'")
    print(table(COLUMNS, rows))
    return 0


if __name__ == "__main__":
    sys.exit(ended(main, sys.argv[1:]))
