"""./lab list: what the manifest has, and the checker's own simulators only on request."""

import json

import pytest

from nbody_lab.commands.build import list_table
from nbody_lab.core.console import render
from nbody_lab.core.manifest import Manifest

ROWS = [
    ("part1", "naive", "naive", "-O3"),
    ("wrong", "tail", "wrong", "-O3"),
    ("part2", "naive", "naive", ""),
    ("part1", "mine", "mine", "-O3 -fopenmp"),
]


@pytest.fixture
def manifest(tmp_path):
    file = tmp_path / "manifest.json"
    keys = ("part", "name", "kind", "flags")
    rows = [
        {**dict(zip(keys, row)), "summary": f"what {row[1]} is", "flags": row[3].split()}
        for row in ROWS
    ]
    parts = [{"name": name} for name in ("part1", "part2", "wrong")]
    file.write_text(json.dumps({"version": 2, "parts": parts, "implementations": rows}))
    return Manifest(file)


@pytest.mark.parametrize("part", [None, "part1", "wrong"])
@pytest.mark.parametrize("columns", [40, 100])
def test_the_list(manifest, part, columns, snapshot):
    """Columns go before anything is wrapped: of one part its name, the flags, then the kind."""
    assert render(list_table(manifest, part), columns) == snapshot
