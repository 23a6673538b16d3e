"""./lab list: all implementations, from the manifest that CMake writes. It builds nothing."""

from nbody_lab.core.manifest import Manifest
from nbody_lab.core.messages import stop
from nbody_lab.core.screen import table

COLUMNS = ("part", "implementation", "kind", "what it is", "flags")


def shown(entries, part):
    """The entries of a part; without one those of all, part by part, except the checker's own test simulators."""
    if part:
        return [entry for entry in entries if entry["part"] == part]
    programs = [entry for entry in entries if entry["kind"] not in ("honest", "wrong")]
    parts = list(dict.fromkeys(entry["part"] for entry in programs))
    return sorted(programs, key=lambda entry: parts.index(entry["part"]))


def row_of(entry):
    return entry["part"], entry["name"], entry["kind"], entry["summary"], " ".join(entry["flags"])


def show(manifest, part=""):
    """Prints the table, of one part or of all; `manifest`: the file."""
    rows = [row_of(entry) for entry in shown(Manifest(manifest).rows, part)]
    if not rows:
        stop(f"there is no part '{part}'")
    columns = len(COLUMNS) if part else len(COLUMNS) - 1
    print(table(COLUMNS[:columns], [row[:columns] for row in rows]))
    if not part:
        print("\nwith flags: ./lab list PART")
    return 0
