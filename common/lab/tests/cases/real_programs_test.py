"""Does the check refuse each case, with the symptom that the case shows? The checker's wrong programs of the same mistake,
and the shown sources themselves."""

import os
import shlex
import subprocess
from collections import Counter
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import pytest

from nbody_lab import ROOT
from nbody_lab.cases.catalogue import SOURCES, NumberedCase, read_cases
from nbody_lab.core.manifest import Manifest, manifest_text
from nbody_lab.core.model import load
from nbody_lab.notebook.results import CheckResult
from tests import BUILD

pytestmark = pytest.mark.slow
ALL = read_cases()
MANIFEST = BUILD / "manifest.json"
CHECKER = BUILD / "bin/check"
MINE = "part1_standard_opti/mine.cpp"  # made by CMake


def commands_of(target: str) -> list[list[str]]:
    """What Ninja would run to build it."""
    done = subprocess.run(
        ["ninja", "-C", BUILD, "-t", "commands", target],
        capture_output=True,
        text=True,
        check=True,
    )
    return [shlex.split(line) for line in done.stdout.splitlines() if "mine.cpp.o" in line]


def build(header: Path, program: Path, target: str) -> None:
    """Compiles and links the header as this program of the student is compiled and linked."""
    compile_words, link_words = commands_of(target)
    text = (BUILD / MINE).read_text(encoding="utf-8")
    first = text.index('#include "')
    after = text.index("\n", first)
    source, object_file = program.with_suffix(".cpp"), str(program.with_suffix(".o"))
    name = program.name.removesuffix("_double")
    text = f'{text[:first]}#include "{header}"{text[after:]}'.replace('"mine"', f'"{name}"')
    source.write_text(text, encoding="utf-8")
    flags = [word for word in compile_words if word.startswith(("-D", "-O", "-f", "-std"))]
    includes = [f"-I{ROOT}/common", f"-I{ROOT}/part1_standard_opti"]
    compiler = list(takewhile(lambda word: not word.startswith("-"), compile_words))  # and ccache
    run = [*compiler, *flags, *includes, "-c", str(source), "-o", object_file]
    subprocess.run(run, check=True)
    link = [object_file if word.endswith("/mine.cpp.o") else word for word in link_words[2:-2]]
    link[link.index("-o") + 1] = str(program)
    subprocess.run(link, cwd=BUILD, check=True)


def can_build() -> bool:
    """Whether there is a build folder that was configured, with the libraries that a program of part 1 needs."""
    libraries = "common/simulator/libnbody_simulator.a"
    return all((BUILD / file).exists() for file in ("build.ninja", MINE, libraries, "bin/check"))


class Judged(NamedTuple):
    verdict: str
    sentence: str
    fails: dict[str, str]  # {"forces": "3 of 271"}, as in cases.json
    asked: set[str]

    def other_kinds_than(self, case: NumberedCase) -> set[str]:
        """Kinds that fail against what the case says, or that should and do not."""
        other = set(self.fails) ^ (set(case.facts.fails) & self.asked)
        # What an earlier request leaves behind is chance where a kind has but two cases.
        return other - {"conservation"} if case.facts.mistake == "static_state" else other


def check(part: str, name: str, manifest: Path, file: Path) -> Judged:
    words = [CHECKER, part, name, "--manifest", manifest, "--seed", "1", "--timeout", "5"]
    subprocess.run(
        [*words, "--json", file],
        stdout=subprocess.DEVNULL,
        env={**os.environ, "OMP_NUM_THREADS": "2"},
        check=False,
    )
    program = load(CheckResult, file).implementations[0]
    failed = Counter(row.group for row in program.failed)
    asked = Counter(row.group for row in program.cases)
    fails = {kind: f"{failed[kind]} of {asked[kind]}" for kind in failed}
    return Judged(program.verdict, program.sentence, fails, set(asked))


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
    assert not judged.other_kinds_than(case), judged.fails


def fill(folder: Path, names: list[str]) -> Path:
    """The programs of naive, and a manifest with them and with these beside them: its path."""
    (folder / "bin/part1").mkdir(parents=True)
    for name in ("naive", "naive_double"):
        (folder / "bin/part1" / name).symlink_to(BUILD / "bin/part1" / name)
    whole = Manifest(MANIFEST)
    mine, rows = whole.row("part1", "mine"), [whole.row("part1", "naive")]
    for name in names:
        paths = [f"bin/part1/{name}", f"bin/part1/{name}_double"]
        programs = tuple(
            one.model_copy(update={"program": path}) for one, path in zip(mine.programs, paths)
        )
        changed = {"name": name, "program": paths[0], "programs": programs}
        rows.append(mine.model_copy(update=changed))
    file = folder / "manifest.json"
    file.write_text(manifest_text(rows, whole.parts), encoding="utf-8")
    return file


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With all cases as programs of part 1."""
    if not can_build():
        pytest.skip("nothing is configured and built here")
    folder: Path = tmp_path_factory.mktemp("cases")
    fill(folder, [f"case_{case.number}" for case in ALL])
    return folder


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
    assert not judged.other_kinds_than(case), judged.fails
    assert {"jerk", *case.facts.fails} <= judged.asked
