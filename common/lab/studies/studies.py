"""The studies of ./lab bench PART --study NAME: what is measured, at which sizes, over which launches.

A study is a row of the part's studies.json: `names` are taken where none are given, of these those that there
are, else mine; an empty list means all. `before` are others to compare with: of each list all that there are,
but of its last word only where none of the others is there.
"""

import json
import os
from pathlib import Path

from manifest import ManifestError

ROOT = Path(__file__).resolve().parents[3]


def studies_of(manifest, part):
    """Name -> study; none where the part has none of its own."""
    file = (manifest.part(part) or {}).get("studies")
    return json.loads((ROOT / file).read_text(encoding="utf-8")) if file else {}


def has(manifest, part, name):
    """`name`, or PART/NAME of another part."""
    if "/" in name:
        part, name = name.split("/")
    return any(row["name"] == name for row in manifest.of_part(part))


def compared(manifest, part, groups):
    names = []
    for group in groups:
        there = [name for name in group[:-1] if has(manifest, part, name)]
        names += there or [name for name in group[-1:] if has(manifest, part, name)]
    return names


def plan(manifest, part, study, names=()):
    """(names, options). Raises ManifestError for a study that there is not."""
    studies = studies_of(manifest, part)
    if study not in studies:
        raise ManifestError(f"bench {part} has no study '{study}'; there are {', '.join(studies)}")
    row = studies[study]
    names = list(names) or [name for name in row["names"] if has(manifest, part, name)]
    if not names and row["names"]:
        names = ["mine"]
    options = [option.replace("{cores}", str(os.cpu_count())) for option in row["options"]]
    return compared(manifest, part, row.get("before", [])) + names, options

