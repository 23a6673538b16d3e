"""The studies of ./lab bench PART --study NAME: what is measured, at which sizes, over which launches.

Those of a GPU are entries of the part's studies.json, the others are functions.
"""

import os
from collections.abc import Sequence
from pathlib import Path

import pydantic

from nbody_lab import ROOT
from nbody_lab.core.manifest import Manifest
from nbody_lab.core.messages import UserError
from nbody_lab.core.model import LabModel, load
from nbody_lab.core.words import nearest


class Study(LabModel):
    """Options of bench for a question."""

    question: str
    comment: str = ""
    names: tuple[str, ...] = pydantic.Field(
        description="used if the user gives none: those that exist, else mine; empty: all"
    )
    before: tuple[tuple[str, ...], ...] = pydantic.Field(
        (),
        description="groups of names to compare with; the last of a group counts if no other exists",
    )
    options: tuple[str, ...]

    def options_here(self) -> list[str]:
        return [option.replace("{cores}", str(os.cpu_count())) for option in self.options]


class _StudiesFile(pydantic.RootModel[dict[str, Study]]):
    """studies.json of a part."""


def read_studies(part: str, root: Path = ROOT) -> dict[str, Study]:
    """Those of a part's studies.json; empty if it has none."""
    files = root.glob(f"{part}_*/studies.json")
    return {name: study for file in files for name, study in load(_StudiesFile, file).root.items()}


def names_of_studies(part: str) -> list[str]:
    return [*read_studies(part), "energy"] if read_studies(part) else ["compilers", "energy"]


def require_study(part: str, study: str) -> None:
    known = names_of_studies(part)
    if study not in known:
        near = nearest(study, known) or f"; there are {', '.join(known)}"
        raise UserError(f"bench {part} has no study '{study}'{near}")


def _exists(manifest: Manifest, part: str, name: str) -> bool:
    """Whether the part has this name; PART/NAME is one of another part."""
    other, slash, own = name.rpartition("/")
    return any(row.name == own for row in manifest.of_part(other if slash else part))


def names_to_study(
    manifest: Manifest, part: str, study: Study, names: Sequence[str] = ()
) -> list[str]:
    """What to measure, after what to compare with; the user's names take the place of the study's own."""
    before = []
    for group in study.before:
        first = [name for name in group[:-1] if _exists(manifest, part, name)]
        before += first or [name for name in group[-1:] if _exists(manifest, part, name)]
    there = [name for name in study.names if _exists(manifest, part, name)]
    return before + (list(names) or there or (["mine"] if study.names else []))
