"""The manifest: all parts and implementations, written by CMake (docs/file_formats.md).

    manifest.py FILE parts                     names of the parts, in order
    manifest.py FILE names PART [KIND]         names of its implementations
    manifest.py FILE get PART NAME FIELD       one field of a row, lists as words
    manifest.py FILE part PART FIELD           one field of a part
    manifest.py FILE programs PART             all its programs
    manifest.py FILE targets PART NAME PRECISION [SET...]   ninja targets of its programs

For scripts; Python imports `Manifest`.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from messages import LabError  # noqa: E402

VERSION = 2


class ManifestError(LabError):
    """The file is not a manifest, or lacks the requested entry. One line."""


class Manifest:
    def __init__(self, file):
        self.file = Path(file)
        try:
            data = json.loads(self.file.read_text(encoding="utf-8"))
            if data["version"] != VERSION:
                raise ManifestError(f"{file}: version {data['version']}, not {VERSION}: configure again with cmake")
            self.parts, self.rows = data["parts"], data["implementations"]
            self.gpu_only = data.get("gpu_only", [])  # in manifest_on_cpu.json: rows without a program, and why
        except (OSError, ValueError, KeyError, TypeError) as fault:
            raise ManifestError(f"{file}: not a manifest of the lab: configure again with cmake") from fault

    def part(self, name):
        """The part's row, or None."""
        return next((part for part in self.parts if part["name"] == name), None)

    def of_part(self, part, kind=None):
        return [row for row in self.rows if row["part"] == part and kind in (None, row["kind"])]

    def row(self, part, name):
        """The row of an implementation. Raises ManifestError, which lists the available names."""
        for row in self.of_part(part):
            if row["name"] == name:
                return row
        names = " ".join(row["name"] for row in self.of_part(part))
        if not names:
            raise ManifestError(f"there is no part '{part}'; parts: {' '.join(p['name'] for p in self.parts)}")
        raise ManifestError(f"{part} has no implementation '{name}'; it has: {names}")

    def targets(self, part, name, precision, sets=()):
        """The ninja targets that build its programs; `sets` limits them to these instruction sets."""
        row = self.row(part, name)
        programs = [p for p in row["programs"] if p["precision"] == precision]
        if sets:
            programs = [p for p in programs if p["instruction_set"] in sets] or programs
        targets = [p["program"] for p in programs]
        if targets and row["program"] not in targets and precision == "float":
            targets.append(row["program"])  # the launcher
        return targets


def words(value):
    """A field as text for scripts: null becomes nothing, a list becomes words."""
    if value is None:
        return ""
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def answer(manifest, question, arguments):
    if question == "parts":
        return [part["name"] for part in manifest.parts]
    if question == "names":
        return [row["name"] for row in manifest.of_part(*arguments)]
    if question == "get":
        part, name, field = arguments
        return [words(manifest.row(part, name).get(field))]
    if question == "part":
        name, field = arguments
        part = manifest.part(name)
        return [words(part.get(field))] if part else []
    if question == "programs":
        return [program["program"] for row in manifest.of_part(*arguments) for program in row["programs"]]
    if question == "targets":
        part, name, precision, *sets = arguments
        return manifest.targets(part, name, precision, sets)
    raise ManifestError(f"manifest.py does not know '{question}'")


def main(arguments):
    try:
        print("\n".join(answer(Manifest(arguments[0]), arguments[1], arguments[2:])))
    except ManifestError as fault:
        print(f"lab: {fault}", file=sys.stderr)
        return 2
    except (IndexError, TypeError, ValueError):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
