"""The manifest's rows, and its complaints about bad files."""

import json

import pytest

from nbody_lab.building.manifest import Manifest, ManifestError

ROWS = [
    {"part": part, "name": name, "kind": kind, "source": f"{part}/{name}.hpp"}
    for part, name, kind in (
        ("part1", "naive", "naive"),
        ("part2", "naive", "naive"),
        ("part2", "wide", "rung"),
    )
]
PARTS = [{"name": "part1", "default_step": "adaptive"}, {"name": "part2"}]


def test_rows(tmp_path):
    file = tmp_path / "manifest.json"
    file.write_text(json.dumps({"version": 2, "implementations": ROWS, "parts": PARTS}))
    manifest = Manifest(file)
    assert [row.name for row in manifest.of_part("part2")] == ["naive", "wide"]
    assert [row.name for row in manifest.of_part("part2", "rung")] == ["wide"]
    assert manifest.row("part2", "wide").source == "part2/wide.hpp"
    assert manifest.part("part1").default_step == "adaptive"
    for part, name, words in (
        ("part2", "wied", "part2 has no implementation 'wied'; it has: naive wide"),
        ("part9", "naive", "there is no part 'part9'; parts: part1 part2"),
    ):
        with pytest.raises(ManifestError, match=f"^{words}$"):
            manifest.row(part, name)


@pytest.mark.parametrize("text", ["{", "[]", '{"version": 1}', None])
def test_no_manifest(text, tmp_path):
    file = tmp_path / "manifest.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(ManifestError, match=f"^{file}: .*configure again with cmake"):
        Manifest(file)
