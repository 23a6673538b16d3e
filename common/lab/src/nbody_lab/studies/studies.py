"""The studies of ./lab bench PART --study NAME: what is measured, at which sizes, over which launches.

A study is an entry of the part's studies.json. `names`: used if the user gives none; those that exist, else mine; an
empty list means all. `before`: groups of names to compare with; of each group those that exist; its last word counts
only if no other exists.
"""

import json
import os

from nbody_lab import ROOT
from nbody_lab.core.manifest import ManifestError


def studies_of(manifest, part):
    """{name: study}; empty if the part has none."""
    file = (manifest.part(part) or {}).get("studies")
    return json.loads((ROOT / file).read_text(encoding="utf-8")) if file else {}


def has(manifest, part, name):
    """Whether `name` exists; PART/NAME asks about another part."""
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
    """(names, options) for bench. Raises ManifestError for an unknown study."""
    studies = studies_of(manifest, part)
    if study not in studies:
        raise ManifestError(f"bench {part} has no study '{study}'; there are {', '.join(studies)}")
    row = studies[study]
    names = list(names) or [name for name in row["names"] if has(manifest, part, name)]
    if not names and row["names"]:
        names = ["mine"]
    options = [option.replace("{cores}", str(os.cpu_count())) for option in row["options"]]
    return compared(manifest, part, row.get("before", [])) + names, options
