"""The manifest's rows and targets, and its complaints about bad files."""

import json

import pytest

from nbody_lab.core.manifest import Manifest, ManifestError


def program(name, precision="float", instruction_set=""):
    path = {"program": f"bin/part2/{name}", "target": f"part2_{name}"}
    return {"precision": precision, "instruction_set": instruction_set, **path}


WIDE = [
    program(f"wide_{s}{p and '_' + p}", p or "float", s)
    for p in ("", "double")
    for s in ("sse2", "avx2")
]
ROWS = [
    {"part": "part1", "name": "naive", "kind": "naive", "program": "bin/part1/naive"},
    {
        "part": "part2",
        "name": "naive",
        "kind": "naive",
        "program": "bin/part2/naive",
        "programs": [program("naive"), program("naive_double", "double")],
    },
    {
        "part": "part2",
        "name": "wide",
        "kind": "rung",
        "source": "part2/wide.hpp",
        "program": "bin/part2/wide_sse2",
        "programs": WIDE,
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
    ("words", "targets"),
    [
        (("naive", "double"), ["bin/part2/naive_double"]),
        (("wide", "float"), ["bin/part2/wide_sse2", "bin/part2/wide_avx2"]),
        (("wide", "double", ("avx2",)), ["bin/part2/wide_avx2_double"]),
    ],
)
def test_targets(words, targets, manifest):
    assert manifest.targets("part2", *words) == targets


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
