"""The manifest: all parts and implementations, written by CMake (docs/file_formats.md)."""

import json
from pathlib import Path

from nbody_lab.core.messages import UserError

VERSION = 2


class ManifestError(UserError):
    """The file is not a manifest, or lacks the requested entry. One line."""


class Manifest:
    def __init__(self, file):
        self.file = Path(file)
        try:
            data = json.loads(self.file.read_text(encoding="utf-8"))
            if data["version"] != VERSION:
                raise ManifestError(
                    f"{file}: version {data['version']}, not {VERSION}: configure again with cmake"
                )
            self.parts, self.rows = data["parts"], data["implementations"]
            self.gpu_only = data.get(
                "gpu_only", []
            )  # in manifest_on_cpu.json: rows without a program, and why
        except (OSError, ValueError, KeyError, TypeError) as fault:
            raise ManifestError(
                f"{file}: not a manifest of the lab: configure again with cmake"
            ) from fault

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
            raise ManifestError(
                f"there is no part '{part}'; parts: {' '.join(p['name'] for p in self.parts)}"
            )
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
