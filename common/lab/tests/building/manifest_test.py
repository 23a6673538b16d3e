"""The manifest's rows, and its complaints about bad files."""

import json

import pytest

from nbody_lab.building.manifest import Manifest, ManifestError

ROWS = [
    {"part": "part1", "name": "naive", "kind": "naive", "program": "bin/part1/naive"},
    {
        "part": "part2",
        "name": "naive",
        "kind": "naive",
        "program": "bin/part2/naive",
    },
    {
        "part": "part2",
        "name": "wide",
        "kind": "rung",
        "source": "part2/wide.hpp",
        "program": "bin/part2/wide_sse2",
    },
]
PARTS = [{"name": "part1", "default_step": "adaptive"}, {"name": "part2"}]


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "manifest.json"
    file.write_text(json.dumps({"version": 2, "implementations": ROWS, "parts": PARTS}))
    return file


@pytest.fixture
def manifest(file):
    return Manifest(file)


def test_rows(manifest):
    assert [row.name for row in manifest.of_part("part2")] == ["naive", "wide"]
    assert [row.name for row in manifest.of_part("part2", "rung")] == ["wide"]
    assert manifest.row("part2", "wide").source == "part2/wide.hpp"
    assert manifest.part("part1").default_step == "adaptive"


@pytest.mark.parametrize(
    ("part", "name", "words"),
    [
        ("part2", "wied", "part2 has no implementation 'wied'; it has: naive wide"),
        ("part9", "naive", "there is no part 'part9'; parts: part1 part2"),
    ],
)
def test_what_there_is_not(part, name, words, manifest):
    with pytest.raises(ManifestError, match=f"^{words}$"):
        manifest.row(part, name)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not a manifest of the lab"),
        ("[]", "not a manifest of the lab"),
        ('{"version": 1}', "version 1, not 2"),
        (None, "not a manifest of the lab"),
    ],
)
def test_no_manifest(text, words, file):
    file.unlink() if text is None else file.write_text(text)
    with pytest.raises(ManifestError, match=f"^{file}: {words}.*configure again with cmake"):
        Manifest(file)
