"""./lab list: what the manifest has, and the checker's own simulators only on request."""

import json

import pytest

from nbody_lab.building.manifest import Manifest
from nbody_lab.commands.build import list_table
from nbody_lab.core.console import render

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


@pytest.mark.parametrize(("part", "count"), [(None, 3), ("part1", 2), ("wrong", 1)])
def test_the_list(manifest, part, count):
    table = render(list_table(manifest, part), 100)
    assert table.count("what ") == 1 + count  # one is the heading
    assert ("what tail is" in table) == (part == "wrong")
