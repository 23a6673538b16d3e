"""What a study measures: its own names if they exist, others to compare with, its options."""

import os
from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.core.manifest import Implementation, Manifest, manifest_text
from nbody_lab.core.messages import UserError
from nbody_lab.studies.studies import Study, names_of_studies, names_to_study, read_studies

BLOCK = Study(question="?", names=("tiles",), options=("--block", "16,32"))
LADDER = Study(question="?", names=(), options=("-n", "100"))
PROCESSOR = Study(
    question="?",
    before=(("part1/naive",), ("part2/fast", "part2/mine")),
    names=("naive", "best"),
    options=("--threads", "{cores}"),
)
ALL = "part1/naive part2/fast part2/mine part3/naive part3/best"


@pytest.mark.parametrize(
    ("there", "study", "names", "measured"),
    [
        ("part3/tiles", BLOCK, [], "tiles"),
        ("part3/naive", BLOCK, [], "mine"),
        ("part3/tiles", BLOCK, ["mine_a"], "mine_a"),
        ("part3/tiles", LADDER, [], ""),
        (ALL, PROCESSOR, [], "part1/naive part2/fast naive best"),
        (ALL.replace("part2/fast", ""), PROCESSOR, [], "part1/naive part2/mine naive best"),
        (ALL, PROCESSOR, ["mine"], "part1/naive part2/fast mine"),
    ],
)
def test_names_that_are_there_else_mine(
    tmp_path: Path, there: str, study: Study, names: list[str], measured: str
) -> None:
    """What to compare with comes first; of a group, its last name counts only alone."""
    pairs = [name.split("/") for name in there.split()]
    rows = [Implementation(part=part, name=name, kind="rung") for part, name in pairs]
    file = tmp_path / "manifest.json"
    file.write_text(manifest_text(rows))
    assert names_to_study(Manifest(file), "part3", study, names) == measured.split()


def test_cores_are_those_of_this_machine() -> None:
    """{cores} stands for their number."""
    assert PROCESSOR.options_here() == ["--threads", str(os.cpu_count())]


def test_a_part_has_its_own_studies(tmp_path: Path) -> None:
    """Those of its studies.json; the file's faults are named with their place."""
    assert names_of_studies("part1") == ["compilers", "energy"]
    file = tmp_path / "part3_x/studies.json"
    file.parent.mkdir()
    file.write_text('{"block": {"question": "?", "names": ["tiles"]}}')
    with pytest.raises(UserError, match=r"studies\.json: block\.options is missing"):
        read_studies("part3", tmp_path)


@pytest.mark.parametrize("file", sorted(ROOT.glob("part*_*/studies.json")), ids=str)
def test_the_labs_own_are_well_formed(file: Path) -> None:
    """Every one can be read and asks a question."""
    assert all(one.question for one in read_studies(file.parent.name.split("_")[0]).values())
