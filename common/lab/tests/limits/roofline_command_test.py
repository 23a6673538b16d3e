"""./lab roofline as a command: what it measures, leaves out and writes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nbody_lab.building.lab import Built, Lab
from nbody_lab.commands import roofline as command
from nbody_lab.limits import points
from nbody_lab.measure.bench_file import BenchResult
from tests.conftest import Ended
from tests.limits import roofline_for_tests as made

KINDS = {"naive": "naive", "mine": "mine", "openmp": "rung", "race": "exhibit", "lost": "rung"}


class TinyLab(Lab):
    """A part in which all but lost is counted; race is wrong, and openmp is timed on a busy machine. Nothing is built."""

    def __init__(self, folder: Path) -> None:
        super().__init__("part1")
        self.build_dir, self.manifest, self.log = folder, folder / "manifest.json", folder / "log"
        programs = folder / "bin/part1"
        programs.mkdir(parents=True)
        rows, timed = [], []
        for name, kind in KINDS.items():
            (programs / f"{name}_count").touch()
            made.write_counts(programs / f"{name}_count.json", made.FUSED)
            row: dict[str, Any] = {"part": "part1", "name": name, "kind": kind, "source": "LICENSE"}
            row["programs"] = [{"precision": "float", "program": f"bin/part1/{name}"}]
            row["count"] = None if name == "lost" else {"program": f"bin/part1/{name}_count"}
            rows.append(row)
            outcome = "wrong" if name == "race" else "right"
            about = {"name": name, "outcome": outcome, "verdict": outcome}
            about["busy_machine"] = name == "openmp"
            timed.append(about | {"interactions_per_s": {"median": 3e8}})
        parts = [{"name": "part1", "device": "cpu"}]
        manifest = {"version": 2, "parts": parts, "implementations": rows}
        self.manifest.write_text(json.dumps(manifest))
        self.timed = BenchResult.model_validate({"summary": timed})

    def begin(self) -> None:
        """Takes no lock."""

    def try_to_build(self, label: str, *targets: str) -> Built:
        return Built()

    def works(self, label: str, *command: object) -> bool:
        return command[0] == "ninja" or super().works(label, *command)


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TinyLab:
    lab = TinyLab(tmp_path)
    ceilings = made.ceilings_of_processor()
    monkeypatch.setattr(command, "FOLDER", tmp_path)
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(command, "Lab", lambda part: lab)
    monkeypatch.setattr(command.pictures, "can_draw", lambda: False)
    for name in ("known_ceilings", "measure_ceilings"):
        monkeypatch.setattr(command, name, lambda lab: ceilings)
    monkeypatch.setattr(command, "with_gpu_rows", lambda lab, ceilings: ceilings)
    monkeypatch.setattr(points, "bench_result", lambda lab, _: lab.timed)
    return lab


HIDDEN = "counts are hidden until the worksheet's counts are right (./lab worksheet part1)"
LOST, RACE = {"lost": "not counted"}, {"race": "the bench says: wrong"}
ALL = ["naive", "mine", "openmp"]


@pytest.mark.parametrize(
    ("words", "hidden", "names", "left_out", "said"),
    [
        ("part1", [], ALL, LOST, "part1.json\n"),
        ("-n 1000 part1 mine", [], ["mine"], {}, "1000 bodies"),
        # What is hidden is nowhere.
        ("part1 mine", ["naive", "mine"], [], {"mine": HIDDEN}, "AVX2 48.0 Gflop/s"),
        ("part1 race", [], [], RACE, "left out: race: the bench says"),
    ],
)
def test_what_has_a_point(
    words: str,
    hidden: list[str],
    names: list[str],
    left_out: dict[str, str],
    said: str,
    lab: TinyLab,
    run_lab: Callable[..., Ended],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without names all but exhibits."""
    monkeypatch.setattr(points, "hidden_counts", lambda _: hidden)
    ended, file = run_lab("roofline", *words.split()), lab.build_dir / "part1.json"
    assert (ended.status, said in ended.output + ended.error) == (0, True), ended
    written = json.loads(file.read_text())
    assert [point["name"] for point in written["points"]] == names
    assert written["left_out"] == left_out
    assert all(len(one["source_sha256"]) == 64 for one in written["points"])
    assert all(one["busy_machine"] == (one["name"] == "openmp") for one in written["points"])
