"""The compiler study: what it measures, and, weekly, as a student runs it."""

import json
import shutil
from pathlib import Path

import pytest

from nbody_lab.core.manifest import Counted, Implementation, Manifest, Program, manifest_text
from nbody_lab.core.messages import UserError
from nbody_lab.studies import compilers
from tests import BUILD, LAB, said_by


def _write_manifest(folder: Path, *names: str) -> Path:
    about = {"part": "part1", "class": "Naive", "count": Counted(program="bin/part1/count")}
    programs = (Program(precision="float", program="bin/part1/x"),)
    kinds = {"third": "solution", "best": "solution"}
    rows = [
        Implementation(
            name=name,
            kind=kinds.get(name, "mine"),
            program=f"bin/part1/{name}",
            programs=programs,
            **about,
        )
        for name in names
    ]
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "manifest.json"
    file.write_text(manifest_text(rows))
    return file


def test_it_measures_naive_mine_and_the_last_solution(tmp_path: Path) -> None:
    """Of those that the part has; with none of them it is refused."""
    file = _write_manifest(tmp_path, "naive", "third", "best", "mine", "mine_b")
    assert compilers.names_to_study(Manifest(file), "part1") == ["naive", "mine", "best"]
    with pytest.raises(UserError, match="part2 has neither naive, mine nor a solution"):
        compilers.names_to_study(Manifest(file), "part2")


def test_rows_have_compiler_and_flags_in_their_names(tmp_path: Path) -> None:
    """They name the kept programs, are not counted, and may say any class."""
    folder = tmp_path / "g++_O2"
    _write_manifest(folder, "naive")
    (row,) = compilers.rows_of(folder, "part1", ["naive"], "g++", "-O2 -march=native")
    assert (row.name, row.flags) == ("naive g++_O2", ("g++", "-O2", "-march=native"))
    assert (row.program, row.programs[0].program) == (
        "g++_O2/bin/part1/naive",
        "g++_O2/bin/part1/x",
    )
    assert (row.count, row.model_dump(by_alias=True)["class"]) == (None, "")


@pytest.mark.weekly
@pytest.mark.timeout(1500)
def test_every_compiler_and_every_set_of_flags(tmp_path: Path) -> None:
    """Every combination is built and measured, and all results are right."""
    result = tmp_path / "result.json"
    words = ["bench", "part1", "--study", "compilers", "--quick", "-n", "200", "--json", result]
    status, out, err = said_by([*LAB, *words])
    assert status == 0, err + out
    builds = len(list(filter(shutil.which, compilers.COMPILERS))) * len(compilers.FLAG_SETS)
    rows = json.loads(result.read_text(encoding="utf-8"))["summary"]
    names = compilers.names_to_study(Manifest(BUILD / "manifest.json"), "part1")
    assert len(rows) == len(names) * builds, out
    # The student's own file may be wrong.
    assert {row["verdict"] for row in rows if not row["name"].startswith("mine ")} == {"right"}
    said = (line.partition(" ...")[0] for line in err.splitlines())
    assert sum(line.startswith("building with") for line in set(said)) == builds, err
