"""Does the check refuse each case, with the symptom that the case shows? The checker's wrong programs of the same mistake,
and the shown sources themselves."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from nbody_lab.cases.catalogue import SOURCES, NumberedCase, read_cases
from nbody_lab.core.manifest import Manifest
from nbody_lab.core.model import load
from nbody_lab.notebook.results import CheckResult
from tests.cases.built_cases import (
    CHECKER,
    MANIFEST,
    build,
    can_build,
    link_naive,
    write_manifest,
)

pytestmark = pytest.mark.slow
ALL = read_cases()


class Judged(NamedTuple):
    verdict: str
    sentence: str
    fails: set[str]
    asked: set[str]


def check(part: str, name: str, manifest: Path, file: Path) -> Judged:
    words = [CHECKER, part, name, "--manifest", manifest, "--seed", "1", "--timeout", "5"]
    subprocess.run(
        [*words, "--json", file],
        stdout=subprocess.DEVNULL,
        env={**os.environ, "OMP_NUM_THREADS": "2"},
        check=False,
    )
    program = load(CheckResult, file).implementations[0]
    failed = {row.group for row in program.failed}
    return Judged(program.verdict, program.sentence, failed, {row.group for row in program.cases})


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.facts.mistake)
def test_the_wrong_program_of_the_checker(case: NumberedCase, tmp_path: Path):
    """It makes this mistake: the same kinds fail, with the sentence of the case."""
    rows = Manifest(MANIFEST).of_part("wrong", "wrong") if MANIFEST.exists() else []
    row = next((row for row in rows if row.name == case.facts.mistake), None)
    if not rows or row is None or not (MANIFEST.parent / row.program).exists():
        assert not rows or row is not None, f"there is no wrong program {case.facts.mistake}"
        pytest.skip("the checker's wrong programs are not built here")
    judged = check("wrong", case.facts.mistake, MANIFEST, tmp_path / "check.json")
    assert judged.verdict == "fails as expected"
    assert case.facts.diagnosis in judged.sentence
    assert judged.fails == set(case.facts.fails) & judged.asked


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """With a manifest of all cases as programs of part 1."""
    if not can_build():
        pytest.skip("nothing is configured and built here")
    folder = tmp_path_factory.mktemp("cases")
    link_naive(folder)
    write_manifest(folder, [f"case_{case.number}" for case in ALL])
    yield folder


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.file_name)
def test_the_shown_source(case: NumberedCase, folder: Path):
    """It compiles without a warning; the same kinds fail, with the sentence of the case."""
    program = folder / f"bin/part1/case_{case.number}"
    source = SOURCES / case.file_name
    build(source, program, "bin/part1/mine")
    build(source, program.with_name(f"{program.name}_double"), "bin/part1/mine_double")
    judged = check("part1", program.name, folder / "manifest.json", folder / "check.json")
    assert judged.verdict == "FAILED"
    assert case.facts.diagnosis in judged.sentence
    assert judged.fails == set(case.facts.fails)
    assert "jerk" in judged.asked
